#!/usr/bin/env node
// Runs the program of the package for this machine, which is an optional dependency of this package, with the
// same arguments and streams, and exits with its status or by the same signal.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const NAME = "dedup-text";
// The version of glibc that the packages for glibc need.
const GLIBC = [2, 35];

// Prints an error with a hint, and exits with the status of errors.
function fail(message, hint) {
  process.stderr.write(`dedup: ${message}\nhint: ${hint}\n`);
  process.exit(2);
}

// Checks whether glibc is new enough for the packages for glibc.
function hasNewGlibc() {
  process.report.excludeNetwork = true;
  const version = process.report.getReport().header.glibcVersionRuntime;
  if (!version) return false;
  const [major, minor] = version.split(".").map(Number);
  return major > GLIBC[0] || (major === GLIBC[0] && minor >= GLIBC[1]);
}

// Returns the packages whose program runs here, the preferred one first.
function packages() {
  const machine = `${NAME}-${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [machine];
  // The program for musl is static, so it also runs with an older glibc.
  return hasNewGlibc() ? [`${machine}-gnu`, `${machine}-musl`] : [`${machine}-musl`];
}

function find(names) {
  const program = process.platform === "win32" ? "dedup.exe" : "dedup";
  for (const name of names) {
    try {
      const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), program);
      if (fs.existsSync(file)) return file;
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

const known = Object.keys(require("./package.json").optionalDependencies);
const names = packages();
const wanted = names.filter((name) => known.includes(name));
if (wanted.length === 0) {
  fail(
    `no program for ${process.platform} on ${process.arch}, expected one of ${known.join(", ")}`,
    "cargo install builds it from source",
  );
}
const program = find(wanted);
if (program === undefined) {
  fail(
    `${wanted.join(" or ")} is not installed`,
    `install ${NAME} again, with optional dependencies and for this system; or npm install --force ${wanted.at(-1)}`,
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
