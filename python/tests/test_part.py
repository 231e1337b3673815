"""The steps of `Part` lead to the pairs of `dedup corpus`, however the texts are parted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dedup_text

TOP = Path(__file__).resolve().parents[2]
ENGLISH = ("The harbour was what they had from all of us and it is the one that we were in, with boats, "
           "nets, lamps, ropes, sails, crates, barrels and baskets. ")


def texts(count):
    made = subprocess.run([sys.executable, str(TOP / "integrations" / "texts.py"), str(count)], capture_output=True, check=True)
    rows = [json.loads(line, parse_float=str) for line in made.stdout.splitlines()]
    return [(row["id"], row["text"]) for row in rows]


def of_corpus(dedup, folder, records, *flags):
    """Returns the records of the pairs that the program finds, by the ids of both texts."""
    lines = "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in records)
    (folder / "docs.jsonl").write_text(lines, encoding="utf-8")
    found = dedup("corpus", "--jsonl=docs.jsonl", "--format=jsonl", *flags, folder=folder).splitlines()
    pairs = (json.loads(line) for line in found)
    return {(pair["a"]["path"], pair["b"]["path"]): line for pair, line in zip(pairs, found)}


def counted(records, parts, **limits):
    """Returns the counts of all records, which are counted in a number of parts."""
    step = dedup_text.Part(**limits)
    return dedup_text.Part.merge([step.count(records[part::parts], slots=18) for part in range(parts)])


def joined(keys, hamming):
    """Returns the pairs of texts with a common key or block that reach a limit; `order` alone makes a pair, too."""
    keys = [json.loads(line) for line in keys]
    long = [{**it, "keys": {key for key, _ in it["keys"]}, "bits": int(it["simhash"], 16), "shingles": set(it["shingles"]),
             "blocks": set(it["blocks"])} for it in keys if it["size"]]
    found = set()
    for place, a in enumerate(long):
        for b in long[place + 1:]:
            shared = len(a["shingles"] & b["shingles"])
            is_same = a["order"] == b["order"]
            varied = a["variety"] == b["variety"] == "varied"
            is_similar = varied and (a["set"] == b["set"] or a["keys"] & b["keys"] and 3 * shared >= a["size"] + b["size"])
            is_near = varied and a["blocks"] & b["blocks"] and (a["bits"] ^ b["bits"]).bit_count() <= hamming
            if is_same or is_similar or is_near:
                found.add((min(a["id"], b["id"]), max(a["id"], b["id"])))
    return found


@pytest.mark.parametrize(("flags", "limits"), [
    ([], {}),
    (["--max=3", "--min=3"], {"max": 3, "min": 3}),
    (["--hamming=7", "--stem=off"], {"hamming": 7, "stem": False}),
    (["--lang=en"], {"lang": "en"}),
    (["--template=sheet.txt", "--min-match=8"], {"template": Path("sheet.txt"), "min_match": 8}),
])
def test_keys_lead_to_the_pairs_of_the_corpus_and_judge_to_their_records(dedup, tmp_path, monkeypatch, flags, limits):
    monkeypatch.chdir(tmp_path)
    records = texts(300)
    Path("sheet.txt").write_text(" ".join(records[10][1].split()[:20]), encoding="utf-8")
    want = of_corpus(dedup, tmp_path, records, *flags)
    assert len(want) > 50
    for parts in (1, 2, 16):
        part = dedup_text.Part(counted(records, parts, **limits), **limits)
        keys = part.keys(records)
        assert [json.loads(line)["id"] for line in keys] == [id for id, _ in records]
        assert joined(keys, limits.get("hamming", 3)) == set(want), parts
    texts_of = dict(records)
    assert part.judge([tuple((id, texts_of[id]) for id in pair) for pair in want]) == list(want.values())


def test_clusters_keep_the_longest_text_by_the_words_of_keys(dedup, tmp_path):
    records = texts(200)
    pairs = of_corpus(dedup, tmp_path, records)
    words = {it["id"]: it["words"] for it in map(json.loads, dedup_text.Part(counted(records, 2)).keys(records))}
    order = sorted(words, key=words.get, reverse=True)
    kept = {group[0] for group in dedup_text.clusters(pairs, order, keep_by="direct")}
    want = dedup("corpus", "--jsonl=docs.jsonl", "--format=jsonl", "--keep=longest", folder=tmp_path)
    assert [id for id in words if id in kept] == [json.loads(line)["path"] for line in want.splitlines()]


def test_groups_have_each_text_once_and_the_preferred_one_first():
    chain = [("z", "m"), ("m", "a")]
    table = [
        ("nothing", [], (), "linked", []),
        ("a chain", chain, (), "linked", [["z", "m", "a"]]),
        ("only what is paired with the first", chain, (), "direct", [["z", "m"], ["a"]]),
        ("the order of all texts", chain, ["m", "a", "z"], "direct", [["m", "a", "z"]]),
        ("a text without pairs", chain, ["x", "m"], "linked", [["x"], ["m", "z", "a"]]),
        ("a text twice", [("a", "a"), ("b", "a"), ("a", "b")], ["a", "a"], "direct", [["a", "b"]]),
        ("numbers, and a record", [(3, 1), {"a": {"path": "x"}, "b": 3}], (), "linked", [[3, 1, "x"]]),
    ]
    for why, pairs, texts, by, want in table:
        assert dedup_text.clusters(iter(pairs), texts, keep_by=by) == want, why
    for pairs, by, told in [
        (["ab"], "linked", "pair='ab', expected a tuple of two names, or a dict with a and b"),
        ([("a", "b", "c")], "linked", "pair=('a', 'b', 'c'), expected a tuple of two names, or a dict with a and b"),
        ([], "first", "keep_by='first', expected direct or linked"),
    ]:
        with pytest.raises((TypeError, ValueError)) as raised:
            dedup_text.clusters(pairs, keep_by=by)
        assert str(raised.value) == told


def test_ids_come_back_as_they_went():
    ids = ["000123", 'a "quoted" one', "two\nlines\t", "naïve 🦉", '{"id": 1}', "", "\u202e\\"]
    records = [(id, "A copper kettle and a wooden spoon") for id in ids]
    assert [json.loads(line)["id"] for line in dedup_text.Part(counted(records, 1)).keys(records)] == ids


def test_texts_in_doubt_are_found_whatever_they_were_counted_in(dedup, tmp_path):
    doubtful = "barcelona 1 kettles 22 spoons"
    records = [("1", ENGLISH * 12), ("2", doubtful), ("3", doubtful)]
    want = set(of_corpus(dedup, tmp_path, records))
    table = [
        ("counted in the language of most texts", 1, "eng", False),
        ("counted in none, so that no shingle is known to be rare", 3, None, True),
    ]
    for why, parts, language, has_keys in table:
        counts = counted(records, parts)
        assert json.loads(counts.partition(b"\n")[0])["doubtful"] == [[language, 2]], why
        keys = dedup_text.Part(counts).keys(records)
        assert json.loads(keys[1])["language"] == "eng", why
        assert bool(json.loads(keys[0])["keys"]) == has_keys, why
        assert joined(keys, 3) == want, why


def test_the_fields_of_keys_are_those_of_the_guide():
    records = [("a", "A copper kettle and a wooden spoon")]
    [line] = dedup_text.Part(counted(records, 1)).keys(records)
    guide = (TOP / "docs" / "scale.md").read_text("utf-8")
    assert [field for field in json.loads(line) if f"`{field}`" not in guide] == []


def test_counts_that_another_version_made_or_that_are_damaged_are_errors():
    counts = counted([("a", ENGLISH * 12)], 1)
    header, _, rest = counts.partition(b"\n")
    version = dedup_text.__version__.encode()
    damaged = "damaged counts, expected the result of Part.count"
    table = [
        ("another version", header.replace(b'"version":"%s"' % version, b'"version":"0.0.9"') + b"\n" + rest,
         f"counted with version 0.0.9, expected {dedup_text.__version__}"),
        ("an earlier format", counts.replace(b"dedup.counts/4", b"dedup.counts/1"), "counted with format dedup.counts/1, expected dedup.counts/4"),
        # The digest covers the header as well: otherwise, texts of another language would be lost silently.
        ("another header", counts.replace(b'["eng",1]', b'["eng",2]', 1), damaged),
        ("a space in it", header + b" \n" + rest, damaged),
        ("no line behind it", counts[:len(header) + 33] + b" " + counts[len(header) + 34:], damaged),
        ("nothing behind it", header + b"\n", damaged),
        ("cut off", counts[:-1], damaged),
        ("something behind it", counts + b"\0" * 2**19, damaged),
    ]
    for why, changed, told in table:
        assert changed != counts, why
        with pytest.raises(ValueError) as raised:
            dedup_text.Part(changed)
        assert str(raised.value) == told, why
    settings = [
        ({"min": 2}, "counted with min 1, expected min 2"),
        ({"lang": "en"}, "counted with lang detected, expected lang eng"),
        ({"stopwords": False}, "counted with stopwords on, expected stopwords off"),
        ({"stem": False}, "counted with stem on, expected stem off"),
        ({"ignore": ["quotes"]}, "counted with other settings, according to their digest "),
    ]
    for limits, told in settings:
        with pytest.raises(ValueError) as raised:
            dedup_text.Part(counts, **limits)
        assert str(raised.value).startswith(told), limits


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v")
def test_without_memory_for_counts_their_need_is_named():
    code = "import dedup_text; dedup_text.Part().count([], 32)"
    done = subprocess.run(["bash", "-c", f"ulimit -v 3000000; exec '{sys.executable}' -c '{code}'"], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "ValueError: 2 to the power of 32 slots need as many bytes of free memory"
