// Builds elements. Data becomes text, never markup.

// Characters that change how others are read: controls, and marks of direction.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
// In a name also what joins letters, and the ends of lines.
const ON_A_LINE = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]/g;

const spelled = (it) => "\\u" + it.charCodeAt(0).toString(16).padStart(4, "0");

/** The text with each hidden character written out, so that it cannot pose as another. */
export function plain(text) {
  return String(text).replaceAll("\r\n", "\n").replace(HIDDEN, spelled);
}

/** A name on one line. */
export function line(text) {
  return String(text).replace(ON_A_LINE, spelled);
}

/** An element: its tag with classes (`p.note`), what it has, what is in it. */
export function el(kind, has, ...inside) {
  const [tag, ...classes] = kind.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(has ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  add(node, inside);
  return node;
}

function add(node, inside) {
  for (const it of inside) {
    if (Array.isArray(it)) add(node, it);
    else if (it instanceof Node) node.append(it);
    else if (it !== undefined && it !== null && it !== false) node.append(plain(it));
  }
}

export const at = (id) => document.getElementById(id);

export function fill(node, ...inside) {
  node.replaceChildren();
  add(node, inside);
}

/** Says something aloud once. */
export function say(text) {
  at("said").textContent = plain(text);
}

/** Shows what went wrong, until it is read. */
export function warn(text) {
  const close = el("button", { type: "button", "aria-label": "Close the message" }, "×");
  const node = el("p", {}, el("span", {}, text), close);
  close.addEventListener("click", () => node.remove());
  at("alerts").replaceChildren(node);
}

/** Marks the button of a part among those of all. */
export function markCurrent(buttons, part) {
  for (const it of buttons.children) {
    if (it.dataset.part === part) it.setAttribute("aria-current", "page");
    else it.removeAttribute("aria-current");
  }
}
