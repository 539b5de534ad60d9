# Tests wrong requests: exit code 2, and one line that says how to correct the request.

case_words_that_nobody_knows_are_refused_with_a_guess() {
  check "unknown subcommand: exit 2, guesses" fails 2 "did you mean render" rendr
  check "a scene where the subcommand should be: exit 2, guesses" \
    fails 2 "did you mean ballotcast render room.obj" room.obj
  check "unknown option: exit 2, guesses" fails 2 "'--sise'; did you mean --size?" render --sise 3x3
  check "unknown option before the subcommand: exit 2" fails 2 "'--frobnicate'" --frobnicate
  check "option of nothing near: exit 2, points to the help" \
    fails 2 "ballotcast render --help" render --frobnicate
  check "none of this left a file" no_files
}

case_values_that_are_missing_or_too_many_are_refused() {
  check "a second scene: exit 2, names it" fails 2 "'b.obj'" render a.obj b.obj
  check "missing value: exit 2" fails 2 "--size needs a value" render --size
  check "empty value: exit 2" fails 2 "--output needs a value" render --output=
  check "an option as value: exit 2" fails 2 "--size needs a value" render --size --json
  check "value for a flag: exit 2" fails 2 "--json takes no value" render --json=yes
  check "none of this left a file" no_files
}

case_unknown_names_list_those_that_are_known() {
  check "unknown shading lists the rows" fails 2 "'x'; known: lit, normal" render --shade x
  check "unknown strategy lists the rows" fails 2 "'x'; known: auto, none" render --atomics x
  check "unknown pipeline lists the rows" fails 2 "'x'; known: auto, passes" render --pipeline x
  check "unknown device lists the rows" fails 2 "'x'; known: auto, cuda" render --device x
  check "unknown layout lists the rows" fails 2 "'x'; known: auto, bvh2" render --layout x
  check "unknown builder lists the rows" fails 2 "'x'; known: fast" render --build x
  check "--sides up: exit 2, lists the names" fails 2 "'up'; known: both, front" render --sides up
  check "explain --sides up: exit 2, lists the names" \
    fails 2 "'up'; known: both, front" explain --pixel 0,0 --sides up
  check "--light lantern: exit 2, lists the names" fails 2 "'lantern'; known: scene, camera" render --light lantern
  check "none of this left a file" no_files
}

case_sizes_places_and_angles_that_cant_be_are_refused() {
  for size in 0x0 0x5 1e9x1e9 12xabc 5 5x x5 -5x5 5x5x5 " 5x5" 99999999999999999999x2 32769x1 32768x32768; do
    check "--size '$size': exit 2, names option and value" \
      fails 2 "not '$size'" render --size "$size"
  done
  for eye in 1,2 1,2,3,4 a,b,c 1,,2 1,2,nan 1,2,inf 1e31,0,0 1e999,0,0 ","; do
    check "--eye '$eye': exit 2, names option and value" fails 2 "not '$eye'" render --eye "$eye"
  done
  for fov in 0 361 -3 nan inf 4x 1e999; do
    check "--fov '$fov': exit 2, names option and value" fails 2 "not '$fov'" render --fov "$fov"
  done
  check "--fov 179.999: exit 2, names the limits" \
    fails 2 "between 0.0001 and 179 degrees, not 179.999" render "${small[@]}" --fov 179.999
  check "--up 0,0,0: exit 2" fails 2 "--up" render --up 0,0,0
  check "--up along the sight: exit 2, names it and another one" \
    fails 2 "up is parallel to the line of sight, from eye to look-at; state another up, such as" \
    render "${small[@]}" --eye 0,0,2 --look-at 0,0,0 --up 0,0,1
  check "eye where it looks: exit 2" \
    fails 2 "same point" render "${small[@]}" --eye 1,1,1 --look-at 1,1,1
  check "none of this left a file" no_files
}

