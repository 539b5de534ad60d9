# Functions for tests of the page of compared pictures in a headless browser. Source this file after
# making all arguments absolute.
# shellcheck source=tests/support/browser.sh
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/browser.sh"

# Opens page $1 with fragment $2 and waits for its timers.
later() { open_page "$1" "$2" --virtual-time-budget=20000; }

said() { sed -n '/<pre id="probe"/,/<\/pre>/{s/<[^>]*>//g;s/&lt;/</g;s/&gt;/>/g;p}' dom; }
probed() { grep -qxF -- "$1" <(said) || { grep -m1 "^${1%% *}" <(said); false; }; }

# Writes page $1 as page $2, with the script of stdin at its end. The script may call say(text) to
# print a line, find(selector) for the first matching element, and key(name) to press a key.
probe() {
  sed '/^<\/body>/d; /^<\/html>/d' "$1" >"$2"
  cat >>"$2" <<'END'
<pre id="probe" style="white-space: pre-wrap; overflow-wrap: anywhere"></pre>
<script>
const find = words => document.querySelector(words);
const say = words => find("#probe").append("\n" + words);
const pause = ms => new Promise(done => setTimeout(done, ms));
// Until the pictures of the case are there. Threads decode them, and time goes ahead of these: they get some.
const settled = async () => {
  for (let i = 0; i < 60 && (i === 0 || find("#viewer").getAttribute("aria-busy") === "true"); ++i) {
    for (let n = 0, x = 1; n < 2e6; ++n) x = Math.sin(x);
    await pause(20);
  }
};
const key = (name, on = document.body) => on.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true}));
const pointer = (type, x, y) => find("#stage").dispatchEvent(
    new PointerEvent(type, {bubbles: true, pointerId: 1, clientX: x, clientY: y}));
const readout = () => [...find("#readout").querySelectorAll("code")].map(code => code.textContent).join(" | ");
const pressed = () => [...document.querySelectorAll("#viewer [aria-pressed=true]")].map(b => b.dataset.show).join();
// The colour that the stage shows at a place of it.
const shown = (x, y) => {
  viewer.stage.drawNow();
  return [...find("#stage").getContext("2d").getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data].join(" ");
};
END
  printf '%s\n' "setTimeout(async () => {" "await settled();" "$(cat)" 'say("end");' "}, 500);" "</script></body></html>" >>"$2"
}
