// Shows the acceptances of a case, the newest first, folded.

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