case_numbers_out_of_range_are_refused() {
  check "--spp 0: exit 2" fails 2 "--spp" render --spp 0
  check "--spp 4294967297: exit 2" fails 2 "--spp" render --spp 4294967297
  check "--bounces -1: exit 2" fails 2 "--bounces" render --bounces -1
  check "--threads 0: exit 2" fails 2 "--threads" render --threads 0
  check "--exposure -1: exit 2" fails 2 "--exposure" render --exposure -1
  check "--exposure too large: exit 2, the limit of scene files" \
    fails 2 "a number from 0 to 1000000, not '1000001'" render --exposure 1000001
  for white in warm 900 40001 -3200 3200K; do
    check "--white-balance '$white': exit 2" fails 2 "1000 to 40000" render --white-balance "$white"
  done
  check "--sky-zenith below 0: exit 2" fails 2 "--sky-zenith" render --sky-zenith 0,0,-1
  check "block size 33: exit 2" fails 2 "multiple of 32 from 32 to 1024" render --block-size 33
  check "none of this left a file" no_files
}

case_outputs_of_a_wrong_kind_are_refused() {
  check "a picture that isn't PNG: exit 2" fails 2 "out.jpg" render -o out.jpg
  check "a picture over someone's notes: exit 2" fails 2 "call it .png" render -o notes.txt
  check "a drawing in a page: exit 2" fails 2 "call it .svg" explain --pixel 1,1 --svg way.html
  check "a page in a picture: exit 2" fails 2 "--html 'c.png': pages are written as HTML; call it .html" \
    bench rays --triangles 2K --html c.png
  check "picture and hits in one file: exit 2" fails 2 "same file" render -o a.png --hits ./a.png
  check "linear and hits in one file: exit 2" fails 2 "same file" render -o a.pfm --hits ./a.pfm
  check "a picture of an unknown kind: exit 2" fails 2 "PFM, HDR or EXR" render -o a.bmp
  check "none of this left a file" no_files
}

case_options_that_need_others_are_refused() {
  check "--cache-size without --cache: exit 2" fails 2 "--cache-size is that of --cache" render --cache-size 1G
  check "render: a strategy that reserves no slots" fails 2 "pipeline queue can't use atomics none" \
    render "${small[@]}" --pipeline queue --atomics none
  check "render: an order that needs no strategy" fails 2 "order lanes can't use atomics naive" \
    render "${small[@]}" --pipeline queue --order lanes --atomics naive
  check "explain: options of queues without --queue" fails 2 "are those of --queue" explain --pixel 1,1 --order lanes
  check "none of this left a file" no_files
}

case_options_without_effect_are_told() {
  check "options that need light are told in other shadings" \
    tells "note: without effect on this picture: --bounces, --sun-strength" \
    render "${small[@]}" --shade normal --bounces 2 --sun-strength 3 -o noted.png
  check "so are those that other options switch off" \
    tells "note: without effect on this picture: --fireflies, --fov" \
    render "${small[@]}" --ortho 3 --fov 30 --fireflies drop --smooth off -o noted.png
  check "there is no such note if all have an effect" \
    bash -c '"$0" render "$@" 2>&1 >/dev/null | (! grep -q "without effect")' "$ballotcast" \
    "${small[@]}" --bounces 2 --fov 30 -o noted.png
  check "--exposure 0: a note" tells "because the exposure is 0" render "${small[@]}" --exposure 0 -o black.png
}

case_two_dashes_end_the_options() {
  triangle && mv triangle.obj ./-odd.obj
  check "-- is in the help" succeeds "ends the options" render --help
  check "-- ends the options" succeeds wrote render "${small[@]}" -o n.png -- -odd.obj
  check "behind -- an option is a file: exit 2" \
    fails 2 "unexpected argument '--json'" render "${small[@]}" -- -odd.obj --json
  check "-- is no value: exit 2" fails 2 "-o needs a value" render -o -- -odd.obj
  check "an option before it, unknown: exit 2" fails 2 "unknown option '--frob'" render --frob -- -odd.obj
}
