// The keys of the page, and the list that explains them.

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
  // If the result is the same picture as the reference, it has both keys.
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
