#!/usr/bin/env bash
# Tests what tools/build, tools/render and tools/test build, and what they print. CMake, Ninja, nvcc
# and nvidia-smi are replaced by scripts that note how they were called.
#   build_test.sh SOURCE_DIR
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED  $*"; cat "$work/said" "$work/calls" 2>/dev/null; exit 1; }

root="$work/a root"
mkdir -p "$root/tools" "$work/bin"
cp "$source"/tools/{build,render,test} "$root/tools"
cp "$source/tools/dependencies.txt" "$root/tools"
cp "$source/CMakePresets.json" "$root"
stand_in() {  # stand_in PATH: makes a program from the script on standard input
  { echo '#!/usr/bin/env bash'; cat; } >"$1"
  chmod +x "$1"
}
stand_in "$root/tools/install_dependencies" <<<'echo "install $*" >>"$CALLS"'
stand_in "$work/bin/nvcc" <<<'exit 0'
stand_in "$work/bin/cmake" <<'END'
echo "cmake $*" >>"$CALLS"
preset= folder=build
for word in "$@"; do
  [[ $preset == next ]] && preset=$word
  [[ $word == --preset ]] && preset=next
  case $word in -DBALLOTCAST_* | -DCMAKE_*) echo "${word#-D}" | sed 's/=/:STRING=/' >>"$CALLS.cache" ;; esac
done
[[ $preset != release ]] && folder=build-$preset
mkdir -p "$folder" && : >"$folder/build.ninja" && mv "$CALLS.cache" "$folder/CMakeCache.txt"
END
stand_in "$work/bin/ninja" <<'END'
if [[ " $* " == *" -n "* ]]; then
  [[ -f $CALLS.built ]] && { echo "ninja: no work to do."; exit 0; }
else
  echo "ninja $*" >>"$CALLS"
fi
echo "ninja: Entering directory \`build'"
echo "[1/3] Building CXX object src/math/CMakeFiles/floor_math.dir/Unity/unity_0_cxx.cxx.o"
echo "a warning of a compiler"
echo "[2/3] Building CUDA object src/CMakeFiles/floor_x.dir/cuda/cast.cu.o"
[[ -f $CALLS.fails ]] && { echo "ninja: build stopped: subcommand failed."; exit 1; }
echo "[3/3] Linking CXX executable ballotcast"
mkdir -p "$CALLS.root/build" && printf '#!/bin/sh\necho "drew $*"\n' >"$CALLS.root/build/ballotcast"
chmod +x "$CALLS.root/build/ballotcast"
END
export CALLS=$work/calls PATH=$work/bin:$PATH
ln -s "$root" "$CALLS.root"

# run CODE COMMAND...: expects this exit code. The output is in $work/said, and the calls of the
# replaced programs are in $work/calls.
run() {
  local wanted=$1 code=0
  shift
  : >"$CALLS"
  "$@" >"$work/said" 2>&1 || code=$?
  ((code == wanted)) || fail "exit code $code, not $wanted: $*"
}
said() { grep -qF -- "$1" "$work/said" || fail "not said: $1"; }
called() { grep -qF -- "$1" "$CALLS" || fail "not called: $1"; }
fresh() { rm -rf "$root"/build* "$CALLS".built "$CALLS".fails; }

run 0 "$root/tools/test" --help
said "Usage: tools/test"
[[ ! -s $CALLS ]] || fail "tools/test --help builds something"
run 0 "$root/tools/build" --help
said "--cuda"
refuses() {  # refuses WORDS COMMAND...
  local words=$1
  shift
  run 2 "$@"
  said "$words"
  [[ ! -s $CALLS ]] || fail "a wrong option builds something"
}
refuses "--shine" "$root/tools/build" --shine
refuses "unknown preset" "$root/tools/build" nosuch
refuses "no GPU part" "$root/tools/build" asan --cuda

if compgen -G '/proc/driver/nvidia/gpus/*' >/dev/null; then
  echo "There is a GPU here, so what is done without one is not tested."
else
  stand_in "$work/bin/nvidia-smi" <<<'exit 9'
  fresh
  run 0 "$root/tools/render" a.obj --samples 4
  said "No GPU was found: the GPU part is left out. tools/render --cuda adds it."
  said "drew render a.obj --samples 4"
  called "install --program"
  called "-DBALLOTCAST_CUDA=OFF -DBALLOTCAST_CUDA_FOR=here -DBALLOTCAST_TESTS=OFF"
  called "ballotcast_program"
  # The output has plain lines that say what is done, and ninja's other lines.
  said "[1/3] compiling src/math/part 0"
  said "[2/3] compiling src/cuda/cast.cu"
  said "a warning of a compiler"
  # A later build adds the rest, and tools/render then leaves it as it is.
  run 0 "$root/tools/build"
  called "-DBALLOTCAST_CUDA=AUTO -DBALLOTCAST_CUDA_FOR=here -DBALLOTCAST_TESTS=ON"
  run 0 "$root/tools/render"
  ! grep -q "^cmake" "$CALLS" || fail "tools/render takes away what tools/build has added"
fi

fresh
run 0 "$root/tools/render" --cuda a.obj
said "drew render a.obj"
called "-DBALLOTCAST_CUDA=ON -DBALLOTCAST_CUDA_FOR=here -DBALLOTCAST_TESTS=OFF"

stand_in "$work/bin/nvidia-smi" <<<'exit 0'
fresh
run 0 "$root/tools/render"
called "-DBALLOTCAST_CUDA=AUTO"
run 0 "$root/tools/build" --for-all-gpus
called "-DBALLOTCAST_CUDA_FOR=all"
fresh
run 0 "$root/tools/render" --no-cuda
called "-DBALLOTCAST_CUDA=OFF"

touch "$CALLS.fails"
run 1 "$root/tools/build"
said "subcommand failed"
rm "$CALLS.fails"
touch "$CALLS.built"
run 0 "$root/tools/build"
[[ ! -s $work/said ]] || fail "prints something though all is built"

# Each step of CI has a budget.
sed -n 's/^ *step "\(.*\)"$/\1/p' "$source/.ci/run" | while read -r step; do
  grep -q "^[0-9.]* *$step\$" "$source/.ci/budget" || fail "no budget for the step '$step' of .ci/run"
done
echo "ok"
