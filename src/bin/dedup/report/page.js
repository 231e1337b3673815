"use strict";

// Scrolls both texts to the same passage, and sorts the list of passages. The page is complete
// without this script: the numbers in the list are links to the left text.

let sides, rows, last, place;
let current = 0;

/** Returns the marks of a passage in a text, in order. */
const parts = (text, n) => [...text.querySelectorAll(`mark[data-n="${n}"]`)];

const topIn = (text, part) =>
  part.getBoundingClientRect().top - text.getBoundingClientRect().top;

/**
 * Scrolls a text until a part is at the given distance from its top, in pixels. Blocks that are far
 * away are not laid out yet and have an estimated height, so this is repeated in each frame until
 * the part no longer moves.
 */
function scrollToPart(text, part, height, n, frames = 60, still = 0) {
  if (n !== current || frames === 0 || still === 5) return;
  const off = topIn(text, part) - height;
  const before = text.scrollTop;
  if (Math.abs(off) >= 1) text.scrollTop += off;
  // At either end, the text cannot be scrolled further.
  const moved = Math.abs(text.scrollTop - before) >= 1;
  requestAnimationFrame(() => scrollToPart(text, part, height, n, frames - 1, moved ? 0 : still + 1));
}

/** Selects a passage and scrolls both texts to it, except for the text `staying`. */
function select(n, fixed) {
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
  const height = fixed
    ? Math.max(8, topIn(fixed, firsts[sides.indexOf(fixed)]))
    : sides[0].clientHeight / 5;
  sides.forEach((text, side) => {
    if (text !== fixed) scrollToPart(text, firsts[side], height, n);
  });
  place.textContent = `Passage ${n} of ${last}: ${row.cells[1].textContent}`;
}

/** Selects a passage that was requested outside the texts, and scrolls the page to the texts. */
function show(n) {
  const texts = document.getElementById("texts");
  const box = texts.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight + 1) texts.scrollIntoView({ block: "start" });
  select(n);
}

/** Moves the keyboard focus to the selected passage, in the text that has the focus or else in the left one. */
function moveFocus() {
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

/** Shades the visible part of a text on its map. */
function drawViewport(text, map) {
  const view = map.querySelector(".view");
  const unit = map.clientHeight / text.scrollHeight;
  view.style.height = `${text.clientHeight * unit}px`;
  view.style.transform = `translateY(${text.scrollTop * unit}px)`;
}

/** Adds the buttons and listeners that sort the list, select passages and open other pairs. */
function addListeners(stopped) {
  // Rows are displayed as blocks; the roles keep the table a table for screen readers.
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
    // Single-letter shortcuts can be turned off, for speech input.
    if (event.key !== "Escape" && !document.getElementById("keys")?.checked) return;
    const by = { n: 1, p: -1 }[event.key];
    const other = { Escape: "up", j: "next", k: "prev" }[event.key];
    const link = other && document.querySelector(`.among a[rel="${other}"]`);
    if (!link && !(by && last)) return;
    event.preventDefault();
    if (link) return link.click();
    step(by);
    moveFocus();
  }, { signal: stopped });
}

/** Connects a text with its map: the map shows the visible part, and a click on it scrolls the text. */
function connectMap(text) {
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
      drawViewport(text, map);
    });
  };
  text.addEventListener("scroll", soon, { passive: true });
  new ResizeObserver(soon).observe(text);
}

/** Folds away the blocks of a text of which no word counts, such as what was handed out to everyone. */
function foldLeftOut(text) {
  const countsNot = (block) => [...block.childNodes].every((node) => node.nodeName === "S" || node.textContent.trim() === "");
  let folded, label;
  for (const block of [...text.children]) {
    if (block.textContent.trim() === "" || !countsNot(block)) {
      folded = undefined;
      continue;
    }
    if (!folded) {
      folded = document.createElement("details");
      folded.className = "left-out";
      label = document.createElement("summary");
      label.textContent = `left out: ${block.querySelector("s[data-why]")?.dataset.why ?? "as above"}`;
      folded.append(label);
      block.before(folded);
    }
    folded.append(block);
  }
}

/** Starts with the pair that is in the page; the listeners are removed when `stopped` is aborted. */
function startPair(stopped) {
  sides = ["left", "right"].map((id) => document.getElementById(id));
  rows = [...document.querySelectorAll("tbody tr[data-n]")];
  last = rows.length;
  place = document.getElementById("place");
  current = 0;
  for (const label of document.querySelectorAll(".among label")) label.hidden = false;
  addListeners(stopped);
  sides.forEach(foldLeftOut);
  sides.forEach(connectMap);
  if (last > 0) select(1);
}

if (document.getElementById("left")) startPair();
