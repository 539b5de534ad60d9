// The values of a pixel in two pictures, as text.

/** The values of a pixel as the file stores them, or null outside of the picture. */
function valuesAt({width, height, channels, samples}, {x, y}) {
  if (x >= width || y >= height) return null;
  const at = (y * width + x) * channels;
  return [...samples.subarray(at, at + channels)];
}

/** A colour swatch, the picture's name and its values. */
function pixelRow(label, picture, pixel) {
  const values = valuesAt(picture, pixel);
  const [r, g, b, a] = inBytes({...picture, width: 1, height: 1, samples: values ?? [0, 0, 0, 0]});
  const swatch = html("span", {className: "swatch", "aria-hidden": "true"});
  swatch.style.background = values ? `rgb(${r} ${g} ${b} / ${a / 255})` : "none";
  const hint = (picture.depth !== 8 ? ` ${picture.depth}-bit` : "") +
      (picture.exact ? "" : " as the browser reads it");
  return html(
      "div", {className: "pixel"}, swatch, html("span", {className: "soft"}, label),
      html("code", {}, values ? values.join(" ") : "outside"), html("span", {className: "soft"}, hint));
}

/** The difference of `second` and `first`, or null if it has no meaning. */
function stepRow(first, second, pixel) {
  const a = valuesAt(first, pixel), b = valuesAt(second, pixel);
  if (!a || !b || first.channels !== second.channels || first.depth !== second.depth) return null;
  const steps = a.map((value, i) => b[i] - value);
  const words = steps.map(step => (step > 0 ? "+" : step < 0 ? "−" : "") + Math.abs(step));
  return html(
      "div", {className: steps.some(step => step !== 0) ? "pixel apart" : "pixel"},
      html("span", {className: "swatch none", "aria-hidden": "true"}),
      html("span", {className: "soft"}, "Step"), html("code", {}, words.join(" ")));
}

/** The pixel in each of `shown` = [{label, picture}], and the difference of the first two. */
function readoutOf(shown, pixel) {
  const rows = shown.map(({label, picture}) => pixelRow(label, picture, pixel));
  const step = shown.length > 1 ? stepRow(shown[0].picture, shown[1].picture, pixel) : null;
  return [
    html("div", {className: "pixel at"}, html("code", {}, `x ${pixel.x}  y ${pixel.y}`)), ...rows,
    ...(step ? [step] : [])
  ];
}
