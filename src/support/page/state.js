// The state of a page: what the reader has chosen. It is kept behind the # of the address, so that
// it can be saved and sent.

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
