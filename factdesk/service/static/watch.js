"use strict";
(() => {
  const head = document.getElementById("state");
  if (head.dataset.state !== "queued" && head.dataset.state !== "running") return;
  const step = document.getElementById("step");
  const steps = document.getElementById("steps");
  const list = steps.querySelector("ol");
  const say = (text) => { head.textContent = text; };
  const source = new EventSource(`/checks/${head.dataset.check}/events`);
  const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
  const end = (state) => {
    source.close();
    step.textContent = "";
    head.dataset.state = state;
  };

  on("running", () => say("Being checked"));
  on("progress", ({ stage, message }) => {
    const text = `${stage}: ${message}`;
    step.textContent = text;
    const item = document.createElement("li");
    item.textContent = text;
    list.append(item);
    steps.hidden = false;
  });
  on("done", () => {
    end("done");
    say("Checked");
    document.getElementById("report").hidden = false;
    location.replace(head.dataset.report);
  });
  on("failed", ({ message }) => {
    end("failed");
    say("Could not be checked");
    step.textContent = `${message} A failure is no verdict: nothing was certified.`;
  });
  on("stopped", ({ message }) => {
    end("stopped");
    say("Put aside");
    step.textContent = message;
  });
})();
