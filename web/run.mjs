// Runs dedup.wasm under node: `node --no-warnings --single-threaded-gc web/run.mjs dedup.wasm ARGUMENT…`.
//
// Without the second flag, node 20 crashes at exit, after all output was written, in nine of ten runs that
// take 100 MB. The program can access the working folder, as its root, and the folder of temporary files.
// The WASI implementation is that of node, not that of the page.
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
/** Opens a descriptor again if possible: that of node does not block when a pipe is full. */
function reopened(descriptor) {
  try {
    return openSync(`/dev/fd/${descriptor}`, "a");
  } catch {
    return descriptor;
  }
}

const wasi = new WASI({
  version: "preview1",
  args: ["dedup", ...args],
  env: process.env,
  stdout: reopened(1),
  stderr: reopened(2),
  preopens: { "/": process.cwd(), "/tmp": tmpdir() },
});
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
