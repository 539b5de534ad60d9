// Files that are dropped on the page, or chosen: they become the scene.

/** All files below what was dropped, with their folders: [{name, file}]. */
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
  // All of them first: the list of items is empty after the first wait. Not every file has an entry.
  const entries = [...items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0)
    return [...items].map(item => item.getAsFile()).filter(Boolean).map(file => ({name: file.name, file}));
  // The only folder that was dropped is the scene's own.
  const top = entries.length === 1 && entries[0].isDirectory ? entries[0].name + "/" : "";
  for (const entry of entries) await visit(entry, "");
  return found.map(({name, file}) => ({name: name.slice(top.length), file}));
}

/** Sends files, then shows them. `say` gets the progress. Returns the facts of the new scene. */
async function openFiles(files, say) {
  for (const [i, {name, file}] of files.entries()) {
    say(`Sending ${name} (${i + 1} of ${files.length})`);
    await ask("file", i === 0 ? {page: kPage, name, first: 1} : {page: kPage, name}, file);
  }
  say("Loading");
  return (await ask("open", {page: kPage}, "")).json();
}
