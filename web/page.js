// What a person does on the page: texts are dropped, a worker compares them, the report is shown.

const $ = (id) => document.getElementById(id);

/** Files above this are not read; the program says so of each. */
const MOST_BYTES = 50_000_000;

const ARCHIVE = /\.(zip|tar|tgz|tzst|tbz2?|txz|tar\.(gz|zst|zstd|bz2|xz))$/i;

// The program, and runs of it.

const bytesOf = (base64) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
};

const workerAddress = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));

/** A worker, and what it says next. */
function hire(heard) {
  const worker = new Worker(workerAddress);
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = (event) => heard({ failed: event.message || "the worker did not start" });
  return worker;
}

/** The program, compiled once. */
const program = new Promise((resolve, reject) => {
  const packed = bytesOf($("program").textContent);
  const worker = hire(({ program, failed }) => {
    worker.terminate();
    if (program) resolve(program);
    else reject(new Error(failed));
  });
  worker.postMessage({ packed }, [packed.buffer]);
  $("program").remove();
});

/**
 * Runs the program on files, `[path, blob]` each. What is aborted is ended at once.
 * @returns {Promise<{ status?: number, broken: string, lines: string[], output: Uint8Array, written: Object }>}
 */
async function run(args, files, { outputs = [], progress = () => {}, signal } = {}) {
  const compiled = await program;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = hire((heard) => {
      if ("stage" in heard) return progress(heard);
      worker.terminate();
      if (heard.told) resolve(heard.told);
      else reject(new Error(heard.failed));
    });
    signal?.addEventListener("abort", () => {
      worker.terminate();
      reject(signal.reason);
    });
    handOn(worker, files, signal).then(() => worker.postMessage({ program: compiled, run: { args, outputs } }), reject);
  });
}

/** Files that are handed on at once: a file from a disk takes a third of a millisecond, in which nothing else is done. */
const AT_A_TIME = 200;

async function handOn(worker, files, signal) {
  // Of a file without a byte the name is enough.
  worker.postMessage({ files: files.filter(([, file]) => file.size === 0).map(([path]) => [path]) });
  const others = files.filter(([, file]) => file.size > 0);
  for (let at = 0; at < others.length; at += AT_A_TIME) {
    worker.postMessage({ files: others.slice(at, at + AT_A_TIME) });
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  }
}

// For whoever scripts the page, and for its tests.
globalThis.dedup = {
  run,
  /** What can be saved: `[name, bytes, type]` each. */
  get saved() {
    return saved;
  },
};

// What was dropped.

/** Paths of files that wait to be compared, with the files. */
let waiting = new Map();
/** What the result is of. */
let compared = new Map();
/** @type {File | undefined} */
let sheet;

/** A path that no other file has: two folders may have files of one name. */
function freePath(path) {
  const [, stem, ending] = /^(.*?)(\.[^./]*)?$/s.exec(path);
  let free = path;
  for (let number = 2; waiting.has(free); number += 1) free = `${stem} (${number})${ending ?? ""}`;
  return free;
}

const isSame = (one, other) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

function add(files) {
  for (const [path, file] of files) {
    const there = waiting.get(path);
    if (there && isSame(there, file)) continue;
    waiting.set(freePath(path), file);
  }
  showWaiting();
  if (isEnough(waiting)) compare(waiting);
}

const isEnough = (files) =>
  files.size > 1 || [...files.keys()].some((path) => path.includes("/") || ARCHIVE.test(path));

function showWaiting() {
  const paths = [...waiting.keys()];
  const names = paths.slice(0, 3).join(", ") + (paths.length > 3 ? " …" : "");
  $("chosen").textContent =
    paths.length === 0
      ? ""
      : paths.length === 1 && !isEnough(waiting)
        ? `${names}: now the other text`
        : `${count(paths.length, "file")}: ${names}`;
  $("compare").hidden = !isEnough(waiting);
  $("clear").hidden = paths.length === 0;
}

const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

/** Files that a browser is asked for side by side: one after the other they take longer. */
const SIDE_BY_SIDE = 64;

/**
 * The files in what is dropped, folders with all that is in them.
 * @param tell is called with how many are found, and then how many of them are opened.
 */
