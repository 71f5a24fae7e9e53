// A thing of the world: its text, its picture or its table, and its versions.
import { el, fill, line } from "./dom.js";
import * as deeds from "./deeds.js";
import { ask, order, why } from "./net.js";
import * as parquet from "./parquet.js";
import * as words from "./words.js";

const TEXT = 256 << 10;
const PICTURE = 16 << 20;
const ROWS = 200;
/** So many bytes have the schema of most Parquet files. */
const END = 64 << 10;
const COLUMNS = 40;
let address;

const link = (path, more = {}) => `/api/read?${new URLSearchParams({ path, ...more })}`;

/** Shows a thing in a pane. */
export async function preview(pane, entry, close) {
  const { path, name } = entry;
  const body = el("div.content", { tabIndex: 0, role: "region", "aria-label": "Preview" }, el("p", {}, "reading …"));
  const versions = el("button", { type: "button" }, "Versions");
  fill(pane,
    el("div.head", {}, el("h3", {}, el("bdi", {}, line(name))),
      !entry.is_deleted && el("a.button", { href: link(path), download: name }, "Download"),
      entry.has_versions && !entry.is_deleted && versions,
      entry.can_move && el("button", { type: "button", onclick: () => deeds.move([entry]) }, "Rename …"),
      entry.can_share && el("button", { type: "button", onclick: () => deeds.share(entry) }, "Share …"),
      entry.can_delete && el("button.decline", { type: "button", onclick: () => order("delete", { paths: [path] }) }, "Delete …"),
      el("button", { type: "button", "aria-label": "Close the preview", onclick: close }, "×")),
    body);
  // What was asked for last is shown, whatever comes last.
  let asked = "content";
  versions.addEventListener("click", () => { asked = "versions"; history(body, path, name); });
  // What was deleted has no content but that of its versions.
  if (entry.is_deleted) { history(body, path, name); return; }
  try {
    const { bytes, size } = await first(path, TEXT);
    if (!body.isConnected || asked !== "content") return;
    await show(body, path, bytes, size ?? entry.size ?? bytes.length, name);
  } catch (error) {
    if (asked === "content") fill(body, el("p.bad", {}, error.message));
  }
}

const first = (path, most) => part(path, { most });

async function part(path, which) {
  const answer = await fetch(link(path, which));
  if (!answer.ok) throw new Error(why(await answer.text()));
  const size = answer.headers.get("x-desk-size");
  return { bytes: new Uint8Array(await answer.arrayBuffer()), size: size === null ? undefined : Number(size) };
}

async function show(body, path, bytes, size, name) {
  if (/\.parquet$/i.test(name) && await columns(body, path, size)) return;
  const type = picture(bytes);
  if (type && size <= PICTURE) {
    const whole = bytes.length < size ? (await first(path, PICTURE)).bytes : bytes;
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([whole], { type }));
    fill(body, el("img", { src: address, alt: `The picture ${line(name)}` }));
    return;
  }
  const cut = bytes.length < size;
  const about = cut ? `The first ${words.bytes(bytes.length)} of ${words.bytes(size)}.` : words.bytes(size);
  const text = decoded(bytes, cut);
  if (text === undefined) {
    fill(body, el("p.note", {}, `${words.bytes(size)} that are neither text nor a picture that can be shown here.`));
    return;
  }
  const lines = /\.(jsonl|ndjson)$/i.test(name) && records(text, cut);
  const shown = /\.(csv|tsv)$/i.test(name) ? table(text, /\.tsv$/i.test(name) ? "\t" : ",") : lines ? recordTable(lines) : el("pre.text", {}, text);
  fill(body, el("p.note", {}, about), shown);
}

/** The columns of a Parquet file, which stand at its end; tells whether it is one. */
async function columns(body, path, size) {
  let end = await part(path, { last: END });
  const need = parquet.needed(end.bytes);
  if (need === undefined || need > Math.min(size, PICTURE)) return false;
  if (need > end.bytes.length) end = await part(path, { last: need });
  const { rows, groups, writer, columns: all } = parquet.schema(end.bytes);
  const shown = all.slice(0, ROWS);
  fill(body,
    el("p.note", {}, `${words.bytes(size)}: ${words.many(rows, "row", "rows")} in ${words.many(groups, "group", "groups")}${writer ? `, written by ${line(writer)}` : ""}.`),
    el("table", {}, el("thead", {}, el("tr", {}, ["column", "type", "values"].map((it) => el("th", { scope: "col" }, it)))),
      el("tbody", {}, shown.map((it) => el("tr", {}, el("td", {}, line(it.path)), el("td", {}, it.type), el("td", {}, it.repeated))))),
    all.length > ROWS && el("p.note", {}, `The first ${ROWS} of ${all.length} columns.`));
  return true;
}

