
// Searches and sorts the pairs, steps through them by keyboard, and opens the page of a pair if all
// pages are in one file. The tables and links are complete without this script.
{
  const overview = document.getElementById("overview");
  const view = document.getElementById("view");
  const field = (id) => document.getElementById(id);
  const title = document.title;
  const order = new Intl.Collator("en", { numeric: true });
  const tables = [...document.querySelectorAll(".pairs")];
  const rows = () => tables.flatMap((table) => [...table.tBodies[0].rows]);

  /** The number of pairs of a list that are shown until the user asks for all. */
  const MAX_SHOWN = 25;
  /** The lists that are shown completely. */
  const complete = new Set();

  /** The initial position of each row, which decides between rows with equal keys. */
  const places = new Map(rows().map((row, place) => [row, place]));

  /** Returns the link of a row, or the element in place of it if the row has none. */
  const linkOf = (row) => row.querySelector(".two");
  const number = (text) => Number.parseFloat(text.replaceAll(",", ""));

  function sort(head) {
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const isNumber = head.dataset.sort === "number";
    const before = head.getAttribute("aria-sort");
    // Figures are sorted in descending order first; names and the numbers of pairs in ascending order.
    const first = isNumber && column > 0 ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const next = before === first ? second : first;
    const sign = next === "ascending" ? 1 : -1;
    const key = (row) => {
      if (isNumber) return number(row.cells[column].textContent) || 0;
      return [...row.querySelectorAll("bdi")].map((name) => name.textContent).join("\n");
    };
    const compare = isNumber ? (a, b) => a - b : order.compare;
    const keyed = [...body.rows].map((row) => [key(row), row]);
    keyed.sort((a, b) => sign * compare(a[0], b[0]) || places.get(a[1]) - places.get(b[1]));
    body.append(...keyed.map(([, row]) => row));
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", next);
    show();
  }

  /** Returns a text in the form that is searched: in lower case and without accents. */
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  let searched;

  /** Shows the rows that contain all words of the search, the first ones of each list. */
  function show() {
    const words = plain(field("search")?.value ?? "").split(/\s+/).filter(Boolean);
    if (words.length > 0) searched ??= new Map(rows().map((row) => [row, plain(row.textContent)]));
    let found = 0;
    for (const table of tables) {
      let count = 0;
      for (const row of table.tBodies[0].rows) {
        const isFound = words.every((word) => searched.get(row).includes(word));
        const isLater = isFound && ++count > MAX_SHOWN && !complete.has(table);
        if (row.hidden === isFound) row.hidden = !isFound;
        if (row.classList.contains("later") !== isLater) row.classList.toggle("later", isLater);
      }
      found += count;
      const more = table.nextElementSibling;
      more.hidden = count <= MAX_SHOWN || complete.has(table);
      more.firstElementChild.textContent = `Show all ${count.toLocaleString("en")}`;
      table.tHead.hidden = count === 0;
    }
    field("shown").textContent = words.length > 0 ? `${found.toLocaleString("en")} of ${places.size.toLocaleString("en")} pairs` : "";
    if (!document.querySelector(".pairs tr:not([hidden], .later) .two[tabindex='0']")) setTabStop(visibleRows()[0]);
  }

  /** Returns the visible rows. */
  const visibleRows = () => [...document.querySelectorAll(".pairs tbody tr:not([hidden], .later)")];

  /** Makes a row the only one that Tab reaches (a roving tabindex). */
  function setTabStop(row) {
    for (const old of document.querySelectorAll(".two[tabindex='0']")) old.tabIndex = -1;
    if (row) linkOf(row).tabIndex = 0;
  }

  function go(row, block = "nearest") {
    if (!row) return;
    setTabStop(row);
    linkOf(row).focus({ preventScroll: true });
    row.scrollIntoView({ block });
  }

  function step(by) {
    const rows = visibleRows();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    go(rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]);
  }

  function onKeyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (overview.hidden || field("keys-there-are").open) return;
    const at = document.activeElement;
    const act = () => {
      if (at?.closest(".filter") && event.key === "Escape") return () => step(0);
      if (at?.matches("input[type=search]")) return event.key === "Enter" && (() => step(0));
      const arrow = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (arrow && at?.closest(".pairs tbody")) return () => step(arrow);
      if (tables.length === 0 || !field("letters").checked) return;
      return {
        "/": () => field("search").focus(),
        "?": () => field("keys-there-are").showModal(),
        j: () => step(1),
        k: () => step(-1),
      }[event.key];
    };
    const action = act();
    if (!action) return;
    event.preventDefault();
    action();
  }

  let stop = new AbortController();

  /** Shows the pair that the fragment of the address names, or else the overview. */
  function route() {
    const folded = view && document.querySelector(`script[type="text/html"][id="${CSS.escape(location.hash.slice(1))}"]`);
    // Whether letters are keys is one setting, of the overview and of the pairs.
    field("letters").checked = field("keys")?.checked ?? field("letters").checked;
    if (folded) {
      stop.abort();
      stop = new AbortController();
      view.innerHTML = folded.textContent;
      for (const pane of view.querySelectorAll("[data-cuts]")) unfold(pane);
      overview.hidden = true;
      view.hidden = false;
      document.title = folded.dataset.title;
      startPair(stop.signal);
      field("keys").checked = field("letters").checked;
      scrollTo(0, 0);
      const heading = view.querySelector("h1");
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      return;
    }
    const row = /^#row-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!row && overview.hidden && location.hash.length > 1) return;
    stop.abort();
    view?.replaceChildren();
    if (view) view.hidden = true;
    overview.hidden = false;
    document.title = title;
    if (!row) return;
    if (row.matches(".later")) complete.add(row.closest("table"));
    show();
    row.hidden = false;
    go(row, "center");
  }

  for (const head of document.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head));
    head.append(button);
  }
  // Rows are displayed as blocks; the roles keep the tables tables for screen readers.
  const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  for (const part of document.querySelectorAll(":is(.pairs, .pairs :is(thead, tbody, tr, th, td))")) {
    part.setAttribute("role", part.scope ? { row: "rowheader", col: "columnheader" }[part.scope] : roles[part.tagName]);
  }
  if (tables.length > 0) {
    document.querySelector(".filter").hidden = false;
    for (const row of places.keys()) {
      linkOf(row).tabIndex = -1;
      row.classList.toggle("leads", linkOf(row).matches("a"));
    }
    field("search").addEventListener("input", show);
    field("help").addEventListener("click", () => field("keys-there-are").showModal());
    for (const table of tables) {
      table.tBodies[0].addEventListener("click", (event) => {
        const row = event.target.closest("tr");
        if (!row || event.target.closest("a") || String(getSelection()) !== "") return;
        setTabStop(row);
        linkOf(row).click();
      });
      table.nextElementSibling.firstElementChild.addEventListener("click", () => {
        const next = table.querySelector("tr.later");
        complete.add(table);
        show();
        go(next);
      });
    }
    // The browser may have restored the search of an earlier visit.
    show();
  }
  field("close").addEventListener("click", () => field("keys-there-are").close());
  document.addEventListener("keydown", onKeyDown);
  if (view) {
    view.addEventListener("click", (event) => {
      if (!event.target.closest('a.skip')) return;
      event.preventDefault();
      field("texts").focus();
    });
  }
  addEventListener("hashchange", route);
  route();
  // After loading, a browser scrolls to the row in the address by itself and moves the focus.
  addEventListener("load", () => {
    if (!overview.hidden) requestAnimationFrame(route);
  });
}
