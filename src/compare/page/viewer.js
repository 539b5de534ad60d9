// The pictures of a case: all of them as thumbnails, and one or two on the stage. The address
// stores show (the name of a picture, or wipe, blink, sides), first, second, wipe, zoom, at, pixel.

const kBlinkMs = 600;

const viewer = {
  entry: null,     // the case whose pictures are shown
  pictures: {},    // its decoded pictures, by name
  blinked: false,  // true while the second picture of a blink is shown
  before: "",      // what was shown before blinking began
  hovered: null,   // the pixel under the pointer
  stage: new Stage(document.getElementById("stage"), keepPlace)
};

/**
 * The pictures that can be chosen. The result is not among them if it is the same as the reference.
 */
function picturesOf({pictures}) {
  return Object.keys(kPictures).filter(
      name => pictures[name] !== null && !(name === "result" && pictures.result === pictures.reference));
}

function isSame({pictures}) { return pictures.result !== null && pictures.result === pictures.reference; }

function labelIn(entry, name) {
  return name === "reference" && isSame(entry) ? "Reference = result" : kPictures[name];
}

/** Shows the pictures of `entry` as soon as they are decoded. */
async function showPictures(entry) {
  const numbers = Object.values(entry.pictures).filter(number => number !== null);
  forgetAllBut(numbers);
  Object.assign(viewer, {entry, pictures: {}, hovered: null, blinked: false});
  const names = picturesOf(entry);
  document.getElementById("viewer").setAttribute("aria-busy", "true");
  const decoded = await Promise.allSettled(names.map(name => pictureOf(entry.pictures[name])));
  // The user has chosen another case while the pictures were decoded
  if (viewer.entry !== entry) return;
  const remarks = remarksOn(entry);
  decoded.forEach(({value, reason}, i) => {
    if (value)
      viewer.pictures[names[i]] = value;
    else
      remarks.push(`${kPictures[names[i]]} can't be read: ${reason.message ?? reason}.`);
    if (value && !value.exact)
      remarks.push(`${kPictures[names[i]]} was decoded by the browser: its values may be rounded.`);
  });
  const remark = document.getElementById("remark");
  remark.textContent = remarks.join(" ");
  remark.hidden = remarks.length === 0;
  fillThumbs();
  fillSelects();
  shapeStage();
  takePlace();
  applyShow();
  document.getElementById("viewer").setAttribute("aria-busy", "false");
}

function remarksOn(entry) {
  const {reference, result} = entry.pictures;
  if (isSame(entry)) return ["The result is the reference, byte for byte: there is one picture to see."];
  if (reference === null && result === null) return ["This case has no pictures."];
  if (reference === null) return ["There is no reference yet."];
  if (result === null) return ["There is no result to compare with."];
  return [];
}

function fillThumbs() {
  const thumbs = Object.entries(viewer.pictures).map(([name, picture]) => {
    const stretched = name === "difference", small = thumbOf(picture, 400, 300, stretched);
    const key = String(Object.keys(kPictures).indexOf(name) + 1);
    const label = labelIn(viewer.entry, name);
    const show = html(
        "button", {type: "button", className: "thumb", "data-show": name, "aria-keyshortcuts": key}, small,
        html("span", {}, html("kbd", {"aria-hidden": "true"}, key), label));
    show.addEventListener("click", () => setShow(name));
    const save =
        html("button", {type: "button", className: "save", "aria-label": `Save ${label} as PNG`}, "save");
    save.addEventListener(
        "click",
        () => download(
            `${viewer.entry.name}-${name}.png`.replace(/[^\w.-]+/g, "_"),
            bytesOf(viewer.entry.pictures[name]), "image/png"));
    return html("figure", {}, show, html("figcaption", {}, html("span", {}, stretched ? "small: more contrast" : kindOf(picture)), save));
  });
  document.getElementById("thumbs").replaceChildren(...thumbs);
}

function fillSelects() {
  const names = Object.keys(viewer.pictures);
  document.getElementById("pair").hidden = names.length < 2;
  for (const id of ["first", "second"])
    document.getElementById(id).replaceChildren(
        ...names.map(name => html("option", {value: name}, labelIn(viewer.entry, name))));
}

/** Makes the stage no higher than its pictures need. */
function shapeStage() {
  const pictures = Object.values(viewer.pictures);
  const greatest = side => Math.max(1, ...pictures.map(p => p[side]));
  viewer.stage.canvas.style.aspectRatio = `${greatest("width")} / ${greatest("height")}`;
}

/** The two pictures that are compared: the reader's choice, else the reference and the result. */
function pairNames() {
  const names = Object.keys(viewer.pictures);
  const chosen = (key, otherwise) => [getState(key), otherwise].find(name => names.includes(name));
  const first = chosen("first", "reference") ?? names[0];
  return [first, chosen("second", "result") ?? names.find(name => name !== first) ?? first];
}

