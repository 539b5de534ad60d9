# What the scripts of this folder share.
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

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
