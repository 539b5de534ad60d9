#!/usr/bin/env bash
# Installs the library to a temporary folder and builds a program with it.
#   consumer_test.sh CMAKE BUILD_DIR SOURCE_DIR
set -euo pipefail
cmake=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/prefix" > "$work/install.log"
"$cmake" -S "$source/tests/install/consumer" -B "$work/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release > "$work/configure.log" ||
  { cat "$work/configure.log"; exit 1; }
"$cmake" --build "$work/build" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/build/consumer"
"$work/prefix/bin/ballotcast" --version
# The documentation is installed, and complete in itself.
test -s "$work/prefix/share/man/man1/ballotcast.1"
bash "$source/tests/docs/links_test.sh" "$work/prefix/bin/ballotcast" "$work/prefix/share/doc/ballotcast"
