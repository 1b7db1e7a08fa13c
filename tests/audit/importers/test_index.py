"""The importers' index says what they say of themselves, and a report imports the importer that reads it alone."""

import subprocess
import sys

from dlaudit.audit.importers import index
from dlaudit.audit.importers.registry import MODULES, built_in, importers

LOG = ':::MLLOG {"namespace": "", "time_ms": 1, "key": "seed", "value": 1, "metadata": {}}\n'
LOADED = """
import sys
from dlaudit.audit.lint.read import read_documents
(found,) = read_documents([sys.argv[1]])
print(*(name for name in sys.modules if name.startswith("dlaudit.audit.importers.")))
"""


def test_the_index_is_what_the_importers_say():
    written = index.text(zip(MODULES, built_in(), strict=True))
    assert index.FILE.read_text() == written, "python -P -m dlaudit.audit.importers.registry writes it"


def test_an_importer_of_the_index_has_what_the_importer_has():
    for listed, own in zip(importers(), built_in(), strict=True):
        assert (listed.name, listed.title, listed.signatures) == (own.name, own.title, own.signatures)
        for part in ("read_folder", "together", "recognises", "read_log"):
            assert (getattr(listed, part) is None) is (getattr(own, part) is None)
        if own.together is not None:
            assert (listed.together.beside is None) is (own.together.beside is None)
            assert listed.together.place("a/b/c.json") == own.together.place("a/b/c.json")


def test_a_module_that_the_index_lacks_is_imported(monkeypatch):
    from dlaudit.audit.importers import registry

    known = index.read()
    monkeypatch.setattr(index, "read", lambda: {name: known[name] for name in known if name != "pyperf"})
    registry._listed.cache_clear()
    try:
        assert [each.name for each in importers()] == [each.name for each in built_in()]
    finally:
        registry._listed.cache_clear()


def test_a_log_imports_no_other_importer(tmp_path):
    path = tmp_path / "result_0.txt"
    path.write_text(LOG)
    done = subprocess.run([sys.executable, "-P", "-c", LOADED, str(path)], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "dlaudit.audit.importers.mlperf.training" in modules
    assert not modules & {f"dlaudit.audit.importers.{name}" for name in MODULES if name != "mlperf.training"}
