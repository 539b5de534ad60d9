// Compares two choices side by side: shows the cost of each as numbers and as a running chart.

/**
 * The choices with which the two sides begin, for settings where these are not the program's
 * choice.
 */
const kFirstChoices = {pipeline: ["passes", "passes"], atomics: ["naive", "block-vote"]};
const kRayCounts = [["off", 0], ["1 M", 1 << 20], ["4 M", 1 << 22], ["16 M", 1 << 24], ["64 M", 1 << 26]];
const kMostPoints = 160;

/** The choices of a setting with which the two sides begin: [left, right]. */
function firstChoices({name, preset}) { return kFirstChoices[name] ?? [preset, preset]; }

/** The numbers below a picture, as pairs of label and text. */
function numbersOf(facts, hasTimes) {
  const out = [];
  if (hasTimes) {
    out.push(["casting", threeDigits(facts.casting_ms) + " ms"]);
    if (facts.casting_ms > 0) out.push(["rays/s", threeDigits(facts.rays / facts.casting_ms / 1e3) + " M"]);
  }
  out.push(["rays", grouped(facts.rays)], ["passes", grouped(facts.passes)]);
  out.push(facts.atomics === null ? ["counter", grouped(facts.counter)] : ["atomics", grouped(facts.atomics)]);
  return out;
}

/** A colour of the page, in the form for canvases. */
function inkOf(element, name) {
  const probe = html("span", {hidden: true});
  probe.style.color = `var(${name})`;
  element.parentElement.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

/** 12,345,678 as "12.3 M", for labels of an axis. */
function short(number) {
  for (const [size, unit] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (number >= size) return brief(number / size) + unit;
  return brief(number);
}

/** A chart of the last measurements of both sides, drawn into a canvas. */
class RunningChart {
  constructor(canvas) {
    this.canvas = canvas;
    this.values = [[], []];
    this.unit = "ms";
  }

  clear() { this.values = [[], []]; }

  add(side, value) {
    this.values[side].push(value);
    if (this.values[side].length > kMostPoints) this.values[side].shift();
  }

  draw() {
    const {canvas} = this, dense = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0) return;
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
    const pen = canvas.getContext("2d");
    pen.scale(dense, dense);
    pen.font = "12px " + getComputedStyle(canvas).fontFamily;
    const all = this.values.flat();
    if (all.length === 0) return;
    const most = Math.max(...all) * 1.1 || 1, left = 58, top = 20, right = width - 6, bottom = height - 8;
    const y = value => bottom - (bottom - top) * value / most;
    pen.strokeStyle = inkOf(canvas, "--line");
    pen.fillStyle = inkOf(canvas, "--soft");
    pen.textAlign = "left";
    pen.fillText(this.unit, 4, 10);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const part of [0, 0.5, 1]) {
      const at = y(part * most / 1.1);
      pen.beginPath();
      pen.moveTo(left, at);
      pen.lineTo(right, at);
      pen.stroke();
      pen.fillText(short(part * most / 1.1), left - 6, at);
    }
    ["--side-a", "--side-b"].forEach((color, side) => {
      pen.strokeStyle = pen.fillStyle = inkOf(canvas, color);
      pen.lineWidth = 2;
      pen.beginPath();
      const x = i => left + 4 + (right - left - 8) * i / (kMostPoints - 1);
      this.values[side].forEach((value, i) => pen.lineTo(x(i), y(value)));
      pen.stroke();
      // The newest value is also drawn as a dot, because a line needs two values.
      const last = this.values[side].length - 1;
      if (last < 0) return;
      pen.beginPath();
      pen.arc(x(last), y(this.values[side][last]), 3.5, 0, 2 * Math.PI);
      pen.fill();
    });
  }
}

/**
 * Draws the lanes of a block: one row per warp. A lane is filled while its ray has staged a leaf in
 * pass `pass`, and has a dot if it then issues an atomic.
 */
function drawLanes(canvas, lanes, pass) {
  const dense = devicePixelRatio || 1, width = canvas.clientWidth;
  const cell = Math.floor(width / 32), warps = lanes.visits.length / 32;
  canvas.style.height = cell * warps + "px";
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(cell * warps * dense);
  const pen = canvas.getContext("2d");
  const [filled, empty, dot] = ["--accent", "--grid", "--lane-atomic"].map(name => inkOf(canvas, name));
  pen.scale(dense, dense);
  const staged = lanes.visits.map(visits => visits > pass);
  const issues = atomicsOfLanes(staged, lanes.atomics_per);
  staged.forEach((on, lane) => {
    const x = (lane % 32) * cell, y = Math.floor(lane / 32) * cell;
    pen.fillStyle = on ? filled : empty;
    pen.fillRect(x + 1, y + 1, cell - 2, cell - 2);
    if (!issues[lane]) return;
    pen.fillStyle = dot;
    pen.beginPath();
    pen.arc(x + cell / 2, y + cell / 2, cell * 0.28, 0, 2 * Math.PI);
    pen.fill();
  });
  return {staged: staged.filter(Boolean).length, atomics: issues.filter(Boolean).length};
}

/**
 * An array with true for each lane that issues an atomic: one lane for each group in which a lane
 * has staged a leaf. `per` is the group that shares an atomic: "lane", "warp" or "block".
 */
function atomicsOfLanes(staged, per) {
  if (per === "lane") return staged;
  const group = {warp: 32, block: staged.length}[per];
  const issues = staged.map(() => false);
  if (!group) return issues;
  for (let first = 0; first < staged.length; first += group)
    if (staged.slice(first, first + group).some(Boolean)) issues[first] = true;
  return issues;
}
