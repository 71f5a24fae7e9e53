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
    // What is lost already is listed, and a sentence about the rest would deny it.
    !cannot.length && el("p.undo", {}, plan.card.undoing),
    result && el(`p.result${plan.outcome.error && !step ? ".bad" : ""}`, {}, plan.outcome.error ? (step ? "" : "fails with ") : "returns ", el("code", {}, result)),
    calls && el("p.calls", {}, step ? "calls so far: " : "calls: ", calls),
    unchecked && el("p.unchecked", {}, unchecked),
  ];
}
