// What the page knows: the sum of the events, and nothing else.
import * as words from "./words.js";

export function nothing() {
  return {
    opening: 0, session: "", world: "", model: "", closed: false,
    items: [], links: [], live: null, goals: new Map(), plans: new Map(),
    plan: null, costly: null, cutOff: null, cannot: [], policies: 0, changes: 0,
  };
}

/** Whether a turn, an undo or a question is under way. */
export const isBusy = (state) => Boolean(state.live || state.plan || state.costly);

/** Adds an event. */
export function hear(state, event) {
  const { live } = state;
  switch (event.event) {
    case "opened":
      Object.assign(state, nothing(), { opening: state.opening + 1, session: event.session, world: event.world, model: event.model });
      break;
    case "changes_not_shown": note(state, `Changes of the world will not be shown: ${event.why}.`); break;
    case "note": tell(state, event.text); break;
    case "unseen": tell(state, `note: ${event.what}`); break;
    case "link": share(state, event); break;
    case "cut_off": state.cutOff = event; break;
    case "turn_started":
      state.cutOff = null;
      state.live = { turn: event.turn, user: event.user, phase: "thinking", program: "", reply: "", notes: [], links: [], calls: 0 };
      break;
    case "turn_ended": ended(state, event); break;
    case "stack": for (const goal of event.goals) put(state, goal); break;
    case "plan":
      state.plan = event;
      state.plans.set(event.plan, { origin: event.origin, lasts: words.lasts(event) });
      if (live) live.phase = "waiting for you";
      break;
    case "costly":
      state.costly = event;
      if (live) live.phase = "waiting for you";
      break;
    case "cannot_bring_back": state.cannot = event.places; break;
    case "decided": decided(state, event); break;
    case "undone": undone(state, event); break;
    case "draft_undone": {
      const last = state.items.findLast((item) => item.turn && !item.takenBack);
      if (last) { last.takenBack = true; last.seen = undefined; }
      break;
    }
    case "policy_changed": state.policies += 1; note(state, "The policy was changed."); break;
    case "failed":
      // A link is told nowhere else.
      for (const link of live?.links ?? []) state.items.push({ link });
      state.plan = state.costly = state.live = null;
      note(state, event.said, "bad");
      break;
    case "closed": state.closed = true; state.plan = state.costly = state.live = null; break;
    default: if (live) progress(state, live, event);
  }
}

function progress(state, live, event) {
  switch (event.event) {
    case "asking":
      live.task = event.task;
      live[event.task] = "";
      live.phase = `asking the model for a ${event.repair ? "better " : ""}${event.task}`;
      break;
    case "text": live[event.task] += event.text; break;
    case "restart": live[live.task ?? "program"] = ""; break;
    case "shortened": live.notes.push(`The prompt has ${event.examples} of ${words.many(event.of, "example", "examples")}, so that it fits.`); break;
    case "waiting":
      live.phase = `waiting ${Math.round(event.delay_ms / 1000)} s before try ${event.attempt + 1}: ${event.reason}`;
      break;
    case "unusable": live.phase = `the answer cannot be used: ${event.finding}`; break;
    case "started":
      live.running = event.uid;
      live.calls = 0;
      state.costly = null;
      live.phase = `running the program of goal ${event.uid}`;
      break;
    case "called":
      live.calls += 1;
      live.phase = `running the program of goal ${live.running}: call ${live.calls}, ${event.operation}`;
      break;
    case "withheld":
      live.notes.push(`The program of goal ${event.uid} failed: ${event.writes === 1 ? "its write is not" : `none of its ${words.number(event.writes)} writes is`} made.`);
      break;
    case "applying": live.phase = `made ${words.number(event.made)} of ${words.many(event.of, "write", "writes")}`; break;
    case "executed": {
      const goal = state.goals.get(event.uid);
      if (goal) goal.outcome = event.outcome;
      live.running = undefined;
      break;
    }
  }
}

