// Shows a case: its verdict, axes, numbers, checks and acceptances, and the command that approves
// it, with a field for the reason.

/** Fills the case's part of the page. `place` is the case's position in the list. */
function showCase(entry, place) {
  document.getElementById("name").textContent = entry.name;
  document.getElementById("place").textContent = place;
  const verdict = document.getElementById("verdict");
  verdict.className = "verdict " + toneOf(entry);
  verdict.replaceChildren(
      html("strong", {}, `${markOf(entry)} ${entry.verdict}`), entry.why ? " " + entry.why : "",
      ...entry.needed ? [" To allow it: ", html("code", {}, entry.needed)] : []);
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

/** The history as an element that unfolds, or null if the case was never accepted. */
function historyOf({history}) {
  if (history.length === 0) return null;
  const [newest] = history;
  return html(
      "details", {className: "table wide", id: "acceptances"},
      html(
          "summary", {}, html("strong", {}, "History"),
          ` ${plural(history.length, "acceptance")}, the last ${newest.date}: ${newest.reason}`),
      html("ol", {}, ...history.map(acceptanceOf)));
}

function acceptanceOf({date, reason, version, before, after, what}) {
  const hash = pixels => pixels ? html("code", {}, pixels) : "none";
  return html(
      "li", {}, html("p", {}, html("strong", {}, date), ` ${reason}`),
      ...what ? [html("p", {className: "soft"}, what)] : [],
      html("p", {className: "soft"}, "pixels ", hash(before), " → ", hash(after), `, version ${version}`));
}

// The reasons that the user has typed, by the name of the case in the command
const kReasons = new Map();

/** `text` in quotes, so that a shell reads it as one word. */
function shellQuoted(text) { return `'${text.replaceAll("'", "'\\''")}'`; }

/** The command that approves `approval.of` with this reason; with dots, which are refused, if "". */
function acceptCommand({before, after}, reason) { return before + shellQuoted(reason || "...") + after; }

/** Fills the part of the page that approves `entry`, or hides it if there is nothing to approve. */
function showApproval({approval}) {
  const part = document.getElementById("approval");
  part.hidden = !approval;
  if (!approval) return;
  document.getElementById("reason").value = kReasons.get(approval.of) ?? "";
  const folder = document.getElementById("folder");
  folder.hidden = approval.folder === "";
  folder.replaceChildren("Run it in ", html("code", {}, approval.folder));
  showCommand(approval);
}

function showCommand(approval) {
  const reason = kReasons.get(approval.of) ?? "";
  document.getElementById("command").textContent = acceptCommand(approval, reason.trim());
  document.getElementById("copied").textContent = "";
}

/** Puts `text` into the clipboard. Returns false if the browser refuses. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Some browsers give pages from files no access to the clipboard. There, the user can copy the
    // selected command.
    selectCommand();
    return document.execCommand("copy");
  }
}

function selectCommand() { getSelection().selectAllChildren(document.getElementById("command")); }

async function copyCommand() {
  const said = document.getElementById("copied"), reason = document.getElementById("reason");
  if (!/[\p{L}\p{N}]/u.test(reason.value)) {
    said.textContent = "Type a reason first.";
    reason.focus();
    return;
  }
  const done = await copyText(document.getElementById("command").textContent);
  if (!done) selectCommand();
  said.textContent = done ? "Copied." : "Not copied: the command is selected, press Ctrl+C.";
}

function goToReason() {
  if (document.getElementById("approval").hidden) return;
  document.getElementById("reason").focus();
}

function listenOnApproval() {
  document.getElementById("reason").addEventListener("input", event => {
    const {approval} = viewer.entry;
    kReasons.set(approval.of, event.target.value);
    showCommand(approval);
  });
  document.getElementById("approval").addEventListener("submit", event => {
    event.preventDefault();
    copyCommand();
  });
}
