// The page works without this script; with it a search can be watched without reloading, and files can be dropped.
"use strict";

const drop = document.querySelector(".drop");
if (drop) {
  const input = drop.querySelector("input[type=file]");
  const over = (event, on) => { event.preventDefault(); drop.classList.toggle("over", on); };
  document.addEventListener("dragover", (event) => over(event, true));
  document.addEventListener("dragleave", (event) => over(event, false));
  document.addEventListener("drop", (event) => {
    over(event, false);
    const files = event.dataTransfer.files;
    if (files.length === 1) { input.files = files; drop.requestSubmit(); }
    if (files.length > 1) { const dropped = document.getElementById("dropped"); dropped.textContent = dropped.dataset.several; }
  });
}

const watch = document.getElementById("watch");
if (watch) {
  const part = (id) => document.getElementById(id);
  const says = (name, values = {}) => watch.dataset[name].replace(/\{(\w+)\}/g, (_, place) => values[place]);
  const left = (seconds) => seconds < 1 ? says("over")
    : seconds > 100 ? says("minutes", { n: Math.ceil(seconds / 60) }) : says("seconds", { n: Math.round(seconds) });
  let drawn = null, since = 0; // the level that is shown, and when it came
  const show = (seen) => {
    if (seen.state !== "waiting" && seen.state !== "running") { location.reload(); return false; }
    part("stage").textContent = seen.state === "waiting"
      ? says("waiting", seen)
      : seen.writing ? says("writing") : seen.level === null ? says(seen.preparing) : says("level", seen);
    if (part("stop")) { part("stop").hidden = seen.writing; } // only who brought the table has it
    if (seen.level !== drawn) { since = Date.now(); }
    const spent = seen.level === null ? 0 : seen.seconds + (Date.now() - since) / 1000;
    if (seen.state === "running" && seen.level === null && !seen.writing) { part("bar").removeAttribute("value"); } // moves
    else { part("bar").value = seen.writing ? 1 : seen.budget ? Math.min(1, spent / seen.budget) : 0; }
    part("left").textContent = seen.writing || !seen.budget || seen.level === null ? "" : left(seen.budget - spent);
    if (seen.level !== drawn && seen.level !== null) {
      drawn = seen.level;
      part("words").replaceChildren(...seen.words.map((text) => {
        const item = document.createElement("li");
        item.textContent = text;
        return item;
      }));
      if (seen.drawn) { part("fit").src = `/runs/${watch.dataset.run}/fit.svg?level=${seen.level}`; part("fit").hidden = false; }
    }
    return true;
  };
  const look = async () => {
    let go = true;
    try {
      const answer = await fetch(`/runs/${watch.dataset.run}/progress`, { cache: "no-store" });
      if (answer.ok) { go = show(await answer.json()); } else if (answer.status === 404) { location.reload(); go = false; }
    } catch { part("stage").textContent = says("gone"); }
    if (go) { setTimeout(look, 1000); }
  };
  look();
}
