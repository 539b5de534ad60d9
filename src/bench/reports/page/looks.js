// The look of numbers, values and series. Series differ not only in colour: each has its own
// marker, and each kind of strategy its own dash pattern.

/** A number with an SI prefix: 12.3 G for 12300000000. */
function prefixed(number) {
  for (const [factor, prefix] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (Math.abs(number) >= factor * 0.9995) return brief(number / factor) + prefix;
  return brief(number);
}

/** A short form of an axis value: 16777216 as "16 Mi". */
function short(value) {
  if (typeof value !== "number") return value === "" ? "-" : String(value);
  if (Number.isInteger(value) && value >= 4096)
    for (const [factor, prefix] of [[2 ** 30, " Gi"], [2 ** 20, " Mi"], [2 ** 10, " Ki"]])
      if (value % factor === 0) return grouped(value / factor) + prefix;
  return Number.isInteger(value) ? (value >= 1e5 ? prefixed(value) : grouped(value)) : brief(value);
}

/** A relative difference: "+12 %". */
function percent(share) {
  return (share > 0 ? "+" : "") +
      (Math.abs(share) < 0.1 ? (share * 100).toFixed(1) : threeDigits(share * 100)) + " %";
}

/** The number of colours of series in page.css: --c0 and so on. */
const kColors = 23;

/**
 * Each strategy has a colour of its own. The dash pattern shows what it votes over: a lane or nothing
 * (solid), a warp (dashed), a block (dotted), a cluster of blocks (dots and dashes). Long dashes: a
 * whole sort.
 */
const kLooks = {
  naive: {color: 0, shape: "circle"},
  compiler: {color: 1, shape: "square"},
  sharded: {color: 9, shape: "ring"},
  spread: {color: 14, shape: "diamond"},
  "warp-ballot": {color: 2, shape: "up", dash: "8 4"},
  "warp-shards": {color: 13, shape: "ring", dash: "8 4"},
  "warp-queues": {color: 10, shape: "square", dash: "8 4"},
  "warp-array": {color: 3, shape: "down", dash: "8 4"},
  "warp-slots": {color: 4, shape: "diamond", dash: "8 4"},
  "warp-atom": {color: 15, shape: "circle", dash: "8 4"},
  "warp-release": {color: 11, shape: "cross", dash: "8 4"},
  "warp-system": {color: 17, shape: "plus", dash: "8 4"},
  "block-flag": {color: 5, shape: "square", dash: "2 3"},
  "block-vote": {color: 7, shape: "circle", dash: "2 3"},
  "block-count": {color: 6, shape: "up", dash: "2 3"},
  "block-scan": {color: 12, shape: "plus", dash: "2 3"},
  cluster: {color: 18, shape: "up", dash: "8 3 2 3"},
  "red-async": {color: 19, shape: "down", dash: "8 3 2 3"},
  later: {color: 16, shape: "plus"},
  bins: {color: 20, shape: "up"},
  "bin-atomics": {color: 21, shape: "down"},
  "bin-sort": {color: 22, shape: "square", dash: "14 4"},
  "flag-store": {color: 8, shape: "cross"},
};
const kShapes = ["circle", "square", "up", "diamond", "down", "plus", "cross", "ring"];

/** Names for values that are abbreviated in the results. */
const kWords = {
  work: {
    flag: "flag only",
    fma200: "200 FMA per ray",
    fma2000: "2000 FMA per ray",
    memory: "32 B read, 4 B written per ray"
  },
  lanes: {random: "random", coherent: "coherent"},
};

function wordFor(key, value) { return kWords[key]?.[value] ?? short(value); }

function lookOf(name, index) {
  const known = Object.keys(kLooks).find(
      // Also matches names such as "naive in the loop"
      key => name === key || String(name).startsWith(key + " "));
  return kLooks[known] ??
      {color: index % kColors, shape: kShapes[index % kShapes.length], dash: index >= kColors ? "8 4" : ""};
}

/** The path of a marker with radius `r` at (x, y). */
function markerPath(shape, x, y, r = 4.5) {
  const at = (dx, dy) => (x + dx * r).toFixed(1) + " " + (y + dy * r).toFixed(1);
  const polygon = points => "M" + points.map(([dx, dy]) => at(dx, dy)).join("L") + "Z";
  switch (shape) {
    case "square":
      return polygon([[-.85, -.85], [.85, -.85], [.85, .85], [-.85, .85]]);
    case "diamond":
      return polygon([[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]]);
    case "up":
      return polygon([[0, -1.1], [1.1, .85], [-1.1, .85]]);
    case "down":
      return polygon([[0, 1.1], [1.1, -.85], [-1.1, -.85]]);
    case "plus":
      return "M" + at(-1.1, 0) + "L" + at(1.1, 0) + "M" + at(0, -1.1) + "L" + at(0, 1.1);
    case "cross":
      return "M" + at(-.9, -.9) + "L" + at(.9, .9) + "M" + at(-.9, .9) + "L" + at(.9, -.9);
    default: {
      const circle = (k) => "M" + at(-k, 0) + "a" + k * r + " " + k * r + " 0 1 0 " + 2 * k * r + " 0a" +
          k * r + " " + k * r + " 0 1 0 " + -2 * k * r + " 0Z";
      return shape === "ring" ? circle(1) + circle(.3) : circle(1);
    }
  }
}
