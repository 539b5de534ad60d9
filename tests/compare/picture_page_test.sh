#!/usr/bin/env bash
# Opens pages of compared pictures in a headless browser. Cases must be listed and filtered;
# pictures must slide, blink, zoom and show the exact values of their pixels; keys must work; an
# address must restore what was shown; no script may fail; nothing may be wider than a phone's
# screen.
# Usage: picture_page_test.sh MAKE_PAGE     exit code 77: skipped, because Chromium is not installed
set -u

make_page=$(realpath "$1")
# shellcheck source=tests/compare/picture_page.sh
source "$(dirname "$(realpath "$0")")/picture_page.sh"

"$make_page" page.html && "$make_page" many.html --many 1000 && "$make_page" review.html --review || exit 2

later page.html ""
if [[ ! -s dom ]]; then
  echo "the browser gave no page:"
  tail -5 errors
  exit 1
fi
check "no script fails" no_errors
check "what failed is said first" holds '✗ 4 cases FAILED, 7 right, 1 skipped.'
check "the first case is a failed one" holds '<h2 id="name">atrium-path-wavefront-640x360</h2>'
check "and its pictures are there" holds '640 × 360, 8-bit RGB'
check "nothing is loaded" test -z "$(grep -oE '(src|href)="?(https?:)?//[^"]*' page.html)"
check "markup in notes is text" holds 'A note with &lt;i&gt;markup&lt;/i&gt;.'
check "hostile words do no harm" test "$(grep -c "<title>Pictures of the suite" dom)" = 1 -a -z "$(grep '<title>harmed' dom)"
check "and are shown as they are" holds "hostile &lt;/script&gt;&lt;script&gt;document.title='harmed'"

probe page.html reader.html <<'END'
const pressedSheet = () => find("#to-sheet").getAttribute("aria-pressed") + " " + find("#case").hidden;
const rows = () => [...document.querySelectorAll("#list li:not([hidden])")];
say("title " + document.title);
say("rows " + rows().length);
find('#verdicts [data-verdict="within limits"]').click();
say("verdict " + rows().length + " " + find("#found").textContent);
await pause(200);
say("chosen " + find("#name").textContent + " " + find("#place").textContent);
find('#verdicts [data-verdict=""]').click();
find("#words").value = "MEGAKERNEL slivers";
find("#words").dispatchEvent(new Event("input"));
say("words " + rows().map(row => row.querySelector(".title").textContent).join());
find("#words").value = "";
find("#words").dispatchEvent(new Event("input"));

choose(kCases[0]);
await settled();
say("opens with " + pressed());
const box = find("#stage").getBoundingClientRect();
key("1");
say("one " + pressed());
const x = Math.round(box.width * 0.62), y = Math.round(box.height * 0.3);
const reference = shown(x, y);
key("2");
const result = shown(x, y);
say("apart " + (reference !== result));
key("w");
find("#wipe").value = 900;
find("#wipe").dispatchEvent(new Event("input"));
say("slide right " + (shown(x, y) === reference));
find("#wipe").value = 100;
find("#wipe").dispatchEvent(new Event("input"));
say("slide left " + (shown(x, y) === result));
const at = find("#stage").clientWidth * 0.1 + box.left;
pointer("pointerdown", at, box.top + 50);
pointer("pointermove", at + box.width * 0.6, box.top + 50);
pointer("pointerup", at + box.width * 0.6, box.top + 50);
say("slide dragged " + (Math.abs(find("#wipe").value - 700) < 5) + " " + (shown(x, y) === reference));
key("b");
const seen = new Set();
for (let i = 0; i < 6; ++i) {
  await pause(300);
  seen.add(find("#left").textContent + " " + (shown(x, y) === reference));
}
say("blinks " + [...seen].sort().join());
key("b");
say("blinks no more " + pressed());
key("s");
find("#second").value = "difference";
find("#second").dispatchEvent(new Event("change"));
say("side by side " + find("#left").textContent + " " + find("#right").textContent);

key("x");
say("worst " + readout() + " zoom " + find("#zoom").textContent);
find("#second").value = "result";
find("#second").dispatchEvent(new Event("change"));
say("worst " + readout());
key("0");
say("fits " + find("#zoom").textContent.startsWith("fit"));
key("z");
say("zoomed " + find("#zoom").textContent);
key("+");
say("twice " + find("#zoom").textContent);
await pause(300);
say("kept " + ["case=atrium-path", "zoom=32", "show=sides", "pixel=397%2C108"].every(part => location.hash.includes(part)));
key("0");
const before = viewer.stage.scale;
find("#stage").dispatchEvent(new WheelEvent("wheel", {deltaY: -240, clientX: box.left + 9, clientY: box.top + 9, cancelable: true}));
say("wheel " + (Math.abs(viewer.stage.scale / before - 2) < 1e-6));

key("j");
say("next " + find("#name").textContent);
key("k");
key("ArrowDown", find("#list"));
key("ArrowRight");
say("after it " + find("#name").textContent);
await settled();
say("damaged " + (find("#remark").textContent.startsWith("Result can't be read")));

