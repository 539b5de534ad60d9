// A panel of horizontal bars: a metric with one bar per row, the floor and the noise around it. On
// a logarithmic axis the length of a bar has no meaning, so a bar is a thin line that ends in a
// marker.

/** The room that names and numbers of all panels of a chart take: bars then begin and end alike in all. */
function frameOf(panels, {metric, category}) {
  const rows = panels.flatMap(panel => panel.rows);
  return {
    names: Math.max(...rows.map(row => textWidth(wordFor(category, row.axes[category])))),
    numbers: Math.max(...rows.map(row => textWidth(barWords(row, metric))))
  };
}

function barWords(row, metric) {
  const number = kMetrics[metric].of(row);
  return metric === "rate" ? prefixed(number) : inWords(metric, number);
}

/**
 * Draws `panel` = {rows, reference, looks} into an SVG `width` wide. The axis covers `values`;
 * `category` names the bars. Returns {plot, marks: [{x, y, row, series, element}]}.
 */
function drawBars(panel, {metric, experiment, category, values, log, width, frame}) {
  const m = kMetrics[metric];
  const names = panel.rows.map(row => wordFor(category, row.axes[category]));
  const widest = frame.names + 10;
  const above = widest > width * 0.36;  // long names are above their bars
  const left = above ? 4 : widest;
  const right = width - frame.numbers - 16;
  const step = above ? 38 : 24;
  const top = 8;
  const bottom = top + step * panel.rows.length + 4;
  const height = bottom + 38;
  // Without this, the smallest value of a logarithmic axis would have no line.
  const low = log && !m.over ? [Math.min(...values.filter(v => v > 0)) / 1.7] : [];
  const count = Math.max(2, Math.floor((right - left) / 60));
  const x = scaleOf([...values, ...low], left + 2, right, {log, count});
  const plot = svg("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, height});

  const label = number => tickWord(metric, number);
  for (const t of thinned(x.ticks, x, label)) {
    plot.append(svg("line", {class: "grid", x1: x(t), x2: x(t), y1: top, y2: bottom}));
    plot.append(svg("text", {x: x(t), y: bottom + 15, "text-anchor": "middle"}, label(t)));
  }
  const middle = (left + right) / 2;
  plot.append(
      svg("text", {x: middle, y: height - 4, "text-anchor": "middle"}, axisLabel(metric, experiment)));

  const floor = m.over ? 1 : panel.reference ? m.of(panel.reference) : 0;
  if (floor > 0) {
    const [from, to] = [x(floor * (1 - kNoise)), x(floor * (1 + kNoise))];
    const band = {x: from, width: Math.max(to - from, 1), y: top, height: bottom - top};
    if (m.timed && kNoise > 0) plot.append(svg("rect", {class: "noise", ...band}));
    plot.append(svg("line", {class: "floor", x1: x(floor), x2: x(floor), y1: top, y2: bottom}));
  }
  const marks = panel.rows.map((row, i) => {
    const y = top + step * i + (above ? 26 : 13);
    const side = above ? {x: left, y: y - 12} : {x: left - 8, y: y + 4, "text-anchor": "end"};
    plot.append(svg("text", {class: "row", ...side}, names[i]));
    plot.append(svg("text", {class: "value", x: width - 1, y: y + 4, "text-anchor": "end"}, barWords(row, metric)));
    const at = x(m.of(row));
    const element = drawBar(plot, row, panel.looks(row), {metric, x, from: m.over ? x(1) : left + 2, at, y});
    const ends = whiskerOf(row, metric)?.map(end => Math.min(right, Math.max(left + 2, x(end))));
    if (ends) plot.append(whisker(ends.map(end => [end, y])));
    return {x: at, y, row, series: String(row.axes[category]), element};
  });
  return {plot, marks};
}

/** Draws one bar, or a line from `from` to a marker at `at`. */
function drawBar(plot, row, look, {metric, x, from, at, y}) {
  const stroke = look.floor ? "var(--none)" : `var(--c${look.color})`;
  const fill = isQuiet(row, metric) ? "var(--card)" : stroke;
  if (x.log) plot.append(svg("line", {class: "spread", x1: from, x2: at, y1: y, y2: y, stroke}));
  const box = {x: x(0), y: y - 7, width: Math.max(at - x(0), 1.5), height: 14, rx: 2};
  const element = x.log ?
      svg("path", {class: "mark", d: markerPath(look.shape, at, y), stroke, fill, "fill-rule": "evenodd"}) :
      svg("rect", {class: "bar mark", ...box, stroke, fill});
  plot.append(element);
  return element;
}
