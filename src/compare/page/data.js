// What was compared: the JSON of the page, and the order in which its cases are read.

const kDocument = JSON.parse(document.getElementById("data").textContent);

/** How much a case wants to be looked at, most first, and its mark. */
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

/** A key of kTones. What is to be reviewed, or all right without being the same, wants some care. */
function toneOf({outcome, verdict}) {
  if (outcome === "failed") return "bad";
  if (outcome === "skipped") return "none";
  return outcome === "ok" && kGood.includes(verdict) ? "good" : "care";
}

function markOf(entry) {
  const tone = toneOf(entry);
  return tone === "care" ? kMarks[entry.verdict] ?? kTones.care : kTones[tone];
}

/** The cases as they are listed: by tone, then by verdict, then as they came. */
function casesInOrder() {
  const tones = Object.keys(kTones);
  const verdicts = [...new Set(kDocument.cases.map(entry => entry.verdict))];
  const rank = entry => tones.indexOf(toneOf(entry)) * verdicts.length + verdicts.indexOf(entry.verdict);
  return [...kDocument.cases].sort((a, b) => rank(a) - rank(b));
}

/** All words of a case that the reader may look for. */
function wordsOf(entry) {
  return [entry.name, entry.verdict, entry.outcome, entry.why, ...entry.axes.map(([, value]) => value)]
      .join(" ")
      .toLowerCase();
}
