// Approves a case: a field for the reason, and the command with it, to copy into a shell.

const kReasons = new Map();  // what was typed, by the name of the case in the command

/** `text` as a shell reads it as one word. */
function shellQuoted(text) { return `'${text.replaceAll("'", "'\\''")}'`; }

/** The command that approves `approval.of` with this reason; with dots, which are refused, if "". */
function acceptCommand({before, after}, reason) { return before + shellQuoted(reason || "...") + after; }

/** Fills the part of the page that approves `entry`, or hides it if there is nothing to approve. */
function showApproval({approval}) {
  const part = document.getElementById("approval");
  part.hidden = !approval;
  if (!approval) return;
  document.getElementById("reason").value = kReasons.get(approval.of) ?? "";
  const folder = document.getElementById("folder");
  folder.hidden = approval.folder === "";
  folder.replaceChildren("Run it in ", html("code", {}, approval.folder));
  showCommand(approval);
}

function showCommand(approval) {
  const reason = kReasons.get(approval.of) ?? "";
  document.getElementById("command").textContent = acceptCommand(approval, reason.trim());
  document.getElementById("copied").textContent = "";
}

/** Puts `text` into the clipboard. Returns false if the browser refuses. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers that allow no clipboard for pages from files still copy what is selected.
    selectCommand();
    return document.execCommand("copy");
  }
}

function selectCommand() { getSelection().selectAllChildren(document.getElementById("command")); }

async function copyCommand() {
  const said = document.getElementById("copied"), reason = document.getElementById("reason");
  if (!/[\p{L}\p{N}]/u.test(reason.value)) {
    said.textContent = "Type a reason first.";
    reason.focus();
    return;
  }
  const done = await copyText(document.getElementById("command").textContent);
  if (!done) selectCommand();
  said.textContent = done ? "Copied." : "Not copied: the command is selected, press Ctrl+C.";
}

function goToReason() {
  if (document.getElementById("approval").hidden) return;
  document.getElementById("reason").focus();
}

function listenOnApproval() {
  document.getElementById("reason").addEventListener("input", event => {
    const {approval} = viewer.entry;
    kReasons.set(approval.of, event.target.value);
    showCommand(approval);
  });
  document.getElementById("approval").addEventListener("submit", event => {
    event.preventDefault();
    copyCommand();
  });
}
