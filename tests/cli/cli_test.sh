#!/usr/bin/env bash
# Tests the program from outside: exit codes, messages, files that it leaves, help.
# Usage: cli_test.sh BALLOTCAST_BINARY REPOSITORY_ROOT
set -u

ballotcast=$(realpath "$1")
root=$(realpath "$2")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"
small=(--size 16x8 --spp 1 --device cpu)

# Expects exit code $1, nothing on stdout, and one line on stderr that begins with the program's
# name and contains $2. The arguments of the program follow.
fails() {
  local code=$1 words=$2 got
  shift 2
  "$ballotcast" "$@" >stdout 2>stderr
  got=$?
  [[ $got -eq $code && ! -s stdout && $(wc -l <stderr) -eq 1 ]] && grep -q '^ballotcast: ' stderr &&
    grep -qF -- "$words" stderr
}

# The same, with warnings before that line.
fails_with_warnings() {
  local code=$1 words=$2 got
  shift 2
  "$ballotcast" "$@" >stdout 2>stderr
  got=$?
  [[ $got -eq $code && ! -s stdout && $(wc -l <stderr) -gt 1 ]] &&
    ! sed '$d' stderr | grep -qv '^ballotcast: warning: ' && tail -n 1 stderr | grep -qF -- "$words"
}

# Expects exit code 0 and $1 on stdout.
succeeds() {
  local words=$1
  shift
  "$ballotcast" "$@" >stdout 2>stderr || return 1
  grep -qF -- "$words" stdout
}

fits() {  # no line of the output is wider than 80 columns
  "$ballotcast" "$@" >stdout 2>stderr || return 1
  [[ -s stdout ]] && ! grep -qE '^.{81}' stdout
}

nothing_left() { [[ -z $(ls -A "$1") ]]; }

is_json() {
  if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <"$1" 2>/dev/null
  else
    [[ $(head -c 1 "$1") == "{" && $(tail -n 1 "$1") == "}" ]]
  fi
}

value_of() { sed -n "s/^ *\"$2\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" "$1" | head -1; }

# ---- Invalid requests --------------------------------------------------------------------------
check "unknown subcommand: exit 2, guesses" fails 2 "did you mean render" rendr
check "a scene where the subcommand should be: exit 2, guesses" \
  fails 2 "did you mean ballotcast render room.obj" room.obj
check "unknown option: exit 2, guesses" fails 2 "'--sise'; did you mean --size?" render --sise 3x3
check "unknown option before the subcommand: exit 2" fails 2 "'--frobnicate'" --frobnicate
check "option of nothing near: exit 2, points to the help" \
  fails 2 "ballotcast render --help" render --frobnicate
notes() {  # succeeds, with $1 in a note on stderr
  local words=$1
  shift
  "$ballotcast" "$@" >stdout 2>stderr && grep -qF -- "note: $words" stderr
}
check "options that need light are told in other shadings" \
  notes "without effect on this picture: --bounces, --sun-strength" \
  render "${small[@]}" --shade normal --bounces 2 --sun-strength 3 -o noted.png
check "so are those that other options switch off" \
  notes "without effect on this picture: --fireflies, --fov" \
  render "${small[@]}" --ortho 3 --fov 30 --fireflies drop --smooth off -o noted.png
check "there is no such note if all have an effect" \
  bash -c '"$0" render "$@" 2>&1 >/dev/null | (! grep -q "without effect")' "$ballotcast" \
  "${small[@]}" --bounces 2 --fov 30 -o noted.png
rm -f noted.png
check "a second scene: exit 2, names it" fails 2 "'b.obj'" render a.obj b.obj
check "missing value: exit 2" fails 2 "--size needs a value" render --size
check "empty value: exit 2" fails 2 "--output needs a value" render --output=
check "an option as value: exit 2" fails 2 "--size needs a value" render --size --json
check "value for a flag: exit 2" fails 2 "--json takes no value" render --json=yes
check "unknown shading lists the rows" fails 2 "'x'; known: lit, normal" render --shade x
check "unknown strategy lists the rows" fails 2 "'x'; known: auto, none" render --atomics x
check "unknown pipeline lists the rows" fails 2 "'x'; known: auto, passes" render --pipeline x
check "unknown device lists the rows" fails 2 "'x'; known: auto, cuda" render --device x
check "unknown layout lists the rows" fails 2 "'x'; known: auto, bvh2" render --layout x
check "unknown builder lists the rows" fails 2 "'x'; known: fast" render --build x
for size in 0x0 0x5 1e9x1e9 12xabc 5 5x x5 -5x5 5x5x5 " 5x5" 99999999999999999999x2 32769x1 32768x32768; do
  check "--size '$size': exit 2, names option and value" \
    fails 2 "not '$size'" render --size "$size"
done
for eye in 1,2 1,2,3,4 a,b,c 1,,2 1,2,nan 1,2,inf 1e31,0,0 1e999,0,0 ","; do
  check "--eye '$eye': exit 2, names option and value" fails 2 "not '$eye'" render --eye "$eye"
done
for fov in 0 180 -3 nan inf 4x 1e999; do
  check "--fov '$fov': exit 2, names option and value" fails 2 "not '$fov'" render --fov "$fov"
done
check "--spp 0: exit 2" fails 2 "--spp" render --spp 0
check "--cache-size without --cache: exit 2" fails 2 "--cache-size is that of --cache" render --cache-size 1G
check "a folder is no scene: exit 3" fails 3 "/tmp: is a folder" render /tmp
notes() { local words=$1; shift; "$ballotcast" "$@" 2>&1 >stdout | grep -qF -- "$words"; }
check "--exposure 0: a note" notes "because the exposure is 0" render "${small[@]}" --exposure 0 -o black.png
rm -f black.png
check "--spp 4294967297: exit 2" fails 2 "--spp" render --spp 4294967297
check "--bounces -1: exit 2" fails 2 "--bounces" render --bounces -1
check "--threads 0: exit 2" fails 2 "--threads" render --threads 0
check "--exposure -1: exit 2" fails 2 "--exposure" render --exposure -1
check "--exposure too large: exit 2, the limit of scene files" \
  fails 2 "a number from 0 to 1000000, not '1000001'" render --exposure 1000001
for white in warm 900 40001 -3200 3200K; do
  check "--white-balance '$white': exit 2" fails 2 "1000 to 40000" render --white-balance "$white"
done
check "--light lantern: exit 2, lists the names" fails 2 "'lantern'; known: scene, camera" render --light lantern
check "--up 0,0,0: exit 2" fails 2 "--up" render --up 0,0,0
check "--sky-zenith below 0: exit 2" fails 2 "--sky-zenith" render --sky-zenith 0,0,-1
check "block size 33: exit 2" fails 2 "block size 33" render --block-size 33
check "eye where it looks: exit 2" \
  fails 2 "same point" render "${small[@]}" --eye 1,1,1 --look-at 1,1,1
check "a picture that isn't PNG: exit 2" fails 2 "out.jpg" render -o out.jpg
check "a picture over someone's notes: exit 2" fails 2 "call it .png" render -o notes.txt
check "a drawing in a page: exit 2" fails 2 "call it .svg" explain --pixel 1,1 --svg way.html
check "a page in a picture: exit 2" fails 2 "--html 'c.png': pages are written as HTML; call it .html" \
  bench rays --triangles 2K --html c.png
check "picture and hits in one file: exit 2" fails 2 "same file" render -o a.png --hits ./a.png
check "none of this left a file" test -z "$(find . -type f ! -name 'std*')"

# ---- Scenes that can't be drawn -----------------------------------------------------------------
mkdir in && cd in || exit 2
: >empty.obj
: >empty.json
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n' >points.obj
gzip -c "$root/scenes/cornell-box.obj" | head -c 200 >cut.obj.gz
printf 'not gzip' >text.obj.gz
printf '{"meshes": ["missing.obj"]}' >missing.json
printf '{"meshes": [' >broken.json
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >triangle.obj
printf '{"meshes": ["triangle.obj"], "shading": "shiny"}' >shading.json
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 99\nf 0 0 0\n' >indices.obj
mkdir folder.obj
for file in nothing.obj nothing.json empty.obj empty.json points.obj cut.obj.gz folder.obj \
  missing.json broken.json shading.json; do
  check "$file: exit 3, names it" fails 3 "$file" render "${small[@]}" "$file" -o "$work/x.png"
done
check "text as .obj.gz: exit 3, names it" \
  fails 3 "text.obj.gz" render "${small[@]}" text.obj.gz -o "$work/x.png"
