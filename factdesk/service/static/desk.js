"use strict";
(() => {
  for (const form of document.querySelectorAll("form[data-busy]")) {
    form.addEventListener("submit", () => {
      const note = form.querySelector("[data-note]") || document.createElement("p");
      note.dataset.note = "";
      note.className = "small";
      note.setAttribute("role", "status");
      note.textContent = form.dataset.busy;
      form.append(note);
      form.setAttribute("aria-busy", "true");
      for (const button of form.querySelectorAll("button")) button.disabled = true;
    });
  }
  // A page that comes back from the browser's memory takes its forms again.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[aria-busy]")) {
      form.removeAttribute("aria-busy");
      for (const button of form.querySelectorAll("button")) button.disabled = false;
      for (const note of form.querySelectorAll("[data-note]")) note.remove();
    }
  });
  for (const field of document.querySelectorAll("textarea[data-send]")) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      field.form.requestSubmit();
    });
  }

  const list = document.getElementById("checks");
  if (!list) return;
  const every = 1500;
  const end = async (row) => {
    const answer = await fetch(`/checks/${row.dataset.check}`);
    if (!answer.ok) return;
    const check = await answer.json();
    const done = check.state === "done";
    row.querySelector(".state").textContent = done ? `Done: ${check.verdict.replaceAll("_", " ")}` : "Could not be checked";
    row.querySelector(".step").textContent = done ? "" : (check.failure?.message ?? "");
    if (done) row.querySelector("a.claim").href = `/reports/${check.id}.html` + (check.mode ? `?mode=${check.mode}` : "");
    row.dataset.ended = "";
  };
  const look = async () => {
    const answer = await fetch("/checks").catch(() => null);
    if (answer && answer.ok) {
      const open = new Map((await answer.json()).map((check) => [check.id, check]));
      for (const row of list.querySelectorAll("[data-check]:not([data-ended])")) {
        const check = open.get(row.dataset.check);
        if (!check) {
          await end(row);
          continue;
        }
        row.querySelector(".state").textContent =
          check.state === "running" ? "Being checked" : "Waiting" + (check.waiting ? `, ${check.waiting} before it` : "");
        row.querySelector(".step").textContent = check.step;
      }
    }
    if (list.querySelector("[data-check]:not([data-ended])")) setTimeout(look, every);
  };
  setTimeout(look, every);
})();
