// The charts of each experiment; one row per chart.

/**
 * Lines over the axis `x`, one a value of `series`; bars, one a value of `category`. Each value of the
 * axes `panels` gets a panel; what doesn't vary, or isn't there, is left out; all other axes are kept at their
 * most frequent values. `metric` has what is shown, the first of those that there is, unless the reader chose.
 * Where one of the axes `unless` varies, other charts say it better. A chart with `only` shows this metric, whatever
 * the reader chose, or is left out.
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
  placement: [bars("placement", ["rays", "block_size"], "Count in the loop, or once behind it", kTime)],
  votes: [lines("branches", "form", ["vote", "block_size"], "Each vote, by how the warp parts", kTime)],
  shuffles: [lines("width", "form", ["shuffle", "block_size"], "Native against shared memory", kTime)],
  // The row that matches `reference` is drawn as a line.
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
