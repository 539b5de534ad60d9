// What happens when a picture has come, or can't come: numbers, status, messages.

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

/** What a cast has cost: milliseconds on a GPU, else atomics. */
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

/** The view is the same; how it is drawn has changed. */
function redrawAsBefore() {
  kChart.clear();
  kChart.draw();
  drawer.changed(false);
}
