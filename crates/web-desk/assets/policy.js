// The policy as text.
import { at, plain } from "./dom.js";
import { ask } from "./net.js";

export async function draw() {
  try {
    at("policy-text").textContent = plain((await ask("policy")).policy);
  } catch (error) {
    at("policy-text").textContent = `The policy cannot be read: ${error.message}`;
  }
}
