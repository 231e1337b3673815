// Runs the program once, with all of its files in memory. To abort the run, the page terminates the worker.

import { ConsoleStdout, Fd, WASI } from "@bjorn3/browser_wasi_shim";
import { DroppedFile, Folder, OpenWrittenFile, PreopenedFolder, readAhead, WrittenFile } from "./files.js";

/** The time between two progress messages, in milliseconds. */
const PROGRESS_INTERVAL = 100;

/** The largest number of bytes that are read before the run. */
const MAX_BYTES_AHEAD = 100_000_000;

/** The names of the stages, which the program writes to standard error, one per line. */
const STAGES = new Set(["listing", "reading", "settling", "joining", "judging", "writing", "sorting"]);

/** The files received so far, each as `[path, blob]`; an empty file as `[path]`. */
const files = [];

onmessage = async ({ data: { packed, program, files: more, run } }) => {
  try {
    if (packed) {
      const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      const wasm = new Response(unpacked, { headers: { "content-type": "application/wasm" } });
      postMessage({ program: await WebAssembly.compileStreaming(wasm) });
    }
    for (const file of more ?? []) files.push(file); // there may be too many for the arguments of one call
    if (run) await answer(program, run);
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};

/**
 * Runs the program and posts its results, with the files that it writes to the folder `outputs`. In the folder `pdfs` it
 * keeps the texts of PDFs; those known so far are `texts`, and each is posted when its file is created and when it is written.
 */
async function answer(program, { args, outputs, pdfs, texts }) {
  let stage = "loading";
  let lastReport = 0;
  let seen = new Set();
  const report = (isDue) => {
    const now = performance.now();
    if (!isDue && now - lastReport < PROGRESS_INTERVAL) return;
    lastReport = now;
    postMessage({ stage, texts: seen.size });
  };
  const opened = (file) => {
    seen.add(file);
    report(false);
  };

  const droppedFiles = [];
  const root = new Folder();
  root.folder("tmp");
  const outputFolder = root.folder(outputs);
  const pdfFolder = new Folder((pdf, text) => postMessage({ pdf, text: text.slice() }));
  root.contents.set(pdfs, pdfFolder);
  for (const [pdf, text] of texts) {
    const file = new WrittenFile();
    file.write(text, 0);
    pdfFolder.contents.set(pdf, file);
  }
  const empty = new Blob(); // shared: creating one takes a third of a millisecond
  for (const [path, blob = empty] of files) {
    const folders = path.split("/");
    const name = folders.pop();
    const into = folders.reduce((folder, part) => folder.folder(part), root);
    const file = new DroppedFile(blob, opened);
    droppedFiles.push(file);
    into.contents.set(name, file);
  }
  await readAhead(droppedFiles, MAX_BYTES_AHEAD, opened);
  seen = new Set();

  const lines = [];
  const output = new WrittenFile();
  const decoder = new TextDecoder();
  let begun = "";
  // Standard error looks like a terminal, so that the program writes the names of its stages.
  const errors = new ConsoleStdout((bytes) => {
    const whole = (begun + decoder.decode(bytes, { stream: true })).split("\n");
    begun = whole.pop();
    for (const line of whole) {
      if (STAGES.has(line)) {
        stage = line;
        report(true);
      } else {
        lines.push(line);
      }
    }
  });
  const host = new WASI(
    ["dedup", ...args],
    ["NO_COLOR=1", "COLUMNS=80", `DEDUP_PDFS=/${pdfs}`],
    [new Fd(), new OpenWrittenFile(output), errors, new PreopenedFolder("/", root)],
    { debug: false },
  );
  // The shim counts the UTF-16 units of the arguments, but writes UTF-8, so that names would overflow the buffer.
  host.wasiImport.args_sizes_get = (countAt, sizeAt) => {
    const memory = new DataView(instance.exports.memory.buffer);
    const encoder = new TextEncoder();
    memory.setUint32(countAt, host.args.length, true);
    memory.setUint32(sizeAt, host.args.reduce((size, arg) => size + encoder.encode(arg).length + 1, 0), true);
    return 0;
  };
  const imports = { wasi_snapshot_preview1: host.wasiImport };
  const instance = await WebAssembly.instantiate(program, imports);
  let status;
  let broken = "";
  try {
    status = host.start(instance);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    broken = String(error);
  }
  if (begun) lines.push(begun);
  const written = {};
  for (const [name, file] of outputFolder.contents) written[name] = file.data.slice();
  const result = { status, broken, lines, output: output.data.slice(), written };
  postMessage({ result }, [result.output.buffer, ...Object.values(written).map((bytes) => bytes.buffer)]);
}
