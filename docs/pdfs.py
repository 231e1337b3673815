#!/usr/bin/env python3
"""Scores programs that read PDFs; the results are in docs/reliability.md.

    pip install reportlab==5.1.0; apt install chromium libreoffice-writer lmodern texlive-latex-base
    apt install cm-super texlive-lang-cyrillic
    pdfs.py TEXTS FOLDER NAME=COMMAND …
    pdfs.py texts pdfs 'pdftotext=pdftotext {} -'

TEXTS holds plain texts or Markdown, `LANGUAGE_NAME.txt`; of each language three are set in one column
and in two by every maker, into FOLDER. A COMMAND writes the text of {} on standard output. Of its words
and the source's: F1 of the multisets, and the share of the source's that it has in their order.
"""
import collections
import html
import pathlib
import re
import subprocess
import sys
import unicodedata

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer

LANGUAGES = "cs de en es fr hu it nl ru tr".split()
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
FODT = """<?xml version="1.0" encoding="UTF-8"?><office:document office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.text"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"><office:automatic-styles>
<style:style style:name="S" style:family="section"><style:section-properties text:dont-balance-text-columns="true">
<style:columns fo:column-count="{columns}" fo:column-gap="1cm"/></style:section-properties></style:style>
</office:automatic-styles><office:body><office:text><text:section text:style-name="S" text:name="S">{body}
</text:section></office:text></office:body></office:document>"""
LATEX = r"""\documentclass[11pt,a4paper%s]{article}
\usepackage[%s]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}\begin{document}
%s
\end{document}"""


def paragraphs(source):
    """Returns about 400 words of a text, in paragraphs."""
    source = re.sub(r"^\+\+\+.*?\+\+\+|^---.*?\n---|```.*?```|<[^>]*>|https?://\S+|\]\([^)]*\)", " ", source, flags=re.S)
    words = re.sub(r"[^\w\s.,;:!?’'«»„“”-]|_", " ", source).split()[:400]
    return [" ".join(words[at:at + 70]) for at in range(0, len(words), 70)]


def set_by_reportlab(text, columns, path):
    pdfmetrics.registerFont(TTFont("F", FONT))
    width = (483 - 28 * (columns - 1)) / columns
    frames = [Frame(56 + at * (width + 28), 56, width, 730) for at in range(columns)]
    document = BaseDocTemplate(str(path), pagesize=(595, 842))
    document.addPageTemplates(PageTemplate(frames=frames))
    style = ParagraphStyle("p", fontName="F", fontSize=11, leading=14, alignment=4)
    document.build([it for part in text for it in (Paragraph(html.escape(part), style), Spacer(1, 8))])


def run(*command, seconds=120):
    return subprocess.run(command, capture_output=True, timeout=seconds, check=False)


def set_by_chromium(text, columns, path):
    page = path.with_suffix(".html")
    body = "".join(f"<p>{html.escape(part)}" for part in text)
    page.write_text(f"<meta charset=utf-8><body style='columns:{columns};text-align:justify'>{body}")
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={path}", str(page))


def set_by_latex(text, columns, path):
    source = path.with_suffix(".tex")
    encoding = "T2A" if "-ru-" in path.name else "T1"
    source.write_text(LATEX % (",twocolumn" if columns == 2 else "", encoding, "\n\n".join(text)))
    run("pdflatex", "-interaction=batchmode", f"-output-directory={path.parent}", str(source))


def make(texts, folder):
    """Creates the PDFs, and returns the words of each."""
    made = {}
    for language in LANGUAGES:
        known = (paragraphs(file.read_text()) for file in sorted(texts.glob(f"{language}_*.txt")))
        for number, text in zip(range(3), (text for text in known if len(text) > 4)):
            for columns in (1, 2):
                path = lambda maker: folder / f"{maker}-{columns}-{language}-{number}.pdf"
                makers = [("reportlab", set_by_reportlab), ("chromium", set_by_chromium)]
                makers += [("latex", set_by_latex)] if number == 0 else []
                for maker, write in makers:
                    made[path(maker)] = text
                    if not path(maker).exists():
                        write(text, columns, path(maker))
                made[path("libreoffice")] = text
                body = "".join(f"<text:p>{html.escape(part)}</text:p>" for part in text)
                path("libreoffice").with_suffix(".fodt").write_text(FODT.format(columns=columns, body=body))
    sources = [str(it) for it in sorted(folder.glob("*.fodt")) if not it.with_suffix(".pdf").exists()]
    if sources:
        run("soffice", "--headless", "--convert-to", "pdf", "--outdir", str(folder), *sources, seconds=900)
    return {path: text for path, text in made.items() if path.exists()}


def words(text):
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    return re.findall(r"\w+", re.sub(r"(\w)[-\u2010]\n\s*(?=\w)", r"\1", text).lower())


def in_order(one, other):
    """Returns the length of the longest common subsequence, bit-parallel (Hyyrö 2004)."""
    at, bits = collections.defaultdict(int), (1 << len(one)) - 1
    for place, word in enumerate(one):
        at[word] |= 1 << place
    for word in other:
        met = bits & at[word]
        bits = ((bits + met) | (bits - met)) & ((1 << len(one)) - 1)
    return len(one) - bits.bit_count()


def main():
    texts, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(exist_ok=True)
    made = make(texts, folder)
    print(f"{len(made)} PDFs")
    for name, command in (it.split("=", 1) for it in sys.argv[3:]):
        scores, failed = collections.defaultdict(list), 0
        for path, text in made.items():
            want = words("\n\n".join(text))
            try:
                read = run(*(it.replace("{}", str(path)) for it in command.split()), seconds=30)
                failed += read.returncode != 0
                found = words(read.stdout.decode(errors="replace"))
            except subprocess.TimeoutExpired:
                failed, found = failed + 1, []
            shared = sum((collections.Counter(want) & collections.Counter(found)).values())
            score = [2 * shared / (len(want) + len(found)), in_order(want, found) / len(want)]
            for kind in ("all", *path.stem.split("-")[:3:2], "columns " + path.stem.split("-")[1]):
                scores[kind].append(score)
        print(f"{name}, {failed} failed: F1, in order, least F1")
        for kind, rows in sorted(scores.items()):
            f1, order = ([row[at] for row in rows] for at in (0, 1))
            print(f"  {kind:12} {sum(f1) / len(rows):.4f} {sum(order) / len(rows):.4f} {min(f1):.4f}  ({len(rows)})")


if __name__ == "__main__":
    main()
