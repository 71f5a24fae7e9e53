// A plan in the window of an agent (MCP Apps). It shows what the answer of a tool says. Nothing that is
// sent from here agrees to anything: the command for a terminal is named, and may be copied.
import { changes } from "./changes.js";
import { at, el, fill } from "./dom.js";
import { shared } from "./links.js";
import { program } from "./python.js";

const VERSION = "2026-01-26";
const HEADS = { waiting: "A plan waits", done: "Done", failed: "It failed", declined: "Declined", nothing: "Nothing to do" };
let code = "";

const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

/** Draws the answer of a tool. */
function draw(answer) {
  const said = answer.structuredContent ?? {};
  const plan = answer._meta?.["web-desk/plan"];
  const links = answer._meta?.["web-desk/links"] ?? [];
  const waits = said.status === "waiting";
  const text = said.message || (said.error && `${said.error.error}: ${said.error.message}`);
  const whole = waits && plan;
  fill(
    at("card"),
    el("h2", { id: "head" }, HEADS[said.status] ?? "An answer"),
    whole && [el("p.asks", {}, plan.card.asks), el("p.sum", {}, plan.card.sum)],
    el("div.scroll", { tabIndex: 0, role: "region", "aria-label": "What it says" },
      whole ? changes(plan, []) : text ? el("pre.said", {}, text) : el("p", {}, "Nothing waits for an answer."),
      links.map(shared),
      whole && code && el("details", {}, el("summary", {}, "Program"), program(code)),
    ),
    waits && said.plan && said.plan_id && approval(said.plan_id),
  );
}

/** How a person agrees: not here. */
function approval(id) {
  const quoted = /^[\w:.-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
  const command = `${at("card").dataset.approve} ${quoted}`;
  const shown = el("code", { id: "command", tabIndex: 0 }, command);
  const button = el("button", { type: "button" }, "Copy the command");
  button.addEventListener("click", async () => {
    const range = document.createRange();
    range.selectNodeContents(shown);
    window.getSelection().removeAllRanges();
    window.getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = "Copied";
    } catch {
      // The window of some agents forbids it.
      button.textContent = "Selected: copy it";
    }
  });
  return el("div.answers", {}, el("p", {}, "Nothing is done before you agree: in the form that your agent shows, or in a terminal by"), shown, button);
}

function look(context) {
  if (context?.theme) document.documentElement.dataset.look = context.theme === "dark" ? "dark" : "light";
}

const HEARD = {
  "ui/notifications/tool-input": ({ arguments: it }) => { code = String(it?.program ?? ""); },
  "ui/notifications/tool-result": draw,
  "ui/notifications/tool-cancelled": () => fill(at("card"), el("h2", {}, "Cancelled")),
  "ui/notifications/host-context-changed": look,
};

window.addEventListener("message", ({ source, data }) => {
  if (source !== window.parent || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined && data.id === 1) {
    look(data.result?.hostContext);
    post({ method: "ui/notifications/initialized", params: {} });
  } else if (data.method && data.id !== undefined) {
    const known = ["ping", "ui/resource-teardown"].includes(data.method);
    post(known ? { id: data.id, result: {} } : { id: data.id, error: { code: -32601, message: "unknown" } });
  } else if (Object.hasOwn(HEARD, data.method ?? "")) {
    HEARD[data.method](data.params ?? {});
  }
});

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  post({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
}).observe(document.documentElement);

post({ id: 1, method: "ui/initialize", params: { protocolVersion: VERSION, appInfo: { name: "plan", version: "1" }, appCapabilities: {} } });