function put(state, goal) {
  const known = state.goals.get(goal.uid);
  // The one that was touched last is on top.
  if (!known || known.program !== goal.program || known.status !== goal.status) state.goals.delete(goal.uid);
  state.goals.set(goal.uid, { ...known, ...goal });
}

function ended(state, event) {
  for (const goal of event.goals) put(state, goal);
  for (const plan of event.unasked) {
    state.plans.set(plan.plan, { origin: plan.origin, lasts: words.lasts(plan), apply: true });
  }
  state.items.push({ turn: event, notes: state.live?.notes ?? [], links: state.live?.links ?? [], known: state.links });
  // A program whose plan was declined has changed nothing: what is marked in the world stays so.
  const applied = (uid) => [...state.plans.values()].some((plan) => plan.origin.program?.uid === uid && plan.apply);
  state.changes += event.changes.length + event.runs.filter((run) => run.ended_by !== "overseer" || applied(run.uid)).length;
  state.live = state.plan = state.costly = null;
  state.cannot = [];
}

function decided(state, event) {
  const plan = state.plans.get(event.plan);
  if (plan) plan.apply = event.apply;
  if (state.plan?.plan === event.plan) state.plan = null;
  state.cannot = [];
  if (state.live) state.live.phase = event.apply ? "applying" : "going on without the plan";
}

function undone(state, event) {
  const last = [...state.plans.values()].findLast((plan) => plan.origin.undo);
  const target = event.unasked || !last ? undoable(state) : last.origin.undo.of;
  if (event.how === "whole" || event.how === "partly") mark(state, target, event.how);
  state.items.push({ undone: event });
  state.changes += event.made;
  state.plan = state.cutOff = null;
  state.cannot = [];
}

/** An undo of an undo gives back what that had taken. */
function mark(state, number, how) {
  const plan = state.plans.get(number);
  if (!plan) return;
  plan.undone = how;
  const other = plan.origin.undo && state.plans.get(plan.origin.undo.of);
  if (other) other.undone = undefined;
}

/** The number of the plan that an undo would take back now: of a link that was handed out there is none. */
export function undoable(state) {
  const done = [...state.plans].findLast(([, plan]) => plan.origin.program && plan.apply && !plan.undone && !plan.lasts);
  return done?.[0];
}

/** What can be taken back that no plan of this page stands for: `draft`, `last` or nothing. */
export function takeable(state) {
  const turn = state.items.findLast((item) => item.turn && !item.takenBack && !item.turn.end.stopped?.taken_back)?.turn;
  if (turn && !turn.runs.length && !turn.end.stopped) return "draft";
  const ran = [...state.goals.values()].some((goal) => goal.outcome);
  return ran && !state.plans.size ? "last" : undefined;
}

function note(state, text, kind = "") {
  state.items.push({ note: text, kind });
}

/** What belongs to a turn stands in it. */
function tell(state, text) {
  if (state.live) state.live.notes.push(text);
  else note(state, text);
}

function share(state, link) {
  state.links.push(link);
  if (state.live) state.live.links.push(link);
  else state.items.push({ link });
}

/** How far a goal is, in a word. */
export function standing(state, goal) {
  if (goal.status === "drafting") return "drafting";
  if (goal.status === "abandoned") return "given up";
  const waits = (state.plan ?? {}).origin?.program?.uid === goal.uid;
  if (waits) return "planned";
  if (state.live?.running === goal.uid) return "running";
  const plans = [...state.plans.values()].filter((plan) => plan.origin.program?.uid === goal.uid);
  if (plans.length && plans.every((plan) => plan.undone || !plan.apply) && plans.some((plan) => plan.undone)) {
    return plans.some((plan) => plan.undone === "partly") ? "partly undone" : "undone";
  }
  if (!goal.outcome) return "to run";
  if (goal.outcome.error && plans.at(-1)?.apply === false) return "declined";
  return goal.outcome.error ? "failed" : "run";
}
