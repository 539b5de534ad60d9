# Tests pictures that show nothing, and warnings that --strict turns into errors.

away=(--eye 0,0,5 --look-at 0,0,9)

unseen() {  # unseen WORDS ARGUMENTS...: the picture is drawn, and a warning says what helps
  local words=$1
  shift
  succeeds wrote render "${small[@]}" -o unseen.png "$@" && [[ $(wc -l <stderr) -eq 1 ]] &&
    grep -q '^ballotcast: warning: nothing of the scene is seen' stderr && grep -qF -- "$words" stderr
}

unseen_json() {
  "$ballotcast" render wall.obj "${small[@]}" "${away[@]}" -o unseen.png --json 2>stderr >json &&
    grep -q "nothing of the scene is seen" json
}

case_a_picture_of_nothing_is_told() {
  wall_and_lamp
  check "render where the camera looks away" unseen "turn the camera to it, or state no camera (--eye, --look-at)" wall.obj "${away[@]}"
  check "--strict makes that an error" \
    fails_with_warnings 3 "wall: an empty picture" render wall.obj "${small[@]}" "${away[@]}" --strict -o none.png
  check "and leaves nothing" test ! -e none.png
  check "--json has it" unseen_json
}

check_hidden() {
  succeeds wrote render glass.obj "${small[@]}" -o unseen.png &&
    grep -qF 'glass.mtl: line 2: material "l" hides 1 triangle: its opacity, 0.20' stderr &&
    grep -qF "nothing of the scene is seen: no ray through the centre of a pixel hits it; give" stderr
}

case_what_materials_hide_is_told() {
  wall_and_lamp
  printf 'newmtl l\nd 0.2\nnewmtl other\n' >glass.mtl
  sed s/lamp.mtl/glass.mtl/ lamp.obj >glass.obj
  check "what materials hide is told, and what helps" check_hidden
}

case_a_small_thing_in_a_large_picture_is_seen() {
  wall_and_lamp
  check "render of a small thing in a large picture sees it" silent_stderr render wall.obj \
    --size 640x400 --spp 1 --shade normal --eye 0.5,0.5,60 --look-at 3,0,0 --device cpu -o far.png
}

exposed() {  # exposed WORDS ARGUMENTS...
  local words=$1
  shift
  succeeds wrote render wall.obj "${small[@]}" -o unseen.png "$@" && [[ $(wc -l <stderr) -eq 1 ]] &&
    grep -q "^ballotcast: note: the picture is too $words for an automatic exposure" stderr &&
    grep -qF -- "--exposure" stderr
}

case_an_exposure_out_of_reach_is_told() {
  wall_and_lamp
  check "an exposure that would be too large is told" exposed dark --sun-strength 1e-9 --sky-strength 1e-9
  check "an exposure that would be too small is told" exposed bright --sun-strength 1e6 --sky-strength 1e6
  check "a given exposure is nobody's business" silent_stderr render wall.obj "${small[@]}" -o unseen.png \
    --sun-strength 1e-9 --sky-strength 1e-9 --exposure 10000
}

black() {  # black ARGUMENTS...
  succeeds wrote render wall.obj "${small[@]}" -o unseen.png "$@" && [[ $(wc -l <stderr) -eq 1 ]] &&
    grep -q '^ballotcast: note: the picture is black: no light reaches what the camera sees' stderr
}

case_a_black_picture_is_told() {
  wall_and_lamp
  check "a black picture is told" black --sun-strength 0 --sky-strength 0
  check "with what helps" grep -qF -- "--light camera" stderr
  check "and that helps" silent_stderr render wall.obj "${small[@]}" -o unseen.png --sun-strength 0 --sky-strength 0 \
    --light camera
}

hall_is_told() {
  succeeds wrote render "${hall[@]}" && [[ $(wc -l <stderr) -eq 1 ]] && grep -qF -- "--light camera" stderr &&
    grep -q "^ballotcast: note: almost no light reaches what the camera sees; add a light at the camera" stderr
}

