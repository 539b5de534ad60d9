// The pictures of the page. They are decoded when first shown, and dropped when the case is left.

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
