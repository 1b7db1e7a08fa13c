"""The same document in every form makes the same claims, and its places are those that its reader finds."""

import io
import json
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import openpyxl
import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli, run
from dlaudit.audit.importers.documents import archives, child
from dlaudit.audit.importers.documents.reader import written
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

HEADING = "ResNet-50 on A100"
SENTENCE = "The batch size is 256 per GPU."
CAPTION = "Table 3: Training throughput"
ROWS = (
    ("GPUs", "FP32 (images/s)", "mixed precision (images/s)", "speed-up (FP32 to mixed precision)"),
    ("1", "400", "1200", "3.31x"),
    ("8", "3,100", "9,300", "3.00x"),
)


def markdown(rows=ROWS):
    body = "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ("---",) * len(rows[0]), *rows[1:]))
    return f"# {HEADING}\n\n{SENTENCE}\n\n{CAPTION}\n\n{body}\n".encode()


def html(rows=ROWS):
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return f"<html><h1>{HEADING}</h1><p>{SENTENCE}\n<p>{CAPTION}<table>{body}</table></html>".encode()


def text(rows=ROWS):
    body = "\n".join("  ".join(cell.ljust(36) for cell in row).rstrip() for row in rows)
    return f"{HEADING}\n{'=' * len(HEADING)}\n\n{SENTENCE}\n\n{CAPTION}\n\n{body}\n".encode()


def grid(rows=ROWS):
    rule = "+" + "+".join("-" * 38 for _ in rows[0]) + "+"
    lines = [f"|{'|'.join(f' {cell}'.ljust(38) for cell in row)}|" for row in rows]
    return "\n".join((rule, lines[0], rule.replace("-", "="), *(f"{line}\n{rule}" for line in lines[1:])))


def rst(rows=ROWS):
    return f"{HEADING}\n{'=' * len(HEADING)}\n\n{SENTENCE}\n\n{CAPTION}\n\n{grid(rows)}\n".encode()


def latex(rows=ROWS):
    body = "\\\\\n".join(" & ".join(row) for row in rows).replace("%", "\\%")
    return (
        f"\\section{{{HEADING}}}\n{SENTENCE}\n\\begin{{table}}\\caption{{{CAPTION}}}\n"
        f"\\begin{{tabular}}{{lccc}}\n{body}\n\\end{{tabular}}\\end{{table}}\n"
    ).encode()


def notebook(rows=ROWS):
    source = markdown(rows).decode().splitlines(keepends=True)
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": source}]}, indent=1).encode()


def word(rows=ROWS):
    document, out = docx.Document(), io.BytesIO()
    document.add_heading(HEADING, 1)
    document.add_paragraph(SENTENCE)
    document.add_paragraph(CAPTION, style="Caption")
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for line, row in zip(table.rows, rows, strict=True):
        for cell, shown in zip(line.cells, row, strict=True):
            cell.text = shown
    document.save(out)
    return out.getvalue()


