// The charts of each experiment, one row of the table per chart, and how they are built from
// panels.

/**
 * Specifications of charts. lines(): a line over the axis `x` for each value of the axis `series`.
 * bars(): a bar for each value of the axis `category`. The chart has a panel for each combination
 * of values of the axes `panels`, without axes that do not vary. All other axes are kept at their
 * most frequent values. Members of `more`:
 *   metric  list of metrics; unless the reader chooses one, the first that the rows have is shown
 *   only    a metric that is always shown, whatever the reader chooses; without it, no chart
 *   unless  list of axes; if one of them varies, the chart is left out, because others are better
 */
function lines(x, series, panels, title, more = {}) {
  return {kind: "lines", x, series, panels, title, ...more};
}
function bars(category, panels, title, more = {}) {
  return {kind: "bars", category, panels, title, ...more};
}

const kSweeps = [
  lines("hit_probability", "strategy", ["work"], "By hit probability"),
  lines("rays", "strategy", ["work"], "By number of rays"),
  bars("strategy", ["work"], "Each strategy under each work"),
  lines("block_size", "strategy", ["work"], "By block size"),
  lines("lanes", "strategy", ["work"], "By whether neighbouring lanes agree"),
  lines("shards", "strategy", ["work"], "By number of counters"),
  lines("items", "strategy", ["work"], "By rays per lane"),
];
const kCastingPanels = ["scene", "pipeline"];
const kTime = {metric: ["time"]};
const kRate = {metric: ["rate", "time"]};

const kCharts = {
  synthetic: kSweeps,
  slots: kSweeps,
  casting: [
    bars("strategy", kCastingPanels, "Each strategy", kTime),
    lines("block_size", "strategy", kCastingPanels, "By block size", {metric: ["to_naive"]}),
    lines("rays", "strategy", kCastingPanels, "By number of rays", kRate),
    lines("loop", "strategy", kCastingPanels, "By who reads the counter", kTime),
  ],
  threads: [
    bars("strategy", ["work"], "Each way of threads to add up", kTime),
    lines("threads", "strategy", ["work"], "By number of threads", kTime),
  ],
  placement: [bars("placement", ["rays", "block_size"], "Count in the loop, or once behind it", kTime)],
  votes: [lines("branches", "form", ["vote", "block_size"], "Each vote, by how the warp parts", kTime)],
  shuffles: [lines("width", "form", ["shuffle", "block_size"], "Native against shared memory", kTime)],
  // The rows that match `reference` are drawn as a line.
  reductions: [
    bars("reduction", ["values"], "Against the bandwidth of a copy",
      {metric: ["throughput", "time"], reference: /copy/i}),
  ],
  rays: [
    bars("pipeline", ["scene", "workload"], "Each pipeline", kRate),
    bars("builder", ["scene", "workload"], "Each builder", kRate),
    bars("layout", ["scene", "workload"], "Each layout", kRate),
    bars("workload", ["scene"], "Each workload", {...kRate, unless: ["pipeline", "builder", "layout"]}),
    lines("triangles", "workload", ["builder", "pipeline"], "By size of the scene", kRate),
    lines("triangles", "builder", ["layout"], "Builds by size of the scene", {metric: ["build"]}),
  ],
  builds: [
    bars("builder", ["scene"], "Each builder", {...kRate, unless: ["triangles"]}),
    bars("builder", ["scene"], "Rays through its trees", {only: "trace", unless: ["triangles"]}),
    lines("triangles", "builder", [], "Builders by size of the scene", kRate),
    lines("triangles", "builder", [], "Rays through their trees, by size", {only: "trace"}),
    bars("layout", ["scene", "builder"], "Rays, by layout", {only: "trace", unless: ["triangles"]}),
  ],
  groups: [
    lines("group_size", "form", ["block_size"], "By size of the group",
      {...kTime, vertical: {at: 32, label: "warp size 32"}}),
  ],
};

/**
 * The specifications of charts for an experiment that kCharts does not have: bars for the values of
 * the experiment's subject, and lines over each numeric axis.
 */