/** What is shown: the reader's choice, else a slide between two pictures, else the only picture. */
function shownName() {
  const names = Object.keys(viewer.pictures), modes = names.length > 1 ? ["wipe", "blink", "sides"] : [];
  const otherwise = modes.length > 0 && !isSame(viewer.entry) ? "wipe" : names[0];
  return [...names, ...modes].includes(getState("show")) ? getState("show") : otherwise;
}

function setShow(name) {
  const now = shownName();
  if (now !== "blink") viewer.before = now;
  setState("show", name === "blink" && now === "blink" ? viewer.before : name);
  viewer.blinked = false;
  applyShow();
}

/** Updates everything that depends on what is shown. */
function applyShow() {
  const show = shownName(), [first, second] = pairNames();
  showPanels();
  document.getElementById("frame").hidden = show === undefined;
  document.getElementById("controls").hidden = show === undefined;
  document.getElementById("slide").hidden = show !== "wipe";
  document.getElementById("first").value = first;
  document.getElementById("second").value = second;
  for (const button of document.querySelectorAll("[data-show]"))
    button.setAttribute("aria-pressed", button.dataset.show === show);
  document.getElementById("worst").hidden = !viewer.entry.worst;
  showZoom();
  showReadout();
}

/** Puts the shown pictures on the stage. */
function showPanels() {
  const {pictures, stage} = viewer, show = shownName(), [first, second] = pairNames();
  const one = show === "blink" ? (viewer.blinked ? second : first) : show;
  const [a, b] = [pictures[first], pictures[second]];
  stage.panels = show === undefined ? [] :
      show === "wipe"               ? [{first: a, second: b}] :
      show === "sides"              ? [{first: a, second: null}, {first: b, second: null}] :
                                      [{first: pictures[one], second: null}];
  const two = show === "wipe" || show === "sides";
  tag("left", two ? first : one, false);
  tag("right", two ? second : undefined, show === "sides");
  stage.draw();
}

/** Shows the name of a picture in a corner of the stage; with `inner`, beside the middle. */
function tag(id, name, inner) {
  const element = document.getElementById(id);
  element.hidden = name === undefined;
  element.textContent = name === undefined ? "" : labelIn(viewer.entry, name);
  element.classList.toggle("inner", inner);
}

/** Takes place and zoom from the address. */
function takePlace() {
  const pair = key =>
      /^\d+(\.\d+)?,\d+(\.\d+)?$/.test(getState(key)) ? getState(key).split(",").map(Number) : null;
  const at = pair("at"), pixel = pair("pixel"), {stage} = viewer;
  stage.zoom = getState("zoom") === "" ? null : Math.min(kMostZoom, Math.max(0.01, +getState("zoom") || 1));
  stage.center = at && {x: at[0], y: at[1]};
  stage.cursor = pixel && {x: Math.floor(pixel[0]), y: Math.floor(pixel[1])};
  stage.slide = getState("wipe") === "" ? 0.5 : Math.min(1, Math.max(0, +getState("wipe") || 0));
  document.getElementById("wipe").value = stage.slide * 1000;
}

function keepPlace() {
  const {zoom, center} = viewer.stage;
  setState("zoom", zoom === null ? "" : String(+zoom.toFixed(3)));
  setState("at", center === null ? "" : [center.x, center.y].map(part => +part.toFixed(2)).join(","));
  showZoom();
}

function showZoom() {
  const {stage} = viewer;
  document.getElementById("zoom").textContent =
      (stage.zoom === null ? "fit " : "") + grouped(stage.scale * 100) + " %";
  stage.canvas.style.touchAction = stage.zoom === null ? "pan-y" : "none";
}

/** Marks a pixel (null: none) and stores it in the address. */
function pin(pixel) {
  viewer.hovered = null;
  viewer.stage.cursor = pixel;
  setState("pixel", pixel ? `${pixel.x},${pixel.y}` : "");
  viewer.stage.draw();
  showReadout();
}

function showReadout() {
  const {pictures, stage} = viewer, pixel = viewer.hovered ?? stage.cursor;
  const names = new Set([...pairNames(), shownName()]);
  const shown = [...names]
                    .filter(name => name in pictures)
                    .map(name => ({label: labelIn(viewer.entry, name), picture: pictures[name]}));
  const readout = document.getElementById("readout");
  readout.hidden = shown.length === 0;
  const hint = "Point at a pixel, or use the arrow keys on the picture, to read its values.";
  readout.replaceChildren(...(pixel ? readoutOf(shown, pixel) : [html("span", {className: "soft"}, hint)]));
}

function setSlide(part) {
  viewer.stage.slide = part;
  setState("wipe", part === 0.5 ? "" : String(+part.toFixed(3)));
  document.getElementById("wipe").value = part * 1000;
  viewer.stage.draw();
}