check "a folder without a scene's name: exit 3" fails 3 "$work" render "${small[@]}" "$work"
check "info on a missing file: exit 3" fails 3 "nothing.obj" info nothing.obj
indices_out_of_range() {
  "$ballotcast" render "${small[@]}" indices.obj -o "$work/i.png" >stdout 2>stderr
  case $? in
    0) grep -q '^ballotcast: warning: .*indices.obj' stderr ;;
    3) grep -q 'indices.obj' stderr ;;
    *) return 1 ;;
  esac
}
check "indices out of range: a warning or exit 3, named" indices_out_of_range
check "the scene as output: exit 2" fails 2 "triangle.obj" render triangle.obj -o ./triangle.obj
rm -f stdout stderr "$work/i.png"
cd "$work" || exit 2
check "no picture of a scene that can't be drawn" test ! -e x.png

# ---- Places that can't be written ---------------------------------------------------------------
mkdir out
check "output in no directory: exit 3" fails 3 "out/no/x.png" render "${small[@]}" -o out/no/x.png
check "output is a directory: exit 3" fails 3 "is a directory" render "${small[@]}" -o out
check "hits in no directory: exit 3, before the picture is drawn" \
  fails 3 "out/no/h" render "${small[@]}" -o out/x.png --hits out/no/h
if ((EUID != 0)); then
  chmod a-w out
  check "read-only directory: exit 3" fails 3 "out/x.png" render "${small[@]}" -o out/x.png
  chmod u+w out
fi
if [[ -c /dev/full ]]; then
  check "a full device as output: exit 3" fails 3 "No space left" render "${small[@]}" -o /dev/full
  full_stdout() {
    "$ballotcast" "$@" >/dev/full 2>stderr
    [[ $? -eq 3 && $(wc -l <stderr) -eq 1 ]] && grep -q '^ballotcast: stdout' stderr
  }
  check "full stdout: exit 3 (render)" full_stdout render "${small[@]}" -o x.png
  check "full stdout: exit 3 (info)" full_stdout info
  check "full stdout: exit 3 (help)" full_stdout --help
fi
closed_stdout() {
  "$ballotcast" "$@" >&- 2>stderr
  [[ $? -eq 3 ]]
}
check "closed stdout: exit 3" closed_stdout info
reader_gone() {
  "$ballotcast" "$@" 2>stderr | true
  [[ ${PIPESTATUS[0]} -eq 3 || ${PIPESTATUS[0]} -eq 0 ]]  # 0: it was faster than `true`
}
check "reader of stdout gone: no signal" reader_gone info
check "failed writes leave no file" nothing_left out

# ---- What works ---------------------------------------------------------------------------------
cuda=$("$ballotcast" info 2>&1 | sed -n '/^  cuda /,/^  cpu /p')
if [[ $cuda == *"can't be used"* ]]; then
  check "--device cuda without a GPU: exit 4" fails 4 "cuda" render --device cuda
  # The scene is loaded while the device starts, but what is wrong with the device is said first.
  printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nhello\nf 1 2 3\n' >warned.obj
  says_only_device() {
    fails 4 "device cuda can't be used" render "$1" --device cuda && [[ $(wc -l <stderr) -eq 1 ]]
  }
  check "--device cuda without a GPU: said before a missing scene" says_only_device missing.obj
  check "--device cuda without a GPU: said before warnings" says_only_device warned.obj
  auto_without_gpu() {
    succeeds "on cpu" render --size 16x8 --spp 1 -o out/a.png &&
      grep -q '^ballotcast: note: ' stderr
  }
  check "--device auto without a GPU: cpu, and says so" auto_without_gpu
else
  check "--device cuda with a GPU draws" succeeds "on cuda" render --size 16x8 --device cuda
