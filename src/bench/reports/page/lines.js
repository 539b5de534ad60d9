// A panel of lines: a metric over an axis, one line per series, the floor and the noise around it.

/** The positions of the values of the x axis: numbers on a scale, texts side by side. */
function placesOf(xs, left, right) {
  if (!xs.every(x => typeof x === "number")) {
    const slot = (right - left) / xs.length;
    return {place: x => left + (xs.indexOf(x) + 0.5) * slot, slot, words: true};
  }
  if (xs.length === 1) return {place: () => (left + right) / 2, slot: right - left, words: false};
  const scale = scaleOf(xs, left + 8, right - 8, {log: spreadOf(xs) > 6, zero: false});
  return {place: scale, slot: 0, words: false};
}

/** As many of `values` as have labels that do not touch; the ends come first. */
function thinned(values, place, label) {
  const kept = [];
  const order = values.length > 2 ? [values.at(-1), ...values.slice(0, -1)] : values;
  for (const value of order) {
    const half = textWidth(label(value)) / 2 + 4;
    if (kept.every(k => Math.abs(place(k) - place(value)) >= half + textWidth(label(k)) / 2 + 4))
      kept.push(value);
  }
  return kept;
}

/**
 * Draws `panel` = {series: [{name, look, rows}], floor: rows, x, xs} into an SVG `width` wide. The
 * y axis covers `ys`. Returns {plot, marks: [{x, y, row, series, element}]}.
 */
