// The page: header, list, case, circumstances. Its state in the address: theme, case, and the
// states of list.js and viewer.js.

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
        html("a", {href: "#circumstances"}, "all circumstances")));
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
  showCircumstances(
      kDocument.facts.map(
          ([key, value]) => [labelOf(key), key === "command" ? html("code", {}, value) : value]),
      kDocument.notes);
  fillHelp();
  document.getElementById("keys").addEventListener("click", showHelp);
  if (kCases.length === 0) return;
  document.querySelector("main").hidden = false;
  // A single case needs no search and no links to other cases.
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