fi
rm -f out/*
check "a picture: one line" succeeds "wrote out/a.png (16x8, lit, 1 sample per pixel) in" \
  render "${small[@]}" -o out/a.png
check "it is a PNG" test "$(head -c 4 out/a.png | tail -c 3)" = PNG
check "nothing else was written" test "$(ls -A out)" = a.png
silent_stderr() { succeeds wrote "$@" && [[ ! -s stderr ]]; }
check "stderr stays empty where it is no terminal" silent_stderr render "${small[@]}" -o out/a.png
default_output() { succeeds "wrote ballotcast.png" render "${small[@]}" && [[ -f ballotcast.png ]]; }
check "without -o: ballotcast.png here" default_output
gzip -k in/triangle.obj
check "a scene file" succeeds "wrote out/t.png" render "${small[@]}" in/triangle.obj -o out/t.png
check "a compressed scene" succeeds wrote render "${small[@]}" in/triangle.obj.gz -o out/z.png
check "the same picture of both" cmp -s out/t.png out/z.png
printf 'solid a\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\nendsolid a\n' >in/triangle.stl
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' >in/triangle.ply
for format in stl ply; do
  check "a scene in $format" succeeds wrote render "${small[@]}" in/triangle.$format -o out/z.png
  check "the same picture of $format" cmp -s out/t.png out/z.png
  head -c 60 in/triangle.$format >in/cut.$format
  check "a cut $format: exit 3, names it" fails 3 "cut.$format" info in/cut.$format
  check "hits named like a $format: exit 2" \
    fails 2 "named like scene files" render "${small[@]}" --hits out/z.$format -o out/z.png
done
check "negative places are values, not options" \
  succeeds wrote render "${small[@]}" --eye -.5,1,-9 --look-at -1,0,0 -o out/n.png
check "an option twice: the last counts" \
  succeeds "(9x7," render "${small[@]}" --size 9x7 -o out/n.png
check "options win over the scene file" test "$(
  printf '{"meshes": ["triangle.obj"], "camera": {"eye": [0,0,3], "look_at": [0,0,0]}, "shading":
    "depth"}' >in/scene.json
  "$ballotcast" render "${small[@]}" in/scene.json --shade facing --fov 60 -o out/n.png --json |
    grep -cE '"shading": "facing"|"fov_degrees": 60'
)" -eq 2
picture_to_stdout() {
  "$ballotcast" render "${small[@]}" -o /dev/stdout >stdout 2>stderr && cmp -s stdout out/a.png
}
check "a picture to stdout, and nothing else" picture_to_stdout
to_stdout() {  # to_stdout NAME: the picture goes there, the line about it to stderr
  "$ballotcast" render "${small[@]}" -o "$1" >stdout 2>stderr && cmp -s stdout out/a.png &&
    grep -q '^ballotcast: wrote ' stderr
}
to_pipe() { "$ballotcast" render "${small[@]}" -o "$1" 2>stderr | cmp -s - out/a.png && grep -q wrote stderr; }
for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
  check "-o $name is stdout" to_stdout "$name"
  check "-o $name into a pipe" to_pipe "$name"
  check "-o $name and --json: exit 2" fails 2 "can't share stdout" render "${small[@]}" -o "$name" --json
done
check "-o - is no file" test ! -e ./-
says_standard_output() { "$ballotcast" render "${small[@]}" -o - 2>&1 >stdout | grep -q "wrote a picture to standard output"; }
check "-o - is called standard output" says_standard_output
by_its_own_name() {
  "$ballotcast" render "${small[@]}" -o own.png >own.png 2>stderr && cmp -s own.png out/a.png &&
    grep -q '^ballotcast: wrote ' stderr
}
check "stdout by its file's name" by_its_own_name
to_null() { "$ballotcast" render "${small[@]}" -o /dev/null --json >/dev/null 2>stderr; }
check "/dev/null takes a picture and a report" to_null
if command -v python3 >/dev/null; then
  # The exit code of the program with a terminal for stdout.
  on_terminal() {
    python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' \
      "$ballotcast" "$@" >stdout 2>stderr </dev/null
  }
  terminal_is_refused() {
    on_terminal render "${small[@]}" -o -
    [[ $? -eq 2 ]] && grep -q "is a terminal" stdout && ! grep -q PNG stdout
  }
  check "a picture to a terminal: exit 2" terminal_is_refused
fi
# Linear pictures.
rm -f out/l.*
for format in pfm hdr; do
  check "a linear picture: $format" \
    succeeds "wrote out/l.$format (16x8, lit, linear, 1 sample per pixel) in" \
    render "${small[@]}" -o "out/l.$format"
done
check "a PFM begins like one" test "$(head -c 2 out/l.pfm)" = PF
check "an HDR begins like one" test "$(head -c 2 out/l.hdr)" = "#?"
check "a linear picture on emulated" \
  succeeds wrote render "${small[@]}" --device emulated -o out/m.PFM
check "the same bytes" cmp -s out/l.pfm out/m.PFM
check "an exposure doesn't change it" succeeds wrote render "${small[@]}" --exposure 9 -o out/m.PFM
check "the same bytes again" cmp -s out/l.pfm out/m.PFM
if [[ $("$ballotcast" --version) == *"OpenEXR: yes"* ]]; then
  check "a linear picture: exr" succeeds "l.exr (16x8, lit, linear" render "${small[@]}" -o out/l.exr
  check "exr and pfm hold the same" succeeds "Every sample" compare out/l.exr out/l.pfm
else
  check "OpenEXR is not there: exit 2" fails 2 "libopenexr-dev" render "${small[@]}" -o out/l.exr
fi
linear_json() {
  "$ballotcast" render "${small[@]}" -o "out/l.$1" --json >json 2>stderr && is_json json &&
    [[ $(value_of json output_format) == "$1" ]]
}
check "--json says what was written: hdr" linear_json hdr
check "--json says what its numbers are" grep -q "linear radiance, before exposure" json
check "--json says what was written: png" linear_json png
check "linear and hits in one file: exit 2" fails 2 "same file" render -o a.pfm --hits ./a.pfm
check "a picture of an unknown kind: exit 2" fails 2 "PFM, HDR or EXR" render -o a.bmp

cp in/triangle.obj ./-odd.obj
check "-- is in the help" succeeds "ends the options" render --help
check "-- ends the options" succeeds wrote render "${small[@]}" -o n.png -- -odd.obj
check "behind -- an option is a file: exit 2" \
  fails 2 "unexpected argument '--json'" render "${small[@]}" -- -odd.obj --json
check "-- is no value: exit 2" fails 2 "-o needs a value" render -o -- -odd.obj
check "an option before it, unknown: exit 2" fails 2 "unknown option '--frob'" render --frob -- -odd.obj
odd_name=$'o\x1b[31m\nd\xc2\x9bd'
cp in/triangle.obj "$odd_name.obj" && cp out/a.png "$odd_name.png"
escapes() {  # escapes LINES ARGUMENTS...: the name is on so many lines, escaped
  "$ballotcast" "${@:2}" >stdout 2>stderr || return 1
  [[ $(cat stdout stderr | grep -cF 'o\x1b[31m\x0ad\xc2\x9bd') -eq $1 ]] &&
    ! cat stdout stderr | LC_ALL=C grep -q $'\x1b\\|\xc2\x9b'
}
check "control characters of a name: render" escapes 1 render "${small[@]}" -o "$odd_name.png"
check "control characters of a name: render to stderr" \
  escapes 1 render "$odd_name.obj" "${small[@]}" -o "$odd_name.png" --eye 0,0,5 --look-at 0,0,9
check "control characters of a name: info" escapes 1 info "$odd_name.obj"
check "control characters of a name: compare" escapes 3 compare "$odd_name.png" "$odd_name.png" \
  --diff "$odd_name.d.png"
rm -f ./-odd.obj

json_report() {
  "$ballotcast" render "${small[@]}" --spp 3 --json -o out/j.png --hits out/j.hits >json 2>stderr &&
    is_json json && [[ ! -s stderr ]]
}
check "--json: one JSON document" json_report
for key in version device pipeline atomics counter_counts block_size threads rays passes counter \
  rays_per_s timings_ms pixels_hash hits_hash output hits warnings; do
  check "--json has $key" grep -q "\"$key\":" json
done
for key in start load device build upload draw preview encode write total; do
  check "--json times $key" grep -q "\"$key\": [0-9]" json
done
timing() { "$ballotcast" render "${small[@]}" --timing "$@" -o out/t.png >out/chart 2>stderr; }
check "--timing: a chart on stdout" timing
check "--timing: a line for each phase" grep -qE '^  load +[0-9.]+ m?s +[0-9]+%' out/chart
check "--timing --json: the chart is on stderr" timing --json
check "--timing --json: one JSON document" is_json out/chart
check "--timing --json: a line for each phase" grep -qE '^  load +[0-9.]+ m?s +[0-9]+%' stderr
check "hits file: header and 16 bytes a hit" test "$(stat -c %s out/j.hits)" -eq $((32 + 16 * 16 * 8 * 3))
check "hits file: begins as documented" test "$(head -c 6 out/j.hits)" = BCHITS
same_hashes() {
  "$ballotcast" render --size 16x8 --spp 3 --json -o out/k.png "$@" >other 2>stderr || return 1
  [[ -n $(value_of json pixels_hash) && -n $(value_of json hits_hash) ]] &&
    [[ $(value_of json pixels_hash) == "$(value_of other pixels_hash)" ]] &&
    [[ $(value_of json hits_hash) == "$(value_of other hits_hash)" ]] && cmp -s out/j.png out/k.png
}
check "one thread gives the same hashes" same_hashes --device cpu --threads 1
check "device emulated gives the same hashes" same_hashes --device emulated
check "pipeline passes gives the same hashes" same_hashes --device cpu --pipeline passes
check "another block size gives the same hashes" same_hashes --device cpu --block-size 96

info_json() { "$ballotcast" info "$@" --json >json 2>stderr && is_json json; }
check "info --json: one JSON document" info_json
check "info SCENE --json: one JSON document" info_json "$root/scenes/cornell-box.obj"
check "info SCENE --json counts" grep -q '"triangles": 32' json
check "info lists strategies" succeeds "warp-ballot" info
check "info SCENE counts" succeeds "triangles           32" info "$root/scenes/cornell-box.obj"

# The strategies in machine code: a table if there is GPU code, else a line that says there is none.
atomics_in_machine_code() {
  "$ballotcast" info --atomics >stdout 2>stderr || return 1
  if [[ $("$ballotcast" --version) == *"CUDA: yes"* ]]; then
    grep -qE '^  naive +report +sm_90 +1 .* lane$' stdout &&
      grep -qE '^  compiler +report +sm_90 +1 .* warp$' stdout &&
      grep -qE '^  block-vote +report +sm_90 +1 .* block$' stdout
  else
    grep -qF "there is no GPU code in this" stdout
  fi
}
check "info --atomics shows what each strategy is in machine code" atomics_in_machine_code
check "info --atomics --json: one JSON document" info_json --atomics
check "info --atomics --json has it" grep -q '"machine_code":' json

# ---- Comparing pictures -------------------------------------------------------------------------
# 3x2 pixels: one colour; one sample larger by 1; one alpha smaller; 16 bits; one low byte off by
# one.
mkdir pictures && cd pictures || exit 2
png() { base64 -d >"$1.png" <<<"$2"; }
png rgb iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mPgEpGDIAY4CwANrAFpEFDRUwAAAABJRU5ErkJggg==
png off iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAE0lEQVR42mPgEpGDIAYQJQpiAQANsQFqxDKwZAAAAABJRU5ErkJggg==
png rgba iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEUlEQVR42mPgEpH7D8MMyBwAV1kHY0RsVFsAAAAASUVORK5CYII=
png alpha iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAE0lEQVR42mPgEpH7D8UnGJA4/wFUVwcs2uhPsQAAAABJRU5ErkJggg==
png deep iVBORw0KGgoAAAANSUhEUgAAAAMAAAACEAIAAABChi0OAAAAE0lEQVR42mPg4hIRkZNDJhkwhQAztgLRihUXlwAAAABJRU5ErkJggg==
png low iVBORw0KGgoAAAANSUhEUgAAAAMAAAACEAIAAABChi0OAAAAFElEQVR42mPg4hIRkZNDJhkwhOQBM7cC0pd6Gm0AAAAASUVORK5CYII=
# Expects exit code $1, $2 in the first line, and the last line $3. The files and options follow.
compares() {
  local code=$1 first=$2 last=$3
  shift 3
  "$ballotcast" compare "$@" >stdout 2>stderr
  [[ $? -eq $code && ! -s stderr && $(tail -n 1 stdout) == "$last" ]] &&
    head -n 1 stdout | grep -qF -- "$first" && ! grep -qE '^.{81}' stdout
}
check "compare: the same file" compares 0 "Every sample of 6 pixels is the same" same rgb.png rgb.png
check "compare: opaque alpha is no difference" compares 0 "Every sample" same rgb.png rgba.png
check "compare: 16 bits are no difference" compares 0 "Every sample" same deep.png rgba.png
check "compare: one sample off by one" compares 1 "1 of 6 pixels differ" different rgb.png off.png
check "compare: says which" grep -q "worst pixel  1,1, by 1 of 255: RGBA 10,20,30,255" stdout
check "compare: alpha alone" compares 1 "differ (16.6667 %), in alpha alone" different rgba.png alpha.png
check "compare: one low byte of 16 bits" compares 1 "1 of 6 pixels differ" different deep.png low.png
check "compare: the larger scale is said" grep -q "by 1 of 65535" stdout
within() { compares 0 "1 of 6 pixels differ" "within limits" rgb.png off.png "$@"; }
beyond() { compares 1 "1 of 6 pixels differ" different rgb.png off.png "$@"; }
check "compare: --max-error 1 keeps" within --max-error 1
check "compare: --max-error 0 breaks" beyond --max-error 0
check "compare: --fail-percent 17 keeps" within --fail-percent 17
check "compare: --fail-percent 16 breaks" beyond --fail-percent 16
check "compare: --fail keeps" within --fail rms=0.3 --fail psnr=50
check "compare: one limit of two breaks" beyond --fail rms=0.3 --fail psnr=70
check "compare: says which limit" grep -q "limit .*psnr .* BREAKS its limit, at least 70" stdout
check "compare: --allow leaves pixels out" \
  compares 0 "Every sample of 5 pixels" same rgb.png off.png --allow 1,1,1,1
check "compare: --allow elsewhere doesn't help" \
  compares 1 "1 of 5 pixels" different rgb.png off.png --allow 0,0,1,1
check "compare: NaN is no limit: exit 2" fails 2 "not 'nan'" compare rgb.png off.png --fail rms=nan
check "compare: a limit out of reach: exit 2" fails 2 "--fail flip" compare rgb.png off.png --fail flip=5
check "compare: a step out of reach: exit 2" fails 2 "--max-error" compare rgb.png off.png --max-error 256
check "compare: unknown metric lists the rows" \
  fails 2 "'x'; known: mean, rms" compare rgb.png off.png --fail x=1
check "compare: a metric without limit: exit 2" fails 2 "METRIC=X" compare rgb.png off.png --fail rms
for part in 1,2,3 0,0,4,1 3,0,1,1 0,0,0,1 -1,0,1,1 0,0,3,2; do
  check "compare: --allow $part: exit 2" fails 2 "--allow" compare rgb.png off.png --allow "$part"
done
check "compare: one file: exit 2" fails 2 "two files" compare rgb.png
check "compare: three files: exit 2, names it" fails 2 "'low.png'" compare rgb.png off.png low.png
check "compare: missing file: exit 3, names it" fails 3 "none.png" compare rgb.png none.png
head -c 60 rgb.png >cut.png
check "compare: half a file: exit 3, names it" fails 3 "cut.png" compare rgb.png cut.png
check "compare: no PNG: exit 3, names it" fails 3 "README.md: not a PNG file" compare rgb.png "$root/README.md"
check "compare: other sizes: exit 3, both said" fails 3 "a.png has 16x8" compare ../out/a.png rgb.png
check "compare: --diff onto an input: exit 2" fails 2 "destroy" compare rgb.png off.png --diff ./rgb.png
check "compare: --diff and --flip in one: exit 2" \
  fails 2 "same file" compare rgb.png off.png --diff d.png --flip ./d.png
check "compare: --diff as JPEG: exit 2" fails 2 "d.jpg" compare rgb.png off.png --diff d.jpg
check "compare: --diff in no directory: exit 3" fails 3 "no/d.png" compare rgb.png off.png --diff no/d.png
check "compare: none of this left a file" test "$(find . -name '*.png' | wc -l)" -eq 7
check "compare: writes both pictures" beyond --diff d.png --flip f.png
check "compare: says how much it amplified" grep -q "d.png, times 255" stdout
check "compare: they are PNG" test "$(head -c 4 d.png | tail -c 3)$(head -c 4 f.png | tail -c 3)" = PNGPNG
# A pixel as PFM: 1,2,3, then 1,2,4; and one that is cut off.
printf 'PF\n1 1\n-1\n\0\0\200?\0\0\0@\0\0@@' >three.pfm
printf 'PF\n1 1\n-1\n\0\0\200?\0\0\0@\0\0\200@' >four.pfm
head -c 20 four.pfm >cut.pfm
check "compare linear: the same file" compares 0 "Every sample of 1 pixels" same three.pfm three.pfm
check "compare linear: one number" compares 1 "1 of 1 pixels differ" different three.pfm four.pfm
check "compare linear: relative difference" grep -q "linear max .*0.25 " stdout
check "compare linear: says the exposure" grep -q "8-bit pictures with exposure 0.268875" stdout
check "compare linear: a limit keeps" compares 0 "1 of 1" "within limits" three.pfm four.pfm \
  --fail-linear block=0.25 --exposure 2
check "compare linear: --exposure counts" grep -q "8-bit pictures with exposure 2," stdout
check "compare linear: a limit breaks" compares 1 "1 of 1" different three.pfm four.pfm \
  --fail-linear block=0.25 --fail-linear max=0.2
check "compare linear: says which" grep -q "linear max 0.25 BREAKS its limit, at most 0.2" stdout
check "compare linear: alike where it is seen, but not the same" \
  compares 1 "1 of 1 pixels differ" different three.pfm four.pfm --exposure 0
check "compare linear: with a PNG: exit 3" fails 3 "only pictures of the same kind" compare three.pfm rgb.png
check "compare linear: cut off: exit 3, names it" fails 3 "cut.pfm: damaged PFM" compare three.pfm cut.pfm
check "compare linear: other sizes: exit 3" fails 3 "only pictures of the same size" \
  compare three.pfm ../out/l.pfm
check "compare linear: unknown number lists the rows" \
  fails 2 "'flip'; known: rms, relmse" compare three.pfm four.pfm --fail-linear flip=1
check "compare --block of PNGs: exit 2" fails 2 "--block is for linear" compare rgb.png off.png --block 3
linear_report() { "$ballotcast" compare three.pfm four.pfm --json >json 2>stderr; is_json json; }
check "compare linear: --json" linear_report
check "compare linear: --json has the block" grep -q '"block": 0.25' json
check "compare linear: pictures and a page" compares 1 "1 of 1" different three.pfm four.pfm \
  --diff ld.png --flip lf.png --html l.html
check "compare --html: a page" beyond --html p.html
check "compare --html holds both pictures" test "$(grep -o 'iVBORw0KGgo' p.html | wc -l)" -ge 4
check "compare --html in a picture: exit 2" fails 2 "call it .html" compare rgb.png off.png --html new.png
check "compare --html: .HTM will do" beyond --html p.HTM
check "compare --html -: exit 2" fails 2 "can't share stdout" compare rgb.png off.png --html -
differ_without_limits() {
  "$ballotcast" compare rgb.png off.png --html q.html >stdout 2>stderr
  [[ $? -eq 1 ]] && grep -qF 'pixels differ; no limit was set.' q.html && grep -qF '"outcome":"to review"' q.html &&
    [[ $(grep -oE '"name":"(max error|max|largest difference)"' q.html | wc -l) -eq 1 ]]
}
check "compare --html without limits speaks of no failure, and says the largest difference once" differ_without_limits
check "compare --html onto an input: exit 2" fails 2 "one of the pictures" compare rgb.png off.png --html ./off.png
check "compare: a difference of nothing" compares 0 "Every sample" same rgb.png rgb.png --diff black.png
check "compare: only the pixel is in the difference" \
  compares 1 "1 of 6 pixels differ" different black.png d.png
check "compare: where it is" grep -q "worst pixel  1,1, by 255 of 255" stdout
compare_json() { "$ballotcast" compare rgb.png off.png --json >json 2>stderr; [[ $? -eq 1 ]] && is_json json; }
check "compare --json: one JSON document, exit 1" compare_json
check "compare --json has the outcome" grep -q '"outcome": "different"' json
cd "$work" || exit 2

# ---- Suites -------------------------------------------------------------------------------------
mkdir suites && cd suites || exit 2
cp "$root/scenes/cornell-box.obj" "$root/scenes/cornell-box.mtl" "$root/scenes/cornell-box.json" .
cat >suite.json <<'END'
{"format": "ballotcast suite", "cases": [
  {"name": "room", "scene": "cornell-box.json", "shading": ["normal", "depth"], "size": [24, 16], "samples": 1,
   "on": {"device": ["cpu", "emulated"]}}]}
END
run() {  # run CODE WORDS ARGUMENTS...: exit code CODE, and stdout holds WORDS
  local code=$1 words=$2
  shift 2
  "$ballotcast" "$@" >stdout 2>stderr
  [[ $? -eq $code ]] && grep -qF -- "$words" stdout && ! grep -v '^approve: ' stdout | grep -qE '^.{81}'
}
check "regress: no suite: exit 2" fails 2 "needs a suite" regress
check "regress: not there: exit 3, names it" fails 3 "none.json" regress none.json
check "regress: a scene is no suite: exit 3" fails 3 "cornell-box.json" regress cornell-box.json
check "regress: new cases fail: exit 1" run 1 "4 new" regress suite.json
check "accept: no case: exit 2" fails 2 "names of the cases" accept suite.json --reason x
check "accept: no reason: exit 2" fails 2 "needs a reason" accept suite.json 'room/*'
check "accept: a blank reason: exit 2" fails 2 "needs a reason" accept suite.json 'room/*' --reason ' '
check "accept: dots as a reason: exit 2" fails 2 "it has no words" accept suite.json 'room/*' --reason '...'
check "accept: a reason that is no UTF-8: exit 2" fails 2 "not UTF-8" accept suite.json 'room/*' --reason $'a\xff'
check "accept: unknown case: exit 2, guesses" \
  fails 2 "did you mean room/depth?" accept suite.json room/deph --reason x
cp suite.json before.json
check "accept --dry-run writes nothing" run 0 "nothing was written" accept suite.json '*' --dry-run
check "accept --dry-run left the suite as it was" cmp suite.json before.json
check "accept --dry-run made no golden" test ! -e suite-goldens
check "accept: several cases" run 0 "accepted 2 of 2 cases" accept suite.json room/normal room/depth \
  --reason "walls and boxes are right" --html accept.html
check "accept --html in a picture: exit 2" \
  fails 2 "call it .html" accept suite.json room/depth --dry-run --html accept.png
check "accept: wrote the page" grep -q "<title>suite.json: approved</title>" accept.html
check "accept's page says what was approved" grep -qF '2 cases were approved: 2 new.' accept.html
check "accept: the reason is kept" grep -q "walls and boxes are right" suite-history.jsonl
check "history: of one case" run 0 "  $(date -u +%Y-%m-%d)  walls and boxes are right" history suite.json room/depth
check "history: what it changed" grep -qF 'new: the first picture, 24x16.' stdout
check "history: and no other case" test "$(grep -c : stdout)" = 2
check "history: of all cases" run 0 "room/normal:" history suite.json
check "history: unknown case: exit 2, guesses" fails 2 "did you mean room/depth?" history suite.json room/deph
check "history: no suite: exit 2" fails 2 "needs a suite" history
cp suite-history.jsonl before.jsonl && echo '{"case": 3}' >>suite-history.jsonl
check "a broken history: exit 3, file and line" fails 3 "suite-history.jsonl:3: not an acceptance" history suite.json
check "it stops regress" fails 3 "suite-history.jsonl:3:" regress suite.json
broken_stays() {
  fails 3 "suite-history.jsonl:3:" accept suite.json '*' --reason x && tail -n 1 suite-history.jsonl | grep -qxF '{"case": 3}'
}
check "accept leaves it as it is" broken_stays
cp before.jsonl suite-history.jsonl
check "regress --html onto the history: exit 2" fails 2 "call it .html" regress suite.json --html suite-history.jsonl
check "regress: passes" run 0 "6 of 6 negative controls were noticed" regress suite.json --junit j.xml --html r.html
check "regress: says passed last" test "$(tail -n 1 stdout)" = passed
check "regress: wrote XML and page" test -s j.xml -a -s r.html
regress_json() { "$ballotcast" regress suite.json --json >json 2>stderr && is_json json; }
check "regress --json: one document" regress_json
check "regress --only" run 0 "2 same" regress suite.json --only room/depth
check "regress --only nothing: exit 2, guesses" \
  fails 2 "did you mean room/depth?" regress suite.json --only room/dept
check "regress --html onto a scene: exit 2" fails 2 "named like scene files" regress suite.json --html suite.json
ln -s suite-goldens/room-depth.png golden.html
check "regress --html onto a golden: exit 2" \
  fails 2 "is an input" regress suite.json --html golden.html
check "regress --html onto a golden by its name: exit 2" \
  fails 2 "call it .html" regress suite.json --html suite-goldens/room-depth.png
check "regress --junit: must be called .xml: exit 2" fails 2 "call it .xml" regress suite.json --junit j.txt
# The printed command works when it is pasted into a shell, from a folder and a suite with odd names.
mkdir "my suites" && sed 's/"size": .24, 16./"size": [8, 6]/; s/cornell-box/..\/cornell-box/' before.json >"my suites/it's one.json"
pasted() {  # pasted CASE REASON: runs the command that regress printed for the case
  local command
  command=$(grep -F " $1 --reason=" stdout | sed 's/^approve: //')
  [[ $command == "$ballotcast accept 'my suites/it'\\''s one.json' $1 --reason='...'" ]] || return 1
  sh -c "${command%\'...\'}$2" >accepted 2>stderr && grep -qF "accepted 1 of 1 case" accepted
}
check "regress prints commands" run 1 "approve: " regress "my suites/it's one.json"
check "a command works" pasted room/depth "'it'\\''s right'"
check "its reason is kept" grep -qF "\"it's right\"" "my suites/it's one-history.jsonl"
check "regress prints the other one only" run 1 "approve: " regress "my suites/it's one.json"
check "which is one line" test "$(grep -c '^approve: ' stdout)" = 1
# A pattern that approves many cases requires a page.
cat >many.json <<'END'
{"format": "ballotcast suite", "cases": [
  {"name": "m", "scene": "cornell-box.json", "shading": "all", "size": [8, 6], "samples": 1}]}
END
cp many.json before.json
check "accept: a pattern that fits many: exit 2, what helps" fails 2 \
  "write a page of them (--dry-run --html FILE.html), look at it, then run again with --reviewed FILE.html" \
  accept many.json '*' --reason "all of it"
check "accept: that approved nothing" cmp many.json before.json
check "accept: with the page only written now: exit 2" fails 2 \
  "look at many.html, then run again with --reviewed many.html" accept many.json 'm/*' --reason all --html many.html
check "accept: that approved nothing either" cmp many.json before.json
check "accept: written and reviewed at once: exit 2" fails 2 "same file" \
  accept many.json '*' --reason all --html many.html --reviewed ./many.html
check "accept: reviewed of another page: exit 3" fails 3 "not a page of old and new pictures" \
  accept many.json '*' --reason all --reviewed r.html
check "accept: reviewed of no file: exit 3" fails 3 "none.html" \
  accept many.json '*' --reason all --reviewed none.html
check "accept: five of them need no page" run 0 "accepted 5 of 5 cases" accept many.json m/lit m/normal m/depth \
  m/facing m/albedo --reason "each named"
check "accept: reviewed, but other cases: exit 3" fails 3 "doesn't show m/" \
  accept before.json '*' --reason all --reviewed accept.html
check "accept: a page of the rest" run 0 "nothing was written" accept before.json '*' --dry-run --html rest.html
check "accept: reviewed" run 0 "accepted" accept before.json '*' --reason "looked at them all" --reviewed rest.html
check "accept: --help says so" succeeds "--reviewed FILE" accept --help
# Warnings of a scene with several cases.
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\nf 1 2 3\n' >halves.obj
cat >halves.json <<'END'
{"format": "ballotcast suite", "cases": [
  {"name": "h", "scene": "halves.obj", "shading": ["normal", "depth"], "size": [8, 6], "samples": 1}]}
END
warns_once() {
  run 0 "accepted 2 of 2" accept halves.json '*' --reason x && [[ $(grep -c 'warning: .*halves.obj' stderr) -eq 1 ]]
}
check "accept: a scene's warnings once" warns_once
sed -i 's/^v \(.*\)$/v \1 /; 0,/^v /s/^v /v 0/' cornell-box.obj
check "regress: a changed scene fails, and is named" run 1 "cornell-box.obj was changed" regress suite.json
check "regress: says FAILED last" test "$(tail -n 1 stdout)" = FAILED
verify_small() { run 0 "one answer" verify "$root/scenes/suite.json" --only cornell-strategies --device cpu,emulated --size 9x5; }
check "verify: a line an axis, one answer" verify_small
check "verify --replay casts one ray" run 0 "one answer" verify "$root/scenes/suite.json" \
  --only cornell-strategies --device emulated --pipeline queue --atomics naive --block-size 64 --replay 20,12
check "verify --replay: half a pixel: exit 2" fails 2 "a pixel like 3,4" verify "$root/scenes/suite.json" \
  --only cornell-strategies --device cpu --replay 1.5,2
check "explain tells a pixel's walk, and emulated finds the same" run 0 "finds the same" explain \
  "$root/scenes/cornell-box.obj" --pixel 160,90 --size 320x180 --device emulated
check "explain --ray, any hit, in layout bvh2" run 0 "any hit" explain "$root/scenes/cornell-box.obj" \
  --ray 0,1,3,0,0,-1,0.5,10 --any --layout bvh2 --device cpu
check "explain --json" run 0 '"verdict"' explain "$root/scenes/cornell-box.obj" --ray 0,1,3,0,0,-1 --json --device cpu
explain_svg() {
  run 0 "hit" explain "$root/scenes/cornell-box.obj" --pixel 3,4 --size 9x9 --device cpu --svg way.svg &&
    grep -q "<polygon" way.svg && grep -q "</svg>" way.svg
}
check "explain --svg draws" explain_svg
check "explain without a ray: exit 2" fails 2 "needs --pixel or --ray" explain
check "explain of a pixel outside: exit 2" fails 2 "has 9x9 pixels" explain --pixel 9,0 --size 9x9
check "explain of a ray without a direction: exit 2" fails 2 "can't hit anything" explain --ray 1,2,3,0,0,0
check "explain of a ray that ends before it begins: exit 2" fails 2 "t_min < t_max" explain --ray 1,2,3,0,0,1,5,2
check "explain of half a ray: exit 2" fails 2 "6 to 8 numbers" explain --ray 1,2,3
check "explain of half a pixel: exit 2" fails 2 "a column and a row" explain --pixel 3
check "verify: options of one ray alone: exit 2" fails 2 "need --replay" verify --block-size 64
check "verify --replay needs one case" fails 2 "one case" verify "$root/scenes/suite.json" --device cpu --replay 1,1
cd "$work" || exit 2

# ---- Help ---------------------------------------------------------------------------------------
check "no words: help, exit 0" succeeds "Usage: ballotcast SUBCOMMAND"
check "--help" succeeds "Usage: ballotcast SUBCOMMAND" --help
check "help" succeeds "Usage: ballotcast SUBCOMMAND" help
check "help COMMAND" succeeds "Usage: ballotcast render [SCENE] [OPTIONS]" help render
check "help of a command of two words" succeeds "Usage: ballotcast bench rays" help bench rays
check "help of no command: exit 2" fails 2 "unknown subcommand 'nosuch'" help nosuch
check "usage: files that are needed have no brackets" succeeds "Usage: ballotcast compare REFERENCE RESULT [OPTIONS]" compare --help
check "usage: others have" succeeds "Usage: ballotcast render [SCENE] [OPTIONS]" render --help
check "--version" succeeds "(CUDA: " --version
check "--help fits in 80 columns" fits --help
for subcommand in $("$ballotcast" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z_-]*\) .*/\1/p'); do
  check "$subcommand --help" succeeds "Usage: ballotcast $subcommand" "$subcommand" --help
  check "$subcommand --help fits in 80 columns" fits "$subcommand" --help
