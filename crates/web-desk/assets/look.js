// The look of the page: that of the system, light, or dark. theme.js sets it before the first paint.
const LOOKS = ["system", "light", "dark"];

function look(button, step) {
  const now = LOOKS.indexOf(document.documentElement.dataset.look ?? "system");
  const next = LOOKS[(now + step) % LOOKS.length];
  if (step) localStorage.setItem("look", next);
  if (next === "system") delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = next;
  button.textContent = `Look: ${next}`;
}

// A button that says the look, and changes it when it is pressed.
export function chosenBy(button) {
  look(button, 0);
  button.addEventListener("click", () => look(button, 1));
}
