// Mouse, fingers and keys move the camera.

const kClickDelay = 260;  // milliseconds in which a second click makes a double click
const kMoved = 4;         // pixels from which on a press is a drag

/** Makes `element` the place where the camera is moved. `on` has: camera, moved, clicked, focused. */
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

/** What keys do with the camera. `much` is 4 with Shift, else 1. */
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
