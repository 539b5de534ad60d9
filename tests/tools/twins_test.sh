#!/usr/bin/env bash
# Tests that tools/check_twins accepts the project, and refuses two types with the same name in the
# same namespace.
#   twins_test.sh SOURCE_DIR
set -euo pipefail
check=$1/tools/check_twins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$check" "$1"
echo "ok  the project has no twins"

# twins CODE FILE FILE: expects this exit code of check_twins if both files define the type Row.
twins() {
  rm -rf "$work/tree" && mkdir -p "$work/tree"/{include,src/a,kernels,tests/{a,b},python}
  for file in "$2" "$3"; do
    printf 'namespace ballotcast::detail {\n%s\n}  // namespace ballotcast::detail\n' "$4" >"$work/tree/$file"
  done
  local code=0
  "$check" "$work/tree" >"$work/said" 2>&1 || code=$?
  ((code == $1)) || { echo "FAILED  code $code for $2 and $3 with: $4"; cat "$work/said"; exit 1; }
}
twins 1 src/a/one.hpp kernels/two.hpp $'struct Row {\n  int x;\n};'
grep -q "src/a/one.hpp:2: ballotcast::detail::Row is defined in kernels/two.hpp:2, too" "$work/said"
twins 1 src/a/one.hpp src/a/two.cpp $'class Row final : public Other {\n};'
twins 1 src/a/one.hpp tests/a/two.cpp $'enum class Row {\n  x,\n};'
twins 1 src/a/one.hpp src/a/two.cpp 'enum class Row { x, y };'
twins 1 src/a/one.hpp src/a/two.cpp $'struct alignas(16) Row {\n};'
twins 0 src/a/one.hpp src/a/two.cpp 'struct Row;'
twins 0 src/a/one.hpp src/a/two.cpp $'namespace {\nstruct Row {\n};\n}  // namespace'
twins 0 tests/a/one.cpp tests/b/two.cpp $'struct Row {\n};'
twins 0 src/a/one.hpp src/a/two.cpp $'struct Table::Row {\n};'
echo "ok  twins are refused, and nothing else"
