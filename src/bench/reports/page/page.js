// The page: its header, the experiments, and the conditions. The address stores the theme, and for
// each experiment NAME.metric, .more, .sort, .filter and .open.

// If an experiment has more than kMostCharts charts, only the first kFirstCharts are shown until the user opens the
// rest.
const kMostCharts = 3, kFirstCharts = 2;

function count(rows, verdict) { return rows.filter(row => row.verdict === verdict).length; }

/** The axis values of a row, as text. */
function placeOf(row) {
  return row.experiment + " (" +
      Object.entries(row.axes)
          .filter(([, value]) => value !== "")
          .map(([key, value]) => labelOf(key) + " " + wordFor(key, value))
          .join(", ") +
      ")";
}

/** A line for each reason why rows were skipped, with the axis values that these rows share. */
function skipsOf(experiment) {
  const reasons = new Map();
  for (const row of experiment.rows)
    if (row.verdict === "skipped") reasons.set(row.why, [...(reasons.get(row.why) ?? []), row]);
  return [...reasons].map(([why, rows]) => {
    const common = experiment.varying.filter(key => rows.every(row => row.axes[key] === rows[0].axes[key]))
                       .map(key => labelOf(key) + " " + wordFor(key, rows[0].axes[key]))
                       .join(", ");
    return `– ${plural(rows.length, "measurement")} skipped${common && ` (${common})`}: ${why}`;
  });
}

function showVerdicts() {
  const {right, wrong, skipped} = kDocument.verdicts;
  const banner = document.getElementById("verdicts");
  banner.hidden = false;
  banner.className = "banner " + (wrong > 0 ? "wrong" : "right");
  const rest = skipped > 0 ? `; ${grouped(skipped)} skipped` : "";
  if (wrong === 0) {
    banner.textContent = `✓ No wrong answer: ${plural(right, "measurement")} right${rest}.`;
    return;
  }
  const bad = kDocument.rows.filter(row => row.verdict === "wrong");
  const list = html("ul", {}, ...bad.slice(0, 8).map(row => html("li", {}, placeOf(row) + ": " + row.why)));
  if (bad.length > 8) list.append(html("li", {}, `and ${bad.length - 8} more, in the tables below`));
  const box = html(
      "div", {id: "verdicts", className: banner.className, role: "alert"},
      `✗ ${plural(wrong, "measurement")} WRONG, ${grouped(right)} right${
          rest}. Wrong ones have no time and are in no chart.`,
      list);
  banner.replaceWith(box);
}

function showSummary() {
  const findings = kDocument.findings ?? [];
  const item = text => html("li", {}, text);
  const summary = document.getElementById("summary");
  const first = findings.slice(0, 5), more = findings.slice(5);
  if (kDocument.emulated)
    summary.append(html(
        "p", {className: "emulated"},
        "Emulated: semantics and exact atomic counts; times mean nothing here and are not shown."));
  if (first.length > 0) summary.append(html("h2", {}, "In short"), html("ul", {}, ...first.map(item)));
  if (more.length > 0)
    summary.append(html(
        "details", {className: "more"}, html("summary", {}, `${more.length} more`),
        html("ul", {}, ...more.map(item))));
  if (summary.childElementCount === 0) summary.remove();
}

/** The machine and the conditions, as pairs of a label and a text. */
function conditions() {
  const facts =
      Object.entries(kDocument.facts)
          // Results of earlier versions have the fact "noise"; kDocument.noise replaces it.
          .filter(([key]) => key !== "noise")
          .map(([key, value]) => [labelOf(key), key === "command" ? html("code", {}, value) : wordFor(key, value)]);
  return kDocument.noise ? [...facts, ["noise", kDocument.noise]] : facts;
}

/** Shows the machine in a line under the title. */
function showMachine() {
  const keys = ["device", "driver", "commit", "date"].filter(key => kDocument.facts[key] !== undefined);
  const line =
      keys.map(key => key === "device" ? kDocument.facts[key] : labelOf(key) + " " + kDocument.facts[key])
          .join(" · ");
  if (line)
    document.querySelector(".bar").after(html(
        "p", {className: "soft"}, line + " · ", html("a", {href: "#conditions"}, "all conditions")));
}