async function dropped(transfer, tell) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files].map((file) => [file.name, file]);
  const found = [];
  // Of a page that is opened from a disk, Chromium reads folders by their handles alone.
  if (items.every((item) => item.getAsFileSystemHandle)) {
    const handles = items.map((item) => item.getAsFileSystemHandle());
    for (const handle of await Promise.all(handles)) await walkHandle(handle, "", found, tell);
  } else {
    for (const entry of entries) await walkEntry(entry, found, tell);
  }
  const files = [];
  while (files.length < found.length) {
    const some = found.slice(files.length, files.length + SIDE_BY_SIDE);
    files.push(...(await Promise.all(some.map(async ([path, open]) => [path, await open()]))));
    tell(files.length, found.length);
  }
  return files;
}

async function walkHandle(handle, folder, found, tell) {
  const path = folder + handle.name;
  if (handle.kind === "file") {
    found.push([path, () => handle.getFile()]);
    tell(found.length);
  } else {
    for await (const inner of handle.values()) await walkHandle(inner, `${path}/`, found, tell);
  }
}

async function walkEntry(entry, found, tell) {
  if (entry.isFile) {
    found.push([entry.fullPath.slice(1), () => new Promise((resolve, reject) => entry.file(resolve, reject))]);
    tell(found.length);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) await walkEntry(inner, found, tell);
  }
}

// Comparing.

/** Ends the run that is going on. */
let stop;

async function compare(files) {
  stop?.abort();
  stop = new AbortController();
  const { signal } = stop;
  say([]);
  const paths = [...files.keys()].sort();
  const isPair = paths.length === 2 && !paths.some((path) => path.includes("/") || ARCHIVE.test(path));
  const level = new FormData($("settings")).get("level");
  const args = isPair
    ? ["--report", "report.html"]
    : ["corpus", "--at-least", level, "--format", "csv=pairs.csv", "--report", "board.html"];
  args.push("--max-bytes", String(MOST_BYTES));
  if ($("anonymous").checked) args.push("--anonymous");
  const given = paths.map((path) => [path, files.get(path)]);
  if (sheet) {
    const path = `assignment sheet/${sheet.name}`;
    given.push([path, sheet]);
    args.push("--template", path);
  }
  const tops = new Set(paths.map((path) => path.split("/")[0]));
  args.push("--", ...tops);

  const total = paths.some((path) => ARCHIVE.test(path)) ? 0 : paths.length;
  const outputs = ["report.html", "board.html", "board.key.csv", "pairs.csv"];
  const shown = busy(total);
  try {
    const told = await run(args, given, { outputs, progress: shown.progress, signal });
    const page = told.written["report.html"] ?? told.written["board.html"];
    if (told.broken || !page) {
      say(told.lines, told.broken);
      show("start");
      $("messages").scrollIntoView({ block: "nearest" });
    } else {
      if (files === waiting) {
        compared = waiting;
        waiting = new Map();
        showWaiting();
      }
      await showResult(told, page, isPair, tops);
    }
  } catch (error) {
    if (signal.aborted) return;
    say([], String(error.message ?? error));
    show("start");
  } finally {
    shown.end();
  }
}

const countOf = (texts, total) => `${texts.toLocaleString("en")} of ${total.toLocaleString("en")}`;

/** What is told of each stage. */
const STAGES = {
  finding: (files, total) => (total > 0 ? `Opening the files: ${countOf(files, total)}` : `Looking which files there are: ${files.toLocaleString("en")}`),
  loading: (texts, total) => (total > 0 ? `Loading the files: ${countOf(texts, total)}` : "Loading the archive"),
  listing: () => "Looking which files there are",
  reading: (texts, total) => (total > 0 ? `Reading the texts: ${countOf(texts, total)}` : "Reading the archive"),
  settling: () => "Telling which languages they are in",
  joining: (texts) => `Looking for pairs${texts > 1 ? ` among ${count(texts, "text")}` : ""}`,
  judging: () => "Comparing the pairs, passage by passage",
};

/** Shows how far it has come; nothing is seen of what is done at once. */
function busy(total) {
  const start = performance.now();
  let last = { stage: "", texts: 0 };
  const draw = () => {
    total = last.total ?? total;
    const said = STAGES[last.stage]?.(last.texts, total) ?? "Starting";
    const seconds = Math.floor((performance.now() - start) / 1000);
    $("busy-text").textContent = seconds > 0 ? `${said} · ${seconds} s` : said;
    if (["finding", "loading", "reading"].includes(last.stage) && total > 0) {
      $("busy-bar").max = total;
      $("busy-bar").value = last.texts;
    } else {
      $("busy-bar").removeAttribute("value");
    }
  };
  const before = view;
  const turn = () => {
    draw();
    turnTo("busy");
    $("busy-heading").focus();
  };
  const late = setTimeout(turn, before === "busy" ? 0 : 250);
  const clock = setInterval(draw, 500);
  const back = () => turnTo(before === "busy" ? "start" : before);
  stop.signal.addEventListener("abort", back);
  const { signal } = stop;
  return {
    progress(heard) {
      last = heard;
      draw();
    },
    back,
    end() {
      signal.removeEventListener("abort", back);
      clearTimeout(late);
      clearInterval(clock);
    },
  };
}

