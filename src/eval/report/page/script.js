
"use strict";
// Chooses among the dialogues. The page is whole without it.
(() => {
  const form = document.getElementById("filter");
  const entries = [...document.querySelectorAll("details.entry")];
  const none = document.getElementById("none");
  const texts = new Map();
  const text = (entry) => {
    if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
    return texts.get(entry);
  };
  const choose = () => {
    const value = (name) => form.elements[name].value;
    const words = value("text").toLowerCase().split(/\s+/).filter(Boolean);
    const wrong = form.elements.wrong.checked;
    let shown = 0;
    for (const entry of entries) {
      const data = entry.dataset;
      const fits =
        (!value("run") || data.run === value("run")) &&
        (!value("kind") || data.kinds.split("|").includes(value("kind"))) &&
        (!value("class") || data.first === value("class")) &&
        (!wrong || data.right === "no") &&
        words.every((word) => text(entry).includes(word));
      entry.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    keep();
    form.querySelector("output").value = `${shown} of ${entries.length}`;
    none.hidden = shown > 0;
  };
  // The choice stands in the address, so that it can be passed on: `#?run=1&wrong=on`.
  const keep = () => {
    const chosen = [...new FormData(form)].filter(([, value]) => value);
    const query = new URLSearchParams(chosen).toString();
    if (query || location.hash.startsWith("#?")) history.replaceState(null, "", "#?" + query);
  };
  const open = () => {
    const hash = location.hash.slice(1);
    if (hash.startsWith("?")) {
      for (const [name, value] of new URLSearchParams(hash)) {
        const field = form.elements[name];
        if (field && field.type === "checkbox") field.checked = value === "on";
        else if (field) field.value = value;
      }
      return;
    }
    const entry = hash && document.getElementById(hash);
    if (entry && entry.matches("details")) {
      entry.open = true;
      entry.scrollIntoView();
    }
  };
  // n and p lead through the turns of the dialogues that are shown.
  const lead = (event) => {
    const step = { n: 1, p: -1 }[event.key];
    const focus = document.activeElement ?? document.body;
    if (!step || event.ctrlKey || event.metaKey || event.altKey || focus.matches("input, select")) return;
    const turns = entries.filter((entry) => !entry.hidden).flatMap((entry) => [...entry.querySelectorAll(".turn")]);
    const here = turns.indexOf(focus.closest(".turn"));
    const open = Math.max(0, turns.findIndex((turn) => turn.closest(".entry").open));
    const next = turns[here < 0 ? open : here + step];
    if (!next) return;
    next.closest(".entry").open = true;
    next.focus();
  };
  addEventListener("keydown", lead);
  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    open();
    choose();
  });
  form.hidden = false;
  open();
  choose();
  document.documentElement.dataset.ready = "yes";
})();
