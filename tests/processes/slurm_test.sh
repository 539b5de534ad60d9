#!/usr/bin/env bash
# Tests ranks that Slurm starts by srun: they give the same bytes as one process, and an error of
# one rank ends all. The script starts its own Slurm on this host, and ends it at the end.
# Usage: slurm_test.sh PROGRAM REPOSITORY_ROOT PROGRAM_THAT_CASTS
set -u
program=$(realpath "$1")
root=$(realpath "$2")
casts=$(realpath "$3")
skip() {
  echo "skipped: $1"
  exit 77
}
[[ -e $(dirname "$program")/ballotcast-mpi.so ]] || skip "the module for MPI is missing"
PATH=$PATH:/usr/sbin
for needed in srun slurmctld slurmd munged; do
  command -v $needed >/dev/null || skip "$needed is missing"
done
[[ $(id -u) -eq 0 ]] || skip "only root may start slurmd"
source "$root/tests/support/checks.sh"

# ---- A Slurm of its own -------------------------------------------------------------------------
here=$(mktemp -d /tmp/ballotcast-slurm-XXXXXX)  # names of sockets have at most 108 bytes
chmod 755 "$here"  # munged requires this
mkdir "$here/state" "$here/spool"
dd if=/dev/urandom of="$here/key" bs=1024 count=1 2>/dev/null
chmod 400 "$here/key"
export SLURM_CONF=$here/slurm.conf
host=$(hostname -s)
port=$((20000 + RANDOM % 10000))
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$here/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES OverSubscribe=FORCE:8
END
end_slurm() {
  timeout 10 scontrol shutdown
  for name in slurmd slurmctld munged; do
    local pid
    pid=$(<"$here/$name.pid") && kill "$pid"
    for ((i = 0; i < 50; ++i)); do kill -0 "$pid" && sleep 0.1; done
  done
  rm -rf "$here" "$work"
} >/dev/null 2>&1
trap end_slurm EXIT
munged --force --key-file="$here/key" --socket="$here/socket" --pid-file="$here/munged.pid" \
  --log-file="$here/munged.log" --seed-file="$here/seed" 2>"$here/started" &&
  slurmctld 2>>"$here/started" && slurmd -N "$host" 2>>"$here/started"
idle() { timeout 5 sinfo -h -o %T 2>>"$here/started" | grep -q idle; }
for ((i = 0; i < 50; ++i)); do
  idle && break
  sleep 0.2
done
idle || skip "Slurm does not start here: $(tail -1 "$here/started")"
srun --mpi=list 2>&1 | grep -q pmix || skip "this Slurm has no PMIx"

# ---- What ranks do ------------------------------------------------------------------------------
source "$root/tests/processes/ranks.sh"
box=$root/scenes/cornell-box.obj
ranks() { local n=$1 && shift && timeout 120 srun --mpi=pmix --overcommit -n "$n" "$@"; }

for n in 1 2 5; do
  check "a picture, $n ranks" same $n "$box" --device cpu --size 61x43 --spp 2
done
in_allocation() {
  timeout 120 salloc -n 2 mpirun -n 2 "$program" render "$box" --device cpu --size 61x43 --spp 2 -o more.png \
    >stdout 2>stderr && cmp one.png more.png && [[ $(grep -c '^wrote' stdout) -eq 1 ]]
}
check "the same with mpirun in an allocation" in_allocation
check "closest, any, count, all, points, kept rays" ranks 3 "$casts"
report() {
  ranks 3 "$program" render "$box" --device cpu --size 64x64 --json -o more.png >stdout 2>stderr &&
    [[ $(grep -c '"process": "rank [012] on ' stdout) -eq 3 ]]
}
check "the report has each rank" report
missing() {
  rm -f more.png
  ! ranks 3 "$program" render missing.obj --device cpu -o more.png >stdout 2>stderr &&
    [[ $(grep -c '^ballotcast: missing.obj' stderr) -eq 1 && ! -e more.png ]]
}
check "an error is told once, and ends all" missing
stopped() {  # stopped SIGNAL: sends the signal to a rank that draws
  local srun rank
  rm -f more.png
  ranks 3 "$program" render "$box" --device cpu --size 1600x1200 --spp 256 -o more.png >stdout 2>stderr &
  srun=$!
  rank=$(drawing_rank $srun) && kill "-$1" "$rank" || return 1
  ! wait $srun && none_left && [[ ! -e more.png ]]
}
check "a rank is killed during the frame: all end, nothing is written" stopped KILL
check "a rank is interrupted: all end, nothing is written" stopped INT
each() {
  ranks 2 "$program" info "$box" >stdout 2>stderr && [[ $(grep -c ' vertices ' stdout) -eq 2 ]]
}
check "other commands know nothing of that" each
finish
