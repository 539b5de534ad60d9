// The pictures of the page. This script decodes PNG files when they are first shown, because a
// canvas would round 16 bits to 8 and change the colours of transparent pixels. Decoded pictures
// are dropped when the user leaves the case. Also here: the values of a pixel as text, and small
// pictures. The contrast of small difference pictures is stretched, because most are dark with few
// bright pixels.

const kPngChannels = {
  0: 1,  // grey
  2: 3,  // RGB
  3: 1,  // palette
  4: 2,  // grey and alpha
  6: 4   // RGBA
};

/**
 * The content of a PNG file: {width, height, channels, depth, samples, palette}. Returns null for
 * files that it can't read: other formats, interlaced files, and files with a transparent colour.
 * There are 1 to 4 `channels` of `depth` bits. `palette` is true if the colours were looked up in a
 * palette. Throws if the file is damaged.
 */
async function decodePng(bytes) {
  const parts = pngParts(bytes);
  if (parts === null || typeof DecompressionStream === "undefined") return null;
  const {width, height, depth, color} = parts;
  const bits = depth * kPngChannels[color];
  const rowBytes = Math.ceil(width * bits / 8);
  const filtered = await inflate(parts.data);
  if (filtered.length < height * (rowBytes + 1)) throw new Error("the PNG file is cut off");
  const rows = unfilter(filtered, height, rowBytes, Math.max(1, bits >> 3));
  const samples = samplesOf(rows, {width: width * kPngChannels[color], height, depth, rowBytes});
  if (color !== 3) return {width, height, channels: kPngChannels[color], depth, samples, palette: false};
  const {channels, colors} = lookedUp(samples, parts.palette, parts.alpha);
  return {width, height, channels, depth: 8, samples: colors, palette: true};
}

/** The chunks of a PNG file that are needed, or null for files that decodePng can't read. */
function pngParts(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  const parts = {data: [], palette: new Uint8Array(), alpha: new Uint8Array()};
  for (let at = 8; at + 12 <= bytes.length;) {
    const size = view.getUint32(at), begin = at + 8;
    const name = String.fromCharCode(...bytes.subarray(at + 4, begin));
    const content = bytes.subarray(begin, begin + size);
    if (name === "IHDR") {
      Object.assign(parts, {width: view.getUint32(begin), height: view.getUint32(begin + 4)});
      Object.assign(parts, {depth: content[8], color: content[9]});
      if (content[12] !== 0 || !(parts.color in kPngChannels)) return null;
    }
    if (name === "PLTE") parts.palette = content;
    if (name === "tRNS") {
      if (parts.color !== 3) return null;
      parts.alpha = content;
    }
    if (name === "IDAT") parts.data.push(content);
    at = begin + size + 4;
  }
  return parts;
}

async function inflate(parts) {
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error("the PNG file is damaged");
  }
}

/**
 * Reverses the filter that the first byte of each row names. Neighbouring pixels are `step` bytes
 * apart.
 */
function unfilter(filtered, height, rowBytes, step) {
  const out = new Uint8Array(height * rowBytes);
  for (let y = 0, from = 0, to = 0; y < height; ++y) {
    const filter = filtered[from++];
    if (filter > 4) throw new Error(`the PNG file has a filter ${filter}`);
    for (let i = 0; i < rowBytes; ++i, ++from, ++to) {
      const left = i >= step ? out[to - step] : 0;
      const up = y > 0 ? out[to - rowBytes] : 0;
      const corner = y > 0 && i >= step ? out[to - rowBytes - step] : 0;
      const guess = filter === 0 ? 0 :
          filter === 1           ? left :
          filter === 2           ? up :
          filter === 3           ? (left + up) >> 1 :
                                   nearestOf(left, up, corner);
      out[to] = filtered[from] + guess;
    }
  }
  return out;
}

/** The one of three neighbours that is nearest to left + up - corner. */
function nearestOf(left, up, corner) {
  const toLeft = Math.abs(up - corner), toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

/** Unpacks rows of `width` samples with `depth` bits each, high bits first. */
function samplesOf(rows, {width, height, depth, rowBytes}) {
  if (depth === 8) return rows;
  const samples = depth === 16 ? new Uint16Array(width * height) : new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; ++y)
    for (let x = 0; x < width; ++x, ++to) {
      const bit = x * depth, at = y * rowBytes + (bit >> 3);
      samples[to] = depth === 16 ? rows[at] << 8 | rows[at + 1] :
                                   rows[at] >> (8 - depth - (bit & 7)) & ((1 << depth) - 1);
    }
  return samples;
}

