// The scene that is shown, and another one in its place.

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
  byId("level-name").textContent = "off";
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

/** A scene in place of another one: nothing of the old view fits it. */
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
