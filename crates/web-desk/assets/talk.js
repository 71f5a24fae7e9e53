// The talk: what was said, what ran, and what became of the world.
import { changes } from "./changes.js";
import { at, el, fill, say } from "./dom.js";
import { followed, shared } from "./links.js";
import { answer, answered } from "./plan.js";
import { program } from "./python.js";
import * as words from "./words.js";

const CHANGES = 12;
const list = at("turns");
/** Turns get their size only when they are in sight, and folds are opened. */
const sizes = new ResizeObserver(() => {
  // The list scrolls back by itself where a turn shrinks, which no reader did.
  stay();
  frame ||= requestAnimationFrame(settle);
});
/** `follows` says whether the end is in sight, and stays so as more comes. */
let latest, follows = true, reached = 0, frame = 0;

const isAtEnd = () => list.scrollHeight - list.scrollTop - list.clientHeight < 80;

/** Keeps the end in sight for whoever has it in sight, and offers the others the way to it. */
function settle() {
  frame = 0;
  // What is not shown has no size.
  if (!list.clientHeight) return;
  follows ||= isAtEnd();
  // The list has another height without the button.
  at("latest").hidden = follows;
  stay();
}

function stay() {
  if (follows) list.scrollTop = list.scrollHeight;
  reached = list.scrollTop;
}

/** Builds the part of the page. */
export function build() {
  at("latest").addEventListener("click", () => { follows = true; settle(); });
  list.addEventListener("scroll", () => {
    follows = isAtEnd() || (follows && list.scrollTop >= reached);
    reached = list.scrollTop;
    at("latest").hidden = follows;
  }, { passive: true });
  // What somebody opens stays where it is.
  list.addEventListener("click", (event) => { if (event.target.closest("summary")) follows = false; });
  forget();
}

export function forget() {
  fill(list);
  latest = el("div.turn.live", {});
  follows = true;
  sizes.disconnect();
  sizes.observe(list);
}

/** Draws what is new. */
export function draw(state) {
  const had = list.childElementCount - (latest.isConnected ? 1 : 0);
  state.items.forEach((item, index) => {
    if (item.seen) return;
    item.seen = true;
    const node = ended(item);
    sizes.observe(node, { box: "border-box" });
    if (index < had) list.children[index].replaceWith(node);
    else if (latest.isConnected) latest.before(node);
    else list.append(node);
  });
  if (state.live) {
    going(state.live);
    if (!latest.isConnected) list.append(latest);
  } else latest.remove();
  list.setAttribute("aria-busy", String(Boolean(state.live)));
  if (!state.items.length && !state.live) {
    if (!list.querySelector(".welcome")) list.append(welcome(state));
  } else list.querySelector(".welcome")?.remove();
  settle();
}

function welcome(state) {
  return el("div.welcome", {},
    el("p.big", {}, "Say what should be done."),
    el("p", {}, "The agent writes a program and runs it on a draft of ", el("bdi", {}, state.world || "the world"), ". You see every change before it is made, and what an undo can take back."));
}

const user = (text) => el("p.user", {}, el("span.quiet", {}, "You: "), text);

function going(live) {
  // Redrawn only where it grows: a fold that the reader opened stays open.
  if (latest.dataset.turn !== String(live.turn) || !latest.firstChild) {
    latest.dataset.turn = live.turn;
    latest.parts = {
      code: el("pre.program.raw", { tabIndex: 0, role: "region", "aria-label": "Program, while it is written" }),
      count: el("summary", {}, ""), reply: el("p.agent", {}), phase: el("p.phase", {}), notes: el("div", {}),
    };
    const { code, count, reply, phase, notes } = latest.parts;
    latest.parts.fold = el("details", {}, count, code);
    fill(latest, user(live.user), latest.parts.fold, reply, notes, phase);
  }
  const { fold, code, count, reply, phase, notes } = latest.parts;
  fold.hidden = !live.program;
  const length = live.program.length;
  if (fold.open || length < 4000) code.textContent = live.program;
  count.textContent = `Program: ${words.many(length, "character", "characters")}`;
  reply.textContent = live.reply.replace(/^\s*<turn>\s*(Agent:\s*)?/, "").replace(/<\/turn>\s*$/, "");
  reply.hidden = !live.reply;
  phase.textContent = live.phase;
  if (notes.childElementCount !== live.notes.length + live.links.length) fill(notes, live.notes.map((it) => el("p.note", {}, it)), live.links.map(shared));
}

