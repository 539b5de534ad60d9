// The start of the page: connects its parts by event listeners, and requests the first picture.

/** Runs the action of a control. If the server refuses it, shows why. */
function trying(work) {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status !== 204) showTrouble(error.message);
    }
  };
}

function listen() {
  for (const side of kSides) {
    listenForMotion(side.root.querySelector(".frame"), {
      camera: () => kView.camera,
      moved: () => redraw(true),
      clicked: trying(at => explainAt(at, side)),
      focused: trying(at => focusAt(at, side))
    });
  }
  new ResizeObserver(() => redrawAsBefore()).observe(kSides[0].canvas.parentElement);
  document.addEventListener("visibilitychange", () => drawer.wake());

  byId("exposure").addEventListener("input", () => {
    kView.exposure = +(2 ** +byId("exposure").value).toPrecision(4);
    setState("exposure", String(kView.exposure));
    showExposure();
    drawer.changed();
  });
  byId("exposure-auto").addEventListener("click", () => {
    kView.exposure = null;
    setState("exposure", "");
    redrawAsBefore();
  });
  keepChoice(byId("bounces"), "bounces", numbered(kBounces), "8", redrawAsBefore);
  keepChoice(byId("smooth"), "smooth", kSmooths.map(name => ({name})), "on", redrawAsBefore);
  keepChoice(byId("most"), "most", numbered(kMostSamples), "256", redrawAsBefore);
  keepChoice(byId("rays"), "rays", kRayCounts.map(([text, count]) => ({name: String(count), text})), "0", redrawAsBefore);
  byId("two").addEventListener("click", () => {
    setState("two", kView.two ? "" : "1");
    showTwo();
  });
  byId("lanes").addEventListener("click", trying(showLanes));
  byId("level").addEventListener("input", trying(showLevel));
  byId("forget").addEventListener("click", forgetExplanation);
  byId("play").addEventListener("click", () => play(!playing));
  byId("frame").addEventListener("input", () => {
    play(false);
    setFrame(+byId("frame").value);
  });
  byId("end").addEventListener("click", trying(async () => {
    if (!confirm("End the viewer?")) return;
    await ask("stop", {}, "");
    showTrouble("The viewer has ended.");
  }));
  byId("files").addEventListener("change", event => {
    const files = [...event.target.files].map(file => ({name: file.name, file}));
    event.target.value = "";  // so that a corrected version of the same file can be chosen again
    takeFiles(files);
  });
  addEventListener("dragover", event => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", async event => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    takeFiles(await filesIn(event.dataTransfer.items));
  });
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    if (key === "t") byId("two").click();
    if (key === "p" && kView.facts.last_frame > 0) play(!playing);
    if (key === "escape") forgetExplanation();
    if (key === "home" && !event.target.closest("pre")) {
      kView.camera = new Camera(kView.facts.camera);
      redraw();
      forgetCamera();
      kView.followsScene = kView.facts.camera_moves;
    }
  });
  const help = byId("help");
  help.append(html("h2", {id: "help-title"}, "Keys and mouse"),
    html("dl", {}, ...kKeyHelp.flatMap(([key, what]) => [html("dt", {}, key), html("dd", {}, what)])),
    html("form", {method: "dialog"}, html("button", {}, "Close")));
  byId("keys").addEventListener("click", () => help.showModal());
  showTheme(() => kChart.draw());
  new Exports(byId("take"), kView);
}

trying(async () => {
  showScene(await (await ask("facts")).json());
  drawer = new Drawer(kView, {shown: onShown, failed: onFailed, trouble: onTrouble});
  listen();
  showTwo();
  await drawer.run();
})();
