# Functions that test scripts share. Source this file after making all arguments absolute. It
# changes to a temporary folder, which is removed at the end, and counts failures. Commands must
# write their output to the files stdout and stderr in that folder.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

check() {  # check DESCRIPTION COMMAND...
  local description=$1
  shift
  if "$@"; then
    echo "ok    $description"
  else
    echo "FAIL  $description"
    sed 's/^/      stdout: /' stdout 2>/dev/null | head -5
    sed 's/^/      stderr: /' stderr 2>/dev/null | head -20
    failures=$((failures + 1))
  fi
}

finish() {  # reports failures and ends the script
  ((failures == 0)) && echo "all passed" && exit 0
  echo "$failures failed"
  exit 1
}
