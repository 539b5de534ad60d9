#!/usr/bin/env bash
# Installs the library, moves the installed tree, and builds programs with it there: with static and
# shared libraries, in C++17 and C++20, by CMake and by pkg-config.
#   consumer_test.sh CMAKE BUILD_DIR SOURCE_DIR
set -euo pipefail
cmake=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED  $*"; exit 1; }
# Removes the libraries, because tools/render, too, builds only the program; the installation must
# build them.
rm -f "$build/libballotcast.a" "$build/ballotcast-mpi.so"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log"
grep -q "Building what is not there yet" "$work/install.log" || fail "the library is not built to install it"
mv "$work/first" "$work/prefix"
prefix=$work/prefix

# Only the library's headers are installed. The files for CMake and pkg-config contain no build
# paths and no warning flags.
(cd "$prefix/include" && find . -type f | sort) >"$work/headers"
grep -qvE '^\./ballotcast/[a-z0-9_]+\.hpp$' "$work/headers" && fail "these stand on the include path: $(<"$work/headers")"
files=$(find "$prefix/lib" -name '*.cmake' -o -name '*.pc')
# shellcheck disable=SC2086  # names contain no spaces
! grep -nE -- "$work|$source|$build|/usr/lib/|-W(all|extra|error)|-march" $files || fail "the package is not relocatable"

# Each header must compile on its own in both standards, except headers that need CUDA.
while read -r header; do
  [[ $header == */lanes_core* || $header == */device_check* ]] && continue
  echo "#include <${header#./}>" >>"$work/all.cpp"
  tail -1 "$work/all.cpp" | g++ -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only \
    -x c++ - || fail "$header in C++17"
done <"$work/headers"
g++ -std=c++20 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only "$work/all.cpp" || fail "the headers in C++20"

# needs PROGRAM: lists the libraries that a program is linked with directly.
needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' '; }
for kind in static shared; do
  for standard in 17 20; do
    to=$work/$kind$standard
    "$cmake" -S "$source/tests/install/consumer" -B "$to" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_BUILD_TYPE=Release -DKIND=$kind -DSTANDARD=$standard >"$to.log" 2>&1 &&
      "$cmake" --build "$to" >>"$to.log" 2>&1 || { cat "$to.log"; exit 1; }
    "$to/consumer"
    echo "  $kind, C++$standard, needs: $(needs "$to/consumer")"
  done
done
[[ $(needs "$work/shared17/consumer") == "libballotcast.so.0.1 libc.so.6 libgcc_s.so.1 libstdc++.so.6 " ]] ||
  fail "a program with the shared library needs more than that"
! needs "$work/static17/consumer" | grep -qE 'embree|ballotcast' || fail "needs what it does not use"
# The shared library exports no names except its public interface.
hidden=$(nm -DC --defined-only "$prefix"/lib/*/libballotcast.so "$prefix"/lib/libballotcast.so 2>/dev/null |
  grep -E ' [TVWBD] ' | grep 'ballotcast::detail' | grep -vE 'ballotcast::(detail::(SceneData|PicturePair|RendererState)|DeviceCaster::answer\()' || true)
[[ -z $hidden ]] || fail "these names are visible: $hidden"

pc=$(dirname "$(find "$prefix" -name ballotcast.pc)")
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046  # several arguments
  g++ -std=c++17 "$source/tests/install/consumer/main.cpp" -o "$work/by_pc" \
    $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs ballotcast) -Wl,-rpath,"$(dirname "$pc")"
  "$work/by_pc"
  toolkit=()
  nvcc=$(command -v nvcc || true)
  for folder in /usr/local/cuda/lib64 /usr/local/cuda/lib ${nvcc:+"${nvcc%/bin/nvcc}/lib64"}; do
    if [[ -f $folder/libcudart_static.a ]]; then toolkit=(-L"$folder"); fi
  done
  # shellcheck disable=SC2046  # several arguments
  g++ -std=c++17 "$source/tests/install/consumer/main.cpp" -o "$work/by_static_pc" \
    $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs ballotcast-static) "${toolkit[@]}"
  "$work/by_static_pc"
  ! needs "$work/by_static_pc" | grep -q ballotcast || fail "ballotcast-static links the shared library"
fi
"$prefix/bin/ballotcast" --version
# The documentation is installed, and its links lead only to installed files.
test -s "$prefix/share/man/man1/ballotcast.1"
bash "$source/tests/docs/links_test.sh" "$prefix/bin/ballotcast" "$prefix/share/doc/ballotcast"
