
// Sorts and filters the pairs, goes through them by keyboard, and unfolds the page of a pair
// where all are in one file. Without it the tables and the links are all there.
{
  const overview = document.getElementById("overview");
  const view = document.getElementById("view");
  const table = document.querySelector(".pairs");
  const body = table?.tBodies[0];
  const field = (id) => document.getElementById(id);
  const title = document.title;
  const order = new Intl.Collator("en", { numeric: true });

  /** Where each row stood at first: of equal ones it goes first that did so then. */
  const places = new Map([...document.querySelectorAll(".rows tbody tr")].map((row, place) => [row, place]));

  /** What a row leads to, or what stands for that where it leads nowhere. */
  const lead = (row) => row.cells[0].firstElementChild;
  const number = (text) => {
    const value = Number.parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(value) ? -1 : value;
  };

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
      const text = row.cells[column].textContent;
      return isNumber ? number(text) : text;
    };
    const compare = isNumber ? (a, b) => a - b : order.compare;
    const keyed = [...body.rows].map((row) => [key(row), row]);
    keyed.sort((a, b) => sign * compare(a[0], b[0]) || places.get(a[1]) - places.get(b[1]));
    body.append(...keyed.map(([, row]) => row));
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", next);
  }

  /** The rows that are to be seen. */
  const seen = () => [...body.querySelectorAll("tr:not([hidden])")];

  function filter() {
    const name = field("name").value.toLowerCase();
    const verdict = field("verdict-is").value;
    const least = Number(field("least").value);
    let count = 0;
    for (const row of body.rows) {
      const [, is, jaccard, , , , left, right] = row.cells;
      row.hidden =
        (verdict !== "" && is.textContent !== verdict) ||
        number(jaccard.textContent) < least ||
        (name !== "" && ![left, right].some((cell) => cell.textContent.toLowerCase().includes(name)));
      count += row.hidden ? 0 : 1;
    }
    field("shown").textContent =
      count === body.rows.length ? "" : `${count} of ${body.rows.length} shown`;
    if (!body.querySelector("tr:not([hidden]) [tabindex='0']")) rest(seen()[0]);
  }

  /** The one row that is come to by Tab. */
  function rest(row) {
    for (const old of body.querySelectorAll("[tabindex='0']")) old.tabIndex = -1;
    if (row) lead(row).tabIndex = 0;
  }

  function go(row) {
    if (!row) return;
    rest(row);
    lead(row).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    const box = row.getBoundingClientRect();
    const head = table.tHead.getBoundingClientRect();
    if (box.top < head.bottom) table.parentElement.scrollTop -= head.bottom - box.top;
  }

  function step(by) {
    const rows = seen();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    go(rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]);
  }

  /** Goes from a cell of a matrix to the next in a direction that leads anywhere. */
  function move(link, [down, right]) {
    const matrix = link.closest("tbody");
    let row = link.closest("tr").sectionRowIndex;
    let column = link.closest("td").cellIndex;
    for (;;) {
      row += down;
      column += right;
      const cell = matrix.rows[row]?.cells[column];
      if (!cell || column < 1) {
        // The lower half is all there is: what is above it is empty.
        if (down === 1 && matrix.rows[row]) continue;
        return;
      }
      const next = cell.querySelector("a");
      if (!next) continue;
      link.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return;
    }
  }

  const arrows = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (overview.hidden || field("keys-there-are").open) return;
    const at = document.activeElement;
    const isTyping = at?.matches("input:not([type=checkbox], [type=radio]), select");
    const act = () => {
      if (at?.closest(".filter") && event.key === "Escape") return () => step(0);
      if (isTyping) return event.key === "Enter" && at.matches("input") && (() => step(0));
      const arrow = arrows[event.key];
      if (arrow && at?.closest(".matrix a")) return () => move(at, arrow);
      if (arrow && at?.closest(".pairs tbody")) return arrow[0] !== 0 && (() => step(arrow[0]));
      if (!table || !field("letters").checked) return;
      return {
        "/": () => field("name").focus(),
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
    const folded = view && document.querySelector(`template[id="${CSS.escape(location.hash.slice(1))}"]`);
    if (folded) {
      letters = field("keys")?.checked ?? letters;
      stop.abort();
      stop = new AbortController();
      view.replaceChildren(folded.content.cloneNode(true));
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
    row.hidden = false;
    go(row);
    row.scrollIntoView({ block: "center" });
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
  for (const part of document.querySelectorAll(".rows :is(table, thead, tbody, tr, th, td)")) {
    part.setAttribute("role", part.scope ? { row: "rowheader", col: "columnheader" }[part.scope] : roles[part.tagName]);
  }
  for (const matrix of document.querySelectorAll(".matrix")) {
    for (const link of [...matrix.querySelectorAll("a")].slice(1)) link.tabIndex = -1;
  }
  if (table) {
    document.querySelector(".filter").hidden = false;
    for (const row of body.rows) {
      lead(row).tabIndex = -1;
      row.classList.toggle("leads", lead(row).matches("a"));
    }
    rest(body.rows[0]);
    for (const id of ["name", "verdict-is", "least"]) field(id).addEventListener("input", filter);
    field("clear").addEventListener("click", () => {
      for (const id of ["name", "verdict-is", "least"]) field(id).value = "";
      filter();
    });
    field("help").addEventListener("click", () => field("keys-there-are").showModal());
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (!row || event.target.closest("a") || String(getSelection()) !== "") return;
      rest(row);
      lead(row).click();
    });
    // What a browser kept of an earlier visit counts.
    filter();
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
