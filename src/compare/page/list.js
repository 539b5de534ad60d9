// The list of cases. It shows the cases with a given verdict that contain all searched words. Its
// state in the address: verdict, words.

const kCases = casesInOrder();
const kRows = new Map();  // {element, words} of each case

/** The cases that are shown now. */
let shownCases = kCases;

function rowOf(entry, index) {
  const tone = toneOf(entry);
  const mark = html("span", {className: "mark " + tone, "aria-hidden": "true"}, markOf(entry));
  const why = html("span", {className: "why"}, entry.verdict + (entry.why ? ": " + entry.why : ""));
  const element = html(
      "li", {id: "case-" + index, role: "option", "aria-selected": "false"}, mark,
      html("span", {className: "title"}, entry.name), why);
  element.addEventListener("click", () => {
    setSheet(false);
    choose(entry);
    if (matchMedia("(max-width: 860px)").matches) document.getElementById("case").scrollIntoView();
  });
  return {element, words: wordsOf(entry)};
}

function fillList() {
  kCases.forEach((entry, i) => kRows.set(entry, rowOf(entry, i)));
  document.getElementById("list").append(...[...kRows.values()].map(({element}) => element));
}

/** A button for each verdict, with the number of its cases. */
function fillVerdicts() {
  const group = document.getElementById("verdicts");
  const count = verdict => kCases.filter(entry => entry.verdict === verdict).length;
  const button = (verdict, label, number, tone) => {
    const made = html(
        "button", {type: "button", className: tone, "data-verdict": verdict}, label,
        html("span", {className: "count"}, grouped(number)));
    made.addEventListener("click", () => {
      setState("verdict", getState("verdict") === verdict ? "" : verdict);
      filterCases();
      showFirstIfGone();
    });
    return made;
  };
  const verdicts = [...new Map(kCases.map(entry => [entry.verdict, entry])).values()];
  group.replaceChildren(
      button("", "all", kCases.length, ""),
      ...verdicts.map(
          entry => button(
              entry.verdict, `${markOf(entry)} ${entry.verdict}`, count(entry.verdict), toneOf(entry))));
}

/** Shows the cases that the address selects. */
function filterCases() {
  const verdict = getState("verdict");
  const wanted = getState("words").toLowerCase().split(/\s+/).filter(word => word !== "");
  shownCases = kCases.filter(entry => {
    const {element, words} = kRows.get(entry);
    const shown = (verdict === "" || entry.verdict === verdict) && wanted.every(word => words.includes(word));
    if (element.hidden === shown) element.hidden = !shown;
    return shown;
  });
  for (const button of document.querySelectorAll("#verdicts button"))
    button.setAttribute("aria-pressed", button.dataset.verdict === verdict);
  const all = shownCases.length === kCases.length;
  document.getElementById("found").textContent = all ?
      plural(kCases.length, "case") :
      `${grouped(shownCases.length)} of ${plural(kCases.length, "case")}`;
  fillSheet();
}

/** Marks `entry` as chosen. Scrolls the list, and nothing else, so that the entry is visible. */
function markRow(entry) {
  const list = document.getElementById("list");
  list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
  const {element} = kRows.get(entry);
  element.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", element.id);
  const box = element.getBoundingClientRect(), around = list.getBoundingClientRect();
  if (box.top < around.top || box.bottom > around.bottom)
    list.scrollTop += box.top - around.top - (around.height - box.height) / 2;
}

function listenOnList() {
  const words = document.getElementById("words");
  words.addEventListener("input", () => {
    setState("words", words.value);
    filterCases();
    showFirstIfGone();
  });
}
