#!/usr/bin/env python3
"""Times several programs that deduplicate a file of records, and counts the copies that each leaves.

    pip install rensa datasketch text-dedup
    python3 docs/rivals.py target/release/dedup docs.jsonl

`docs.jsonl` has records with `id` and `text`, such as those of `python3 integrations/texts.py 100000`. Each program reads
them and writes those that it keeps; programs that are not installed are skipped. Of each text all but its words is taken out first,
so that all programs have the same words. A copy is a text of which the word 3-grams, in
lower case, have a Jaccard index of 0.8 or more with those of another. Which texts are, is found exactly, by a plain
join here, that knows nothing of `dedup`. Of a program are printed

    recall    pairs of copies of which it keeps one at most, of all such pairs
    lost      texts that it removes although they are no copy of any other
    s, MB     seconds of the clock, of the processor, and the most memory at a time, from start to end
"""
import collections
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LIMIT, PERMUTATIONS, NGRAM = 0.8, 128, 3
WORD = re.compile(r"\w+")


def shingles(text):
    words = WORD.findall(text.lower())
    return {" ".join(words[at:at + NGRAM]) for at in range(len(words) - NGRAM + 1)}


def records(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield line, json.loads(line)


# The programs. Each runs in its own process: rivals.py --run NAME DOCS OUT.

def run_datasketch(docs, out):
    from datasketch import MinHash, MinHashLSH
    lsh = MinHashLSH(threshold=LIMIT, num_perm=PERMUTATIONS)
    with open(out, "w", encoding="utf-8") as kept:
        for at, (line, record) in enumerate(records(docs)):
            sketch = MinHash(num_perm=PERMUTATIONS)
            sketch.update_batch([shingle.encode() for shingle in shingles(record["text"])])
            if not lsh.query(sketch):
                lsh.insert(at, sketch)
                kept.write(line)


def run_rensa(docs, out):
    from rensa import RMinHash, RMinHashDeduplicator
    index = RMinHashDeduplicator(threshold=LIMIT, num_perm=PERMUTATIONS, use_lsh=True, seed=42)
    with open(out, "w", encoding="utf-8") as kept:
        for at, (line, record) in enumerate(records(docs)):
            sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
            sketch.update(list(shingles(record["text"])))
            if index.add(str(at), sketch):
                kept.write(line)


def run_text_dedup(docs, out):
    folder = out + ".folder"
    subprocess.run(
        [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", docs, "--split", "train",
         "--column", "text", "--output", folder, "--cache_dir", folder + ".cache", "--ngram", str(NGRAM),
         "--min_length", "0", "--threshold", str(LIMIT), "--num_perm", str(PERMUTATIONS), "--hash_func", "xxh3"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    import datasets
    datasets.load_from_disk(folder).to_json(out)


RUNS = {"datasketch": run_datasketch, "rensa": run_rensa, "text_dedup": run_text_dedup}


# The expected pairs.

def copies(texts):
    """Returns all pairs of copies, by prefix filtering (Chaudhuri, Ganti and Kaushik 2006): with the rarest shingles
    first, two texts that reach the limit share one of the first few shingles of either."""
    counts, numbers = collections.Counter(), {}
    sets = []
    for text in texts:
        of_text = {numbers.setdefault(shingle, len(numbers)) for shingle in shingles(text)}
        counts.update(of_text)
        sets.append(of_text)
    index, pairs = collections.defaultdict(list), set()
    for right in sorted(range(len(sets)), key=lambda at: len(sets[at])):
        rare = sorted(sets[right], key=lambda shingle: (counts[shingle], shingle))
        size, met = len(rare), set()
        for shingle in rare[:size - -(-int(LIMIT * 1000) * size // 1000) + 1]:
            met.update(left for left in index[shingle] if len(sets[left]) >= LIMIT * size)
            index[shingle].append(right)
        for left in met:
            shared = len(sets[left] & sets[right])
            if shared >= LIMIT * (len(sets[left]) + size - shared):
                pairs.add((min(left, right), max(left, right)))
    return pairs


def measure(command):
    """Returns the elapsed time and the processor time in seconds, and the peak memory in megabytes."""
    before = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - before
    if status:
        sys.exit(f"rivals.py: {' '.join(map(str, command))}: ended with {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def main(dedup, docs):
    with tempfile.TemporaryDirectory() as folder:
        given, docs = docs, str(pathlib.Path(folder, "docs.jsonl"))
        with open(docs, "w", encoding="utf-8") as plain:
            for _, record in records(given):
                text = " ".join(WORD.findall(record["text"].lower()))
                plain.write(json.dumps({"id": record["id"], "text": text}) + "\n")
        own = [dedup, "corpus", "--jsonl", docs, "--stopwords", "off", "--stem", "off", "--min", NGRAM, "--max", NGRAM,
               "--hamming", "off", "--jaccard", LIMIT, "--keep", "first", "--no-config", "--output"]
        runs = {"dedup": list(map(str, own))}
        for name in RUNS:
            if importlib.util.find_spec(name):
                runs[name] = [sys.executable, __file__, "--run", name, docs]
        # Before the texts are read here, because a child process starts with the memory of its parent.
        outs = {name: str(pathlib.Path(folder, name + ".jsonl")) for name in runs}
        costs = {name: measure([*command, outs[name]]) for name, command in runs.items()}
        texts, numbers = [], {}
        for _, record in records(docs):
            numbers[record["id"]] = len(texts)
            texts.append(record["text"])
        pairs = copies(texts)
        paired = {text for pair in pairs for text in pair}
        print(f"{len(texts)} texts, {len(pairs)} pairs of copies with a Jaccard index of {LIMIT} or more")
        print(f"{'':12} {'s':>7} {'s of CPU':>9} {'MB':>6} {'recall':>8} {'lost':>6} {'kept':>7}")
        for name, (seconds, processor, megabytes) in costs.items():
            kept = {numbers[record["id"]] for _, record in records(outs[name])}
            left = sum(left in kept and right in kept for left, right in pairs)
            lost = sum(at not in kept and at not in paired for at in range(len(texts)))
            recall = 1 - left / len(pairs) if pairs else 1
            print(f"{name:12} {seconds:7.1f} {processor:9.1f} {megabytes:6.0f} {recall:8.4f} {lost:6} {len(kept):7}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        RUNS[sys.argv[2]](*sys.argv[3:])
    elif len(sys.argv) == 3:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
