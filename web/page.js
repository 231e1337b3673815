// The page: takes the files that are dropped, has a worker compare them, and shows the report.

const $ = (id) => document.getElementById(id);

/** The largest size of a file that is read, in bytes. The program reports larger ones. */
const MAX_BYTES = 50_000_000;

const ARCHIVE = /\.(zip|tar|tgz|tzst|tbz2?|txz|tar\.(gz|zst|zstd|bz2|xz))$/i;

// The program and its runs.

const bytesOf = (base64) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
};

const workerAddress = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));

/** Starts a worker; `receive` gets its messages. */
function startWorker(receive) {
  const worker = new Worker(workerAddress);
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => receive({ failed: event.message || "the worker did not start" });
  return worker;
}

/** The compiled program. */
const program = new Promise((resolve, reject) => {
  const packed = bytesOf($("program").textContent);
  const worker = startWorker(({ program, failed }) => {
    worker.terminate();
    if (program) resolve(program);
    else reject(new Error(failed));
  });
  worker.postMessage({ packed }, [packed.buffer]);
  $("program").remove();
});

/** The longest time in which a PDF must be read, in milliseconds. */
const PDF_TIME = 20_000;

/**
 * Runs the program on files, each given as `[path, blob]`; what it writes to the folder `outputs` is in `written`.
 * Aborting `signal` ends the run at once. If one PDF takes too long or all memory, the program is started again: it
 * refuses that one, and need not read the others again.
 * @returns {Promise<{ status?: number, broken: string, lines: string[], output: Uint8Array, written: Object }>}
 */
async function run(args, files, { outputs = "outputs", progress = () => {}, signal, pdfTime = PDF_TIME } = {}) {
  const compiled = await program;
  const pdfs = freeName("pdfs", new Set(files.map(([path]) => path.split("/")[0])));
  /** The texts of PDFs by their digests; that of one which ended a run stays empty. */
  const texts = new Map();
  for (;;) {
    signal?.throwIfAborted();
    let pdf, late, worker;
    const ended = new AbortController();
    try {
      const result = await new Promise((resolve, reject) => {
        worker = startWorker((message) => {
          if ("stage" in message) return progress(message);
          if (!("pdf" in message)) return message.result ? resolve(message.result) : reject(new Error(message.failed));
          texts.set(message.pdf, message.text);
          clearTimeout(late);
          pdf = message.text.length === 0 ? message.pdf : undefined;
          if (pdf) late = setTimeout(resolve, pdfTime);
        });
        signal?.addEventListener("abort", () => reject(signal.reason), { signal: ended.signal });
        const task = { args, outputs, pdfs, texts };
        sendFiles(worker, files, signal).then(() => worker.postMessage({ program: compiled, run: task }), reject);
      });
      if (result && !(result.broken && pdf)) return result;
    } finally {
      clearTimeout(late);
      ended.abort();
      worker.terminate();
    }
  }
}

/** The number of files in one message: each file from a disk blocks the page for a third of a millisecond. */
const FILES_PER_MESSAGE = 200;

async function sendFiles(worker, files, signal) {
  // For an empty file the name is enough.
  worker.postMessage({ files: files.filter(([, file]) => file.size === 0).map(([path]) => [path]) });
  const others = files.filter(([, file]) => file.size > 0);
  for (let at = 0; at < others.length; at += FILES_PER_MESSAGE) {
    worker.postMessage({ files: others.slice(at, at + FILES_PER_MESSAGE) });
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  }
}

// For scripts that drive the page, such as its tests.
globalThis.dedup = {
  run,
  /** The files that can be saved, each as `[name, bytes, type]`. */
  get saved() {
    return saved;
  },
};

// The files that were dropped.

/** The files that wait to be compared, by path. */
let waiting = new Map();
/** The files that the result belongs to, by path. */
let compared = new Map();
/**
 * The other files, by the field that takes them: assignment sheets, and texts of earlier years. Each as
 * `[path, file]`, with different paths.
 */
const others = { sheet: [], earlier: [] };
/** The folder of the other files for the program, and the flag that each is given with. */
const OTHERS = { sheet: ["assignment sheet", "--template"], earlier: ["earlier", "--earlier"] };

/** The names of the dropped folders that may have files which the browser did not list. */
const unsure = new Set();

const UNLISTED =
  'In a dropped folder, this browser leaves out files whose names contain ? : " | * < > or begin with a space, and some more. ' +
  "If there are such files, they were not compared. “Choose a folder…” on the first page reads all of them; a ZIP file has them, too.";

/** Returns a path that no waiting file has: two folders may have files of the same name. */
function freePath(path) {
  const [, stem, ending] = /^(.*?)(\.[^./]*)?$/s.exec(path);
  let free = path;
  for (let number = 2; waiting.has(free); number += 1) free = `${stem} (${number})${ending ?? ""}`;
  return free;
}

