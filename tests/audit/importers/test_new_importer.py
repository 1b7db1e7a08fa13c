"""A started importer reads its own report; its page says what the field map says."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from dlaudit.audit.importers.index import INDEX
from dlaudit.audit.importers.page import index, page
from dlaudit.audit.importers.registry import built_in
from dlaudit.audit.importers.report_file import open_report
from dlaudit.schemas.validation import validate

ROOT = Path(__file__).parents[3]


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """The scaffold, writing into folders of its own."""
    spec = importlib.util.spec_from_file_location("new_importer", ROOT / "tools" / "new_importer.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "audit" / "importers" / "harness").mkdir(parents=True)
    return module


def test_a_started_importer_reads_its_own_report(tool, tmp_path, monkeypatch):
    assert tool.main(["harness", "some-tool"]) == 0
    path = tmp_path / "audit" / "importers" / "harness" / "some_tool.py"
    name = "dlaudit.audit.importers.harness.some_tool"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    report = tmp_path / "tests" / "audit" / "importers" / "fixtures" / "some-tool" / "plain" / "report.json"
    draft = module.IMPORTER.read(open_report("report.json", report.read_bytes()))
    assert not validate("submission", draft.value)
    assert draft.value["claims"]["samples_per_second"]["value"] == "123.4"
    assert INDEX.row("harness.some_tool")["name"] == "some-tool"
    assert json.loads((report.parent / "expected.json").read_text()) == {}


@pytest.mark.parametrize("name", ["Some-Tool", "some tool", "../x", "x-"])
def test_bad_names_change_nothing(tool, tmp_path, name):
    assert tool.main(["harness", name]) == 2
    assert not (tmp_path / "tests").exists()


@pytest.mark.parametrize("importer", built_in(), ids=lambda importer: importer.name)
def test_pages_show_the_field_map(importer):
    text = page(importer)
    assert all(f"`{field.source}`".replace("|", "\\|") in text for field in importer.fields)
    assert f"[{importer.name}]({importer.name}.md)" in index(built_in())
