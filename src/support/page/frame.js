// The frame around the content of a page: state, theme, download, conditions, error messages.

// The state is what the reader has selected. It is stored behind the # of the address, so that it
// can be saved and sent as a link.
const kState = stateOfAddress();
let keeping = 0;

function stateOfAddress() {
  return new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
}

function getState(key) { return kState.get(key) ?? ""; }

/**
 * Sets one key of the state. Browsers refuse addresses that change too often, so changes that
 * follow soon are stored together, later.
 */
function setState(key, value) {
  if (value === getState(key)) return;
  if (value === "")
    kState.delete(key);
  else
    kState.set(key, value);
  if (keeping !== 0) return;
  keepState();
  keeping = setTimeout(() => {
    keeping = 0;
    if (location.hash !== "#" + kState) keepState();
  }, 200);
}

function keepState() { history.replaceState(null, "", "#" + kState); }

/**
 * Takes over the state of an address that was followed or typed. Returns false if the address has
 * none.
 */
function rereadState() {
  if (!location.hash.includes("=")) return false;
  for (const key of [...kState.keys()]) kState.delete(key);
  for (const [key, value] of stateOfAddress()) kState.set(key, value);
  return true;
}

/**
 * Sets up the button that switches between the system's theme, light and dark. Calls `changed` on
 * every change.
 */
function showTheme(changed = () => {}) {
  const button = document.getElementById("theme");
  const apply = () => {
    const theme = getState("theme");
    document.documentElement.dataset.theme = theme;
    button.textContent = "Theme: " + (theme || "system");
  };
  button.addEventListener("click", () => {
    const order = ["", "light", "dark"];
    setState("theme", order[(order.indexOf(getState("theme")) + 1) % order.length]);
    apply();
    changed();
  });
  apply();
}

/** Saves `content` as a file called `name` on the reader's machine. */
function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], {type}));
  const link = html("a", {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1e4);
}

/** Sets up the button that saves the data of the page as a file called `name`. */
function offerDownload(name) {
  document.getElementById("download").addEventListener("click", () => {
    download(name, document.getElementById("data").textContent.trim() + "\n", "application/json");
  });
}

/** Fills the end of the page. `facts` are pairs of a label and a value: text or an element. */
function showConditions(facts, notes) {
  const footer = document.getElementById("conditions");
  const rows = facts.flatMap(([label, value]) => [html("dt", {}, label), html("dd", {}, value)]);
  footer.append(html("h2", {}, "Conditions"), html("dl", {}, ...rows));
  if (notes.length > 0)
    footer.append(html("h2", {}, "Notes"), html("ul", {}, ...notes.map(note => html("li", {}, note))));
}

function showFailure(what) {
  const failure = document.getElementById("failure");
  failure.hidden = false;
  failure.textContent = `This page failed to draw: ${what}`;
}

addEventListener("error", event => showFailure(`${event.message} (line ${event.lineno})`));
addEventListener("unhandledrejection", event => showFailure(String(event.reason)));
