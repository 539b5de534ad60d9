#!/usr/bin/env bash
# Tests messages about unusable drivers, and that only device `auto` continues, with the CPU.
# Usage: driver_test.sh BALLOTCAST_BINARY FOLDER_OF_THE_FAKE_DRIVER
set -u
ballotcast=$(realpath "$1")
fake=$(realpath "$2")
if "$ballotcast" --version | grep -q 'CUDA: no'; then
  echo "skipped: this build has no CUDA code"
  exit 77
fi
source "$(dirname "$(realpath "$0")")/checks.sh"

cast() {  # cast DEVICE VARIABLE=VALUE...
  local device=$1
  shift
  env "$@" "$ballotcast" render --size 16x8 --spp 1 --device "$device" -o picture.png
}

# Expects the message $1 for the driver that the variables in $2, $3 ... describe: as an error with
# device cuda, as a note with auto.
told() {
  local words=$1
  shift
  fails 4 "device cuda can't be used: " cast cuda "$@" && grep -qF -- "$words" stderr || return 1
  rm -f picture.png
  cast auto "$@" >stdout 2>stderr && grep -q 'on cpu$' stdout && [[ -s picture.png ]] &&
    grep -q '^ballotcast: note: no usable GPU (' stderr && grep -qF -- "$words" stderr &&
    grep -qF 'drawing on the CPU' stderr
}

with=LD_LIBRARY_PATH=$fake
check "too old: both versions are told" \
  told "the NVIDIA driver is too old: it is for CUDA 11.4, this program was built with CUDA" \
  "$with" FAKE_DRIVER_VERSION=11040
check "library and kernel module differ" told "cudaErrorSystemDriverMismatch" "$with" \
  FAKE_DRIVER_INIT=803
check "what to do about it is told" told "restart the machine" "$with" FAKE_DRIVER_INIT=803
check "no GPU" told "the driver finds no GPU; nvidia-smi -L" "$with" FAKE_DRIVER_INIT=100
check "GPUs are hidden" told "CUDA_VISIBLE_DEVICES is '', which hides all" "$with" \
  FAKE_DRIVER_INIT=100 CUDA_VISIBLE_DEVICES=
check "fabric manager isn't running" told "nvidia-fabricmanager" "$with" FAKE_DRIVER_INIT=802
check "compatibility package for another GPU" told "remove it from LD_LIBRARY_PATH" "$with" \
  FAKE_DRIVER_INIT=804
check "the toolkit's stub" told "the CUDA Toolkit's stub" "$with" FAKE_DRIVER_INIT=34
check "a driver of no use at all" told "cudaErrorSymbolNotFound" "$with"
mkdir broken && echo "no library" >broken/libcuda.so.1
check "a library that can't be loaded" told "libcuda.so.1" LD_LIBRARY_PATH="$PWD/broken"
env "$with" FAKE_DRIVER_VERSION=11040 "$ballotcast" info >stdout 2>stderr
check "info says it, too" grep -q "driver is too old" <(tr -s '\n ' ' ' <stdout)
finish
