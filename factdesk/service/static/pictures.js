"use strict";
(() => {
  const zone = document.querySelector("[data-drop]");
  if (!zone) return;
  const field = document.getElementById(zone.dataset.drop);
  const note = zone.querySelector(".names");
  const kinds = field.accept.split(",").map((kind) => kind.replace("*", ""));
  const take = (files) => {
    const wanted = [...files].filter((file) => kinds.some((kind) => file.type.startsWith(kind)));
    if (!wanted.length) return false;
    const all = new DataTransfer();
    for (const file of field.multiple ? [...field.files, ...wanted] : wanted.slice(0, 1)) all.items.add(file);
    field.files = all.files;
    field.dispatchEvent(new Event("change"));
    return true;
  };
  field.addEventListener("change", () => {
    note.textContent = [...field.files].map((file) => file.name).join(", ");
  });
  document.addEventListener("paste", (event) => {
    if (event.clipboardData && take(event.clipboardData.files)) event.preventDefault();
  });
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      zone.classList.toggle("over", name === "dragover");
      if (name === "drop") take(event.dataTransfer.files);
    });
  }
})();