/** Says what the program said, as it said it. */
function say(lines, broken = "") {
  const box = $("messages");
  box.replaceChildren();
  box.hidden = lines.length === 0 && !broken;
  if (box.hidden) return;
  const heading = document.createElement("h2");
  heading.textContent = "These were not compared";
  box.append(heading);
  if (lines.length > 0) {
    const said = document.createElement("pre");
    said.textContent = lines.join("\n");
    box.append(said);
  }
  if (broken) {
    const why = document.createElement("p");
    why.textContent = `The page broke off, most likely for want of memory (${broken}). The program itself, installed, takes what the machine has.`;
    box.append(why);
  }
}

// The result.

let saved = {};

async function showResult(told, page, isPair, tops) {
  const [name] = tops;
  const what = isPair ? [...tops].join(" and ") : tops.size === 1 ? name : count(tops.size, "file");
  const heading = $("result-heading");
  heading.textContent = what;
  const csv = told.written["pairs.csv"];
  saved = {
    html: [isPair ? "report.html" : "board.html", page, "text/html"],
    csv: csv && ["pairs.csv", csv, "text/csv"],
    key: told.written["board.key.csv"] && ["board.key.csv", told.written["board.key.csv"], "text/csv"],
  };
  $("save-csv").hidden = !saved.csv;
  $("save-key").hidden = !saved.key;

  const lines = told.lines.filter((line) => !/^dedup: (report|key): (report\.html|board\.html|board\.key\.csv)$/.test(line));
  $("notes").hidden = lines.length === 0;
  $("notes").open = false;
  $("notes").firstElementChild.textContent = `Notes (${count(lines.length, "line")})`;
  const said = document.createElement("pre");
  said.textContent = lines.join("\n");
  $("notes").lastElementChild.replaceChildren(said);

  await frame(isPair ? "Both texts side by side" : "The board", new TextDecoder().decode(page));
  show("result");
  heading.focus();
}

/**
 * Shows a report in a frame, whose address is made the base of its links: else those within a board would
 * lead to this page.
 */
async function frame(title, page) {
  const frame = document.createElement("iframe");
  frame.title = title;
  frame.srcdoc = page.replace("<head>", '<head><base href="about:srcdoc">');
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  $("frame").replaceChildren(frame);
  await loaded;
  listenToDrags(frame.contentWindow);
  frame.contentWindow.addEventListener("keydown", printByKey);
}

/** Prints the report, all of it, not what is on view of it. */
function print() {
  $("frame").firstElementChild.contentWindow.print();
}

/** Points between the margins of a sheet of A4. */
const SHEET = 718;

/**
 * What the menu of a browser prints is this page, with the frame on it: it is made as high as its report is on
 * paper, or it would end with what is on view.
 */
function unrollFrame() {
  const frame = $("frame").firstElementChild;
  if (view !== "result" || !frame) return;
  const { document } = frame.contentWindow;
  const lists = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.media));
  const were = lists.map((list) => list?.mediaText ?? "");
  const folded = document.querySelectorAll("details:not([open])");
  frame.style.width = `${SHEET}px`;
  frame.style.height = "0";
  lists.forEach((list, at) => {
    if (were[at] === "print") list.mediaText = "all";
    else if (were[at].startsWith("screen")) list.mediaText = "not all";
  });
  for (const details of folded) details.open = true;
  // Paper has its own fonts and margins: the rest of a sheet stays white rather than a line unseen.
  const height = 1.2 * document.documentElement.scrollHeight;
  for (const details of folded) details.open = false;
  lists.forEach((list, at) => {
    if (list) list.mediaText = were[at];
  });
  frame.style.height = `${height}px`;
}

function rollFrame() {
  $("frame").firstElementChild?.removeAttribute("style");
}

function printByKey(event) {
  if (view !== "result" || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "p") return;
  event.preventDefault();
  print();
}

function save([name, bytes, type]) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Views: back and forward go through them, and within the board through its pairs.

let view = "start";

function turnTo(name) {
  view = name;
  for (const other of ["start", "busy", "result"]) $(other).hidden = other !== name;
  const place = name === "result" ? $("again") : $("settings-place");
  if ($("settings").parentElement !== place) place.append($("settings"));
  document.title = name === "result" ? `${$("result-heading").textContent} – dedup` : "dedup: find copied text";
}

