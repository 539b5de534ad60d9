// Decides which picture to request next, and shows the answers.
//
//   camera moves     small pictures of few samples, as JPEG; as many as arrive in time
//   camera at rest   the whole size as PNG, with ever more samples: the bytes that `render` draws
//   measuring        the same picture again and again, with the chosen number of rays
//
// Each answer belongs to a version of the view. A side never shows an older answer after a newer
// one.
//
// Also updates numbers, status and messages after each picture or failure.

const kRest = 150;  // milliseconds without input after which the camera counts as at rest
// Milliseconds that the server should take for a picture of a moving camera; quality is reduced if
// it takes longer
const kGoalGpu = 25, kGoalCpu = 85;
const kSmallestScale = 0.12;
const kMostUnderWay = 4;  // largest number of open requests; a browser opens up to six connections
// Pixels of the smallest moving picture of a CPU. Pictures become smaller only if the fewest
// bounces still take too long.
const kFluidPixels = 480 * 270;

/** A place where pictures are shown, with its own choices. */
class Side {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector(".picture");
    this.overlay = root.querySelector(".overlay");
    this.caption = root.querySelector("figcaption");
    this.choices = {};       // request parameters of this side: pipeline, atomics, ...
    this.asked = -1;         // version of the newest request
    this.shown = -1;         // number of the request that is shown
    this.samples = 0;        // samples of the resting picture that is shown, in the newest version
    this.facts = null;
    this.png = null;         // the resting picture that is shown: {blob, parameters}
    this.failed = false;     // true if the newest version can't be drawn
    this.trouble = root.querySelector(".trouble");
  }

  /** Shows why this side can't be drawn. Removes its last picture and numbers. */
  fail(why) {
    this.failed = true;
    this.facts = null;
    this.png = null;
    this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.caption.replaceChildren();
    this.trouble.hidden = false;
    this.trouble.textContent = why;
  }

  /** Shows a picture, unless a newer one is shown already. */
  show(bitmap, facts, png) {
    if (facts.number <= this.shown) {
      bitmap.close();
      return false;
    }
    this.shown = facts.number;
    this.trouble.hidden = true;
    if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
      this.canvas.width = bitmap.width;
      this.canvas.height = bitmap.height;
    }
    this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    this.facts = facts;
    this.png = png;
    return true;
  }
}

class Drawer {
  /** `view` must have: facts, camera, parameters(), resting size, sides(), measuring(). */
  constructor(view, on) {
    this.view = view;
    this.on = on;  // callbacks: shown(side, moving, facts, took), failed(side), trouble(error)
    this.version = 0;
    this.movedAt = -1e9;
    this.scale = view.facts.is_gpu ? 1 : 0.4;
    // Number of steps by which the quality of moving pictures is reduced
    this.saved = view.facts.is_gpu ? 0 : 4;
    this.inFlight = 0;
    this.travel = 0;          // milliseconds from request to answer without the server's work
    this.work = 0;            // milliseconds that the server works on an answer
    this.drawing = 0;  // milliseconds of `work` during which the server can't draw the next picture
    this.quality = 80;        // quality of JPEGs
    this.quickest = Infinity; // the shortest `travel` so far, which even an empty answer takes
    this.startedAt = 0;
    this.turn = 0;
    this.times = [];          // times at which the last pictures were shown, to compute the rate
    this.wake = () => {};
    this.resting = new AbortController();
  }

  /** The view has changed. `moving`: more changes follow soon. */
  changed(moving = true) {
    ++this.version;
    this.movedAt = moving ? performance.now() : -1e9;
    for (const side of this.view.sides()) {
      side.samples = 0;
      side.failed = false;
    }
    this.resting.abort();
    this.resting = new AbortController();
    this.wake();
  }

  get isMoving() { return performance.now() - this.movedAt < kRest; }

  /** True if a picture of the whole size takes noticeable time even with one sample. */
  get isSlow() { return this.scale < 1; }

