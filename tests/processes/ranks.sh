# What the scripts of this folder share. They set `program`, and define ranks N COMMAND..., which
# starts N processes of COMMAND.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Ranks share the cores, and may sleep when they wait.
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none  # containers forbid the other ones

# same RANKS OPTION...: draws a picture and its hits with one process and with several.
same() {
  local n=$1
  shift
  "$program" render "$@" -o one.png --hits one.hits >stdout 2>stderr &&
    ranks "$n" "$program" render "$@" -o more.png --hits more.hits >stdout 2>stderr &&
    cmp one.png more.png && cmp one.hits more.hits && [[ $(grep -c '^wrote' stdout) -eq 1 ]]
}

# drawing_rank PID: the process of a rank that draws more.png, as soon as it draws; PID started it.
drawing_rank() {
  local rank=
  # It draws when it has worked for 1 s: nothing else takes so long.
  until [[ $rank && $(ps -o cputimes= -p "$rank") -ge 1 ]]; do
    kill -0 "$1" || return 1
    sleep 0.2
    rank=$(pgrep -f "^$program render.*more.png" | tail -1)
  done
  echo "$rank"
}

none_left() { ! pgrep -f "$program render.*more.png" >/dev/null; }
