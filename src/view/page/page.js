// Puts the page together: the state of the view, the controls, and what happens when they change.

const byId = id => document.getElementById(id);
const oneOf = (value, choices, preset) => choices.includes(value) ? value : preset;
const kBounces = [0, 1, 2, 4, 8, 16], kSmooths = ["off", "fast", "on"], kMostSamples = [1, 4, 16, 64, 256, 1024, 4096];

/** What the page shows, in the form that the other parts ask for it. */
const kView = {
  facts: null,
  camera: null,
  exposure: null,      // null: the scene's own
  frame: 0,
  followsScene: false, // the camera of a scene that moves its camera
  two: false,

  // What the address says is taken if it is among the choices.
  shading() { return oneOf(getState("shading"), this.facts.shadings.map(row => row.name), this.facts.shading); },
  isLit() { return this.shading() === "lit"; },
  bounces() { return +oneOf(getState("bounces"), kBounces.map(String), 8); },
  smooth() { return oneOf(getState("smooth"), kSmooths, "on"); },
  mostSamples() {
    const {width, height} = this.size();
    return Math.min(+oneOf(getState("most"), kMostSamples.map(String), 256), Math.floor(2 ** 32 / (width * height)));
  },
  firstSamples() { return this.isLit() ? 2 : 4; },
  sides() { return this.two ? kSides : [kSides[0]]; },

  /** The size of a picture at rest, in pixels of the screen. */
  size() {
    const box = kSides[0].canvas.parentElement, dense = devicePixelRatio || 1;
    let width = Math.max(16, Math.round(box.clientWidth * dense)), height = Math.max(16, Math.round(box.clientHeight * dense));
    const most = this.facts.is_gpu ? 8e6 : 2e6, shrink = Math.min(1, Math.sqrt(most / (width * height)));
    return {width: Math.floor(width * shrink), height: Math.floor(height * shrink)};
  },

  /** What all pictures of the view have in common. */
  common() {
    const out = {shade: this.shading(), frame: this.frame};
    if (!this.followsScene) Object.assign(out, this.camera.parameters);
    if (this.isLit() && this.exposure !== null) out.exposure = this.exposure;
    return out;
  },
  /** A picture at rest. Without a GPU the first one is smoothed quickly: that is what takes longest. */
  resting(samples = 4) {
    const {width, height} = this.size(), out = {...this.common(), size: width + "x" + height};
    const quick = samples <= 2 && !this.facts.is_gpu && this.smooth() === "on";
    if (this.isLit()) Object.assign(out, {bounces: this.bounces(), smooth: quick ? "fast" : this.smooth()});
    return out;
  },
  /** The picture at rest that is shown, or else the one that would be. */
  taken() { return kSides[0].png?.parameters ?? {...this.resting(), spp: this.mostSamples()}; },
  mostSaved: 5,
  /** While the camera moves. `saved`: how many steps of quality to do without. */
  moving(saved) {
    if (!this.isLit()) return {...this.common(), spp: 1};
    // Smoothing compares two halves of the samples, so it needs two.
    const smooths = saved < 3 && this.smooth() !== "off", bounces = [16, 4, 2, 2, 1, 0][saved];
    return {...this.common(), spp: smooths ? 2 : 1, bounces: Math.min(this.bounces(), bounces), smooth: smooths ? "fast" : "off"};
  },
  measuring() { return this.two && kRayCounts.some(([, count]) => count > 0 && String(count) === getState("rays")); },
  measured() {
    const {width, height} = this.size();
    return {...this.resting(), spp: Math.max(1, Math.min(4096, Math.round(+getState("rays") / (width * height)))), smooth: "off", format: "jpeg", quality: 85};
  },
  /** The tree of a side, in this frame. */
  tree(side = kSides[0]) {
    const {layout, build} = side.choices;
    return layout ? {layout, build, frame: this.frame} : {frame: this.frame};
  }
};

const kSides = ["side-a", "side-b"].map(id => new Side(byId(id)));
const kChart = new RunningChart(byId("chart"));
const kInside = new Inside(kView);
let drawer, lastPlayed = 0, playing = false;

// ---- The camera in the address --------------------------------------------------------------------

const kCameraState = ["eye", "at", "up"];

