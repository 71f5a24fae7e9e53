// Runs before the page is drawn, so that it never flashes in the other look.
const look = localStorage.getItem("look");
if (look === "light" || look === "dark") document.documentElement.dataset.look = look;
