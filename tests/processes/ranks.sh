# Functions that the scripts of this folder share. A script must set `program`, and define ranks N
# COMMAND..., which starts N processes of COMMAND.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Ranks share the cores. So let ranks that wait give up their core.
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none  # containers forbid the other mechanisms

# same RANKS OPTION...: draws a picture and its hits with one process and with RANKS processes, and
# compares the files.
same() {
  local n=$1
  shift
  "$program" render "$@" -o one.png --hits one.hits >stdout 2>stderr &&
    ranks "$n" "$program" render "$@" -o more.png --hits more.hits >stdout 2>stderr &&
    cmp one.png more.png && cmp one.hits more.hits && [[ $(grep -c '^wrote' stdout) -eq 1 ]]
}

# drawing_rank PID: waits until a rank that process PID has started draws more.png. Prints the
# process id of the rank.
drawing_rank() {
  local rank=
  # A rank that has used 1 s of CPU time is drawing: nothing else takes so long.
  until [[ $rank && $(ps -o cputimes= -p "$rank") -ge 1 ]]; do
    kill -0 "$1" || return 1
    sleep 0.2
    rank=$(pgrep -f "^$program render.*more.png" | tail -1)
  done
  echo "$rank"
}

none_left() { ! pgrep -f "$program render.*more.png" >/dev/null; }
