// Runs the program once: what it reads and writes lies in memory. The page ends the worker to end
// the run.

import { ConsoleStdout, Fd, WASI } from "@bjorn3/browser_wasi_shim";
import { DroppedFile, Folder, LentFolder, OpenWrittenFile, readAhead, WrittenFile } from "./files.js";

/** Milliseconds between two messages about how far it has come. */
const BETWEEN = 100;

/** The most bytes that are read before the run. */
const AHEAD = 100_000_000;

/** What the program tells of its stages on standard error, a line each. */
const STAGES = new Set(["listing", "reading", "settling", "joining", "judging", "writing", "sorting"]);

/** What was handed on so far, `[path, blob]` each; of an empty file the path alone. */
const files = [];

onmessage = async ({ data: { packed, program, files: more, run } }) => {
  try {
    if (packed) {
      const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      const wasm = new Response(unpacked, { headers: { "content-type": "application/wasm" } });
      postMessage({ program: await WebAssembly.compileStreaming(wasm) });
    }
    for (const file of more ?? []) files.push(file); // more than can be arguments
    if (run) await answer(program, run);
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};

/** Of `outputs`, the names of files, those are handed back that are there. */
async function answer(program, { args, outputs }) {
  let stage = "loading";
  let said = 0;
  let seen = new Set();
  const tell = (isDue) => {
    const now = performance.now();
    if (!isDue && now - said < BETWEEN) return;
    said = now;
    postMessage({ stage, texts: seen.size });
  };
  const opened = (file) => {
    seen.add(file);
    tell(false);
  };

  const dropped = [];
  const root = new Folder();
  root.folder("tmp");
  const empty = new Blob(); // one for all: to make it takes a third of a millisecond
  for (const [path, blob = empty] of files) {
    const folders = path.split("/");
    const name = folders.pop();
    const into = folders.reduce((folder, part) => folder.folder(part), root);
    const file = new DroppedFile(blob, opened);
    dropped.push(file);
    into.contents.set(name, file);
  }
  await readAhead(dropped, AHEAD, opened);
  seen = new Set();

  const lines = [];
  const output = new WrittenFile();
  const decoder = new TextDecoder();
  let begun = "";
  // It takes standard error for a terminal, so that it tells its stages.
  const errors = new ConsoleStdout((bytes) => {
    const whole = (begun + decoder.decode(bytes, { stream: true })).split("\n");
    begun = whole.pop();
    for (const line of whole) {
      if (STAGES.has(line)) {
        stage = line;
        tell(true);
      } else {
        lines.push(line);
      }
    }
  });
  const host = new WASI(
    ["dedup", ...args],
    ["NO_COLOR=1", "COLUMNS=80"],
    [new Fd(), new OpenWrittenFile(output), errors, new LentFolder("/", root)],
    { debug: false },
  );
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
  for (const name of outputs) {
    const file = root.contents.get(name);
    if (file) written[name] = file.data.slice();
  }
  const told = { status, broken, lines, output: output.data.slice(), written };
  postMessage({ told }, [told.output.buffer, ...Object.values(written).map((bytes) => bytes.buffer)]);
}
