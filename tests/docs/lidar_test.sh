#!/usr/bin/env bash
# Runs the lidar example, and compares its picture with the picture in the documentation.
#   lidar_test.sh LIDAR_BINARY BALLOTCAST_BINARY REPOSITORY_ROOT
set -u
lidar=$(realpath "$1")
ballotcast=$(realpath "$2")
root=$(realpath "$3")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

check "the example runs" "$lidar"
# sin and tan of another C library may round differently, and move a point to the next pixel.
like_documented() {
  "$ballotcast" compare "$root/docs/drawings/lidar.png" lidar.png --fail-percent 0.1 >stdout 2>stderr
}
check "its picture is that of docs/library.md" like_documented
finish
