// A browser of the world. Whatever changes it becomes a plan.
import * as deeds from "./deeds.js";
import { at, el, fill, line, warn } from "./dom.js";
import { list } from "./list.js";
import { ask, order, upload } from "./net.js";
import { preview } from "./preview.js";
import * as words from "./words.js";

let reading, more, pages = 0, lookedAt = 0, here = { path: "", find: "" }, idle = () => true, isOld = true;

const path = el("input", { id: "path", type: "text", spellcheck: "false", autocomplete: "off", placeholder: "the top" });
const find = el("input", { id: "find", type: "search", spellcheck: "false", autocomplete: "off", placeholder: "part of a name" });
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
const bring = el("button", { type: "button", onclick: () => file.click() }, "Upload …");
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
      const page = await ask("browse", { path: here.path, after: more, find: here.find || undefined }, mine.signal);
      if (mine.signal.aborted) break;
      more = page.more ?? undefined;
      pages += 1;
      lookedAt += page.looked_at;
      rows.more(page.entries);
      fill(way, el("button", { type: "button", onclick: () => go("", "") }, "top"), page.way.map((it) => [" / ", el("button", { type: "button", onclick: () => go(it.path, "") }, line(it.name))]));
      bring.hidden = !page.can_upload;
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

/** Brings files to the folder that is shown now, one after the other: each is a plan of its own. */
async function bringAll(files) {
  const to = here.path;
  for (const it of files) {
    if (!idle()) { warn(`${it.name} was not uploaded: something else is under way.`); return; }
    const begun = await upload(to, it);
    if (!begun.ok) { warn(`${it.name} was not uploaded. ${begun.why}`); return; }
    while (await new Promise((done) => { setTimeout(() => done(!idle()), 250); }));
  }
}

/** Builds the part of the page. `isIdle` tells whether a turn may begin. */
export function build(isIdle) {
  idle = isIdle;
  const form = el("form.places", {}, el("label", { for: "path" }, "Path"), path, again, el("label", { for: "find" }, "Find"), find, el("button", { type: "submit" }, "Go"));
  form.addEventListener("submit", (event) => { event.preventDefault(); go(path.value.trim(), find.value.trim()); });
  const pile = el("div.pile", {}, rows.node, pane);
  at("world").append(form, way, el("div.tools", {}, told, next, all, stop, make, move, share, remove, bring, file), pile);
  file.addEventListener("change", () => { bringAll([...file.files]); file.value = ""; });
  const drop = at("world");
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (bring.hidden) warn("Files cannot be written here. Open a folder first.");
    else bringAll([...event.dataTransfer.files]);
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
