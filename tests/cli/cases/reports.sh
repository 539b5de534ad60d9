# Tests the reports of info, --json, --timing, verify and explain.

json_report() {
  "$ballotcast" render "${small[@]}" --spp 3 --json -o j.png --hits j.hits >json 2>stderr &&
    is_json json && [[ ! -s stderr ]]
}

case_json_of_render_has_what_was_done() {
  check "--json: one JSON document" json_report
  for key in version device pipeline atomics counter_counts block_size threads rays passes counter \
    rays_per_s timings_ms pixels_hash hits_hash output hits warnings; do
    check "--json has $key" grep -q "\"$key\":" json
  done
  for key in start load device build upload draw preview encode write total; do
    check "--json times $key" grep -q "\"$key\": [0-9]" json
  done
  check "hits file: header and 16 bytes a hit" test "$(stat -c %s j.hits)" -eq $((32 + 16 * 16 * 8 * 3))
  check "hits file: begins as documented" test "$(head -c 6 j.hits)" = BCHITS
}

timing() { "$ballotcast" render "${small[@]}" --timing "$@" -o t.png >chart 2>stderr; }

case_timing_is_a_chart() {
  check "--timing: a chart on stdout" timing
  check "--timing: a line for each phase" grep -qE '^  load +[0-9.]+ m?s +[0-9]+%' chart
  check "--timing --json: the chart is on stderr" timing --json
  check "--timing --json: one JSON document" is_json chart
  check "--timing --json: a line for each phase" grep -qE '^  load +[0-9.]+ m?s +[0-9]+%' stderr
}

# Prints the names of the spans of a profile, each once.
spans_of() { grep -o '"name": "[^"]*"' "$1" | sort -u; }

profile() { "$ballotcast" render "${small[@]}" "$@" -o t.png >chart 2>stderr; }

case_a_profile_has_what_was_done_when() {
  local spans
  check "--profile: succeeds" profile --profile p.json
  check "--profile: one JSON document" is_json p.json
  check "--profile: complete events" grep -q '"ph": "X"' p.json
  spans=$(spans_of p.json)
  for name in "start of the program" "start the device" "build the tree" draw shade encode write main; do
    check "--profile has '$name'" grep -qF "\"$name\"" <<<"$spans"
  done
  check "--profile: the chart, too" grep -qE '^  load +[0-9.]+ m?s +[0-9]+%' chart
  check "--profile replaces a profile" profile --profile p.json
  "$ballotcast" render "$root/scenes/cornell-box.obj" --size 8x8 -o t.png --profile mesh.json >chart
  spans=$(spans_of mesh.json)
  for name in read parse; do
    check "--profile names the file of '$name'" grep -qF "$name $root/scenes/cornell-box.obj" <<<"$spans"
  done
  echo '{"mesh": "a.obj"}' >scene.json
  check "--profile keeps a file that is no profile" fails 2 "exists and is no profile" \
    render "${small[@]}" -o t.png --profile scene.json
  check "that file is as it was" grep -qF '{"mesh": "a.obj"}' scene.json
  check "--profile and -o differ" fails 2 "is another file of this command" \
    render "${small[@]}" -o t.png --profile t.png
}

same_hashes() {
  "$ballotcast" render --size 16x8 --spp 3 --json -o k.png "$@" >other 2>stderr || return 1
  [[ -n $(value_of json pixels_hash) && -n $(value_of json hits_hash) ]] &&
    [[ $(value_of json pixels_hash) == "$(value_of other pixels_hash)" ]] &&
    [[ $(value_of json hits_hash) == "$(value_of other hits_hash)" ]] && cmp -s j.png k.png
}

case_every_way_to_cast_gives_the_same_hashes() {
  json_report
  check "one thread gives the same hashes" same_hashes --device cpu --threads 1
  check "device emulated gives the same hashes" same_hashes --device emulated
  check "pipeline passes gives the same hashes" same_hashes --device cpu --pipeline passes
  check "another block size gives the same hashes" same_hashes --device cpu --block-size 96
}

case_the_white_of_a_picture_is_reported() {
  check "--white-balance is in --json" \
    succeeds '"white_balance": "2700"' render "${small[@]}" --white-balance 2700 --json -o white.png
  check "and so is the white that it means" grep -q '"white": \[' stdout
}

case_info_tells_of_the_program_and_of_scenes() {
  check "info --json: one JSON document" info_json
  check "info SCENE --json: one JSON document" info_json "$root/scenes/cornell-box.obj"
  check "info SCENE --json counts" grep -q '"triangles": 32' json
  check "info lists strategies" succeeds "warp-ballot" info
  check "info SCENE counts" succeeds "triangles           32" info "$root/scenes/cornell-box.obj"
  check "info lists the usual rounds" run 0 "(rounds: 5)" info
  check "info --json has them" succeeds '"rounds": 6' info --json
  check "info fits in 80 columns" fits info
  check "info SCENE fits in 80 columns" fits info "$root/scenes/cornell-box.obj"
}