function experimentElement(experiment) {
  const section = html("section", {id: "e-" + experiment.name, "aria-labelledby": "h-" + experiment.name});
  const charts = html("div", {className: "charts"}), moreCharts = html("div", {className: "charts"});
  const more = html(
      "details", {className: "more", open: getState(experiment.name + ".more") !== ""}, html("summary"),
      moreCharts);
  more.addEventListener("toggle", () => setState(experiment.name + ".more", more.open ? "1" : ""));
  const drawAll = () => {
    const chosen = getState(experiment.name + ".metric");
    const made = (kCharts[experiment.name] ?? genericCharts(experiment))
                     .map(chart => chartElement(chart, experiment, chosen));
    const shown = made.filter(chart => chart !== null);
    const first = shown.length > kMostCharts ? kFirstCharts : shown.length;
    charts.replaceChildren(...shown.slice(0, first));
    moreCharts.replaceChildren(...shown.slice(first));
    more.hidden = shown.length === first;
    more.querySelector("summary").textContent = `${plural(shown.length - first, "more chart")}`;
  };
  const constants =
      experiment.axes.filter(
          key => !experiment.varying.includes(key) && !kNoAxes.includes(key) && !["", "-"].includes(experiment.base[key]));
  const head = html(
      "div", {className: "head"},
      html(
          "h2", {id: "h-" + experiment.name}, html("span", {className: "name"}, experiment.name),
          experiment.title !== experiment.name ? ": " + experiment.title : ""));
  if (experiment.metrics.length > 1) {
    const select = html(
        "select", {}, html("option", {value: ""}, "what suits each chart"),
        ...experiment.metrics.map(metric => html("option", {value: metric}, kMetrics[metric].label)));
    select.value = getState(experiment.name + ".metric");
    select.addEventListener("change", () => {
      setState(experiment.name + ".metric", select.value);
      drawAll();
    });
    head.append(html("label", {className: "metric"}, "Show ", select));
  }
  section.append(head);
  if (experiment.text) section.append(html("p", {className: "soft"}, experiment.text));
  if (constants.length > 0)
    section.append(html(
        "p", {className: "soft"},
        "All rows: " +
            constants.map(key => labelOf(key) + " " + wordFor(key, experiment.base[key])).join(", ") + "."));
  const wrong = experiment.rows.filter(row => row.verdict === "wrong");
  const problems = [
    ...wrong.slice(0, 6).map(row => html("li", {className: "wrong"}, `✗ WRONG: ${placeOf(row)}: ${row.why}`)),
    ...(wrong.length > 6 ? [html("li", {}, `and ${wrong.length - 6} more, in the table`)] : []),
    ...skipsOf(experiment).map(words => html("li", {className: "skipped"}, words))
  ];
  if (problems.length > 0) section.append(html("ul", {className: "problems"}, ...problems));
  section.append(charts, more, tableElement(experiment));
  document.getElementById("content").append(section);
  drawAll();
}

/** Explains the lines, bands and marks that all charts use. */
function howToRead(all) {
  const none = all.some(e => e.rows.some(row => row.axes.strategy === "none"));
  const words = [];
  if (none) words.push("Dashed grey lines mark none, the strategy that counts nothing.");
  if (kDocument.noise)
    words.push(`Noise: ${kDocument.noise}. Whiskers are the spread of a mark's samples; ` +
      "hollow marks are within the noise of what they are compared with.");
  words.push("Point at a mark, or go through marks with the arrow keys, for its numbers.");
  words.push("Click names in a legend to highlight them.");
  return words.join(" ");
}

function main() {
  const all = experiments();
  showTheme();
  offerDownload("ballotcast-bench.json");
  showMachine();
  showVerdicts();
  showSummary();
  document.getElementById("reading").textContent = howToRead(all);
  if (all.length > 1)
    document.getElementById("contents")
        .append(...all.map(
            e => html(
                "a", {href: "#e-" + e.name, className: count(e.rows, "wrong") > 0 ? "bad" : ""},
                e.name + (count(e.rows, "wrong") > 0 ? " ✗" : ""))));
  else
    document.getElementById("contents").remove();
  all.forEach(experimentElement);
  showConditions(conditions(), kDocument.notes);
  if (location.hash.length > 1 && !location.hash.includes("="))
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

main();
