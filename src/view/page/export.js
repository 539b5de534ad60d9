// Exports the view: as text to copy, or as files to save.

async function copyText(text, status) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = "Copied.";
  } catch {
    status.textContent = "Not copied: select the text and press Ctrl+C.";
  }
}

/**
 * Shows the view as a command, a scene file and a suite case (/take), each in an element of `root`.
 */
class Exports {
  constructor(root, view) {
    this.root = root;
    this.view = view;
    this.status = root.querySelector("#taken");
    for (const button of root.querySelectorAll("button[data-take]"))
      button.addEventListener("click", () => this.copy(button.dataset.take));
    root.querySelector("#save").addEventListener("click", () => this.save());
    root.querySelector("#to-suite").addEventListener("submit", event => {
      event.preventDefault();
      this.addCase(root.querySelector("#case-name").value);
    });
  }

  async fetched() {
    const name = this.root.querySelector("#case-name").value || "view";
    return (await ask("take", {...this.view.exported(), name})).json();
  }

  async copy(what) {
    const {text, why_not} = (await this.fetched())[what];
    const shown = this.root.querySelector("#taken-text");
    shown.hidden = false;
    shown.textContent = why_not ?? text;
    if (why_not)
      this.status.textContent = "Not possible:";
    else
      await copyText(text, this.status);
  }

  save() {
    const side = this.view.sides()[0];
    if (!side.png) {
      this.status.textContent = "The picture is not at rest yet.";
      return;
    }
    download(this.view.facts.name + ".png", side.png.blob, "image/png");
    this.status.textContent = `Saved, with ${plural(side.facts.samples, "sample")} per pixel.`;
  }

  async addCase(name) {
    try {
      const {added, suite} = await (await ask("suite", {...this.view.exported(), name}, "")).json();
      this.status.textContent = `Case ${added} is in ${suite} now. Approve it with ballotcast accept.`;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.status.textContent = error.message;
    }
  }
}
