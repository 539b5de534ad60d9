// Buttons and selects that keep what is chosen in the address.

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

/** Fills a select whose value is kept in the state under `key`. Rows have a name, perhaps a text and a summary. */
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
