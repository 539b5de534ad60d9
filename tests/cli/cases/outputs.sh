# Tests where pictures are written, in which formats, and places that can't be written.

case_places_that_cant_be_written_are_refused() {
  mkdir out
  check "output in no directory: exit 3" fails 3 "out/no/x.png" render "${small[@]}" -o out/no/x.png
  check "output is a directory: exit 3" fails 3 "is a directory" render "${small[@]}" -o out
  check "hits in no directory: exit 3, before the picture is drawn" \
    fails 3 "out/no/h" render "${small[@]}" -o out/x.png --hits out/no/h
  if ((EUID != 0)); then
    chmod a-w out
    check "read-only directory: exit 3" fails 3 "out/x.png" render "${small[@]}" -o out/x.png
    chmod u+w out
  fi
  if [[ -c /dev/full ]]; then
    check "a full device as output: exit 3" fails 3 "No space left" render "${small[@]}" -o /dev/full
  fi
  check "failed writes leave no file" nothing_left out
}

full_stdout() {
  "$ballotcast" "$@" >/dev/full 2>stderr
  [[ $? -eq 3 && $(wc -l <stderr) -eq 1 ]] && grep -q '^ballotcast: stdout' stderr
}

closed_stdout() {
  "$ballotcast" "$@" >&- 2>stderr
  [[ $? -eq 3 ]]
}

reader_gone() {
  "$ballotcast" "$@" 2>stderr | true
  [[ ${PIPESTATUS[0]} -eq 3 || ${PIPESTATUS[0]} -eq 0 ]]  # 0: the program was faster than `true`
}

case_a_stdout_that_is_full_or_closed_is_told() {
  if [[ -c /dev/full ]]; then
    check "full stdout: exit 3 (render)" full_stdout render "${small[@]}" -o x.png
    check "full stdout: exit 3 (info)" full_stdout info
    check "full stdout: exit 3 (help)" full_stdout --help
  fi
  check "closed stdout: exit 3" closed_stdout info
  check "reader of stdout gone: no signal" reader_gone info
}

default_output() { succeeds "wrote ballotcast.png" render "${small[@]}" && [[ -f ballotcast.png ]]; }

case_a_picture_is_written_and_one_line_says_so() {
  check "a picture: one line" succeeds "wrote a.png (16x8, lit, 1 sample per pixel) in" \
    render "${small[@]}" -o a.png
  check "it is a PNG" test "$(head -c 4 a.png | tail -c 3)" = PNG
  check "nothing else was written" test "$(find . -type f ! -name 'std*')" = ./a.png
  check "stderr stays empty where it is no terminal" silent_stderr render "${small[@]}" -o a.png
  check "without -o: ballotcast.png here" default_output
}

picture_to_stdout() {
  "$ballotcast" render "${small[@]}" -o /dev/stdout >stdout 2>stderr && cmp -s stdout a.png
}

to_stdout() {  # to_stdout NAME: the picture goes to stdout, the message about it to stderr
  "$ballotcast" render "${small[@]}" -o "$1" >stdout 2>stderr && cmp -s stdout a.png &&
    grep -q '^ballotcast: wrote ' stderr
}

to_pipe() { "$ballotcast" render "${small[@]}" -o "$1" 2>stderr | cmp -s - a.png && grep -q wrote stderr; }

says_standard_output() { "$ballotcast" render "${small[@]}" -o - 2>&1 >stdout | grep -q "wrote a picture to standard output"; }

by_its_own_name() {
  "$ballotcast" render "${small[@]}" -o own.png >own.png 2>stderr && cmp -s own.png a.png &&
    grep -q '^ballotcast: wrote ' stderr
}

to_null() { "$ballotcast" render "${small[@]}" -o /dev/null --json >/dev/null 2>stderr; }

case_a_picture_can_go_to_stdout() {
  draw a.png
  check "a picture to stdout, and nothing else" picture_to_stdout
  for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    check "-o $name is stdout" to_stdout "$name"
    check "-o $name into a pipe" to_pipe "$name"
    check "-o $name and --json: exit 2" fails 2 "can't share stdout" render "${small[@]}" -o "$name" --json
  done
  check "-o - is no file" test ! -e ./-
  check "-o - is called standard output" says_standard_output
  check "stdout by its file's name" by_its_own_name
  check "/dev/null takes a picture and a report" to_null
}

# Runs the program with a terminal as stdout, and returns its exit code.
on_terminal() {
  python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' \
    "$ballotcast" "$@" >stdout 2>stderr </dev/null
}

terminal_is_refused() {
  on_terminal render "${small[@]}" -o -
  [[ $? -eq 2 ]] && grep -q "is a terminal" stdout && ! grep -q PNG stdout
}

case_a_picture_to_a_terminal_is_refused() {
  needs python3
  check "a picture to a terminal: exit 2" terminal_is_refused
}

linear_json() {
  "$ballotcast" render "${small[@]}" -o "l.$1" --json >json 2>stderr && is_json json &&
    [[ $(value_of json output_format) == "$1" ]]
}

case_linear_pictures_are_written() {
  for format in pfm hdr; do
    check "a linear picture: $format" \
      succeeds "wrote l.$format (16x8, lit, linear, 1 sample per pixel) in" \
      render "${small[@]}" -o "l.$format"
  done
  check "a PFM begins like one" test "$(head -c 2 l.pfm)" = PF
  check "an HDR begins like one" test "$(head -c 2 l.hdr)" = "#?"
  check "a linear picture on emulated" \
    succeeds wrote render "${small[@]}" --device emulated -o m.PFM
  check "the same bytes" cmp -s l.pfm m.PFM
  check "an exposure doesn't change it" succeeds wrote render "${small[@]}" --exposure 9 -o m.PFM
  check "the same bytes again" cmp -s l.pfm m.PFM
  if [[ $("$ballotcast" --version) == *"OpenEXR: yes"* ]]; then
    check "a linear picture: exr" succeeds "l.exr (16x8, lit, linear" render "${small[@]}" -o l.exr
    check "exr and pfm hold the same" succeeds "Every sample" compare l.exr l.pfm
  else
    check "OpenEXR is not there: exit 2" fails 2 "libopenexr-dev" render "${small[@]}" -o l.exr
  fi
  check "--json says what was written: hdr" linear_json hdr
  check "--json says what its numbers are" grep -q "linear radiance, before exposure" json
  check "--json says what was written: png" linear_json png
}
