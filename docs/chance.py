#!/usr/bin/env python3
"""How often pieces of one half of a long text match the other half by chance (docs/accuracy.md).

    chance.py DEDUP TEXT

Draws 1,000 pieces of each kind, always the same ones, and has them compared by `DEDUP corpus --against`.
"""
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def verdicts(dedup, pieces, long):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        lines = (json.dumps({"id": str(at), "text": piece}) + "\n" for at, piece in enumerate(pieces))
        (folder / "pieces.jsonl").write_text("".join(lines), encoding="utf-8")
        (folder / "long.txt").write_text(long, encoding="utf-8")
        line = [dedup, "corpus", "--jsonl", folder / "pieces.jsonl", "--against", folder / "long.txt"]
        run = subprocess.run([*line, "--at-least", "partial", "--lang", "en", "--format", "jsonl"], stdout=subprocess.PIPE)
    if run.returncode > 1:
        sys.exit(f"{dedup}: status {run.returncode}")
    found = collections.Counter(json.loads(pair)["verdict"] for pair in run.stdout.splitlines())
    return {"different": len(pieces) - sum(found.values()), **found}


def main():
    dedup, name = sys.argv[1:]
    chance = random.Random(1)
    words = re.findall(r"\S+\s*", pathlib.Path(name).read_text(encoding="utf-8"))
    halves = [words[:len(words) // 2], words[len(words) // 2:]]

    def stretch(of, least, most):
        length = chance.randint(least, most)
        start = chance.randrange(len(of) - length)
        return "".join(of[start:start + length])

    for least, most in ((20, 1000), (5, 20)):
        found = verdicts(dedup, [stretch(halves[0], least, most) for _ in range(1000)], "".join(halves[1]))
        print(f"{least} to {most} words, against the other half: {found}", flush=True)
    pieces = [f"{stretch(halves[0], 75, 75)}{stretch(halves[1], 150, 150)}{stretch(halves[0], 75, 75)}"
              for _ in range(1000)]
    found = verdicts(dedup, pieces, "".join(halves[1]))
    print(f"150 words of the other half between twice 75 of this one, against the other half: {found}")


if __name__ == "__main__":
    main()
