// Puts the page together.
import { at, el, warn, markCurrent } from "./dom.js";
import { command, follow, order, shows } from "./net.js";
import { hear, isBusy, nothing } from "./state.js";
import { chosenBy } from "./look.js";
import * as forms from "./forms.js";
import * as plan from "./plan.js";
import * as policy from "./policy.js";
import * as sessions from "./sessions.js";
import * as stack from "./stack.js";
import * as talk from "./talk.js";
import * as world from "./world.js";

const state = nothing();
const field = at("say");
let frame = 0, drawn = { turns: -1, opening: undefined, policies: 0, changes: 0 };

function soon() {
  frame ||= requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  // No session is open yet.
  if (!state.opening) return;
  if (drawn.opening !== state.opening) {
    const isFirst = drawn.opening === undefined;
    drawn = { turns: -1, opening: state.opening, policies: 0, changes: 0 };
    talk.forget();
    stack.forget();
    shows(state.session);
    world.changed(true);
    // What was typed while the page was loaded stays.
    if (!isFirst || !field.value) field.value = sessionStorage.getItem(`say ${state.session}`) ?? "";
    grow();
    document.title = `${state.session} · dialog2api`;
    at("where").replaceChildren(el("bdi", {}, state.session), " · ", el("bdi", {}, state.world), " · ", el("bdi", {}, state.model));
  }
  talk.draw(state);
  stack.draw(state);
  plan.draw(state);
  const busy = isBusy(state);
  at("send").hidden = busy;
  at("stop").hidden = !busy;
  at("new").disabled = busy;
  if (drawn.turns !== state.items.length) {
    drawn.turns = state.items.length;
    sessions.draw(state);
    forms.draw();
  }
  if (drawn.changes !== state.changes) {
    drawn.changes = state.changes;
    world.changed(false);
  }
  if (drawn.policies !== state.policies) {
    drawn.policies = state.policies;
    if (view() === "policy") policy.draw();
  }
  if (view() === "world") world.seen();
  if (state.closed) at("line").textContent = "The session is closed.";
}

const view = () => document.body.dataset.view;

function show(part) {
  document.body.dataset.view = part;
  markCurrent(at("parts"), part);
  if (part === "policy") policy.draw();
  if (part === "world") world.seen();
  if (part === "talk") { grow(); soon(); }
}

function grow() {
  field.style.height = "auto";
  // What is not shown has no height. The border is no part of what scrolls.
  if (field.scrollHeight) field.style.height = `${Math.min(field.scrollHeight + field.offsetHeight - field.clientHeight, 200)}px`;
}

/** To what waits for the user. */
function toCard() {
  const card = document.querySelector("#plan article");
  if (isNarrow() && card) show("stack");
  (card ?? document.querySelector("#turns > :last-child .proposed"))?.focus();
}

async function send() {
  const text = field.value.trim();
  if (!text || !state.session || isBusy(state)) return;
  at("send").disabled = true;
  const begun = await command("say", { text });
  at("send").disabled = false;
  if (!begun.ok) return warn(begun.why);
  field.value = "";
  sessionStorage.removeItem(`say ${state.session}`);
  grow();
}

const isNarrow = () => matchMedia("(max-width: 899px)").matches;
at("composer").addEventListener("submit", (event) => { event.preventDefault(); send(); });
field.addEventListener("input", () => { grow(); sessionStorage.setItem(`say ${state.session}`, field.value); });
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
  if (event.key === "Escape" && isBusy(state)) order("cancel");
  if (event.key === "ArrowUp" && !field.value) {
    const last = state.items.findLast((item) => item.turn);
    if (last) { event.preventDefault(); field.value = last.turn.user; grow(); }
  }
});
addEventListener("resize", grow);
at("stop").addEventListener("click", () => order("cancel"));
at("new").addEventListener("click", () => order("open", { open: null }));
at("to-card").addEventListener("click", toCard);
at("keys").addEventListener("click", () => at("help").showModal());
at("parts").addEventListener("click", (event) => { const part = event.target.closest("button")?.dataset.part; if (part) show(part); });
document.body.addEventListener("waits", () => { if (isNarrow()) show("stack"); });
document.body.addEventListener("propose", async ({ detail }) => {
  // The turn of the declined plan has to end first.
  for (let tries = 0; isBusy(state) && tries < 600; tries += 1) await new Promise((done) => { setTimeout(done, 100); });
  order("propose", detail);
});
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest?.("input, textarea, dialog");
  const part = event.altKey && { 1: "talk", 2: "world", 3: "policy", 4: "forms" }[event.key];
  if (part && !document.querySelector(`[data-part=${part}]`).hidden) { event.preventDefault(); show(part); if (part === "talk") field.focus(); }
  else if (event.altKey && event.key.toLowerCase() === "p") { event.preventDefault(); toCard(); }
  else if (!writes && event.key === "/") { event.preventDefault(); show("world"); world.focusFind(); }
  else if (!writes && event.key === "?") at("help").showModal();
});

chosenBy(at("look"));
talk.build();
world.build(() => !isBusy(state));
show("talk");
follow((event) => {
  hear(state, event);
  if (event.event !== "beat") soon();
}, (how, why) => {
  at("line").textContent = how === "open" ? "connected" : why;
  at("line").dataset.how = how;
});
if (!isNarrow()) field.focus();
