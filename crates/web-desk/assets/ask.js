// Asks for what a button needs to know before it can make a plan.
import { el } from "./dom.js";

/** Shows a question with its fields, each an element with an `id` and a `title` for its label.
 * `then` gets their values by id, unless the user went back. */
export function ask({ title, note, fields, yes, then }) {
  const head = el("h2", { id: "ask-head" }, title);
  const back = el("button", { type: "button", onclick: () => box.close() }, "Cancel");
  const form = el("form.ask", { method: "dialog" },
    head, note && el("p.note", {}, note),
    fields.map(([label, field]) => [el("label", { for: field.id }, label), field]),
    el("div.row", {}, el("button.apply", { type: "submit" }, yes), back));
  const box = el("dialog.question", { "aria-labelledby": "ask-head" }, form);
  let agreed = false;
  form.addEventListener("submit", () => { agreed = true; });
  box.addEventListener("close", () => {
    const values = Object.fromEntries(fields.map(([, field]) => [field.id, field.value.trim()]));
    box.remove();
    if (agreed) then(values);
  });
  document.body.append(box);
  box.showModal();
}

/** A field for a line of text. A path is chosen up to its last name, so that typing replaces that. */
export function text(id, value) {
  const field = el("input", { id, type: "text", required: true, spellcheck: "false", autocomplete: "off", autofocus: true });
  field.value = value;
  const end = value.replace(/\/$/, "");
  field.addEventListener("focus", () => field.setSelectionRange(end.lastIndexOf("/") + 1, end.length), { once: true });
  return field;
}
