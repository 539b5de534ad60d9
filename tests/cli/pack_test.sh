#!/usr/bin/env bash
# Tests packed scenes by running the program: every command accepts them, invalid packed scenes are
# refused, and the cache works for several programs at once.
# Usage: pack_test.sh BALLOTCAST_BINARY REPOSITORY_ROOT
set -u

ballotcast=$(realpath "$1")
root=$(realpath "$2")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"
small=(--size 16x8 --spp 1 --device cpu)
cornell=$root/scenes/cornell-box.json

# Expects exit code $1 and one line on stderr that contains $2. Further arguments: those of the
# program.
fails() {
  local code=$1 words=$2 got
  shift 2
  "$ballotcast" "$@" >stdout 2>stderr
  got=$?
  [[ $got -eq $code && ! -s stdout && $(wc -l <stderr) -eq 1 ]] && grep -qF -- "$words" stderr
}

# Expects exit code 0 and $1 on stdout.
succeeds() {
  local words=$1
  shift
  "$ballotcast" "$@" >stdout 2>stderr && grep -qF -- "$words" stdout
}

# says NOTE WORDS ARGUMENTS...: expects WORDS on stdout and NOTE on stderr.
says() { succeeds "$2" "${@:3}" && grep -qF -- "$1" stderr; }

same_pictures() {  # same_pictures A B OPTIONS...
  "$ballotcast" render "$1" "${small[@]}" --hits a.hits -o a.png "${@:3}" >stdout 2>stderr &&
    "$ballotcast" render "$2" "${small[@]}" --hits b.hits -o b.png "${@:3}" >stdout 2>stderr &&
    cmp a.png b.png && cmp a.hits b.hits
}

# ---- Packing ------------------------------------------------------------------------------------
check "pack" succeeds "wrote box.bcast" pack "$cornell" -o box.bcast
check "the packed scene is drawn as its files are" same_pictures "$cornell" box.bcast
check "with other light, too" same_pictures "$cornell" box.bcast --sun-strength 2 --sky-zenith 1,0,0
check "with another mesh, too" same_pictures "$cornell" box.bcast --mesh "$root/scenes/blob.obj@0,1,0,0.2"
check "in another layout, too" same_pictures "$cornell" box.bcast --layout bvh2
check "a name is made from the scene's" succeeds "wrote cornell-box.bcast" pack "$cornell"
check "the built-in scene" succeeds "wrote builtin.bcast" pack
check "is drawn as it is" same_pictures builtin.bcast builtin.bcast
check "--json" succeeds '"layout": "bvh2"' pack "$cornell" -o two.bcast --layout bvh2 --build fast --json
check "a packed scene can be packed again and keeps its tree" succeeds "ploc, bvh2" pack two.bcast -o again.bcast
check "without a note" test ! -s stderr
check "with another tree if that is asked for, and a note" says "built anew" "sbvh, bvh2" pack two.bcast -o other.bcast --build sbvh --layout bvh2
check "the same bytes for the same scene" cmp <("$ballotcast" pack -o 1.bcast --threads 1 >/dev/null; cat 1.bcast) \
  <("$ballotcast" pack -o 2.bcast --threads 4 >/dev/null; cat 2.bcast)

# ---- Every command ------------------------------------------------------------------------------
check "render: the defaults take the packed tree" succeeds '"packed_tree": true' render two.bcast "${small[@]}" -o a.png --json
check "render says that another tree was built" says "built anew" "wrote" render two.bcast "${small[@]}" -o a.png --layout grid2
check "info" succeeds "ploc, bvh2" info two.bcast
check "info --json" succeeds '"sah_cost"' info box.bcast --json
check "info: the hash of the tree is that of the scene's file" cmp <("$ballotcast" info "$cornell" --json | grep '"hash"') \
  <("$ballotcast" info box.bcast --json | grep '"hash"')
check "explain" succeeds "finds the same" explain box.bcast --pixel 3,4 --size 9x9 --device cpu
check "bench rays" succeeds "box" bench rays box.bcast --size 16x9 --device cpu --workload primary
check "bench builds" succeeds "box" bench builds box.bcast --size 16x9 --device cpu --build ploc
cat >suite.json <<END
{"format": "ballotcast suite", "cases": [{"name": "packed", "scene": "box.bcast", "size": [16, 9], "samples": 1}]}
END
check "accept" succeeds "packed" accept suite.json packed --reason "a test"
check "regress" succeeds "" regress suite.json
check "verify" succeeds "" verify suite.json --device cpu --size 8x8

