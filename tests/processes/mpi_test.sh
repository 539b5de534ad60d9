#!/usr/bin/env bash
# Tests several processes that work together, started by mpirun on this computer: they give the same
# bytes as one process. Also tests what happens when a process fails, is killed, or has another
# scene.
# Usage: mpi_test.sh PROGRAM REPOSITORY_ROOT PROGRAM_THAT_CASTS FEW_READS.so [SANITIZERS or OFF]
# With sanitizers, all this is slow. So the test then draws fewer and narrower pictures, smooths
# only some of them, and skips benchmarks and messages about arguments.
set -u
if ! command -v mpirun >/dev/null || [[ ! -e $(dirname "$1")/ballotcast-mpi.so ]]; then
  echo "skipped: mpirun or the module for MPI is missing"
  [[ ${CI:-} == true ]] && exit 1  # there both must exist
  exit 77
fi
program=$(realpath "$1")
root=$(realpath "$2")
casts=$(realpath "$3")
few_reads=$(realpath "$4")
shadings="ao normal depth albedo facing visits" counts="1 2 3 5" thorough=yes
size=61x43 wide=96x64 plain=()
if [[ ${5:-OFF} != OFF ]]; then
  # The pictures have the full number of rows, so that each rank gets some.
  shadings=visits counts=3 thorough= size=29x43 wide=29x64 plain=(--smooth off)
fi
source "$root/tests/support/checks.sh"
source "$root/tests/processes/ranks.sh"
export OMPI_MCA_rmaps_base_oversubscribe=1
# MPI does not free all of its memory before the end.
export ASAN_OPTIONS=detect_leaks=0
box=$root/scenes/cornell-box.obj

ranks() { local n=$1 && shift && timeout 120 mpirun -n "$n" "$@"; }

# ---- The same bytes -----------------------------------------------------------------------------
small=(--size $size --spp 2)
on_cpu() { check "$1 on cpu, 3 ranks" same 3 "$box" --shade "$1" --device cpu "${small[@]}"; }
on_emulated() {
  check "$1 on emulated, 5 ranks" same 5 "$box" --shade "$1" --device emulated "${small[@]}" --block-size 64
}
# Shadings that cast one ray per path are spread over the tests, because ranks share the same work
# for all of them.
on_cpu lit
on_emulated lit
for shading in $shadings; do
  if [[ ${turn:=0} -eq 0 ]]; then on_cpu $shading; else on_emulated $shading; fi
  turn=$((1 - turn))
done
for n in $counts; do
  check "$n ranks" same "$n" "$box" --size $wide --device cpu
done
check "several machines in each rank" same 2 "$box" "${small[@]}" "${plain[@]}" --device cpu+emulated:0,1
check "not smoothed" same 3 "$box" --size $size --device cpu --smooth off
check "a fisheye" same 3 "$box" --size $size "${plain[@]}" --device cpu --projection fisheye
check "the exposure is chosen once for all" \
  same 3 "$root/scenes/turning.json" --size $size "${plain[@]}" --device cpu

# reading MOST: draws with three ranks. Rank 0 may read the memory of the others at most MOST times.
reading() {
  rm -f reads
  LD_PRELOAD=$few_reads MOST_READS=$1 READS_FILE=$PWD/reads ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 \
    same 3 "$box" "${small[@]}" --device "$2"
}
check "films go through messages where memory of others can't be read" reading 0 cpu
# A process may read the memory of another process only if it may debug that process.
sleep 60 &
other=$!
if (: <"/proc/$other/mem") 2>/dev/null; then
  for device in cpu emulated; do
    check "films are read from the memory of the others, $device" reading 1000 $device
    check "after two reads that try it" [ "$(<reads)" -gt 2 ]
  done
  rm -f reads
  check "several machines in a rank lend nothing" reading 1000 emulated:0,1
  check "and are not asked" [ ! -e reads ]
  check "a frame is drawn again if a film can't be read" reading 2 cpu
  check "and asks no more" [ "$(<reads)" -eq 3 ]
else
  echo "skipped: reading the memory of other processes; this system forbids it"
fi
kill $other

frames=(render "$root/scenes/turning.json" --size 48x32 --spp 2 "${plain[@]}" --frames 0..2 --device cpu)
same_frames() {
  "$program" "${frames[@]}" -o one-%d.png >stdout 2>stderr &&
    ranks 3 "$program" "${frames[@]}" -o more-%d.png --json >stdout 2>stderr || return 1
  for i in 0 1 2; do cmp one-$i.png more-$i.png || return 1; done
}
check "frames of a moving scene" same_frames
check "their report has each rank" test "$(grep -c '"process": "rank [012] on ' stdout)" -eq 3
for n in $counts; do
  check "closest, any, count, all, points, kept rays: $n ranks" ranks "$n" "$casts"
done
"$program" pack "$root/scenes/atrium.obj" -o atrium.bcast >stdout 2>stderr
check "a packed scene, 3 ranks" same 3 atrium.bcast --device cpu "${small[@]}" "${plain[@]}"
check "a scene that is too large for parts" same 2 "$root/scenes/atrium.obj" --device cpu "${small[@]}" \
  "${plain[@]}" --partition auto
bench() {
  ranks 3 "$program" bench rays "$box" --size 64x64 --workload primary,diff1,ao --device cpu \
    >stdout 2>stderr && [[ $(grep -c '^How fast rays are cast' stdout) -eq 1 ]] && ! grep -q WRONG stdout
}
verified() {
  ranks 3 "$program" verify --device cpu --only 'scenes/cornell-box/*' >stdout 2>stderr &&
    [[ $(wc -l <stdout) -gt 1 ]]
}
if [[ $thorough ]]; then
  check "a benchmark finds every hit right" bench
  check "verify" verified
