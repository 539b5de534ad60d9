// The contact sheet: small pictures of all cases that the list shows. The pictures of a case are
// decoded when its card scrolls into view, one case after another. State in the address: view.

const kSheetPictures = ["reference", "result", "difference"];
const kCards = new Map();  // case -> its card

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

/** Brings the page up to what is to be seen: the sheet, or one case. */
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
  // Shown at once, even if the browser never reports cards in view.
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
