"""The rule book and its index: one entry a listed module, and no module imported before its rule applies."""

import json
import subprocess
import sys

import pytest
from dlaudit.rules import book, index
from dlaudit.rules.case import Case
from dlaudit.rules.predicate import predicate
from dlaudit.rules.registry import Entry, Rule
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

LINT = """
import contextlib, io, json, sys
from dlaudit.audit.cli import run
with contextlib.redirect_stdout(io.StringIO()):
    run(["lint", sys.argv[1]])
print(json.dumps(list(sys.modules)))
"""


def test_the_index_says_what_the_modules_say():
    modules, entries = index.text(zip(book.MODULES, book.book(), strict=True)), index.FILE.read_text()
    stale = [f"{old}\nshould be\n{new}" for old, new in zip(entries.split("\n"), modules.split("\n"), strict=False)]
    what = next((line for line in stale if len(set(line.split("\nshould be\n"))) > 1), "")
    assert entries == modules, f"run `python -P -m dlaudit.rules.book` (`make docs` does): {what}"


def test_every_module_is_listed_once():
    assert len(set(book.MODULES)) == len(book.MODULES)
    codes = [rule.code for rule in book.book()]
    assert len(set(codes)) == len(codes)


def test_the_book_goes_by_the_index():
    known = index.read()
    listed = zip(book.MODULES, book.entries(), strict=True)
    assert all(isinstance(entry, Entry) for module, entry in listed if module in known)
    assert [entry.load() for entry in book.entries()] == list(book.book())


@pytest.fixture
def without_entry(tmp_path, monkeypatch):
    """The book while the index lacks its first module, as when a rule was just added."""
    path = tmp_path / "index.json"
    path.write_text(json.dumps([row for row in json.loads(index.FILE.read_text()) if row["module"] != book.MODULES[0]]))
    monkeypatch.setattr(index, "FILE", path)
    book.entries.cache_clear()
    yield book.entries()
    book.entries.cache_clear()


def test_a_module_that_the_index_lacks_is_imported(without_entry):
    first, second, *_ = without_entry
    assert isinstance(first, Rule)
    assert first is book.book()[0]
    assert isinstance(second, Entry)


def test_lint_imports_the_rules_that_apply_and_no_other(tmp_path):
    claim = {
        "statement": "An epoch takes 80 s.",
        "value": "80",
        "unit": "s",
        "quantity": "time",
        "form": "absolute",
        "scope": "epoch",
        "mode": "training",
        "compares": "none",
    }
    path = tmp_path / "sentence.json"
    path.write_text(json.dumps({"dlaudit": "submission/1", "title": "A post", "claims": {"c": claim}}))
    done = subprocess.run([sys.executable, "-P", "-c", LINT, str(path)], capture_output=True, text=True, check=True)
    imported = {name.removeprefix("dlaudit.rules.") for name in json.loads(done.stdout)} & set(book.MODULES)
    case = Case(to_model(json.loads(path.read_text()), Submission))
    applies = {
        module
        for module, entry in zip(book.MODULES, book.entries(), strict=True)
        if module not in index.read()
        or entry.about == "document"
        or (entry.about == "claim" and predicate(entry.applies)(case.submission.claims["c"], case))
    }
    assert len(applies) < len(book.MODULES) / 2
    assert imported == applies | {"document.report_incomplete"}
