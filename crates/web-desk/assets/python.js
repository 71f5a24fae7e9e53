// Colours for programs.
import { el } from "./dom.js";

const WORDS = "False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield";
const TOKEN = new RegExp(
  "(?<comment>#[^\\n]*)"
    + "|(?<string>[rbfRBF]{0,2}(?:\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))"
    + `|(?<word>\\b(?:${WORDS})\\b)`
    + "|(?<number>\\b\\d[\\d_.]*\\b)",
  "g",
);
// A longer one is shown without colours.
const LONGEST = 50_000;

/** A program, ready to be read. */
export function program(text) {
  const code = text.replace(/^\n/, "").replace(/\s+$/, "");
  const parts = [];
  let end = 0;
  for (const found of code.length > LONGEST ? [] : code.matchAll(TOKEN)) {
    const [kind] = Object.entries(found.groups).find(([, value]) => value !== undefined);
    parts.push(code.slice(end, found.index), el(`span.py-${kind}`, {}, found[0]));
    end = found.index + found[0].length;
  }
  parts.push(code.slice(end));
  return el("pre.program", { tabIndex: 0, role: "region", "aria-label": "Program" }, el("code", {}, parts));
}
