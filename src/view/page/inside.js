// Looks inside the scene: draws boxes of the tree over the picture, and explains pixels.

const kEdges = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

/** The corners of a box; bit 0, 1 and 2 of their index choose x, y and z. */
function cornersOf(low, high) {
  return Array.from({length: 8}, (_, i) => [0, 1, 2].map(axis => (i >> axis) & 1 ? high[axis] : low[axis]));
}

class Inside {
  constructor(view) {
    this.view = view;
    this.boxes = null;       // the low and high corner of each box, as floats
    this.level = 0;
    this.explained = null;   // the answer of /explain
    this.at = null;          // the explained pixel, as fractions of the picture
  }

  /** Fetches the boxes of a level; 0 hides them. */
  async showLevel(level) {
    this.level = level;
    if (level === 0) {
      this.boxes = null;
      return {level: 0, whole: true};
    }
    const response = await ask("boxes", {...this.view.tree(), level: level - 1});
    const bytes = await response.arrayBuffer();
    if (level === this.level) this.boxes = new Float32Array(bytes);
    return factsOf(response);
  }

  /** Asks for an explanation of the pixel at `at`, in fractions of the picture. */
  async explain(at, side) {
    const {width, height} = this.view.size();
    const x = Math.min(width - 1, Math.floor(at.x * width)), y = Math.min(height - 1, Math.floor(at.y * height));
    const response = await ask("explain", {...this.view.resting(), ...this.view.tree(side), pixel: x + "," + y});
    const answer = await response.json();
    this.explained = answer.explanation;
    this.at = {x: (x + 0.5) / width, y: (y + 0.5) / height};
    return {...answer, x, y};
  }

  forget() { this.explained = null; }

  /** Draws the boxes over a side's picture, for the camera of that picture. */
  draw(side) {
    const canvas = side.overlay, pen = canvas.getContext("2d");
    const width = canvas.clientWidth, height = canvas.clientHeight, dense = devicePixelRatio || 1;
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
    if (!side.facts || (!this.boxes && !this.explained)) return;
    pen.scale(dense, dense);
    const camera = new Camera(side.facts.camera);
    const origin = this.view.facts.origin;
    const project = camera.projection(width, height);
    const line = (a, b) => {
      const from = add(a, origin), to = add(b, origin);
      const [p, q] = [project(from), project(to)];
      // The part of a line that is behind the camera is cut off.
      const near = 1e-3 * camera.distance;
      if (p[2] < near && q[2] < near) return;
      const cut = (inside, outside, depths) =>
        project(add(inside, times(minus(outside, inside), (depths[0] - near) / (depths[0] - depths[1]))));
      const start = p[2] < near ? cut(to, from, [q[2], p[2]]) : p;
      const stop = q[2] < near ? cut(from, to, [p[2], q[2]]) : q;
      pen.moveTo(start[0], start[1]);
      pen.lineTo(stop[0], stop[1]);
    };
    const box = (low, high) => {
      const corners = cornersOf(low, high);
      for (const [a, b] of kEdges) line(corners[a], corners[b]);
    };
    // A dark line under a bright one is visible on every picture.
    const stroke = (color, thick, paint) => {
      pen.beginPath();
      paint();
      pen.strokeStyle = "rgba(0, 0, 0, .55)";
      pen.lineWidth = thick + 2;
      pen.stroke();
      pen.strokeStyle = color;
      pen.lineWidth = thick;
      pen.stroke();
    };
    if (this.boxes)
      stroke("#ffd75e", this.boxes.length > 3000 ? 0.5 : 1, () => {
        for (let i = 0; i < this.boxes.length; i += 6)
          box(this.boxes.subarray(i, i + 3), this.boxes.subarray(i + 3, i + 6));
      });
    if (this.explained) this.drawExplained(pen, stroke, box, line, width, height);
  }

  drawExplained(pen, stroke, box, line, width, height) {
    const steps = this.explained.steps.filter(step => !step.below);
    const nodes = steps.filter(step => step.children);
    stroke("#5ec8ff", 1, () => {
      for (const step of nodes)
        for (const child of step.children) if (child.entered && child.to !== "leaf") box(child.low, child.high);
    });
    stroke("#5eff9b", 1.5, () => {
      for (const step of nodes)
        for (const child of step.children) if (child.entered && child.to === "leaf") box(child.low, child.high);
    });
    for (const taken of [false, true])
      stroke(taken ? "#ff5edb" : "#ffffff", taken ? 2.5 : 1, () => {
        for (const step of steps)
          for (const triangle of step.triangles ?? [])
            if (triangle.taken === taken)
              triangle.corners.forEach((corner, i) => line(corner, triangle.corners[(i + 1) % 3]));
      });
    const x = this.at.x * width, y = this.at.y * height;
    stroke("#ffffff", 1.5, () => {
      pen.moveTo(x + 7, y);
      pen.arc(x, y, 7, 0, 2 * Math.PI);
    });
  }
}
