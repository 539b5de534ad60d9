#!/usr/bin/env bash
# Tests that building the reference fails if a public entity has no comment, or if a comment names
# something that does not exist.
#   reference_test.sh REPOSITORY_ROOT
set -u
root=$(realpath "$1")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"
if ! command -v doxygen >/dev/null; then
  echo "skipped: there is no doxygen (tools/install_dependencies --with-doc)"
  exit 77
fi

# header LINE...: writes the only header, with these lines inside the namespace.
header() {
  mkdir -p headers
  printf '%s\n' '// A header.' '#pragma once' 'namespace ballotcast {' "$@" '}' >headers/thing.hpp
}
reference() { "$root/tools/reference" headers out >stdout 2>stderr; }
refused() {  # refused WORDS: expects that no reference is made, and that the message contains WORDS
  ! reference && [[ ! -e out ]] && grep -qF -- "$1" stderr
}

header '/// A box.' 'struct Box {' '  double side;  ///< in metres' '};'
check "what has comments is taken" reference
check "there is a page of it" test -s out/index.html
header 'struct Bare {' '  double side;  ///< in metres' '};'
check "a struct without a comment is refused" refused "Bare is not documented"
header '/// A box.' 'struct Box {' '  double side;' '};'
check "a member without a comment is refused" refused "side"
header 'int also();'
check "a function without a comment is refused" refused "also"
header '/// A box.' '/// @param nothing that exists' 'int box(int side);'
check "a comment on what doesn't exist is refused" refused "nothing"
finish
