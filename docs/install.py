#!/usr/bin/env python3
"""Time install.sh: from a release on a server of this machine to the first comparison.

Packs a program as a release has it, serves that, and runs the script into a new folder each time.

    python3 docs/install.py target/release/dedup [--runs 9]
"""

import argparse
import functools
import hashlib
import http.server
import os
import platform
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
# Which of them the script takes depends on glibc.
TARGETS = [f"{platform.machine()}-unknown-linux-{libc}" for libc in ("gnu", "musl")]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def seconds(command, **options):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, **options)
    assert done.returncode in (0, 1), done.stderr.decode()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    program = options.program.resolve()
    version = subprocess.run([program, "--version"], capture_output=True, check=True, text=True).stdout.split()[1]
    with tempfile.TemporaryDirectory() as place:
        release = Path(place, f"v{version}")
        for target in TARGETS:
            subprocess.run([TOP / ".ci/package", program, target, release], cwd=TOP, check=True, capture_output=True)
        archives = sorted(release.iterdir())
        sums = [f"{hashlib.sha256(it.read_bytes()).hexdigest()}  {it.name}\n" for it in archives]
        Path(release, "SHA256SUMS").write_text("".join(sums))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=place))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = os.environ | {"DEDUP_BASE_URL": f"http://127.0.0.1:{server.server_port}"}
        installs, checks = [], []
        for run in range(options.runs):
            folder = Path(place, f"installed{run}")
            script = ["sh", TOP / "install.sh", f"v{version}", folder]
            installs.append(seconds(script, env=environment))
            checks.append(seconds([folder / "dedup", "check", "docs"], cwd=TOP))
        server.shutdown()
        print(f"archive: {archives[0].stat().st_size / 1e6:.1f} MB")
        print(f"download, check, unpack, first start: {statistics.median(installs):.2f} s")
        print(f"then dedup check docs: {statistics.median(checks):.2f} s")


main()