function keepCamera() {
  const {eye, look_at, up, fov, ortho, lens, focus} = kView.camera;
  setState("eye", eye.join());
  setState("at", look_at.join());
  setState("up", up.join());
  setState("fov", String(fov));
  for (const [key, value] of Object.entries({ortho, lens, focus})) setState(key, value > 0 ? String(value) : "");
}

function forgetCamera() {
  for (const key of [...kCameraState, "fov", "ortho", "lens", "focus"]) setState(key, "");
}

function cameraOfState(preset) {
  const camera = new Camera(preset);
  const vectors = kCameraState.map(key => getState(key).split(",").map(text => text === "" ? NaN : Number(text)));
  if (!vectors.every(v => v.length === 3 && v.every(n => Math.abs(n) < 1e12))) return [camera, false];
  [camera.eye, camera.look_at, camera.up] = vectors;
  if (lengthOf(cross(minus(camera.look_at, camera.eye), camera.up)) === 0) return [new Camera(preset), false];
  const number = (key, low, high, otherwise) => +getState(key) > low && +getState(key) < high ? +getState(key) : otherwise;
  camera.fov = number("fov", 0, 180, camera.fov);
  camera.ortho = number("ortho", 0, 1e12, 0);
  camera.lens = number("lens", 0, 1e12, 0);
  camera.focus = number("focus", 0, 1e12, 0);
  return [camera, true];
}

// ---- What was drawn -------------------------------------------------------------------------------

function showNumbers(side) {
  const facts = side.facts;
  const pairs = kView.two ? numbersOf(facts, kView.facts.is_gpu) : [];
  const name = kView.two ? `${facts.pipeline}, ${facts.atomics_name}` : "";
  side.caption.replaceChildren(
    ...(name ? [html("span", {}, html("b", {}, name))] : []),
    ...pairs.map(([label, text]) => html("span", {}, label + " ", html("b", {}, text))));
}

function showStatus(side, moving, facts, took) {
  const size = `${facts.width}×${facts.height}`, shared = `${size}, ${plural(facts.samples, "sample")} per pixel`;
  const busy = drawer.rate > 0 ? `, ${drawer.rate.toFixed(0)} pictures/s` : "";
  const text = moving
    ? `${shared}, ${threeDigits(facts.ms)} ms to draw, ${threeDigits(facts.encode_ms)} to encode, ${threeDigits(took)} in all${busy}`
    : kView.measuring()
      ? `${shared}, measured again and again`
      : `${shared}, in ${threeDigits(facts.ms)} ms: the bytes that ballotcast render draws`;
  if (side !== kSides[0]) return;
  // A screen reader is told of pictures at rest only.
  byId("status").ariaLive = moving ? "off" : "polite";
  byId("status").textContent = text;
}

function showRatio() {
  const [a, b] = kSides.map(side => side.facts);
  if (!kView.two || !a || !b || kSides.some(side => side.failed)) return;
  const isGpu = kView.facts.is_gpu, cost = facts => isGpu ? facts.casting_ms : facts.atomics ?? facts.counter;
  const [of_a, of_b] = kChart.values.map(values => [...values].sort((x, y) => x - y)[values.length >> 1]);
  const what = isGpu ? "as long" : "as many atomics";
  const ratio = (of_a ?? cost(a)) / (of_b ?? cost(b));
  byId("ratio").textContent = !Number.isFinite(ratio) || ratio === 0 ? ""
    : Math.abs(ratio - 1) < 0.02 ? `A and B cost the same.`
    : ratio > 1 ? `A takes ${threeDigits(ratio)} times ${what} as B.` : `B takes ${threeDigits(1 / ratio)} times ${what} as A.`;
}

function onShown(side, moving, facts, took) {
  forgetTroubleOfDrawing();
  // Another page has opened another scene.
  if (facts.scene !== kView.facts.scene) return trying(reloadScene)();
  if (kView.followsScene) kView.camera.set(facts.camera);
  if (kView.exposure === null && kView.isLit()) {
    kView.exposure = facts.exposure;
    showExposure();
  }
  if (facts.remarks !== kView.facts.remarks) {
    kView.facts.remarks = facts.remarks;
    showRemarks();
  }
  showNumbers(side);
  showStatus(side, moving, facts, took);
  kInside.draw(side);
  if (kView.two && !moving) {
    const value = kView.facts.is_gpu ? facts.casting_ms : facts.atomics ?? facts.counter;
    kChart.add(kSides.indexOf(side), value);
    kChart.draw();
    showRatio();
  }
}

