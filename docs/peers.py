#!/usr/bin/env python3
"""Scores other tools on labelled pairs; the results are in docs/accuracy.md.

    pip install datasketch==2.0.0 ppdeep==20260221 py-tlsh==5.0.0 scikit-learn==1.9.1 simhash==2.1.2
    peers.py NAME=FOLDER:YES[,YES]:NO[,NO] …

FOLDER contains `docs` and `pairs.tsv` (two names and a label per line). Each tool is scored with the limit
that is usual for it; with the one limit, of all scores that occur, that has the best mean F1 on these
very pairs, which flatters it; and held out: with the limit that is best on one half of the documents,
scored on the other, the mean of forty halves (those of `accuracy -- halves`).
"""
import pathlib
import re
import sys

import datasketch
import numpy
import ppdeep
import simhash
import tlsh
from sklearn.feature_extraction.text import TfidfVectorizer


def words(text):
    return re.findall(r"\w+", text.lower())


def grams(text, n=3):
    tokens = words(text)
    return {" ".join(tokens[at:at + n]) for at in range(len(tokens) - n + 1)}


def minhash(text):
    sketch = datasketch.MinHash(num_perm=128)
    for gram in grams(text):
        sketch.update(gram.encode())
    return sketch


def tlsh_of(text):
    code = tlsh.hash(text.encode())
    return None if code in ("", "TNULL") else code


def tlsh_near(left, right):
    return -tlsh.diffxlen(left, right) if left and right else -10_000


# name: the sketch of a text, the similarity of two sketches, the usual limit and its description
TOOLS = {
    "simhash 2.1.2, 64 bits of 3-grams, at most 3": (
        lambda text: simhash.Simhash(sorted(grams(text))), lambda a, b: -a.distance(b), -3),
    "MinHash of datasketch, 128 of 3-grams, at least 0.5": (minhash, lambda a, b: a.jaccard(b), 0.5),
    "ssdeep by ppdeep, at least 1": (ppdeep.hash, ppdeep.compare, 1),
    "TLSH, at most 70, lengths aside": (tlsh_of, tlsh_near, -70),
}


def rows_of(task):
    name, rest = task.split("=", 1)
    folder, yes, no = rest.split(":")
    folder, yes, no = pathlib.Path(folder), set(yes.split(",")), set(no.split(","))
    rows = [line.rstrip("\n").split("\t") for line in open(folder / "pairs.tsv", encoding="utf-8")]
    rows = [(a, b, label in yes) for a, b, label in rows if label in yes | no]
    names = sorted({name for a, b, _ in rows for name in (a, b)})
    read = lambda name: (folder / "docs" / name).read_text(encoding="utf-8", errors="replace")
    return name, rows, {name: read(name) for name in names}


def f1_of(scored, limits):
    """Returns F1 at each limit; 1 if nothing is found and there is nothing to find."""
    every = numpy.sort([near for near, *_ in scored])
    related = numpy.sort([near for near, label, *_ in scored if label])
    found = len(every) - numpy.searchsorted(every, limits)
    right = len(related) - numpy.searchsorted(related, limits)
    of = found + len(related)
    return numpy.where(of > 0, 2 * right / numpy.maximum(of, 1), 1.0)


def best_limit(by_task):
    """Returns the score with the best mean F1 as a limit; of equally good ones, the greatest."""
    limits = numpy.unique([near for scored in by_task for near, *_ in scored])[::-1]
    return limits[numpy.argmax(sum(f1_of(scored, limits) for scored in by_task))]


def half(number, name):
    """Returns the half that a document is in: FNV-1a of a number and its name."""
    code = 0xcbf29ce484222325
    for byte in f"{number}/{name}".encode():
        code = (code ^ byte) * 0x100000001b3 % 2**64
    return code >> 32 & 1


def held_out(by_task):
    """Returns for each task the mean F1 on a half of the documents, with the best limit of the other half."""
    figures = []
    for number in range(20):
        halves = [[[pair for pair in scored if half(number, pair[2]) == half(number, pair[3]) == side]
                   for scored in by_task] for side in (0, 1)]
        for chosen, other in (halves, halves[::-1]):
            limit = best_limit(chosen)
            figures.append([float(f1_of(scored, [limit])[0]) for scored in other])
    return numpy.mean(figures, axis=0).tolist()


def scores_of_tfidf(rows, texts):
    names = list(texts)
    matrix = TfidfVectorizer(sublinear_tf=True).fit_transform(texts.values())
    at = {name: place for place, name in enumerate(names)}
    return [(float(matrix[at[a]].multiply(matrix[at[b]]).sum()), label, a, b) for a, b, label in rows]


def main():
    tasks = [rows_of(task) for task in sys.argv[1:]]
    scored = {}
    for tool, (sketch, near, _) in TOOLS.items():
        scored[tool] = []
        for _, rows, texts in tasks:
            sketches = {name: sketch(text) for name, text in texts.items()}
            scored[tool].append([(near(sketches[a], sketches[b]), label, a, b) for a, b, label in rows])
    tfidf = "TF-IDF cosine of scikit-learn, at least 0.5"
    scored[tfidf] = [scores_of_tfidf(rows, texts) for _, rows, texts in tasks]
    usual = {tool: limit for tool, (_, _, limit) in TOOLS.items()} | {tfidf: 0.5}
    names = [name for name, _, _ in tasks]
    print("| tool and limit | " + " | ".join(names) + " | mean |\n|---" + "|---" * (len(names) + 1) + "|")
    for tool, by_task in scored.items():
        best = best_limit(by_task)
        rows = [(tool, [float(f1_of(scored, [usual[tool]])[0]) for scored in by_task]),
                (f"the same, best limit {abs(best):.3g}", [float(f1_of(scored, [best])[0]) for scored in by_task]),
                ("the same, held out", held_out(by_task))]
        for label, figures in rows:
            figures.append(sum(figures) / len(figures))
            print(f"| {label} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |", flush=True)


if __name__ == "__main__":
    main()