def sheet(rows=ROWS):
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.title = HEADING
    for row in ((SENTENCE,), (), (CAPTION,), (), *rows):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def drawn(*pages):
    """Return a PDF of pages, each of words with their place from the lower left corner and their size."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, page in enumerate(pages):
        escaped = ((x, y, size, words.replace("(", "\\(").replace(")", "\\)")) for x, y, size, words in page)
        stream = "\n".join(f"BT /F1 {size} Tf {x} {y} Td ({words}) Tj ET" for x, y, size, words in escaped)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * n} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n"
    )
    return f"{out}{end}%%EOF\n".encode("latin-1")


COLUMNS = (50, 100, 210, 370)


def pdf(rows=ROWS):
    words = [(50, 700, 16, HEADING), (50, 670, 10, SENTENCE), (50, 640, 10, CAPTION)]
    words += [(x, 620 - 14 * n, 10, cell) for n, row in enumerate(rows) for x, cell in zip(COLUMNS, row, strict=True)]
    return drawn([(50, 700, 10, "An empty page before it.")], words)


FORMS = {
    "a.md": markdown, "a.html": html, "a.txt": text, "a.rst": rst, "a.tex": latex, "a.ipynb": notebook,
    "a.docx": word, "a.xlsx": sheet, "a.pdf": pdf,
}  # fmt: skip


def draft_of(name, data):
    draft = of_file(name, data, Path()).draft
    assert not validate("submission", draft.value)
    return draft


def told(draft):
    kept = ("value", "unit", "quantity", "form", "statement")
    return {key: {field: claim.get(field) for field in kept} for key, claim in draft.value["claims"].items()}


@pytest.mark.parametrize("name", FORMS)
def test_the_same_document_makes_the_same_claims_in_every_form(name):
    expected, found = draft_of("a.md", markdown()), draft_of(name, FORMS[name]())
    assert told(found) == told(expected)
    assert [arm.get("options") for arm in found.value["arms"].values()] == [
        arm.get("options") for arm in expected.value["arms"].values()
    ]


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("a.md", "a.md:10:23, Table 3, row 2"),
        ("a.docx", "a.docx, Table 3, row 2"),
        ("a.xlsx", "a.xlsx, sheet 1, Table 3, row 2"),
        ("a.pdf", "a.pdf, page 2, Table 3, row 2"),
    ],
)
def test_a_finding_names_the_place_as_a_reader_finds_it(name, where, tmp_path, monkeypatch):
    rows = (*ROWS[:2], (*ROWS[2][:3], "3.41x"))
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(FORMS[name](rows))
    said = CliRunner().invoke(cli, ["lint", name]).output
    assert f"--> {where}" in said
    assert "3.41 is stated" in said


class TestPdf:
    def test_columns_are_read_one_after_the_other_and_words_are_joined(self):
        left = [
            "We train a network on eight, and no more, devi-",
            *("ces and it is by now a good deal faster than ever",) * 8,
        ]
        right = [
            *("before, which is what the other half of it says",) * 8,
            "of this page goes on to say, and does at length.",
        ]
        page = [(40, 700 - 12 * n, 10, line) for n, line in enumerate(left)]
        page += [(320, 700 - 12 * n, 10, line) for n, line in enumerate(right)]
        found = written(open_report("a.pdf", drawn(page))).blocks
        assert found[0].text.startswith("We train a network on eight, and no more, devices and it")
        assert [each.text.split()[0] for each in found] == ["We", "before,"]
        assert found[0].place(60).page == 1
        assert found[0].place(60).box is not None

    def test_running_heads_are_no_text_and_a_page_without_text_is_named(self):
        pages = [[(50, 780, 9, f"A conference, page {n}"), (50, 500, 10, f"Words of page {n}.")] for n in (1, 2, 3)]
        document = written(open_report("a.pdf", drawn(*pages, [])))
        assert [each.text for each in document.blocks] == [f"Words of page {n}." for n in (1, 2, 3)]
        assert document.unread == ("page 4: no text, an empty page or a scanned image",)

    def test_a_heading_over_several_columns_is_their_group(self):
        words = [(210, 620, 10, "Throughput in mixed precision"), (50, 606, 10, "net"), (210, 606, 10, "A100")]
        words += [(300, 606, 10, "H100"), (50, 592, 10, "ResNet-50"), (210, 592, 10, "10.5"), (300, 592, 10, "21.0")]
        (table,) = written(open_report("a.pdf", drawn(words))).blocks
        assert [[cell.text for cell in row] for row in table.cells] == [
            ["", "Throughput in mixed precision", "Throughput in mixed precision"],
            ["net", "A100", "H100"],
            ["ResNet-50", "10.5", "21.0"],
        ]


def zipped(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


HOSTILE = {
    "bomb.docx": lambda: zipped({"word/document.xml": b"<a>" + b" " * 300_000_000}),
    "cut.docx": lambda: word()[:9_000],
    "empty.xlsx": lambda: zipped({"xl/workbook.xml": b"", "[Content_Types].xml": b""}),
    "entities.docx": lambda: zipped(
        {
            "[Content_Types].xml": b"<Types/>",
            "word/document.xml": b'<!DOCTYPE a [<!ENTITY b "' + b"c" * 1000 + b'">]><a>' + b"&b;" * 100_000 + b"</a>",
        }
    ),
    "cut.pdf": lambda: pdf()[:300],
    "none.pdf": lambda: b"%PDF-1.7\n" + b"\0" * 10_000,
    "deep.tex": lambda: b"\\begin{tabular}{l}" + b"{" * 100_000,
    "deep.ipynb": lambda: b'{"nbformat": 4, "cells": ' + b"[" * 100_000,
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_is_one_clear_error(name, tmp_path, capsys):
    path = tmp_path / name
    path.write_bytes(HOSTILE[name]())
    began = time.monotonic()
    assert run(["lint", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("dlaudit: ")
    assert len(line) < 1_000
    assert time.monotonic() - began < 60


def test_a_document_opens_no_other_file(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    sources = {
        "a.rst": f"A\n=\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\n"
        f".. csv-table:: t\n   :file: {secret}\n\ntext\n",
        "a.tex": f"\\section{{A}}\n\\input{{{secret}}}\n\\include{{{secret}}} text\n",
    }
    for name, source in sources.items():
        document = written(open_report(name, source.encode()))
        assert "SECRET" not in " ".join(each.text for each in document.blocks)
        assert "text" in [each.text for each in document.blocks]


def test_formulas_without_a_value_and_hidden_sheets_are_named():
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(("net", "ms"))
    book.active.append(("a", "=1+1"))
    book.create_sheet("aside").sheet_state = "hidden"
    book.save(out)
    document = written(open_report("a.xlsx", out.getvalue()))
    assert document.unread == ("sheet aside: hidden", "sheet Sheet: formulas without a stored value: 1")


@pytest.mark.parametrize(("form", "module"), [("pdf", "pypdfium2"), ("docx", "docx"), ("latex", "pylatexenc")])
def test_a_missing_library_is_one_line_with_the_way_to_get_it(form, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"dlaudit.audit.importers.documents.{form}", raising=False)
    monkeypatch.setattr(archives, "check", lambda *_: None)
    answer = child.answer_of(form, b"")
    assert (answer.written, answer.todo) == (None, "pip install 'dlaudit[documents]'")
    assert answer.what.endswith("which is not installed")


def test_a_parser_that_takes_too_much_is_ended(monkeypatch):
    monkeypatch.setattr(child, "LIMITS", replace(child.LIMITS, wall_s=1))
    real = subprocess.Popen
    endless = [sys.executable, "-c", "import sys; sys.stdin.read(); import time; time.sleep(60)"]
    monkeypatch.setattr(subprocess, "Popen", lambda _, **rest: real(endless, **rest))
    with pytest.raises(UserError, match="cannot be read within"):
        child.read_apart("pdf", b"%PDF", "a.pdf")


def test_text_keeps_its_lines_in_latex_and_notebooks():
    for name in ("a.tex", "a.ipynb", "a.rst"):
        data = FORMS[name]()
        (table,) = (each for each in written(open_report(name, data)).blocks if each.kind == "table")
        lines = data.decode().split("\n")
        for cell in (cell for row in table.cells for cell in row):
            assert lines[cell.place.line - 1][cell.place.column - 1 :].startswith(cell.text), (name, cell)
