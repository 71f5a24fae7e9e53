// The words for plans, sizes and places.
import { line } from "./dom.js";

export const number = (it) => it.toLocaleString("en");
export const many = (count, one, more) => `${number(count)} ${count === 1 ? one : more}`;

export function bytes(size) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) { size /= 1024; unit += 1; }
  return unit ? `${size.toFixed(2)} ${units[unit]}` : `${number(size)} B`;
}

export const time = (text) => {
  const when = new Date(text);
  return Number.isNaN(when.getTime()) ? text : when.toLocaleString("en-GB", { day: "numeric", month: "short", year: when.getFullYear() === new Date().getFullYear() ? undefined : "numeric", hour: "2-digit", minute: "2-digit" });
};

/** `zoo/`, `zoo/logs/a.txt`, `zoo/ (tags)`. */
export function place(it) {
  const segments = it.segments ?? [it.container, it.name].filter((part) => part !== undefined && part !== null);
  const path = segments.length === 0 ? "/" : segments.length === 1 ? `${segments[0]}/` : segments.join("/");
  return line(it.setting ? `${path} (${it.setting})` : path);
}

const isContainer = (it) => (it.segments ? it.segments.length === 1 : it.name === undefined || it.name === null);

/** A call whose effect nobody can look at beforehand. */
export const isCall = (effect) => (effect.after ?? effect.before)?.tag === "unknown";

/** Whether an undo could take back nothing of a plan. */
export function lasts(plan) {
  if (!plan.effects.length || plan.lasting.length < plan.effects.length) return false;
  const places = new Set(plan.lasting.map(([place]) => JSON.stringify(place)));
  return plan.effects.every((it) => places.has(JSON.stringify(it.place)));
}

/** 0 is the gravest. */
export function gravity(effect) {
  if (effect.shares || effect.warnings?.length) return 0;
  if (effect.effect === "delete" || effect.is_lost || effect.merged) return 1;
  if (effect.place.setting) return 2;
  return effect.effect === "create" && !isCall(effect) ? 4 : 3;
}

/** The sign of an effect, and the word for it. */
export function sign(effect) {
  if (gravity(effect) === 0) return ["!", "shared"];
  if (isCall(effect)) return [">", "called"];
  if (effect.kept && effect.effect === "delete") return ["-", "hidden"];
  return { create: ["+", "made"], overwrite: ["~", "changed"], delete: ["-", "deleted"] }[effect.effect];
}

/** What a program has cost: a clause that follows "it has". */
export function spent(it) {
  const parts = [`sent ${many(it.requests, "request", "requests")}`];
  if (it.names_listed) parts.push(`listed ${many(it.names_listed, "name", "names")}`);
  if (it.bytes_read) parts.push(`read ${bytes(it.bytes_read)}`);
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** What the effect does, in a few words. */
export function size(effect) {
  if (effect.place.setting) {
    const word = (mark) => (mark ? (mark.summary ?? "set") : "none");
    return `${word(effect.before)} → ${word(effect.after)}`;
  }
  if (isContainer(effect.place) || isCall(effect)) return "";
  const [before, after] = [effect.before, effect.after].map((mark) => mark && bytes(mark.size));
  return before && after ? `${before} → ${after}` : (before ?? after ?? "");
}

/** What people should know of an effect before they agree: sentences. */
export function consequences(effect) {
  const grave = [...(effect.warnings ?? [])];
  if (effect.merged > 1) {
    grave.push(`${number(effect.merged)} things are copied here one over the other, and only the last one stays`);
  }
  if (effect.is_lost) grave.push("what it holds now is nowhere afterwards");
  if (isCall(effect)) grave.push("nobody can look at what this call does before it is made");
  return grave;
}

/** `2 created, 1 deleted (1 copied); 1.2 KiB written; 5 B destroyed`. */
export function totals(it, words = {}) {
  const parts = [];
  const part = (count, what) => { if (count) parts.push(`${number(count)} ${what}`); };
  const container = (count) => (count === 1 ? (words.container ?? "container") : (words.containers ?? "containers"));
  part(it.containers_created, `${container(it.containers_created)} created`);
  part(it.created, "created");
  part(it.overwritten, "overwritten");
  part(it.hidden, "hidden");
  part(it.markers, `delete ${it.markers === 1 ? "marker" : "markers"} made`);
  part(it.uncovered, "shown again");
  part(it.deleted, "deleted");
  part(it.versions_deleted, `${it.versions_deleted === 1 ? "version" : "versions"} deleted`);
  part(it.settings, `${it.settings === 1 ? "setting" : "settings"} changed`);
  part(it.shared, "shared");
  part(it.containers_deleted, `${container(it.containers_deleted)} deleted`);
  let text = parts.join(", ") || "in the end nothing changes";
  if (it.copied) text += ` (${number(it.copied)} copied)`;
  if (it.bytes_written) text += `; ${bytes(it.bytes_written)} written`;
  if (it.bytes_destroyed) text += `; ${bytes(it.bytes_destroyed)} destroyed`;
  if (it.bytes_kept) text += `; ${bytes(it.bytes_kept)} kept as old versions`;
  return text;
}

/** What of the program's reads may have changed by the time when the plan is carried out. */
export function unchecked(plan) {
  if (!plan.unchecked) return "";
  return `${many(plan.unchecked, "of the program's reads is", "of the program's reads are")} not compared again before this is done.`;
}

export function outcome(it) {
  if (it.error) return `${it.error.error}: ${it.error.message}`;
  return it.result === null ? "" : JSON.stringify(it.result, null, 1);
}

/** `3 × list_objects, put_object (NoSuchBucket)`. */
export function calls(list) {
  const counts = new Map();
  for (const call of list) {
    const name = call.error ? `${call.operation} (${call.error})` : call.operation;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count > 1 ? `${number(count)} × ${name}` : name)).join(", ");
}

/** Why a statement of a reply is in doubt. */
export function reason({ why }) {
  return why || "no result has it, and nobody said it";
}

/** The sentence about a turn that was stopped. */
export function stopped(it) {
  const { apply } = it;
  if (apply && apply.made === apply.of && !apply.in_doubt) {
    return `Stopped. ${many(apply.made, "write was", "writes were")} made.`;
  }
  if (apply) {
    const doubt = apply.in_doubt ? `; it is not known whether ${apply.in_doubt === 1 ? "one more was" : `${number(apply.in_doubt)} more were`} made` : "";
    return `Stopped. Only ${number(apply.made)} of ${many(apply.of, "planned write was", "planned writes were")} made${doubt}.`;
  }
  if (it.running !== null && it.running !== undefined) {
    return `Stopped. The program of goal ${it.running} was running, and has changed nothing.`;
  }
  return it.taken_back ? "Stopped. Nothing was changed." : "Stopped before the reply.";
}
