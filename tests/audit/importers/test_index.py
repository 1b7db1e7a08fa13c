"""The importers' index says what they say of themselves, and a report imports the importer that reads it alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.audit.importers.index import INDEX
from dlaudit.audit.importers.registry import built_in, importers
from dlaudit.rules.module_index import text

ROOT = Path(__file__).parents[3]
LOG = ':::MLLOG {"namespace": "", "time_ms": 1, "key": "seed", "value": 1, "metadata": {}}\n'
LOADED = """
import sys
from dlaudit.audit.lint.read import read_documents
(found,) = read_documents([sys.argv[1]])
print(*(name for name in sys.modules if name.startswith("dlaudit.audit.importers.")))
"""


def test_the_index_is_what_the_importers_say():
    assert text(INDEX.rows()) == text(INDEX.built())
    assert [each.name for each in built_in()] == sorted(each.name for each in built_in())


def test_the_index_that_is_checked_in_is_of_the_importers_that_are():
    def git(*arguments):
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            pytest.skip("not a git checkout")
        return done.stdout

    paths = git("grep", "--cached", "-l", "^IMPORTER = ", "--", "audit/importers").splitlines()
    listed = {row["module"] for row in json.loads(git("show", ":audit/importers/index.json"))}
    assert listed == {".".join(Path(path).parts[2:])[:-3] for path in paths}, "git add audit/importers/index.json"


def test_an_importer_of_the_index_has_what_the_importer_has():
    for listed, own in zip(importers(), built_in(), strict=True):
        assert (listed.name, listed.title, listed.signatures) == (own.name, own.title, own.signatures)
        for part in ("read_folder", "together", "recognises", "read_log"):
            assert (getattr(listed, part) is None) is (getattr(own, part) is None)
        if own.together is not None:
            assert (listed.together.beside is None) is (own.together.beside is None)
            assert listed.together.place("a/b/c.json") == own.together.place("a/b/c.json")


def test_a_log_imports_no_other_importer(tmp_path):
    path = tmp_path / "result_0.txt"
    path.write_text(LOG)
    done = subprocess.run([sys.executable, "-P", "-c", LOADED, str(path)], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "dlaudit.audit.importers.mlperf.training" in modules
    others = {row["module"] for row in INDEX.rows()} - {"mlperf.training"}
    assert not modules & {f"dlaudit.audit.importers.{name}" for name in others}
