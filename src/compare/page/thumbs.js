// Small pictures. The contrast of difference pictures is stretched, because most are dark with few
// bright pixels.

// Least grey of a pixel, as a share of its brightest channel: blue alone is hard to see.
const kLeastGrey = 0.6;
// About the width on the page: scaling down again would weaken the differences.
const kStretchedWidth = 150;

/**
 * A canvas with `picture`, at most `width` by `height` pixels large. `stretched`: true for
 * differences.
 */
function thumbOf(picture, width, height, stretched) {
  const most = stretched ? Math.min(width, kStretchedWidth) : width;
  const scale = Math.min(1, most / picture.width, height / picture.height);
  const small = html("canvas", {
    "aria-hidden": "true",
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale))
  });
  const context = small.getContext("2d");
  if (stretched) {
    context.putImageData(stretchedIn(picture, small.width, small.height), 0, 0);
    return small;
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(picture.canvas, 0, 0, small.width, small.height);
  return small;
}

/**
 * Of the pixels that come together in one the greatest, as large as three by three, so that a single one is
 * seen; dark ones lifted.
 */
function stretchedIn(picture, width, height) {
  const from = inBytes(picture), out = new ImageData(width, height);
  const lift = (to, value) => out.data[to] = Math.max(out.data[to], value);
  let greatest = 1;
  for (let y = 0; y < picture.height; ++y)
    for (let x = 0; x < picture.width; ++x) {
      const at = 4 * (y * picture.width + x);
      if (from[at] + from[at + 1] + from[at + 2] === 0) continue;
      greatest = Math.max(greatest, from[at], from[at + 1], from[at + 2]);
      const [px, py] = [Math.floor(x * width / picture.width), Math.floor(y * height / picture.height)];
      for (let ny = Math.max(0, py - 1); ny <= Math.min(height - 1, py + 1); ++ny)
        for (let nx = Math.max(0, px - 1); nx <= Math.min(width - 1, px + 1); ++nx)
          for (let c = 0; c < 3; ++c) lift(4 * (ny * width + nx) + c, from[at + c]);
    }
  const lifted = Uint8ClampedArray.from({length: 256}, (_, value) => 255 * Math.cbrt(value / greatest));
  for (let i = 0; i < out.data.length; i += 4) {
    const [r, g, b] = out.data.subarray(i, i + 3), grey = lifted[Math.max(r, g, b)] * kLeastGrey;
    [r, g, b].forEach((value, c) => out.data[i + c] = Math.max(grey, lifted[value]));
    out.data[i + 3] = 255;
  }
  return out;
}
