#!/usr/bin/env python3
"""Tests `dedup check --since` on the history of a repository, and times it.

Creates a git repository of Markdown files with commits that edit, rename, remove and add files, some of
which copy a file or a part of one. With --touch, they also edit what files share: they change a word of one
copy, correct it in all, or delete a sentence. For each commit, `--since HEAD~1` must report exactly the pairs
that the commit created. Then both runs are timed, alternately.

    python3 docs/since.py target/release/dedup [--files 1000] [--commits 50] [--seed 1] [--runs 3] [--touch]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

WORDS_OF_A_PARAGRAPH = 60
PARAGRAPHS = (5, 15)
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "or")]
MOST_TOUCHED = 3  # edits of a paragraph in all of its copies, so that they still share 12 words in a row


class Paragraph:
    """The sentences of a paragraph. Copies of it, edited or not, have the same origin."""

    made = 0

    def __init__(self, sentences, origin=None):
        Paragraph.made += 1
        self.sentences, self.origin = sentences, origin or Paragraph.made

    def edited(self, sentences):
        return Paragraph([it for it in sentences if it], self.origin)

    def __str__(self):
        return "\n".join(self.sentences)


class Repository:
    """Files as lists of paragraphs; two files share only copied paragraphs."""

    def __init__(self, folder, random_source, files, touches):
        self.folder, self.random = folder, random_source
        self.kinds = ["edit", "edit", "append", "rename", "move", "add", "remove"] + ["touch"] * touches
        self.texts, self.made, self.touched = {}, 0, {}
        vocabulary = {"".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))) for _ in range(9000)}
        self.vocabulary = sorted(vocabulary)
        # Word frequencies are skewed, as in any language.
        self.weights = [1 / (rank + 10) for rank in range(len(self.vocabulary))]
        for _ in range(files):
            self.write(self.new_name(), self.new_text())

    def paragraph(self):
        words = self.random.choices(self.vocabulary, self.weights, k=WORDS_OF_A_PARAGRAPH)
        sentences = [" ".join(words[at : at + 12]).capitalize() + "." for at in range(0, len(words), 12)]
        return Paragraph(sentences)

    def new_text(self):
        return [self.paragraph() for _ in range(self.random.randint(*PARAGRAPHS))]

    def new_name(self):
        self.made += 1
        return f"docs/part{self.made % 20}/page{self.made:05}.md"

    def write(self, name, paragraphs):
        self.texts[name] = paragraphs
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n\n" + "\n\n".join(map(str, paragraphs)) + "\n")

    def remove(self, name):
        (self.folder / name).unlink()
        return self.texts.pop(name)

    def new_name_of(self, name):
        new = self.new_name()
        self.write(new, self.remove(name))
        return new

    def pick(self):
        return self.random.choice(sorted(self.texts))

    def sharing(self, paragraphs, but):
        """Returns the other files that have one of these paragraphs, edited or not."""
        own = {it.origin for it in paragraphs}
        return {name for name, text in self.texts.items() if name != but and own & {it.origin for it in text}}

    def touch(self):
        """Edits a copied paragraph: in one file, or alike in all."""
        copied = [
            (name, it)
            for name, text in sorted(self.texts.items())
            for it in text
            if self.touched.get(it.origin, 0) < MOST_TOUCHED and self.sharing([it], name)
        ]
        if not copied:
            return
        name, paragraph = self.random.choice(copied)
        self.touched[paragraph.origin] = self.touched.get(paragraph.origin, 0) + 1
        kind = self.random.choice(["word", "sentence", "correct"])
        sentence = self.random.choice(paragraph.sentences)
        if kind == "sentence":
            edit = {sentence: ""}
        else:
            word = self.random.choice(sentence.split())
            edit = {sentence: sentence.replace(word, f"new{self.made}", 1)}
        names = self.sharing([paragraph], None) if kind == "correct" else [name]
        for name in sorted(names):
            text = self.texts[name]
            same = [it.origin == paragraph.origin for it in text]
            edited = [it.edited([edit.get(one, one) for one in it.sentences]) for it in text]
            self.write(name, [new if is_same else it for it, new, is_same in zip(text, edited, same)])

    def change(self, copies):
        """Makes the changes of one commit, and returns the pairs that they create."""
        new, renamed = set(), set()
        for _ in range(self.random.randint(1, 6)):
            kind = self.random.choice(self.kinds)
            name = self.pick()
            if name in renamed:
                continue  # A file that is renamed and heavily edited at once is another text.
            if kind == "edit":
                # Replaces a paragraph that no other file has.
                alone = [at for at, it in enumerate(self.texts[name]) if not self.sharing([it], name)]
                text = list(self.texts[name])
                if alone:
                    text[self.random.choice(alone)] = self.paragraph()
                self.write(name, text)
            elif kind == "touch":
                self.touch()
            elif kind == "append":
                self.write(name, self.texts[name] + [self.paragraph()])
            elif kind == "rename":
                renamed.add(self.new_name_of(name))
            elif kind == "move" and not self.sharing(self.texts[name], name):
                text = list(self.texts[name])
                self.random.shuffle(text)
                self.write(name, text)
            elif kind == "add":
                self.write(self.new_name(), self.new_text())
            elif kind == "remove":
                self.remove(name)
        for kind in copies:
            source = self.pick()
            name, text = self.new_name(), self.texts[source]
            if kind == "part":
                text = self.new_text() + [self.random.choice(text)]
            new |= {tuple(sorted((name, other))) for other in self.sharing(text, name)}
            self.write(name, text)
        return new


def git(folder, *arguments):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def reported(dedup, folder, since):
    """Returns the reported pairs, and the number of accepted ones."""
    command = [dedup, "check", "docs", "--lang", "none", "--fail-on", "excerpt", "--format", "jsonl", *since]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    records = [json.loads(line) for line in run.stdout.splitlines()]
    pairs = {(it["a"]["path"], it["b"]["path"]) for it in records if not it.get("accepted")}
    assert (run.returncode == 1) == bool(pairs), (run.returncode, pairs)
    return pairs, len(records) - len(pairs)


def seconds(command, folder):
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dedup", type=Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3, help="of each, timed at each tenth commit")
    parser.add_argument("--touch", action="store_const", const=3, default=0, help="edit what files share, too")
    options = parser.parse_args()
    dedup = options.dedup.resolve()
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
    source = random.Random(options.seed)
    levels = ["near-duplicate", "excerpt"]
    times = {level: ([], []) for level in levels}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        repository = Repository(folder, source, options.files, options.touch)
        git(folder, "init", "--quiet")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "first")
        made, right, with_copies, there = 0, 0, 0, 0
        for number in range(1, options.commits + 1):
            copies = source.choices(["whole", "part"], k=source.randint(1, 2)) if number % 3 == 0 else []
            want = repository.change(copies)
            git(folder, "add", "--all")
            git(folder, "commit", "--quiet", "--allow-empty", "--message", str(number))
            got, there = reported(dedup, folder, ["--since", "HEAD~1"])
            made, right, with_copies = made + len(want), right + (got == want), with_copies + bool(want)
            if got != want:
                print(f"commit {number}: missing {want - got}, too many {got - want}")
            if number % 10 == 0:
                # Packs the objects, as in a clone.
                git(folder, "repack", "-a", "-d", "--quiet")
                for level in levels:
                    command = [dedup, "check", "docs", "--lang", "none", "--fail-on", level]
                    plain, since = times[level]
                    for _ in range(options.runs):
                        plain.append(seconds(command, folder))
                        since.append(seconds([*command, "--since", "HEAD~1"], folder))
        size = sum(path.stat().st_size for path in folder.glob("docs/**/*.md"))
    print(f"{len(repository.texts)} files, {size / 1e6:.1f} MB, {options.commits} commits, seed {options.seed}")
    print(f"commits whose new pairs, and only those, were reported: {right} of {options.commits}")
    print(f"pairs made: {made}, in {with_copies} commits; silent at the last one: {there}")
    for level in levels:
        plain, since = map(statistics.median, times[level])
        print(f"check --fail-on {level}: {plain:.3f} s; with --since HEAD~1: {since:.3f} s; ratio {since / plain:.2f}")


if __name__ == "__main__":
    main()
