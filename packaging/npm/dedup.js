#!/usr/bin/env node
// Runs the program of the package for this machine, which is an optional dependency of this package, with the
// same arguments and streams, and exits with its status or by the same signal.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const NAME = "dedup-text";

// Prints an error with a hint, and exits with the status of errors.
function fail(message, hint) {
  process.stderr.write(`dedup: ${message}\nhint: ${hint}\n`);
  process.exit(2);
}

// Returns the program of an installed package; undefined if the package or its program is missing.
function find(name) {
  const program = process.platform === "win32" ? "dedup.exe" : "dedup";
  try {
    const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), program);
    return fs.existsSync(file) ? file : undefined;
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

const known = Object.keys(require("./package.json").optionalDependencies);
const name = `${NAME}-${process.platform}-${process.arch}`;
if (!known.includes(name)) {
  fail(
    `no program for ${process.platform} on ${process.arch}, expected one of ${known.join(", ")}`,
    "cargo install builds it from source",
  );
}
const program = find(name);
if (program === undefined) {
  fail(
    `${name} is not installed`,
    `install ${NAME} again, with optional dependencies and for this system; or npm install --force ${name}`,
  );
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// What is sent to this process alone is meant for the program, which removes what it has half written.
// A terminal sends to both, and a second one does no harm.
const signals = process.platform === "win32" ? [] : ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"];
const handlers = signals.map((signal) => [signal, () => child.kill(signal)]);
for (const [signal, handler] of handlers) process.on(signal, handler);
// A terminal's Ctrl-C reaches the program by itself; this process is not to end before it.
if (process.platform === "win32") process.on("SIGINT", () => {});

child.on("error", (error) => fail(`${program}: ${error.message}`, `install ${NAME} again`));
child.on("exit", (status, signal) => {
  for (const [name, handler] of handlers) process.off(name, handler);
  if (signal) {
    process.kill(process.pid, signal);
    // One that does not end this process, as it does not on Windows.
    setTimeout(() => process.exit(2), 1000);
  } else {
    process.exit(status);
  }
});
