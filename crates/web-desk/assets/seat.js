// The page of one seat of a game. It draws what it is told and knows no rule.
import { at, el, fill, line, say, warn, markCurrent } from "./dom.js";
import { command, follow, shows } from "./net.js";
import { chosenBy } from "./look.js";
import * as board from "./board.js";

const nothing = () => ({ may: [], rooms: [], must_answer: false, picks: null, mine: false, end: null });
let opening, stands = nothing(), isBroken = false;

async function act(what) {
  const answer = await command("act", { what });
  if (!answer.ok) warn(answer.state?.code ? `${answer.why} (${answer.state.code})` : answer.why);
  return answer;
}

function opened(event) {
  opening = event;
  stands = nothing();
  isBroken = false;
  shows(event.session);
  at("entries").replaceChildren();
  at("end").hidden = true;
  const { game, seat, others } = event;
  document.title = `${line(game)} · dialog2api`;
  fill(at("game"), line(game));
  fill(at("where"), "you are ", el("b", {}, line(seat)), others.length ? ` · with ${others.map(line).join(", ")}` : "");
  at("suggest").hidden = !event.suggests;
  fill(at("to"), Array.from({ length: event.rooms }, (_, room) => el("option", { value: String(room) }, line(others[room] ?? room))));
  at("to-label").hidden = !event.rooms;
  board.build(event.board, act, changed);
  changed();
}

const VERBS = { propose: "proposes", accept: "accepts", reject: "rejects", tool: "looks up" };

function entry({ from, move, text }) {
  const isOwn = from.startsWith("You");
  const verb = isOwn && VERBS[move] ? VERBS[move].replace(/s( |$)/, "$1") : VERBS[move];
  const who = move === "note" ? "" : [from, verb].filter(Boolean).join(" ");
  const long = move === "propose" || move === "tool";
  return el(`li.${isOwn ? "own" : "other"}.${move in VERBS ? move : "message"}`, {},
    who && el("span.who", {}, line(who)),
    text && (long ? el("pre", { tabIndex: 0 }, text) : el("p", {}, text)));
}

function told(event) {
  const { entries, ...now } = event;
  stands = now;
  at("entries").append(...entries.map(entry));
  if (entries.length) at("entries").scrollTop = at("entries").scrollHeight;
  const last = entries.findLast((it) => !it.from.startsWith("You"));
  if (last) say([last.from, VERBS[last.move], last.text].filter(Boolean).join(" "));
  board.waits(stands.picks, stands.mine);
  changed();
}

const can = (move) => stands.may.includes(move);

function turn() {
  if (stands.end) return "The game is over.";
  if (isBroken) return "The game cannot go on.";
  if (stands.must_answer) return "A proposal waits for your answer.";
  if (stands.may.length) return "It is your turn.";
  return `Waiting for ${opening?.others.length === 1 ? line(opening.others[0]) : "the others"} …`;
}

function changed() {
  const over = Boolean(stands.end);
  at("turn").textContent = turn();
  at("turn").dataset.mine = String(stands.may.length > 0);
  at("answer").hidden = !(can("accept") || can("reject"));
  at("badge").hidden = !stands.must_answer;
  at("composer").hidden = over;
  at("search").hidden = over || !opening?.may_query;
  at("send").disabled = !can("message");
  at("ask").disabled = !can("tool");
  for (const option of at("to").options) option.disabled = !stands.rooms.includes(Number(option.value));
  const room = stands.rooms[0];
  if (room !== undefined && at("to").selectedOptions[0]?.disabled) at("to").value = String(room);
  at("proposal").hidden = over || !opening?.may_propose;
  at("propose").disabled = !can("propose") || !board.isPicked();
  at("theirs").hidden = !stands.picks || stands.mine;
  if (over) end(stands.end);
}

function end({ how, points, best, silence }) {
  const score = points && el("p.score", {}, `${points.score} of ${points.best} points (worst ${points.worst}): `, el("b", {}, points.norm.toFixed(3)));
  at("end").hidden = false;
  fill(at("end"),
    el("h2", { id: "end-head" }, points ? "Agreed" : `The game ended without a decision (${how}).`), score,
    el("details", {}, el("summary", {}, "A best decision"), el("pre", { tabIndex: 0 }, best)),
    el("p.note", {}, line(silence)));
}

async function send() {
  const field = at("say"), text = field.value.trim();
  if (!text || at("send").disabled) return;
  const to = opening.rooms ? Number(at("to").value) : undefined;
  at("send").disabled = true;
  const answer = await act({ act: "message", text, to });
  if (answer.ok) field.value = "";
  changed();
}

async function suggest() {
  const answer = await act({ act: "suggest" });
  if (!answer.ok) return;
  const { picks, value, reasons } = answer.said;
  board.pick(picks);
  at("reasons").hidden = false;
  fill(at("reasons"), el("li", {}, `worth about ${value.toFixed(1)}`), reasons.map(({ what, points }) => el("li", {}, `${points >= 0 ? "+" : ""}${points.toFixed(1)}  ${what}`)));
}

function show(part) {
  document.body.dataset.view = part;
  markCurrent(at("views"), part);
}

at("composer").addEventListener("submit", (event) => { event.preventDefault(); send(); });
at("say").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
});
at("search").addEventListener("submit", (event) => { event.preventDefault(); act({ act: "search", query: at("query").value }); });
at("accept").addEventListener("click", () => act({ act: "accept", proposal: stands.proposal }));
at("reject").addEventListener("click", async () => {
  // What stands in the field goes with it.
  const answer = await act({ act: "reject", proposal: stands.proposal, text: at("say").value });
  if (answer.ok) at("say").value = "";
});
at("propose").addEventListener("click", async () => {
  const answer = await act({ act: "propose", picks: board.picks() });
  if (answer.ok) { at("reasons").hidden = true; show("talk"); }
});
at("theirs").addEventListener("click", () => board.pick(stands.picks));
at("clear").addEventListener("click", () => { at("reasons").hidden = true; board.pick([]); });
at("suggest").addEventListener("click", suggest);
at("views").addEventListener("click", (event) => { const part = event.target.closest("button")?.dataset.part; if (part) show(part); });

chosenBy(at("look"));
show("board");
changed();
follow((event) => {
  if (event.event === "opened") opened(event);
  if (event.event === "told") told(event);
  if (event.event === "failed") { isBroken = true; stands = nothing(); warn(event.said); changed(); }
}, (how, why) => {
  at("line").textContent = how === "open" ? "connected" : why;
  at("line").dataset.how = how;
});