fi

report() {
  ranks 3 "$program" render "$box" --size 64x64 "${plain[@]}" --device cpu --json -o more.png >stdout 2>stderr &&
    [[ $(grep -c '"process": "rank [012] on ' stdout) -eq 3 && $(grep -c '"draw":' stdout) -eq 4 ]]
}
check "the report has the times of each rank" report

# ---- What goes wrong ----------------------------------------------------------------------------
# ends CODE WORDS COMMAND...: expects that all ranks end with the exit code, that one line says why,
# and that no file is written.
ends() {
  local code=$1 words=$2
  shift 2
  rm -f more.png
  timeout 60 "$@" >stdout 2>stderr
  [[ $? -eq $code && $(grep -c '^ballotcast: ' stderr) -eq 1 && ! -e more.png ]] &&
    grep -q "^ballotcast: .*$words" stderr
}
draw=("$program" render --device cpu --size 64x64 -o more.png)
table_of_memory() {
  ! ranks 3 "${draw[@]}" "$box" --max-memory 1 >stdout 2>stderr && grep -q '^  in all  ' stderr
}
check "a message of several lines stays one" table_of_memory
check "a missing scene is told once" ends 3 "missing.obj" mpirun -n 3 "${draw[@]}" missing.obj
messages_about_arguments() {
  check "an unknown option is told once" ends 2 "xyz" mpirun -n 8 "${draw[@]}" --xyz
  # Runs the same command in different folders: rank 1 finds another scene there, or none.
  mkdir here there nowhere
  cp "$box" "${box%.obj}.mtl" here && cp here/* there
  sed -i 's/^v 0/v 0.001/' there/cornell-box.obj
  relative=("$program" render cornell-box.obj --device cpu --size 64x64 -o ../more.png)
  ends_in() {  # ends_in FOLDER CODE WORDS
    ends "$2" "$3" bash -c 'mpirun -n 1 -wdir here "$@" : -n 1 -wdir "$0" "$@"' "$1" "${relative[@]}"
  }
  check "another scene in a rank: its name and host" \
    ends_in there 3 "rank 1 on $(hostname).*not the same scene"
  cp here/cornell-box.obj there
  for folder in here there; do
    echo '{"meshes": ["cornell-box.obj"], "camera": {"eye": [278, 273, -800], "look_at": [278, 273, 0]}}' >$folder/view.json
  done
  sed -i 's/-800/-900/' there/view.json
  relative[2]=view.json
  check "another camera in a rank's file" ends_in there 2 "rank 1 on .*the same options and the same files"
  relative[2]=cornell-box.obj
  check "a file that one rank has not" ends_in nowhere 3 "rank 1 on $(hostname): cornell-box.obj"
  check "other options in a rank" ends 2 "rank 1 on .*the options" \
    mpirun -n 1 "${draw[@]}" "$box" : -n 1 "${draw[@]}" "$box" --spp 3
  check "a scene in parts" ends 2 "several processes can't share a scene in parts" \
    mpirun -n 2 "${draw[@]}" "$box" --partition 2
  check "stdout can't be shared" ends 2 "name a file" mpirun -n 2 "${draw[@]}" "$box" -o -
  check "a start that MPI knows nothing of" ends 4 "MPI finds no other" \
    env PMI_SIZE=2 PMI_RANK=0 "${draw[@]}" "$box"
  info_each() { ranks 3 "$program" info "$box" >stdout 2>stderr && [[ $(grep -c ' vertices ' stdout) -eq 3 ]]; }
  check "other commands know nothing of that" info_each
  help_once() { ranks 3 "$program" render --help >stdout 2>stderr && [[ $(grep -c '^Usage:' stdout) -eq 1 ]]; }
  check "help is printed once" help_once
  suite() {  # a case that draws by another program, which is not a rank
    cat >suite.json <<END
{"format": "ballotcast suite", "cases": [{"name": "theirs", "command": ["$program", "render", "$box", "--device", "cpu", "--size",
 "32x32", "-o", "{output}"]}]}
END
    "$program" accept suite.json theirs --reason "new" >stdout 2>stderr && ranks 2 "$program" regress suite.json >stdout 2>stderr
  }
  check "a suite that runs other programs" suite
}
if [[ $thorough ]]; then messages_about_arguments; fi
nothing_written() { [[ -z $(find . -newer started -type f ! -name std\* ! -name started) ]]; }

# stopped SIGNAL NAME: sends a signal to mpirun or to the last rank while a large picture is drawn.
stopped() {
  touch started
  mpirun -n 3 "$program" render "$box" --device cpu --size 1600x1200 --spp 256 -o more.png \
    >stdout 2>stderr &
  local mpirun=$! rank
  rank=$(drawing_rank $mpirun) || return 1
  if [[ $2 == mpirun ]]; then kill "-$1" $mpirun; else kill "-$1" "$rank"; fi
  ! wait $mpirun && none_left && nothing_written
}
check "a rank is killed during the frame: all end, nothing is written" stopped KILL rank
check "mpirun's message names the rank" grep -q "rank 2.*signal 9" stderr
check "Ctrl-C: all end, nothing is written" stopped INT mpirun
dead_host() {
  ! timeout 60 mpirun -n 2 --host "localhost,no-such-host.invalid" "${draw[@]}" "$box" >stdout 2>stderr &&
    [[ ! -e more.png ]] && grep -q "ORTE was unable to reliably start one or more daemons" stderr
}
check "a host that is not there" dead_host
mkdir bare && cp "$program" bare/
check "without the module, it says so" grep -q "this build has no MPI" \
  <(ranks 2 bare/ballotcast render "$box" -o more.png 2>&1)
finish