done
# The meshes of a scene file, and the same meshes as options, give the same picture.
cat >placed.json <<END
{"meshes": ["$root/scenes/blob.obj",
            {"file": "$root/scenes/terrain.obj", "translate": [0, 1.5, 0], "scale": 0.01, "rotate_y": 30}]}
END
"$ballotcast" render placed.json --size 40x24 --device cpu -o by_file.png >/dev/null 2>&1
"$ballotcast" render "$root/scenes/blob.obj" --mesh "$root/scenes/terrain.obj@0,1.5,0,0.01,30" \
  --size 40x24 --device cpu -o by_option.png >/dev/null 2>&1
check "--mesh places as a scene file does" cmp by_file.png by_option.png
check "--mesh beyond coordinates: exit 2" fails 2 "beyond 2^40" render --mesh "$root/scenes/blob.obj@1e13,0,0"
# Lamps turn off the sun, in whichever way they are added.
printf 'newmtl l\nKe 5 5 5\n' >lamp.mtl
printf 'mtllib lamp.mtl\nusemtl l\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' >lamp.obj
printf '{"meshes": ["lamp.obj"], "shading": "lit", "exposure": 2, "up": [0, 0, 1], "sky": {"strength": 1}}' >lamp.json
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 3 2\n' >wall.obj
printf '{"meshes": ["wall.obj", "lamp.obj"]}' >lit.json
"$ballotcast" render lit.json "${small[@]}" -o lit1.png >stdout 2>stderr
"$ballotcast" render wall.obj --mesh lamp.obj "${small[@]}" -o lit2.png >stdout 2>stderr
"$ballotcast" render --mesh wall.obj --mesh lamp.obj "${small[@]}" -o lit3.png >stdout 2>stderr
check "lamps of a --mesh light as those of a scene file" cmp lit1.png lit2.png
check "and without SCENE" cmp lit1.png lit3.png
says_what_is_dropped() {
  "$ballotcast" render wall.obj --mesh lamp.json "${small[@]}" -o lit4.png >stdout 2>stderr &&
    grep -q "warning: lamp.json: settings of an added mesh are ignored: up, sky, shading, exposure$" stderr
}
printf '{"meshes": ["wall.obj"], "shading": "lid"}' >lid.json
for command in "render -o lid.png" "explain --pixel 1,1" info "bench rays --device cpu"; do
  # shellcheck disable=SC2086  # words of the command
  check "$command of a file that wants an unknown shading: exit 3, names it" \
    fails 3 "lid.json: unknown shading 'lid'" $command lid.json
