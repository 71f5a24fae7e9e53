// The stack: every goal with its latest program, the one touched last on top.
import { at, el, fill } from "./dom.js";
import { order } from "./net.js";
import { program } from "./python.js";
import { isBusy, standing, takeable, undoable } from "./state.js";
import * as words from "./words.js";

const drawn = new Map();
// Older ones are counted, and drawn on demand.
let room = 50;

export function draw(state) {
  const goals = [...state.goals.values()].reverse();
  const last = undoable(state);
  back(takeable(state), isBusy(state));
  const owner = state.plans.get(last)?.origin.program.uid;
  const nodes = goals.slice(0, room).map((goal) => {
    const stands = standing(state, goal);
    const undo = goal.uid === owner ? last : undefined;
    const seen = JSON.stringify([state.session, stands, undo, isBusy(state), goal.program, goal.outcome]);
    const known = drawn.get(goal.uid);
    if (known?.seen === seen) return known.node;
    const open = known?.node.querySelector("details")?.open ?? false;
    const node = item(goal, stands, undo, isBusy(state), open);
    drawn.set(goal.uid, { seen, node });
    return node;
  });
  const rest = goals.length - nodes.length;
  if (!goals.length) nodes.push(el("li.empty", {}, "Nothing yet. Programs appear here as the agent writes them."));
  if (rest > 0) nodes.push(el("li", {}, el("button", { type: "button", onclick: () => { room += 200; draw(state); } }, `Show ${words.many(rest, "older goal", "older goals")}`)));
  const list = at("goals");
  if (nodes.length !== list.children.length || nodes.some((node, index) => list.children[index] !== node)) list.replaceChildren(...nodes);
}

/** A button for what has no goal of its own in the list. */
function back(what, busy) {
  const button = at("back");
  button.hidden = !what;
  button.disabled = busy;
  button.textContent = what === "draft" ? "Take back the last turn" : "Undo the last program";
  button.onclick = () => order("undo", { undo: what });
}

function item(goal, stands, undo, busy, open) {
  const text = goal.outcome ? words.outcome(goal.outcome) : "";
  const button = undo !== undefined && el("button", { type: "button", disabled: busy, onclick: () => order("undo", { undo: { plan: undo } }) }, "Undo");
  return el(
    "li.goal", { "data-stands": stands },
    el("div.row", {}, el("strong", {}, `Goal ${goal.uid}`), el("span.stands", {}, stands), button),
    text && el(`p.outcome${goal.outcome.error ? ".bad" : ""}`, {}, goal.outcome.error ? "" : "returned ", el("code", {}, text.length > 400 ? `${text.slice(0, 400)} …` : text)),
    el("details", { open }, el("summary", {}, first(goal.program)), program(goal.program)),
  );
}

const first = (code) => code.trim().split("\n", 1)[0].slice(0, 80) || "(empty program)";
export const forget = () => { drawn.clear(); fill(at("goals")); room = 50; };
