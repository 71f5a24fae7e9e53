// The sessions.
import { at, el, fill, warn } from "./dom.js";
import { ask, order } from "./net.js";
import * as words from "./words.js";

let asked = 0;

/** Reads the list again. */
export async function draw(state) {
  const mine = ++asked;
  try {
    const sessions = await ask("sessions");
    if (mine !== asked) return;
    fill(at("session-list"), sessions.map((it) => item(it, state)));
  } catch (error) {
    warn(`The sessions cannot be read: ${error.message}`);
  }
}

function item(it, state) {
  const current = it.session === state.session;
  const button = el("button.session", { type: "button", disabled: Boolean(it.closed), "aria-current": current && "true", title: it.closed, onclick: () => !current && order("open", { open: it.session }) },
    el("bdi.name", {}, it.session),
    el("span.last", {}, it.closed ?? (it.said || "nothing said yet")),
    el("span.when", {}, `${words.many(it.turns, "turn", "turns")} · ${words.time(it.at)}`));
  return el("li", {}, button);
}
