// Plays scenes that move.

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
  // 24 frames a second; the next frame waits until the last one is there.
  const isBehind = drawer.isMoving && (kSides[0].asked !== drawer.version || drawer.inFlight > 0);
  if (now - lastPlayed >= 1000 / 24 && !isBehind) {
    lastPlayed = now;
    setFrame(kView.frame >= kView.facts.last_frame ? 0 : kView.frame + 1);
  }
  requestAnimationFrame(playOn);
}
