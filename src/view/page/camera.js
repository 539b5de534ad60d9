// The camera: its vectors (in world units, as doubles), the ways to move it, and the mouse, touch
// and keys that do so.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const lengthOf = a => Math.sqrt(dot(a, a));
const unit = a => times(a, 1 / (lengthOf(a) || 1));

/** `v`, turned about the axis of length 1 by an angle in radians. */
function turned(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return add(add(times(v, c), times(cross(axis, v), s)), times(axis, dot(axis, v) * (1 - c)));
}

const kSteepest = Math.PI / 2 - 0.01;  // the line of sight is never parallel to `up`

/**
 * A camera that turns about `up` and never rolls.
 *
 *     eye ----- ahead -----> look_at     right = ahead x up
 */
class Camera {
  constructor(facts) { this.set(facts); }

  /**
   * Sets the camera to that of the server. curvilinear: true for a fisheye, a panorama, or a
   * perspective with distortion. aspect: width of a pixel divided by its height. shift: how
   * far the line of sight meets the picture to the right of its middle and below it, in heights of
   * the picture.
   */
  set({eye, look_at, up, fov, lens, focus, ortho, aspect, shift, curvilinear}) {
    Object.assign(this, {eye, look_at, up, fov, lens, focus, ortho, aspect, shift, curvilinear});
  }

  get ahead() { return unit(minus(this.look_at, this.eye)); }
  get right() { return unit(cross(this.ahead, this.up)); }
  get distance() { return lengthOf(minus(this.look_at, this.eye)); }
  /** The visible height at the distance of `look_at`. */
  get height() {
    if (this.curvilinear) return 2 * this.distance;
    return this.ortho > 0 ? this.ortho : 2 * this.distance * Math.tan(this.fov * Math.PI / 360);
  }

  /** The direction `ahead`, turned to the side and up by two angles in radians. */
  aimed(sideways, upwards) {
    const up = unit(this.up);
    const steep = Math.asin(Math.max(-1, Math.min(1, dot(this.ahead, up))));
    const rise = Math.max(-kSteepest, Math.min(kSteepest, steep + upwards)) - steep;
    return turned(turned(this.ahead, this.right, rise), up, sideways);
  }

  /** Moves around `look_at`. */
  orbit(sideways, upwards) {
    this.eye = minus(this.look_at, times(this.aimed(sideways, upwards), this.distance));
  }

  /** Turns in another direction at the same place. */
  look(sideways, upwards) {
    this.look_at = add(this.eye, times(this.aimed(sideways, upwards), this.distance));
  }

  /** Moves sideways and up, in fractions of the visible height. */
  pan(right, up) {
    const upwards = cross(this.right, this.ahead);
    this.move(add(times(this.right, right * this.height), times(upwards, up * this.height)));
  }

  move(by) {
    this.eye = add(this.eye, by);
    this.look_at = add(this.look_at, by);
  }

  /** Scales the distance from `look_at`: a factor below 1 comes nearer. */
  zoom(factor) {
    if (this.ortho > 0) this.ortho *= factor;
    this.eye = minus(this.look_at, times(this.ahead, this.distance * factor));
  }

  /** Turns to a point, which becomes the centre of later moves around it. */
  focusOn(point) {
    if (lengthOf(minus(point, this.eye)) < 1e-9 * (lengthOf(this.eye) + 1)) return;
    this.look_at = point;
    if (this.lens > 0) this.focus = 0;
  }

  /** The camera as parameters of requests. */
  get parameters() {
    const out = {eye: this.eye.join(), "look-at": this.look_at.join(), up: this.up.join(), fov: this.fov};
    if (this.lens > 0) Object.assign(out, {lens: this.lens, focus: this.focus});
    if (this.ortho > 0) out.ortho = this.ortho;
    return out;
  }

  /**
   * A function from points to [x, y, depth] in a picture of this size: x and y in pixels, depth in
   * world units. depth is below 0 for points behind the camera, and for all points if the camera is
   * curvilinear, so that nothing is drawn over such a picture.
   */
  projection(width, height) {
    if (this.curvilinear) return () => [0, 0, -1];
    const {eye, ahead, right, aspect} = this, upwards = cross(right, ahead);
    const middle = [width / 2 + this.shift[0] * height, height / 2 + this.shift[1] * height];
    const flat = this.ortho > 0;
    const scale = flat ? height / this.ortho : height / 2 / Math.tan(this.fov * Math.PI / 360);
    return point => {
      const at = minus(point, eye), depth = dot(at, ahead);
      const size = flat ? scale : scale / Math.max(depth, 1e-30);
      return [middle[0] + dot(at, right) * size / aspect, middle[1] - dot(at, upwards) * size, depth];
    };
  }
}

