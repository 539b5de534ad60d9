#!/usr/bin/env bash
# Tests that the C++ code in the documentation compiles as C++17 with the public headers. The code
# blocks of a page form one program: includes first, then the rest in order, inside one function.
#   examples_test.sh COMPILER REPOSITORY_ROOT [HEADERS]
set -u
compiler=$1
root=$(realpath "$2")
headers=$(realpath "${3:-$root/include}")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

# Prints the program made of the ```cpp blocks of page $1. Compiler errors name the page and line.
program_of() {
  local in_blocks='/^```/ { on = $0 == "```cpp"; next } on'
  awk "$in_blocks"' && /^#include|^using namespace/' "$1" | sort
  echo "void shown() {"
  awk -v page="${1#"$root"/}" "$in_blocks"' && !/^#include|^using namespace/ {
    printf "#line %d \"%s\"\n%s\n", FNR, page, $0
  }' "$1"
  echo "}"
}
compiles() {  # compiles PAGE
  program_of "$1" >shown.cpp
  "$compiler" -std=c++17 -fsyntax-only -Wall -Wno-unused-variable -Wno-unused-but-set-variable \
    -I"$headers" shown.cpp >stdout 2>stderr
}
pages=$(cd "$root" && grep -l '^```cpp' README.md CONTRIBUTING.md docs/*.md)
check "there is C++ in the documentation" test -n "$pages"
for page in $pages; do check "what $page shows compiles" compiles "$root/$page"; done
printf '```cpp\n#include <ballotcast/ballotcast.hpp>\nballotcast::Hit hit;\nhit.nothing = 1;\n```\n' >page.md
broken() { ! compiles "$work/page.md" && grep -q "page.md:4.*nothing" stderr; }
check "what doesn't compile is noticed, with its line" broken
finish
