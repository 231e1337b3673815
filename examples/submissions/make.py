"""Creates sixty submissions of a course, some of them copied, and packs them like Moodle.

    python3 examples/submissions/make.py FOLDER
    dedup corpus FOLDER/export.zip --earlier FOLDER/lastyear --format csv=FOLDER/pairs.csv --at-least excerpt
    python3 examples/submissions/make.py FOLDER --ranks FOLDER/pairs.csv

The first writes FOLDER/export.zip, the grading worksheet beside it, the assignment sheet FOLDER/sheet.docx, the
texts of last year, and FOLDER/planted.tsv: two persons, and how one text was derived from the other. Each text
begins with the same cover page. The seed is fixed. If LibreOffice is installed, one file is an old Word
document; otherwise it is RTF with that extension. The last prints the rank of each planted pair among all, by
the words that are the same and then by those that are changed, and both shares of each text.
"""

import argparse
import csv
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tempfile
import zipfile
import zlib
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).parent
WORDS = {}
for line in (HERE / "words.txt").read_text(encoding="utf-8").splitlines():
    kind, _, words = line.partition(": ")
    WORDS[kind] = words.split("|" if kind == "place" else " ")

PERSONS = """Ada Winkler, Bruno Costa, Carla Nunez, David Osei, Elin Berg, Farid Haddad, Greta Lund, Hugo Martin, Ines Rocha,
Jonas Weber, Karin Holm, Liam Byrne, Mara Silva, Nils Dahl, Olga Petrova, Pablo Ruiz, Quinn Harper, Rosa Conti, Samir
Aziz, Tilda Ek, Umar Khan, Vera Novak, Wim de Vries, Xenia Pappas, Yusuf Demir, Zoe Clark, Anton Maier, Britta Vogel, Cyril
Blanc, Dora Kiss, Emil Sand, Flora Reid, Gustav Falk, Hanna Roth, Igor Sokol, Jana Kral, Kofi Mensah, Lena Braun, Milo Fischer,
Nadia Rossi, Otto Kern, Petra Lang, Rafael Sousa, Sofia Marin, Thea Moen, Uwe Graf, Viola Neri, Walid Nasser, Ximena Paz, Yara
Saleh, Zeno Huber, Alma Vik, Boris Ilic, Chloe Petit, Dario Greco, Edda Wolf, Felix Stein, Gina Moretti, Henk Bos, Ida
Lindqvist""".replace("\n", " ").split(", ")

SHEET = [
    "Assignment 4: the harbour",
    "Describe the harbour of your town in your own words, on two pages. Say who works there, what comes and goes by ship, "
    "and how it looks on a winter morning before the market opens. Do not copy from a book, from the network or from "
    "one another; name every source that you have used at the end of your text.",
]

# Written by hand, for the texts that no program makes: a text, its rewording and its translation.
PLAIN = """My grandmother sold herrings on the quay for thirty years, and she taught me to read the weather from the
smoke of the tugs. If it lay flat on the water, she packed her baskets before noon, because rain would empty the market. The
captains knew her by name and kept the best boxes for her. When the fish hall closed, she could have stayed at home, but she went
down every morning all the same, sat on a bollard and counted the ships. She said that a town which forgets its harbour
soon forgets what it lives on. I think of that when I walk past the empty cranes. The new flats have large windows, and
nobody behind them has ever carried a box. Last winter the ice held two barges for a week, and for once the whole
street came to look. An old pilot explained to the children how a hull is freed with saws and hot sand. They listened as
though he told them of another country.""".replace("\n", " ")
REWORDED = """For three decades herrings were what my grandmother sold on the quay, and it was from her that I learned to read the
weather by the smoke of the tugs. When it lay flat upon the water her baskets were packed before noon, since the rain was going
to empty the market. Every captain knew her name and kept the best of his boxes for her. After the fish hall had been closed she
might have stayed at home; all the same she went down each morning, took her seat on a bollard and counted ships. A town that
forgets its harbour, so she said, will soon forget what it lives on. This comes to my mind as I pass the cranes, which are empty
now. The windows of the new flats are large, yet behind them nobody ever carried a box. During the last winter two barges were
held by ice for a week, and the whole street came to look for once. To the children an old pilot explained how one frees a
hull with saws and hot sand. It was as though he told them of another country, so closely did they listen.""".replace("\n", " ")
TRANSLATED = """Meine Großmutter verkaufte dreißig Jahre lang Heringe am Kai, und sie lehrte mich, das Wetter am Rauch der
Schlepper abzulesen. Lag er flach auf dem Wasser, packte sie ihre Körbe vor Mittag, weil der Regen den Markt leeren würde. Die
Kapitäne kannten sie mit Namen und hoben ihr die besten Kisten auf. Als die Fischhalle schloss, hätte sie zu Hause bleiben
können, aber sie ging trotzdem jeden Morgen hinunter, setzte sich auf einen Poller und zählte die Schiffe. Sie sagte, eine Stadt,
die ihren Hafen vergisst, vergisst bald, wovon sie lebt. Daran denke ich, wenn ich an den leeren Kränen vorbeigehe. Die neuen
Wohnungen haben große Fenster, und niemand dahinter hat je eine Kiste getragen. Im letzten Winter hielt das Eis zwei Kähne eine
Woche lang fest, und dieses eine Mal kam die ganze Straße, um zuzusehen.""".replace("\n", " ")