const kClickDelay = 260;  // a second click within so many milliseconds makes a double click
const kMoved = 4;         // a press that moves by so many pixels is a drag

/**
 * Lets mouse, fingers and keys on `element` move on.camera(). Calls the other members of `on`:
 * moved() after each move, clicked() after a click, and focused() after a double click.
 */
function listenForMotion(element, on) {
  const fingers = new Map();
  let start, dragged, waiting, pressed;

  const between = () => {
    const [a, b] = [...fingers.values()];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, gap: Math.hypot(a.x - b.x, a.y - b.y)};
  };

  const drag = (dx, dy, pans, looks) => {
    const size = element.clientHeight || 1;
    if (pans)
      on.camera().pan(-dx / size, dy / size);
    else if (looks)
      on.camera().look(-dx / size * 2, -dy / size * 2);
    else
      on.camera().orbit(-dx / size * 3, -dy / size * 3);
    on.moved();
  };

  element.addEventListener("pointerdown", event => {
    pressed = event.button;
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    start = {x: event.clientX, y: event.clientY};
    dragged = fingers.size > 1;
    element.focus({preventScroll: true});
  });
  element.addEventListener("pointermove", event => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 ? between() : null;
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > kMoved) dragged = true;
    if (!dragged) return;
    if (before) {
      const now = between();
      if (now.gap > 0) on.camera().zoom(before.gap / now.gap);
      drag(now.x - before.x, now.y - before.y, true);
    } else if (fingers.size === 1) {
      drag(event.clientX - last.x, event.clientY - last.y,
           event.shiftKey || (event.buttons & 6) !== 0, event.ctrlKey || event.metaKey);
    }
  });
  const end = event => {
    if (!fingers.delete(event.pointerId) || dragged || pressed !== 0 || event.type === "pointercancel") return;
    const box = element.getBoundingClientRect();
    const at = {x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height, box};
    clearTimeout(waiting);
    if (waiting) {
      waiting = 0;
      on.focused(at, event);
    } else {
      waiting = setTimeout(() => { waiting = 0; on.clicked(at, event); }, kClickDelay);
    }
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("contextmenu", event => event.preventDefault());
  element.addEventListener("wheel", event => {
    event.preventDefault();
    const lines = event.deltaMode === 0 ? event.deltaY / 100 : event.deltaY / 3;
    on.camera().zoom(Math.exp(Math.max(-3, Math.min(3, lines)) * 0.15));
    on.moved();
  }, {passive: false});
  element.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = kKeys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    if (act(on.camera(), event.shiftKey ? 4 : 1) !== false) on.moved();
  });
}

/** The keys that move the camera. `much` is 4 with Shift, else 1. */
const kTurn = 0.05, kStep = 0.04;
const kKeys = {
  ArrowLeft: (camera, much) => camera.orbit(-kTurn * much, 0),
  ArrowRight: (camera, much) => camera.orbit(kTurn * much, 0),
  ArrowUp: (camera, much) => camera.orbit(0, -kTurn * much),
  ArrowDown: (camera, much) => camera.orbit(0, kTurn * much),
  "+": camera => camera.zoom(0.9),
  "=": camera => camera.zoom(0.9),
  "-": camera => camera.zoom(1 / 0.9),
  w: (camera, much) => camera.move(times(camera.ahead, kStep * much * camera.height)),
  s: (camera, much) => camera.move(times(camera.ahead, -kStep * much * camera.height)),
  a: (camera, much) => camera.pan(-kStep * much, 0),
  d: (camera, much) => camera.pan(kStep * much, 0),
  e: (camera, much) => camera.pan(0, kStep * much),
  q: (camera, much) => camera.pan(0, -kStep * much)
};
const kKeyHelp = [
  ["drag, arrow keys", "go around what is in the middle"],
  ["Ctrl + drag", "look elsewhere from the same place"],
  ["Shift + drag, right button, A D Q E", "move to the side, up, down"],
  ["W, S", "fly ahead, back"],
  ["wheel, pinch, + and -", "nearer, farther"],
  ["click", "explain the pixel"],
  ["double click", "make that point the middle"],
  ["Home", "the first camera again"],
  ["T", "two choices side by side, or one"],
  ["P", "play a scene that moves"],
  ["Esc", "close the explanation"]
];