function genericCharts(experiment) {
  const {subject, varying, rows} = experiment;
  if (subject === undefined) return [];
  const numeric = varying.filter(key => valuesOf(rows, key).every(value => typeof value === "number"));
  const others = x => varying.filter(key => key !== subject && key !== x).slice(0, 1);
  const sweeps = numeric.filter(x => valuesOf(rows, x).length > 2)
    .map(x => lines(x, subject, others(x), "By " + labelOf(x)));
  const comparison = bars(subject, others(subject), "By " + labelOf(subject));
  return numeric.includes(subject) ? sweeps : [comparison, ...sweeps];
}

/**
 * The metric that a chart shows: `only` if the chart has it; else the reader's choice, the chart's
 * `metric`, or any metric of the experiment, whichever of these is the first that the rows have.
 */
function metricFor(chart, experiment, chosen) {
  const metrics = chart.only ? [chart.only] : [chosen, ...(chart.metric ?? []), ...experiment.metrics];
  return metrics.find(metric => experiment.metrics.includes(metric));
}

/** All combinations of the values of `keys`; [{}] if there are no keys. */
function combinations(rows, keys) {
  return keys.reduce(
      (all, key) => all.flatMap(c => valuesOf(rows, key).map(value => ({...c, [key]: value}))), [{}]);
}

/** The element of a chart, or null if there is nothing to compare. */
function chartElement(chart, experiment, chosen) {
  const metric = metricFor(chart, experiment, chosen);
  const main = [chart.x, chart.category, chart.series].filter(key => experiment.varying.includes(key));
  const split = chart.panels.filter(key => experiment.varying.includes(key) && !main.includes(key));
  if (chart.unless?.some(key => experiment.varying.includes(key))) return null;
  if (!metric || !experiment.varying.includes(chart.kind === "lines" ? chart.x : chart.category)) return null;
  const rows = atBase(experiment, metric, [...main, ...split]);
  const m = kMetrics[metric];
  const panels = withoutRepeats(combinations(rows, split)
                     .map(values => ({
                            values: [values],
                            ...(chart.kind === "lines" ? linePanel : barPanel)(
                                chart, experiment, metric,
                                rows.filter(row => split.every(key => row.axes[key] === values[key])))
                          }))
                     .filter(panel => panel.worth), m, main);
  if (panels.length === 0) return null;
  if (chart.kind === "lines") joinCurves(panels, m);

  // All panels have the same scale, so that lengths and heights can be compared between panels.
  const shared = [
    ...panels.flatMap(panel => panel.all.flatMap(row => [m.of(row), whiskerOf(row, metric)?.[1] ?? m.of(row)])),
    ...(m.over ? [1] : [])
  ];
  const log = spreadOf(shared) > (chart.kind === "lines" ? 12 : 25);
  const frame = chart.kind === "lines" ? {} : frameOf(panels, {metric, category: chart.category});
  const shape = {1: " single", 2: " few", 4: " four"}[panels.length] ?? "";
  const grid = html("div", {className: "panels" + shape});
  const root = html(
      "div", {className: "chart" + (panels.length > 1 ? " wide" : "")}, html("h3", {}, chart.title),
      html("p", {className: "soft"}, noteOn(experiment, metric, [...main, ...split])));
  if (chart.kind === "lines") root.append(legendOf(panels, root));
  for (const panel of panels) {
    const caption = captionOf(panel, split, panels.length);
    const figure = html("figure", {}, ...(caption ? [html("figcaption", {}, caption)] : []));
    const draw = width => chart.kind === "lines" ?
        drawLines(panel, {metric, experiment, ys: shared, log, width, vertical: chart.vertical}) :
        drawBars(panel, {metric, experiment, category: chart.category, values: shared, log, width, frame});
    grid.append(figure);
    keepDrawn(figure, draw, {experiment, metric, name: chart.title + (caption ? ", " + caption : ""), root});
  }
  root.append(grid);
  return root;
}

/**
 * Returns one panel for all panels with the same numbers: the first one, with the `values` of all.
 */
function withoutRepeats(panels, m, main) {
  const first = new Map();
  for (const panel of panels) {
    const numbers = JSON.stringify(panel.all.map(row => [...main.map(key => row.axes[key]), m.of(row)]));
    if (first.has(numbers))
      first.get(numbers).values.push(...panel.values);
    else
      first.set(numbers, panel);
  }
  return [...first.values()];
}