  /** The recent number of pictures per second. */
  get rate() {
    const now = performance.now();
    this.times = this.times.filter(time => now - time < 1000);
    return this.times.length < 2 ? 0 : (this.times.length - 1) * 1000 / (this.times.at(-1) - this.times[0]);
  }

  async run() {
    for (;;) {
      const wait = this.step();
      await new Promise(resolve => {
        this.wake = resolve;
        setTimeout(resolve, wait);
      });
    }
  }

  /** Starts the requests that can be started. Returns the milliseconds after which to call it again, at the latest. */
  step() {
    if (document.hidden) return 500;
    const sides = this.view.sides().filter(side => !side.failed);
    if (sides.length === 0) return 1000;
    const behind = sides.filter(side => side.asked !== this.version);
    if (this.isMoving) {
      if (behind.length === 0) return this.movedAt + kRest - performance.now() + 1;
      // Requests several pictures at once, because the server draws the next ones while earlier
      // ones are encoded and sent.
      const wanted = this.drawing > 0 ? Math.ceil((this.quickest + this.work) / this.drawing) : 1;
      const most = sides.length === 1 ? Math.min(kMostUnderWay, wanted) : 1;
      if (this.inFlight >= most) return 1000;
      const since = performance.now() - this.startedAt;
      if (this.inFlight > 0 && since < this.drawing) return this.drawing - since;
      this.askMoving(behind[this.turn++ % behind.length]);
      return 0;
    }
    if (this.inFlight > 0) return 1000;
    if (this.view.measuring()) {
      this.ask(sides[this.turn++ % sides.length], this.view.measured(), false);
      return 0;
    }
    const next = sides.reduce((a, b) => b.samples < a.samples ? b : a);
    const goal = this.view.mostSamples();
    if (next.samples >= goal) return 1000;
    // Requests a quick picture to show while the first picture of the whole size is being drawn.
    if (next.asked !== this.version && this.isSlow) {
      this.askMoving(next);
      return 0;
    }
    const samples = next.samples === 0 ? Math.min(goal, this.view.firstSamples()) : Math.min(goal, next.samples * 4);
    this.ask(next, {...this.view.resting(samples), spp: samples, format: "png"}, false);
    return 0;
  }

  askMoving(side) {
    const {width, height} = this.view.size();
    const parameters = {
      ...this.view.moving(this.saved),
      size: Math.max(1, Math.round(width * this.scale)) + "x" + Math.max(1, Math.round(height * this.scale)),
      format: "jpeg", quality: this.quality, moving: 1
    };
    side.asked = this.version;
    this.ask(side, parameters, true);
  }

  async ask(side, parameters, moving) {
    ++this.inFlight;
    this.startedAt = performance.now();
    const begun = this.startedAt, version = this.version;
    try {
      const response = await ask("picture", {...parameters, ...side.choices, ...inOrder()}, undefined,
                                 moving ? undefined : this.resting.signal);
      const facts = factsOf(response), blob = await response.blob();
      const bitmap = await createImageBitmap(blob);
      const took = performance.now() - begun, work = facts.ms + facts.encode_ms;
      if (moving) this.adapt(facts.ms, work, took - facts.waited_ms);
      side.asked = Math.max(side.asked, version);
      if (side.show(bitmap, facts, parameters.format === "png" ? {blob, parameters: {...parameters, ...side.choices}} : null)) {
        this.times.push(performance.now());
        if (!moving && version === this.version) side.samples = facts.samples;
        this.on.shown(side, moving, facts, took);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 204) {
        // The server was asked too often, so requests are sent less often from now on
        if (moving) this.drawing *= 1.2;
        await new Promise(resolve => setTimeout(resolve, moving ? 0 : 60));
      } else {
        if (error.status === 0) {
          this.on.trouble(error);
          await new Promise(resolve => setTimeout(resolve, 1500));
        } else if (version === this.version) {
          side.fail(error.message);
          this.on.failed(side);
        }
      }
    } finally {
      --this.inFlight;
      this.wake();
    }
  }

