// Draws the parts of a board, and keeps what is picked of them.
import { at, el, fill, line } from "./dom.js";
import { calendar, map } from "./drawn.js";

let board = { parts: [], slots: [], distinct: false };
let chosen = [], theirs = [], looked = {}, views = [], act = () => {}, heard = () => {}, asked = 0;

export const picks = () => board.slots.map((_, slot) => chosen[slot] ?? null);
export const isPicked = () => chosen.some((it) => it !== undefined && it !== null);

/** Picks all of this. */
export function pick(these) {
  chosen = board.slots.map((_, slot) => these[slot] ?? undefined);
  draw();
}

/** Marks the proposal that waits. */
export function waits(these, mine) {
  theirs = these && !mine ? these : [];
  draw();
}

export function build(shown, does, hears) {
  [board, act, heard] = [shown, does, hears];
  [chosen, theirs, looked] = [[], [], {}];
  views = board.parts.map((part, number) => BUILD[part.part]?.(part, number)).filter(Boolean);
  fill(at("parts"), views.map((view) => view.node));
  draw();
}

function draw() {
  for (const view of views) view.draw?.();
  fill(at("slots"), board.slots.map((name, slot) => {
    const choice = chosen[slot];
    const has = choice !== undefined;
    return el("li", {}, el("span.slot", {}, line(name)), has
      ? el("button.choice", { type: "button", "aria-label": `Take out ${line(nameOf(slot, choice))}`, onclick: () => put(slot, undefined) }, line(nameOf(slot, choice)), " ×")
      : el("span.note", {}, "open"));
  }));
  about();
  heard();
}

/** What the picks come to, as the game says. */
async function about() {
  const mine = ++asked;
  const answer = isPicked() ? await act({ act: "about", picks: picks() }) : undefined;
  if (mine === asked) at("about").textContent = answer?.said?.about ?? "";
}

function nameOf(slot, choice) {
  for (const part of board.parts) {
    if (part.part === "table") return part.columns[choice] ?? "";
    if (part.part === "things" && part.slots.includes(slot)) return part.things[choice]?.name ?? "";
  }
  return "";
}

function put(slot, choice) {
  if (board.distinct) chosen = chosen.map((it) => (it === choice ? undefined : it));
  chosen[slot] = choice;
  draw();
}

/** Into the slot that is free, or out of the one that it is in. */
function toggle(part, number, choice) {
  if (!part.slots.length) {
    looked[number] = looked[number] === choice ? undefined : choice;
    return draw();
  }
  const inside = part.slots.find((slot) => chosen[slot] === choice);
  if (inside !== undefined) return put(inside, undefined);
  put(part.slots.find((slot) => chosen[slot] === undefined) ?? part.slots.at(-1), choice);
}

const places = (part, number, choice) => (part.slots.length
  ? part.slots.filter((slot) => chosen[slot] === choice)
  : looked[number] === choice ? [0] : []);
const areTheirs = (part, choice) => part.slots.some((slot) => theirs[slot] === choice);

const section = (part, ...inside) => el("section.part", {}, el("h3", {}, part.title), inside);

const BUILD = {
  list: (part) => ({ node: section(part, el("ul.items", {}, part.items.map((item) => el("li", {}, item)))) }),
  table,
  things,
  days: (part) => {
    const drawn = calendar(part);
    const inside = () => {
      const things = board.parts[part.choices];
      return (things?.things ?? []).filter((_, choice) => places(things, part.choices, choice).length || areTheirs(things, choice));
    };
    return { node: section(part, drawn.node), draw: () => drawn.draw(inside()) };
  },
};

