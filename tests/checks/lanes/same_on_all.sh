#!/usr/bin/env bash
# Checks that all programs, which were compiled for different processors, print the same hash.
# Usage: same_on_all.sh PROGRAM...
set -uo pipefail
first=
for program; do
  hash=$("$program")
  code=$?
  if [[ $code == 77 ]]; then
    echo "left out: ${program##*/}: this processor can't run it"
    continue
  fi
  if [[ $code != 0 || -z $hash ]]; then
    echo "FAIL: ${program##*/} ended with code $code"
    exit 1
  fi
  echo "${program##*/}: $hash"
  if [[ -n $first && $hash != "$first" ]]; then
    echo "FAIL: not the same"
    exit 1
  fi
  first=$hash
done
