"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const table = byId("all"), body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const search = byId("search"), view = byId("view"), clear = byId("clear"), shown = byId("shown");
  const rows = [...body.rows].map((row) => ({
    row, text: [...row.cells[0].childNodes].map((node) => node.textContent.trim()).join(" ").toLowerCase(), group: row.dataset.g,
    values: [...row.cells].map((cell) => (cell.dataset.v ? Number(cell.dataset.v) : null)),
  }));
  const names = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const narrow = matchMedia("(max-width: 50rem)");
  let group = null;

  const count = new Intl.NumberFormat(document.documentElement.lang);
  const isWord = (character) => /[\p{L}\p{N}]/u.test(character);
  const begins = (text, word) => { // whether a word of the text begins so: "3/" is in "store 3/", not in "store 13/"
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !isWord(text[at - 1]) || !isWord(word[0])) return true;
    }
    return false;
  };
  const fitting = (words, fits) => new Set(
    rows.filter((item) => (group === null || item.group === group) && words.every((word) => fits(item.text, word))));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = fitting(words, begins);
    if (!found.size) found = fitting(words, (text, word) => text.includes(word));
    for (const item of rows) if (item.row.hidden === found.has(item)) item.row.hidden = !found.has(item);
    clear.hidden = group === null && !words.length;
    shown.textContent = shown.dataset.text.replace("##", count.format(rows.length)).replace("#", count.format(found.size));
  };

  const sort = (index, head) => {
    const before = head.getAttribute("aria-sort");
    const up = before ? before === "descending" : index === 0;
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const sign = up ? 1 : -1;
    rows.sort((a, b) => {
      if (index === 0) return sign * names.compare(a.text, b.text);
      const x = a.values[index], y = b.values[index];
      if (x === null || y === null) return (x === null) - (y === null); // without a number: last, either way
      return sign * (x - y);
    });
    const sorted = document.createDocumentFragment();
    for (const item of rows) sorted.append(item.row);
    body.append(sorted);
  };

  heads.forEach((head, index) => {
    if (head.classList.contains("fixed")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.title = head.title;
    button.addEventListener("click", () => sort(index, head));
    head.replaceChildren(button);
    if (index) for (const item of rows) item.row.cells[index].dataset.name = button.textContent;
  });

  const arrange = (cards) => {
    table.classList.toggle("cards", cards);
    view.setAttribute("aria-pressed", String(cards));
  };
  view.addEventListener("click", () => arrange(!table.classList.contains("cards")));
  narrow.addEventListener("change", () => arrange(narrow.matches));

  for (const item of document.querySelectorAll(".groups [data-group]")) {
    const text = item.querySelector(".text"), button = document.createElement("button");
    button.type = "button";
    button.textContent = text.textContent;
    button.addEventListener("click", () => {
      group = item.dataset.group;
      search.value = "";
      filter();
      byId("series").scrollIntoView();
      search.focus({ preventScroll: true });
    });
    text.replaceChildren(button);
  }
  clear.addEventListener("click", () => {
    group = null;
    search.value = "";
    filter();
    search.focus();
  });
  search.addEventListener("input", filter);
  byId("tools").hidden = false;
  arrange(narrow.matches);
  filter();
})();