# How the clauses of the made essays go: nouns a, b, adjectives x, verbs v, a place p; and how clauses are joined.
CLAUSES = """the {x} {a} {v} the {b}
{a} and {b} {v} {p}
nobody {v} her {x} {a}
my {a} {v} {p}
a {x} {b} {v} their {a}
{p} each {a} {v}
we {v} {x} {b}
his {a} {v} some {b} {p}
they {v} one {x} {a} {p}
she {v} {b} after {a}
{x} {a} {v} {x} {b}
every {b} {v} like {a}
you {v} our {a} {p}
no {x} {a} {v}
I {v} {a} without {b}
those {b} {v} {p}
its {x} {a} {v} him
{a} {v} {a}""".splitlines()
JOINS = [", and ", ", but ", "; ", ", while ", ", as ", ", so ", ": ", ", yet ", ", where ", ", until ", ", or "]


def essay(seed, sentences=40):
    """Returns an essay in paragraphs, with its own vocabulary."""
    draw = random.Random(seed)
    own = {kind: draw.sample(words, len(words) // 4) for kind, words in WORDS.items() if kind in ("noun", "adjective", "verb", "place")}

    def one(kind):
        return draw.choice(own[kind])

    fields = {"a": "noun", "b": "noun", "x": "adjective", "v": "verb", "p": "place"}

    def clause():
        return re.sub(r"{(.)}", lambda it: one(fields[it[1]]), draw.choice(CLAUSES))

    def sentence():
        written = clause()
        for _ in range(draw.randrange(1, 4)):
            written += draw.choice(JOINS) + clause()
        return written[0].upper() + written[1:] + "."

    text = [sentence() for _ in range(sentences)]
    return [" ".join(text[at:at + 5]) for at in range(0, sentences, 5)]


def edited(paragraphs, seed, share):
    """The same with a share of its longer words replaced."""
    draw = random.Random(seed)
    every = WORDS["noun"] + WORDS["verb"] + WORDS["adjective"]

    def word(written):
        return draw.choice(every) if len(written) > 4 and written.isalpha() and draw.random() < share else written

    return [" ".join(word(it) for it in paragraph.split(" ")) for paragraph in paragraphs]


def look_alike(paragraphs):
    """The same with letters of another script that look like a, e and o."""
    return [paragraph.translate(str.maketrans("aeo", "аео")) for paragraph in paragraphs]


# Files of each kind, from paragraphs. A person is the author where the kind has one.


def packed(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 11, 3, 12, 0, 0)), content)


def core(author):
    return (
        '<?xml version="1.0" encoding="UTF-8"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>{escape(author)}</dc:creator>'
        f"<cp:lastModifiedBy>{escape(author)}</cp:lastModifiedBy></cp:coreProperties>"
    )


def docx(path, paragraphs, author):
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f'<w:p><w:r><w:t xml:space="preserve">{escape(it)}</w:t></w:r></w:p>' for it in paragraphs)
    packed(path, {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
        '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{main}"><w:body>{body}</w:body></w:document>',
        "docProps/core.xml": core(author),
    })


def odt(path, paragraphs, author):
    office, text = "urn:oasis:names:tc:opendocument:xmlns:office:1.0", "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    body = "".join(f"<text:p>{escape(it)}</text:p>" for it in paragraphs)
    packed(path, {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<office:document-content xmlns:office="{office}" xmlns:text="{text}"><office:body><office:text>{body}</office:text></office:body></office:document-content>',
        "meta.xml": f'<office:document-meta xmlns:office="{office}" xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:creator>{escape(author)}</dc:creator></office:meta></office:document-meta>',
    })


