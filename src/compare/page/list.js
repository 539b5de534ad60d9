// The list of cases. It shows the cases that have the chosen verdict and contain all searched
// words. The contact sheet shows small pictures of these cases; the pictures of a case are decoded
// when its card scrolls into view, one case after another. The address stores the verdict, the
// words and the view.

const kCases = casesInOrder();
const kRows = new Map();  // the row of each case: {element, words}

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

const kSheetPictures = ["reference", "result", "difference"];
const kCards = new Map();  // the card of each case

const sheet = {
  waiting: [],  // cases in view whose pictures are not drawn yet
  busy: false,
  watcher: new IntersectionObserver(seen => {
    for (const {target, isIntersecting} of seen)
      if (isIntersecting) drawLater(target.entry);
  }, {rootMargin: "300px"})
};

function showsSheet() { return getState("view") === "sheet"; }

function setSheet(on) {
  setState("view", on ? "sheet" : "");
  showSheet();
}

/** Shows the sheet, or one case, as the state says. */
function showSheet() {
  const on = showsSheet() && kCases.length > 1;
  document.getElementById("sheet").hidden = !on;
  document.getElementById("case").hidden = on;
  document.getElementById("to-sheet").setAttribute("aria-pressed", on);
  if (on)
    fillSheet();
  else
    viewer.stage.draw();
}

/** The cards of the cases that the list shows. */
function fillSheet() {
  if (document.getElementById("sheet").hidden) return;
  document.getElementById("cards").replaceChildren(...shownCases.map(cardOf));
  // The first cards are drawn at once, in case the browser never reports cards in view.
  shownCases.slice(0, 6).forEach(drawLater);
}

function cardOf(entry) {
  if (kCards.has(entry)) return kCards.get(entry);
  const names = picturesOf(entry).filter(name => kSheetPictures.includes(name));
  const pictures = names.map(
      name => html(
          "span", {className: "small"}, html("span", {className: "place", "data-picture": name}),
          html("span", {className: "soft"}, labelIn(entry, name))));
  const card = html(
      "button", {type: "button", className: "card", entry},
      html(
          "span", {className: "caption"},
          html("span", {className: "mark " + toneOf(entry), "aria-hidden": "true"}, markOf(entry)),
          html("span", {className: "title"}, entry.name), html("span", {className: "soft"}, entry.verdict)),
      html("span", {className: "row"}, ...pictures, ...(pictures.length === 0 ? ["no pictures"] : [])));
  card.addEventListener("click", () => {
    setSheet(false);
    choose(entry);
    document.getElementById("case").focus();
  });
  sheet.watcher.observe(card);
  kCards.set(entry, card);
  return card;
}

function drawLater(entry) {
  if (kCards.get(entry).drawn || sheet.waiting.includes(entry)) return;
  sheet.waiting.push(entry);
  if (!sheet.busy) drawWaiting();
}

async function drawWaiting() {
  sheet.busy = true;
  while (sheet.waiting.length > 0) {
    const entry = sheet.waiting.shift(), card = kCards.get(entry);
    card.drawn = true;
    for (const place of card.querySelectorAll("[data-picture]")) {
      const name = place.dataset.picture, number = entry.pictures[name];
      try {
        place.replaceChildren(thumbOf(await pictureOf(number), 320, 200, name === "difference"));
      } catch {
        place.textContent = "can't be read";
      }
    }
    forgetAllBut(Object.values(viewer.entry?.pictures ?? {}));
  }
  sheet.busy = false;
}
