# Tests regression suites: regress, accept, history.

# Makes suite.json, whose two cases are drawn on two devices.
suite() {
  cp "$root/scenes/cornell-box.obj" "$root/scenes/cornell-box.mtl" "$root/scenes/cornell-box.json" .
  cat >suite.json <<'END'
{"format": "ballotcast suite", "cases": [
  {"name": "room", "scene": "cornell-box.json", "shading": ["normal", "depth"], "size": [24, 16], "samples": 1,
   "on": {"device": ["cpu", "emulated"]}}]}
END
}

# Makes suite.json with all its pictures approved, and the page accept.html.
approved_suite() {
  suite
  "$ballotcast" accept suite.json room/normal room/depth --reason "walls and boxes are right" \
    --html accept.html >stdout 2>stderr
}

case_a_suite_that_is_none_or_new_fails() {
  suite
  check "regress: no suite: exit 2" fails 2 "needs a suite" regress
  check "regress: not there: exit 3, names it" fails 3 "none.json" regress none.json
  check "regress: a scene is no suite: exit 3" fails 3 "cornell-box.json" regress cornell-box.json
  check "regress: new cases fail: exit 1" run 1 "4 new" regress suite.json
}

case_accept_needs_cases_and_a_reason() {
  suite
  check "accept: no case: exit 2" fails 2 "names of the cases" accept suite.json --reason x
  check "accept: no reason: exit 2" fails 2 "needs a reason" accept suite.json 'room/*'
  check "accept: a blank reason: exit 2" fails 2 "needs a reason" accept suite.json 'room/*' --reason ' '
  check "accept: dots as a reason: exit 2" fails 2 "it has no words" accept suite.json 'room/*' --reason '...'
  check "accept: a reason that is no UTF-8: exit 2" fails 2 "not UTF-8" accept suite.json 'room/*' --reason $'a\xff'
  check "accept: unknown case: exit 2, guesses" \
    fails 2 "did you mean room/depth?" accept suite.json room/deph --reason x
}

case_accept_can_run_dry() {
  suite
  cp suite.json before.json
  check "accept --dry-run writes nothing" run 0 "nothing was written" accept suite.json '*' --dry-run
  check "accept --dry-run left the suite as it was" cmp suite.json before.json
  check "accept --dry-run made no golden" test ! -e suite-goldens
}

case_accept_approves_cases_and_writes_a_page() {
  suite
  check "accept: several cases" run 0 "accepted 2 of 2 cases" accept suite.json room/normal room/depth \
    --reason "walls and boxes are right" --html accept.html
  check "accept: wrote the page" grep -q "<title>suite.json: approved</title>" accept.html
  check "accept's page says what was approved" grep -qF '2 cases were approved: 2 new.' accept.html
  check "accept: the reason is kept" grep -q "walls and boxes are right" suite-history.jsonl
  check "accept --html in a picture: exit 2" \
    fails 2 "call it .html" accept suite.json room/depth --dry-run --html accept.png
}

case_history_tells_what_was_approved_and_why() {
  approved_suite
  check "history: of one case" run 0 "  $(date -u +%Y-%m-%d)  walls and boxes are right" history suite.json room/depth
  check "history: what it changed" grep -qF 'new: the first picture, 24x16.' stdout
  check "history: and no other case" test "$(grep -c : stdout)" = 2
  check "history: of all cases" run 0 "room/normal:" history suite.json
  check "history: unknown case: exit 2, guesses" fails 2 "did you mean room/depth?" history suite.json room/deph
  check "history: no suite: exit 2" fails 2 "needs a suite" history
}

case_a_program_that_fails_is_told_where_signals_of_children_are_ignored() {
  cat >suite.json <<'END'
{"format": "ballotcast suite", "cases": [{"name": "theirs", "command": ["sh", "-c", "exit 5"]}]}
END
  check "its exit code is known" run 1 "exit code 5" regress suite.json
  trap '' CHLD
  check "also if SIGCHLD is ignored" run 1 "exit code 5" regress suite.json
  trap - CHLD
}

broken_stays() {
  fails 3 "suite-history.jsonl:3:" accept suite.json '*' --reason x && tail -n 1 suite-history.jsonl | grep -qxF '{"case": 3}'
}

case_a_broken_history_is_told_and_stays() {
  approved_suite
  echo '{"case": 3}' >>suite-history.jsonl
  check "a broken history: exit 3, file and line" fails 3 "suite-history.jsonl:3: not an acceptance" history suite.json
  check "it stops regress" fails 3 "suite-history.jsonl:3:" regress suite.json
  check "accept leaves it as it is" broken_stays
}

regress_json() { "$ballotcast" regress suite.json --json >json 2>stderr && is_json json; }

case_approved_cases_pass() {
  approved_suite
  check "regress: passes" run 0 "6 of 6 negative controls were noticed" regress suite.json --junit j.xml --html r.html
  check "regress: says passed last" test "$(tail -n 1 stdout)" = passed
  check "regress: wrote XML and page" test -s j.xml -a -s r.html
  check "regress --json: one document" regress_json
  check "regress --only" run 0 "2 same" regress suite.json --only room/depth
  check "regress --only nothing: exit 2, guesses" \
    fails 2 "did you mean room/depth?" regress suite.json --only room/dept
}