done
check "--mesh of a scene file says what it doesn't take" says_what_is_dropped
check "--mesh with half a place: exit 2" fails 2 "--mesh needs FILE" render --mesh a.obj@1,2

check "info fits in 80 columns" fits info
check "info --atomics fits in 80 columns" fits info --atomics
check "info SCENE fits in 80 columns" fits info "$root/scenes/cornell-box.obj"
for what in "bench" "bench atomics" "bench rays" "bench builds" "bench primitives" "bench report"; do
  # shellcheck disable=SC2086  # two words
  check "$what --help fits in 80 columns" fits $what --help
done
tiny=(--device emulated --experiment synthetic,placement,casting --rays 512)
check "bench atomics fits in 80 columns" fits bench atomics "${tiny[@]}"
check "bench atomics says that emulation has no times" grep -qF "times mean nothing here" stdout
check "bench atomics counts atomics" succeeds '"atomics":512' bench atomics --json \
  --device emulated --experiment synthetic --atomics naive --rays 512 --hit-probability 1
broken_row() {  # a wrong row is shown as such, and the run fails
  "$ballotcast" bench atomics --device emulated --experiment synthetic --include-broken \
    --atomics broken-leader --rays 512 >stdout 2>stderr
  [[ $? -eq 1 ]] && grep -q WRONG stdout && grep -q "expected" stdout
}
check "bench atomics: a broken strategy is WRONG: exit 1" broken_row
check "bench atomics: broken strategies must be asked for" \
  fails 2 "unknown strategy 'broken-clear'" bench atomics --device emulated --atomics broken-clear
