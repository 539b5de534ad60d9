// Decodes PNG files exactly. A canvas would round 16 bits to 8, and colours by their alpha.

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
 * There are 1 to 4 `channels` of `depth` bits. Colours of a palette are looked up; `palette` tells
 * that. Throws if the file is damaged.
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
