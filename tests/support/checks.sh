# What test scripts share, to be sourced by them after their arguments are absolute: they are in a
# folder of their own from then on, which goes away, and count their failures. What a command said is
# looked for in the files stdout and stderr there.
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

finish() {  # the script's end
  ((failures == 0)) && echo "all passed" && exit 0
  echo "$failures failed"
  exit 1
}