check "bench atomics: block size 48" \
  fails 2 "block size 48" bench atomics --device emulated --block-size 48
check "bench atomics: unknown work" \
  fails 2 "unknown work 'fmax'" bench atomics --device emulated --work fmax
check "bench atomics: unknown loop" fails 2 "loop" bench atomics --device emulated --loop sometimes
small_rays=(bench rays "$root/scenes/blob.obj" --size 16x9)
check "bench rays: every rung of the ladder, no times in emulation" \
  run 0 "5 right" "${small_rays[@]}" --device emulated --workload primary --pipeline ladder
check "bench rays: rates on the CPU, in 80 columns" \
  run 0 "rays/s" "${small_rays[@]}" --device cpu --workload primary,random --build fast,best --layout bvh2,grid2
check "bench rays: terrains and JSON" \
  succeeds '"triangles":2048' bench rays --triangles 2K --size 16x9 --workload ao --device cpu --json
check "bench rays: a scene that is missing, before any is measured: exit 3" \
  fails 3 "none.obj" bench rays "$root/scenes/blob.obj" none.obj --device cpu
check "bench rays: too large a picture: exit 2" \
  fails 2 "size 16384x16384" bench rays "$root/scenes/blob.obj" --size 16384x16384 --workload primary16 --device cpu
check "bench rays: no scene: exit 2" fails 2 "give a scene" bench rays --device cpu
check "bench rays: unknown workload lists the rows" \
  fails 2 "'x'; known: primary" "${small_rays[@]}" --device cpu --workload x
check "bench rays: what doesn't go together" \
  fails 2 "warp can't use atomics naive" "${small_rays[@]}" --device cpu --pipeline warp/naive
