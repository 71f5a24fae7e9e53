// The forms of a domain by worksheets: what is filled in, what is missing, and why it is asked.
import { at, el, fill } from "./dom.js";
import { ask } from "./net.js";

// The lines of the text: a form, a field of it with a mark where it is asked, and why it is asked.
const FORM = /^(\S+) \(([^)]*)\)(?:: (.*))?$/;
const FIELD = /^ ([> ]) ([^:]+): (.*)$/;
const ASKED = /^(?:Ask|Confirm)\(([^,]+), ([^)]+)\)(?: \[(\w+)\])?: (.*)$/;

let asked = 0;

/** Reads them again. Where there are none, the page has no such part. */
export async function draw() {
  const mine = ++asked;
  try {
    const { forms } = await ask("forms");
    if (mine !== asked) return;
    const has = typeof forms === "string";
    document.querySelector("[data-part=forms]").hidden = !has;
    if (!has && document.body.dataset.view === "forms") document.querySelector("[data-part=talk]").click();
    fill(at("forms-text"), has && drawn(forms));
  } catch (error) {
    if (mine === asked) fill(at("forms-text"), `The forms cannot be read: ${error.message}`);
  }
}

/** Each form as a list of its fields. A line of no other form stays a sentence. */
function drawn(text) {
  const lines = text.split("\n").filter(Boolean);
  const reasons = new Map();
  for (const [, form, name, kind, why] of lines.map((it) => ASKED.exec(it) ?? [])) {
    if (form) reasons.set(`${form} ${name}`, [kind, why]);
  }
  const parts = [];
  let form, fields;
  for (const line of lines) {
    const [, title, standing, about] = FORM.exec(line) ?? [];
    const [, mark, name, value] = FIELD.exec(line) ?? [];
    if (title) {
      form = title;
      fields = el("dl", {});
      parts.push(el("section.form", {}, el("h3", {}, about || title, el("span.standing", {}, ` · ${standing}`)), fields));
    } else if (name && fields) {
      fields.append(field(name, value, mark === ">" && (reasons.get(`${form} ${name}`) ?? [])));
    } else if (!(ASKED.exec(line) && fields)) {
      parts.push(el("p", {}, line.trim()));
    }
  }
  return parts;
}

function field(name, value, reason) {
  const state = value.startsWith("missing") ? "missing" : / was refused: /.test(value) || name === "failed" ? "refused" : "has";
  const [kind, why] = reason || [];
  return el(`div.field.${state}`, {},
    el("dt", {}, name), el("dd", {}, value),
    reason && el("dd.why", {}, `asked now${kind ? ` (${kind})` : ""}${why ? `: ${why}` : ""}`));
}