function onTrouble(error) { showTrouble(error.message, true); }

function onFailed(side) {
  byId("ratio").textContent = "";
  if (side === kSides[0]) byId("status").textContent = "";
  kInside.draw(side);
}

function redraw(moving = false) {
  kView.followsScene = false;
  keepCamera();
  kInside.forget();
  byId("explanation").hidden = true;
  drawer.changed(moving);
}

/** The view is the same; how it is drawn has changed. */
function redrawAsBefore() {
  kChart.clear();
  kChart.draw();
  drawer.changed(false);
}

// ---- Controls -------------------------------------------------------------------------------------

function showExposure() {
  byId("exposure").value = Math.log2(kView.exposure ?? 1);
  byId("exposure-value").textContent = kView.exposure === null ? "" : threeDigits(kView.exposure);
}

function showLegend() {
  const legend = Object.hasOwn(kLegends, kView.shading()) ? kLegends[kView.shading()] : null;
  byId("legend").hidden = !legend;
  byId("light").hidden = !kView.isLit();
  if (!legend) return;
  byId("legend-from").textContent = legend.from;
  byId("legend-to").textContent = legend.to;
  byId("legend-what").textContent = legend.what;
  const bar = byId("legend-bar"), pen = bar.getContext("2d");
  const colors = kView.facts.legends[kView.shading()];
  colors.forEach(([r, g, b], i) => {
    pen.fillStyle = `rgb(${r}, ${g}, ${b})`;
    pen.fillRect(i * bar.width / colors.length, 0, bar.width / colors.length + 1, 1);
  });
}

function showRemarks() {
  byId("remark").hidden = kView.facts.remarks === "";
  byId("remark").textContent = kView.facts.remarks;
}

function fillSelect(select, values, key, preset) {
  select.replaceChildren(...values.map(([text, value]) => html("option", {value, textContent: text})));
  select.value = oneOf(getState(key), values.map(([, value]) => String(value)), preset);
  select.onchange = () => {
    setState(key, select.value === String(preset) ? "" : select.value);
    redrawAsBefore();
  };
}

function choicesOf(index) {
  const rows = choiceRows(kView.facts), out = {};
  for (const key of kChoiceKeys)
    out[key] = oneOf(getState(key + (index === 0 ? "-a" : "-b")), rows[key].rows.map(row => row.name), rows[key].presets[index]);
  return out;
}

function showTable() {
  const rows = choiceRows(kView.facts);
  byId("table").tBodies[0].replaceChildren(...kChoiceKeys.map(key => html("tr", {},
    html("th", {scope: "row"}, key.replace("-", " ")),
    ...["a", "b"].map((side, index) => html("td", {},
      keptSelect(key + "-" + side, `${key.replace("-", " ")} of ${side.toUpperCase()}`, rows[key].rows, rows[key].presets[index], takeChoices))))));
}

function takeChoices() {
  kSides.forEach((side, index) => { side.choices = kView.two ? choicesOf(index) : {}; });
  // Strategies that the chosen pipeline can't use.
  ["a", "b"].forEach((side, index) => {
    const taken = kView.facts.takes[choicesOf(index).pipeline];
    for (const option of byId("table").querySelectorAll(`[aria-label="atomics of ${side.toUpperCase()}"] option`))
      option.disabled = taken !== undefined && option.value !== "auto" && !taken.includes(option.value);
  });
  byId("lane-view").hidden = true;
  redrawAsBefore();
}

function showTwo() {
  kView.two = getState("two") !== "";
  byId("two").setAttribute("aria-pressed", String(kView.two));
  byId("choices").hidden = !kView.two;
  byId("side-b").hidden = !kView.two;
  byId("sides").classList.toggle("two", kView.two);
  byId("no-times").hidden = kView.facts.is_gpu;
  kChart.unit = kView.facts.is_gpu ? "ms" : "atomics";
  kSides[0].caption.hidden = !kView.two;
  takeChoices();
}