check "bench rays: no rays file: exit 3, names it" \
  fails 3 "scene.json" "${small_rays[@]}" --device cpu --rays-file scene.json
old_name_is_noted() {
  "$ballotcast" "${small_rays[@]}" --device cpu --rays scene.json >stdout 2>stderr
  [[ $? -eq 3 && $(wc -l <stderr) -eq 2 ]] &&
    grep -q '^ballotcast: note: --rays FILE is now called --rays-file FILE' stderr
}
check "bench rays: the old name of --rays-file, with a note" old_name_is_noted
check "bench rays: both names of --rays-file: exit 2" \
  fails 2 "give one" "${small_rays[@]}" --device cpu --rays scene.json --rays-file scene.json
check "bench rays: what is listed twice is measured once, with a note" run 0 "1 right" bench rays \
  --triangles 2,2 --size 16x9 --workload primary --device cpu
check "and that is said" grep -q "triangles 2 is listed more than once" stdout
small_builds=(bench builds "$root/scenes/cornell-box.obj" --size 16x9)
check "info lists the usual rounds" run 0 "(rounds: 20)" info
check "info --json has them" succeeds '"rounds": 6' info --json
check "bench builds: all builders on the CPU" run 0 "5 right" "${small_builds[@]}" --device cpu
check "bench builds fits in 80 columns, and says what does not" \
  run 0 "Not all columns fit here" "${small_builds[@]}" --device cpu --build ploc,sbvh --layout bvh2,grid2
check "bench builds: no times in emulation" \
  run 0 "times mean nothing here" "${small_builds[@]}" --device emulated --build ploc-reinserted/2
check "bench builds: terrains and JSON" succeeds '"triangles":2048' \
  bench builds --triangles 2K --size 16x9 --build ploc --device cpu --json
check "with stages and hash" grep -q '"encode_ms":.*"tree_hash":"[0-9a-f]\{16\}"' stdout
check "bench builds: a page" run 0 "right" "${small_builds[@]}" --device cpu --build ploc --html builds.html
check "that is there" grep -q "Each builder" builds.html
check "bench builds: no scene: exit 2" fails 2 "give a scene" bench builds --device cpu
check "bench builds: rounds of a builder without any: exit 2" \
  fails 2 "ploc has no rounds" "${small_builds[@]}" --device cpu --build ploc/3
check "bench builds: unknown layout lists the rows" \
  fails 2 "'bvh9'; known: auto, bvh2" "${small_builds[@]}" --device cpu --layout bvh9
check "bench builds: unknown option" fails 2 "--workload" "${small_builds[@]}" --device cpu --workload ao
check "bench builds: too large a picture: exit 2" \
  fails 2 "size 16384x16384: ao" bench builds "$root/scenes/blob.obj" --size 16384x16384 --device cpu
check "bench builds: a scene that is missing: exit 3" fails 3 "none.obj" bench builds none.obj --device cpu
"$ballotcast" bench primitives --device emulated --json --html page.html >saved.json 2>stderr
check "bench primitives: JSON and a page" test -s page.html -a -s saved.json
check "bench report shows them again" succeeds "shuffles" bench report saved.json
check "bench report: not results: exit 3" fails 3 page.html bench report page.html
check "render: a strategy that reserves no slots" fails 2 "pipeline queue can't use atomics none" \
  render "${small[@]}" --pipeline queue --atomics none
cp wall.obj 'a,b.obj'
check "bench rays: a name with a comma" succeeds "a,b" bench rays 'a,b.obj' --device cpu --size 16x8 \
  --workload primary --json
