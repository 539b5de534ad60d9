#!/usr/bin/env bash
# Opens a page of compared pictures in a headless browser, types reasons, and runs the commands that
# the page shows in a shell: each word must arrive as it was typed. The history must be collapsed,
# with the newest acceptance first. Nothing may be wider than a phone's screen.
# Usage: approve_page_test.sh MAKE_PAGE     exit code 77: skipped, because Chromium is not installed
set -u

make_page=$(realpath "$1")
# shellcheck source=tests/compare/picture_page.sh
source "$(dirname "$(realpath "$0")")/picture_page.sh"

"$make_page" page.html || exit 2

probe page.html approve.html <<'END'
const copied = [];
let allowed = true;
Object.defineProperty(navigator, "clipboard", {value: {writeText: async text => {
  if (!allowed) throw new Error("refused");
  copied.push(text);
}}});
const type = text => {
  find("#reason").value = text;
  find("#reason").dispatchEvent(new Event("input", {bubbles: true}));
};
const command = () => find("#command").textContent;
const press = async () => {
  find("#copy").click();
  await pause(50);
  return find("#copied").textContent;
};
say("plain " + command());
say("folder " + find("#folder").textContent);
say("label " + find("#reason").labels[0].textContent);
key("a");
say("key " + document.activeElement.id);
say("no reason " + await press() + " " + copied.length + " " + document.activeElement.id);
type(" ... ");
say("only dots " + await press() + " " + copied.length);
type("the lamp is warmer");
say("typed " + command());
say("copies " + await press() + " " + (copied.at(-1) === command()));
key("j", find("#reason"));
say("stays " + find("#name").textContent);
for (const reason of ["it's 'right'", "a \"b\" $HOME `id` \\ !x; # <b>&amp;", "--dry-run", "grün, 赤"]) {
  type(reason);
  say("run " + command());
}
allowed = false;
const said = await press();
say("refused " + (said === "Copied." || said === "Not copied: the command is selected, press Ctrl+C.") + " " +
  (getSelection().toString() === command()));
choose(kCases.find(entry => entry.verdict === "same"));
say("same " + find("#approval").hidden);
find("#reason").blur();
key("a");
say("no key " + (document.activeElement.id === "reason"));
choose(kCases[0]);
say("kept " + find("#reason").value);
const acceptances = find("#acceptances");
say("folded " + !acceptances.open + " " + acceptances.querySelector("summary").textContent);
acceptances.querySelector("summary").click();
say("unfolded " + acceptances.open + " " +
  [...acceptances.querySelectorAll("li strong")].map(date => date.textContent).join());
say("what " + acceptances.querySelector("li .soft").textContent);
END
later approve.html ""
check "no script fails" no_errors
check "all of what a reader does was done" probed "end"
check "the command has dots until there is a reason" \
  probed "plain ballotcast accept 'my suite/suite.json' atrium --reason='...'"
check "the folder is told" probed "folder Run it in /home/me/project"
check "the field has a label" probed "label Why is the new picture right?"
check "a goes to the field" probed "key reason"
check "nothing is copied without a reason" probed "no reason Type a reason first. 0 reason"
check "dots are no reason" probed "only dots Type a reason first. 0"
check "the command has what is typed" \
  probed "typed ballotcast accept 'my suite/suite.json' atrium --reason='the lamp is warmer'"
check "the button copies the command" probed "copies Copied. true"
check "keys in the field are text" probed "stays atrium-path-wavefront-640x360"
check "a refused copy is told, and the command selected" probed "refused true true"
check "what is the same has no command" probed "same true"
check "and no key for it" probed "no key false"
check "a typed reason is kept" probed "kept grün, 赤"
check "the history is folded" \
  probed "folded true History 2 acceptances, the last 2026-03-02: Paths end by roulette from the fourth bounce on"
check "and unfolds, the newest first" probed "unfolded true 2026-03-02,2026-01-15"
check "it tells what changed" \
  probed "what different: 41,220 of 230,400 pixels differ, by up to 9 of 255; FLIP 0.0207."

# Makes a program called ballotcast that writes its arguments to a file, one per line.
mkdir bin && printf '#!/bin/sh\nprintf "%%s\\n" "$@" >words\n' >bin/ballotcast && chmod +x bin/ballotcast
arrives() {  # arrives N REASON: the Nth command, run in a shell, has this reason
  said | sed 's/&amp;/\&/g' | sed -n 's/^run //p' | sed -n "$1p" >command
  [[ -s command ]] && PATH=$PWD/bin:$PATH sh command &&
    diff words <(printf '%s\n' accept "my suite/suite.json" atrium "--reason=$2") >stderr
}
check "quotes arrive" arrives 1 "it's 'right'"
check "what a shell would replace arrives" arrives 2 "a \"b\" \$HOME \`id\` \\ !x; # <b>&amp;"
check "what looks like an option arrives" arrives 3 "--dry-run"
check "letters of all languages arrive" arrives 4 "grün, 赤"

# Opens the page on a narrow screen, as of a phone.
probe page.html inner.html <<'END'
find("#acceptances").open = true;
find("#reason").value = "w".repeat(300);
find("#reason").dispatchEvent(new Event("input"));
const wide = [...document.querySelectorAll("#approval, #approval *, #acceptances, #acceptances *")].filter(
  element => element.getBoundingClientRect().right > innerWidth + 0.5);
say("phone " + innerWidth + " " + (document.documentElement.scrollWidth > innerWidth) + " " +
  wide.map(element => element.tagName).join());
parent.postMessage(find("#probe").textContent, "*");
END
cat >phone.html <<'END'
<body><iframe style="width: 360px; height: 700px; border: 0" src="inner.html"></iframe>
<pre id="probe" style="white-space: pre-wrap; overflow-wrap: anywhere"></pre>
<p id="failure" role="alert" hidden=""></p>
<script>
addEventListener("message", event => document.getElementById("probe").textContent = event.data);
</script>
END
later phone.html ""
check "nothing is wider than a phone" probed "phone 360 false "

finish
