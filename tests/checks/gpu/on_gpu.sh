#!/usr/bin/env bash
# Runs a check on the GPU. Skipped where there is no usable GPU. A check that fails on a usable GPU
# is never skipped.
# Usage: on_gpu.sh BALLOTCAST CHECK [ARGUMENTS]     exit code: that of CHECK; 77: skipped
set -euo pipefail

cuda=$("$1" info --json | sed -n '/"name": "cuda"/,/}/p')
if ! grep -q '"usable": true' <<<"$cuda"; then
  echo "no usable GPU: $(sed -n 's/^ *"reason": "\(.*\)",\{0,1\}$/\1/p' <<<"$cuda")"
  exit 77
fi
shift
exec "$@"