async function showLanes() {
  const {width, height} = kView.size(), at = kInside.at ?? {x: 0.5, y: 0.5};
  const pixel = Math.floor(at.x * width) + "," + Math.floor(at.y * height);
  const answers = await Promise.all(kSides.map(async side =>
    (await ask("lanes", {...kView.resting(), atomics: side.choices.atomics, pixel})).json()));
  const passes = Math.max(...answers[0].visits);
  const show = () => {
    const pass = +byId("pass").value;
    byId("pass-number").textContent = `${pass + 1} of ${passes + 1}`;
    ["a", "b"].forEach((side, i) => {
      const {staged, atomics} = drawLanes(byId("lanes-" + side), answers[i], pass);
      const per = answers[i].atomics_per;
      byId(`lanes-${side}-name`).textContent = `${answers[i].atomics_name}: ${plural(staged, "lane")} staged a leaf, ` +
        (per === "" ? "atomics as the compiler likes" : plural(atomics, "atomic")) + ` in this pass; counter in all: ${grouped(answers[i].counter)}`;
    });
  };
  byId("lane-view").hidden = false;
  byId("lane-what").textContent = "A block of 256 emulated lanes casts the rays of 16×16 pixels; one row is a warp. Filled: the lane has staged a leaf. Dot: it issues an atomic.";
  byId("pass").max = passes;
  byId("pass").oninput = show;
  show();
}

async function showLevel() {
  const level = +byId("level").value;
  const {level: shown, whole} = await kInside.showLevel(level);
  if (level !== +byId("level").value) return;  // a newer answer is on its way
  byId("level-name").textContent = level === 0 ? "off" : whole ? String(level - 1) : `${shown}: no more`;
  for (const side of kView.sides()) kInside.draw(side);
}

async function explainAt(at, side) {
  const version = drawer.version, {text, x, y} = await kInside.explain(at, side);
  if (version !== drawer.version) return forgetExplanation();
  byId("explanation").hidden = false;
  byId("explained-pixel").textContent = `Pixel ${x}, ${y}`;
  byId("explained").textContent = text;
  for (const side of kView.sides()) kInside.draw(side);
}

function forgetExplanation() {
  kInside.forget();
  byId("explanation").hidden = true;
  for (const side of kView.sides()) kInside.draw(side);
}

async function focusAt(at, side) {
  const {explanation} = await kInside.explain(at, side);
  kInside.forget();
  if (explanation.surface) kView.camera.focusOn(add(explanation.surface.position, kView.facts.origin));
  redraw();
}

// ---- Scenes that move -----------------------------------------------------------------------------

function setFrame(number) {
  kView.frame = number;
  byId("frame").value = number;
  byId("frame-number").textContent = number;
  setState("frame", number > 0 ? String(number) : "");
  forgetExplanation();
  drawer.changed(playing);
  if (kInside.level > 0) trying(showLevel)();
}

function play(on) {
  playing = on;
  byId("play").textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(playOn);
}

function playOn(now) {
  if (!playing) return;
  // 24 frames a second; the next frame waits until the last one is there.
  const isBehind = drawer.isMoving && (kSides[0].asked !== drawer.version || drawer.inFlight > 0);
  if (now - lastPlayed >= 1000 / 24 && !isBehind) {
    lastPlayed = now;
    setFrame(kView.frame >= kView.facts.last_frame ? 0 : kView.frame + 1);
  }
  requestAnimationFrame(playOn);
}

// ---- Scenes ---------------------------------------------------------------------------------------

function showScene(facts) {
  kView.facts = facts;
  const [camera, kept] = cameraOfState(facts.camera);
  kView.camera = camera;
  kView.followsScene = facts.camera_moves && !kept;
  byId("frame").max = facts.last_frame;
  const exposure = +getState("exposure");
  kView.exposure = exposure > 0 && exposure <= 1e6 ? exposure : facts.exposure;
  kView.frame = Math.min(facts.last_frame, Math.max(0, Math.floor(+getState("frame")) || 0));
  byId("frame").value = kView.frame;
  byId("frame-number").textContent = kView.frame;
  byId("scene").textContent = facts.name;
  document.title = facts.name + ", Ballotcast";
  byId("device").textContent = `${plural(facts.triangles, "triangle")} on ${facts.device} (${facts.description})`;
  byId("warnings").replaceChildren(...facts.warnings.map(warning => html("li", {}, warning)));
  byId("player").hidden = facts.last_frame === 0;
  byId("level").max = facts.levels + 1;
  byId("level").value = 0;
  byId("level-name").textContent = "off";
  kInside.boxes = null;
  kInside.forget();
  byId("explanation").hidden = true;
  play(false);
  showRemarks();
  showExposure();
  showButtons(byId("shadings"), "shading", facts.shadings, facts.shading, () => {
    showLegend();
    redrawAsBefore();
  });
  showLegend();
  showTable();
}

