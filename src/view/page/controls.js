// The controls beside the picture, and what they start. The address stores the state of buttons and
// menus.

/** Fills `root` with one button per choice; the one called getState(key) or `preset` is pressed. */
function showButtons(root, key, rows, preset, changed) {
  const press = () => {
    const now = getState(key) || preset;
    for (const button of root.children) button.setAttribute("aria-pressed", String(button.textContent === now));
  };
  root.replaceChildren(...rows.map(row => {
    const button = html("button", {type: "button", textContent: row.name, title: row.summary});
    button.addEventListener("click", () => {
      setState(key, row.name === preset ? "" : row.name);
      press();
      changed();
    });
    return button;
  }));
  press();
}

/** Fills a select whose value is kept in the state under `key`. Each row has a name, and may have a text and a summary. */
function keepChoice(select, key, rows, preset, changed) {
  select.replaceChildren(...rows.map(row =>
    html("option", {value: row.name, textContent: row.text ?? row.name, title: row.summary ?? ""})));
  select.value = oneOf(getState(key), rows.map(row => row.name), preset);
  select.addEventListener("change", () => {
    setState(key, select.value === preset ? "" : select.value);
    changed();
  });
  return select;
}

/** Numbers as the rows of a choice. */
function numbered(numbers) { return numbers.map(number => ({name: String(number), text: grouped(number)})); }

function showExposure() {
  byId("exposure").value = Math.log2(kView.exposure ?? 1);
  byId("exposure-value").textContent = kView.exposure === null ? "" : threeDigits(kView.exposure);
}

/** The legends of shadings that are heat maps. */
const kLegends = {
  visits: {from: "no leaf", to: "many leaves", what: "leaves of the tree that the camera ray visited"},
  depth: {from: "near", to: "far", what: "distance from the camera"},
  ao: {from: "shut in", to: "open", what: "how much of the sky is seen"}
};

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

function choicesOf(index) {
  const out = {};
  for (const choice of kView.facts.choices)
    out[choice.name] = oneOf(getState(choice.name + (index === 0 ? "-a" : "-b")), choice.rows.map(row => row.name),
      firstChoices(choice)[index]);
  return out;
}

function showTable() {
  byId("table").tBodies[0].replaceChildren(...kView.facts.choices.map(choice => html("tr", {},
    html("th", {scope: "row"}, choice.words),
    ...["a", "b"].map((side, index) => html("td", {},
      keepChoice(html("select", {"aria-label": `${choice.words} of ${side.toUpperCase()}`}),
        choice.name + "-" + side, choice.rows, firstChoices(choice)[index], takeChoices))))));
}

function takeChoices() {
  kSides.forEach((side, index) => { side.choices = kView.two ? choicesOf(index) : {}; });
  // Disables the strategies that the chosen pipeline can't use.
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

/** Draws the boxes and the explanation over all pictures. */
function drawInside() { kView.sides().forEach(side => kInside.draw(side)); }

async function showLevel() {
  const level = +byId("level").value;
  const {level: shown, whole} = await kInside.showLevel(level);
  // If the user has chosen another level meanwhile, the answer for that level will follow.
  if (level !== +byId("level").value) return;
  byId("level-name").textContent = level === 0 ? "off" : whole ? String(level - 1) : `${shown}: no more`;
  drawInside();
}

async function explainAt(at, side) {
  const version = drawer.version, {text, x, y} = await kInside.explain(at, side);
  if (version !== drawer.version) return forgetExplanation();
  byId("explanation").hidden = false;
  byId("explained-pixel").textContent = `Pixel ${x}, ${y}`;
  byId("explained").textContent = text;
  drawInside();
}

function forgetExplanation() {
  kInside.forget();
  byId("explanation").hidden = true;
  drawInside();
}

async function focusAt(at, side) {
  const {explanation} = await kInside.explain(at, side);
  kInside.forget();
  if (explanation.surface) kView.camera.focusOn(add(explanation.surface.position, kView.facts.origin));
  redraw();
}
