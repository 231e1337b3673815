"""Two texts: the program's bytes, its figures as an object, and its messages as exceptions."""

import _thread
import errno
import functools
import itertools
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import dedup_text

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="of Unix")
SENTENCE = "The keeper counted the lamps twice before the harbour was dark and nobody asked why."


def test_files_have_the_bytes_of_the_program(samples, dedup, monkeypatch):
    monkeypatch.chdir(samples)
    monkeypatch.setenv("PWD", str(samples))
    files = sorted(path for path in samples.rglob("*") if path.suffix in (".txt", ".md", ".html"))
    assert len(files) > 9
    pairs = [*zip(files, files[1:]), (files[0], files[0])]
    judged = 0
    for left, right in pairs:
        names = [left.relative_to(samples), right]  # as they are given, and from the working folder
        want = dedup(*names, "--format", "json", folder=samples, statuses=(0, 1, 2))
        if want:
            assert dedup_text.judge(*names).to_json() + "\n" == want, names
            judged += 1
        else:
            with pytest.raises(ValueError, match="expected "):
                dedup_text.judge(*names)
    assert judged > 9


@pytest.mark.parametrize("name", ["libreoffice.pdf", "libreoffice.doc"])
def test_documents_are_read_as_by_the_program(name, samples, dedup):
    documents = samples.parent / "tests/documents"
    files = [documents / name, documents / "harbour.md"]
    assert dedup_text.judge(*files).to_json() + "\n" == dedup(*files, "--format", "json")


