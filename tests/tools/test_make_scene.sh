#!/usr/bin/env bash
# Tests make_scene: it reproduces the committed scenes byte for byte, and its errors are one line.
# Usage: test_make_scene.sh MAKE_SCENE_BINARY REPOSITORY_ROOT
set -u

if [ $# -ne 2 ]; then
  echo "usage: $0 MAKE_SCENE_BINARY REPOSITORY_ROOT" >&2
  exit 2
fi
make_scene=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

check() {  # check DESCRIPTION COMMAND...
  local description=$1
  shift
  if "$@" >/dev/null 2>&1; then
    echo "ok    $description"
  else
    echo "FAIL  $description"
    failures=$((failures + 1))
  fi
}

# Expects that the command in the first line of a scene file produces that file.
regenerates() {
  local name=$1 command
  read -r command <"$root/scenes/$name.obj"
  command=${command#"# Regenerate with: make_scene "}
  mkdir -p "$work/again"
  # shellcheck disable=SC2086  # the words of the command are wanted
  (cd "$work/again" && "$make_scene" $command) || return 1
  cmp "$work/again/$name.obj" "$root/scenes/$name.obj" &&
    cmp "$work/again/$name.mtl" "$root/scenes/$name.mtl"
}

two_runs_agree() {
  mkdir -p "$work/a" "$work/b"
  "$make_scene" "$1" -o "$work/a/s.obj" --triangles 3000 --seed 7 &&
    "$make_scene" "$1" -o "$work/b/s.obj" --triangles 3000 --seed 7 &&
    cmp "$work/a/s.obj" "$work/b/s.obj" && cmp "$work/a/s.mtl" "$work/b/s.mtl"
}

# Expects exit code $1, nothing on stdout, and one line on stderr that contains $2. Further
# arguments: the command.
fails_with() {
  local status=$1 words=$2 got
  shift 2
  "$make_scene" "$@" >"$work/stdout" 2>"$work/stderr"
  got=$?
  [ "$got" -eq "$status" ] && [ ! -s "$work/stdout" ] &&
    [ "$(wc -l <"$work/stderr")" -eq 1 ] && grep -qF -- "$words" "$work/stderr"
}

no_file_is_left() { [ -z "$(ls -A "$1")" ]; }

for kind in atrium blob terrain slivers; do
  check "$kind: scenes/$kind.obj and .mtl come out again" regenerates "$kind"
  check "$kind: two runs give the same bytes" two_runs_agree "$kind"
  check "$kind: --help names it" sh -c "'$make_scene' --help | grep -qw $kind"
done

mkdir -p "$work/empty"
check "unknown kind: exit 2, names it" fails_with 2 "'cathedral'" cathedral -o "$work/empty/x.obj"
check "unknown kind: lists those that exist" \
  fails_with 2 "atrium, blob, terrain, slivers" cathedral -o "$work/empty/x.obj"
check "no output named: exit 2" fails_with 2 "-o" blob
check "unknown option: exit 2" fails_with 2 "--size" blob -o "$work/empty/x.obj" --size 3
check "bad count: exit 2" fails_with 2 "--triangles" blob -o "$work/empty/x.obj" --triangles many
check "unwritable output: exit 3, names it" \
  fails_with 3 "$work/missing/x.obj" blob -o "$work/missing/x.obj"
check "a failed run leaves no file" no_file_is_left "$work/empty"
mkdir -p "$work/taken/x.obj"  # a folder in the place of the file
check "output is a folder: exit 3, names it" fails_with 3 "$work/taken/x.obj" \
  blob -o "$work/taken/x.obj"
mkfifo "$work/taken/pipe"
check "output is no file: exit 3, names it" fails_with 3 "$work/taken/pipe" blob -o "$work/taken/pipe"
check "and stays what it is" test -p "$work/taken/pipe"
keeps_a_link() {
  touch "$work/taken/target.obj" && ln -s target.obj "$work/taken/link.obj" &&
    "$make_scene" blob --triangles 200 -o "$work/taken/link.obj" >"$work/out" 2>&1 &&
    test -L "$work/taken/link.obj" -a -s "$work/taken/target.obj"
}
check "a link stays one" keeps_a_link
check "a failed run leaves no materials" test ! -e "$work/taken/x.mtl"

if [ "$failures" -ne 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
echo "all checks passed"
