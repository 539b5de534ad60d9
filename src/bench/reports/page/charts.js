// Charts, which consist of panels.

/**
 * The metric of a chart: the reader's choice, else the chart's own, else the first one available.
 */
function metricFor(chart, experiment, chosen) {
  return [chosen, ...(chart.metric ?? []), ...experiment.metrics].find(
      metric => experiment.metrics.includes(metric));
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
  if (!metric || !experiment.varying.includes(chart.kind === "lines" ? chart.x : chart.category)) return null;
  const rows = atBase(experiment, metric, [...main, ...split]);
  const panels = combinations(rows, split)
                     .map(values => ({
                            values,
                            ...(chart.kind === "lines" ? linePanel : barPanel)(
                                chart, experiment, metric,
                                rows.filter(row => split.every(key => row.axes[key] === values[key])))
                          }))
                     .filter(panel => panel.worth);
  if (panels.length === 0) return null;

  const m = kMetrics[metric];
  // Panels share an axis for ratios only. Times of a million and of a hundred million rays do not
  // fit one axis.
  const shared = panels.flatMap(panel => panel.all.map(m.of));
  const log = panels.some(
      panel =>
          spreadOf([...panel.all.map(m.of), ...(m.over ? [1] : [])]) > (chart.kind === "lines" ? 12 : 25));
  const shape = {1: " single", 2: " few", 4: " four"}[panels.length] ?? "";
  const grid = html("div", {className: "panels" + shape});
  const root = html(
      "div", {className: "chart" + (panels.length > 1 ? " wide" : "")}, html("h3", {}, chart.title),
      html("p", {className: "soft"}, noteOn(experiment, metric, [...main, ...split])));
  if (chart.kind === "lines") root.append(legendOf(panels, root));
  for (const panel of panels) {
    const caption = split
                        .map(
                            key => split.length > 1 || typeof panel.values[key] === "number" ?
                                labelOf(key) + " " + wordFor(key, panel.values[key]) :
                                wordFor(key, panel.values[key]))
                        .join(", ");
    const figure = html("figure", {}, ...(caption ? [html("figcaption", {}, caption)] : []));
    const ys = m.over ? [...shared, 1] : panel.all.map(m.of);
    const draw = width => chart.kind === "lines" ?
        drawLines(panel, {metric, experiment, ys, log, width, vertical: chart.vertical}) :
        drawBars(panel, {metric, experiment, category: chart.category, values: ys, log, width});
    grid.append(figure);
    keepDrawn(figure, draw, {experiment, metric, name: chart.title + (caption ? ", " + caption : ""), root});
  }
  root.append(grid);
  return root;
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

/** What a chart shows, in one line under its title. */
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