// The exact values of pixels, of every kind of file.
const values = async (name, ...pixels) => {
  choose(kCases.find(entry => entry.name === name));
  await settled();
  for (const pixel of pixels) {
    pin(pixel);
    say(name + " " + readout());
  }
};
await values("slivers-depth-16bit", {x: 40, y: 0}, {x: 95, y: 63});
await values("glass-alpha", {x: 63, y: 47});
await values("kind-palette", {x: 2, y: 1}, {x: 29, y: 19}, {x: 3, y: 1});
await values("kind-grey-alpha", {x: 29, y: 19});
say("rounded " + find("#remark").textContent.includes("may be rounded"));
key("ArrowLeft", find("#stage"));
key("ArrowUp", find("#stage"));
say("arrows " + readout());
setShow("reference");
viewer.stage.look(null, null);
const stage = find("#stage").getBoundingClientRect();
pointer("pointermove", stage.left + stage.width / 2 + 2, stage.top + stage.height / 2 + 2);
say("pointed " + readout());

choose(kCases.find(entry => entry.name === "slivers-depth-16bit"));
await settled();
const thumb = find('#thumbs [data-show="difference"] canvas');
const lit = thumb.getContext("2d").getImageData(0, 0, thumb.width, thumb.height).data.filter((v, i) => i % 4 < 3 && v > 0);
say("thumb " + thumb.width + " lit " + lit.length + " of " + Math.min(...lit));

key("c");
say("sheet " + pressedSheet() + " cards " + document.querySelectorAll(".card").length);
for (let i = 0; i < 40 && sheet.busy; ++i) await settled();
const drawn = name => [...document.querySelectorAll(".card")].find(card => card.entry.name === name);
const cardOfFirst = drawn("atrium-path-wavefront-640x360");
say("card " + [...cardOfFirst.querySelectorAll(".small")].map(small => small.textContent + (small.querySelector("canvas") ? " drawn" : "")).join());
find("#words").value = "glass";
find("#words").dispatchEvent(new Event("input"));
say("found cards " + [...document.querySelectorAll(".card")].map(card => card.entry.name).join());
find(".card").click();
await settled();
say("opened " + pressedSheet() + " " + find("#name").textContent);
find("#words").value = "";
find("#words").dispatchEvent(new Event("input"));

choose(kCases.find(entry => entry.verdict === "same"));
await settled();
say("same " + find("#remark").textContent);
say("pictures " + document.querySelectorAll("#thumbs figure").length);
key("?");
say("help " + find("#help").open);
find("#help").close();
find("#theme").click();
find("#theme").click();
say("theme " + getComputedStyle(document.body).backgroundColor);
document.documentElement.style.width = "360px";
find("main").style.display = "block";
END
later reader.html ""
check "no script fails while it is read" no_errors
check "all of what a reader does was done" probed "end"
check "hostile words have done nothing" probed 'title Pictures of the suite "small" <on> one GPU'
check "all cases are listed" probed "rows 12"
check "a verdict filters them" probed "verdict 2 2 of 12 cases"
check "and the first of them is chosen" probed "chosen slivers-depth-16bit 1 of 2"
check "words filter them" probed "words slivers-depth-16bit"
check "two pictures open with the slide" probed "opens with wipe"
check "key 1 shows the reference" probed "one reference"
check "the result looks different" probed "apart true"
check "left of the slide is the first picture" probed "slide right true"
check "right of it the second" probed "slide left true"
check "the slide can be dragged" probed "slide dragged true true"
check "blinking goes from one to the other" probed "blinks Reference true,Result false"
check "and stops" probed "blinks no more wipe"
check "the reader chooses the two pictures" probed "side by side Reference Difference"
check "the worst pixel is found" probed "worst x 397  y 108 | 36 17 8 | 255 255 255 | +219 +238 +247 zoom 2,400 %"
check "and its step told" probed "worst x 397  y 108 | 36 17 8 | 17 29 3 | −19 +12 −5"
check "0 shows all" probed "fits true"
check "z zooms to pixels" probed "zoomed 1,600 %"
check "+ zooms on" probed "twice 3,200 %"
check "the address keeps what is seen" probed "kept true"
check "the wheel zooms" probed "wheel true"
check "j goes to the next case" probed "next glass-alpha"
check "arrows, too" probed "after it kind-cut-off"
check "a damaged file is said to be" probed "damaged true"
check "16 bits are told exactly" probed "slivers-depth-16bit x 40  y 0 | 10280 65535 12345 | 10280 65535 12346 | 0 0 +1"
check "in every row's filter" probed "slivers-depth-16bit x 95  y 63 | 24478 65346 12345 | 24478 65346 12345 | 0 0 0"
check "colours are not rounded by their alpha" probed "glass-alpha x 63  y 47 | 63 94 100 3 | 63 94 101 3 | 0 0 +1 0"
check "palettes are looked up, 2 bits of grey read" probed "kind-palette x 2  y 1 | 10 20 30 255 | 3"
check "with the alphas of the palette" probed "kind-palette x 3  y 1 | 200 100 50 77 | 0"
check "to the last pixel" probed "kind-palette x 29  y 19 | 10 20 30 255 | 0"
check "grey and alpha of 16 bits" probed "kind-grey-alpha x 29  y 19 | 29019 27535 | 164 165 166 255"
check "what the browser reads is said to be so" probed "rounded true"
check "arrow keys go from pixel to pixel" probed "arrows x 28  y 18 | 28018 29535 | 158 159 160 255"
check "a pointer tells its pixel" probed "pointed x 15  y 10 | 15010 45535 | 85 86 87 255"
check "dark differences of few pixels are seen when they are small" probed "thumb 150 lit 27 of 153"
check "the contact sheet has all cases" probed "sheet true true cards 12"
check "with their pictures" probed "card Reference drawn,Result drawn,Difference drawn"
check "the list's words filter it" probed "found cards glass-alpha"
check "a click opens a case" probed "opened false false glass-alpha"
check "the same bytes are said to be" probed "same The result is the reference, byte for byte: there is one picture to see."
check "and shown once" probed "pictures 1"
check "? tells the keys" probed "help true"
check "the theme goes from the system's to light to dark" probed "theme rgb(22, 24, 28)"

