#!/usr/bin/env bash
# Runs the path tracer example, and compares its picture with the picture in the documentation.
#   path_tracer_test.sh PATH_TRACER_BINARY BALLOTCAST_BINARY REPOSITORY_ROOT
set -u
tracer=$(realpath "$1")
ballotcast=$(realpath "$2")
root=$(realpath "$3")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

check "the example draws" "$tracer" "$root/scenes/cornell-box.obj" drawn.png
# The example's own arithmetic rounds differently on a GPU, which changes some paths.
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
