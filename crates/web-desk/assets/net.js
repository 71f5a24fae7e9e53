// Talks to the server: commands, and one stream of events.
import { at, warn } from "./dom.js";

let key = "";
let session = "";
let exports = false;

export const shows = (name) => { session = name; };

/** Whether plans can be exported. */
export const canExport = () => exports;

/** Saves a plan as files by which somebody else carries it out. */
export async function exportPlan(plan) {
  const answer = await fetch(`/api/export?${new URLSearchParams({ session, plan })}`).catch(() => undefined);
  if (!answer?.ok) return warn(answer ? why(await answer.text()) : "The server does not answer.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `plan-${plan}.zip`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Begins: gets the key that each command needs. */
async function hello() {
  const answer = await fetch("/api/hello");
  if (!answer.ok) throw new Error(await answer.text());
  const said = await answer.json();
  key = said.key;
  // A page of a game has no such link.
  const link = at("report");
  if (link) link.hidden = !said.report;
  exports = said.export;
}

/** Sends a command. Tells whether it began; if not, why. It is never sent twice. */
export async function command(name, what = {}) {
  try {
    const headers = { "content-type": "application/json", "x-desk-key": key };
    const answer = await fetch(`/api/${name}`, { method: "POST", headers, body: JSON.stringify({ session, ...what }) });
    const text = await answer.text();
    const said = parsed(text);
    if (answer.ok) return { ok: true, said };
    return { ok: false, status: answer.status, why: why(text), state: said };
  } catch {
    return { ok: false, status: 0, why: "The server does not answer. Look whether it was done before you try again." };
  }
}

/** Sends a file, to be named by a command afterwards. `moved` hears how many bytes went, and
 * `signal` stops it. */
export function deliver(file, moved, signal) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/receive?${new URLSearchParams({ session })}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-desk-key", key);
    request.upload.addEventListener("progress", (event) => moved(event.loaded));
    request.addEventListener("load", () => {
      const text = request.responseText;
      done(request.status === 200 ? { ok: true, held: parsed(text).held } : { ok: false, why: why(text) });
    });
    // Also a file that changed or went while it was read.
    request.addEventListener("error", () => done({ ok: false, why: "The server did not take it, or it could not be read." }));
    request.addEventListener("abort", () => done({ ok: false, stopped: true }));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

/** Sends a command and shows why it was not done. */
export async function order(name, what) {
  const answer = await command(name, what);
  if (!answer.ok) warn(answer.why);
  return answer;
}

/** Reads something as JSON. */
export async function ask(name, query = {}, signal = undefined) {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const answer = await fetch(`/api/${name}?${new URLSearchParams(known)}`, { signal });
  const text = await answer.text();
  if (!answer.ok) throw new Error(why(text));
  return JSON.parse(text);
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

/** Why something was refused, by the text of the answer. */
export const why = (text) => parsed(text)?.error ?? text;

// The server says something at least every 10 seconds.
const SILENT = 25_000;

/** Follows the events, and connects again whenever the stream is lost or silent. */
export function follow(hear, tell) {
  let source, watchdog, last = "", wait = 500, heard = 0, tries = 0;
  const alive = () => {
    clearTimeout(watchdog);
    heard = Date.now();
    watchdog = setTimeout(connect, SILENT);
  };
  async function connect() {
    const mine = ++tries;
    source?.close();
    clearTimeout(watchdog);
    try {
      await hello();
    } catch (error) {
      if (mine !== tries) return;
      const refused = error instanceof TypeError ? "" : error.message;
      tell("lost", refused || "The server does not answer. Trying again.");
      wait = Math.min(wait * 2, 10_000);
      watchdog = setTimeout(connect, wait);
      return;
    }
    // Another attempt began meanwhile.
    if (mine !== tries) return;
    source = new EventSource(`/api/events?after=${encodeURIComponent(last)}`);
    alive();
    source.onopen = () => { wait = 500; tell("open"); };
    source.onmessage = (message) => {
      alive();
      // One that was seen is not shown again.
      if (message.lastEventId && message.lastEventId === last) return;
      if (message.lastEventId) last = message.lastEventId;
      hear(JSON.parse(message.data));
    };
    source.onerror = () => {
      tell("lost", "The connection is lost. Connecting again.");
      source.close();
      clearTimeout(watchdog);
      wait = Math.min(wait * 2, 10_000);
      watchdog = setTimeout(connect, wait);
    };
  }
  const back = () => {
    // After a sleep a stream may look open and be dead.
    const isDead = source?.readyState !== EventSource.OPEN || Date.now() - heard > SILENT / 2;
    if (!document.hidden && isDead) connect();
  };
  document.addEventListener("visibilitychange", back);
  addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  addEventListener("online", back);
  connect();
}