# Opens a page with one case for review, without limits.
probe review.html one.html <<'END'
const seen = words => getComputedStyle(find(words)).display !== "none";
say("seen " + ["#cases", "#verdicts", "#to-sheet", ".steps", "#stage"].map(words => words + " " + seen(words)).join());
say("summary " + find("#summary").className + " " + find("#summary").textContent);
say("mark " + find("#verdict").className + " " + find("#verdict strong").textContent);
say("broken " + document.querySelectorAll(".broken").length + " crosses " + find("#tables").textContent.includes("✗"));
END
later one.html ""
check "no script fails with one case" no_errors
check "where there is one case there is no search" \
  probed "seen #cases false,#verdicts false,#to-sheet false,.steps false,#stage true"
check "what is to be reviewed is said" probed "summary banner care ! 1,132 of 230,400 pixels differ; no limit was set."
check "what is new is not called broken" probed "broken 0 crosses false"
check "and marked as such" probed "mark verdict care ≠ different"

# A saved address must restore what was shown. The page is in a frame as wide as a phone, because
# browser windows can't be that narrow.
probe page.html inner.html <<'END'
say("again " + [find("#name").textContent, pressed(), find("#zoom").textContent, readout()].join(" "));
const wide = [...document.body.querySelectorAll("*")].filter(element => !element.closest(".skip, .why, script, pre") &&
  element.getBoundingClientRect().right > innerWidth + 0.5);
say("phone " + innerWidth + " scrolls " + (document.documentElement.scrollWidth > innerWidth) + " wider: " +
  (wide.slice(0, 3).map(element => element.tagName + "." + element.className + element.id).join() || "none"));
const names = [...document.querySelectorAll("button, select, input, canvas[tabindex], [role=listbox]")]
  .filter(element => !element.closest("[hidden]"));
say("nameless " + names.filter(element => !(element.textContent.trim() || element.getAttribute("aria-label") || element.labels?.length)).length);
parent.postMessage(find("#probe").textContent, "*");
END
cat >phone.html <<'END'
<body><iframe style="width: 360px; height: 700px; border: 0"></iframe><pre id="probe" style="white-space: pre-wrap; overflow-wrap: anywhere"></pre>
<p id="failure" role="alert" hidden=""></p>
<script>
addEventListener("message", event => document.getElementById("probe").textContent = event.data);
document.querySelector("iframe").src = "inner.html" + location.hash;
</script>
END
later phone.html "case=slivers-depth-16bit&show=sides&zoom=20&at=40.5,0.5&pixel=40,1"
check "no script fails on a phone" no_errors
check "an address brings back what was seen" \
  probed "again slivers-depth-16bit sides 2,000 % x 40  y 1 | 10281 65532 12345 | 10281 65532 12346 | 0 0 +1"
check "nothing is wider than a phone" probed "phone 360 scrolls false wider: none"
check "all that can be pressed has a name" probed "nameless 0"

# Measures the page's speed in real time, so the page's script must not wait for anything.
probe many.html measured.html </dev/null
sed -i '/^setTimeout(async/,$d' measured.html
cat >>measured.html <<'END'
document.body.offsetHeight;
const opened = performance.now();
find("#words").value = "atrium case-99";
find("#words").dispatchEvent(new Event("input"));
document.body.offsetHeight;
const filtered = performance.now() - opened;
say("rows " + document.querySelectorAll("#list li:not([hidden])").length + " of " + kRows.size);
say("decoded " + kDecoded.size);
say(`opened in ${Math.round(opened)} ms, filtered in ${Math.round(filtered)} ms`);
say("quick " + (opened < 3000 && filtered < 300));
</script></body></html>
END
open_page measured.html ""
said | grep -F "opened in"
check "1000 cases open and filter quickly" probed "quick true"
check "the filter leaves what holds all words" probed "rows 1 of 1000"
check "only the chosen case's pictures are decoded" test "$(said | sed -n 's/^decoded //p')" -le 8

finish