/** Returns a name that is not among `names`, so that no dropped file or folder has it. */
function freeName(name, names) {
  while (names.has(name)) name += "_";
  return name;
}

const isSame = (one, other) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

function add(files) {
  for (const [path, file] of files) {
    const there = waiting.get(path);
    if (there && isSame(there, file)) continue;
    waiting.set(freePath(path), file);
  }
  if (!isEnough(waiting) && view !== "start") {
    show("start");
    $("choose-files").focus();
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

/** The number of files that are opened concurrently; one after the other takes longer. */
const CONCURRENT_FILES = 64;

/**
 * Returns the files that were dropped, including those in folders, and whether there may be others in the folders.
 * @param report is called with the number of files found so far, and then with the number opened.
 */
async function dropped(transfer, report) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry?.isDirectory);
  if (folders.length === 0) return { files: [...transfer.files].map((file) => [file.name, file]), isUnsure: false };
  const found = [];
  // In a page that is opened from a disk, Chromium can read folders only by their handles, and these leave out
  // files with unusual names.
  const isUnsure = items.every((item) => item.getAsFileSystemHandle);
  if (isUnsure) {
    const handles = items.map((item) => item.getAsFileSystemHandle());
    for (const { name } of folders) unsure.add(name);
    for (const handle of await Promise.all(handles)) await walkHandle(handle, "", found, report);
  } else {
    for (const entry of entries) await walkEntry(entry, found, report);
  }
  const files = [];
  while (files.length < found.length) {
    const some = found.slice(files.length, files.length + CONCURRENT_FILES);
    files.push(...(await Promise.all(some.map(async ([path, open]) => [path, await open()]))));
    report(files.length, found.length);
  }
  return { files, isUnsure };
}

async function walkHandle(handle, folder, found, report) {
  const path = folder + handle.name;
  if (handle.kind === "file") {
    found.push([path, () => handle.getFile()]);
    report(found.length);
  } else {
    for await (const inner of handle.values()) await walkHandle(inner, `${path}/`, found, report);
  }
}

async function walkEntry(entry, found, report) {
  if (entry.isFile) {
    found.push([entry.fullPath.slice(1), () => new Promise((resolve, reject) => entry.file(resolve, reject))]);
    report(found.length);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) await walkEntry(inner, found, report);
  }
}

// Comparing.

/** What may be left out of the figures: the identifiers of the boxes are the values of --ignore. */
const IGNORED = ["quotes", "bibliography"];

const settingsNow = () => ({
  ...others,
  ignored: IGNORED.filter((id) => $(id).checked),
  level: new FormData($("settings")).get("level"),
  anonymous: $("anonymous").checked,
});

/** The settings of the shown result. */
let shownSettings;

/** The settings of the first page, while a result is shown that the browser went back or forward to. */
let startSettings;

function setSettings(settings) {
  for (const id of Object.keys(OTHERS)) setOthers(id, settings[id]);
  for (const id of IGNORED) $(id).checked = settings.ignored.includes(id);
  $("settings").elements.level.value = settings.level;
  $("anonymous").checked = settings.anonymous;
}

/** Sets the settings back to those of the shown result. */
const restoreSettings = () => setSettings(shownSettings);

/** Aborts the current run. */
let stop;

async function compare(files) {
  stop?.abort();
  stop = new AbortController();
  const { signal } = stop;
  say([]);
  const paths = [...files.keys()].sort();
  const settings = settingsNow();
  const isPair =
    paths.length === 2 && settings.earlier.length === 0 && !paths.some((path) => path.includes("/") || ARCHIVE.test(path));
  const tops = new Set(paths.map((path) => path.split("/")[0]));
  const outputs = freeName("outputs", tops);
  const args = isPair
    ? ["--report", `${outputs}/report.html`]
    : ["corpus", "--at-least", settings.level, "--format", `csv=${outputs}/pairs.csv`, "--report", `${outputs}/board.html`];
  args.push("--no-config", "--max-bytes", String(MAX_BYTES));
  if (settings.anonymous) args.push("--anonymous");
  const given = paths.map((path) => [path, files.get(path)]);
  if (settings.ignored.length > 0) args.push("--ignore", settings.ignored.join());
  for (const [id, [name, flag]] of Object.entries(OTHERS)) {
    const folder = freeName(name, tops);
    for (const [path, file] of settings[id]) {
      given.push([`${folder}/${path}`, file]);
      if (id === "sheet") args.push(flag, `${folder}/${path}`);
    }
    if (id === "earlier" && settings[id].length > 0) args.push(flag, folder);
  }
  args.push("--", ...tops);

  const total = paths.some((path) => ARCHIVE.test(path)) ? 0 : paths.length;
  const shown = busy(total);
  // A result stays, with its settings, if its texts cannot be compared with other ones.
  const fail = (lines, broken) => {
    if (files === compared) {
      shown.back();
      restoreSettings();
    } else {
      show("start");
    }
    say(lines, broken);
    $("messages").scrollIntoView({ block: "nearest" });
  };
  try {
    const result = await run(args, given, { outputs, progress: shown.progress, signal });
    result.lines = result.lines.map((line) => line.replaceAll(`: ${outputs}/`, ": ").replace(/^hint(?=: .*--)/, "hint for the installed program"));
    const page = withoutFlags(result.written["report.html"] ?? result.written["board.html"]);
    if (result.broken || !page) {
      fail(result.lines, result.broken);
    } else {
      if (files === waiting) {
        compared = waiting;
        waiting = new Map();
        showWaiting();
      }
      shownSettings = settings;
      startSettings = undefined;
      await showResult(result, page, isPair, tops);
    }
  } catch (error) {
    if (signal.aborted) return;
    fail([], String(error.message ?? error));
  } finally {
    shown.end();
  }
}

