"use strict";

// Brings both texts to the same passage, and sorts the list. Without it the page has all
// it shows, and the numbers in the list are links to the left text.

let sides, rows, last, place;
let current = 0;

/** Every part of a passage in a text, in order. */
const parts = (text, n) => [...text.querySelectorAll(`mark[data-n="${n}"]`)];

const topIn = (text, part) =>
  part.getBoundingClientRect().top - text.getBoundingClientRect().top;

/**
 * Scrolls a text until a part stands at a height, and stays there. What is far away is not
 * laid out yet and its height a guess that is mended frame by frame.
 */
function bring(text, part, height, n, frames = 60, still = 0) {
  if (n !== current || frames === 0 || still === 5) return;
  const off = topIn(text, part) - height;
  const before = text.scrollTop;
  if (Math.abs(off) >= 1) text.scrollTop += off;
  // At an end of the text it can go no further.
  const moved = Math.abs(text.scrollTop - before) >= 1;
  requestAnimationFrame(() => bring(text, part, height, n, frames - 1, moved ? 0 : still + 1));
}

/** Brings both texts to a passage; one of them may stay where it is. */
function select(n, staying) {
  if (n < 1 || n > last) return;
  for (const old of document.querySelectorAll(".current")) {
    old.classList.remove("current");
    old.removeAttribute("aria-current");
  }
  current = n;
  for (const same of document.querySelectorAll(`tr[data-n="${n}"], mark[data-n="${n}"], rect[data-n="${n}"]`)) {
    same.classList.add("current");
  }
  const row = rows.find((row) => Number(row.dataset.n) === n);
  row.setAttribute("aria-current", "true");
  const firsts = sides.map((text) => parts(text, n)[0]);
  const height = staying
    ? Math.max(8, topIn(staying, firsts[sides.indexOf(staying)]))
    : sides[0].clientHeight / 5;
  sides.forEach((text, side) => {
    if (text !== staying) bring(text, firsts[side], height, n);
  });
  place.textContent = `Passage ${n} of ${last}: ${row.cells[1].textContent}`;
}

/** Shows a passage to whoever asked for it elsewhere than in the texts. */
function show(n) {
  const texts = document.getElementById("texts");
  const box = texts.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight + 1) texts.scrollIntoView({ block: "start" });
  select(n);
}

/** The keyboard follows into the text that it is in, else into the left one. */
function follow() {
  const at = document.activeElement;
  if (at && at !== document.body && !at.closest(".text, .list")) return;
  const text = sides.find((text) => text.contains(at)) ?? sides[0];
  const first = parts(text, current)[0];
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
}

const step = (by) => show(Math.min(last, Math.max(1, current + by)));

function sort(head) {
  const key = head.dataset.key;
  const down = key === "words";
  rows.sort((a, b) => (a.dataset[key] - b.dataset[key]) * (down ? -1 : 1) || a.dataset.n - b.dataset.n);
  rows[0].parentElement.append(...rows);
  for (const other of document.querySelectorAll(".list th[aria-sort]")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
}

/** Shades on the map what part of its text is on view. */
function look(text, map) {
  const view = map.querySelector(".view");
  const unit = map.clientHeight / text.scrollHeight;
  view.style.height = `${text.clientHeight * unit}px`;
  view.style.transform = `translateY(${text.scrollTop * unit}px)`;
}

/** Adds what sorts the list, brings the passages and goes to other pairs. */
function listen(stopped) {
  // What is drawn as boxes stays a table to whoever hears it.
  const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  for (const part of document.querySelectorAll(".list table, .list table *")) {
    const role = part.scope ? { row: "rowheader", col: "columnheader" }[part.scope] : roles[part.tagName];
    if (role) part.setAttribute("role", role);
  }
  for (const head of document.querySelectorAll(".list th[data-key]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head));
    head.append(button);
  }
  if (last > 0) {
    document.querySelector(".steps").hidden = false;
    document.getElementById("previous").addEventListener("click", () => step(-1));
    document.getElementById("next").addEventListener("click", () => step(1));
  }
  document.addEventListener("click", (event) => {
    const there = event.target.closest("mark[data-n], tr[data-n] a, rect[data-n]");
    if (!there || (there.matches("mark") && String(getSelection()) !== "")) return;
    const n = Number(there.closest("[data-n]").dataset.n);
    event.preventDefault();
    if (there.matches("mark")) select(n, there.closest(".text"));
    else show(n);
  }, { signal: stopped });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    // Whoever dictates may turn letters off.
    if (event.key !== "Escape" && !document.getElementById("keys")?.checked) return;
    const by = { n: 1, p: -1 }[event.key];
    const other = { Escape: "up", j: "next", k: "prev" }[event.key];
    const link = other && document.querySelector(`.among a[rel="${other}"]`);
    if (!link && !(by && last)) return;
    event.preventDefault();
    if (link) return link.click();
    step(by);
    follow();
  }, { signal: stopped });
}

/** Has a map show what is on view of its text, and move it. */
function draw(text) {
  const map = document.querySelector(`.map[data-side="${text.id}"]`);
  map.addEventListener("click", (event) => {
    if (event.target.dataset.n) return;
    const box = map.getBoundingClientRect();
    text.scrollTop = ((event.clientY - box.top) / box.height) * text.scrollHeight - text.clientHeight / 2;
  });
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      look(text, map);
    });
  };
  text.addEventListener("scroll", soon, { passive: true });
  new ResizeObserver(soon).observe(text);
}

/** Begins with the pair that is in the page, until a signal comes. */
function begin(stopped) {
  sides = ["left", "right"].map((id) => document.getElementById(id));
  rows = [...document.querySelectorAll("tbody tr[data-n]")];
  last = rows.length;
  place = document.getElementById("place");
  current = 0;
  for (const label of document.querySelectorAll(".among label")) label.hidden = false;
  listen(stopped);
  sides.forEach(draw);
}

if (document.getElementById("left")) begin();
