// What a plan does, and what comes of it: the same on the page and in an agent's window.
import { el } from "./dom.js";
import { effects, lost } from "./effects.js";
import * as words from "./words.js";

/** The effects of a plan, whether an undo takes them back, and the outcome. */
export function changes(plan, cannot) {
  const step = plan.outcome.error?.error === "Unfinished";
  const result = step ? plan.outcome.error.message : words.outcome(plan.outcome);
  const calls = words.calls(plan.calls);
  const unchecked = words.unchecked(plan);
  return [
    effects(plan), lost(plan, cannot),
    plan.arguments?.length > 0 && el("pre.arguments", {}, plan.arguments.join("\n")),
    el("p.undo", {}, undoing(plan, cannot)),
    result && el(`p.result${plan.outcome.error && !step ? ".bad" : ""}`, {}, plan.outcome.error ? (step ? "" : "fails with ") : "returns ", el("code", {}, result)),
    calls && el("p.calls", {}, step ? "calls so far: " : "calls: ", calls),
    unchecked && el("p.unchecked", {}, unchecked),
  ];
}

function undoing(plan, cannot) {
  const count = plan.lasting.length + cannot.length;
  if (plan.effects.length === 0) return "";
  if (plan.effects.some(words.isCall)) return "It is not known whether an undo can take this back.";
  if (count === 0) return "An undo can take all of it back, as long as nobody changes it meanwhile.";
  if (words.lasts(plan)) return "An undo cannot take this back.";
  return `An undo cannot bring back ${words.many(count, "place", "places")}.`;
}
