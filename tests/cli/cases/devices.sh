# Tests which device a request uses.

says_only_device() {
  fails 4 "device cuda can't be used" render "$1" --device cuda && [[ $(wc -l <stderr) -eq 1 ]]
}

auto_without_gpu() {
  succeeds "on cpu" render --size 16x8 --spp 1 -o a.png &&
    grep -q '^ballotcast: note: ' stderr
}

case_a_device_that_is_missing_is_told_first() {
  cuda=$("$ballotcast" info 2>&1 | sed -n '/^  cuda /,/^  cpu /p')
  if [[ $cuda == *"can't be used"* ]]; then
    check "--device cuda without a GPU: exit 4" fails 4 "cuda" render --device cuda
    # The scene is loaded while the device starts, but an error of the device must be reported
    # first.
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nhello\nf 1 2 3\n' >warned.obj
    check "--device cuda without a GPU: said before a missing scene" says_only_device missing.obj
    check "--device cuda without a GPU: said before warnings" says_only_device warned.obj
    check "--device auto without a GPU: cpu, and says so" auto_without_gpu
  else
    check "--device cuda with a GPU draws" succeeds "on cuda" render --size 16x8 --device cuda
  fi
}
