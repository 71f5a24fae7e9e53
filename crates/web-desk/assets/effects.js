// The effects of a plan, one per line with its consequence, the gravest first.
import { el, fill } from "./dom.js";
import * as words from "./words.js";

// What is shown at first, and with each press of the button. The rest is counted.
const FIRST = 120;
const NEXT = 500;
const SIGNS = [["!", "shared"], ["-", "deleted"], ["~", "changed"], [">", "called"], ["+", "made"]];

/** Every effect of a plan, as lines that can be filtered by their sign. */
export function effects(plan) {
  const lasting = new Map(plan.lasting.map(([place, because]) => [JSON.stringify(place), because]));
  const all = [...plan.effects].sort((a, b) => words.gravity(a) - words.gravity(b));
  const list = el("ul.effects", {});
  const more = el("p.more", {});
  const filters = el("p.filters", { role: "group", "aria-label": "Which effects are shown" });
  const draw = (only, room) => {
    const chosen = only ? all.filter((it) => words.sign(it)[0] === only) : all;
    fill(list, chosen.slice(0, room).map((it) => row(it, lasting.get(JSON.stringify(it.place)))));
    const rest = chosen.slice(room);
    fill(more, rest.length > 0 && [
      el("span", {}, `${words.many(rest.length, "more is", "more are")} not shown: ${counts(rest).map(([sign, word, count]) => `${sign} ${words.number(count)} ${word}`).join(", ")}. `),
      el("button", { type: "button", onclick: () => draw(only, room + NEXT) }, `Show ${words.number(Math.min(NEXT, rest.length))} more`),
    ]);
    for (const button of filters.children) button.setAttribute("aria-pressed", String(button.dataset.only === (only ?? "")));
  };
  const kinds = counts(all);
  if (kinds.length > 1) {
    const chip = (only, label) => el("button.chip", { type: "button", "data-only": only ?? "", onclick: () => draw(only, FIRST) }, label);
    fill(filters, chip(undefined, `All ${words.number(all.length)}`), kinds.map(([sign, word, count]) => chip(sign, `${sign} ${words.number(count)} ${word}`)));
  }
  draw(undefined, FIRST);
  return [digest(plan), kinds.length > 1 && filters, list, more];
}

/** What people read of a plan that is too long for them; its lines follow. */
function digest(plan) {
  const it = plan.digest;
  if (!it) return false;
  const line = (name, totals) => el("li", {}, el("bdi", {}, name), ` ${words.totals(totals, plan.words)}`);
  const [others, rest] = it.others;
  return el(
    "section.digest", {},
    el("ul.folders", {}, it.folders.map(([name, totals]) => line(name, totals)), others > 0 && line(`… and ${words.many(others, "other folder", "other folders")}`, rest)),
    it.largest.length > 0 && [el("p", {}, "The largest:"), el("ul.effects", {}, it.largest.map((effect) => row(effect)))],
    it.file && el("p.file", {}, `All ${words.number(plan.effects.length)} lines are in the file `, el("code", {}, it.file)),
  );
}

function counts(list) {
  const found = SIGNS.map(([sign, word]) => [sign, word, list.filter((it) => words.sign(it)[0] === sign).length]);
  return found.filter(([, , count]) => count > 0);
}

function row(effect, because) {
  const [sign, word] = words.sign(effect);
  const grave = words.consequences(effect);
  return el(
    `li.effect.grave-${words.gravity(effect)}`, {},
    el("span.sign", { "aria-hidden": "true" }, sign), el("span.quiet", {}, word),
    el("bdi.place", {}, words.place(effect.place)),
    el("span.size", {}, words.size(effect)),
    effect.copied_from && el("span.from", {}, "copied from ", el("bdi", {}, words.place(effect.copied_from))),
    grave.map((it) => el("span.warning", {}, it)),
    effect.back && el(`span.${because ? "warning" : "back"}`, {}, because ? `${effect.back}, because ${because}` : effect.back),
    effect.lines?.length > 0 && el("pre.lines", {}, effect.lines.join("\n")),
  );
}

/** The places that an undo cannot bring back and that are not among the effects. */
export function lost(plan, cannot) {
  const shown = new Set(plan.effects.map((it) => JSON.stringify(it.place)));
  const others = [...cannot, ...plan.lasting].filter(([place]) => !shown.has(JSON.stringify(place)));
  if (!others.length) return undefined;
  const lines = others.slice(0, FIRST).map(([place, because]) => el("li", {}, el("bdi", {}, words.place(place)), ` does not come back, because ${because}`));
  const rest = others.length - lines.length;
  return el("ul.lost", {}, lines, rest > 0 && el("li", {}, `nor do ${words.number(rest)} more`));
}
