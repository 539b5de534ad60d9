// Panels that adapt to the width of their place and show the values of a mark on pointer or arrow
// keys.

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
  // Draws once the figure is in the page. A headless browser may never show a frame, so this does
  // not wait for one.
  queueMicrotask(redraw);
  // Draws one frame later, because a panel must not change its height while sizes are observed.
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
