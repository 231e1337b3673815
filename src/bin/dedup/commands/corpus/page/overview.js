
// Searches, filters and sorts the pairs, steps through them by keyboard, keeps what a reader decides about
// each, and opens the page of a pair if all pages are in one file. The tables and links are complete
// without this script.
{
  /** The page as it was delivered, to save it with the notes of the reader. */
  const delivered = `<!doctype html>\n${document.documentElement.outerHTML}`;
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

  /** Returns whether a row passes the filters. */
  function passes(row) {
    const { kind, persons, groups = "" } = row.dataset;
    const is = (id, values) => !field(id).value || values.split("\n").includes(field(id).value);
    const state = stateOf(row);
    const wanted = field("state").value;
    return (wanted ? state === wanted : state !== "cleared") && is("kind", kind) && is("person", persons) && is("group", groups);
  }

  /** Shows the rows that pass the filters and contain all words of the search, the first ones of each list. */
  function show() {
    const words = plain(field("search")?.value ?? "").split(/\s+/).filter(Boolean);
    const textOf = (row) => plain(`${row.textContent} ${decisionOn(row)?.note ?? ""}`);
    if (words.length > 0) searched ??= new Map(rows().map((row) => [row, textOf(row)]));
    let found = 0;
    for (const table of tables) {
      let count = 0;
      for (const row of table.tBodies[0].rows) {
        const isFound = passes(row) && words.every((word) => searched.get(row).includes(word));
        const isLater = isFound && ++count > MAX_SHOWN && !complete.has(table);
        if (row.hidden === isFound) row.hidden = !isFound;
        if (row.classList.contains("later") !== isLater) row.classList.toggle("later", isLater);
        if (isFound && !isLater) showState(row);
      }
      found += count;
      const more = table.nextElementSibling;
      more.hidden = count <= MAX_SHOWN || complete.has(table);
      more.firstElementChild.textContent = `Show all ${count.toLocaleString("en")}`;
      table.tHead.hidden = count === 0;
    }
    const counted = [`${found.toLocaleString("en")} of ${places.size.toLocaleString("en")} pairs`];
    const states = rows().map(stateOf);
    for (const [state, name] of [["cleared", "cleared"], ["board", "to the board"]]) {
      const count = states.filter((it) => it === state).length;
      if (count > 0) counted.push(`${count.toLocaleString("en")} ${name}`);
    }
    const isAll = found === places.size && counted.length === 1;
    field("shown").textContent = isAll ? "" : counted.join(", ");
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
    if (overview.hidden && event.key === "r" && field("letters").checked && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      return view.querySelector(".among .state")?.click();
    }
    if (overview.hidden || document.querySelector("dialog[open]")) return;
    const at = document.activeElement;
    const act = () => {
      if (at?.closest(".filter") && event.key === "Escape") return () => step(0);
      if (at?.matches("select, textarea")) return undefined;
      if (at?.matches("input[type=search]")) return event.key === "Enter" && (() => step(0));
      const arrow = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (arrow && at?.closest(".pairs tbody")) return () => step(arrow);
      if (tables.length === 0 || !field("letters").checked) return;
      return {
        "/": () => field("search").focus(),
        "?": () => field("keys-there-are").showModal(),
        j: () => step(1),
        k: () => step(-1),
        r: at?.closest(".pairs tbody tr") && (() => review(at.closest("tr"))),
      }[event.key];
    };
    const action = act();
    if (!action) return;
    event.preventDefault();
    action();
  }

  // The review: what a reader decided about each pair. It is kept by this browser for all reports, and
  // saved with the page or as a file, in which `dedup corpus --reviewed` looks it up.

  const SCHEMA = "dedup.review/1";
  const STATES = { read: "to read", cleared: "cleared", board: "to the board" };
  /** The decisions, by the keys of their pairs. Of two about one pair, the later one counts. */
  const decisions = new Map();

  /** Adds decisions, and returns whether they have the form of a review. */
  function addReview(review) {
    if (review?.schema !== SCHEMA || !Array.isArray(review.pairs)) return false;
    for (const { key, state, note, words, at } of review.pairs) {
      if (!Object.hasOwn(STATES, state) || !(at > (decisions.get(key)?.at ?? ""))) continue;
      decisions.set(String(key), { state, note: String(note ?? ""), words: Number(words), at: String(at) });
    }
    return true;
  }

  const asReview = (of) => ({ schema: SCHEMA, pairs: of.map(([key, decision]) => ({ key, ...decision })) });

  function keepInBrowser() {
    try {
      localStorage.setItem(SCHEMA, JSON.stringify(asReview([...decisions])));
    } catch {
      // Nothing is kept where the browser has no storage for files: saving the page still keeps all.
    }
  }

  /** Returns the number of words that a pair has in both texts. */
  const wordsOf = (row) => number(row.cells[2].textContent) || 0;
  const decisionOn = (row) => decisions.get(row.dataset.key);
  /** Reports whether a pair was cleared when it shared fewer words than now. */
  const hasGrown = (row) => decisionOn(row)?.state === "cleared" && decisionOn(row).words < wordsOf(row);
  const stateOf = (row) => (hasGrown(row) ? "read" : decisionOn(row)?.state ?? "read");
  const namesOf = (row) => [...row.querySelectorAll(".who bdi")].map((name) => name.textContent);

  /** Shows the decision about a pair in its row, once the row is shown: there may be thousands. */
  function showState(row) {
    const button = row.querySelector(".state") ?? document.createElement("button");
    const note = decisionOn(row)?.note ?? "";
    button.type = "button";
    button.className = `state ${stateOf(row)}`;
    button.textContent = hasGrown(row) ? "to read again: it grew" : STATES[stateOf(row)];
    button.title = note || "Review this pair";
    if (!button.isConnected) row.cells[4].append(button);
    let written = row.querySelector(".noted");
    if (note && !written) {
      written = document.createElement("p");
      written.className = "noted";
      written.dir = "auto";
      row.cells[4].append(written);
    }
    if (written) written.textContent = note;
  }

  /** Lists the pairs that are cleared, each with its reason. */
  function showCleared() {
    const list = field("cleared");
    if (!list) return;
    const cleared = rows().filter((row) => stateOf(row) === "cleared");
    list.hidden = cleared.length === 0;
    list.querySelector("summary").textContent = `Cleared: ${cleared.length.toLocaleString("en")}`;
    list.querySelector("ul").replaceChildren(...cleared.map((row) => {
      const [item, link] = ["li", "a"].map((name) => document.createElement(name));
      link.href = `#${row.id}`;
      const names = namesOf(row).map((name) => {
        const isolated = document.createElement("bdi");
        isolated.textContent = name;
        return isolated;
      });
      link.append(names[0], " and ", names[1]);
      item.append(link, `: ${decisionOn(row).note || "no reason given"}`);
      return item;
    }));
  }

  function showReview() {
    searched = undefined;
    showCleared();
    show();
  }

  let reviewed;

  /** Asks for the decision about a pair. */
  function review(row) {
    reviewed = row;
    const [left, right] = namesOf(row);
    field("review-names").textContent = `\u2068${left}\u2069 and \u2068${right}\u2069`;
    const earlier = hasGrown(row) && `Cleared when ${decisionOn(row).words.toLocaleString("en")} words were in both; now ${wordsOf(row).toLocaleString("en")} are.`;
    field("review-earlier").hidden = !earlier;
    field("review-earlier").textContent = earlier || "";
    document.querySelector(`#review-of-pair input[value="${stateOf(row)}"]`).checked = true;
    field("note").value = decisionOn(row)?.note ?? "";
    field("review-of-pair").returnValue = "";
    field("review-of-pair").showModal();
  }

  function onReviewed() {
    if (field("review-of-pair").returnValue !== "keep") return;
    const state = document.querySelector("#review-of-pair input:checked").value;
    const note = field("note").value.trim();
    decisions.set(reviewed.dataset.key, { state, note, words: wordsOf(reviewed), at: new Date().toISOString() });
    keepInBrowser();
    const focused = document.activeElement;
    showReview();
    if (reviewed.hidden && overview.contains(focused)) go(visibleRows()[0]);
  }

  /** Saves a file. */
  function save(content, type, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  /** Returns the decisions about the pairs of this report. */
  const ofReport = () => asReview([...new Map(rows().filter(decisionOn).map((row) => [row.dataset.key, decisionOn(row)]))]);

  function savePage() {
    const review = JSON.stringify(ofReport()).replaceAll("<", "\\u003c");
    const start = '<script type="application/json" id="review">';
    const at = delivered.indexOf(start) + start.length;
    const page = delivered.slice(0, at) + review + delivered.slice(delivered.indexOf("<", at));
    const name = decodeURIComponent(location.pathname.split("/").pop());
    // The page that compares texts shows the report in a frame, to whose address its links are relative.
    const base = document.querySelector("base")?.outerHTML ?? "";
    save(page.replace(base, ""), "text/html", name.endsWith(".html") ? name : "board.html");
  }

  async function readNotes(event) {
    const [file] = event.target.files;
    let isRead = false;
    try {
      isRead = addReview(JSON.parse(await file.text()));
    } catch {
      // It is not JSON.
    }
    event.target.value = "";
    if (!isRead) return void (field("shown").textContent = "That file is not a review that a report saved.");
    keepInBrowser();
    showReview();
  }

  /** Fills the filters with the values that pairs have, and a filter without a choice is left out. */
  function fillFilters() {
    for (const [id, of] of [["kind", "kind"], ["person", "persons"], ["group", "groups"]]) {
      const values = new Set(rows().flatMap((row) => (row.dataset[of] ?? "").split("\n")).filter(Boolean));
      const options = id === "kind" ? [...values] : [...values].sort(order.compare);
      field(id).append(...options.map((value) => new Option(value, value)));
      field(id).parentElement.hidden = options.length < 2;
      field(id).addEventListener("change", show);
    }
    field("state").addEventListener("change", show);
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
      const row = document.getElementById(`row-${folded.id.split("-").pop()}`);
      const button = document.createElement("button");
      button.type = "button";
      button.className = "state";
      button.textContent = "Review";
      button.addEventListener("click", () => review(row));
      view.querySelector(".among")?.append(button);
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
    const notice = location.hash.length > 1 && document.querySelector(`details[id="${CSS.escape(location.hash.slice(1))}"]`);
    if (notice) notice.open = true;
    if (!row) return;
    if (row.matches(".later")) complete.add(row.closest("table"));
    show();
    row.hidden = false;
    row.classList.remove("later");
    showState(row);
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
    fillFilters();
    addReview(JSON.parse(field("review").textContent));
    try {
      addReview(JSON.parse(localStorage.getItem(SCHEMA)));
    } catch {
      // As in keepInBrowser.
    }
    field("review-of-pair").addEventListener("close", onReviewed);
    field("save-page").addEventListener("click", savePage);
    field("save-notes").addEventListener("click", () => save(JSON.stringify(ofReport(), null, 1), "application/json", "review.json"));
    field("read-notes").addEventListener("click", () => field("load-notes").click());
    field("load-notes").addEventListener("change", readNotes);
    for (const link of document.querySelectorAll(".people a[data-person]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        field("person").value = link.dataset.person;
        show();
        go(visibleRows()[0], "center");
      });
    }
    field("help").addEventListener("click", () => field("keys-there-are").showModal());
    for (const table of tables) {
      table.tBodies[0].addEventListener("click", (event) => {
        const row = event.target.closest("tr");
        if (event.target.closest(".state")) return review(row);
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
    showReview();
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
