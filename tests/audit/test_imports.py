"""What each command imports: a reviewer who only lints waits for nothing heavy."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {
    *("torch", "numpy", "scipy", "statsmodels", "sklearn", "matplotlib", "jinja2", "jsonschema", "cryptography"),
    *("bcrypt", "yaml", "rfc8785", "pynvml", "psutil", "multiprocessing"),
}
PROBE = """
import contextlib, io, json, sys
from dlaudit.audit.cli import run
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    code = run(json.loads(sys.argv[1]))
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def loaded(*arguments):
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROBE, json.dumps([str(a) for a in arguments])],
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    return code, set(modules) & HEAVY


@pytest.fixture
def sentence(tmp_path):
    """A submission without raw samples, as JSON."""
    path = tmp_path / "sentence.json"
    claim = {
        "statement": "Training is 3.2x faster.",
        "value": "3.2",
        "unit": "x",
        "quantity": "rate",
        "form": "ratio",
        "scope": "step",
        "mode": "training",
        "compares": "other_system",
    }
    path.write_text(json.dumps({"dlaudit": "submission/1", "title": "A post", "claims": {"speedup": claim}}))
    return path


def test_version_loads_nothing_heavy():
    assert loaded("--version") == (0, set())


@pytest.mark.parametrize("command", ["--help", "rules", "explain W0801", "schema submission"])
def test_the_rule_book_loads_nothing_heavy(command):
    code, heavy = loaded(*command.split())
    assert code == 0
    assert heavy == set()


def test_lint_without_raw_samples_loads_nothing_heavy(sentence):
    code, heavy = loaded("lint", sentence)
    assert code == 1
    assert heavy == set()


def test_lint_of_yaml_adds_the_yaml_parser_only():
    _, heavy = loaded("lint", ROOT / "schemas" / "examples" / "submission.yaml", "--fail-on", "never")
    assert heavy <= {"yaml", "numpy", "scipy"}
    assert "yaml" in heavy


def test_an_invalid_document_adds_the_explaining_validator_only(sentence):
    document = json.loads(sentence.read_text())
    document["claims"]["speedup"]["quantity"] = "speed"
    sentence.write_text(json.dumps(document))
    code, heavy = loaded("lint", sentence)
    assert code == 2
    assert heavy <= {"jsonschema", "multiprocessing"}
    assert "jsonschema" in heavy


def test_run_plans_without_torch():
    code, heavy = loaded("run", "--dry-run", ROOT / "examples" / "quickstart.yaml")
    assert code == 0
    assert "torch" not in heavy