/** The type of a picture by its first bytes; drawings that can hold scripts are none. */
function picture(bytes) {
  const begins = (...start) => start.every((it, index) => bytes[index] === it);
  if (begins(0x89, 0x50, 0x4e, 0x47)) return "image/png";
  if (begins(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0x47, 0x49, 0x46, 0x38)) return "image/gif";
  if (begins(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57 && bytes[9] === 0x45) return "image/webp";
  return undefined;
}

function decoded(bytes, cut) {
  if (bytes.includes(0)) return undefined;
  try {
    // The cut may go through a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}

/** The fields of a table, as RFC 4180 has them. */
function fields(text, mark) {
  const rows = [[]];
  let field = "", quoted = false;
  for (let index = 0; index < text.length && rows.length <= ROWS + 1; index += 1) {
    const it = text[index];
    if (quoted) {
      if (it !== '"') field += it;
      else if (text[index + 1] === '"') { field += '"'; index += 1; }
      else quoted = false;
    } else if (it === '"' && field === "") quoted = true;
    else if (it === mark) { rows.at(-1).push(field); field = ""; }
    else if (it === "\n") { rows.at(-1).push(field.replace(/\r$/, "")); field = ""; rows.push([]); }
    else field += it;
  }
  if (field || rows.at(-1).length) rows.at(-1).push(field);
  return rows.filter((row) => row.length);
}

function table(text, mark) {
  const rows = fields(text, mark);
  const [head, ...rest] = rows.slice(0, ROWS);
  return [
    el("table", {}, el("thead", {}, el("tr", {}, (head ?? []).map((it) => el("th", { scope: "col" }, it)))), el("tbody", {}, rest.map((row) => el("tr", {}, row.map((it) => el("td", {}, it)))))),
    rows.length > ROWS && el("p.note", {}, `The first ${ROWS} lines. The download has all.`),
  ];
}

/** The objects of a text of JSON lines, without a last line that was cut; `undefined` where a line is
 * another thing. */
function records(text, cut) {
  const lines = text.split("\n").map((it) => it.trim());
  if (cut) lines.pop();
  const found = [];
  for (const it of lines) {
    if (!it) continue;
    try { found.push(JSON.parse(it)); } catch { return undefined; }
    const last = found.at(-1);
    if (last === null || typeof last !== "object" || Array.isArray(last)) return undefined;
    if (found.length > ROWS) break;
  }
  return found.length ? found : undefined;
}

/** A column for each field, in the order in which they first come. */
function recordTable(all) {
  const shown = all.slice(0, ROWS);
  const names = [...new Set(shown.flatMap((it) => Object.keys(it)))];
  const columns = names.slice(0, COLUMNS);
  const cell = (it) => (it === undefined ? "" : typeof it === "string" ? it : JSON.stringify(it));
  return [
    el("table", {}, el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, shown.map((it) => el("tr", {}, columns.map((name) => el("td", {}, cell(Object.hasOwn(it, name) ? it[name] : undefined))))))),
    all.length > ROWS && el("p.note", {}, `The first ${ROWS} lines. The download has all.`),
    names.length > COLUMNS && el("p.note", {}, `${words.many(names.length - COLUMNS, "more field is", "more fields are")} not shown. The download has all.`),
  ];
}

async function history(body, path, name) {
  try {
    const all = await ask("versions", { path });
    fill(body, el("ul.versions", {}, all.map((it) => el("li", {},
      el("span", {}, words.time(it.modified)), el("span.size", {}, it.size === null ? "deleted" : words.bytes(it.size)),
      el("code", {}, line(it.version)), it.current && el("strong", {}, "current"),
      it.size !== null && el("a.button", { href: link(path, { version: it.version }), download: name }, "Download"),
      !it.current && it.size !== null && el("button", { type: "button", onclick: () => order("restore", { path, version: it.version }) }, "Restore …"),
      el("button.decline", { type: "button", onclick: () => order("delete", { paths: [path], version: it.version }) }, "Delete …")))));
  } catch (error) {
    fill(body, el("p.bad", {}, error.message));
  }
}
