"use strict";
(() => {
  const field = document.getElementById("image");
  const claim = document.getElementById("text");
  if (!field || !claim) return;
  const note = document.getElementById("pictures");
  const take = (files) => {
    const pictures = [...files].filter((file) => file.type.startsWith("image/"));
    if (!pictures.length) return false;
    const all = new DataTransfer();
    for (const file of [...field.files, ...pictures]) all.items.add(file);
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
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      if (name === "drop") take(event.dataTransfer.files);
    });
  }
})();