/** The colours of a palette at `indices`, with alpha if there is any. */
function lookedUp(indices, palette, alpha) {
  const channels = alpha.length > 0 ? 4 : 3;
  const colors = new Uint8Array(indices.length * channels);
  indices.forEach((index, i) => {
    colors.set(palette.subarray(3 * index, 3 * index + 3), i * channels);
    if (channels === 4) colors[i * 4 + 3] = alpha[index] ?? 255;
  });
  return {channels, colors};
}

/** The pictures of a case, in the order of their keys 1 to 4. */
const kPictures = {
  reference: "Reference",
  result: "Result",
  difference: "Difference",
  flip: "FLIP"
};

const kDecoded = new Map();

/** The PNG file of picture `number`. */
function bytesOf(number) {
  const text = atob(document.getElementById("picture-" + number).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * A promise of picture `number`: the result of decodePng, with `exact` and a `canvas` to draw from.
 */
function pictureOf(number) {
  if (!kDecoded.has(number)) kDecoded.set(number, decoded(bytesOf(number)));
  return kDecoded.get(number);
}

function forgetAllBut(numbers) {
  for (const number of [...kDecoded.keys()])
    if (!numbers.includes(number)) kDecoded.delete(number);
}

async function decoded(bytes) {
  const exact = await decodePng(bytes);
  const picture = exact ?? await browsersDecoded(bytes);
  const canvas = html("canvas", {width: picture.width, height: picture.height});
  canvas.getContext("2d").putImageData(new ImageData(inBytes(picture), picture.width), 0, 0);
  return {...picture, canvas, exact: exact !== null};
}

/** A picture as the browser decodes it: 8 bits per channel, possibly rounded. */
async function browsersDecoded(bytes) {
  const asStored = {colorSpaceConversion: "none", premultiplyAlpha: "none"};
  const bitmap = await createImageBitmap(new Blob([bytes]), asStored);
  const {width, height} = bitmap;
  const context = html("canvas", {width, height}).getContext("2d", {willReadFrequently: true});
  context.drawImage(bitmap, 0, 0);
  const samples = context.getImageData(0, 0, width, height).data;
  return {width, height, channels: 4, depth: 8, samples, palette: false};
}

/** The picture as RGBA with 8 bits per channel, for drawing. */
function inBytes({width, height, channels, depth, samples}) {
  const out = new Uint8ClampedArray(width * height * 4);
  const scale = 255 / ((1 << depth) - 1), grey = channels < 3, alpha = channels % 2 === 0;
  for (let i = 0, from = 0; i < out.length; i += 4, from += channels) {
    for (let c = 0; c < 3; ++c) out[i + c] = samples[grey ? from : from + c] * scale;
    out[i + 3] = alpha ? samples[from + channels - 1] * scale : 255;
  }
  return out;
}

/** The kind of a picture: "640 × 360, 16-bit RGB". */
function kindOf(picture) {
  const colors = ["grey", "grey + alpha", "RGB", "RGBA"][picture.channels - 1];
  const palette = picture.palette ? ", palette" : "";
  return `${picture.width} × ${picture.height}, ${picture.depth}-bit ${colors}${palette}`;
}

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

// Each channel of a pixel in a stretched picture is at least this fraction of the pixel's brightest
// channel, because pure blue is hard to see.
const kLeastGrey = 0.6;
// The largest width of stretched pictures in pixels. It is about their width on the page, because
// differences would become weaker if the browser scaled the pictures down again.
const kStretchedWidth = 150;

/**
 * A canvas with `picture`, scaled down to at most `width` by `height` pixels. `stretched` is true
 * for pictures of differences, whose contrast is stretched.
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
 * Scales a picture of differences down. A pixel of the result has the largest values of all pixels
 * that fall into it or into its neighbours, so that even a single differing pixel is visible. Dark
 * values are made brighter.
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
