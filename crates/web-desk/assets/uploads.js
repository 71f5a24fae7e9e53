// Files and folders that are chosen or dropped: sent one after the other, then one plan.
import { el, fill, line, say, warn } from "./dom.js";
import { deliver, order } from "./net.js";
import * as words from "./words.js";

/** How far an upload is, and the button that stops it. */
export const progress = el("div.sending", { hidden: true });
let sending;

/** The files of a drop, those in folders with their paths. */
export async function dropped(transfer) {
  // Both are gone once the event is over.
  const entries = [...transfer.items].map((it) => it.webkitGetAsEntry?.());
  const files = [...transfer.files].map((file) => ({ file, name: file.name }));
  if (!entries.some((it) => it?.isDirectory)) return files;
  const found = [];
  for (const it of entries) if (it) await walk(it, "", found);
  return found;
}

async function walk(entry, folder, found) {
  const name = folder + entry.name;
  if (entry.isFile) {
    found.push({ file: await new Promise((done, failed) => { entry.file(done, failed); }), name });
    return;
  }
  const reader = entry.createReader();
  // A reader gives a part of the entries at a time, and in the end none.
  for (;;) {
    const some = await new Promise((done, failed) => { reader.readEntries(done, failed); });
    if (!some.length) return;
    for (const it of some) await walk(it, `${name}/`, found);
  }
}

/** The files of a field. */
export const chosen = (field) => [...field.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));

/** Sends files, and asks for a plan that puts them into a folder. */
export async function bring(files, folder, room, isIdle) {
  if (sending) { warn("Files are being sent already."); return; }
  if (!files.length) { warn("There are no files in it."); return; }
  const total = files.reduce((sum, it) => sum + it.file.size, 0);
  const isTooMuch = files.length > room.files || (room.bytes !== undefined && room.bytes !== null && total > room.bytes);
  if (isTooMuch) {
    const what = `${words.many(files.length, "file", "files")}, ${words.bytes(total)}`;
    const most = `up to ${words.number(room.files)} files${room.bytes ? ` and ${words.bytes(room.bytes)}` : ""} go at once`;
    warn(`Nothing was uploaded: these are ${what}, and ${most}. ${room.beyond}`);
    return;
  }
  sending = new AbortController();
  try {
    const held = await send(files, total, sending.signal);
    if (!held) return;
    // A turn may have begun meanwhile, and its plan has to be answered first.
    while (!isIdle()) {
      told(files.length, files.length, total, total, "waiting for the turn that is under way");
      await new Promise((done) => { setTimeout(done, 250); });
      if (sending.signal.aborted) return;
    }
    await order("upload", { folder, files: held });
  } finally {
    sending = undefined;
    progress.hidden = true;
  }
}

async function send(files, total, signal) {
  const held = [];
  let before = 0;
  for (const [index, { file, name }] of files.entries()) {
    told(index, files.length, before, total, line(name));
    const answer = await deliver(file, (moved) => told(index, files.length, before + Math.min(moved, file.size), total, line(name)), signal);
    if (answer.stopped) { say("Stopped. Nothing was uploaded."); return undefined; }
    if (!answer.ok) { warn(`Nothing was uploaded. ${line(name)}: ${answer.why}`); return undefined; }
    held.push({ held: answer.held, name, media_type: file.type || undefined });
    before += file.size;
  }
  return held;
}

function told(done, files, moved, total, what) {
  if (progress.hidden) {
    progress.hidden = false;
    progress.bar = el("progress", { "aria-label": "Upload", max: 1 });
    progress.text = el("span", {});
    fill(progress, progress.bar, progress.text, el("button", { type: "button", onclick: () => sending?.abort() }, "Stop the upload"));
  }
  progress.bar.value = total ? moved / total : 1;
  progress.text.textContent = `${words.number(done)} of ${words.many(files, "file", "files")}, ${words.bytes(moved)} of ${words.bytes(total)} sent · ${what}`;
}
