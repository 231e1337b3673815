#!/usr/bin/env python3
"""Extracts the labelled pairs of docs/accuracy.md from clones of their repositories.

    pairs.py CLONES OUT [SET …]

For each SET of examples/accuracy/sets (by default all), it writes `docs` and `pairs.tsv` (two names and a label
per line) to OUT/SET. CLONES contains the repositories, named OWNER+NAME, with their history; for a missing one,
the command that clones it is printed. The files of a set define its texts and pairs:

    source  KEY  OWNER/NAME  COMMIT          a repository, and the commit that has all that is wanted of it
    text    NAME  KEY  BLOB  PART            a file by git's own digest, and which part of it
    pair    NAME  NAME  LABEL

A part is `whole`; `body`, behind the front matter; `line N`, in articles behind its first word;
`section N`, of those that begin with `## `, without that; or an encoding that the whole file is in.
"""
import pathlib
import re
import subprocess
import sys

SETS = pathlib.Path(__file__).resolve().parent.parent / "examples" / "accuracy" / "sets"


def blob(clone, name):
    run = subprocess.run(["git", "-C", clone, "cat-file", "blob", name], capture_output=True)
    if run.returncode:
        sys.exit(f"{clone}: {name}: {run.stderr.decode(errors='replace').strip()}")
    return run.stdout


def part_of(content, part, key):
    kind, _, number = part.partition(" ")
    if kind == "whole":
        return content
    if kind == "body":
        return re.split(rb"\n---+[ \t]*\r?\n", content, maxsplit=1)[1]
    if kind == "line":
        line = content.splitlines()[int(number) - 1]
        return line.partition(b" ")[2] if key == "mccormick" else line
    if kind == "section":
        return re.split(rb"(?m)^(?=## )", content)[int(number)].removeprefix(b"## ")
    return content.decode(kind).encode()


def main():
    clones, out, *names = sys.argv[1:]
    for listed in sorted(SETS.glob("*.tsv")):
        if names and listed.stem not in names:
            continue
        folder = pathlib.Path(out) / listed.stem
        (folder / "docs").mkdir(parents=True, exist_ok=True)
        sources, known, pairs = {}, {}, []
        for line in listed.read_text(encoding="utf-8").splitlines():
            what, *cells = line.split("\t")
            if what == "source":
                key, repository, commit = cells
                sources[key] = pathlib.Path(clones) / repository.replace("/", "+")
                if not sources[key].exists():
                    sys.exit(f"wanted: git clone --bare https://github.com/{repository} {sources[key]}  # has {commit}")
            elif what == "text":
                name, key, digest, part = cells
                if digest not in known:
                    known[digest] = blob(sources[key], digest)
                (folder / "docs" / name).write_bytes(part_of(known[digest], part, key))
            else:
                pairs.append("\t".join(cells) + "\n")
        (folder / "pairs.tsv").write_text("".join(pairs), encoding="utf-8")
        print(f"{folder}: {len(pairs)} pairs of {len(list((folder / 'docs').iterdir()))} texts")


if __name__ == "__main__":
    main()
