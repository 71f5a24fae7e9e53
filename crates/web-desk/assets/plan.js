// What waits for the user: a plan, a costly program, or an apply that was cut off.
import { changes } from "./changes.js";
import { at, el, fill, say, warn } from "./dom.js";
import { canExport, command, exportPlan } from "./net.js";
import { program } from "./python.js";
import * as words from "./words.js";

// What was pressed before the card could be read is no answer.
const UNREAD = 600;
let shown = "";

/** Draws what waits, if it is another than before. */
export function draw(state) {
  const what = state.plan ? `plan ${state.plan.plan}` : state.costly ? `cost ${state.items.length} ${state.costly.uid}` : state.cutOff ? "cut off" : "";
  const now = what && `${state.session} ${what}`;
  at("badge").hidden = at("to-card").hidden = !now;
  if (now === shown) return;
  shown = now;
  const word = state.plan ? "plan" : "question";
  at("badge").textContent = ` · ${word} waits`;
  at("to-card").textContent = `To the ${word} that waits`;
  const card = state.plan ? plan(state) : state.costly ? costly(state.costly) : state.cutOff ? cutOff(state.cutOff) : undefined;
  fill(at("plan"), card);
  if (!card) return;
  // The focus stays where it is: a letter of a sentence that somebody writes is no answer.
  document.body.dispatchEvent(new CustomEvent("waits"));
}

function card(title, inside, buttons) {
  const head = el("h2", { id: "plan-head" }, title);
  const node = el("article.card", { tabIndex: -1, "aria-labelledby": "plan-head" }, head, inside);
  return answered(node, buttons);
}

/** Ends a card with its answers, each of which has a key. */
export function answered(node, buttons) {
  const keys = buttons.map((it) => `${it.dataset.key.toUpperCase()} (${it.textContent})`);
  node.append(el("div.answers", {}, buttons, el("span.hint", {}, `Alt+P, then ${keys.join(" or ")}`)));
  for (const button of buttons) button.disabled = true;
  setTimeout(() => { for (const button of buttons) button.disabled = false; }, UNREAD);
  node.addEventListener("keydown", (event) => {
    const writes = event.target.closest("textarea, input");
    if (writes || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const button = buttons.find((it) => it.dataset.key === event.key.toLowerCase());
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  });
  return node;
}

/** A button that answers once. */
export function answer(kind, key, label, name, what) {
  const button = el(`button.${kind}`, { type: "button", "data-key": key, "aria-keyshortcuts": key.toUpperCase() }, label);
  button.addEventListener("click", async () => {
    const all = button.parentElement.querySelectorAll("button");
    for (const it of all) it.disabled = true;
    const begun = await command(name, what);
    if (begun.ok) return;
    warn(begun.why);
    // One that has gone is answered; anything else may be tried again.
    if (begun.status !== 409) for (const it of all) it.disabled = false;
  });
  return button;
}

/** Who asks, and what would change. `cannot` has the places that no undo brings back, beside those of the
 * plan, and `more` follows what would change. */
function proposed(plan, about, cannot, ...more) {
  return [
    el("p.asks", {}, plan.card.asks, about, el("span.number", {}, ` · plan ${plan.plan}`)),
    el("p.sum", {}, plan.card.sum),
    el("div.scroll", { tabIndex: 0, role: "region", "aria-label": "What would change" }, changes(plan, cannot), more),
  ];
}

function plan(state) {
  const { plan, live, goals } = state;
  say(`A plan waits. ${plan.card.asks}: ${plan.card.sum}`);
  const code = plan.origin.program && goals.get(plan.origin.program.uid)?.program;
  const inside = proposed(plan, live && [", for “", el("bdi", {}, shortened(live.user)), "”"], state.cannot,
    canExport() && plan.origin.program && exported(plan),
    code && el("details", { open: true }, el("summary", {}, `Program of goal ${plan.origin.program.uid}`), program(code), edit(plan, code)));
  return card("Do it?", inside, [
    answer("apply", "a", "Apply", "decide", { plan: plan.plan, apply: true }),
    answer("decline", "d", "Decline", "decide", { plan: plan.plan, apply: false }),
  ]);
}

/** What is too much for one machine is carried out by somebody else. */
function exported({ plan }) {
  const button = el("button.export", { type: "button", onclick: () => exportPlan(plan) }, "Export");
  return el("p.row", {}, button, el("span.hint", {}, "saves it as jobs of S3 Batch Operations and scripts; nothing is done by that"));
}

const shortened = (text) => (text.length > 160 ? `${text.slice(0, 160)} …` : text);

/** An edited plan is a new plan: the old one is declined, and the program runs as a new turn. */
function edit(plan, code) {
  const field = el("textarea.edit", { "aria-label": "The program, to be changed", spellcheck: "false", rows: "8", hidden: true });
  field.value = code.trim();
  // What applies is the program that was planned, not the one that is being written.
  field.addEventListener("input", () => { field.closest("article").querySelector(".apply").disabled = field.value.trim() !== code.trim(); });
  const button = el("button", { type: "button" }, "Edit");
  button.addEventListener("click", async () => {
    if (field.hidden) {
      field.hidden = false;
      button.textContent = "Decline, and plan this one";
      field.focus();
      return;
    }
    button.disabled = true;
    const declined = await command("decide", { plan: plan.plan, apply: false });
    if (!declined.ok) { warn(declined.why); return; }
    document.body.dispatchEvent(new CustomEvent("propose", { detail: { text: "Run the program as I changed it", program: field.value } }));
  });
  return el("div", {}, field, button);
}

function costly({ uid, costly }) {
  const inside = [
    el("p.sum", {}, `The program of goal ${uid} costs time and money.`),
    el("p", {}, `It has ${words.spent(costly.spent)}, and would go on with `, el("code", {}, costly.operation), costly.place && [" on ", el("bdi", {}, words.place(costly.place))], "."),
    el("p", {}, "How much is still to come is not known. If it goes on, it begins again."),
  ];
  say("A costly program waits.");
  return card("Go on?", inside, [
    answer("apply", "a", "Go on", "cost", { go_on: true }),
    answer("decline", "d", "End it", "cost", { go_on: false }),
  ]);
}

/** What is done of it is counted, and what is left is a plan like any other. */
function cutOff({ made, of, done, left }) {
  say(`An apply was cut off. ${left.card.asks}: ${left.card.sum}`);
  const inside = [
    el("p", {}, `An apply was cut off after ${words.number(made)} of ${words.many(of, "write", "writes")}. ${made ? `Done so far: ${done.card.sum}. ` : ""}Nothing else is done before this is settled.`),
    proposed(left, false, done.lasting),
  ];
  return card("Finish it?", inside, [
    answer("apply", "a", "Finish it", "settle", { finish: true }),
    answer("decline", "d", "Take it back", "settle", { finish: false }),
  ]);
}
