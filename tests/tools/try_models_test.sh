#!/usr/bin/env bash
# Tests that tools/try_models reports the right result for each file.
#   try_models_test.sh PROGRAM SOURCE_DIR
set -euo pipefail
program=$(realpath "$1")
try=$2/tools/try_models
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED  $*"; cat "$work/said"; exit 1; }

mkdir -p "$work/models/deep er"
cd "$work"
triangle=$'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
printf '%s' "$triangle" >models/good.obj
printf '%s' "$triangle" | gzip >'models/deep er/packed.OBJ.gz'
printf '%sf 1 2 9\n' "$triangle" >models/warns.obj
printf 'v 0 0 0\n' >models/empty.obj
printf 'no model\n' >models/notes.txt
printf '{"name": "no scene"}\n' >models/package.json
printf '{"meshes": ["good.obj"]}\n' >models/scene.json

"$try" --program "$program" models >said || fail "exit code $?"
for line in '^drawn .* models/good.obj$' '^drawn .* models/deep er/packed.OBJ.gz$' \
  '^drawn .* models/scene.json$' '^warned .* models/warns.obj: faces left out: they use vertices' \
  '^refused .* models/empty.obj: no triangles' \
  '^5 files: 3 drawn, 1 warned, 1 refused, 0 crashed, 0 late$'; do
  grep -Eq -- "$line" said || fail "no line: $line"
done
! grep -q 'notes\|package' said || fail "a file that is no model"
echo "ok  files are drawn, drawn with warnings, or refused"

"$try" --program "$program" --json --jobs 2 models >said || fail "--json"
python3 - said <<'END' || fail "--json"
import json, sys
said = json.load(open(sys.argv[1]))
assert said["summary"] == {"drawn": 3, "warned": 1, "refused": 1, "crashed": 0, "late": 0}, said
warns = [f for f in said["files"] if f["result"] == "warned"]
assert len(warns[0]["warnings"]) == 1 and warns[0]["exit_code"] == 0, warns
END
echo "ok  --json says the same"

# Makes a program that crashes at some files, and hangs at others.
cat >fake <<END
#!/usr/bin/env bash
case \${!#} in
  */good.obj) kill -SEGV \$\$ ;;
  */warns.obj) exec sleep 60 ;;
  */empty.obj) exit 0 ;;
  *) exec "$program" "\$@" ;;
esac
END
chmod +x fake
code=0
"$try" --program ./fake --seconds 5 models >said || code=$?
((code == 1)) || fail "exit code $code for crashes"
grep -Eq '^crashed .* models/good.obj: exit code -11$' said || fail "a crash"
grep -Eq '^crashed .* models/empty.obj: exit code 0$' said || fail "success without a picture"
grep -Eq '^late .* models/warns.obj: stopped after 5 s$' said || fail "a hang"
grep -Eq '2 drawn, 0 warned, 0 refused, 2 crashed, 1 late$' said || fail "the summary"
echo "ok  crashes and hangs are told, and the exit code is 1"

code=0
"$try" --program "$program" nowhere >said 2>&1 || code=$?
{ ((code == 2)) && grep -q 'nowhere: there is no such' said; } || fail "a folder that is not there"
"$try" --help >said || fail "--help"
grep -q -- '--seconds' said || fail "--help"
echo "ok  wrong use is told"
