#!/usr/bin/env python3
"""Precision and recall of reworded passages at each limit: the rule of src/passages/reworded.rs in plain Python.

    reworded.py DEDUP FOLDER YES[,YES] NO[,NO]

FOLDER contains `docs` and `pairs.tsv`, as docs/pairs.py writes them. The program DEDUP finds exact and edited passages
and computes the Jaccard index; the rest is computed here. A pair is found if it has a passage of any kind or a
Jaccard index of at least 0.12. The pairs are halved by the second text's last letter but for its ending, which
is the question in clough: every other one is in the first half.
"""
import collections
import json
import math
import pathlib
import re
import subprocess
import sys

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
END = re.compile(r"[.!?…]\S*\s|[。！？｡<>{}=|/\\]|\n[^\S\n]*\n")
LONGEST, SENTENCE, MOST, COMMON, SEEDS, APART, LEAST = 60, 20, 6, 100, 16, 400, 4
LIMITS = (20, 30, 36, 40, 44, 48, 52, 56, 60, 64, 70, 80)


def words_of(path):
    """Returns the words of a text, their byte ranges, and the indices of those that begin a sentence."""
    text = path.read_text(encoding="utf-8", errors="replace")
    words, spans, starts, end, before = [], [], [], 0, 0
    for match in WORD.finditer(text):
        if not words or END.search(text[end:match.start()]):
            starts.append(len(words))
        before += len(text[end:match.start()].encode())
        spans.append((before, before + len(match.group().encode())))
        before, end = spans[-1][1], match.end()
        words.append(match.group().lower())
    return words, spans, starts


def scores(paths, taken):
    """Returns the score, in bits, of the best neighbouring sentences of two texts; 0 if there are none."""
    texts = [words_of(path) for path in paths]
    counts = [collections.Counter(words) for words, _, _ in texts]
    both = counts[0] + counts[1]
    total = sum(both.values())
    weight = {word: min(MOST, math.floor(4 * math.log2(1 + total / (SENTENCE * n))) / 4) for word, n in both.items()}
    common = {word for word, n in both.items() if n * COMMON >= total}
    share = sum(both[word] for word in common) / total if total else 0

    sentences = []
    for (words, spans, starts), ranges in zip(texts, taken):
        is_free = [not any(a < end and start < b for a, b in ranges) for start, end in spans]
        begins = set(starts) | {at for at in range(1, len(words)) if is_free[at] != is_free[at - 1]}
        found, at = [], 0
        while at < len(words):
            end = at + 1
            while end < len(words) and end not in begins and end - at < LONGEST:
                end += 1
            if is_free[at] and 2 * sum(word in common for word in words[at:end]) >= share * (end - at):
                found.append((at, end))
            at = end
        sentences.append(found)
    bags = [[set(words[a:b]) for a, b in found] for (words, _, _), found in zip(texts, sentences)]
    free = [collections.Counter(word for a, b in found for word in words[a:b])
            for (words, _, _), found in zip(texts, sentences)]

    seeds = collections.Counter()
    for word in free[0].keys() & free[1].keys():
        if free[0][word] * free[1][word] <= SEEDS:
            seeds.update((i, j) for i, left in enumerate(bags[0]) if word in left
                         for j, right in enumerate(bags[1]) if word in right)

    def around(side, at):
        found = sentences[side]
        follows = [k > 0 and found[k - 1][1] == found[k][0] for k in (at, at + 1) if k < len(found)] + [False]
        return [(at, at + 1)] + [(at, at + 2)] * follows[1] + [(at - 1, at + 1)] * follows[0]

    groups = {}
    for (i, j), count in seeds.items():
        for left in around(0, i) if count >= 2 else []:
            for right in around(1, j):
                one, other = (set().union(*bags[side][a:b]) for side, (a, b) in enumerate((left, right)))
                bits = sum(weight[word] for word in one & other) - sum(weight[word] for word in one ^ other) / 8
                if bits >= LEAST:
                    groups[left, right] = bits
    chosen = []
    for (left, right), bits in sorted(groups.items(), key=lambda group: (-group[1], group[0])):
        if all(left[1] <= a[0] or a[1] <= left[0] for a, _, _ in chosen) \
                and all(right[1] <= b[0] or b[1] <= right[0] for _, b, _ in chosen):
            chosen.append((left, right, bits))

    def place(side, group):
        return sentences[side][group[side][0]][0], sentences[side][group[side][1] - 1][1]

    def are_neighbours(one, other):
        for side in (0, 1):
            here, there = place(1 - side, one), place(1 - side, other)
            if place(side, one)[1] == place(side, other)[0] and max(here[0] - there[1], there[0] - here[1]) <= APART:
                return True
        return False

    best, left_over = 0, list(chosen)
    while left_over:
        team, queue = [], [left_over.pop()]
        while queue:
            one = queue.pop()
            team.append(one)
            near = [it for it in left_over if are_neighbours(one, it) or are_neighbours(it, one)]
            left_over = [it for it in left_over if it not in near]
            queue += near
        if all(sum(it[side][1] - it[side][0] for it in team) >= 2 for side in (0, 1)):
            best = max(best, sum(bits for _, _, bits in team))
    return best


def main():
    program, folder, yes, no = sys.argv[1:]
    folder, labels = pathlib.Path(folder), {**dict.fromkeys(yes.split(","), True), **dict.fromkeys(no.split(","), False)}
    pairs = []
    for line in (folder / "pairs.tsv").read_text().splitlines():
        left, right, label = line.split("\t")[:3]
        if label not in labels:
            continue
        paths = [folder / "docs" / left, folder / "docs" / right]
        answer = json.loads(subprocess.run([program, *paths, "--format", "json"], capture_output=True).stdout)
        others = [found for found in answer["matches"] if found["kind"] != "reworded"]
        if others or answer["measures"]["jaccard"] >= 0.12:
            bits = math.inf
        else:
            bits = scores(paths, [[found[side]["byte"] for found in others] for side in "ab"])
        pairs.append((bits, labels[label], right.rpartition(".")[0][-1]))
    names = sorted({half for _, _, half in pairs})
    halves = [("all", names), (",".join(names[::2]), names[::2]), (",".join(names[1::2]), names[1::2])]
    print("| bits |" + "".join(f" {name}: found, wrong, F1 |" for name, _ in halves))
    print("|---|" + "---|" * len(halves))
    for limit in LIMITS:
        cells = []
        for _, half in halves:
            of_half = [(bits >= limit, is_yes) for bits, is_yes, it in pairs if it in half]
            right = sum(found and is_yes for found, is_yes in of_half)
            wrong = sum(found and not is_yes for found, is_yes in of_half)
            related = sum(is_yes for _, is_yes in of_half)
            cells.append(f" {right}, {wrong}, {2 * right / max(related + right + wrong, 1):.3f} |")
        print(f"| {limit} |" + "".join(cells))


if __name__ == "__main__":
    main()
