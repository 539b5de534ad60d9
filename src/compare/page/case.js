// Shows a case: verdict, axes, numbers, checks, acceptances.

/** Fills the case's part of the page. `place` is the case's position in the list. */
function showCase(entry, place) {
  document.getElementById("name").textContent = entry.name;
  document.getElementById("place").textContent = place;
  const verdict = document.getElementById("verdict");
  verdict.className = "verdict " + toneOf(entry);
  verdict.replaceChildren(
      html("strong", {}, `${markOf(entry)} ${entry.verdict}`), entry.why ? " " + entry.why : "");
  document.getElementById("axes").replaceChildren(
      ...entry.axes.map(([key, value]) => html("li", {}, html("span", {}, labelOf(key)), value)));
  const tables = [numbersOf(entry), checksOf(entry), historyOf(entry)].filter(table => table !== null);
  document.getElementById("tables").replaceChildren(...tables);
  showApproval(entry);
}

/**
 * A table called `title`, or null without rows. A row is {cells, kept}; rows that are not `kept`
 * are highlighted. A `wide` table has no other table beside it.
 */
function tableOf(title, heads, rows, wide = false) {
  if (rows.length === 0) return null;
  const lines = rows.map(
      ({cells, kept}) =>
          html("tr", {className: kept ? "" : "broken"}, ...cells.map(cell => html("td", {}, cell))));
  return html(
      "div", {className: wide ? "table wide" : "table"}, html("h3", {}, title),
      html(
          "table", {},
          html("thead", {}, html("tr", {}, ...heads.map(head => html("th", {scope: "col"}, head)))),
          html("tbody", {}, ...lines)));
}

function numbersOf({numbers, worst}) {
  const rows = numbers.map(({name, value, limit, kept}) => {
    const mark = limit === "" ? "" : (kept ? "✓ " : "✗ ");
    return {cells: [name, value, mark + limit], kept};
  });
  if (worst)
    rows.push({
      cells: ["worst pixel", `x ${worst.x}, y ${worst.y}`, `${worst.reference} became ${worst.result}`],
      kept: true
    });
  return tableOf("Numbers", ["what", "value", "limit"], rows);
}

function checksOf({checks, outcome}) {
  const review = outcome === "to review";  // a difference in a new case is not a failure
  const rows = checks.map(({name, expected, got, same}) => {
    const found = same ? "✓ the same" : html("span", {}, review ? "" : "✗ ", html("code", {}, got));
    return {cells: [name, html("code", {}, expected || "–"), found], kept: same || review};
  });
  return review ? tableOf("Numbers that are kept exactly", ["what", "before", "now"], rows) :
                  tableOf("Exact checks", ["what", "expected", "got"], rows);
}
