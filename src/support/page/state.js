// What the reader chooses stands behind the # of the address, so that it can be kept and sent.

const kState = stateOfAddress();
let keeping = 0;

function stateOfAddress() {
  return new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
}

function getState(key) { return kState.get(key) ?? ""; }

/** Browsers refuse an address that changes too often: what follows soon is kept together, later. */
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

/** Takes over the state of an address that was followed or typed. Only a state changes anything. */
function rereadState() {
  if (!location.hash.includes("=")) return false;
  for (const key of [...kState.keys()]) kState.delete(key);
  for (const [key, value] of stateOfAddress()) kState.set(key, value);
  return true;
}
