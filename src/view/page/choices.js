// The controls that say what is drawn.

/** A button of a group of which one is pressed. */
function pressable(label, title, pressed, onPress) {
  const button = html("button", {type: "button", textContent: label, title, "aria-pressed": String(pressed)});
  button.addEventListener("click", onPress);
  return button;
}

/** Fills `root` with one button per choice; the one called getState(key) or `preset` is pressed. */
function showButtons(root, key, rows, preset, changed) {
  const press = () => {
    const now = getState(key) || preset;
    for (const button of root.children) button.setAttribute("aria-pressed", String(button.textContent === now));
  };
  root.replaceChildren(...rows.map(row => pressable(row.name, row.summary, false, () => {
    setState(key, row.name === preset ? "" : row.name);
    press();
    changed();
  })));
  press();
}

/** A select whose value is kept in the state under `key`. */
function keptSelect(key, label, rows, preset, changed) {
  const select = html("select", {"aria-label": label},
    ...rows.map(row => html("option", {value: row.name, textContent: row.name, title: row.summary ?? ""})));
  select.value = rows.some(row => row.name === getState(key)) ? getState(key) : preset;
  select.addEventListener("change", () => {
    setState(key, select.value === preset ? "" : select.value);
    changed();
  });
  return select;
}

/** The shades of the heat maps, as the shading draws them: a row of colours from few to many. */
const kLegends = {
  visits: {from: "no leaf", to: "many leaves", what: "leaves of the tree that the camera ray visited"},
  depth: {from: "near", to: "far", what: "distance from the camera"},
  ao: {from: "shut in", to: "open", what: "how much of the sky is seen"}
};
