// The stage, on which pictures are drawn: panels side by side that show the same part of their
// pictures at the same zoom.

// From this zoom on (screen pixels per picture pixel) a grid separates the pixels.
const kGridFrom = 10;
const kMostZoom = 96;

class Stage {
  /** Calls `changed` when zoom or place change. */
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    // One {first, second} per panel: two pictures. `second` is shown to the right of the slide;
    // null if there is only one picture.
    this.panels = [];
    this.slide = 0.5;    // position of the slide, as a fraction of the visible width of the picture
    this.cursor = null;  // the marked pixel
    // Screen pixels per picture pixel; null if the whole picture is fitted into the panel
    this.zoom = null;
    // The position in the picture that is shown in the middle of the panel; null for the middle of
    // the picture.
    this.center = null;
    this.frame = 0;
  }

  get width() {
    return Math.max(0, ...this.panels.flatMap(({first, second}) => [first.width, second?.width ?? 0]));
  }
  get height() {
    return Math.max(0, ...this.panels.flatMap(({first, second}) => [first.height, second?.height ?? 0]));
  }
  get panelWidth() { return this.canvas.clientWidth / Math.max(1, this.panels.length); }
  get fit() {
    return Math.min(this.panelWidth / this.width, this.canvas.clientHeight / this.height, kMostZoom) || 1;
  }
  get scale() { return this.zoom ?? this.fit; }

  /** The position of the picture's corner in its panel. */
  get origin() {
    const center = this.center ?? {x: this.width / 2, y: this.height / 2};
    return {
      x: this.panelWidth / 2 - center.x * this.scale,
      y: this.canvas.clientHeight / 2 - center.y * this.scale
    };
  }

  /** The position in its panel where the second picture begins. */
  get slideAt() {
    const left = Math.max(0, this.origin.x);
    const right = Math.min(this.panelWidth, this.origin.x + this.width * this.scale);
    return left + this.slide * (right - left);
  }

  /** The place of the picture at a position of the canvas. */
  placeAt(x, y) {
    return {x: (x % this.panelWidth - this.origin.x) / this.scale, y: (y - this.origin.y) / this.scale};
  }

  /** The pixel at a position of the canvas, or null. */
  pixelAt(x, y) {
    const place = this.placeAt(x, y), pixel = {x: Math.floor(place.x), y: Math.floor(place.y)};
    const inside = pixel.x >= 0 && pixel.y >= 0 && pixel.x < this.width && pixel.y < this.height;
    return inside ? pixel : null;
  }

  /** Moves the slide to a position of the canvas. */
  slideTo(x) {
    const left = Math.max(0, this.origin.x);
    const right = Math.min(this.panelWidth, this.origin.x + this.width * this.scale);
    this.slide = Math.min(1, Math.max(0, (x % this.panelWidth - left) / (right - left)));
    this.draw();
  }

  /** Shows the place `center` (null: the middle) at `zoom` (null: the whole picture). */
  look(zoom, center) {
    if (this.panels.length === 0) return;
    this.zoom = zoom === null ? null : Math.min(kMostZoom, Math.max(Math.min(this.fit, 1), zoom));
    this.center = center &&
        {x: Math.min(this.width, Math.max(0, center.x)), y: Math.min(this.height, Math.max(0, center.y))};
    this.draw();
    this.changed();
  }

  /** Zooms by `factor`, and keeps the place at a position of the canvas fixed. */
  zoomBy(factor, x = this.panelWidth / 2, y = this.canvas.clientHeight / 2) {
    const place = this.placeAt(x, y);
    const zoom = Math.min(kMostZoom, this.scale * factor);
    if (zoom <= this.fit && factor < 1) return this.look(null, null);
    const [dx, dy] = [x % this.panelWidth - this.panelWidth / 2, y - this.canvas.clientHeight / 2];
    this.look(zoom, {x: place.x - dx / zoom, y: place.y - dy / zoom});
  }

  /** Moves the picture by screen pixels. */
  moveBy(dx, dy) {
    const center = this.center ?? {x: this.width / 2, y: this.height / 2};
    this.look(this.scale, {x: center.x - dx / this.scale, y: center.y - dy / this.scale});
  }

  /** Draws once, with the next frame. */
  draw() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const {canvas} = this, ratio = devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    this.panels.forEach((panel, i) => {
      context.save();
      context.translate(i * this.panelWidth, 0);
      this.clip(context, 0, this.panelWidth);
      this.drawPanel(context, panel);
      context.restore();
    });
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--line");
    for (let i = 1; i < this.panels.length; ++i)
      context.fillRect(i * this.panelWidth - 1, 0, 2, canvas.clientHeight);
  }

  clip(context, from, to) {
    context.beginPath();
    context.rect(from, 0, to - from, this.canvas.clientHeight);
    context.clip();
  }

  drawPanel(context, {first, second}) {
    const at = this.slideAt;
    context.save();
    if (second) this.clip(context, 0, at);
    this.drawPicture(context, first);
    context.restore();
    if (second) {
      context.save();
      this.clip(context, at, this.panelWidth);
      this.drawPicture(context, second);
      context.restore();
    }
    if (this.scale >= kGridFrom) this.drawGrid(context);
    if (this.cursor) this.drawCursor(context);
    if (second) this.drawSlide(context, at);
  }

  drawPicture(context, {canvas, width, height, channels}) {
    const {x, y} = this.origin;
    if (channels % 2 === 0) {  // the chessboard shows through transparent pixels
      context.fillStyle = chessboard(context);
      context.fillRect(x, y, width * this.scale, height * this.scale);
    }
    context.imageSmoothingEnabled = this.scale < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(canvas, x, y, width * this.scale, height * this.scale);
  }

  drawGrid(context) {
    const {x, y} = this.origin, s = this.scale;
    const [left, top] = [Math.max(0, Math.floor(-x / s)), Math.max(0, Math.floor(-y / s))];
    const right = Math.min(this.width, Math.ceil((this.panelWidth - x) / s));
    const bottom = Math.min(this.height, Math.ceil((this.canvas.clientHeight - y) / s));
    context.beginPath();
    for (let i = left; i <= right; ++i) {
      context.moveTo(x + i * s, y + top * s);
      context.lineTo(x + i * s, y + bottom * s);
    }
    for (let i = top; i <= bottom; ++i) {
      context.moveTo(x + left * s, y + i * s);
      context.lineTo(x + right * s, y + i * s);
    }
    context.strokeStyle = "#80808070";
    context.lineWidth = 1;
    context.stroke();
  }

  /** Draws a frame around the marked pixel, or a ring if pixels are too small to see. */
  drawCursor(context) {
    const s = this.scale;
    const x = this.origin.x + this.cursor.x * s, y = this.origin.y + this.cursor.y * s;
    for (const [style, width] of [["#000", 4], ["#fff", 2]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      if (s < 8)
        context.arc(x + s / 2, y + s / 2, 9, 0, 2 * Math.PI);
      else
        context.rect(x, y, s, s);
      context.stroke();
    }
  }

  drawSlide(context, at) {
    const middle = this.canvas.clientHeight / 2;
    for (const [style, width] of [["#000a", 4], ["#fff", 2]]) {
      context.fillStyle = style;
      context.fillRect(at - width / 2, 0, width, this.canvas.clientHeight);
    }
    context.beginPath();
    context.arc(at, middle, 13, 0, 2 * Math.PI);
    context.fillStyle = "#fff";
    context.strokeStyle = "#000a";
    context.lineWidth = 1;
    context.fill();
    context.stroke();
    context.beginPath();
    for (const side of [-1, 1]) {
      context.moveTo(at + side * 3, middle - 5);
      context.lineTo(at + side * 8, middle);
      context.lineTo(at + side * 3, middle + 5);
    }
    context.fillStyle = "#222";
    context.fill();
  }
}

/** A pattern of grey squares, 8 by 8 pixels each. */
function chessboard(context) {
  const tile = html("canvas", {width: 16, height: 16}), paint = tile.getContext("2d");
  paint.fillStyle = "#9a9a9a";
  paint.fillRect(0, 0, 16, 16);
  paint.fillStyle = "#c6c6c6";
  paint.fillRect(0, 0, 8, 8);
  paint.fillRect(8, 8, 8, 8);
  return context.createPattern(tile, "repeat");
}