# Draws a hall with a crack at its far end. Light comes through the crack and shines on a small
# area.
case_a_room_without_light_is_told() {
  printf 'v 0 0 0\nv 9 0 0\nv 9 0 1\nv 0 0 1\nv 0 1 0\nv 9 1 0\nv 9 1 1\nv 0 1 1\n' >hall.obj
  printf 'f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 4 3 7 8\nf 1 4 8 5\n' >>hall.obj
  printf 'v 9 0 0\nv 9 0 1\nv 9 1 1\nv 9 0.9 0\nf 1 2 3 4\n' >door.obj
  hall=(hall.obj --mesh door.obj --size 64x36 --spp 4 --device cpu --bounces 0 --eye 0.1,0.5,0.5
    --look-at 9,0.5,0.5 --fov 120 -o hall.png)
  check "a room that almost no light reaches is told" hall_is_told
  check "but not with a light at the camera" silent_stderr render "${hall[@]}" --light camera
}

suite_tells() {  # suite_tells COMMAND ARGUMENTS...
  "$ballotcast" "$@" >stdout 2>stderr
  grep -q '^ballotcast: warning: away: nothing of the scene is seen' stderr &&
    grep -q '^ballotcast: warning: night: the picture is black' stderr
}

case_suites_tell_of_empty_and_black_pictures() {
  wall_and_lamp
  cat >dark.json <<'J'
{"format": "ballotcast suite", "cases": [
  {"name": "away", "scene": "away.json", "shading": "lit", "size": [16, 8], "samples": 1,
   "on": {"device": "cpu"}},
  {"name": "night", "scene": "night.json", "shading": "lit", "size": [16, 8], "samples": 1,
   "on": {"device": "cpu"}}]}
J
  echo '{"meshes": ["wall.obj"], "camera": {"eye": [0, 0, 5], "look_at": [0, 0, 9]}}' >away.json
  echo '{"meshes": ["wall.obj"], "sun": {"strength": 0}, "sky": {"strength": 0}}' >night.json
  check "accept tells of empty and of black pictures" suite_tells accept dark.json away night --reason new
  check "and so does regress" suite_tells regress dark.json
}

# Makes a scene with a face that can't be drawn.
odd_scene() { printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\nf 1 2 3\n' >odd.obj; }

# Expects exit code 3, the warnings, and the reason in the last line.
strict_refuses() {
  "$ballotcast" "$@" --strict >stdout 2>stderr
  [[ $? -eq 3 && ! -s stdout ]] && grep -q '^ballotcast: warning: odd.obj: .*(first: face 1, line 4)' stderr &&
    tail -n 1 stderr | grep -q 'odd.obj: 1 warning about the scene, which strict loading makes an error (--strict)'
}

case_strict_render_refuses_a_scene_with_warnings() {
  odd_scene
  printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' >plain.obj
  check "render --strict" strict_refuses render odd.obj "${small[@]}" -o strict.png
  check "render --strict with a --mesh" strict_refuses render --mesh odd.obj "${small[@]}" -o strict.png
  check "render --strict leaves nothing" test ! -e strict.png
  check "render --strict draws what is whole" \
    succeeds strict.png render plain.obj "${small[@]}" -o strict.png --strict
  check "render draws what is not whole, without --strict" \
    succeeds odd.png render odd.obj "${small[@]}" -o odd.png
}

case_strict_is_known_by_every_command() {
  odd_scene
  check "explain --strict" strict_refuses explain odd.obj --pixel 1,1 --device cpu
  check "info --strict" strict_refuses info odd.obj
  check "bench rays --strict" strict_refuses bench rays odd.obj --device cpu --size 16x8
  check "bench atomics --strict" strict_refuses bench atomics odd.obj --device emulated \
    --experiment casting --rays 1K
  check "bench builds --strict" strict_refuses bench builds odd.obj --device cpu --size 16x8
  check "bench rays says warnings" \
    succeeds primary bench rays odd.obj --device cpu --size 16x8 --workload primary
  check "and where" grep -q 'warning: odd.obj: .*line 4' stderr
}
