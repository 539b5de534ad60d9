// The data of the page: the JSON with the measurements, the metrics of a row, and the groups of
// rows.

const kDocument = JSON.parse(document.getElementById("data").textContent);
const kNoise = kDocument.noise_relative;

/**
 * The metrics that a chart can show. A metric with `over` is a ratio: 1 means "the same as `over`".
 */
const kMetrics = {
  over_none: {
    label: "time over none",
    unit: "×",
    over: "none",
    noise: "noise_over_none_relative",
    timed: true,
    hint: "1 = counting is free; lower is better",
    of: row => row.overhead_of_none_relative === null ? null : row.overhead_of_none_relative + 1
  },
  to_naive: {
    label: "time over naive",
    unit: "×",
    over: "naive",
    noise: "noise_to_naive_relative",
    timed: true,
    hint: "below 1 = faster than naive",
    of: row => row.ratio_to_naive
  },
  time: {
    label: "time",
    unit: "ms",
    timed: true,
    hint: "lower is better",
    of: row => row.timing?.median_ms ?? null
  },
  rate: {
    label: "rate",
    unit: "/s",
    prefixed: true,
    timed: true,
    hint: "higher is better",
    of: row => row.timing ? row.items_per_s : null
  },
  throughput: {
    label: "memory throughput",
    unit: "GB/s",
    timed: true,
    hint: "higher is better",
    of: row => row.bytes_per_s === null ? null : row.bytes_per_s * 1e-9
  },
  build: {
    label: "time of the build",
    unit: "ms",
    hint: "lower is better",
    of: row => row.found?.build_ms ?? null
  },
  trace: {
    label: "rate of rays through the tree",
    unit: "M rays/s",
    hint: "higher is better",
    of: row => row.found?.mrays_per_s ?? null
  },
  sah: {label: "expected tests of a line", unit: "", hint: "lower is better", of: row => row.found?.sah ?? null},
  atomics:
      {label: "atomics issued", unit: "", prefixed: true, hint: "fewer is better", of: row => row.atomics},
};

/** A number of a metric as text; `items` is the name of what is counted. */
function inWords(metric, number, items = "items") {
  const m = kMetrics[metric];
  if (metric === "rate") return prefixed(number) + " " + items + "/s";
  if (metric === "atomics") return grouped(number);
  return threeDigits(number) + (m.unit === "×" ? "×" : " " + m.unit);
}

/** The label of an axis: "time (ms)", "rate (rays/s)". */
function axisLabel(metric, experiment) {
  const {label, unit} = kMetrics[metric];
  return label + (unit ? " (" + (metric === "rate" ? experiment.items : "") + unit + ")" : "");
}

function tickWord(metric, number) { return kMetrics[metric].prefixed ? prefixed(number) : brief(number); }

/**
 * True if the metric is a ratio, and the ratio of `row` differs from 1 by no more than the noise.
 */
function isQuiet(row, metric) {
  const m = kMetrics[metric], ratio = m.of(row);
  return m.over !== undefined && row.axes.strategy !== m.over &&
      Math.max(ratio, 1 / ratio) - 1 <= (row[m.noise] ?? kNoise);
}

/**
 * The ends of a row's whisker: the value plus and minus the spread, within which about half of the
 * samples lie. Null if the metric is no time or the row has no spread.
 */
function whiskerOf(row, metric) {
  const value = kMetrics[metric].of(row), spread = row.timing?.spread_relative ?? 0;
  return kMetrics[metric].timed && spread > 0 ? [value * Math.max(0, 1 - spread), value * (1 + spread)] : null;
}

const isDrawn = (row, metric) => row.verdict === "right" && Number.isFinite(kMetrics[metric].of(row) ?? NaN);

/**
 * The distinct values of an axis: numbers in ascending order, texts in order of first appearance.
 */
function valuesOf(rows, key) {
  const values = [...new Set(rows.map(row => row.axes[key]).filter(v => v !== undefined && v !== null))];
  return values.every(v => typeof v === "number") ? values.sort((a, b) => a - b) : values;
}

/** Keys in rows of earlier versions that are not axes: they say why a row was measured. */
const kNoAxes = ["study"];

/** An experiment, with everything that is derived from its rows. */
function experimentOf(description) {
  const rows = kDocument.rows.filter(row => row.experiment === description.name);
  const axes = [...new Set(rows.flatMap(row => Object.keys(row.axes)))];
  // The most frequent value of each axis; if several are equally frequent, the first
  const base = {};
  for (const key of axes) {
    const counts = new Map();
    for (const row of rows) counts.set(row.axes[key], (counts.get(row.axes[key]) ?? 0) + 1);
    base[key] = [...counts].reduce((best, entry) => entry[1] > best[1] ? entry : best)[0];
  }
  const varying = axes.filter(key => !kNoAxes.includes(key) && valuesOf(rows, key).length > 1);
  return {
    ...description,
    rows,
    axes,
    base,
    varying,
    subject: kDocument.subjects?.[description.name] ?? varying[0],
    metrics: Object.keys(kMetrics).filter(metric => rows.some(row => isDrawn(row, metric))),
    timed: rows.some(row => row.timing),
  };
}

/** The experiments that have rows: first those of the document in their order, then others. */
function experiments() {
  const names = new Set(kDocument.experiments.map(e => e.name));
  const unnamed = [...new Set(kDocument.rows.map(row => row.experiment))].filter(name => !names.has(name));
  return [...kDocument.experiments, ...unnamed.map(name => ({name, title: name, text: "", items: "items"}))]
      .map(experimentOf)
      .filter(e => e.rows.length > 0);
}

/**
 * The rows for a chart of `metric`: right rows with this metric in which all axes, except those in
 * `free`, have their base values, or "-" if the axis has no meaning for the row. Of several rows
 * with equal axes, only the first.
 */
function atBase(experiment, metric, free) {
  const fixed = experiment.varying.filter(key => !free.includes(key));
  const rows = new Map();
  for (const row of experiment.rows) {
    const place = JSON.stringify(experiment.varying.map(key => row.axes[key]));
    if (!rows.has(place) && isDrawn(row, metric) &&
        fixed.every(key => row.axes[key] === experiment.base[key] || row.axes[key] === "-"))
      rows.set(place, row);
  }
  return [...rows.values()];
}

/** The axes that are not in `free`, with their base values: "hit probability 0.5, rays 16 Mi". */
function baseInWords(experiment, free) {
  return experiment.varying.filter(key => !free.includes(key))
      .map(key => labelOf(key) + " " + wordFor(key, experiment.base[key]))
      .join(", ");
}