def pptx(path, paragraphs, _author):
    a, p = "http://schemas.openxmlformats.org/drawingml/2006/main", "http://schemas.openxmlformats.org/presentationml/2006/main"
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rel = "http://schemas.openxmlformats.org/package/2006/relationships"
    numbers = range(1, len(paragraphs) + 1)
    slide = f'<p:sld xmlns:a="{a}" xmlns:p="{p}"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>%s</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>'
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{rel}"><Relationship Id="r1" Type="{r}/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{p}" xmlns:r="{r}"><p:sldIdLst>'
        + "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in numbers) + "</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{rel}">'
        + "".join(f'<Relationship Id="s{n}" Type="{r}/slide" Target="slides/slide{n}.xml"/>' for n in numbers) + "</Relationships>",
    }
    parts |= {f"ppt/slides/slide{n}.xml": slide % escape(it) for n, it in zip(numbers, paragraphs)}
    packed(path, parts)


def pdf_of(objects):
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return out + b"xref\n0 %d\n0000000000 65535 f \n%strailer <</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (count, table, count, len(out))


def stream(content, head=b""):
    return b"<<%s /Length %d>>\nstream\n%s\nendstream" % (head, len(content), content)


def pdf(path, paragraphs, _author):
    lines = []
    for paragraph in paragraphs:
        line = ""
        for word in paragraph.split(" "):
            if len(line) + len(word) > 80:
                lines.append(line)
                line = ""
            line = f"{line} {word}".strip()
        lines += [line, ""]
    pages = [lines[at:at + 48] for at in range(0, len(lines), 48)]
    kids = b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(len(pages)))
    objects = [
        b"<</Type /Catalog /Pages 2 0 R>>",
        b"<</Type /Pages /Kids [%s] /Count %d>>" % (kids, len(pages)),
        b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>",
    ]
    for at, page in enumerate(pages):
        shown = b"".join(b"(%s) Tj T*\n" % it.replace("\\", "").replace("(", "").replace(")", "").encode("cp1252") for it in page)
        objects.append(b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources <</Font <</F 3 0 R>>>> /Contents %d 0 R>>" % (5 + 2 * at))
        objects.append(stream(b"BT /F 11 Tf 14 TL 60 780 Td\n%sET" % shown))
    path.write_bytes(pdf_of(objects))


def scan(path, _paragraphs, _author):
    """A page that is a picture: no word can be read from it."""
    picture = zlib.compress(bytes(64 * 8))
    head = b"/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode"
    path.write_bytes(pdf_of([
        b"<</Type /Catalog /Pages 2 0 R>>",
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources <</XObject <</I 4 0 R>>>> /Contents 5 0 R>>",
        stream(picture, head),
        stream(b"500 0 0 700 40 40 cm /I Do"),
    ]))


def txt(path, paragraphs, _author):
    path.write_text("\n\n".join(paragraphs) + "\n" if paragraphs else "", encoding="utf-8")


def png(path):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))


