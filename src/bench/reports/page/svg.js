// SVG elements, scales and ticks.

const kSvg = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children (text or elements). */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== "")
      element.setAttribute(key, typeof value === "number" ? +value.toFixed(2) : value);
  element.append(...children);
  return element;
}

/**
 * A line between two points with a short bar across each end; an empty path if the points are less
 * than 3 pixels apart. `series` is the name of the series that it is highlighted with.
 */
function whisker([[x1, y1], [x2, y2]], series) {
  const upright = x1 === x2, cap = 3;
  if (Math.hypot(x2 - x1, y2 - y1) < 3) return svg("path", {class: "whisker", "data-series": series});
  const across = (x, y) => upright ? `M${x - cap} ${y}H${x + cap}` : `M${x} ${y - cap}V${y + cap}`;
  return svg("path", {
    class: "whisker",
    "data-series": series,
    d: across(+x1.toFixed(1), +y1.toFixed(1)) + across(+x2.toFixed(1), +y2.toFixed(1)) +
        `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`
  });
}

/** The approximate width of `text` in a chart, in pixels. */
function textWidth(text) {
  textWidth.context ??= document.createElement("canvas").getContext("2d");
  textWidth.context.font = '12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  return textWidth.context.measureText(text).width;
}

/** The ticks of a logarithmic axis: powers of ten, with 2 and 5 in between if there is room. */
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const steps = decades < 1 ? [1, 1.5, 2, 3, 4, 5, 7] : decades < 2.2 ? [1, 2, 5] : [1];
  const stride = decades > 6 ? 2 : 1;
  const ticks = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += 1)
    if (e % stride === 0)
      for (const step of steps) ticks.push(+(step * 10 ** e).toPrecision(6));
  return ticks.filter(t => t >= low * 0.999 && t <= high * 1.001);
}

function linearTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough * 0.999);
  const ticks = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high * (1 + 1e-9); t += step)
    ticks.push(+t.toPrecision(12));
  return ticks;
}

/** The largest of `values` divided by the smallest one that is not 0. */
function spreadOf(values) {
  const positive = values.filter(v => v > 0);
  return positive.length > 0 && values.every(v => v >= 0) ? Math.max(...positive) / Math.min(...positive) : 1;
}

/**
 * An axis for `values`, from pixel `from` to `to`. With `log` it is logarithmic, and zeros have a
 * place of their own below the smallest other value. With `zero` a linear axis starts at 0.
 */
function scaleOf(values, from, to, {log = false, zero = true, count = 5} = {}) {
  const positive = values.filter(v => v > 0);
  const least = Math.min(...positive), greatest = Math.max(...positive);
  if (log && greatest > least) {
    const zeros = positive.length < values.length;
    const decade = (to - from) / (Math.log10(greatest / least) + (zeros ? 0.7 : 0));
    const start = zeros ? from + 0.7 * decade : from;
    const scale = v => v > 0 ? start + Math.log10(v / least) * decade : from;
    let ticks = logTicks(least, greatest);
    if (ticks.length < 2) ticks = [least, greatest];
    return Object.assign(scale, {log: true, ticks: zeros ? [0, ...ticks] : ticks});
  }
  const low = zero ? Math.min(0, ...values) : Math.min(...values), high = Math.max(...values);
  const width = high - low || 1;
  const scale = v => from + (v - low) / width * (to - from);
  return Object.assign(scale, {log: false, ticks: linearTicks(low, high, count)});
}