function drawLines(panel, {metric, experiment, ys, log, width, vertical}) {
  const rows = labelRows(panel, width - 60);
  const height = (width < 330 ? 236 : 256) + (rows - 1) * kLabelRow;
  const top = 26;
  const bottom = height - 40 - (rows - 1) * kLabelRow;
  // The name of the floor is below its line. It needs room if the floor is the smallest of all
  // values.
  const y = scaleOf(ys, log ? bottom - 18 : bottom, top + 6, {log, count: 5});
  const label = number => tickWord(metric, number);
  const left = Math.max(26, ...y.ticks.map(t => textWidth(label(t)))) + 10;
  const right = width - Math.max(8, textWidth(wordFor(panel.x, panel.xs.at(-1))) / 2 - 6);
  const frame = {metric, rows, y, top, bottom, left, right, width, height, ...placesOf(panel.xs, left, right)};
  const plot = svg("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, height});

  plot.append(svg("text", {x: 0, y: 12}, axisLabel(metric, experiment)));
  for (const t of y.ticks) {
    plot.append(svg("line", {class: "grid", x1: left, x2: right, y1: y(t), y2: y(t)}));
    plot.append(svg("text", {x: left - 6, y: y(t) + 4, "text-anchor": "end"}, label(t)));
  }
  drawXAxis(plot, panel, frame);
  if (vertical && panel.xs.includes(vertical.at)) drawVertical(plot, vertical, frame);
  drawFloor(plot, panel, frame);
  const marks = panel.series.flatMap((series, i) => drawSeries(plot, panel, series, i, frame));
  plot.append(...marks.flatMap(mark => mark.whisker ? [mark.whisker, mark.element] : [mark.element]));
  return {plot, marks};
}

const kLabelRow = 14;

/** In how many rows the words of an axis `width` wide stand, so that neighbours don't touch. */
function labelRows({x, xs}, width) {
  const slot = width / xs.length;
  const touch = xs.some(
      (value, i) => i > 0 && (textWidth(wordFor(x, value)) + textWidth(wordFor(x, xs[i - 1]))) / 2 + 8 > slot);
  return touch && xs.some(value => typeof value !== "number") ? 2 : 1;
}

function drawXAxis(plot, panel, {place, words, rows, left, right, bottom, height}) {
  const name = x => wordFor(panel.x, x);
  plot.append(svg("line", {class: "axis", x1: left, x2: right, y1: bottom, y2: bottom}));
  for (const value of words ? panel.xs : thinned(panel.xs, place, name)) {
    const x = place(value), lower = words && panel.xs.indexOf(value) % rows * kLabelRow;
    plot.append(svg("line", {class: "axis", x1: x, x2: x, y1: bottom, y2: bottom + 4}));
    plot.append(svg("text", {x, y: bottom + 17 + lower, "text-anchor": "middle"}, name(value)));
  }
  const middle = (left + right) / 2;
  plot.append(svg("text", {x: middle, y: height - 5, "text-anchor": "middle"}, labelOf(panel.x)));
}

/** Draws a named vertical line at a value of the x axis. */
function drawVertical(plot, {at, label}, {place, top, bottom, right}) {
  const x = place(at);
  const beyond = x + textWidth(label) + 10 > right;
  const side = beyond ? {x: x - 6, "text-anchor": "end"} : {x: x + 6};
  plot.append(svg("line", {class: "floor", x1: x, x2: x, y1: top, y2: bottom}));
  plot.append(svg("text", {class: "floor-name", y: top + 12, ...side}, label));
}

/** Draws the line of a series. Returns its marks, which are not part of the plot yet. */
function drawSeries(plot, panel, series, index, {metric, y, place, slot, words, top, bottom}) {
  const {look, name, title} = series;
  const stroke = `var(--c${look.color})`;
  // Texts have nothing in between, so the series are side by side at each text.
  const step = slot ? Math.min(16, slot * 0.8 / panel.series.length) : 0;
  const shift = (index - (panel.series.length - 1) / 2) * step;
  const marks = series.rows.map(row => {
    const at = {x: place(row.axes[panel.x]) + shift, y: y(kMetrics[metric].of(row))};
    const fill = isQuiet(row, metric) ? "var(--card)" : stroke;
    const d = markerPath(look.shape, at.x, at.y);
    const element =
        svg("path", {class: "mark", "data-series": name, d, stroke, fill, "fill-rule": "evenodd"});
    const ends = whiskerOf(row, metric)?.map(end => Math.min(bottom, Math.max(top, y(end))));
    return {...at, row, title, element, whisker: ends && whisker(ends.map(end => [at.x, end]), name)};
  });
  marks.sort((a, b) => a.x - b.x);
  if (!words && marks.length > 1) {
    const d = "M" + marks.map(mark => mark.x.toFixed(1) + " " + mark.y.toFixed(1)).join("L");
    plot.append(
        svg("path", {class: "series", "data-series": name, d, stroke, "stroke-dasharray": look.dash}));
  }
  return marks;
}

/**
 * Draws the lines of what the metric compares with and of strategy none, with the noise around
 * them.
 */
function drawFloor(plot, panel, {metric, y, place, left, right, slot}) {
  const m = kMetrics[metric];
  const lines = [];  // {name, points: [[x, value]...]}
  if (m.over) lines.push({name: m.over, points: [[left, 1], [right, 1]]});
  if (m.over !== "none") {
    const points = panel.floor.map(row => [place(row.axes[panel.x]), m.of(row)]).sort((a, b) => a[0] - b[0]);
    const half = (slot || 40) / 2;
    if (points.length > 1 && !slot)
      lines.push({name: "none", points});
    else
      points.forEach(
          ([x, v], i) => lines.push({name: i === 0 ? "none" : "", points: [[x - half, v], [x + half, v]]}));
  }
  for (const {name, points} of lines) {
    const edge = factor => points.map(([x, v]) => x.toFixed(1) + " " + y(v * factor).toFixed(1));
    const band = [...edge(1 + kNoise), ...edge(1 - kNoise).reverse()];
    if (m.timed && kNoise > 0) plot.append(svg("path", {class: "noise", d: "M" + band.join("L") + "Z"}));
    plot.append(svg("path", {class: "floor", d: "M" + edge(1).join("L")}));
    // The name is below the lower end of the line, away from the other lines.
    const rising = points.at(-1)[1] > points[0][1];
    const [x, v] = rising ? points[0] : points.at(-1);
    const side = rising ? {x: x + 4} : {x: Math.min(x, right), "text-anchor": "end"};
    if (name) plot.append(svg("text", {class: "floor-name", y: y(v) + 14, ...side}, name));
  }
}
