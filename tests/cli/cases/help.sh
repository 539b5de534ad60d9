# Tests the help texts of the program and of each subcommand.

case_help_is_there_in_every_way() {
  check "no words: help, exit 0" succeeds "Usage: ballotcast SUBCOMMAND"
  check "--help" succeeds "Usage: ballotcast SUBCOMMAND" --help
  check "help" succeeds "Usage: ballotcast SUBCOMMAND" help
  check "help COMMAND" succeeds "Usage: ballotcast render [SCENE] [OPTIONS]" help render
  check "help of a command of two words" succeeds "Usage: ballotcast bench rays" help bench rays
  check "help of no command: exit 2" fails 2 "unknown subcommand 'nosuch'" help nosuch
  check "usage: files that are needed have no brackets" succeeds "Usage: ballotcast compare REFERENCE RESULT [OPTIONS]" compare --help
  check "usage: others have" succeeds "Usage: ballotcast render [SCENE] [OPTIONS]" render --help
  check "--version" succeeds "(CUDA: " --version
}

case_help_fits_in_80_columns() {
  check "--help fits in 80 columns" fits --help
  for subcommand in $("$ballotcast" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z_-]*\) .*/\1/p'); do
    check "$subcommand --help" succeeds "Usage: ballotcast $subcommand" "$subcommand" --help
    check "$subcommand --help fits in 80 columns" fits "$subcommand" --help
  done
  for what in "bench" "bench atomics" "bench rays" "bench builds" "bench primitives" "bench report"; do
    # shellcheck disable=SC2086  # two words
    check "$what --help fits in 80 columns" fits $what --help
  done
}
