#!/usr/bin/env bash
# Tests GPUs that are busy, short of memory, or lost during the work. A fake CUDA runtime simulates
# them (fake_runtime.cpp).
# Usage: gpu_test.sh FOLDER_OF_THE_FAKE_DRIVER REPOSITORY_ROOT [PROGRAM_OVER_THE_FAKE_RUNTIME]
set -u
if (($# < 3)); then
  echo "skipped: this build has no CUDA code"
  exit 77
fi
root=$(realpath "$2")
program=$(realpath "$3")
LD_LIBRARY_PATH=$(realpath "$1")
export LD_LIBRARY_PATH
source "$(dirname "$(realpath "$0")")/checks.sh"
export FAKE_GPU_REPORT=$work/report

# The host builds the trees, because the simulated GPU runs no kernels.
draw() {  # draw VARIABLE=VALUE... [-- OPTION...]
  local told=()
  while (($# > 0)) && [[ $1 != -- ]]; do told+=("$1") && shift; done
  env "${told[@]}" "$program" render --size 64x48 --device cuda --build sbvh -o picture.png "${@:2}"
}

reported() { sed -n "s/^$1 //p" report; }
all_given_back() { [[ $(reported live) -eq 0 ]]; }

# Expects a failure with the message $1, that no file remains, and that all memory is freed.
lost() {
  local words=$1
  shift
  fails 4 "$words" "$@" && all_given_back
}

# Expects a picture, a report and JSON, and that all memory is freed.
drawn() { draw "$@" -- --json >stdout 2>stderr && [[ -s picture.png ]] && all_given_back; }

# ---- Memory -------------------------------------------------------------------------------------
check "enough: all paths at once" drawn FAKE_GPU_MEMORY=1000000000
whole=$(value_of stdout device_bytes)
check "the plan is what is taken, to the byte" test "$whole" -eq "$(reported peak)"
check "what is free is the budget" test "$(value_of stdout budget_bytes)" -eq 1000000000
check "too little for that: fewer paths" drawn FAKE_GPU_MEMORY=8000000
check "and no more is taken than there is" test "$(reported peak)" -le 8000000
few=$(value_of stdout paths_at_once)
check "those are fewer indeed" test "$few" -lt 4194304
allowed() { draw -- --max-memory 8000000 --json >stdout 2>stderr; }
check "--max-memory: as few, however much is free" allowed
check "exactly as few" test "$(value_of stdout paths_at_once)" -eq "$few"
check "and no more is taken than allowed" test "$(reported peak)" -le 8000000
check "the device says that more is free than there is: fewer paths at a second attempt" \
  drawn FAKE_GPU_MEMORY=8000000 FAKE_GPU_SAYS_FREE=4000000000
check "the plan says what was taken in the end" \
  test "$(value_of stdout device_bytes)" -le 8000000
check "too little for the smallest: a table of what it takes" \
  lost "the device has free 1.9 MiB, and the smallest batches take " draw FAKE_GPU_MEMORY=2000000
check "nothing was tried in vain" test "$(reported allocations)" -eq 0
check "the table has the smallest sufficient budget" grep -q '^the smallest sufficient budget is [0-9]*K' stderr
check "no room for the scene, which shows late: what was wanted, and a table" \
  lost "out of device memory: wanted " draw FAKE_GPU_MEMORY=1000000 FAKE_GPU_SAYS_FREE=4000000000
check "the table is the scene's" grep -q '^  tree triangles ' stderr
check "no room for the smallest batches, which shows late: a table" \
  lost "the smallest batches take:" draw FAKE_GPU_MEMORY=3200000 FAKE_GPU_SAYS_FREE=4000000000

# If any allocation fails, the program tries again with less memory or reports the failure. In both
# cases it frees all memory.
any_allocation_may_fail() {
  local all number drawn=0 told=0
  draw -- >stdout 2>stderr
  all=$(reported allocations)
  ((all > 30)) || return 1
  for ((number = 1; number <= all; ++number)); do
    rm -f picture.png
    draw FAKE_GPU_FAIL_ONCE=cudaMalloc:$number:2 >stdout 2>stderr
    case $? in
      0) [[ -s picture.png ]] && drawn=$((drawn + 1)) ;;
      4) [[ ! -e picture.png ]] && grep -q 'out of device memory: wanted' stderr &&
        told=$((told + 1)) ;;
    esac
    all_given_back || return 1
  done
  echo "      $all allocations: $drawn drawn all the same, $told told"
  ((drawn + told == all && drawn > 20 && told > 5))
}
check "any one allocation may fail" any_allocation_may_fail

# Frames after the first allocate no memory: they reuse the memory of the first frame.
allocations_of() {  # allocations_of FRAMES
  "$program" render "$root/scenes/turning.json" --size 64x48 --spp 2 --device cuda --build binned-sah \
    --frames "$1" -o 'frame-%d.png' >stdout 2>stderr && all_given_back && reported allocations
}
check "later frames take no memory" \
  test "$(allocations_of 0..1)" -gt 30 -a "$(allocations_of 0..1)" = "$(allocations_of 0..9)"

host_builds() {  # host_builds NUMBER_OF_THE_ALLOCATION_THAT_FAILS
  draw FAKE_GPU_FAIL_ONCE=cudaMalloc:$1:2 -- --build fast >stdout 2>stderr
  [[ -s picture.png ]] && all_given_back
}
check "no room for the mesh, to build its tree: the host builds" host_builds 1
check "no room for building, which shows late: the host builds" host_builds 6

# ---- A GPU that can't be had: auto goes on, with a note -----------------------------------------
can_not_be_had() {  # can_not_be_had WORDS FAULT
  lost "$1" draw "FAKE_GPU_FAIL=$2" || return 1
  FAKE_GPU_FAIL=$2 "$program" render --size 16x8 --spp 1 --build sbvh -o picture.png >stdout 2>stderr &&
    grep -q 'on cpu$' stdout && grep -qF "note: no usable GPU (" stderr && grep -qF "$1" stderr
}
check "another has it for itself" can_not_be_had "another program uses the GPU exclusively" \
  cudaFuncGetAttributes:1:46
check "no code for it" can_not_be_had "this program has no code for that GPU" \
  cudaFuncGetAttributes:1:209
check "its memory is full before anything is tried" can_not_be_had "its memory is full" \
  cudaFuncGetAttributes:1:2
check "hidden" can_not_be_had "the driver finds no GPU" cudaGetDeviceCount:1:100

# ---- A GPU that is lost during the run: all commands stop ---------------------------------------
lost_halfway() {  # lost_halfway WORDS FAULT
  lost "$1" draw "FAKE_GPU_FAIL=$2" && grep -q "device cpu gives the same" stderr || return 1
  (($(reported launches) > 0)) || return 1
  fails 4 "$1" env "FAKE_GPU_FAIL=$2" "$program" render --size 64x48 --device auto --build sbvh -o picture.png
}
check "a wild access" lost_halfway "cudaErrorIllegalAddress" cudaEventSynchronize:2:700
check "memory that ECC can't mend" lost_halfway "nvidia-smi -q -d ECC" cudaEventSynchronize:2:214
check "a launch that fails" lost_halfway "cast by warp" cudaLaunchKernel:5:719
check "a download that fails" lost_halfway "cudaErrorIllegalAddress" cudaMemcpyAsync:13:700

# ---- One of several machines is lost: the others do its work ------------------------------------
some=("$program" render "$root/scenes/turning.json" --size 64x48 --device cuda:0+cpu --build binned-sah)
lose=(env FAKE_GPU_FAIL=cudaEventSynchronize:2:700)
goes_on() {  # goes_on OPTION...: a warning, and everything is drawn
  rm -f picture.png
  "${lose[@]}" "${some[@]}" "$@" >stdout 2>stderr &&
    grep -q 'warning: cuda has failed, and the others do its work: .*cudaErrorIllegalAddress' stderr && all_given_back
}
check "a picture: a warning" goes_on -o picture.png
check "a picture is written" test -s picture.png
check "its report tells it" goes_on -o picture.png --json
check "in losses" grep -q '"losses": "cuda has failed' stdout
check "frames: a warning" goes_on -o 'frame-%d.png' --frames 0..1
# The pictures are so large that the CPU does not draw all of them before the GPU is lost.
check "frames with new trees: the host builds them" goes_on -o 'frame-%d.png' --frames 0..3 --size 256x192 \
  --shade visits --build fast
check "their report tells it" goes_on -o 'frame-%d.png' --frames 0..1 --json
check "in losses, too" grep -q '"losses": "cuda has failed' stdout
check "--strict-devices: an error" fails 4 cudaErrorIllegalAddress "${lose[@]}" "${some[@]}" --strict-devices -o picture.png
check "what is to be compared: an error" fails 4 cudaErrorIllegalAddress \
  "${lose[@]}" "$program" verify --device cuda:0+cpu --only 'scenes/cornell-box/*'

# ---- A scene on two GPUs: from the host to one of them, and from there to the other --------------
from_host() {  # from_host DEVICE VARIABLE=VALUE...: the bytes that a drawing copies from the host
  local device=$1
  shift
  env FAKE_GPU_COUNT=2 "$@" "$program" render "$root/scenes/turning.json" --size 64x48 --spp 1 \
    --device "$device" --build sbvh -o picture.png >stdout 2>stderr && all_given_back && reported from_host
}
one=$(from_host cuda:0)
linked=$(from_host cuda:0,1)
check "the host copies it once" test "$linked" -lt $((one + one / 10))
check "and one GPU the rest to the other" test "$(reported between)" -gt $((one * 8 / 10))
apart=$(from_host cuda:0,1 FAKE_GPU_FAIL_ONCE=cudaDeviceEnablePeerAccess:1:217)
check "GPUs that have no link: the host copies it twice" test "$apart" -gt $((one * 18 / 10))
behind=$(from_host cpu+cuda:0,1)
check "the CPU may come first" test "$behind" -lt $((one + one / 10))
for call in cudaDeviceCanAccessPeer:1 between:1 between:5; do
  failed=$(from_host cuda:0,1 FAKE_GPU_FAIL_ONCE=$call:46)
  check "$call fails: the host copies again, and no GPU is lost" test "$failed" -gt $((one * 18 / 10))
done
no_warning() { ! grep -q warning stderr; }
check "no warning" no_warning
# The program must not wait for ever for a GPU that can't be used.
ends() {
  local number
  for number in 1 2 3 4 5 6; do
    FAKE_GPU_COUNT=2 FAKE_GPU_FAIL_ONCE=cudaSetDevice:$number:46 timeout 60 "$program" render \
      --size 64x48 --device cuda:0,1 --build sbvh -o picture.png >stdout 2>stderr
    (($? == 0 || $? == 4)) || return 1
  done
}
check "a GPU that another has taken meanwhile: it ends" ends

# If any call fails, the program ends with the exit code for devices. It frees all memory.
any_call_may_fail() {
  local call number code
  for call in cudaStreamCreateWithFlags cudaHostAlloc cudaMemset cudaMemcpyAsync cudaLaunchKernel \
    cudaStreamSynchronize cudaEventCreate cudaEventRecord cudaEventElapsedTime cudaMemGetInfo; do
    for number in 1 2 3 8; do
      rm -f picture.png
      draw FAKE_GPU_FAIL=$call:$number:700 >stdout 2>stderr
      code=$?
      [[ $code -eq 4 && ! -e picture.png ]] || [[ $code -eq 0 && -s picture.png ]] || return 1
      all_given_back || return 1
    done
  done
}
check "any call may fail" any_call_may_fail
check "a benchmark on a GPU that is lost" fails 4 "cudaErrorIllegalAddress" env \
  FAKE_GPU_FAIL=cudaLaunchKernel:1:700 "$program" bench rays --triangles 1000 --size 32x32 \
  --workload primary --device cuda --build sbvh

# ---- A part of a GPU that can't hold thread block clusters: those rows are left out --------------
in_clusters() {  # in_clusters VARIABLE=VALUE...: their benchmark, as JSON
  env "$@" "$program" bench atomics --device cuda --experiment synthetic --atomics cluster,red-async \
    --rays 1K --work flag --json >stdout 2>stderr
}
no_room() {
  in_clusters "$@" && [[ $(grep -o 'has no room for a cluster of 8 blocks' stdout | wc -l) == 2 ]] && all_given_back
}
check "no room for clusters: their rows say so" no_room FAKE_GPU_CLUSTERS=0
check "also if the driver says that clusters are too large" \
  no_room FAKE_GPU_CLUSTERS=1 FAKE_GPU_FAIL=cudaOccupancyMaxActiveClusters:1:912
# The fake GPU runs no kernels, so the rows of kernels that are launched are wrong.
runs_them() {
  in_clusters FAKE_GPU_CLUSTERS=1
  [[ $? == 1 && $(grep -o '"verdict":"wrong"' stdout | wc -l) == 2 ]]
}
check "room for one: they run" runs_them
finish
