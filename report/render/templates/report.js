"use strict";
(() => {
  const root = document.documentElement;
  const all = (query) => Array.from(document.querySelectorAll(query));
  const theme = document.getElementById("theme");
  const unfold = document.getElementById("unfold");

  theme.hidden = unfold.hidden = false;
  theme.addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  unfold.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-pressed") !== "true";
    for (const card of all("details.card")) card.open = open;
    unfold.setAttribute("aria-pressed", String(open));
    unfold.textContent = open ? "Close all evidence" : "Open all evidence";
  });

  const follow = () => {
    const drawer = /^#(claim-\d+|unverified)$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (drawer) {
      drawer.open = true;
      drawer.querySelector("summary").focus();
      drawer.scrollIntoView({ block: "start" });
    }
  };
  addEventListener("hashchange", follow);
  follow();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details.card:not([open]), details.card details:not([open])");
    for (const item of closed) item.open = true;
  });
  addEventListener("afterprint", () => {
    for (const item of closed) item.open = false;
  });
})();