/** The heading of a panel: the values of the axes that distinguish it from other panels. */
function captionOf({values}, split, panels) {
  const words = value => split
                             .map(
                                 key => split.length > 1 || typeof value[key] === "number" ?
                                     labelOf(key) + " " + wordFor(key, value[key]) :
                                     wordFor(key, value[key]))
                             .join(", ");
  if (panels === 1 && values.length > 2) return `The same for each ${split.map(labelOf).join(" and ")}`;
  return values.map(words).join(" = ");
}

/**
 * Joins series that have the same numbers in all panels: keeps the first, with the names of all.
 */
function joinCurves(panels, m) {
  const names = [...new Set(panels.flatMap(panel => panel.series.map(s => s.name)))];
  const first = new Map();
  for (const name of names) {
    const numbers = JSON.stringify(panels.map(
        panel => (panel.series.find(s => s.name === name)?.rows ?? []).map(row => [row.axes[panel.x], m.of(row)])
                     .sort((a, b) => a[0] < b[0] ? -1 : 1)));
    const all = panels.flatMap(panel => panel.series.filter(s => s.name === name));
    if (!first.has(numbers)) {
      first.set(numbers, all);
      continue;
    }
    for (const series of first.get(numbers)) series.title += " = " + all[0].title;
    for (const panel of panels) panel.series = panel.series.filter(s => s.name !== name);
  }
}

function linePanel(chart, experiment, metric, rows) {
  const hasSeries = experiment.varying.includes(chart.series) && chart.series !== chart.x;
  const names = hasSeries ? valuesOf(experiment.rows, chart.series) : [experiment.name];
  const series = names.map((name, i) => ({
                             name: String(name),
                             title: wordFor(chart.series, name),
                             look: lookOf(name, hasSeries ? i : 2),
                             rows: hasSeries ? rows.filter(row => row.axes[chart.series] === name) : rows
                           }));
  const xs = valuesOf(rows, chart.x);
  return {
    x: chart.x,
    xs,
    all: rows,
    worth: xs.length > 1,
    floor: series.find(s => s.name === "none")?.rows ?? [],
    series: series.filter(s => s.name !== "none" && s.rows.length > 0)
  };
}

function barPanel(chart, experiment, metric, rows) {
  const names = valuesOf(experiment.rows, chart.category);
  const place = row => names.indexOf(row.axes[chart.category]);
  const reference = chart.reference ? rows.find(row => chart.reference.test(row.axes[chart.category])) :
                                      rows.find(row => row.axes[chart.category] === "none");
  return {
    rows: rows.slice().sort((a, b) => place(a) - place(b)),
    all: rows,
    worth: rows.length > 1,
    reference,
    referenceName: reference?.axes[chart.category],
    looks: row =>
        row === reference ? {...lookOf("", 0), floor: true} : lookOf(row.axes[chart.category], place(row) + 2)
  };
}

/** The line under the title of a chart: its metric, and the axes that are kept at one value. */
function noteOn(experiment, metric, free) {
  const base = baseInWords(experiment, free);
  return `${kMetrics[metric].label}: ${kMetrics[metric].hint}` + (base ? `. With ${base}.` : ".");
}

/** The series of all panels, as buttons that highlight a series. */
function legendOf(panels, root) {
  const series = new Map(panels.flatMap(panel => panel.series.map(s => [s.name, s])));
  const legend = html("div", {className: "legend", role: "group", "aria-label": "Series to bring forward"});
  if (series.size < 2) return legend;
  root.chosen = new Set();
  for (const [name, {look, title}] of series) {
    const color = `var(--c${look.color})`;
    const button = html(
        "button", {type: "button", "aria-pressed": "false"},
        svg("svg", {width: 30, height: 14, "aria-hidden": "true"},
            svg("path", {d: "M1 7H29", stroke: color, "stroke-width": 2, "stroke-dasharray": look.dash}),
            svg("path", {
              d: markerPath(look.shape, 15, 7),
              stroke: color,
              fill: color,
              "stroke-width": 1.75,
              "fill-rule": "evenodd"
            })),
        title);
    button.addEventListener("click", () => {
      if (!root.chosen.delete(name)) root.chosen.add(name);
      button.setAttribute("aria-pressed", root.chosen.has(name));
      dim(root);
    });
    legend.append(button);
  }
  return legend;
}

function dim(root) {
  for (const element of root.querySelectorAll("[data-series]"))
    element.classList.toggle("dim", root.chosen?.size > 0 && !root.chosen.has(element.dataset.series));
}