  /**
   * Chooses size and quality of the next moving pictures by the milliseconds that the last took:
   * `drawing` on the server, `work` (drawing and encoding), and `took` (from request to answer,
   * without waiting for its turn on the server).
   */
  adapt(drawing, work, took) {
    const smooth = (old, now) => old === 0 ? now : old * 0.7 + now * 0.3;
    this.work = smooth(this.work, work);
    this.drawing = smooth(this.drawing, drawing);
    this.travel = smooth(this.travel, Math.max(0, took - work));
    // If answers travel longer than the shortest travel, the picture is too large for the
    // connection, and the next pictures are made smaller.
    this.quickest = Math.min(this.quickest, Math.max(0, took - work));
    const carrying = this.travel - this.quickest;
    if (carrying > 25) this.quality = Math.max(35, this.quality - 6);
    if (carrying < 10) this.quality = Math.min(85, this.quality + 2);
    const goal = this.view.facts.is_gpu ? kGoalGpu : kGoalCpu;
    const {width, height} = this.view.size(), pixels = width * height * this.scale ** 2;
    const most = this.view.isLit() ? this.view.mostSaved : 0;
    this.saved = Math.min(this.saved, most);
    // A GPU draws all pixels, with fewer bounces. A CPU reduces both.
    const fewest = this.view.facts.is_gpu ? width * height : kFluidPixels;
    if (drawing > goal * 1.15 && pixels <= fewest * 1.2 && this.saved < most)
      ++this.saved;
    else if (drawing < goal * 0.4 && pixels >= fewest && this.saved > 0)
      --this.saved;
    else if (drawing > goal * 1.15 || drawing < goal * 0.6)
      this.scale = Math.max(kSmallestScale, Math.min(1, this.scale * Math.max(0.5, Math.min(1.4, Math.sqrt(goal / drawing)))));
  }
}

function showNumbers(side) {
  const facts = side.facts;
  const pairs = kView.two ? numbersOf(facts, kView.facts.is_gpu) : [];
  const name = kView.two ? `${facts.how.pipeline}, ${facts.how.atomics}` : "";
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
  // Screen readers announce only pictures at rest.
  byId("status").ariaLive = moving ? "off" : "polite";
  byId("status").textContent = text;
}

/** The cost of a cast: milliseconds on a GPU, else atomics. */
function costOf(facts) { return kView.facts.is_gpu ? facts.casting_ms : facts.atomics ?? facts.counter; }

function showRatio() {
  const [a, b] = kSides.map(side => side.facts);
  if (!kView.two || !a || !b || kSides.some(side => side.failed)) return;
  const [of_a, of_b] = kChart.values.map(values => [...values].sort((x, y) => x - y)[values.length >> 1]);
  const what = kView.facts.is_gpu ? "as long" : "as many atomics";
  const ratio = (of_a ?? costOf(a)) / (of_b ?? costOf(b));
  byId("ratio").textContent = !Number.isFinite(ratio) || ratio === 0 ? ""
    : Math.abs(ratio - 1) < 0.02 ? `A and B cost the same.`
    : ratio > 1 ? `A takes ${threeDigits(ratio)} times ${what} as B.` : `B takes ${threeDigits(1 / ratio)} times ${what} as A.`;
}

function onShown(side, moving, facts, took) {
  forgetTroubleOfDrawing();
  // Another page has opened another scene, which this page has to load.
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
    kChart.add(kSides.indexOf(side), costOf(facts));
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
  forgetExplanation();
  drawer.changed(moving);
}

/** Call this if the view is the same, but is drawn with other choices, e.g. another pipeline. */
function redrawAsBefore() {
  kChart.clear();
  kChart.draw();
  drawer.changed(false);
}
