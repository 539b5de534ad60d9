#!/usr/bin/env bash
# Tests that tools/check_floors accepts the project, and refuses source trees that break its rules.
#   floors_test.sh SOURCE_DIR
set -euo pipefail
check=$1/tools/check_floors
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$check" "$1"
echo "ok  the project keeps its floors"

# offends FILE LINE MESSAGE: expects that a tree whose FILE contains LINE is refused with MESSAGE.
offends() {
  rm -rf "$work/tree" && mkdir -p "$work/tree"/{include/ballotcast,src/math,src/scene,src/bvh,kernels,python,tests,tools,examples,scenes}
  mkdir -p "$(dirname "$work/tree/$1")"
  echo "$2" >"$work/tree/$1"
  if "$check" "$work/tree" >"$work/said" 2>&1; then
    echo "FAILED  '$2' in $1 was let through"
    exit 1
  fi
  grep -qF "$3" "$work/said" || { echo "FAILED  '$2' in $1 was refused with:"; cat "$work/said"; exit 1; }
  echo "ok  $1: $3"
}
offends src/math/a.hpp '#include "scene/scene_data.hpp"' 'includes upward'
offends src/scene/a.hpp '#include "bvh/binary_tree.hpp"' 'includes sideways'
offends include/ballotcast/a.hpp '#include "math/ray_hit.hpp"' 'includes upward'
offends src/render/a.hpp '#include "compare/verdict.hpp"' 'includes upward'
offends src/bench/a.hpp '#include "compare/verdict.hpp"' 'includes sideways'
offends kernels/a.hpp '#include <glm/vec3.hpp>' 'GLM'
offends kernels/a.hpp '#include <cuda_runtime.h>' 'CUDA'
offends src/bvh/a.hpp '#include <oneapi/tbb/parallel_for.h>' 'oneTBB'
offends kernels/a.hpp '#ifdef __CUDA_ARCH__' '__CUDA_ARCH__'
offends tests/a.cpp '#include "render/renderer_state.hpp"' 'the members of a Renderer'
offends src/new/a.hpp '' 'no floor'
offends python/src/a.cpp '#include <glm/vec3.hpp>' 'GLM'