endless_is_refused() { timeout 20 "$ballotcast" compare pile.png /dev/zero >stdout 2>stderr; [[ $? -eq 3 ]]; }
# Faces that no split separates. The scene has no camera, so rays are needed to choose one.
{ printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'; yes 'f 1 2 3' | head -600000; } >pile.obj
draws_in_time() { timeout 10 "$ballotcast" render pile.obj "${small[@]}" -o pile.png >stdout 2>stderr; }
check "a pile of 600,000 copies of a face is drawn within 10 s" draws_in_time
check "a picture without an end is refused" endless_is_refused
check "info counts copies" succeeds "600,000, 599,999 of them copies of others" info pile.obj
# Pictures of nothing.
away=(--eye 0,0,5 --look-at 0,0,9)
unseen() {  # unseen WORDS ARGUMENTS...: drawn all the same, and told with what helps
  local words=$1
  shift
  succeeds wrote render "${small[@]}" -o unseen.png "$@" && [[ $(wc -l <stderr) -eq 1 ]] &&
    grep -q '^ballotcast: warning: nothing of the scene is seen' stderr && grep -qF -- "$words" stderr
}
check "render where the camera looks away" unseen "turn the camera to it, or state no camera (--eye, --look-at)" wall.obj "${away[@]}"
check "--strict makes that an error" \
  fails_with_warnings 3 "wall: an empty picture" render wall.obj "${small[@]}" "${away[@]}" --strict -o none.png
check "and leaves nothing" test ! -e none.png
unseen_json() {
  "$ballotcast" render wall.obj "${small[@]}" "${away[@]}" -o unseen.png --json 2>stderr >json &&
    grep -q "nothing of the scene is seen" json
}
check "--json has it" unseen_json
printf 'newmtl l\nd 0.2\nnewmtl other\n' >glass.mtl
sed s/lamp.mtl/glass.mtl/ lamp.obj >glass.obj
check_hidden() {
  succeeds wrote render glass.obj "${small[@]}" -o unseen.png &&
    grep -qF 'glass.mtl: line 2: material "l" hides 1 triangle: its opacity, 0.20' stderr &&
    grep -qF "nothing of the scene is seen: no ray through the centre of a pixel hits it; give" stderr
}
check "what materials hide is told, and what helps" check_hidden
check "render of a small thing in a large picture sees it" silent_stderr render wall.obj \
  --size 640x400 --spp 1 --shade normal --eye 0.5,0.5,60 --look-at 3,0,0 --device cpu -o far.png
exposed() {  # exposed WORDS ARGUMENTS...
  local words=$1
  shift
  succeeds wrote render wall.obj "${small[@]}" -o unseen.png "$@" && [[ $(wc -l <stderr) -eq 1 ]] &&
    grep -q "^ballotcast: note: the picture is too $words for an automatic exposure" stderr &&
    grep -qF -- "--exposure" stderr
}
check "an exposure that would be too large is told" exposed dark --sun-strength 1e-9 --sky-strength 1e-9
check "an exposure that would be too small is told" exposed bright --sun-strength 1e6 --sky-strength 1e6
black() {  # black ARGUMENTS...
  succeeds wrote render wall.obj "${small[@]}" -o unseen.png "$@" && [[ $(wc -l <stderr) -eq 1 ]] &&
    grep -q '^ballotcast: note: the picture is black: no light reaches what the camera sees' stderr
}
check "a black picture is told" black --sun-strength 0 --sky-strength 0
check "with what helps" grep -qF -- "--light camera" stderr
check "and that helps" silent_stderr render wall.obj "${small[@]}" -o unseen.png --sun-strength 0 --sky-strength 0 \
  --light camera
check "--white-balance is in --json" \
  succeeds '"white_balance": "2700"' render "${small[@]}" --white-balance 2700 --json -o white.png
check "and so is the white that it means" grep -q '"white": \[' stdout
# A hall with a crack at its far end. The light that comes through shines on a little of it.
printf 'v 0 0 0\nv 9 0 0\nv 9 0 1\nv 0 0 1\nv 0 1 0\nv 9 1 0\nv 9 1 1\nv 0 1 1\n' >hall.obj
printf 'f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 4 3 7 8\nf 1 4 8 5\n' >>hall.obj
printf 'v 9 0 0\nv 9 0 1\nv 9 1 1\nv 9 0.9 0\nf 1 2 3 4\n' >door.obj
hall=(hall.obj --mesh door.obj --size 64x36 --spp 4 --device cpu --bounces 0 --eye 0.1,0.5,0.5
  --look-at 9,0.5,0.5 --fov 120 -o hall.png)
hall_is_told() {
  succeeds wrote render "${hall[@]}" && [[ $(wc -l <stderr) -eq 1 ]] && grep -qF -- "--light camera" stderr &&
    grep -q "^ballotcast: note: almost no light reaches what the camera sees; add a light at the camera" stderr
}
check "a room that almost no light reaches is told" hall_is_told
check "but not with a light at the camera" silent_stderr render "${hall[@]}" --light camera
cat >dark.json <<'J'
{"format": "ballotcast suite", "cases": [
  {"name": "away", "scene": "away.json", "shading": "lit", "size": [16, 8], "samples": 1,
   "on": {"device": "cpu"}},
  {"name": "night", "scene": "night.json", "shading": "lit", "size": [16, 8], "samples": 1,
   "on": {"device": "cpu"}}]}
J
echo '{"meshes": ["wall.obj"], "camera": {"eye": [0, 0, 5], "look_at": [0, 0, 9]}}' >away.json
echo '{"meshes": ["wall.obj"], "sun": {"strength": 0}, "sky": {"strength": 0}}' >night.json
suite_tells() {  # suite_tells COMMAND ARGUMENTS...
  "$ballotcast" "$@" >stdout 2>stderr
  grep -q '^ballotcast: warning: away: nothing of the scene is seen' stderr &&
    grep -q '^ballotcast: warning: night: the picture is black' stderr
}
check "accept tells of empty and of black pictures" suite_tells accept dark.json away night --reason new
check "and so does regress" suite_tells regress dark.json
check "a stated exposure is nobody's business" silent_stderr render wall.obj "${small[@]}" -o unseen.png \
  --sun-strength 1e-9 --sky-strength 1e-9 --exposure 10000
# --strict: exit code 3, the warnings, and a last line with the reason; nothing is written.
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\nf 1 2 3\n' >odd.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' >plain.obj
strict_refuses() {
  "$ballotcast" "$@" --strict >stdout 2>stderr
  [[ $? -eq 3 && ! -s stdout ]] && grep -q '^ballotcast: warning: odd.obj: .*(first: face 1, line 4)' stderr &&
    tail -n 1 stderr | grep -q 'odd.obj: 1 warning about the scene, which strict loading makes an error (--strict)'
}
frames=(render "$root/scenes/turning.json" "${small[@]}")
check "render --frames" succeeds "wrote f-08.png to f-10.png (3 frames, 16x8, lit, 1 sample per pixel)" \
  "${frames[@]}" --frames 8..10 -o f-%02d.png
check "writes all of them" test -s f-08.png -a -s f-09.png -a -s f-10.png
check "render --frames: one alone" succeeds "wrote alone-9.png (1 frame, " "${frames[@]}" --frames 9 -o alone-%d.png
check "has the same bytes" cmp f-09.png alone-9.png
visits=("${frames[@]}" --shade visits)
check "render --frames: visits" succeeds "3 frames" "${visits[@]}" --frames 8..10 -o v-%02d.png
check "alone" succeeds "1 frame" "${visits[@]}" --frames 10 -o w-%d.png
check "have the same bytes, too" cmp v-10.png w-10.png
check "another frame has not" bash -c '! cmp -s f-08.png f-09.png'
check "render --frames --json" succeeds '"pixels_hash":' "${frames[@]}" --frames 0..1 -o j%d.png --json
check "render --frames: no place for the number: exit 2" \
  fails 2 "needs one %d or %04d" "${frames[@]}" --frames 0..1 -o f.png
check "render --frames: to stdout: exit 2" \
  fails 2 "pictures can't go to stdout" "${frames[@]}" --frames 1..1 -o /dev/fd/%d
check "render --frames: no numbers: exit 2" fails 2 "needs A..B" "${frames[@]}" --frames 1..x -o f%d.png
check "render --frames: the wrong way round: exit 2" \
  fails 2 "the last frame comes before the first" "${frames[@]}" --frames 3..1 -o f%d.png
check "render --frames: no scene file: exit 2" \
  fails 2 "only .json scene files have" render "$root/scenes/blob.obj" "${small[@]}" --frames 0..1 -o f%d.png
# Films. In place of ffmpeg, a program that writes how many bytes it reads, and one that fails.
with_ffmpeg() {  # with_ffmpeg FOLDER COMMAND...
  local PATH=$PWD/$1:$PATH
  shift
  "$@"
}
mkdir counts fails hasty
printf '#!/bin/sh\necho "$@" >words\nfor last; do :; done\nwc -c >"${last#file:}"\n' >counts/ffmpeg
printf '#!/bin/sh\ncat >/dev/null\necho first >&2\necho "no such codec" >&2\nexit 3\n' >fails/ffmpeg
printf '#!/bin/sh\nexit 0\n' >hasty/ffmpeg
chmod +x counts/ffmpeg fails/ffmpeg hasty/ffmpeg
for film in f.mp4 F.GIF; do
  check "render --frames: $film" with_ffmpeg counts \
    succeeds "wrote $film (3 frames, 16x8, lit, 1 sample per pixel)" "${frames[@]}" --frames 8..10 -o $film
  check "it has the pixels of all frames" grep -q "^ *$((3 * 16 * 8 * 3))$" $film
done
check "ffmpeg is told what it gets" grep -q -- "-f rawvideo -pixel_format rgb24 -video_size 16x8 -framerate 24 -i pipe:0" words
check "render --frames: a film, --json" with_ffmpeg counts \
  succeeds '"output": "j.mp4"' "${frames[@]}" --frames 0..1 -o j.mp4 --json
check "render --frames: a film of odd size is padded, and says so" with_ffmpeg counts \
  succeeds "17x9, padded to 18x10" "${frames[@]}" --size 17x9 --frames 0..1 -o odd.mp4
check "render --frames: ffmpeg fails: exit 3" with_ffmpeg fails \
  fails 3 "command 'ffmpeg' failed with exit code 3: no such codec" "${frames[@]}" --frames 0..1 -o no.mp4
check "render --frames: ffmpeg makes nothing: exit 3" with_ffmpeg hasty \
  fails 3 "no.mp4" "${frames[@]}" --frames 0..1 -o no.mp4
check "and no film is left" test ! -e no.mp4
fails_without_ffmpeg() {
  local words=$1
  shift
  PATH=$PWD "$ballotcast" "$@" >stdout 2>stderr
  [[ $? -eq 2 && ! -s stdout ]] && grep -qF -- "$words" stderr
}
check "render --frames: no ffmpeg: exit 2" \
  fails_without_ffmpeg "made by the program ffmpeg, which was not found" "${frames[@]}" --frames 0..1 -o no.mp4
if command -v ffprobe >/dev/null; then  # the real one
  check "render --frames: a film by ffmpeg" succeeds "wrote real.mp4" "${frames[@]}" --frames 0..2 --fps 5 -o real.mp4
  probed() { [[ $(ffprobe -v error -count_frames -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 "$1") == "$2" ]]; }
  check "it has its size, rate and frames" probed real.mp4 16,8,5/1,3
fi
check "render --frames: --fps without a film: exit 2" \
  fails 2 "--fps needs a film" "${frames[@]}" --frames 0..1 --fps 10 -o f%d.png
check "render --frames: a GIF too fast: exit 2" with_ffmpeg counts \
  fails 2 "a GIF can have at most 50" "${frames[@]}" --frames 0..1 --fps 60 -o no.gif
check "render --frames: a film with a number: exit 2" with_ffmpeg counts \
  fails 2 "its name can't have a %" "${frames[@]}" --frames 0..1 -o no%d.mp4
check "render --frames: neither picture nor film: exit 2" \
  fails 2 "or as a film (MP4, GIF)" "${frames[@]}" --frames 0..1 -o no.webm
check "render: a film of one picture: exit 2" \
  fails 2 "a film needs --frames A..B" "${frames[@]}" -o no.mp4
check "render --strict" strict_refuses render odd.obj "${small[@]}" -o strict.png
check "render --strict with a --mesh" strict_refuses render --mesh odd.obj "${small[@]}" -o strict.png
check "render --strict leaves nothing" test ! -e strict.png
check "explain --strict" strict_refuses explain odd.obj --pixel 1,1 --device cpu
check "info --strict" strict_refuses info odd.obj
check "bench rays --strict" strict_refuses bench rays odd.obj --device cpu --size 16x8
check "bench atomics --strict" strict_refuses bench atomics odd.obj --device emulated \
  --experiment casting --rays 1K
check "render --strict draws what is whole" \
  succeeds strict.png render plain.obj "${small[@]}" -o strict.png --strict
check "render draws what is not whole, without --strict" \
  succeeds odd.png render odd.obj "${small[@]}" -o odd.png
check "bench builds --strict" strict_refuses bench builds odd.obj --device cpu --size 16x8
check "bench rays says warnings" \
  succeeds primary bench rays odd.obj --device cpu --size 16x8 --workload primary
check "and where" grep -q 'warning: odd.obj: .*line 4' stderr
check "no temporary file is left" test -z "$(find . -name '*.tmp')"

finish