function show(name) {
  turnTo(name);
  if (history.state?.view !== name) history.pushState({ view: name }, "");
}

history.replaceState({ view: "start" }, "");
addEventListener("popstate", ({ state }) => {
  const isThere = state?.view === "result" && $("frame").firstElementChild;
  turnTo(isThere ? "result" : "start");
});
addEventListener("beforeunload", (event) => {
  if (waiting.size > 0 || compared.size > 0) event.preventDefault();
});

// What is pressed and dropped.

for (const [button, input] of [["choose-files", "files"], ["choose-folder", "folder"], ["choose-sheet", "sheet"]]) {
  $(button).addEventListener("click", () => $(input).click());
}
for (const input of [$("files"), $("folder")]) {
  input.addEventListener("change", () => {
    add([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
    input.value = "";
  });
}
$("sheet").addEventListener("change", () => {
  takeSheet($("sheet").files[0]);
  $("sheet").value = "";
});
$("no-sheet").addEventListener("click", () => takeSheet(undefined));
$("compare").addEventListener("click", () => compare(waiting));
$("clear").addEventListener("click", () => {
  waiting = new Map();
  say([]);
  showWaiting();
  $("choose-files").focus();
});
$("cancel").addEventListener("click", () => {
  stop.abort();
  (view === "result" ? $("result-heading") : $("choose-files")).focus();
});
$("back").addEventListener("click", () => {
  show("start");
  $("choose-files").focus();
});
$("toggle").addEventListener("click", () => {
  $("again").hidden = !$("again").hidden;
  $("toggle").setAttribute("aria-expanded", String(!$("again").hidden));
});
$("save-html").addEventListener("click", () => save(saved.html));
$("save-csv").addEventListener("click", () => save(saved.csv));
$("save-key").addEventListener("click", () => save(saved.key));
$("print").addEventListener("click", print);
addEventListener("beforeprint", unrollFrame);
addEventListener("afterprint", rollFrame);
addEventListener("keydown", printByKey);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && view === "busy") $("cancel").click();
});
$("settings").addEventListener("submit", (event) => event.preventDefault());
$("settings").addEventListener("change", (event) => {
  if (event.target.type !== "file") again();
});
$("try").addEventListener("click", async () => {
  const unpacked = new Blob([bytesOf($("samples").textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const samples = Object.entries(await new Response(unpacked).json());
  waiting = new Map(samples.map(([name, text]) => [`samples/${name}`, new File([bytesOf(text)], name)]));
  compare(waiting);
});

/** Compares anew what is shown. */
function again() {
  if (view === "result") compare(compared);
}

function takeSheet(file) {
  sheet = file;
  $("sheet-name").textContent = file?.name ?? "";
  $("no-sheet").hidden = !file;
  again();
}

const placeOf = (event) => event.target.closest?.("#sheet-drop") ?? $("drop");

const under = (there) => {
  for (const place of [$("drop"), $("sheet-drop")]) place.classList.toggle("under", place === there);
};

/** What is let go anywhere is taken: a browser would open it in place of the page. */
function listenToDrags(window) {
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    under(placeOf(event));
  });
  window.addEventListener("dragleave", () => under(undefined));
  window.addEventListener("drop", takeDrop);
}

listenToDrags(globalThis);

async function takeDrop(event) {
  event.preventDefault();
  under(undefined);
  const place = placeOf(event);
  if (view === "busy") return;
  stop?.abort();
  stop = new AbortController();
  const { signal } = stop;
  const shown = busy(0);
  try {
    let told = performance.now();
    const files = await dropped(event.dataTransfer, (texts, total = 0) => {
      signal.throwIfAborted();
      if (performance.now() - told < 100) return;
      told = performance.now();
      shown.progress({ stage: "finding", texts, total });
    });
    shown.end();
    if (files.length > 0 && place === $("drop")) add(files);
    if (stop.signal === signal && view === "busy") shown.back(); // nothing is compared
    if (files.length > 0 && place !== $("drop")) takeSheet(files[0][1]);
  } catch (error) {
    shown.end();
    if (signal.aborted) return;
    if (view === "busy") shown.back();
    say([`a folder that was dropped cannot be read: ${error.message}`, "hint: “Choose a folder…” reads it, or drop it as a ZIP file"]);
  }
}

program.then(
  () => (document.body.dataset.ready = "yes"),
  (error) => say([], String(error.message)),
);
