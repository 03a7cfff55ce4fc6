const language = document.documentElement.lang, words = JSON.parse(document.getElementById("words").textContent);
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

const controls = (figure, views) => {
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

const colour = (name) => `var(--${name})`;
const labels = { labelFontSize: 12, labelColor: colour("muted"), titleFontSize: 12, titleColor: colour("muted"), titleFontWeight: "normal" };
const looks = {
  background: "transparent",
  view: { stroke: null },
  axis: { domainColor: colour("axis"), tickColor: colour("axis"), gridColor: colour("grid"), ...labels },
  axisX: { grid: false },
  axisY: { domain: false, ticks: false },
  title: { anchor: "start", frame: "group", color: colour("ink"), fontSize: 13, subtitleColor: colour("muted"), subtitleFontSize: 12 },
  point: { filled: true, color: colour("data"), opacity: 1 },
  bar: { color: colour("mean"), fillOpacity: 0.5 },
  text: { fill: colour("muted"), fontSize: 12 },
  style: {
    label: { fill: colour("muted"), fontSize: 12, fontWeight: "normal" }, /* of the vertical axis, in the place of a title */
    aside: { filled: false, color: colour("forecast"), size: 60, shape: "M-1,-1L1,1M-1,1L1,-1" },
    marker: { color: colour("muted"), strokeDash: [4, 3] },
    range: { strokeWidth: 3, strokeOpacity: 0.6 },
    end: { color: colour("data"), strokeWidth: 1.4 },
    strip: { color: colour("ink"), strokeWidth: 7 },
  },
};

/* Numbers and months as the language of the page has them. */
const parts = (number) => Object.fromEntries(new Intl.NumberFormat(language).formatToParts(number).map(({ type, value }) => [type, value]));
const names = (count, options, place) =>
  Array.from({ length: count }, (_, index) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(place(index)));
const months = (length) => names(12, { month: length }, (index) => Date.UTC(2023, index));
const days = (length) => names(7, { weekday: length }, (index) => Date.UTC(2023, 0, 1 + index)); /* a Sunday */
const locale = {
  formatLocale: { decimal: parts(1.5).decimal, thousands: parts(12345678).group, grouping: [3], currency: ["", ""] },
  timeFormatLocale: {
    dateTime: "%x, %X", date: "%d.%m.%Y", time: "%H:%M:%S", periods: ["AM", "PM"],
    days: days("long"), shortDays: days("short"), months: months("long"), shortMonths: months("short"),
  },
};

const draw = async (figure, specs) => {
  const panels = figure.querySelector(".panels").cloneNode();
  panels.classList.replace("wide", "live") || panels.classList.add("live");
  figure.querySelector("[role=img]").append(panels);
  /* By syntax trees (ast) instead of new functions, which the policy of the page forbids. */
  const how = { mode: "vega-lite", renderer: "svg", actions: false, ast: true, logLevel: 1, tooltip: { theme: "page" } };
  const config = { ...looks, font: getComputedStyle(figure).fontFamily };
  figure.classList.add("drawn"); /* before: only what is shown has a width */
  try {
    const made = specs.map((one) => vegaEmbed(panels.appendChild(document.createElement("div")), one, { ...how, ...locale, config }));
    const views = (await Promise.all(made)).map((result) => result.view);
    controls(figure, views);
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
