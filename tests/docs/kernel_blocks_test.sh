#!/usr/bin/env bash
# Tests that the CUDA code in docs/kernels.md compiles. All code blocks of the page are one file: in
# each block, kernels and structs come first, and the other lines form a function.
#   kernel_blocks_test.sh REPOSITORY_ROOT GENERATED_HEADERS [NVCC]
set -u
if (($# < 3)); then
  echo "skipped: there is no nvcc"
  exit 77
fi
root=$(realpath "$1")
generated=$(realpath "$2")
nvcc=$3
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

# The variables that blocks use and do not define.
cat >context.hpp <<'END'
#include <ballotcast/ballotcast.hpp>
#include <ballotcast/device.hpp>
#include <ballotcast/slots.hpp>
using namespace ballotcast;
struct Array {  // of any type
  template <class T>
  __host__ __device__ operator T*() const { return nullptr; }
};
struct RayOf {
  __device__ Ray operator()(unsigned) const { return {}; }
};
struct Take {
  __device__ void operator()(unsigned, Hit) const {}
};
#define CONTEXT                                                                                   \
  device::SceneView scene, const Ray *rays, Ray ray, Ray to_the_sun, Hit *hits, Hit hit,          \
    unsigned count, unsigned blocks, unsigned start, const unsigned *starts, unsigned *next,      \
    unsigned kWalls, const bool *is_glass, RayOf ray_of, Take take, slots::Later later,           \
    Array values, Array sums, Array materials, Array noted, Array queue, Array queued,            \
    Array queues, Array begins, Array scratch
END

# Prints the program made of the ```cuda blocks of page $1. Compiler errors name the page and line.
program_of() {
  echo '#include "context.hpp"'
  awk -v page="${1#"$root"/}" '
    function located() { return sprintf("#line %d \"%s\"\n%s\n", FNR, page, $0) }
    /^```/ && on {
      where = host ? "" : "__device__ "
      printf "namespace at_line_%d {\n%s%svoid shown(CONTEXT) { {\n%s} }\n}\n", on, kept, where, rest
      on = 0
      next
    }
    $0 == "```cuda" { on = FNR; kept = rest = ""; defines = host = 0; next }
    !on || /^#include/ { next }
    /^__global__|^struct/ { defines = 1 }
    defines { kept = kept located() }
    !defines { rest = rest located() }
    /<<<|Renderer|emulate/ { host = 1 }
    /^}/ { defines = 0 }' "$1"
}
compiles() {  # compiles PAGE: as far as PTX, without optimization, which is enough to find errors
  program_of "$1" >shown.cu
  "$nvcc" -std=c++17 -arch=compute_90 -ptx -Xcicc -O0 -I"$root/include" -I"$generated" \
    shown.cu -o shown.ptx >stdout 2>stderr
}
check "there is CUDA on the page" grep -q '^```cuda' "$root/docs/kernels.md"
check "the kernels of docs/kernels.md compile" compiles "$root/docs/kernels.md"
printf '```cuda\n__global__ void k(Hit* hits) {\n  hits->nothing = 1;\n}\n```\n' >page.md
broken() { ! compiles "$work/page.md" && grep -q "page.md(3).*nothing" stderr; }
check "what doesn't compile is noticed, with its line" broken
finish