function table(part) {
  const canPick = board.slots.length > 0;
  const cells = part.rows.map((row, slot) => row.cells.map((cell, choice) => {
    const text = cell ?? "·";
    const name = `${line(row.name)}, ${line(part.columns[choice])}: ${cell ?? "unknown"}`;
    return canPick
      ? el("button.cell", { type: "button", "aria-label": name, onclick: () => put(slot, chosen[slot] === choice ? undefined : choice) }, text)
      : el("span.cell", {}, text);
  }));
  const rows = part.rows.map((row, slot) => el("tr", {}, el("th", { scope: "row" }, line(row.name)), cells[slot].map((cell) => el("td", {}, cell))));
  const head = el("tr", {}, el("td", {}), part.columns.map((name) => el("th", { scope: "col" }, line(name))));
  const draw = () => cells.forEach((row, slot) => row.forEach((cell, choice) => {
    if (canPick) cell.setAttribute("aria-pressed", String(chosen[slot] === choice));
    cell.classList.toggle("theirs", theirs[slot] === choice);
  }));
  return { node: section(part, el("div.wide", { tabIndex: 0, role: "region", "aria-label": line(part.title) }, el("table.cells", {}, el("thead", {}, head), el("tbody", {}, rows)))), draw };
}

function things(part, number) {
  const groups = [...new Set(part.things.map((thing) => thing.group).filter(Boolean))].sort();
  const colour = (thing) => (thing.group ? groups.indexOf(thing.group) % 8 : undefined);
  const flip = (choice) => toggle(part, number, choice);
  const lines = part.things.map((thing, choice) => {
    const button = el("button.name", { type: "button", onclick: (event) => { event.stopPropagation(); flip(choice); } },
      thing.group && el(`i.dot.g${colour(thing)}`, {}), line(thing.name));
    const row = el("tr", { onclick: () => flip(choice) }, el("td", {}, button),
      thing.cells.map((cell) => el(cell.length > 30 ? "td.long" : "td", {}, cell)));
    return { row, button, choice, text: [thing.name, ...thing.cells].join(" ").toLowerCase(), group: thing.group };
  });
  const find = el("input", { placeholder: "Find", "aria-label": `Find in ${line(part.title)}`, oninput: () => filter() });
  const kind = groups.length > 1 && el("select", { "aria-label": `Which of ${line(part.title)}`, onchange: () => filter() },
    el("option", { value: "" }, "all"), groups.map((group) => el("option", { value: group }, line(group))));
  function filter() {
    const wanted = find.value.toLowerCase().trim().split(/\s+/);
    for (const it of lines) {
      it.row.hidden = !wanted.every((word) => it.text.includes(word)) || Boolean(kind && kind.value && kind.value !== it.group);
    }
  }
  const body = el("tbody", {}, lines.map((it) => it.row));
  function sort(column, head) {
    const turned = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", turned ? "descending" : "ascending");
    const key = (it) => (column < 0 ? part.things[it.choice].name : part.things[it.choice].cells[column]);
    const order = [...lines].sort((a, b) => key(a).localeCompare(key(b), undefined, { numeric: true }));
    body.append(...(turned ? order.reverse() : order).map((it) => it.row));
  }
  const heads = ["name", ...part.columns].map((name, column) => {
    const head = el("th", { scope: "col" });
    head.append(el("button.sort", { type: "button", onclick: () => sort(column - 1, head) }, line(name)));
    return head;
  });
  const drawn = part.things.some((thing) => thing.at) && map(part.things, colour, flip, part.title);
  const draw = () => {
    const marks = part.things.map((_, choice) => places(part, number, choice).map((slot) => part.slots.indexOf(slot) + 1));
    for (const { row, button, choice } of lines) {
      button.setAttribute("aria-pressed", String(marks[choice].length > 0));
      row.classList.toggle("picked", marks[choice].length > 0);
      row.classList.toggle("theirs", areTheirs(part, choice));
    }
    if (drawn) drawn.draw(marks, (choice) => areTheirs(part, choice));
  };
  const table = el("table.things", {}, el("thead", {}, el("tr", {}, heads)), body);
  return { node: section(part, el(drawn ? "div.mapped" : "div", {}, drawn && drawn.node, el("div.listed", {}, el("div.row", {}, find, kind), el("div.wide", { tabIndex: 0, role: "region", "aria-label": line(part.title) }, table)))), draw };
}
