"""The rule book and its index: one entry a module, and no module imported before its rule applies."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.rules.book import FOLDERS, INDEX, book, entries
from dlaudit.rules.case import Case
from dlaudit.rules.module_index import text
from dlaudit.rules.predicate import predicate
from dlaudit.rules.registry import FAMILIES
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

ROOT = Path(__file__).parents[2]
RULES = {rule.code: rule for rule in book()}
TEMPLATE = (ROOT / "tools" / "templates" / "rule.py.txt").read_text()
LINT = """
import contextlib, io, json, sys
from dlaudit.audit.cli import run
with contextlib.redirect_stdout(io.StringIO()):
    run(["lint", sys.argv[1]])
print(json.dumps(list(sys.modules)))
"""


def test_the_index_says_what_the_modules_say():
    assert text(INDEX.rows()) == text(INDEX.built())
    assert [entry.load() for entry in entries()] == list(book())


def test_every_module_of_a_family_is_a_rule():
    paths = (path for folder in FOLDERS.values() for path in (ROOT / "rules" / folder).glob("[!_]*.py"))
    assert {entry.module for entry in entries()} == {f"{path.parent.name}.{path.stem}" for path in paths}


def test_a_module_without_a_rule_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "dlaudit.rules.methodology.no_rule", inspect)
    with pytest.raises(UserError, match=r"dlaudit\.rules\.methodology\.no_rule: it defines no rule"):
        INDEX.row("methodology.no_rule")


def test_the_index_that_is_checked_in_is_of_the_modules_that_are():
    def git(*arguments):
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            pytest.skip("not a git checkout")
        return done.stdout

    paths = [Path(line) for folder in FOLDERS.values() for line in git("ls-files", f"rules/{folder}/*.py").splitlines()]
    modules = {f"{path.parent.name}.{path.stem}" for path in paths if not path.stem.startswith("_")}
    listed = {row["module"] for row in json.loads(git("show", ":rules/index.json"))}
    assert listed == modules, "git add rules/index.json"


def test_every_code_and_name_is_there_once_and_by_family():
    codes = [entry.code for entry in entries()]
    assert len(set(codes)) == len({entry.name for entry in entries()}) == len(codes)
    order = list(FAMILIES)
    assert codes == sorted(codes, key=lambda code: (order.index(RULES[code].family), code))


@pytest.mark.parametrize("code", RULES)
def test_a_check_takes_thresholds_where_the_rule_declares_some(code):
    rule = RULES[code]
    check = rule.check or rule.check_document or (lambda: ())
    assert ("thresholds" in inspect.signature(check).parameters) == bool(rule.thresholds)


@pytest.mark.parametrize("code", RULES)
def test_nothing_of_the_template_is_left(code):
    left = [words for words in re.findall(r"\b[A-Z]{2,}(?: [A-Z]+)+", TEMPLATE) if words in RULES[code].doc]
    assert not left
    assert "WHERE THE RULE COMES FROM" not in RULES[code].origin


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
    modules = {entry.module for entry in entries()}
    imported = {name.removeprefix("dlaudit.rules.") for name in json.loads(done.stdout)} & modules
    case = Case(to_model(json.loads(path.read_text()), Submission))
    applies = {
        entry.module
        for entry in entries()
        if entry.about == "document"
        or (entry.about == "claim" and predicate(entry.applies)(case.submission.claims["c"], case))
    }
    assert len(applies) < len(modules) / 2
    assert imported == applies | {"document.report_incomplete"}