def doc(path, paragraphs, author):
    """An old Word document by LibreOffice; where that is missing, RTF, as Word reads it under that name."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "text.docx"
        docx(source, paragraphs, author)
        if office:
            home = f"-env:UserInstallation=file://{folder}/home"
            subprocess.run([office, home, "--headless", "--convert-to", "doc", "--outdir", folder, source], check=True, capture_output=True)
            shutil.move(source.with_suffix(".doc"), path)
        else:
            path.write_text(r"{\rtf1\ansi " + r"\par ".join(paragraphs) + "}", encoding="ascii")


def cover(person, number):
    """The cover page that everybody hands in, with a name and a number of their own."""
    return [
        "Declaration of originality",
        f"Name: {person}. Number: {number}. Course: Writing about places, winter term.",
        "I declare that I have written this text myself, that I have used no sources other than those named, and that "
        "I have handed in neither this text nor a part of it anywhere else. I know that a false declaration is an "
        "attempt to deceive, which may lead to exclusion from the course.",
    ]


def worksheet():
    """The grading worksheet, as Moodle writes it in German."""
    rows = ["ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Zuletzt geändert (Abgabe)"]
    for number, person in enumerate(PERSONS):
        mail = person.lower().replace(" ", ".")
        time = f"Dienstag, 3. November 2026, {8 + number // 6:02}:{number % 6 * 10:02}"
        rows.append(f'Teilnehmer/in{411000 + 7 * number},{person},{mail}@example.org,Abgegeben,,"{time}"')
    return "\n".join(rows) + "\n"


def ranks(folder, pairs):
    """Prints where the planted pairs stand among all."""
    with open(pairs, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["coverage_same_a"]]

    def shares(row):
        return [[float(row[f"coverage_{part}_{side}"]) for part in ("same", "changed")] for side in "ab"]

    rows.sort(key=lambda row: (-max(it[0] for it in shares(row)), -max(sum(it) for it in shares(row))))
    print(f"{len(rows)} pairs")
    for line in (folder / "planted.tsv").read_text(encoding="utf-8").splitlines():
        one, other, how = line.split("\t")
        found = (
            (rank, row) for rank, row in enumerate(rows, 1)
            if all(any(name in (row[f"name_{side}"] or row[side]) for side in "ab") for name in (one, other))
        )
        rank, row = next(found, (None, None))
        shown = " | ".join(f"{100 * same:.0f}+{100 * changed:.0f} %" for same, changed in shares(row)) if row else "not found"
        print(f"{rank or '-':>3}  {shown:<23}  {one}, {other}: {how}")


KINDS = {"docx": docx, "odt": odt, "pptx": pptx, "pdf": pdf, "txt": txt, "doc": doc, "scan.pdf": scan}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--ranks", metavar="PAIRS.csv", type=pathlib.Path)
    folder, pairs = (arguments := parser.parse_args()).folder, arguments.ranks
    if pairs:
        return ranks(folder, pairs)
    folder.mkdir(parents=True, exist_ok=True)
    count = len(PERSONS)
    texts = [essay(number) for number in range(count)]
    kinds = [("docx", "odt", "pdf", "txt")[number % 4] for number in range(count)]
    authors = list(PERSONS)
    planted = []

    def plant(of, to, how, paragraphs, kind):
        texts[to], kinds[to] = paragraphs, kind
        planted.append((PERSONS[of], PERSONS[to], how))

    plant(0, 13, "copied whole", texts[0], "odt")
    authors[13] = PERSONS[0]
    plant(2, 22, "half of it copied", texts[2][:4] + texts[22][:4], "docx")
    plant(3, 17, "copied, a word in eight changed", edited(texts[3], 1, 0.25), "pdf")
    plant(5, 30, "two paragraphs copied", texts[30][:3] + texts[5][2:4] + texts[30][3:], "docx")
    plant(6, 25, "copied, letters of another script", look_alike(texts[6]), "docx")
    plant(9, 33, "copied, paragraphs in another order", texts[9][4:] + texts[9][:4], "doc")
    plant(11, 28, "copied onto slides", texts[11][1:7], "pptx")
    texts[14] = texts[14][:2] + [PLAIN]
    plant(14, 36, "reworded", [REWORDED] + texts[36][:2], "docx")
    plant(14, 38, "translated", [TRANSLATED], "odt")
    plant(41, 45, "copied, four words of ten replaced", edited(texts[41], 2, 0.8), "txt")
    plant(42, 50, "one half from each of two others", texts[42][:4] + texts[43][4:], "docx")
    planted.append((PERSONS[43], PERSONS[50], "one half from each of two others"))
    earlier = [essay(1000 + number) for number in range(10)]
    texts[52] = earlier[3][:6] + texts[52][6:]
    planted.append(("lastyear/3.txt", PERSONS[52], "three quarters from last year"))
    texts[20] = look_alike(texts[20])
    for number in (1, 4, 8, 10, 16):
        texts[number] = SHEET + texts[number]
    for number, person in enumerate(PERSONS):
        texts[number] = cover(person, 411000 + 7 * number) + texts[number]
    kinds[19] = "scan.pdf"
    texts[39], kinds[39] = [], "txt"

    parts = {}
    with tempfile.TemporaryDirectory() as place:
        for number, person in enumerate(PERSONS):
            path = pathlib.Path(place) / f"essay.{kinds[number]}"
            KINDS[kinds[number]](path, texts[number], authors[number])
            inside = f"{person}_{411000 + 7 * number}_assignsubmission_file_/"
            whole = path.read_bytes()
            parts[inside + path.name] = whole[: len(whole) // 2] if number == 48 else whole  # one is damaged
            if number == 7:
                png(path.with_suffix(".png"))
                parts[inside + "photo.png"] = path.with_suffix(".png").read_bytes()
    packed(folder / "export.zip", parts)
    docx(folder / "sheet.docx", SHEET, "The teacher")
    (folder / "lastyear").mkdir(exist_ok=True)
    for number, text in enumerate(earlier):
        txt(folder / "lastyear" / f"{number}.txt", text, None)
    (folder / "Bewertungen.csv").write_text(worksheet(), encoding="utf-8")
    rows = "".join("\t".join(row) + "\n" for row in planted)
    (folder / "planted.tsv").write_text(rows, encoding="utf-8")


main()
