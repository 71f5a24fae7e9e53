// A list of any length: only the rows in sight are in the document.
import { el } from "./dom.js";

const HEIGHT = 32;
const MARGIN = 12;

/** A list. `row` draws what is in a row, `open` is called for the one that was chosen, `marks` when
 * the marked ones changed. */
export function list({ label, row, open, marks }) {
  const rows = el("div.rows", {});
  const node = el("div.list", { tabIndex: 0, role: "listbox", "aria-label": label, "aria-multiselectable": "true" }, rows);
  const marked = new Set();
  let items = [], current = 0, from = -1, to = -1, soon = 0;

  function draw(force) {
    const first = Math.max(0, Math.floor(node.scrollTop / HEIGHT) - MARGIN);
    const last = Math.min(items.length, Math.ceil((node.scrollTop + node.clientHeight) / HEIGHT) + MARGIN);
    if (!force && first === from && last === to) return;
    [from, to] = [first, last];
    rows.style.height = `${items.length * HEIGHT}px`;
    rows.replaceChildren(...items.slice(first, last).map((item, index) => option(item, first + index)));
    // A list that has no option yet is no list for those who hear it.
    if (items.length) node.setAttribute("role", "listbox"); else node.setAttribute("role", "group");
    if (current >= from && current < to) node.setAttribute("aria-activedescendant", `row-${current}`);
    else node.removeAttribute("aria-activedescendant");
  }

  function option(item, index) {
    const it = el(`div.item${index === current ? ".current" : ""}`, {
      id: `row-${index}`, role: "option", "aria-selected": String(marked.has(item)),
      "aria-setsize": String(items.length), "aria-posinset": String(index + 1),
    }, el("span.mark", { "aria-hidden": "true" }, marked.has(item) ? "☑" : "☐"), row(item));
    it.style.top = `${index * HEIGHT}px`;
    it.addEventListener("click", (event) => {
      current = index;
      if (event.target.closest(".mark") || event.ctrlKey || event.metaKey) toggle(item);
      else { draw(true); open(item); }
    });
    return it;
  }

  function toggle(item) {
    if (!marked.delete(item)) marked.add(item);
    draw(true);
    marks();
  }

  function go(index) {
    current = Math.max(0, Math.min(items.length - 1, index));
    const top = current * HEIGHT;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top + HEIGHT > node.scrollTop + node.clientHeight) node.scrollTop = top + HEIGHT - node.clientHeight;
    draw(true);
  }

  node.addEventListener("scroll", () => draw(false), { passive: true });
  new ResizeObserver(() => draw(false)).observe(node);
  node.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(node.clientHeight / HEIGHT) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves) go(current + moves[event.key]);
    else if (event.key === "Enter" && items[current]) open(items[current]);
    else if (event.key === " " && items[current]) toggle(items[current]);
    else return;
    event.preventDefault();
  });

  return {
    node, marked,
    /** Other rows, from the top. */
    set(others) { items = others; marked.clear(); current = 0; node.scrollTop = 0; draw(true); marks(); },
    /** More rows at the end. */
    more(others) { for (const it of others) items.push(it); soon ||= requestAnimationFrame(() => { soon = 0; draw(true); }); },
    get length() { return items.length; },
  };
}
