// The forms of a domain by worksheets: what is filled in, what is missing, and why it is asked.
import { at, plain } from "./dom.js";
import { ask } from "./net.js";

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
    at("forms-text").textContent = has ? plain(forms) : "";
  } catch (error) {
    if (mine === asked) at("forms-text").textContent = `The forms cannot be read: ${error.message}`;
  }
}
