#!/usr/bin/env bash
# Tests the program with unusual files from other sources: each is drawn or refused, with and
# without --strict.
# Usage: odd_files_test.sh BALLOTCAST_BINARY FOLDER [SANITIZERS or OFF]
# Exit code 77: skipped, because there is no such folder. With sanitizers, programs start slowly. So
# only files with warnings are tried with --strict; for other files, --strict runs the same code.
set -u

ballotcast=$(realpath "$1")
if [[ ! -d $2 ]]; then
  echo "skipped: there is no folder $2"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shown=0 refused=0 strictly=0 failures=0
fail() {
  echo "FAIL  $1: $2"
  sed 's/^/      /' "$work/err" | head -5
  failures=$((failures + 1))
}
while IFS= read -r -d '' file; do
  timeout 10 "$ballotcast" info "$file" >"$work/out" 2>"$work/err"
  code=$?
  warnings=$(grep -c '^ballotcast: warning: ' "$work/err")
  case $code in
    0) shown=$((shown + 1)) ;;
    3) refused=$((refused + 1)) ;;
    *) fail "$file" "exit code $code" ;;
  esac
  # All messages must begin with the program's name, and a refusal must be one line that names the
  # file.
  grep -qv '^ballotcast: ' "$work/err" && fail "$file" "a line that isn't the program's"
  if ((code == 3)) && { (($(wc -l <"$work/err") != 1)) || ! grep -qF "$file" "$work/err"; }; then
    fail "$file" "no single line that names it"
  fi
  if ((warnings == 0)) && [[ ${3:-OFF} != OFF ]]; then continue; fi
  timeout 10 "$ballotcast" info "$file" --strict >"$work/out" 2>"$work/err"
  strict_code=$?
  expected=$((code == 0 && warnings > 0 ? 3 : code))
  ((strict_code == expected)) || fail "$file" "exit code $strict_code with --strict, not $expected"
  if ((strict_code != code)); then
    strictly=$((strictly + 1))
    tail -n 1 "$work/err" | grep -q 'which strict loading makes an error (--strict)' || fail "$file" "no word of --strict"
  fi
done < <(find "$2" -name '*.obj' -print0 | sort -z)
echo "$shown shown, of which $strictly not with --strict; $refused refused"
((shown + refused > 0 && failures == 0))
