
// Searches and sorts the pairs, goes through them by keyboard, and unfolds the page of a pair
// where all are in one file. Without it the tables and the links are all there.
{
  const overview = document.getElementById("overview");
  const view = document.getElementById("view");
  const field = (id) => document.getElementById(id);
  const title = document.title;
  const order = new Intl.Collator("en", { numeric: true });
  const tables = [...document.querySelectorAll(".pairs")];
  const rows = () => tables.flatMap((table) => [...table.tBodies[0].rows]);

  /** How many pairs of a list are shown before all of them are asked for. */
  const FIRST = 25;
  /** The lists that are shown to their ends. */
  const whole = new Set();

  /** Where each row stood at first: of equal ones it goes first that did so then. */
  const places = new Map(rows().map((row, place) => [row, place]));

  /** What a row leads to, or what stands for that where it leads nowhere. */
  const lead = (row) => row.querySelector(".two");
  const number = (text) => Number.parseFloat(text.replaceAll(",", ""));

  function sort(head) {
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const isNumber = head.dataset.sort === "number";
    const before = head.getAttribute("aria-sort");
    // Most figures are asked for from above; a name, or a pair's place, from below.
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

  /** A text as it is searched: without accents, in small letters. */
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  let searched;

  /** Shows the rows that have all words that are searched for, of each list the first ones. */
  function show() {
    const words = plain(field("search")?.value ?? "").split(/\s+/).filter(Boolean);
    if (words.length > 0) searched ??= new Map(rows().map((row) => [row, plain(row.textContent)]));
    let found = 0;
    for (const table of tables) {
      let count = 0;
      for (const row of table.tBodies[0].rows) {
        const isFound = words.every((word) => searched.get(row).includes(word));
        const isLater = isFound && ++count > FIRST && !whole.has(table);
        if (row.hidden === isFound) row.hidden = !isFound;
        if (row.classList.contains("later") !== isLater) row.classList.toggle("later", isLater);
      }
      found += count;
      const more = table.nextElementSibling;
      more.hidden = count <= FIRST || whole.has(table);
      more.firstElementChild.textContent = `Show all ${count.toLocaleString("en")}`;
      table.tHead.hidden = count === 0;
    }
    field("shown").textContent = words.length > 0 ? `${found.toLocaleString("en")} of ${places.size.toLocaleString("en")} pairs` : "";
    if (!document.querySelector(".pairs tr:not([hidden], .later) .two[tabindex='0']")) rest(seen()[0]);
  }

  /** The rows that are to be seen. */
  const seen = () => [...document.querySelectorAll(".pairs tbody tr:not([hidden], .later)")];

  /** The one row that is come to by Tab. */
  function rest(row) {
    for (const old of document.querySelectorAll(".two[tabindex='0']")) old.tabIndex = -1;
    if (row) lead(row).tabIndex = 0;
  }

  function go(row, block = "nearest") {
    if (!row) return;
    rest(row);
    lead(row).focus({ preventScroll: true });
    row.scrollIntoView({ block });
  }

  function step(by) {
    const rows = seen();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    go(rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]);
  }

  function press(event) {
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
  let letters = true;

  /** Shows what the address names: a pair, or else all of them. */
  function route() {
    const folded = view && document.querySelector(`script[type="text/html"][id="${CSS.escape(location.hash.slice(1))}"]`);
    if (folded) {
      letters = field("keys")?.checked ?? letters;
      stop.abort();
      stop = new AbortController();
      view.innerHTML = folded.textContent;
      for (const pane of view.querySelectorAll("[data-cuts]")) unfold(pane);
      overview.hidden = true;
      view.hidden = false;
      document.title = folded.dataset.title;
      begin(stop.signal);
      field("keys").checked = letters;
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
    if (row.matches(".later")) whole.add(row.closest("table"));
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
  // What is drawn as boxes stays a table to whoever hears it.
  const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  for (const part of document.querySelectorAll(":is(.pairs, .pairs :is(thead, tbody, tr, th, td))")) {
    part.setAttribute("role", part.scope ? { row: "rowheader", col: "columnheader" }[part.scope] : roles[part.tagName]);
  }
  if (tables.length > 0) {
    document.querySelector(".filter").hidden = false;
    for (const row of places.keys()) {
      lead(row).tabIndex = -1;
      row.classList.toggle("leads", lead(row).matches("a"));
    }
    field("search").addEventListener("input", show);
    field("help").addEventListener("click", () => field("keys-there-are").showModal());
    for (const table of tables) {
      table.tBodies[0].addEventListener("click", (event) => {
        const row = event.target.closest("tr");
        if (!row || event.target.closest("a") || String(getSelection()) !== "") return;
        rest(row);
        lead(row).click();
      });
      table.nextElementSibling.firstElementChild.addEventListener("click", () => {
        const next = table.querySelector("tr.later");
        whole.add(table);
        show();
        go(next);
      });
    }
    // What a browser kept of an earlier visit counts.
    show();
  }
  field("close").addEventListener("click", () => field("keys-there-are").close());
  document.addEventListener("keydown", press);
  if (view) {
    view.addEventListener("click", (event) => {
      if (!event.target.closest('a.skip')) return;
      event.preventDefault();
      field("texts").focus();
    });
  }
  addEventListener("hashchange", route);
  route();
  // A browser that has come to a row of its own accord takes the focus with it.
  addEventListener("load", () => {
    if (!overview.hidden) requestAnimationFrame(route);
  });
}