/** A scene in place of another one: nothing of the old view fits it. */
function showOtherScene(facts) {
  forgetCamera();
  for (const key of ["exposure", "shading", "frame"]) setState(key, "");
  showScene(facts);
  showTwo();
}

async function reloadScene() { showOtherScene(await (await ask("facts")).json()); }

async function takeFiles(files) {
  if (files.length === 0) return;
  const status = byId("sending");
  try {
    const facts = await openFiles(files, text => { status.textContent = text; });
    status.textContent = "";
    showTrouble("");
    showOtherScene(facts);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    status.textContent = "";
    showTrouble(error.message);
  }
}

// ---- Everything together --------------------------------------------------------------------------

/** Runs what a control starts, and shows why the server refuses it. */
function trying(work) {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status !== 204) showTrouble(error.message);
    }
  };
}

function listen() {
  for (const side of kSides) {
    listenForMotion(side.root.querySelector(".frame"), {
      camera: () => kView.camera,
      moved: () => redraw(true),
      clicked: trying(at => explainAt(at, side)),
      focused: trying(at => focusAt(at, side))
    });
  }
  new ResizeObserver(() => redrawAsBefore()).observe(kSides[0].canvas.parentElement);
  document.addEventListener("visibilitychange", () => drawer.wake());

  byId("exposure").addEventListener("input", () => {
    kView.exposure = +(2 ** +byId("exposure").value).toPrecision(4);
    setState("exposure", String(kView.exposure));
    showExposure();
    drawer.changed();
  });
  byId("exposure-auto").addEventListener("click", () => {
    kView.exposure = null;
    setState("exposure", "");
    redrawAsBefore();
  });
  fillSelect(byId("bounces"), kBounces.map(n => [n, n]), "bounces", 8);
  fillSelect(byId("smooth"), kSmooths.map(n => [n, n]), "smooth", "on");
  fillSelect(byId("most"), kMostSamples.map(n => [grouped(n), n]), "most", 256);
  fillSelect(byId("rays"), kRayCounts, "rays", 0);
  byId("two").addEventListener("click", () => {
    setState("two", kView.two ? "" : "1");
    showTwo();
  });
  byId("lanes").addEventListener("click", trying(showLanes));
  byId("level").addEventListener("input", trying(showLevel));
  byId("forget").addEventListener("click", forgetExplanation);
  byId("play").addEventListener("click", () => play(!playing));
  byId("frame").addEventListener("input", () => {
    play(false);
    setFrame(+byId("frame").value);
  });
  byId("end").addEventListener("click", trying(async () => {
    if (!confirm("End the viewer?")) return;
    await ask("stop", {}, "");
    showTrouble("The viewer has ended.");
  }));
  byId("files").addEventListener("change", event => {
    const files = [...event.target.files].map(file => ({name: file.name, file}));
    event.target.value = "";  // so that the same file, corrected, can be chosen again
    takeFiles(files);
  });
  addEventListener("dragover", event => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", async event => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    takeFiles(await filesIn(event.dataTransfer.items));
  });
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    if (key === "t") byId("two").click();
    if (key === "p" && kView.facts.last_frame > 0) play(!playing);
    if (key === "escape") forgetExplanation();
    if (key === "home" && !event.target.closest("pre")) {
      kView.camera = new Camera(kView.facts.camera);
      redraw();
      forgetCamera();
      kView.followsScene = kView.facts.camera_moves;
    }
  });
  const help = byId("help");
  help.append(html("h2", {id: "help-title"}, "Keys and mouse"),
    html("dl", {}, ...kKeyHelp.flatMap(([key, what]) => [html("dt", {}, key), html("dd", {}, what)])),
    html("form", {method: "dialog"}, html("button", {}, "Close")));
  byId("keys").addEventListener("click", () => help.showModal());
  showTheme(() => kChart.draw());
  new Taking(byId("take"), kView);
}

trying(async () => {
  showScene(await (await ask("facts")).json());
  drawer = new Drawer(kView, {shown: onShown, failed: onFailed, trouble: onTrouble});
  listen();
  showTwo();
  await drawer.run();
})();
