#!/usr/bin/env python3
"""Times the installation of a release, from the file to the first comparison.

Packs a program like a release, serves it on this machine, and runs install.sh into a new folder each time. With
--debian ROOT, a folder created by debootstrap with curl, nodejs, npm and python3-pip, the archive, .deb, npm package
and wheel are each installed into a copy of it and run there; this needs root, cargo-deb, cargo-generate-rpm and the
page that web/build writes.

    python3 docs/install.py target/release/dedup [--runs 9] [--debian ROOT --wheel python/dist/….whl]
"""

import argparse
import functools
import hashlib
import http.server
import json
import os
import platform
import shutil
import statistics
import subprocess
import tarfile
import tempfile
import threading
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TARGET = f"{platform.machine()}-unknown-linux-musl"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def seconds(command, statuses=(0, 1), **options):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, **options)
    assert done.returncode in statuses, (command, done.stdout.decode(), done.stderr.decode())
    return time.perf_counter() - start


def serve(place):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=place))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def pack(program, release):
    subprocess.run([TOP / ".ci/package", program, TARGET, release], cwd=TOP, check=True, capture_output=True)
    archives = sorted(release.iterdir())
    sums = [f"{hashlib.sha256(it.read_bytes()).hexdigest()}  {it.name}\n" for it in archives]
    Path(release, "SHA256SUMS").write_text("".join(sums))
    return archives


def registry(release, place, url):
    """Writes the metadata of the npm packages of a folder, as in a registry."""
    for tarball in release.glob("dedup-text-*.tgz"):
        with tarfile.open(tarball) as held:
            package = json.load(held.extractfile("package/package.json"))
        package["dist"] = {"tarball": f"{url}/{release.relative_to(place)}/{tarball.name}"}
        version = package["version"]
        page = {"name": package["name"], "dist-tags": {"latest": version}, "versions": {version: package}}
        Path(place, package["name"]).write_text(json.dumps(page))


def size(folder):
    """Returns the size of a file system in bytes, counting hard links once."""
    found = {(it.lstat().st_ino, it.lstat().st_size) for it in folder.rglob("*") if it.is_file() and not it.is_symlink()}
    return sum(length for _, length in found)


def on_debian(root, program, wheel, version, place, release):
    url = serve(place)
    subprocess.run([TOP / ".ci/system-packages", program, TARGET, release], cwd=TOP, check=True, capture_output=True)
    subprocess.run([TOP / ".ci/npm", release], cwd=TOP, check=True, capture_output=True)
    registry(release, place, url)
    [deb] = release.glob("*.deb")
    shell = f"DEDUP_BASE_URL={url} sh /texts/install.sh v{version} /usr/local/bin"
    npm = f"npm install --global --no-audit --no-fund --registry {url} dedup-text"
    ways = [
        ("archive, by install.sh", shell, next(release.glob("*.tar.gz"))),
        (".deb, by dpkg", f"dpkg --install /texts/{deb.name}", deb),
        ("npm package", npm, next(release.glob("dedup-text-linux-*.tgz"))),
    ]
    if wheel:
        ways.append(("wheel, by pip", f"pip install --quiet --no-index --break-system-packages /texts/{wheel.name}", wheel))
    print("| way | file | installed | to install | `--version` | a pair | a folder |\n|---|---|---|---|---|---|---|")
    for name, command, file in ways:
        copy = Path(place, "root")
        subprocess.run(["cp", "-a", root, copy], check=True)
        shutil.copytree(TOP / "docs", copy / "texts/docs")
        for it in (file, TOP / "packaging/install.sh", TOP / "samples/layout_1.txt", TOP / "samples/layout_2.txt"):
            shutil.copy(it, copy / "texts")
        before = size(copy)
        times = []
        for line in (
            command,
            "dedup --version",
            "dedup /texts/layout_1.txt /texts/layout_2.txt",
            "dedup check /texts/docs",
        ):
            times.append(seconds(["chroot", copy, "sh", "-c", line], (0,)))
            if line == command:
                grown = size(copy) - before
        cells = " | ".join(f"{it:.2f} s" for it in times)
        print(f"| {name} | {file.stat().st_size / 1e6:.1f} MB | {grown / 1e6:.1f} MB | {cells} |")
        shutil.rmtree(copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--debian", type=Path, metavar="ROOT")
    parser.add_argument("--wheel", type=Path)
    options = parser.parse_args()
    program = options.program.resolve()
    version = subprocess.run([program, "--version"], capture_output=True, check=True, text=True).stdout.split()[1]
    with tempfile.TemporaryDirectory() as place:
        release = Path(place, f"v{version}")
        archives = pack(program, release)
        if options.debian:
            on_debian(options.debian, program, options.wheel, version, place, release)
            return
        environment = os.environ | {"DEDUP_BASE_URL": serve(place)}
        installs, checks = [], []
        for run in range(options.runs):
            folder = Path(place, f"installed{run}")
            script = ["sh", TOP / "packaging/install.sh", f"v{version}", folder]
            installs.append(seconds(script, env=environment))
            checks.append(seconds([folder / "dedup", "check", "docs"], cwd=TOP))
        print(f"archive: {archives[0].stat().st_size / 1e6:.1f} MB")
        print(f"download, check, unpack, first start: {statistics.median(installs):.2f} s")
        print(f"then dedup check docs: {statistics.median(checks):.2f} s")


main()