@pytest.mark.parametrize(
    ("limits", "flags"),
    [
        ({}, []),
        ({"min": 3}, ["--min=3"]),
        ({"max": 5, "hamming": 7, "jaccard": 0.25}, ["--max=5", "--hamming=7", "--jaccard=0.25"]),
        ({"jaccard": "off", "hamming": "off"}, ["--jaccard=off", "--hamming=off"]),
        ({"jaccard": 0.1}, ["--jaccard=0.1"]),
        ({"partial_jaccard": 0.3, "coverage": 1, "containment": 0.9}, ["--partial-jaccard=.3", "--coverage=1", "--containment=.9"]),
        ({"lang": "none", "stem": False, "stopwords": False}, ["--lang=none", "--stem=off", "--stopwords=off"]),
        ({"lang": ["en", None]}, ["--lang=left=en"]),
        ({"lang": "DE"}, ["--lang=DE"]),
        ({"lang": ("None", "EN")}, ["--lang=left=None", "--lang=right=EN"]),
        ({"ignore": ["quotes", "short=30"], "min_match": 5}, ["--ignore=quotes,short=30", "--min-match=5"]),
        ({"ignore": "short"}, ["--ignore=short"]),
        ({"passages": False}, ["--passages=off"]),
        ({"stopwords": Path("list"), "template": [Path("template")]}, ["--stopwords=list", "--template=template"]),
        ({"explain": True}, ["--explain"]),
        ({"max": None, "coverage": None, "template": None}, []),
    ],
)
def test_arguments_are_the_flags(limits, flags, dedup, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PWD", str(tmp_path))
    text = "Two ferries leave the old pier at noon, and \"one of them comes back before it is dark\", they say. "
    Path("left").write_text(f"{text} {SENTENCE} Then it rained for three days.", encoding="utf-8")
    Path("right").write_text(f"{SENTENCE} {text} Nobody came home.", encoding="utf-8")
    Path("list").write_text("the and of", encoding="utf-8")
    Path("template").write_text("Two ferries leave the old pier at noon, and then another one of them", encoding="utf-8")
    want = dedup("left", "right", *flags, "--format=json")
    assert dedup_text.judge(Path("left"), Path("right"), **limits).to_json() + "\n" == want
    texts = [Path(name).read_text(encoding="utf-8") for name in ("left", "right")]
    if "template" in limits and limits["template"]:
        limits["template"] = [Path("template").read_text(encoding="utf-8")]
    want = dedup("left", "right", *flags, "--encoding=utf-8", "--format=json")
    assert dedup_text.judge(*texts, **limits).to_json() + "\n" == want, "of strings, which are called left and right"


def test_fields_are_those_of_the_json():
    found = dedup_text.judge("A copper kettle", "A brass lamp")
    assert found.verdict == "different"
    assert found.to_dict() == json.loads(found.to_json())
    for name, value in found.to_dict().items():
        assert getattr(found, name) == value, name
    assert found.later is None, "a field that not every pair has"
    assert "measures" in dir(found)
    with pytest.raises(AttributeError, match="a judgement has no field verdikt, expected one of schema, tool, verdict, "):
        _ = found.verdikt
    same = dedup_text.judge("A copper kettle", "A brass lamp")
    assert found == same and hash(found) == hash(same) and found != dedup_text.judge("a b", "a b")
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(AttributeError, match="^verdict cannot be set: a judgement does not change$"):
        found.verdict = "different"
    assert found.verdict == same.verdict
    assert repr(found) == "<Judgement different: hamming=33, jaccard=0.09090909090909091, 0 passages>"


def test_what_is_done_to_a_field_leaves_the_judgement_as_it_is():
    found = dedup_text.judge(f"Say this. {SENTENCE}", f"{SENTENCE} No yes.")
    record, passages = found.to_dict(), found.passages
    assert len(passages) == 1
    found.measures["longest"]["shared"] = -1
    found.limits.clear()
    found.matches[0]["a"]["line"].append(7)
    found.warnings.append("none")
    found.to_dict()["measures"].clear()
    found.passages.clear()
    assert (found.to_dict(), found.passages) == (record, passages)
    assert {name: getattr(found, name) for name in record} == record
    for name, value in (("passages", []), ("measures", {})):
        with pytest.raises(AttributeError, match=f"^{name} cannot be set: a judgement does not change$"):
            setattr(found, name, value)


def test_passages_say_what_stands_where():
    left, right = f"Once more.\n{SENTENCE} It rained.", f"We know this: {SENTENCE}"
    [found] = dedup_text.passages(left, right)
    assert (found.id, found.kind, found.words, found.changed_words) == (1, "exact", 15, 0)
    for place, text in [(found.left, left), (found.right, right)]:
        assert place.text == SENTENCE.rstrip(".")
        assert text.encode()[slice(*place.byte)].decode() == place.text
    assert (found.left.line, found.left.column, found.left.word, found.left.page) == ((2, 2), (1, 84), (2, 17), None)
    assert dedup_text.passages("A copper kettle", "A brass lamp") == []
    assert dedup_text.judge("A copper kettle", "A brass lamp").passages == []


def test_passages_that_are_not_searched_for_are_none():
    found = dedup_text.judge("A copper kettle", "A brass lamp", passages=False)
    assert (found.passages, found.matches, "matches" in found.to_dict()) == (None, None, False)
    assert repr(found) == "<Judgement different: hamming=33, jaccard=0.09090909090909091>"
    assert "<b>DIFFERENT</b>: passages were not searched for.</p>" in found._repr_html_()
    with pytest.raises(ValueError, match="^passages=False, expected True: the passages are the result$"):
        dedup_text.passages("A copper kettle", "A brass lamp", passages=False)


def test_a_notebook_shows_the_passages():
    found = dedup_text.judge(f"Say <b>this</b>. {SENTENCE}", f"{SENTENCE} No & yes.")
    shown = found._repr_html_()
    assert shown.startswith("<div><p><b>NEAR-DUPLICATE</b>: 1 shared passage: ")
    assert "15 words, word for word" in shown
    assert shown.count("The keeper counted the lamps twice") == 2
    tricked = dedup_text.judge(f"<script>alert(1)</script> {SENTENCE}", f"<script>alert(1)</script> {SENTENCE}")
    assert "<script>" not in tricked._repr_html_()
    assert "no shared passage found" in dedup_text.judge("A copper kettle", "A brass lamp")._repr_html_()
    pair = (f"Say this. {SENTENCE}", f"{SENTENCE} No yes.")
    apart = dedup_text.judge(*pair, ignore="short=30")._repr_html_()
    assert ": no shared passage of 30 words or more.</p>" in apart
    assert '<p>1 passage of fewer than 30 words not shown (15 words; ignore="short").</p>' in apart
    assert "not shown" not in dedup_text.judge(*pair, ignore="short=5")._repr_html_()
    many = " ".join(f"{SENTENCE} x{number} y{number} z{number}." for number in range(30))
    other = " ".join(f"{SENTENCE} u{number} v{number} w{number}." for number in range(30))
    assert dedup_text.judge(many, other)._repr_html_().count("<tr>") <= 21


def test_a_notebook_shows_the_figures_of_the_program(dedup, tmp_path):
    words = [f"word{number}" for number in range(10_000)]
    pairs = [
        (words[:29] + words[200:271], words[:29] + words[300:371], "29 % of left and 29 % of right"),
        (words[:15] + words[2000:4000], words[:15] + words[5000:7000], "under 1 % of left and under 1 % of right"),
        (words, [*words[:-1], "another"], "99 % of left and 99 % of right"),
    ]
    for left, right, told in pairs:
        texts = [" ".join(left), " ".join(right)]
        for name, text in zip(("left", "right"), texts):
            (tmp_path / name).write_text(text, encoding="utf-8")
        printed = dedup("left", "right", "--lang=none", folder=tmp_path)
        shown = dedup_text.judge(*texts, lang="none")._repr_html_()
        assert told in shown and told.split(" of ")[0].replace(" %", "\u00a0%") in printed
        [jaccard] = re.findall(r"Jaccard +(\d\.\d{4})", printed)[:1]
        assert f"Jaccard {jaccard}</p>" in shown


class NamedText(str):
    """A string that is also a path."""

    def __fspath__(self):
        return str(self)


class Named:
    """A path, however it is named."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        if isinstance(self.path, Exception):
            raise self.path
        return self.path


def test_a_path_is_a_file_whatever_its_name(tmp_path):
    (tmp_path / "-").write_text("the and of copper", encoding="utf-8")
    code = """from pathlib import Path
import dedup_text
for limits in ({}, {"template": Path("-")}, {"stopwords": Path("-")}):
    found = dedup_text.judge(Path("-"), "the and of a copper kettle", **limits) if not limits else dedup_text.judge("a b", "a b", **limits)
    print(found.a["path"], found.parameters["stopwords"])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, input="Two ferries leave at noon", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("./- on\nleft on\nleft ./-\n", "")


def test_what_a_path_raises_is_the_exception():
    for limits in ({}, {"stopwords": Named(LookupError("no such path"))}, {"template": Named(LookupError("no such path"))}):
        given = "a b" if limits else Named(LookupError("no such path"))
        with pytest.raises(LookupError, match="^no such path$"):
            dedup_text.judge(given, "a b", **limits)


@pytest.mark.parametrize(
    ("arguments", "limits", "error", "message"),
    [
        ((1, "a"), {}, TypeError, "left is of type int, expected a str (a text) or an os.PathLike (the path of a file)"),
        ((Path, "a"), {}, TypeError, "left is of type type, expected a str"),
        ((Named(b"a"), "a"), {}, TypeError, "left is of type Named, expected a str"),
        ((NamedText("a"), "a"), {}, TypeError, "left is of type NamedText, expected a str (a text) or an os.PathLike (the path of a file), not both in one"),
        (("a", None), {}, TypeError, "right is of type NoneType, expected a str"),
        (("", "a copper kettle"), {}, ValueError, "left: empty, expected a text with words"),
        (("a", "b"), {"jacard": 0.5}, TypeError, "unexpected keyword argument 'jacard'"),
        (("a", "b"), {"jaccard": 2}, ValueError, "jaccard=2, expected a number from 0 to 1, or \"off\""),
        (("a", "b"), {"jaccard": "high"}, ValueError, "jaccard='high', expected a number from 0 to 1, or \"off\""),
        (("a", "b"), {"jaccard": -0.5}, ValueError, "jaccard=-0.5, expected"),
        (("a", "b"), {"jaccard": True}, TypeError, "jaccard=True, expected a number from 0 to 1, or \"off\""),
        (("a", "b"), {"hamming": True}, TypeError, "hamming=True, expected a whole number from 0 to 64, or \"off\""),
        (("a", "b"), {"min": True}, TypeError, "min=True, expected a whole number from 1 to 64"),
        (("a", "b"), {"ignore": 5}, TypeError, "ignore=5, expected a str, or several"),
        (("a", "b"), {"ignore": [5]}, TypeError, "ignore=5, expected quotes, bibliography, marked, short or short=WORDS"),
        (("a", "b"), {"ignore": b"quotes"}, TypeError, "ignore=b'quotes', expected a str, or several"),
        (("a", "b"), {"template": 5}, TypeError,
         "template is of type int, expected a str (a text), an os.PathLike (the path of a file), or several"),
        (("a", "b"), {"template": b"harbour"}, TypeError, "template is of type bytes, expected a str"),
        (("a", "b"), {"template": bytearray(b"harbour")}, TypeError, "template is of type bytearray, expected a str"),
        (("a", "b"), {"template": [5]}, TypeError, "template is of type int, expected a str"),
        (("a", "b"), {"jaccard": [0.5]}, TypeError, "jaccard=[0.5], expected a number from 0 to 1, or \"off\""),
        (("a", "b"), {"jaccard": 10**400}, ValueError, f"jaccard=1{'0' * 400}, expected a number"),
        (("a", "b"), {"hamming": 3.0}, TypeError, "hamming=3.0, expected a whole number from 0 to 64, or \"off\""),
        (("a", "b"), {"hamming": "3"}, ValueError, "hamming='3', expected a whole number from 0 to 64, or \"off\""),
        (("a", "b"), {"hamming": -1}, ValueError, "hamming=-1, expected a whole number from 0 to 64, or \"off\""),
        (("a", "b"), {"min_match": "5"}, TypeError, "min_match='5', expected a whole number of words, at least 3"),
        (("a", "b"), {"min_match": 2**70}, ValueError, f"min_match={2**70}, expected a whole number of words, at least 3"),
        (("a", "b"), {"stem": 0}, TypeError, "stem=0, expected True or False"),
        (("a", "b"), {"stopwords": Named(b"a")}, TypeError, "stopwords=<"),
        (("a", "b"), {"lang": b"en"}, TypeError, "lang=b'en', expected an ISO 639 code"),
        (("a", "b"), {"lang": ["en", 5]}, TypeError, "lang=5, expected an ISO 639 code"),
        (("a", "b"), {"lang": 5}, TypeError, "lang=5, expected an ISO 639 code"),
        (("a", "b"), {"lang": {"en", "de"}}, TypeError, "lang={"),
        (("a", "b"), {"hamming": 65}, ValueError, "hamming=65, expected a whole number from 0 to 64, or \"off\""),
        (("a", "b"), {"min": 4}, ValueError, "min=4 and max=3, expected whole numbers from 1 to 64, min <= max"),
        (("a", "b"), {"min": 0}, ValueError, "min=0 and max=3"),
        (("a", "b"), {"min": "many"}, TypeError, "min='many', expected a whole number from 1 to 64"),
        (("a", "b"), {"min_match": 2}, ValueError, "min_match=2, expected a whole number of words, at least 3"),
        (("a", "b"), {"lang": "klingon"}, ValueError, "lang='klingon', expected none or one of af ak am ar "),
        (("a", "b"), {"lang": ["en", "xx"]}, ValueError, "lang='xx', expected none or one of af ak am ar "),
        (("a", "b"), {"lang": ["en"]}, ValueError, "lang=['en'], expected an ISO 639 code"),
        (("a", "b"), {"ignore": ["titles"]}, ValueError, "ignore='titles', expected quotes, bibliography, marked, short or short=WORDS"),
        (("a", "b"), {"ignore": ["short=0"]}, ValueError, "ignore='short=0', expected short=WORDS with a whole number, at least 1"),
        (("a", "b"), {"ignore": "short=many"}, ValueError, "ignore='short=many', expected short=WORDS with a whole number, at least 1"),
        (("a", "b"), {"stopwords": "the"}, TypeError, "stopwords='the', expected True, False or an os.PathLike"),
        (("a", "b"), {"partial_jaccard": 0.6}, ValueError, "partial_jaccard=0.6 is above jaccard=0.5, expected at most 0.5"),
        (("a", "b"), {"explain": "no"}, TypeError, "explain='no', expected True or False"),
        (("a", "b"), {"explain": 1}, TypeError, "explain=1, expected True or False"),
    ],
)
def test_what_is_wrong_is_an_exception(arguments, limits, error, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as raised:
        dedup_text.judge(*arguments, **limits)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "error", "number", "message"),
    [
        ("missing", FileNotFoundError, errno.ENOENT, "no such file, expected a text file"),
        (".", IsADirectoryError, errno.EISDIR, "is a folder, expected a text file"),
        pytest.param("file/x", NotADirectoryError, errno.ENOTDIR, "cannot be read, expected a text file: Not a directory", marks=UNIX),
        pytest.param("x" * 300, OSError, errno.ENAMETOOLONG, "cannot be read, expected a text file: File name too long", marks=UNIX),
        pytest.param("loop", OSError, errno.ELOOP, "cannot be read, expected a text file: ", marks=UNIX),
    ],
)
def test_what_is_wrong_with_a_file_is_an_os_error(name, error, number, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("a copper kettle", encoding="utf-8")
    if name == "loop":
        Path(name).symlink_to(name)
    calls = [
        lambda path: dedup_text.judge(path, "b"),
        lambda path: dedup_text.judge("a", "b", stopwords=path),
        lambda path: dedup_text.judge("a", "b", template=[path]),
    ]
    for call in calls:
        with pytest.raises(OSError) as raised:
            call(Path(name))
        found = raised.value
        assert (type(found), found.errno, found.filename) == (error, number, name)
        assert found.strerror.startswith(message) and "(os error" not in found.strerror
        assert str(found) == f"[Errno {number}] {found.strerror}: {name!r}"


@UNIX
def test_a_file_that_may_not_be_read_is_a_permission_error(tmp_path):
    (tmp_path / "file").touch(mode=0)
    user = os.geteuid()
    os.seteuid(user or 65534)  # root may read it
    try:
        with pytest.raises(PermissionError) as raised:
            dedup_text.judge(tmp_path / "file", "b")
    finally:
        os.seteuid(user)
    assert raised.value.args == (errno.EACCES, "cannot be read, expected a text file: Permission denied")
    assert raised.value.filename == str(tmp_path / "file")


def test_passages_explain_nothing():
    with pytest.raises(TypeError, match="^unexpected keyword argument 'explain'$"):
        dedup_text.passages("a", "b", explain=True)


def interrupting(*items):
    """The items, and an interrupt before the last one, from an iterator that runs no code of Python."""
    interrupt = filter(None, map(_thread.interrupt_main, [signal.SIGINT]))  # of no items
    return itertools.chain(items[:-1], interrupt, items[-1:])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names are of Unix")
def test_an_interrupt_ends_a_read_that_waits(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    ended, seen = threading.Event(), []

    def write():
        with open(tmp_path / "pipe", "wb"):  # once it is read
            _thread.interrupt_main()
            seen.append(ended.wait(20))

    thread = threading.Thread(target=write)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        dedup_text.judge(tmp_path / "pipe", "a copper kettle")
    ended.set()
    thread.join()
    assert seen == [True], "the call did not end before the pipe"


def test_an_interrupt_ends_a_judgement_of_large_texts(tmp_path):
    class Interrupting:
        __fspath__ = functools.partial(next, interrupting(str(tmp_path / "left")))

    (tmp_path / "left").write_text("a copper kettle", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        dedup_text.judge(Interrupting(), "a copper kettle " * 100_000, min=64, max=64)
    with pytest.raises(ValueError, match="expected "):  # what it ends with
        dedup_text.judge("a copper kettle", "a copper kettle " * 100_000, min=64, max=64)


def test_an_interrupt_ends_the_reading_of_a_template():
    large = "a copper kettle " * 100_000
    with pytest.raises(KeyboardInterrupt):
        dedup_text.judge(1, "a copper kettle", template=interrupting(large))
    with pytest.raises(TypeError, match="^left is of type int, expected "):  # what it ends with
        dedup_text.judge(1, "a copper kettle", template=[large])


def test_surrogates_are_an_exception():
    with pytest.raises(UnicodeEncodeError):
        dedup_text.judge("a \ud800 b", "a b")


def test_threads_may_judge_at_once():
    from concurrent.futures import ThreadPoolExecutor

    texts = [f"{SENTENCE} {number}" for number in range(20)]
    pairs = list(itertools.combinations(texts, 2))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda pair: dedup_text.judge(*pair), pairs))
    assert found == [dedup_text.judge(*pair) for pair in pairs]


def test_both_commands_run_the_program():
    for command in ([dedup_text.program()], ["dedup"], ["dedup-text"], [sys.executable, "-m", "dedup_text"]):
        program = [str(Path(sys.executable).parent / command[0]), *command[1:]]
        done = subprocess.run([*program, "--version"], capture_output=True, check=True, text=True)
        assert done.stdout == f"dedup {dedup_text.__version__}\n", command
        missing = subprocess.run([*program, "missing", os.devnull], capture_output=True, check=False)
        assert missing.returncode == 2, command


def test_the_program_is_that_of_the_package_wherever_a_script_is(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import dedup_text\nimport dedup_text.__main__  # which runs nothing\nprint(dedup_text.program())\n", encoding="utf-8")
    (tmp_path / "dedup").write_text("of another kind", encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{dedup_text.program()}\n", "")
    assert dedup_text.program().parent == Path(sys.executable).parent