/** Says in a report that the flags which it names are those of the installed program: this page has none. */
function withoutFlags(page) {
  if (!page) return undefined;
  const text = new TextDecoder().decode(page);
  return new TextEncoder().encode(text.replaceAll(/(<span class="cure">What to do)(?=: [^<]*--)/g, "$1 with the installed program"));
}

const countOf = (texts, total) => `${texts.toLocaleString("en")} of ${total.toLocaleString("en")}`;

/** The description of each stage. */
const STAGES = {
  finding: (files, total) => (total > 0 ? `Opening the files: ${countOf(files, total)}` : `Looking for files: ${files.toLocaleString("en")}`),
  loading: (texts, total) => (total > 0 ? `Loading the files: ${countOf(texts, total)}` : "Loading the archive"),
  listing: () => "Looking for files",
  reading: (texts, total) => (total > 0 ? `Reading the texts: ${countOf(texts, total)}` : "Reading the archive"),
  settling: () => "Detecting the languages",
  joining: (texts) => `Looking for pairs${texts > 1 ? ` among ${count(texts, "text")}` : ""}`,
  judging: () => "Comparing the pairs, passage by passage",
};

/** Shows the progress of a run, unless it ends at once. */
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
    progress(message) {
      last = message;
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

/** Shows the messages of the program, and why it stopped if it did. */
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
    why.textContent = `The page stopped, probably because it ran out of memory (${broken}). The installed program can use all memory of the machine.`;
    box.append(why);
  }
}

// The result.

let saved = {};

async function showResult(result, page, isPair, tops) {
  const [name] = tops;
  const { anonymous } = shownSettings;
  const pair = anonymous ? "Left and right text" : [...tops].join(" and ");
  const what = isPair ? pair : tops.size === 1 ? name : count(tops.size, "file");
  const heading = $("result-heading");
  heading.textContent = what;
  const csv = result.written["pairs.csv"];
  saved = {
    html: [isPair ? "report.html" : "board.html", page, "text/html"],
    csv: csv && ["pairs.csv", csv, "text/csv"],
    key: result.written["board.key.csv"] && ["board.key.csv", result.written["board.key.csv"], "text/csv"],
  };
  $("save-csv").hidden = !saved.csv;
  $("save-csv").textContent = anonymous ? "Save as CSV, with names" : "Save as CSV";
  $("save-key").hidden = !saved.key;

  const lines = result.lines.filter((line) => !/^dedup: (report|key): (report\.html|board\.html|board\.key\.csv)$/.test(line));
  $("unlisted").textContent = [...tops].some((top) => unsure.has(top)) ? UNLISTED : "";
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
 * Shows a report in a frame. The base of its links is set to the address of the frame; otherwise the links
 * within a report would lead to this page.
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

/** Prints the whole report, not only its visible part. */
function print() {
  $("frame").firstElementChild.contentWindow.print();
}

/** The width of a sheet of A4 between its margins, in CSS pixels. */
const SHEET = 718;

/**
 * Makes the frame as high as its report is on paper. The menu of a browser prints this page, and the frame would
 * otherwise end with the visible part of the report.
 */
function unrollFrame() {
  const frame = $("frame").firstElementChild;
  if (view !== "result" || !frame) return;
  const { document } = frame.contentWindow;
  const lists = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.media));
  const were = lists.map((list) => list?.mediaText ?? "");
  const folded = document.querySelectorAll("details:not([open])");
  frame.style.flex = "none";
  frame.style.width = `${SHEET}px`;
  frame.style.height = "0";
  lists.forEach((list, at) => {
    if (were[at] === "print") list.mediaText = "all";
    else if (were[at].startsWith("screen")) list.mediaText = "not all";
  });
  for (const details of folded) details.open = true;
  // Fonts and margins differ on paper, so there is some space to spare: no line may be cut off.
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

