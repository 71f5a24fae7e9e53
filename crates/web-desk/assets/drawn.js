// Maps and calendars.
import { el, line } from "./dom.js";
import * as words from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, has, ...inside) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(has)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...inside);
  return node;
}

/** Things where they lie. A click on one flips it. */
export function map(things, colour, flip, title) {
  const [wide, edge] = [100, 4];
  const high = Math.max(20, wide * Math.max(...things.map((thing) => thing.at?.[1] ?? 0)));
  const dots = things.map((thing, choice) => {
    if (!thing.at) return undefined;
    const [x, y] = thing.at.map((it) => edge + it * wide);
    const mark = svg("text", { x, y: y + 1.1, class: "mark" });
    const press = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); flip(choice); } };
    const node = svg("g", { class: `site g${colour(thing)}`, role: "button", tabindex: "0", "aria-label": line(thing.name), onclick: () => flip(choice), onkeydown: press },
      svg("title", {}, line([thing.name, ...thing.cells.slice(0, 2)].join(", "))), svg("circle", { cx: x, cy: y, r: 1.5 }), mark);
    return { node, mark };
  });
  const node = svg("svg", { viewBox: `0 0 ${wide + 2 * edge} ${high + 2 * edge}`, class: "map", role: "group", "aria-label": `Map: ${line(title)}` },
    ...dots.filter(Boolean).map((dot) => dot.node));
  const draw = (marks, areTheirs) => dots.forEach((dot, choice) => {
    if (!dot) return;
    const isPicked = marks[choice].length > 0;
    dot.mark.textContent = marks[choice].join(" ");
    dot.node.setAttribute("aria-pressed", String(isPicked));
    dot.node.setAttribute("aria-label", [...marks[choice], line(things[choice].name)].join(" "));
    dot.node.classList.toggle("picked", isPicked);
    dot.node.classList.toggle("theirs", areTheirs(choice));
    dot.node.querySelector("circle").setAttribute("r", isPicked ? 2.6 : 1.5);
    // What is drawn last lies on top.
    if (isPicked) dot.node.parentNode.append(dot.node);
  });
  return { node, draw };
}

const DAY = 24 * 60;

/** Where a span lies in each of the days that it touches. */
function pieces([from, to], days) {
  const found = [];
  for (let day = 0; day < days; day += 1) {
    const [start, end] = [Math.max(from, day * DAY), Math.min(Math.max(to, from + 15), (day + 1) * DAY)];
    if (start < end) found.push({ day, top: (start - day * DAY) / DAY, high: (end - start) / DAY });
  }
  return found;
}

/** Days beside each other, from midnight to midnight. */
export function calendar(part) {
  const columns = part.days.map(() => el("div.day", {}));
  const box = (span, kind, text, about) => pieces(span, columns.length).map(({ day, top, high }) => {
    const node = el(kind, { title: about }, text);
    node.style.top = `${100 * top}%`;
    node.style.height = `${100 * high}%`;
    columns[day].append(node);
    return node;
  });
  for (const it of part.spans) {
    const [shown, about] = it.weight === undefined
      ? ["", it.text]
      : [String(it.weight), `${it.text}, importance ${it.weight}${it.private ? ", only you see it" : ""}`];
    box(it.span, `div.meeting.w${it.weight ?? "x"}${it.private ? ".private" : ""}`, shown, about);
  }
  const hours = el("div.hours", {}, [6, 12, 18].map((hour) => {
    const node = el("span", {}, `${hour}:00`);
    node.style.top = `${100 * hour / 24}%`;
    return node;
  }));
  const list = el("details", {}, el("summary", {}, `${words.many(part.spans.length, "meeting", "meetings")} as a list`),
    el("ul.items", {}, part.spans.map((it) => el("li", {}, it.text, it.weight === undefined ? "" : ` · importance ${it.weight}`, it.private ? " · only you see it" : ""))));
  const heads = el("div.heads", {}, part.days.map((day) => el("span", {}, line(day))));
  const node = el("div.calendar", {}, heads, el("div.grid", {}, hours, columns));
  let drawn = [];
  const draw = (things) => {
    for (const it of drawn) it.remove();
    drawn = things.filter((thing) => thing.span).flatMap((thing) => box(thing.span, "div.flight", line(thing.name), [thing.name, ...thing.cells].join(", ")));
  };
  return { node: el("div", {}, node, list), draw };
}
