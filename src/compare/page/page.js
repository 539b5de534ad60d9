// The page: its header, the list, the case, the conditions, and the keys with the list that
// explains them. The address stores the theme, the case, and the state of list.js and viewer.js.

const kKeys = [
  ["j  →", "next case", () => step(1), ["j", "ArrowRight"]],
  ["k  ←", "previous case", () => step(-1), ["k", "ArrowLeft"]],
  ["1 2 3 4", "reference, result, difference, FLIP", event => showByKey(event.key), ["1", "2", "3", "4"]],
  ["w", "slide between two pictures", () => setShow("wipe"), ["w"]],
  ["b", "blink between them, and stop", () => setShow("blink"), ["b"]],
  ["s", "both side by side", () => setShow("sides"), ["s"]],
  ["z", "zoom to pixels, and back", toggleZoom, ["z"]],
  ["+  −", "zoom", event => viewer.stage.zoomBy(event.key === "-" ? 0.5 : 2), ["+", "=", "-"]],
  ["0", "the whole picture", () => viewer.stage.look(null, null), ["0"]],
  ["x", "the worst pixel", goToWorst, ["x"]],
  ["c", "contact sheet: all cases, small", () => setSheet(kCases.length > 1 && !showsSheet()), ["c"]],
  ["a", "approve: type the reason", goToReason, ["a"]],
  ["/", "search for words", () => document.getElementById("words").focus(), ["/"]],
  ["?", "this list", showHelp, ["?"]],
];

function showByKey(key) {
  const name = Object.keys(kPictures)[key - 1];
  // If the result is the same picture as the reference, both keys belong to the reference.
  const there = name === "result" && isSame(viewer.entry) ? "reference" : name;
  if (there in viewer.pictures) setShow(there);
}

function fillHelp() {
  const close = html("button", {type: "button"}, "Close");
  close.addEventListener("click", () => document.getElementById("help").close());
  const rows = kKeys.flatMap(([keys, what]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, what)]);
  document.getElementById("help").append(
      html("div", {className: "head"}, html("h2", {id: "help-title"}, "Keys"), close),
      html("dl", {}, ...rows),
      html(
          "p", {className: "soft"},
          "In the list, up and down go through the cases. On the picture, arrow keys go from pixel ",
          "to pixel, with Shift by ten; the wheel zooms, dragging moves, a click marks a pixel; ",
          "the slide can be dragged, too."),
      html("p", {className: "soft"}, "The address of the page contains the case and the view."));
}

function showHelp() { document.getElementById("help").showModal(); }

function listenToKeys() {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.getElementById("help").open) return;
    const target = event.target;
    if (["words", "reason"].includes(target.id) && event.key === "Escape") return target.blur();
    if (target.matches("input, select")) return;
    const inList = target.id === "list" && {ArrowDown: 1, ArrowUp: -1}[event.key];
    const action = inList ? () => step(inList) : kKeys.find(([, , , keys]) => keys.includes(event.key))?.[2];
    if (!action || viewer.entry === null) return;
    event.preventDefault();
    action(event);
  });
}

function showSummary() {
  const {cases} = kDocument, count = outcome => cases.filter(entry => entry.outcome === outcome).length;
  const failed = count("failed"), skipped = count("skipped"), ok = count("ok"), review = count("to review");
  const summary = document.getElementById("summary");
  summary.hidden = false;
  summary.className = "banner " + (failed > 0 ? "wrong" : review > 0 ? "care" : "right");
  if (kDocument.summary !== "") {
    summary.textContent = `${kTones[failed > 0 ? "bad" : review > 0 ? "care" : "good"]} ${kDocument.summary}`;
    return;
  }
  const rest = `${grouped(ok)} right` + (skipped > 0 ? `, ${grouped(skipped)} skipped` : "");
  summary.textContent = cases.length === 0 ? "There are no cases." :
      failed > 0                           ? `✗ ${plural(failed, "case")} FAILED, ${rest}.` :
                                             `✓ No case failed: ${rest}.`;
}

/** Shows what was compared, in a line under the title. */
function showOrigin() {
  const keys = ["device", "version", "commit", "date"];
  const words = kDocument.facts.filter(([key]) => keys.includes(key))
                    .map(([key, value]) => key === "device" || key === "date" ? value : `${key} ${value}`);
  if (words.length > 0)
    document.querySelector(".bar").after(html(
        "p", {className: "soft"}, words.join(" · ") + " · ",
        html("a", {href: "#conditions"}, "all conditions")));
}

/** Shows `entry`, and resets the view of the previous case. */
function choose(entry) {
  if (entry === viewer.entry) return;
  if (viewer.entry !== null)
    for (const key of ["zoom", "at", "pixel"]) setState(key, "");
  setState("case", entry.name);
  const at = shownCases.indexOf(entry);
  markRow(entry);
  showCase(entry, at < 0 ? "" : `${grouped(at + 1)} of ${grouped(shownCases.length)}`);
  showPictures(entry);
}

/** Moves by `by` cases in the list. */
function step(by) {
  if (showsSheet()) setSheet(false);
  const at = shownCases.indexOf(viewer.entry);
  const next = shownCases[at < 0 ? 0 : at + by];
  if (next) choose(next);
}

/** After a filter: keeps the chosen case if it is still shown, else chooses the first one. */
function showFirstIfGone() {
  const at = shownCases.indexOf(viewer.entry);
  if (at < 0 && shownCases.length > 0) return choose(shownCases[0]);
  document.getElementById("place").textContent =
      at < 0 ? "" : `${grouped(at + 1)} of ${grouped(shownCases.length)}`;
}

/** Shows what the address selects. */
function takeAddress() {
  document.getElementById("words").value = getState("words");
  filterCases();
  const entry = kCases.find(({name}) => name === getState("case")) ?? shownCases[0] ?? kCases[0];
  viewer.entry = null;
  choose(entry);
  showSheet();
}

function main() {
  showTheme(() => viewer.stage.draw());
  offerDownload("ballotcast-pictures.json");
  showOrigin();
  showSummary();
  showConditions(
      kDocument.facts.map(
          ([key, value]) => [labelOf(key), key === "command" ? html("code", {}, value) : value]),
      kDocument.notes);
  fillHelp();
  document.getElementById("keys").addEventListener("click", showHelp);
  if (kCases.length === 0) return;
  document.querySelector("main").hidden = false;
  // A page with one case needs neither search nor links to other cases.
  document.body.classList.toggle("one", kCases.length === 1);
  fillVerdicts();
  fillList();
  listenOnList();
  listenOnStage();
  listenOnControls();
  listenOnApproval();
  listenToKeys();
  document.getElementById("to-sheet").addEventListener("click", () => setSheet(!showsSheet()));
  document.getElementById("previous").addEventListener("click", () => step(-1));
  document.getElementById("next").addEventListener("click", () => step(1));
  takeAddress();
  addEventListener("hashchange", () => {
    if (rereadState()) takeAddress();
  });
}

main();
