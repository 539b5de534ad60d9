// The scene that is shown. Replaces it by files that the user drops on the page or chooses, and
// plays scenes that move.

function showScene(facts) {
  kView.facts = facts;
  const [camera, kept] = cameraOfState(facts.camera);
  kView.camera = camera;
  kView.followsScene = facts.camera_moves && !kept;
  byId("frame").max = facts.last_frame;
  const exposure = +getState("exposure");
  kView.exposure = exposure > 0 && exposure <= 1e6 ? exposure : facts.exposure;
  showFrame(Math.min(facts.last_frame, Math.max(0, Math.floor(+getState("frame")) || 0)));
  byId("scene").textContent = facts.name;
  document.title = facts.name + ", Ballotcast";
  byId("device").textContent = `${plural(facts.triangles, "triangle")} on ${facts.device} (${facts.description})`;
  byId("warnings").replaceChildren(...facts.warnings.map(warning => html("li", {}, warning)));
  byId("player").hidden = facts.last_frame === 0;
  byId("level").max = facts.levels + 1;
  byId("level").value = 0;
  byId("level").disabled = facts.camera.curvilinear;  // straight edges would not match the curvilinear picture
  byId("level-name").textContent = facts.camera.curvilinear ? "none: the picture is curvilinear" : "off";
  kInside.boxes = null;
  forgetExplanation();
  play(false);
  showRemarks();
  showExposure();
  showButtons(byId("shadings"), "shading", facts.shadings, facts.shading, () => {
    showLegend();
    redrawAsBefore();
  });
  showLegend();
  showTable();
}

/** Replaces the scene. Nothing of the old view fits the new one. */
function showOtherScene(facts) {
  forgetCamera();
  for (const key of ["exposure", "shading", "frame"]) setState(key, "");
  showScene(facts);
  showTwo();
}

async function reloadScene() { showOtherScene(await (await ask("facts")).json()); }

async function takeFiles(files) {
  if (files.length === 0) return;
  const status = byId("sending");
  try {
    const facts = await openFiles(files, text => { status.textContent = text; });
    status.textContent = "";
    showTrouble("");
    showOtherScene(facts);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    status.textContent = "";
    showTrouble(error.message);
  }
}

let lastPlayed = 0, playing = false;

function showFrame(number) {
  kView.frame = number;
  byId("frame").value = number;
  byId("frame-number").textContent = number;
}

function setFrame(number) {
  showFrame(number);
  setState("frame", number > 0 ? String(number) : "");
  forgetExplanation();
  drawer.changed(playing);
  if (kInside.level > 0) trying(showLevel)();
}

function play(on) {
  playing = on;
  byId("play").textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(playOn);
}

function playOn(now) {
  if (!playing) return;
  // True while the picture of the last frame is not shown yet. Then the next frame waits, so that
  // no frame is skipped.
  const isBehind = drawer.isMoving && (kSides[0].asked !== drawer.version || drawer.inFlight > 0);
  if (now - lastPlayed >= 1000 / kView.facts.frames_per_second && !isBehind) {
    lastPlayed = now;
    setFrame(kView.frame >= kView.facts.last_frame ? 0 : kView.frame + 1);
  }
  requestAnimationFrame(playOn);
}

/** All dropped files, and those in dropped folders: [{name, file}]. */
async function filesIn(items) {
  const found = [];
  const visit = async (entry, before) => {
    if (entry.isFile) {
      found.push({name: before + entry.name, file: await new Promise((done, failed) => entry.file(done, failed))});
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return;
      for (const one of some) await visit(one, before + entry.name + "/");
    }
  };
  // Collects all entries before the first await, because the list of items is empty after it. Some
  // files have no entry.
  const entries = [...items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0)
    return [...items].map(item => item.getAsFile()).filter(Boolean).map(file => ({name: file.name, file}));
  // If a single folder was dropped, it is the scene's own folder.
  const top = entries.length === 1 && entries[0].isDirectory ? entries[0].name + "/" : "";
  for (const entry of entries) await visit(entry, "");
  return found.map(({name, file}) => ({name: name.slice(top.length), file}));
}

/** Sends files, then opens them as a scene. Calls `say` with the progress. Returns the facts of the new scene. */
async function openFiles(files, say) {
  for (const [i, {name, file}] of files.entries()) {
    say(`Sending ${name} (${i + 1} of ${files.length})`);
    await ask("file", i === 0 ? {page: kPage, name, first: 1} : {page: kPage, name}, file);
  }
  say("Loading");
  return (await ask("open", {page: kPage}, "")).json();
}
