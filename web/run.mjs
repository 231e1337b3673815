// dedup.wasm under node: `node --no-warnings --single-threaded-gc web/run.mjs dedup.wasm ARGUMENT…`.
//
// Without the second flag node 20 breaks down when it ends, behind all of the output: nine times in ten after a run
// that took 100 MB.
// The working folder is lent to the program as its root, and nothing else but the folder of temporary
// files. Under it stands node's own WASI, not the page's.
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
/** A descriptor opened anew, where it can be: node's own does not wait for whoever reads a pipe. */
function anew(descriptor) {
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
  stdout: anew(1),
  stderr: anew(2),
  preopens: { "/": process.cwd(), "/tmp": tmpdir() },
});
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