// Views. The browser's back and forward buttons switch between them, and between the pairs of a report.

let view = "start";

function turnTo(name) {
  view = name;
  for (const other of ["start", "busy", "result"]) $(other).hidden = other !== name;
  const place = name === "result" ? $("again") : $("settings-place");
  if ($("settings").parentElement !== place) place.append($("settings"));
  $(name === "result" ? "notes" : "drop").before($("messages"));
  document.title = name === "result" ? `${$("result-heading").textContent} – dedup` : "dedup: find copied text";
}

/** Shows the first page or the result; messages belong to the view before. */
function turnPage(name) {
  say([]);
  if (name === "start" && startSettings) {
    setSettings(startSettings);
    startSettings = undefined;
  }
  turnTo(name);
}

function show(name) {
  turnPage(name);
  if (history.state?.view !== name) history.pushState({ view: name }, "");
}

history.replaceState({ view: "start" }, "");
addEventListener("popstate", ({ state }) => {
  stop?.abort();
  const isThere = state?.view === "result" && $("frame").firstElementChild;
  if (isThere) {
    if (view === "start") startSettings = settingsNow();
    restoreSettings();
  }
  turnPage(isThere ? "result" : "start");
});
addEventListener("beforeunload", (event) => {
  if (waiting.size > 0 || compared.size > 0) event.preventDefault();
});

// Buttons, and files that are dropped.

for (const [button, input] of [["choose-files", "files"], ["choose-folder", "folder"], ...Object.keys(OTHERS).map((id) => [`choose-${id}`, id])]) {
  $(button).addEventListener("click", () => $(input).click());
}
for (const input of [$("files"), $("folder")]) {
  input.addEventListener("change", () => {
    const files = [...input.files].map((file) => [file.webkitRelativePath || file.name, file]);
    for (const [path] of files) unsure.delete(path.split("/")[0]);
    add(files);
    input.value = "";
  });
}
for (const id of Object.keys(OTHERS)) {
  $(id).addEventListener("change", () => {
    addOthers(id, [...$(id).files].map((file) => [file.name, file]));
    $(id).value = "";
  });
  $(`no-${id}`).addEventListener("click", () => takeOthers(id, []));
}
$("compare").addEventListener("click", () => compare(waiting));
$("clear").addEventListener("click", () => {
  waiting = new Map();
  say([]);
  showWaiting();
  $("choose-files").focus();
});
$("cancel").addEventListener("click", () => {
  stop.abort();
  if (view === "result") restoreSettings();
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
  unsure.delete("samples");
  waiting = new Map(samples.map(([name, text]) => [`samples/${name}`, new File([bytesOf(text)], name)]));
  compare(waiting);
});

/** Compares the files of the shown result again. */
function again() {
  if (view === "result") compare(compared);
}

/** The largest number of other files that are named. */
const MAX_NAMED = 5;

function setOthers(id, files) {
  others[id] = files;
  const names = files.map(([path]) => path);
  const more = names.length - MAX_NAMED;
  $(`${id}-name`).textContent = more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${more} more` : names.join(", ");
  $(`no-${id}`).hidden = files.length === 0;
  $(`no-${id}`).textContent = files.length > 1 ? "Remove them" : "Remove it";
}

function takeOthers(id, files) {
  setOthers(id, files);
  again();
}

/** Adds other files; one takes the place of another of the same path. */
function addOthers(id, files) {
  if (files.length > 0) takeOthers(id, [...new Map([...others[id], ...files])]);
}

const places = () => [$("drop"), ...Object.keys(OTHERS).map((id) => $(`${id}-drop`))];
const placeOf = (event) => places().find((place) => place.contains(event.target)) ?? $("drop");

const under = (there) => {
  for (const place of places()) place.classList.toggle("under", place === there);
};

/** Accepts files that are dropped anywhere; otherwise the browser would open them in place of the page. */
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
    let lastReport = performance.now();
    const { files, isUnsure } = await dropped(event.dataTransfer, (texts, total = 0) => {
      signal.throwIfAborted();
      if (performance.now() - lastReport < 100) return;
      lastReport = performance.now();
      shown.progress({ stage: "finding", texts, total });
    });
    shown.end();
    if (files.length > 0 && place === $("drop")) add(files);
    if (stop.signal === signal && view === "busy") shown.back(); // nothing is compared
    if (place !== $("drop")) addOthers(place.id.replace("-drop", ""), files);
    if (files.length === 0 && isUnsure) say(["the browser lists no files in what was dropped", UNLISTED]);
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
