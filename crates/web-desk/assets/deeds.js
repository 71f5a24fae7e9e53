// What the buttons of the world want. Each becomes a program whose plan is shown and decided on.
import { ask, text } from "./ask.js";
import { el, line } from "./dom.js";
import { order } from "./net.js";
import * as words from "./words.js";

const LASTS = [[900, "15 minutes"], [3600, "1 hour"], [86_400, "1 day"], [604_800, "7 days"]];

/** Asks for the name of what is made at the top: a bucket. */
export function make(what) {
  ask({
    title: `New ${what}`, yes: "Plan it", fields: [["Name", text("name", "")]],
    then: ({ name }) => order("make", { name }),
  });
}

/** Asks where things go: one gets another path, several go into a folder. */
export function move(entries, here) {
  const paths = entries.map((it) => it.path);
  const [one, ...others] = entries;
  ask({
    title: others.length ? `Move ${words.number(paths.length)} things` : `Rename or move ${line(one.name)}`,
    note: one.folder || others.length ? "All that lies in a folder goes with it, in one plan. Older versions stay where they are." : "A path that ends with / is the folder it goes into. Older versions stay where they are.",
    yes: "Plan it",
    fields: [[others.length ? "Into the folder" : "New path", text("to", others.length ? here : one.path)]],
    then: ({ to }) => order("move", { paths, to: others.length && !to.endsWith("/") ? `${to}/` : to }),
  });
}

/** Asks how long a link works. */
export function share(entry) {
  const lasts = el("select", { id: "seconds" }, LASTS.map(([seconds, name]) => el("option", { value: String(seconds), selected: seconds === 3600 }, name)));
  ask({
    title: `Share ${line(entry.name)}`,
    note: "Anybody who has the link can read what lies at this path, without signing in, until the time is over. A link cannot be taken back. To end it earlier, move or delete the thing.",
    yes: "Plan it", fields: [["It works for", lasts]],
    then: ({ seconds }) => order("share", { path: entry.path, seconds: Number(seconds) }),
  });
}
