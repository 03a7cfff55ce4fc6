const within = (place, selector) => [...place.querySelectorAll(selector)];
const button = (label, act) => {
  const made = document.createElement("button");
  made.type = "button";
  made.append(...label);
  made.addEventListener("click", () => act(made));
  return made;
};

/* Show an axis in which so many times of what is shown lies, about the same middle; of 0 the whole. */
const zoom = (view, times) => {
  const name = "zoom_x", [low, high] = (view.signal(name) ?? view.scale("x").domain()).map(Number);
  const middle = (low + high) / 2, half = (high - low) / 2 * times;
  view.signal(name, times ? [middle - half, middle + half] : null).runAsync();
};

const controls = (figure, views, words) => {
  const hidden = new Set();
  const row = document.createElement("div");
  row.className = "zoom";
  for (const [sign, times] of [["+", 0.5], ["\u2212", 2], ["\u2194", 0]]) {
    const made = button([sign], () => views.forEach((view) => zoom(view, times)));
    made.title = words[sign];
    row.append(made);
  }
  figure.querySelector("[role=img]").after(row);
  for (const key of within(figure, ".legend li")) {
    const label = key.textContent.trim();
    const made = button(key.childNodes, () => {
      hidden[hidden.has(label) ? "delete" : "add"](label);
      made.ariaPressed = !hidden.has(label);
      views.forEach((view) => view.signal("hidden", [...hidden]).runAsync());
    });
    made.ariaPressed = true;
    key.append(made);
  }
};

const draw = async (figure, specs) => {
  const page = JSON.parse(document.getElementById("interactive").textContent);
  const panels = figure.querySelector(".panels").cloneNode();
  panels.classList.replace("wide", "live") || panels.classList.add("live");
  figure.querySelector("[role=img]").append(panels);
  /* By syntax trees (ast) instead of new functions, which the policy of the page forbids. */
  const how = { mode: "vega-lite", renderer: "svg", actions: false, ast: true, logLevel: 1, tooltip: { theme: "page" } };
  const config = { font: getComputedStyle(figure).fontFamily };
  figure.classList.add("drawn"); /* before: only what is shown has a width */
  try {
    const made = specs.map((spec) => vegaEmbed(panels.appendChild(document.createElement("div")), spec, { ...how, config, ...page.locale }));
    const views = (await Promise.all(made)).map((result) => result.view);
    controls(figure, views, page.words);
    figure.querySelector(".larger input").addEventListener("change", () => window.dispatchEvent(new Event("resize")));
  } catch (error) {
    figure.classList.remove("drawn"); /* the picture that is drawn already stays */
    console.error(error);
  }
};

/* A picture is made when it comes near: one in a folded section has no width before. */
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    draw(target, JSON.parse(target.querySelector("script").textContent));
  }
}, { rootMargin: "200px" });
within(document, "figure:has(> script)").forEach((figure) => near.observe(figure));
