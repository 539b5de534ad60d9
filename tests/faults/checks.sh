# Functions that the scripts of this folder share.
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

# Runs the command in the arguments after $2. Expects exit code $1, and a stderr that begins with
# the program's name and contains $2. There must be no picture.png, no temporary file, and nothing
# on stdout.
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
