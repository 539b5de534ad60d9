// The charts of each experiment; one row per chart.

/**
 * A chart is either lines over the axis `x`, one per value of `series`, or bars, one per value of
 * `category`. Each value of the axes `panels` gets its own panel; axes that do not vary, or do not
 * exist, are ignored. All other axes are kept at their most frequent value. `metric` lists what to
 * show: the first metric that exists, unless the reader chooses another one.
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
];
const kCastingPanels = ["scene", "case", "pipeline", "rays"];
const kTime = {metric: ["time"]};

const kCharts = {
  synthetic: kSweeps,
  slots: kSweeps,
  casting: [
    lines("block_size", "strategy", kCastingPanels, "By block size", {metric: ["to_naive"]}),
    lines("loop", "strategy", kCastingPanels, "By who reads the counter", kTime),
    bars("strategy", kCastingPanels, "Each strategy", kTime),
  ],
  placement: [bars("variant", ["rays", "steps"], "Count in the loop, or once behind it", kTime)],
  votes: [bars("variant", ["block_size", "values"], "Each vote", kTime)],
  shuffles: [bars("variant", ["kind", "block_size", "values"], "Native against shared memory", kTime)],
  // The row that matches `reference` is drawn as a line.
  reductions: [
    bars("variant", ["values"], "Against the bandwidth of a copy",
      {metric: ["throughput", "time"], reference: /copy/i}),
  ],
  rays: [
    bars("pipeline", ["scene", "workload"], "Each pipeline", {metric: ["rate", "time"]}),
    bars("workload", ["scene", "builder", "layout", "pipeline"], "Each workload",
      {metric: ["rate", "time"]}),
    lines("triangles", "workload", ["builder", "pipeline"], "By size of the scene", {metric: ["rate", "time"]}),
    lines("triangles", "builder", ["layout"], "Builds by size of the scene", {metric: ["build"]}),
  ],
  groups: [
    lines("group_size", "variant", ["work", "values"], "By size of the group",
      {...kTime, vertical: {at: 32, label: "warp size 32"}}),
  ],
};

/**
 * Charts for an experiment without a specification: bars for what is compared, lines over numeric
 * axes.
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
