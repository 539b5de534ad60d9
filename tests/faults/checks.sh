# What the scripts of this folder share: checks that are counted, in a folder of their own.
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

# The exit code $1 of what follows the words, and stderr begins with the program's name and holds $2;
# no file called picture.png, no temporary, nothing on stdout.
fails() {
  local code=$1 words=$2 got
  shift 2
  rm -f picture.png
  "$@" >stdout 2>stderr
  got=$?
  [[ $got -eq $code && ! -s stdout && ! -e picture.png ]] && head -1 stderr | grep -q '^ballotcast: ' &&
    grep -qF -- "$words" stderr && no_temporaries
}

no_temporaries() { [[ -z $(find "$work" -name '.*.tmp') ]]; }

value_of() { sed -n "s/^ *\"$2\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" "$1" | head -1; }

finish() {
  ((failures == 0)) && echo "all passed" && exit 0
  echo "$failures failed"
  exit 1
}
