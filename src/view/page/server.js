// Sends requests to the server of this page.

const kToken = document.querySelector('meta[name="token"]').content;
const kPage = Array.from(crypto.getRandomValues(new Uint32Array(2)), n => n.toString(36)).join("");
let lastNumber = 0;

/** The server refused a request, or can't be reached (status 0). */
class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** Requests are numbered, so that the server can leave out pictures that nobody waits for any more. */
function nextNumber() { return ++lastNumber; }

/**
 * Sends a request and returns the response. `parameters` is an object; with `body` the request is a
 * POST. Throws Refused if the server refuses the request or leaves it out, or can't be reached.
 */
async function ask(path, parameters = {}, body = undefined, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  let response, bytes;
  try {
    response = await fetch(path + (query ? "?" + query : ""), {
      method: body === undefined ? "GET" : "POST",
      headers: {"X-Ballotcast-Token": kToken},
      body,
      signal
    });
    bytes = await response.arrayBuffer();
  } catch (error) {
    if (error.name === "AbortError") throw new Refused(204, "given up");
    throw new Refused(0, "The viewer has ended, or can't be reached.");
  }
  if (response.status === 204) throw new Refused(204, "left out");
  const whole = new Response(bytes, {headers: response.headers});
  if (!response.ok) throw new Refused(response.status, await whole.text());
  return whole;
}

/** The facts that the server sends beside the body of a response. */
function factsOf(response) { return JSON.parse(response.headers.get("X-Ballotcast-Facts")); }

/** The parameters that make the server take requests of this page in their order. */
function inOrder() { return {page: kPage, number: nextNumber()}; }

let isOfDrawing = false;  // true if the shown error is one of drawing

/** Shows an error, or hides the last one if `text` is "". */
function showTrouble(text, ofDrawing = false) {
  const failure = document.getElementById("failure");
  failure.hidden = text === "";
  failure.textContent = text;
  isOfDrawing = ofDrawing;
}

/** Hides an error of drawing, after a picture has arrived. Other errors stay visible. */
function forgetTroubleOfDrawing() {
  if (isOfDrawing) showTrouble("");
}