/** Goes to the pixel that differs most, with a zoom at which it is visible. */
function goToWorst() {
  const {worst} = viewer.entry;
  if (!worst) return;
  pin({x: worst.x, y: worst.y});
  viewer.stage.look(Math.max(24, viewer.stage.scale), {x: worst.x + 0.5, y: worst.y + 0.5});
}

/** Switches between the whole picture and 16 times zoom around the marked pixel. */
function toggleZoom() {
  const {stage} = viewer;
  if (stage.zoom !== null) return stage.look(null, null);
  const pixel = viewer.hovered ?? stage.cursor ?? {x: stage.width / 2, y: stage.height / 2};
  stage.look(16, {x: pixel.x + 0.5, y: pixel.y + 0.5});
}

/** Moves the marked pixel by steps, and the stage with it. */
function stepPixel(dx, dy) {
  const {stage} = viewer;
  const from = stage.cursor ?? {x: stage.width >> 1, y: stage.height >> 1};
  const limited = (value, size) => Math.min(size - 1, Math.max(0, value));
  const pixel = {x: limited(from.x + dx, stage.width), y: limited(from.y + dy, stage.height)};
  pin(pixel);
  const x = stage.origin.x + pixel.x * stage.scale, y = stage.origin.y + pixel.y * stage.scale;
  if (x < 0 || y < 0 || x + stage.scale > stage.panelWidth || y + stage.scale > stage.canvas.clientHeight)
    stage.look(stage.scale, {x: pixel.x + 0.5, y: pixel.y + 0.5});
}

/** The distance between two fingers; 0 if there are not two. */
function distanceOf(fingers) {
  if (fingers.size !== 2) return 0;
  const [a, b] = fingers.values();
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/**
 * Handles the pointer on the stage: reading, dragging the slide or the picture, marking, zooming.
 */
function listenOnStage() {
  const {stage} = viewer, {canvas} = stage;
  let drag = null;            // the current drag: {slide, x, y, moved}
  const fingers = new Map();  // the positions of pressed pointers
  const nearSlide = x => shownName() === "wipe" && Math.abs(x - stage.slideAt) < 16;
  new ResizeObserver(() => {
    stage.drawNow();
    showZoom();
  }).observe(canvas);
  canvas.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    drag = {slide: nearSlide(event.offsetX), x: event.offsetX, y: event.offsetY, moved: 0};
  });
  canvas.addEventListener("pointermove", event => {
    const {offsetX: x, offsetY: y} = event;
    canvas.style.cursor = nearSlide(x) ? "ew-resize" : "crosshair";
    const apart = distanceOf(fingers);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, {x, y});
    if (apart > 0) {
      const [a, b] = fingers.values();
      stage.zoomBy(distanceOf(fingers) / apart, (a.x + b.x) / 2, (a.y + b.y) / 2);
      drag = null;
    } else if (drag) {
      drag.moved += Math.abs(x - drag.x) + Math.abs(y - drag.y);
      if (drag.slide) {
        stage.slideTo(x);
        setSlide(stage.slide);
      } else if (drag.moved > 4) {
        stage.moveBy(x - drag.x, y - drag.y);
      }
      Object.assign(drag, {x, y});
    }
    viewer.hovered = stage.pixelAt(x, y);
    showReadout();
  });
  const lift = event => {
    fingers.delete(event.pointerId);
    drag = null;
  };
  canvas.addEventListener("pointerup", event => {
    if (drag && !drag.slide && drag.moved <= 4) pin(viewer.hovered);
    lift(event);
  });
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => {
    viewer.hovered = null;
    showReadout();
  });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    stage.zoomBy(2 ** (-event.deltaY / (event.deltaMode === 0 ? 240 : 6)), event.offsetX, event.offsetY);
  }, {passive: false});
  canvas.addEventListener("dblclick", event => stage.zoomBy(4, event.offsetX, event.offsetY));
  canvas.addEventListener("keydown", event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const length = event.shiftKey ? 10 : 1;
    stepPixel(step[0] * length, step[1] * length);
  });
}

function listenOnControls() {
  const on = (id, type, action) => document.getElementById(id).addEventListener(type, action);
  for (const button of document.querySelectorAll("#controls [data-show]"))
    button.addEventListener("click", () => setShow(button.dataset.show));
  for (const id of ["first", "second"])
    on(id, "change", event => {
      setState(id, event.target.value);
      if (!["wipe", "blink", "sides"].includes(shownName())) setState("show", "wipe");
      applyShow();
    });
  on("wipe", "input", event => setSlide(event.target.value / 1000));
  on("in", "click", () => viewer.stage.zoomBy(2));
  on("out", "click", () => viewer.stage.zoomBy(0.5));
  on("fit", "click", () => viewer.stage.look(null, null));
  on("worst", "click", goToWorst);
  setInterval(() => {
    if (viewer.entry === null || shownName() !== "blink") return;
    viewer.blinked = !viewer.blinked;
    showPanels();
  }, kBlinkMs);
}