function ended(item) {
  if (item.note !== undefined) {
    return el(`p.note${item.kind ? `.${item.kind}` : ""}`, {}, item.note);
  }
  if (item.link) return shared(item.link);
  if (item.undone) {
    const { said, unasked, changes, how, made, of } = item.undone;
    const text = unasked ? `Undone: ${words.totals(unasked)}.` : said || (how === "partly" ? `Only ${made} of ${words.many(of, "write was", "writes were")} made.` : "");
    say(text);
    return el("div.turn", {}, el("p.note", {}, "Undo · ", text), changes?.length > 0 && difference(changes));
  }
  const { turn } = item;
  return el(
    `div.turn${item.takenBack ? ".taken" : ""}`, {},
    user(turn.user), item.takenBack && el("p.note", {}, "Taken back."),
    item.notes.map((it) => el("p.note", {}, it)),
    turn.goals.map((goal) => ran(goal, turn)),
    turn.runs.filter((run) => run.output && turn.goals.every((goal) => goal.uid !== run.uid)).map((run) => el("pre.output", {}, run.output)),
    turn.changes.length > 0 && difference(turn.changes),
    item.links.map(shared),
    end(item),
    turn.proposed && proposed(turn.proposed),
    (turn.notes ?? []).map((note) => el("p.note", {}, note)),
  );
}

function ran(goal, turn) {
  const run = turn.runs.find((it) => it.uid === goal.uid);
  const took = run && ` · ${(run.elapsed_us / 1e6).toFixed(run.elapsed_us < 1e6 ? 2 : 1)} s`;
  const word = goal.outcome ? (goal.outcome.error ? "failed" : "ran") : { drafting: "is a draft", abandoned: "is given up", final: "has not run" }[goal.status];
  const text = goal.outcome ? words.outcome(goal.outcome) : "";
  const unasked = turn.unasked.filter((plan) => plan.origin.program?.uid === goal.uid);
  return el("div.ran", {},
    el("details", {}, el("summary", {}, `Goal ${goal.uid} ${word}${took ?? ""}`), program(goal.program), run?.output && el("pre.output", {}, run.output), run && el("p.calls", {}, words.calls(run.calls))),
    text && el(`p.outcome${goal.outcome.error ? ".bad" : ""}`, {}, el("code", {}, text.length > 2000 ? `${text.slice(0, 2000)} …` : text)),
    unasked.map((plan) => el("p.note", {}, `${plan.by === "words" ? "Changed as you said yes to" : "Changed without a question, as the policy allows"}: ${plan.card.sum}`)),
  );
}

/** What a plain yes agrees to. Its buttons say the words, and go with the next turn. */
function proposed(plan) {
  const card = el("section.card.proposed", { tabIndex: -1, "aria-label": `Plan ${plan.plan}` },
    el("p.asks", {}, "If you say yes, this is done", el("span.number", {}, ` · plan ${plan.plan}`)),
    el("p.sum", {}, plan.card.sum),
    el("div.scroll", { tabIndex: 0, role: "region", "aria-label": `What plan ${plan.plan} would change` }, changes(plan, [])));
  return answered(card, [answer("apply", "y", "Yes", "say", { text: "yes" }), answer("decline", "n", "No", "say", { text: "no" })]);
}

/** The difference of the world, a line per thing. */
function difference(changes) {
  const row = (it) => el(`li.${it.kind}`, {}, it.line);
  const [head, rest] = [changes.slice(0, CHANGES), changes.slice(CHANGES)];
  const fold = el("details", {}, el("summary", {}, words.many(rest.length, "more change", "more changes")));
  fold.addEventListener("toggle", () => { if (fold.childElementCount === 1) fold.append(el("ul", {}, rest.map(row))); });
  return el("div.difference", {}, el("p.label", {}, `The world: ${words.many(changes.length, "change", "changes")}`), el("ul", {}, head.map(row)), rest.length > 0 && fold);
}

function end({ turn, known }) {
  const { replied, stopped } = turn.end;
  if (stopped) {
    say(words.stopped(stopped));
    return el("p.note", {}, words.stopped(stopped));
  }
  say(`Agent: ${replied.text}`);
  const marks = replied.unsupported.length;
  return [
    el("p.agent", {}, el("span.quiet", {}, "Agent: "), marked(replied, known)),
    marks > 0 && el("ul.doubts", {}, replied.unsupported.map((claim) => el("li.note", {}, `“${claim.text}”: ${words.reason(claim)}`))),
    replied.failure && !replied.text.includes(replied.failure) && el("p.note", {}, `(In plain words, because ${replied.failure}.)`),
    replied.ends_dialogue && el("p.note", {}, "(The dialogue is over. Whatever you say goes on with it.)"),
  ];
}

/** The reply with the claims that nothing supports, whose ranges are in bytes, and with its links. */
function marked({ text, unsupported }, links) {
  const coded = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(coded.slice(from, to));
  const nodes = [];
  let from = 0;
  for (const claim of [...unsupported].sort((a, b) => a.range.start - b.range.start)) {
    const { range } = claim;
    if (range.start < from) continue;
    nodes.push(followed(part(from, range.start), links), el("mark", { title: words.reason(claim) }, part(range.start, range.end)));
    from = range.end;
  }
  nodes.push(followed(part(from), links));
  return nodes;
}
