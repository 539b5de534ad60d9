// The state of the page, as requests need it, and the address that stores it.

const byId = id => document.getElementById(id);
const oneOf = (value, choices, preset) => choices.includes(value) ? value : preset;
const kBounces = [0, 1, 2, 4, 8, 16], kSmooths = ["off", "fast", "on"], kMostSamples = [1, 4, 16, 64, 256, 1024, 4096];

const kView = {
  facts: null,
  camera: null,
  exposure: null,      // a factor on all light; null for the scene's own exposure
  frame: 0,
  followsScene: false, // true while the camera of a scene that moves its camera is used
  two: false,

  // The choices of the address, or the defaults for choices that do not exist.
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
    const width = Math.max(16, Math.round(box.clientWidth * dense)), height = Math.max(16, Math.round(box.clientHeight * dense));
    const most = this.facts.is_gpu ? 8e6 : 2e6, shrink = Math.min(1, Math.sqrt(most / (width * height)));
    return {width: Math.floor(width * shrink), height: Math.floor(height * shrink)};
  },

  /** The common parameters of all pictures of the view. */
  common() {
    const out = {shade: this.shading(), frame: this.frame};
    if (!this.followsScene) Object.assign(out, this.camera.parameters);
    if (this.isLit() && this.exposure !== null) out.exposure = this.exposure;
    return out;
  },
  /**
   * The parameters of a picture at rest. Without a GPU, the first picture is smoothed with "fast",
   * because full smoothing would take most of its time.
   */
  resting(samples = 4) {
    const {width, height} = this.size(), out = {...this.common(), size: width + "x" + height};
    const quick = samples <= 2 && !this.facts.is_gpu && this.smooth() === "on";
    if (this.isLit()) Object.assign(out, {bounces: this.bounces(), smooth: quick ? "fast" : this.smooth()});
    return out;
  },
  /** The parameters of the picture at rest that is shown, or of the one that would be shown. */
  exported() { return kSides[0].png?.parameters ?? {...this.resting(), spp: this.mostSamples()}; },
  mostSaved: 5,
  /**
   * The parameters of a picture while the camera moves. `saved`: steps by which quality is reduced,
   * 0 to 5.
   */
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
let drawer;

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
  camera.fov = number("fov", 0.0001, camera.curvilinear ? 360 : 179, camera.fov);
  camera.ortho = number("ortho", 0, 1e12, 0);
  camera.lens = number("lens", 0, 1e12, 0);
  camera.focus = number("focus", 0, 1e12, 0);
  return [camera, true];
}