case_info_counts_single_sided_materials_and_nobody_is_warned() {
  cat >one-side.gltf <<'EOF'
{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "materials": [{}, {"doubleSided": true}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0},
                            {"attributes": {"POSITION": 0}, "material": 1}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36,
 "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}
EOF
  check "info" succeeds "materials           2, 1 of them single-sided" info one-side.gltf
  check "fits in 80 columns" fits info one-side.gltf
  check "--strict minds nothing" succeeds '"single_sided_materials": 1' info one-side.gltf --json --strict
  check "a picture from behind has no warning" silent_stderr render one-side.gltf "${small[@]}" --strict \
    --eye 0.3,0.3,-2 --look-at 0.3,0.3,0 -o behind.png
  check "a packed scene knows it" packed_knows_its_single_side
}

packed_knows_its_single_side() {
  "$ballotcast" pack one-side.gltf -o one-side.bcast >/dev/null &&
    "$ballotcast" info one-side.bcast --json | grep -q '"single_sided_materials": 1'
}

# Expects a table of the strategies' machine code; or, without GPU code or a disassembler, a line
# that says what is missing.
atomics_in_machine_code() {
  "$ballotcast" info --atomics >stdout 2>stderr || return 1
  if [[ $("$ballotcast" --version) != *"CUDA: yes"* ]]; then
    grep -qF "there is no GPU code in this" stdout
  elif ! PATH=$PATH:${CUDA_HOME:-}/bin:/usr/local/cuda/bin command -v cuobjdump >/dev/null; then
    grep -qF "cuobjdump, which was not" stdout
  else
    grep -qE '^  naive +report +sm_90 +1 .* lane$' stdout &&
      grep -qE '^  compiler +report +sm_90 +1 .* warp$' stdout &&
      grep -qE '^  block-vote +report +sm_90 +1 .* block$' stdout
  fi
}

case_info_shows_strategies_in_machine_code() {
  check "info --atomics shows what each strategy is in machine code" atomics_in_machine_code
  check "info --atomics --json: one JSON document" info_json --atomics
  check "info --atomics --json has it" grep -q '"machine_code":' json
  check "info --atomics fits in 80 columns" fits info --atomics
}

verify_small() {
  run 0 "one answer" verify "$root/scenes/suite.json" --only cornell-strategies --device cpu,emulated --size 9x5
}

case_verify_finds_one_answer() {
  check "verify: a line an axis, one answer" verify_small
  check "verify --replay casts one ray" run 0 "one answer" verify "$root/scenes/suite.json" \
    --only cornell-strategies --device emulated --pipeline queue --atomics naive --block-size 64 --replay 20,12
  check "verify --replay: half a pixel: exit 2" fails 2 "a pixel like 3,4" verify "$root/scenes/suite.json" \
    --only cornell-strategies --device cpu --replay 1.5,2
  check "verify: options of one ray alone: exit 2" fails 2 "need --replay" verify --block-size 64
  check "verify --replay needs one case" fails 2 "one case" verify "$root/scenes/suite.json" --device cpu --replay 1,1
}

explain_svg() {
  run 0 "hit" explain "$root/scenes/cornell-box.obj" --pixel 3,4 --size 9x9 --device cpu --svg way.svg &&
    grep -q "<polygon" way.svg && grep -q "</svg>" way.svg
}

case_explain_tells_why_a_ray_hits() {
  check "explain tells a pixel's walk, and emulated finds the same" run 0 "finds the same" explain \
    "$root/scenes/cornell-box.obj" --pixel 160,90 --size 320x180 --device emulated
  check "explain --ray, any hit, in layout bvh2" run 0 "any hit" explain "$root/scenes/cornell-box.obj" \
    --ray 0,1,3,0,0,-1,0.5,10 --any --layout bvh2 --device cpu
  check "explain --sides" run 0 "missed: it is the front" explain --pixel 480,270 --size 960x540 --sides back \
    --device cpu
  check "explain --json" run 0 '"verdict"' explain "$root/scenes/cornell-box.obj" --ray 0,1,3,0,0,-1 --json --device cpu
  check "explain --svg draws" explain_svg
}

queues_of() { run 0 "pass 0: " explain "$root/scenes/cornell-box.obj" --queue --size 24x16 --device emulated "$@"; }

queues_are_equal() {
  queues_of --order lanes && mv stdout one.txt && queues_of --order lanes --block-size 64 && cmp one.txt stdout
}

case_explain_shows_queues() {
  check "queues in the order of lanes are equal" queues_are_equal
  check "explain --queue of a pixel" run 0 "this one at place" explain --queue --size 24x16 --pixel 12,8 --device emulated
  check "explain --queue --json" run 0 '"order": "lanes"' explain --queue --size 8x8 --device emulated --order lanes --json
  check "the CPU has no queues: exit 2" fails 2 "casts without queues" explain --queue --size 8x8 --device cpu
  check "queues of one ray: exit 2" fails 2 "can't be combined with --ray" explain --queue --ray 0,1,3,0,0,-1
}

case_explain_refuses_rays_that_are_none() {
  check "explain without a ray: exit 2" fails 2 "needs --pixel or --ray" explain
  check "explain of a pixel outside: exit 2" fails 2 "has 9x9 pixels" explain --pixel 9,0 --size 9x9
  check "explain of a ray without a direction: exit 2" fails 2 "can't hit anything" explain --ray 1,2,3,0,0,0
  check "explain of a ray that ends before it begins: exit 2" fails 2 "t_min < t_max" explain --ray 1,2,3,0,0,1,5,2
  check "explain of half a ray: exit 2" fails 2 "6 to 8 numbers" explain --ray 1,2,3
  check "explain of half a pixel: exit 2" fails 2 "a column and a row" explain --pixel 3
}