case_regress_writes_over_no_input() {
  approved_suite
  check "regress --html onto the history: exit 2" fails 2 "call it .html" regress suite.json --html suite-history.jsonl
  check "regress --html onto a scene: exit 2" fails 2 "named like scene files" regress suite.json --html suite.json
  ln -s suite-goldens/room-depth.png golden.html
  check "regress --html onto a golden: exit 2" \
    fails 2 "is an input" regress suite.json --html golden.html
  check "regress --html onto a golden by its name: exit 2" \
    fails 2 "call it .html" regress suite.json --html suite-goldens/room-depth.png
  check "regress --junit: must be called .xml: exit 2" fails 2 "call it .xml" regress suite.json --junit j.txt
}

pasted() {  # pasted CASE REASON: runs the command that regress printed for the case
  local command
  command=$(grep -F " $1 --reason=" stdout | sed 's/^approve: //')
  [[ $command == "$ballotcast accept 'my suites/it'\\''s one.json' $1 --reason='...'" ]] || return 1
  sh -c "${command%\'...\'}$2" >accepted 2>stderr && grep -qF "accepted 1 of 1 case" accepted
}

# The printed commands are pasted into a shell, in a folder and for a suite with unusual names.
case_printed_commands_approve() {
  suite
  mkdir "my suites" && sed 's/"size": .24, 16./"size": [8, 6]/; s/cornell-box/..\/cornell-box/' suite.json >"my suites/it's one.json"
  check "regress prints commands" run 1 "approve: " regress "my suites/it's one.json"
  check "a command works" pasted room/depth "'it'\\''s right'"
  check "its reason is kept" grep -qF "\"it's right\"" "my suites/it's one-history.jsonl"
  check "regress prints the other one only" run 1 "approve: " regress "my suites/it's one.json"
  check "which is one line" test "$(grep -c '^approve: ' stdout)" = 1
}

# Makes many.json, a suite with so many cases that approving all by a pattern requires a page.
many_cases() {
  suite
  cat >many.json <<'END'
{"format": "ballotcast suite", "cases": [
  {"name": "m", "scene": "cornell-box.json", "shading": "all", "size": [8, 6], "samples": 1}]}
END
}

case_a_pattern_that_approves_many_cases_needs_a_page() {
  many_cases
  cp many.json before.json
  check "accept: a pattern that fits many: exit 2, what helps" fails 2 \
    "write a page of them (--dry-run --html FILE.html), look at it, then run again with --reviewed FILE.html" \
    accept many.json '*' --reason "all of it"
  check "accept: that approved nothing" cmp many.json before.json
  check "accept: with the page only written now: exit 2" fails 2 \
    "look at many.html, then run again with --reviewed many.html" accept many.json 'm/*' --reason all --html many.html
  check "accept: that approved nothing either" cmp many.json before.json
  check "accept: written and reviewed at once: exit 2" fails 2 "same file" \
    accept many.json '*' --reason all --html many.html --reviewed ./many.html
  check "accept: reviewed of no file: exit 3" fails 3 "none.html" \
    accept many.json '*' --reason all --reviewed none.html
  check "accept: five of them need no page" run 0 "accepted 5 of 5 cases" accept many.json m/lit m/normal m/depth \
    m/facing m/albedo --reason "each named"
  check "accept: --help says so" succeeds "--reviewed FILE" accept --help
}

case_pages_are_reviewed_before_many_cases_are_approved() {
  approved_suite
  many_cases
  "$ballotcast" regress suite.json --html r.html >stdout 2>stderr
  check "accept: reviewed of another page: exit 3" fails 3 "not a page of old and new pictures" \
    accept many.json '*' --reason all --reviewed r.html
  check "accept: reviewed, but other cases: exit 3" fails 3 "doesn't show m/" \
    accept many.json '*' --reason all --reviewed accept.html
  check "accept: a page of the rest" run 0 "nothing was written" accept many.json '*' --dry-run --html rest.html
  check "accept: reviewed" run 0 "accepted" accept many.json '*' --reason "looked at them all" --reviewed rest.html
}

warns_once() {
  run 0 "accepted 2 of 2" accept halves.json '*' --reason x && [[ $(grep -c 'warning: .*halves.obj' stderr) -eq 1 ]]
}

case_warnings_of_a_scene_are_told_once() {
  printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\nf 1 2 3\n' >halves.obj
  cat >halves.json <<'END'
{"format": "ballotcast suite", "cases": [
  {"name": "h", "scene": "halves.obj", "shading": ["normal", "depth"], "size": [8, 6], "samples": 1}]}
END
  check "accept: a scene's warnings once" warns_once
}

case_a_changed_scene_fails() {
  approved_suite
  sed -i 's/^v \(.*\)$/v \1 /; 0,/^v /s/^v /v 0/' cornell-box.obj
  check "regress: a changed scene fails, and is named" run 1 "cornell-box.obj was changed" regress suite.json
  check "regress: says FAILED last" test "$(tail -n 1 stdout)" = FAILED
}
