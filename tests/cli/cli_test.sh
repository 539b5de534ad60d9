#!/usr/bin/env bash
# Runs the program and tests exit codes, messages, files that it leaves, and help texts.
# Usage: cli_test.sh BALLOTCAST_BINARY REPOSITORY_ROOT [CASE...]     without cases: all of them
#
# A case is a function case_NAME in a file of cases/. Each case is a separate test for CTest
# (Cli.NAME). It begins in an empty folder and creates the files that it needs.
set -u

ballotcast=$(realpath "$1")
root=$(realpath "$2")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
shift 2

# With several cases, runs each case in a process of its own.
if (($# != 1)); then
  all=()
  (($# > 0)) || mapfile -t all < <(sed -n 's/^case_\([a-z0-9_]*\)() {$/\1/p' "$here"/cases/*.sh)
  failed=()
  for name in "$@" "${all[@]}"; do
    echo "== $name"
    bash "$here/cli_test.sh" "$ballotcast" "$root" "$name"
    (($? == 0 || $? == 77)) || failed+=("$name")
  done
  ((${#failed[@]} == 0)) && exit 0
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi

source "$here/../support/checks.sh"
small=(--size 16x8 --spp 1 --device cpu)

# ---- What cases expect ---------------------------------------------------------------------------
# Expects exit code $1, nothing on stdout, and one line on stderr that begins with the program's
# name and contains $2. Further arguments: those of the program.
fails() {
  local code=$1 words=$2 got
  shift 2
  "$ballotcast" "$@" >stdout 2>stderr
  got=$?
  [[ $got -eq $code && ! -s stdout && $(wc -l <stderr) -eq 1 ]] && grep -q '^ballotcast: ' stderr &&
    grep -qF -- "$words" stderr
}

# Like `fails`, but warnings may precede the line.
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

# Expects that a command writes a picture, and nothing on stderr.
silent_stderr() { succeeds wrote "$@" && [[ ! -s stderr ]]; }

# Expects exit code 0, and $1 on stderr.
tells() {
  local words=$1
  shift
  "$ballotcast" "$@" >stdout 2>stderr && grep -qF -- "$words" stderr
}

# Expects exit code $1, $2 on stdout, and no line wider than 80 columns there, except commands to
# paste into a shell.
run() {
  local code=$1 words=$2
  shift 2
  "$ballotcast" "$@" >stdout 2>stderr
  [[ $? -eq $code ]] && grep -qF -- "$words" stdout && ! grep -vE '^(approve|needed): ' stdout | grep -qE '^.{81}'
}

# Expects exit code 0, and no line on stdout that is wider than 80 columns.
fits() {
  "$ballotcast" "$@" >stdout 2>stderr || return 1
  [[ -s stdout ]] && ! grep -qE '^.{81}' stdout
}

# Skips the case if a program is not installed.
needs() {
  command -v "$1" >/dev/null && return
  echo "left out: $1 is not there"
  exit 77
}

no_files() { [[ -z $(find . -type f ! -name 'std*') ]]; }
nothing_left() { [[ -z $(ls -A "$1") ]]; }

is_json() {
  if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <"$1" 2>/dev/null
  else
    [[ $(head -c 1 "$1") == "{" && $(tail -n 1 "$1") == "}" ]]
  fi
}

# Prints the value of a name in a JSON file, as text.
value_of() { sed -n "s/^ *\"$2\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" "$1" | head -1; }

info_json() { "$ballotcast" info "$@" --json >json 2>stderr && is_json json; }

# ---- Files that cases need -----------------------------------------------------------------------
triangle() { printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >triangle.obj; }

# Makes the files of a wall, and of a lamp, which has its own material.
wall_and_lamp() {
  printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 3 2\n' >wall.obj
  printf 'newmtl l\nKe 5 5 5\n' >lamp.mtl
  printf 'mtllib lamp.mtl\nusemtl l\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' >lamp.obj
}

# Draws the built-in scene with 16x8 pixels.
draw() { "$ballotcast" render "${small[@]}" -o "$1" >stdout 2>stderr; }

# ---- One case ------------------------------------------------------------------------------------
file=$(grep -lx "case_$1() {" "$here"/cases/*.sh)
if [[ ! -f $file ]]; then
  echo "no case is called $1, or several are"
  exit 1
fi
source "$file"
"case_$1"
check "no temporary file is left" test -z "$(find . -name '*.tmp')"
finish
