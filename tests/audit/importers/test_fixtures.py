"""Every importer on hand-written reports: the whole draft, the places of its values, and the lint of it."""

import json
import os
from pathlib import Path

import pytest
from dlaudit.audit.drafts.page import as_json, as_yaml
from dlaudit.audit.drafts.reports import drafts_of
from dlaudit.audit.importers.registry import built_in
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.locations import foreign_locator
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.references import dangling
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.place import split_pointer
from dlaudit.schemas.source import parse
from dlaudit.schemas.validation import validate

FOLDER = Path(__file__).parent / "fixtures"
CASES = sorted({path.parent for path in FOLDER.glob("*/*/report*")})
UPDATE = os.environ.get("DLAUDIT_UPDATE") == "1"


def name_of(case):
    return f"{case.parent.name}-{case.name}"


def report_of(case):
    (found,) = case.glob("report*")
    return str(found)


def draft_of(case):
    ((_, draft),) = drafts_of(report_of(case), None, plugins=False)
    return draft


def inside(value, pointer):
    for step in split_pointer(pointer):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.parametrize("importer", [importer.name for importer in built_in()])
def test_every_importer_has_a_fixture(importer):
    assert any(case.parent.name == importer for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_draft_is_what_the_report_says(case):
    draft = draft_of(case)
    if UPDATE:
        (case / "expected.json").write_text(as_json(draft.value))
    assert draft.value == json.loads((case / "expected.json").read_text())
    assert not validate("submission", draft.value)
    assert not dangling(draft.value)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_values_know_the_lines_that_print_them(case):
    """A printed number stands in the line that its origin names; every origin leads to a line of the report."""
    draft = draft_of(case)
    locate = foreign_locator(draft, case, own=None)
    assert draft.origins
    for pointer in draft.origins:
        spot, value = locate(pointer), inside(draft.value, pointer)
        assert spot.text, pointer
        if pointer.endswith(("/value", "/mean", "/median")) and isinstance(value, str):
            assert value in spot.text.replace(",", ""), pointer


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_draft_reads_back_as_json_and_yaml(case):
    value = draft_of(case).value
    for form, text in (("json", as_json(value)), ("yaml", as_yaml(value, {}))):
        assert parse(text.encode(), f"draft.{form}").value == value


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_lint_judges_the_report_itself(case):
    (found,) = read_documents([report_of(case)])
    linted = lint(found, Settings())
    assert linted.report.verdict is not None
    assert [finding for finding in linted.report.all_findings if finding.outcome == "error"] == []
    named = {finding.location.file for finding in linted.report.all_findings}
    assert all(name.startswith(str(case)) for name in named)
