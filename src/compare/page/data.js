// The data of the page: the JSON with the comparisons, and the order of the cases.

const kDocument = JSON.parse(document.getElementById("data").textContent);

/**
 * The tones of cases with their marks. A tone says how much attention a case needs: bad (failed)
 * needs most, then care, none (skipped) and good.
 */
const kTones = {
  bad: "✗",
  care: "!",
  none: "–",
  good: "✓"
};
const kMarks = {
  "within limits": "≈",
  "different": "≠",
  "changed": "≠",
  "new": "+"
};
const kGood = ["same", "as approved"];

/** The tone of a case: a key of kTones. "care" if it must be reviewed, or passed without being the same. */
function toneOf({outcome, verdict}) {
  if (outcome === "failed") return "bad";
  if (outcome === "skipped") return "none";
  return outcome === "ok" && kGood.includes(verdict) ? "good" : "care";
}

function markOf(entry) {
  const tone = toneOf(entry);
  return tone === "care" ? kMarks[entry.verdict] ?? kTones.care : kTones[tone];
}

/** The cases in the order of the list: by tone, by verdict, and then as in the document. */
function casesInOrder() {
  const tones = Object.keys(kTones);
  const verdicts = [...new Set(kDocument.cases.map(entry => entry.verdict))];
  const rank = entry => tones.indexOf(toneOf(entry)) * verdicts.length + verdicts.indexOf(entry.verdict);
  return [...kDocument.cases].sort((a, b) => rank(a) - rank(b));
}

/** All words of a case that a search can match. */
function wordsOf(entry) {
  return [entry.name, entry.verdict, entry.outcome, entry.why, ...entry.axes.map(([, value]) => value)]
      .join(" ")
      .toLowerCase();
}
