// A browser of the world. Whatever changes it becomes a plan.
import * as deeds from "./deeds.js";
import { at, el, fill, line, warn } from "./dom.js";
import { list } from "./list.js";
import { ask, order } from "./net.js";
import { preview } from "./preview.js";
import * as uploads from "./uploads.js";
import * as words from "./words.js";

let reading, more, pages = 0, lookedAt = 0, here = { path: "", find: "" }, idle = () => true, isOld = true, room;

const path = el("input", { id: "path", type: "text", spellcheck: "false", autocomplete: "off", placeholder: "the top" });
const find = el("input", { id: "find", type: "search", spellcheck: "false", autocomplete: "off", placeholder: "part of a name, *.csv, type:image, >1 MiB" });
const gone = el("input", { id: "gone", type: "checkbox", onchange: () => go(here.path, here.find) });
const ofGone = el("label.gone", { for: "gone", hidden: true }, gone, "Deleted things");
const way = el("nav.way", { "aria-label": "The way to this folder" });
const told = el("p.told", { role: "status" });
const next = el("button", { type: "button", onclick: () => read(1) }, "Next 1,000");
const all = el("button", { type: "button", onclick: () => read(Infinity) }, "Read all");
const stop = el("button", { type: "button", onclick: () => reading?.abort() }, "Stop");
const again = el("button.again", { type: "button", onclick: () => go(here.path, here.find) }, "Read again");
const remove = el("button.decline", { type: "button", onclick: () => order("delete", { paths: [...rows.marked].map((it) => it.path) }) });
const move = el("button", { type: "button", onclick: () => deeds.move([...rows.marked], here.path) });
const share = el("button", { type: "button", onclick: () => deeds.share([...rows.marked][0]) }, "Share …");
const make = el("button", { type: "button", hidden: true });
const file = el("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to upload" });
const folder = el("input", { type: "file", webkitdirectory: true, hidden: true, "aria-label": "A folder to upload" });
const bring = el("button", { type: "button", hidden: true, onclick: () => file.click() }, "Upload …");
const bringFolder = el("button", { type: "button", hidden: true, onclick: () => folder.click() }, "Upload a folder …");
const pane = el("section.preview", { hidden: true, "aria-label": "Preview" });
const rows = list({
  label: "What lies here",
  row: (it) => [
    el("bdi.name", {}, it.folder ? `${line(it.name).replace(/\/$/, "")}/` : line(it.name)),
    el("span.size", {}, it.size === undefined ? "" : words.bytes(it.size)),
    el("span.when", {}, it.modified ? words.time(it.modified) : ""),
  ],
  open: (it) => {
    if (it.folder) go(it.path, "");
    else { pane.hidden = false; preview(pane, it, () => { pane.hidden = true; rows.node.focus(); }); }
  },
  marks: () => buttons(),
});

function buttons() {
  const marked = [...rows.marked];
  next.hidden = all.hidden = !more || Boolean(reading);
  stop.hidden = !reading;
  remove.hidden = !marked.length || marked.some((it) => !it.can_delete);
  move.hidden = !marked.length || marked.some((it) => !it.can_move);
  move.textContent = marked.length === 1 ? "Rename …" : `Move ${words.number(marked.length)} …`;
  share.hidden = marked.length !== 1 || !marked[0].can_share;
  remove.textContent = `Delete ${words.number(marked.length)} …`;
}

/** Goes to a path, and finds in it. */
export async function go(to, part) {
  reading?.abort();
  // Each bucket keeps what was deleted in it, or does not.
  if (to.split("/", 1)[0] !== here.path.split("/", 1)[0]) gone.checked = false;
  here = { path: to, find: part };
  path.value = to;
  find.value = part;
  [more, pages, lookedAt, isOld] = [undefined, 0, 0, false];
  pane.hidden = true;
  again.classList.remove("needed");
  rows.set([]);
  await read(part ? Infinity : 1);
}

/** Reads so many pages more. A page that is being read can be stopped. */
async function read(most) {
  const mine = new AbortController();
  reading = mine;
  buttons();
  try {
    for (let count = 0; count < most && (count === 0 || more); count += 1) {
      const page = await ask("browse", { path: here.path, after: more, find: here.find || undefined, deleted: gone.checked || undefined }, mine.signal);
      if (mine.signal.aborted) break;
      more = page.more ?? undefined;
      pages += 1;
      lookedAt += page.looked_at;
      rows.more(page.entries);
      fill(way, el("button", { type: "button", onclick: () => go("", "") }, "top"), page.way.map((it) => [" / ", el("button", { type: "button", onclick: () => go(it.path, "") }, line(it.name))]));
      room = page.room;
      bring.hidden = bringFolder.hidden = !room;
      ofGone.hidden = !page.keeps_deleted && !gone.checked;
      make.hidden = !page.makes;
      make.textContent = `New ${page.makes} …`;
      make.onclick = () => deeds.make(page.makes);
      tell();
    }
  } catch (error) {
    if (error.name !== "AbortError") fill(told, el("span.bad", {}, error.message));
  }
  if (reading === mine) {
    const stopped = mine.signal.aborted;
    reading = undefined;
    buttons();
    if (pages) tell(stopped);
  }
}

function tell(stopped = false) {
  const what = here.find ? `${words.number(rows.length)} found` : words.many(rows.length, "entry", "entries");
  const read = `${words.many(pages, "page", "pages")} read so far`;
  const end = more ? (reading ? "reading on" : stopped ? "stopped; there is more" : "there is more") : "that is all";
  told.textContent = `${what} · ${read}, ${words.number(lookedAt)} looked at · ${end}`;
}

/** Builds the part of the page. `isIdle` tells whether a turn may begin. */
export function build(isIdle) {
  idle = isIdle;
  const form = el("form.places", {}, el("label", { for: "path" }, "Path"), path, again, el("label", { for: "find" }, "Find"), find, el("button", { type: "submit" }, "Go"));
  form.addEventListener("submit", (event) => { event.preventDefault(); go(path.value.trim(), find.value.trim()); });
  const pile = el("div.pile", {}, rows.node, pane);
  at("world").append(form, way, el("div.tools", {}, told, ofGone, next, all, stop, make, move, share, remove, bring, bringFolder, file, folder), uploads.progress, pile);
  for (const field of [file, folder]) {
    field.addEventListener("change", () => { uploads.bring(uploads.chosen(field), here.path, room, idle); field.value = ""; });
  }
  const drop = at("world");
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const to = here.path;
    if (!room) { warn("Files cannot be written here. Open a folder first."); return; }
    try {
      await uploads.bring(await uploads.dropped(event.dataTransfer), to, room, idle);
    } catch (error) {
      warn(`Nothing was uploaded. The folder cannot be read: ${error.message}`);
    }
  });
  buttons();
}

/** The world was changed, or is another. */
export function changed(isOther) {
  if (isOther) { here = { path: "", find: "" }; isOld = true; }
  else if (pages <= 1 && !reading) isOld = true;
  else again.classList.add("needed");
}

/** The part comes into sight. */
export function seen() {
  if (isOld) go(here.path, here.find);
}

export const focusFind = () => find.focus();