# ---- Refusals -----------------------------------------------------------------------------------
check "another suffix: exit 2" fails 2 "call it .bcast" pack "$cornell" -o box.obj
check "stdout: exit 2" fails 2 "can't go to stdout" pack "$cornell" -o /dev/stdout
check "over itself: exit 2" fails 2 "is an input" pack box.bcast -o box.bcast
check "no directory: exit 3" fails 3 "there is no directory" pack "$cornell" -o none/box.bcast
check "a crease angle: exit 2" fails 2 "crease angle" render box.bcast "${small[@]}" --crease-angle 20
check "as an added mesh: exit 3" fails 3 "packed scene" render --mesh box.bcast "${small[@]}"
strictly() {
  "$ballotcast" pack "$root/scenes/slivers.obj" --strict -o odd.bcast >stdout 2>stderr
  [[ $? -eq 3 && ! -e odd.bcast ]] && tail -n 1 stderr | grep -qF -- "--strict"
}
check "pack --strict refuses warnings: exit 3" strictly
head -c 1000 box.bcast >cut.bcast
check "a cut file: exit 3" fails 3 "cut.bcast: is cut off: it has 1000 of" render cut.bcast "${small[@]}"
echo "v 0 0 0" >text.bcast
check "another file: exit 3" fails 3 "is no packed scene" render text.bcast "${small[@]}"
: >empty.bcast
check "an empty file: exit 3" fails 3 "is no packed scene" info empty.bcast
check "a missing file: exit 3" fails 3 "no such file" render none.bcast "${small[@]}"
mkdir folder.bcast
check "a folder: exit 3" fails 3 "is a directory" render folder.bcast "${small[@]}"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >a.obj
check "a small mesh" succeeds "wrote" pack a.obj
printf 'v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n' >a.obj
check "an old packed scene: exit 3" fails 3 "is out of date: $PWD/a.obj has changed" render a.bcast "${small[@]}"

# The scene's file is named without a folder, and refers to a file that is missing.
mkdir bare
printf 'mtllib A.MTL\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >bare/x.obj
in_bare() { (cd bare && "$@"); }
check "a missing material file in the working folder" in_bare succeeds "wrote x.bcast" pack x.obj
printf 'newmtl m\nKd 1 0 0\n' >bare/a.mtl
check "is found when it is there" in_bare fails 3 "a.mtl was not there" render x.bcast "${small[@]}"
check "with other capitals, too" in_bare succeeds '"warnings": []' pack x.obj --json

# ---- The cache ----------------------------------------------------------------------------------
cached() { succeeds "\"cache\": \"$1\"" render "$cornell" "${small[@]}" -o c.png --json --cache cache "${@:2}"; }
check "a new scene is stored" cached stored
check "and found the next time" cached hit
check "with other light, too" cached hit --sun-strength 2
check "but not with another builder" cached stored --build fast
check "the picture is the same" same_pictures "$cornell" "$cornell" --cache cache
check "info and explain find it, too" succeeds "triangles" info "$cornell" --cache cache
check "explain finds it" succeeds "finds the same" explain "$cornell" --pixel 3,4 --size 9x9 --device cpu --cache cache
check "info --json says so" succeeds '"cache": "hit"' info "$cornell" --cache cache --json
check "and that the tree was packed" grep -q '"packed_tree": true' stdout
check "without a cache, nothing of it" succeeds '"cache": null' info "$cornell" --json
check "explain --json says so" succeeds '"cache": "hit"' explain "$cornell" --pixel 3,4 --size 9x9 --device cpu --cache cache --json
check "and that the tree was packed" grep -q '"packed_tree": true' stdout
check "the times of storing are not those of loading" succeeds '"cache": ' render "$cornell" "${small[@]}" -o c.png --json --cache timed
check "they have their own phase" grep -Pzq '"timings_ms": \{[^}]*"cache": ' stdout
check "there are no more than two" test "$(ls cache | wc -l)" -eq 2
check "a size that is too small is told" says "larger than the whole cache" '"cache": "failed"' \
  render "$cornell" "${small[@]}" -o c.png --json --cache tiny --cache-size 1K
check "nothing is kept there" test -z "$(ls -A tiny)"
check "a cache that can't be made is told" says "note: cache: a.obj/cache: can't be made: Not a directory" "wrote" \
  render "$cornell" "${small[@]}" -o c.png --cache a.obj/cache
check "a file is no cache" says "note: cache: a.obj: can't be made: Not a directory" "wrote" \
  render "$cornell" "${small[@]}" -o c.png --cache a.obj
lost() {
  (mkdir lost && cd lost && rmdir ../lost && "$ballotcast" "$@" >"$work/stdout" 2>"$work/stderr")
}
check "a cache in a folder that is gone is told" lost info "$cornell" --cache cache
check "with its name" grep -qF "note: cache: cache: can't be made" stderr
check "packing there is refused" test "$(lost pack "$cornell"; echo $?)" -eq 3
check "with the file's name" grep -qF "cornell-box.bcast: the working folder is unknown" stderr

# Several programs at the same time use a cache that is too small for all scenes.
many_at_once() {
  local i jobs=()
  for i in 1 2 3 4 5 6 7 8; do
    "$ballotcast" render "$root/scenes/$([[ $((i % 2)) == 0 ]] && echo blob.obj || echo cornell-box.json)" \
      "${small[@]}" -o "many$i.png" --cache many --cache-size 300K >/dev/null 2>"err$i" &
    jobs+=($!)
  done
  for i in "${jobs[@]}"; do wait "$i" || return 1; done
  "$ballotcast" render "$root/scenes/blob.obj" "${small[@]}" -o even.png >stdout 2>stderr
  "$ballotcast" render "$cornell" "${small[@]}" -o odd.png >stdout 2>stderr
  for i in 1 3 5 7; do cmp odd.png "many$i.png" || return 1; done
  for i in 2 4 6 8; do cmp even.png "many$i.png" || return 1; done
  [[ -z $(find many -name '*.tmp') && $(du -sk many | cut -f 1) -le 1000 ]]
}
check "many programs use a cache at once" many_at_once
finish
