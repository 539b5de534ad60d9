#!/usr/bin/env bash
# Tests files that can't be written: full disks, folders that disappear, closed streams, two
# programs at once.
# Usage: files_test.sh BALLOTCAST_BINARY REPOSITORY_ROOT
set -u
ballotcast=$(realpath "$1")
root=$(realpath "$2")
source "$(dirname "$(realpath "$0")")/checks.sh"

draw() { "$ballotcast" render --size 64x48 --spp 1 --shade normal --device cpu "$@"; }

# ---- Full ---------------------------------------------------------------------------------------
if [[ -w /dev/full ]]; then
  check "a full device: what to do" fails 3 "No space left on device; make room" draw -o /dev/full
  check "hits don't appear where their picture can't" fails 3 "/dev/full: can't be written" \
    draw -o /dev/full --hits hits.bin
  check "nor a part of them" test ! -e hits.bin
  echo old >hits.bin
  fails 3 "/dev/full" draw -o /dev/full --hits hits.bin
  check "hits of before are kept" grep -qx old hits.bin
  full_stdout() { draw -o written.png --json >/dev/full 2>stderr; }
  full_stdout
  check "a full stdout is told" test $? -eq 3 -a -s written.png
  check "by its name" grep -q 'stdout: can.t be written: No space left' stderr
fi

echo old >limited.png
limited() { (ulimit -f 1 && draw -o limited.png --hits limited.bin); }
check "a file that grows too large: what to do" \
  fails 3 "can't be written: File too large; raise the limit (ulimit -f)" limited
check "what stood there still does" grep -qx old limited.png
check "no hits without their picture" test ! -e limited.bin

mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
  check "a full disk" fails 3 "No space left on device; make room, or write elsewhere" \
    draw -o disk/picture.png --hits disk/hits.bin
  check "is as empty as before" test -z "$(ls -A disk)"
  umount disk
else
  echo "left out: a full disk, which only root can make"
fi

# ---- Places -------------------------------------------------------------------------------------
mkdir folder
check "a folder in the picture's place" fails 3 "folder: can't be written: it is a directory" \
  draw -o folder
check "a folder that isn't there" fails 3 "there is no directory nowhere" draw -o nowhere/picture.png
# /sys accepts no new files, even from root.
check "a folder that takes no files" fails 3 "/sys/picture.png: can't be written: " \
  draw -o /sys/picture.png
mkdir sealed && chmod 555 sealed
if [[ $EUID -ne 0 ]]; then
  check "a folder that is read-only" fails 3 "Permission denied" draw -o sealed/picture.png
fi

# The hits go to a pipe. So the program waits when it has stored the picture in a temporary file,
# but not yet given it its name.
gone_halfway() {
  local code
  mkdir here
  mkfifo slow
  draw -o here/picture.png --hits slow >stdout 2>stderr &
  until [[ -n $(ls -A here) ]]; do sleep 0.05; done
  rm -r here
  cat slow >/dev/null
  wait $!
  code=$?
  rm slow
  [[ $code -eq 3 && ! -s stdout && ! -e here ]] &&
    grep -qF "here/picture.png: can't be written: No such file or directory; make its directory" stderr
}
check "a folder that goes away while its picture is written" gone_halfway

# ---- What was read ------------------------------------------------------------------------------
draw -o tex.png --shade albedo >stdout
printf 'mtllib mats.txt\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n' >read.obj
printf 'newmtl a\nmap_Kd tex.png\n' >mats.txt
echo '{"meshes": ["read.obj"]}' >read.json
ln -s read.obj link.bin && ln -s tex.png tex.svg && ln -s spare.png spare.svg
mkdir kept && cp read.obj mats.txt tex.png read.json kept
spoils() { fails 2 "is an input; writing to it would destroy it" "$ballotcast" "$@"; }
check "a picture over its texture" spoils render read.obj --device cpu -o tex.png
check "hits over the materials" spoils render read.obj --device cpu -o b.png --hits mats.txt
check "hits over the mesh of a scene file" spoils render read.json --device cpu -o b.png --hits link.bin
check "a drawing over the texture" spoils explain read.obj --device cpu --pixel 1,1 --svg tex.svg
cp tex.png bump.png && cp tex.png spare.png && cp bump.png spare.png kept
printf 'map_Bump -bm 1 bump.png\nnewmtl unused\nmap_Kd spare.png\n' >>mats.txt && cp mats.txt kept
check "a picture over one that its materials name and nothing shows" \
  spoils render read.obj --device cpu -o bump.png
check "a picture over the texture of a material that nothing has" \
  spoils render read.json --device cpu -o spare.png
check "a drawing over that, as a mesh of another" spoils explain --mesh read.obj --device cpu \
  --pixel 1,1 --svg spare.svg
check "charts over the scene" spoils bench rays read.obj --device cpu --size 8x8 --workload primary \
  --html read.obj
check "charts of builds over the scene" spoils bench builds read.obj --device cpu --size 8x8 --build ploc \
  --html read.obj
"$ballotcast" bench rays read.obj --device cpu --size 8x8 --workload primary --json >results.json 2>stderr
check "a page over the results that it shows" spoils bench report results.json --html results.json
as_before() {
  local file
  for file in kept/*; do cmp -s "$file" "${file#kept/}" || return 1; done
}
check "all that was read is as it was" as_before

# ---- Streams ------------------------------------------------------------------------------------
closed() { draw -o written.png >&-; }
check "a closed stdout" fails 3 "stdout: can't be written" closed
closed_picture() { draw -o /dev/stdout >&-; }
check "a picture for a closed stdout" fails 3 "/dev/stdout: can't be written" closed_picture
{ "$ballotcast" info 2>stderr; echo $? >code; } | :
# The program may be so fast that it has written everything before the reader ends; then its exit
# code is 0.
check "a pipe that nobody reads" test "$(<code)" -eq 3 -o "$(<code)" -eq 0
exec 9> >(:)
wait $!
"$ballotcast" info >&9 2>stderr
check "a pipe that nobody reads any more" test $? -eq 3
check "is told" grep -q 'stdout: can.t be written: Broken pipe' stderr
draw -o /dev/stdout >&9 2>stderr
check "a picture for one" test $? -eq 3
exec 9>&-

# ---- Two at once --------------------------------------------------------------------------------
draw -o a.png --shade normal >stdout && draw -o b.png --shade albedo >stdout
one_whole_picture() {
  local round first
  for round in 1 2 3 4 5 6; do
    draw -o same.png --shade normal >stdout &
    first=$!
    draw -o same.png --shade albedo >stdout2 || return 1
    wait "$first" || return 1
    cmp -s same.png a.png || cmp -s same.png b.png || return 1
  done
  no_temporaries
}
check "two for one place: a whole picture of either" one_whole_picture
check "no temporaries are left" no_temporaries
finish
