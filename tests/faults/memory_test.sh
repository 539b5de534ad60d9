#!/usr/bin/env bash
# Tests the option --max-memory: what fits is drawn with the same bits; otherwise the message says
# how much memory is enough.
# Usage: memory_test.sh BALLOTCAST_BINARY REPOSITORY_ROOT
set -u
ballotcast=$(realpath "$1")
root=$(realpath "$2")
source "$(dirname "$(realpath "$0")")/checks.sh"

draw() {  # draw MEMORY OPTION...: writes nothing to stdout except a report
  local memory=$1
  shift
  "$ballotcast" render --size 36x28 --spp 3 --max-memory "$memory" -o picture.png --json "$@"
}

"$ballotcast" render --size 36x28 --spp 3 --json -o whole.png --device cpu >whole.json

# Expects that the amount of memory that the error message names is enough, and that a little less
# is not.
least_does() {  # least_does OPTION...
  fails 4 "not enough memory: the memory allowed is 1.0 KiB" draw 1K "$@" || return 1
  local least
  least=$(sed -n 's/^the smallest sufficient budget is \([0-9]*\)K;.*/\1/p' stderr)
  [[ -n $least ]] && grep -q '^  tree nodes  *[0-9.]* KiB$' stderr && grep -q '^  film  *' stderr &&
    grep -q '^  paths under way  *' stderr && grep -q '^  in all  *' stderr || return 1
  fails 4 "not enough memory" draw "$((least - 1))K" "$@" || return 1
  draw "${least}K" "$@" >stdout 2>stderr && cmp -s picture.png whole.png &&
    [[ $(value_of stdout hits_hash) == "$(value_of whole.json hits_hash)" ]] &&
    (($(value_of stdout device_bytes) <= least * 1024)) &&
    (($(value_of stdout paths_at_once) < $(value_of whole.json paths_at_once)))
}

check "cpu: the least that is told does, and draws the same" least_does --device cpu
check "emulated, with queues, too" least_does --device emulated --pipeline queue
plenty() { draw 64G --device cpu >stdout 2>stderr && cmp -s picture.png whole.png; }
check "plenty changes nothing" plenty
check "not even how many paths are under way" test "$(value_of stdout paths_at_once)" -eq \
  "$(value_of whole.json paths_at_once)"
check "what --json tells adds up" test "$(value_of whole.json device_bytes)" -eq \
  "$(($(sed -n '/"parts_bytes"/,/}/s/.*": \([0-9]*\),\{0,1\}$/\1/p' whole.json | paste -sd+)))"
check "info tells what a picture takes" grep -q 'picture [0-9.]* [MG]iB, at least [0-9.]* [MG]iB' \
  <("$ballotcast" info "$root/scenes/cornell-box.obj")
for size in 0 -1 12Q M 99999999999T; do
  check "a size of $size is wrong usage" fails 2 "--max-memory needs" draw "$size"
done
finish
