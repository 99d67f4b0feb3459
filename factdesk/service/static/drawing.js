"use strict";
(async () => {
  const canvas = document.querySelector(".canvas");
  if (!canvas || typeof cytoscape === "undefined") return;
  const answer = await fetch(canvas.dataset.source).catch(() => null);
  if (!answer || !answer.ok) return;
  const { elements } = await answer.json();
  if (elements.length < 2) return;
  canvas.parentElement.hidden = false;
  const colours = getComputedStyle(document.documentElement);
  const colour = (name) => colours.getPropertyValue(`--${name}`).trim();
  const still = { animate: false, padding: 24 };
  const cy = cytoscape({
    container: canvas,
    elements,
    minZoom: 0.2,
    maxZoom: 4,
    userZoomingEnabled: false,  // the wheel moves the page
    style: [
      {
        selector: "node",
        style: {
          label: "data(label)",
          "font-size": 11,
          "text-wrap": "wrap",
          "text-max-width": 120,
          "text-valign": "bottom",
          "text-margin-y": 4,
          color: colour("ink"),
          "background-color": colour("link"),
          "border-color": colour("ink"),
          "border-width": 1,
          width: 20,
          height: 20,
        },
      },
      { selector: "node[score]", style: { "background-opacity": "mapData(score, 0.2, 0.9, 0.08, 1)" } },
      { selector: "node[kind = 'value']", style: { shape: "round-rectangle", "background-color": colour("soft") } },
      { selector: "node[kind = 'seed']", style: { "border-width": 4, "border-color": colour("good") } },
      { selector: "node[chosen = 1], node.near", style: { width: 32, height: 32, "border-width": 3, "font-weight": "bold" } },
      {
        selector: "edge",
        style: {
          label: "data(label)",
          "font-size": 9,
          "text-rotation": "autorotate",
          color: colour("soft"),
          "text-background-color": colour("sheet"),
          "text-background-opacity": 1,
          width: 1.5,
          "line-color": colour("field"),
          "target-arrow-color": colour("field"),
          "target-arrow-shape": "triangle",
          "arrow-scale": 0.8,
          "curve-style": "bezier",
        },
      },
      { selector: "edge[side = 'for']", style: { "line-color": colour("good"), "target-arrow-shape": "none" } },
      {
        selector: "edge[side = 'against']",
        style: { "line-color": colour("bad"), "line-style": "dashed", "target-arrow-color": colour("bad") },
      },
    ],
    layout: { name: "circle", ...still },
  });
  if (cy.nodes("[chosen = 1]").length) {
    cy.layout({ name: "concentric", concentric: (node) => node.data("chosen"), levelWidth: () => 1, minNodeSpacing: 60, ...still }).run();
  } else {
    cy.layout({ name: "cose", randomize: false, nodeRepulsion: () => 30000, idealEdgeLength: () => 80, componentSpacing: 60, ...still }).run();
  }
  cy.on("resize", () => cy.fit(undefined, 24));
  cy.on("tap", "node", (event) => location.assign(event.target.data("href")));
  cy.on("mouseover", "node", () => canvas.classList.add("pointed"));
  cy.on("mouseout", "node", () => canvas.classList.remove("pointed"));
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const factor = Number(button.dataset.zoom);
      if (factor) cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
      else cy.fit(undefined, 24);
    });
  }
  // A link of the list shows its point in the drawing.
  for (const link of document.querySelectorAll("main a[href]")) {
    const mark = (on) => cy.nodes().filter((node) => node.data("href") === link.getAttribute("href")).toggleClass("near", on);
    for (const name of ["mouseenter", "focus"]) link.addEventListener(name, () => mark(true));
    for (const name of ["mouseleave", "blur"]) link.addEventListener(name, () => mark(false));
  }
  canvas.dataset.drawn = String(cy.nodes().length);
  canvas.places = () => cy.nodes().map((node) => ({ href: node.data("href"), ...node.renderedPosition() }));
})();
