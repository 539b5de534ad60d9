#!/usr/bin/env bash
# Runs the example of a path tracer and compares its picture with that of the documentation.
#   path_tracer_test.sh PATH_TRACER_BINARY BALLOTCAST_BINARY REPOSITORY_ROOT
set -u
tracer=$(realpath "$1")
ballotcast=$(realpath "$2")
root=$(realpath "$3")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

check "the example draws" "$tracer" "$root/scenes/cornell-box.obj" drawn.png
# Its own arithmetic rounds otherwise on a GPU, and then some paths go elsewhere.
like_documented() {
  "$ballotcast" compare "$root/docs/drawings/path-tracer.png" drawn.png --fail psnr=30 >stdout 2>stderr
}
check "its picture is that of docs/kernels.md" like_documented
says_why() {
  "$tracer" no-such-file.obj drawn.png 2>stderr
  [[ $? == 3 ]] && grep -q "no-such-file.obj: no such file" stderr
}
check "a missing file is an error" says_why
finish
