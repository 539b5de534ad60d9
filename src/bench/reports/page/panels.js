// A chart is a column of panels. A panel shows lines (a metric over an axis, one line per series)
// or bars, with the floor and the noise around them. On a logarithmic axis the length of a bar has
// no meaning, so a bar is a thin line that ends in a marker. Panels adapt to the available width,
// and show the values of a mark on pointer or arrow keys.

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

/** As many of `values` as have labels that do not touch. The last and the first are kept first. */
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
  // Leaves room below the line of the floor for its name, in case the floor is the smallest value.
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

/**
 * The number of rows, 1 or 2, for the labels of an axis `width` pixels wide, so that they don't
 * touch.
 */
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
  // Texts have no values between them, so at each text, the marks of the series are side by side.
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
 * Draws the lines with which the values of a chart are compared, with a band of noise around them:
 * the line at 1 if the metric is a ratio, and the line of strategy none.
 */
function drawFloor(plot, panel, {metric, y, place, left, right, slot}) {
  const m = kMetrics[metric];
  const lines = [];  // one {name, points: [[x, value]...]} per line
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
    // Puts the name below the lower end of the line, away from the other lines.
    const rising = points.at(-1)[1] > points[0][1];
    const [x, v] = rising ? points[0] : points.at(-1);
    const side = rising ? {x: x + 4} : {x: Math.min(x, right), "text-anchor": "end"};
    if (name) plot.append(svg("text", {class: "floor-name", y: y(v) + 14, ...side}, name));
  }
}

/**
 * The width in pixels of the widest name and of the widest number in all panels of a chart, so that
 * bars begin and end at the same positions in all panels.
 */
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
  const above = widest > width * 0.36;  // long names are placed above their bars
  const left = above ? 4 : widest;
  const right = width - frame.numbers - 16;
  const step = above ? 38 : 24;
  const top = 8;
  const bottom = top + step * panel.rows.length + 4;
  const height = bottom + 38;
  // The axis begins below the smallest value, so that this value also has a line on a logarithmic
  // axis.
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

const kTip = document.getElementById("tip");

/** Draws into `figure` now and whenever its width changes. `draw(width)` returns {plot, marks}. */
function keepDrawn(figure, draw, {experiment, metric, name, root}) {
  let drawn = 0;
  const redraw = () => {
    const width = Math.max(240, Math.floor(figure.clientWidth));
    if (figure.clientWidth === 0 || width === drawn) return;
    drawn = width;
    const {plot, marks} = draw(width);
    plot.setAttribute("tabindex", "0");
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-roledescription", "chart");
    plot.setAttribute(
        "aria-label",
        `${name}: ${kMetrics[metric].label}, ${marks.length} marks; the arrow keys go through them`);
    tell(plot, marks, experiment, metric);
    figure.querySelector("svg")?.remove();
    figure.append(plot);
    dim(root);
  };
  // Draws as soon as the figure is in the page. Does not wait for a frame, because a headless
  // browser may never show one.
  queueMicrotask(redraw);
  // Draws one frame later, because a panel must not change its height while a ResizeObserver
  // reports sizes.
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(figure);
}

/** Shows the values of the marks of `plot` on pointer and keys. */
function tell(plot, marks, experiment, metric) {
  let current = null;
  const show = mark => {
    current?.element.classList.remove("current");
    current = mark;
    kTip.hidden = !mark;
    if (!mark) return;
    mark.element.classList.add("current");
    kTip.replaceChildren(...tipOn(mark, experiment, metric));
    const box = plot.getBoundingClientRect(), tip = kTip.getBoundingClientRect();
    const x = box.left + mark.x, y = box.top + mark.y;
    const left =
        Math.min(Math.max(6, x - tip.width / 2), document.documentElement.clientWidth - tip.width - 6);
    const above = y - tip.height - 14;
    kTip.style.left = left + scrollX + "px";
    kTip.style.top = (above > 4 ? above : y + 16) + scrollY + "px";
  };
  plot.addEventListener("pointermove", event => {
    const box = plot.getBoundingClientRect();
    const away = mark => Math.hypot(mark.x - (event.clientX - box.left), mark.y - (event.clientY - box.top)) +
        (mark.element.classList.contains("dim") ? 1e3 : 0);
    const nearest = marks.reduce((best, mark) => !best || away(mark) < away(best) ? mark : best, null);
    show(nearest && away(nearest) < 60 ? nearest : null);
  });
  plot.addEventListener("pointerleave", () => show(null));
  plot.addEventListener("blur", () => show(null));
  plot.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (event.key === "Escape") show(null);
    if (!step || marks.length === 0) return;
    event.preventDefault();
    const at = marks.indexOf(current);
    show(marks[at < 0 ? (step > 0 ? 0 : marks.length - 1) : (at + step + marks.length) % marks.length]);
  });
}

/** The text for a mark: everything known about its row. */
function tipOn({row, title}, experiment, metric) {
  const axes = experiment.varying.filter(key => key !== experiment.subject && row.axes[key] !== undefined);
  const lines = [
    html(
        "strong", {},
        title ?? (experiment.subject ? wordFor(experiment.subject, row.axes[experiment.subject]) : experiment.name)),
    html(
        "div", {className: "soft"},
        axes.map(key => labelOf(key) + " " + wordFor(key, row.axes[key])).join(", "))
  ];
  for (const key of [metric, ...experiment.metrics.filter(other => other !== metric)]) {
    if (!isDrawn(row, key)) continue;
    const number = kMetrics[key].of(row), m = kMetrics[key];
    const spread = key === "time" || (key === "rate" && metric === "rate") ? ` ±${(row.timing.spread_relative * 100).toFixed(1)} %` : "";
    const quiet = isQuiet(row, key) ? " (within the noise)" : "";
    lines.push(html("div", {}, `${m.label}: ${inWords(key, number, experiment.items)}${spread}${quiet}`));
  }
  if (row.timing?.throttled) lines.push(html("div", {}, "the clock was lower"));
  return lines;
}
