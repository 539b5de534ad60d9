// The camera: vectors, and the ways to move it. All in world units, as doubles.

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

  set({eye, look_at, up, fov, lens, focus, ortho}) {
    Object.assign(this, {eye, look_at, up, fov, lens, focus, ortho});
  }

  get ahead() { return unit(minus(this.look_at, this.eye)); }
  get right() { return unit(cross(this.ahead, this.up)); }
  get distance() { return lengthOf(minus(this.look_at, this.eye)); }
  /** The height of what is seen at the distance of `look_at`. */
  get height() {
    return this.ortho > 0 ? this.ortho : 2 * this.distance * Math.tan(this.fov * Math.PI / 360);
  }

  /** The direction `ahead`, turned to the side and up by angles. */
  aimed(sideways, upwards) {
    const up = unit(this.up);
    const steep = Math.asin(Math.max(-1, Math.min(1, dot(this.ahead, up))));
    const rise = Math.max(-kSteepest, Math.min(kSteepest, steep + upwards)) - steep;
    return turned(turned(this.ahead, this.right, rise), up, sideways);
  }

  /** Goes around `look_at`. */
  orbit(sideways, upwards) {
    this.eye = minus(this.look_at, times(this.aimed(sideways, upwards), this.distance));
  }

  /** Looks elsewhere from the same place. */
  look(sideways, upwards) {
    this.look_at = add(this.eye, times(this.aimed(sideways, upwards), this.distance));
  }

  /** Moves by parts of the height that is seen. */
  pan(right, up) {
    const upwards = cross(this.right, this.ahead);
    this.move(add(times(this.right, right * this.height), times(upwards, up * this.height)));
  }

  move(by) {
    this.eye = add(this.eye, by);
    this.look_at = add(this.look_at, by);
  }

  /** Comes nearer by a factor below 1, or goes away. */
  zoom(factor) {
    if (this.ortho > 0) this.ortho *= factor;
    this.eye = minus(this.look_at, times(this.ahead, this.distance * factor));
  }

  /** Turns to a point and makes it what the camera goes around. */
  focusOn(point) {
    if (lengthOf(minus(point, this.eye)) < 1e-9 * (lengthOf(this.eye) + 1)) return;
    this.look_at = point;
    if (this.lens > 0) this.focus = 0;
  }

  /** As parameters of requests. */
  get parameters() {
    const out = {eye: this.eye.join(), "look-at": this.look_at.join(), up: this.up.join(), fov: this.fov};
    if (this.lens > 0) Object.assign(out, {lens: this.lens, focus: this.focus});
    if (this.ortho > 0) out.ortho = this.ortho;
    return out;
  }

  /**
   * A function from points to [x, y, depth] in a picture of this size, in pixels; depth is below 0
   * for points behind the camera.
   */
  projection(width, height) {
    const {eye, ahead, right} = this, upwards = cross(right, ahead);
    const flat = this.ortho > 0;
    const scale = flat ? height / this.ortho : height / 2 / Math.tan(this.fov * Math.PI / 360);
    return point => {
      const at = minus(point, eye), depth = dot(at, ahead);
      const size = flat ? scale : scale / Math.max(depth, 1e-30);
      return [width / 2 + dot(at, right) * size, height / 2 - dot(at, upwards) * size, depth];
    };
  }
}
