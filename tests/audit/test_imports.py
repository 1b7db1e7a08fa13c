"""What each command imports: a reviewer who only lints waits for nothing heavy."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

ROOT = Path(__file__).parents[2]
HEAVY = {
    *("torch", "numpy", "scipy", "statsmodels", "sklearn", "matplotlib", "jinja2", "jsonschema", "cryptography"),
    *("bcrypt", "yaml", "rfc8785", "pynvml", "psutil", "multiprocessing", "pandas"),
    *("scipy.special", "scipy.stats"),
}
STATISTICS = {"numpy", "scipy", "scipy.special", "scipy.stats", "statsmodels", "pandas"}
DISTRIBUTIONS = {"numpy", "scipy", "scipy.special"}
TABLES = {
    "rates": "| system | images/s | speedup |\n|---|---|---|\n| A100 | 2900 | 1.0x |\n| H100 | 6500 | 2.2x |\n",
    "plus-minus": """\
# Training ResNet-50

Mean and standard deviation of 5 runs. Our method is significantly better.

| method | top-1 accuracy (%) | images/s |
|---|---|---|
| baseline | 76.1 ± 0.2 | 2900 ± 31 |
| ours | **76.9 ± 0.3** | **3450 ± 40** |
""",
}
PROBE = """
import contextlib, io, json, sys
from dlaudit.audit.cli import run
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    code = run(json.loads(sys.argv[1]))
print(json.dumps([code, sorted({*sys.modules, *(name.partition(".")[0] for name in sys.modules)})]))
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
    assert heavy == {"yaml"} | DISTRIBUTIONS


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "examples" / "named").iterdir()))
def test_the_named_examples_need_no_distribution(name):
    code, heavy = loaded("lint", ROOT / "examples" / "named" / name)
    assert code == 1
    assert not heavy & STATISTICS


@pytest.mark.parametrize("table", TABLES)
def test_a_table_needs_no_distribution(tmp_path, table):
    path = tmp_path / "table.md"
    path.write_text(TABLES[table], encoding="utf-8")
    code, heavy = loaded("lint", path, "--fail-on", "never")
    assert code == 0
    assert not heavy & STATISTICS


def test_raw_numbers_add_the_distributions_only(tmp_path):
    trials = {
        f"t{k}": {
            "kind": "throughput",
            "outcome": "completed",
            "samples": {"step_time_s": [0.1 + 0.02 * (k * i % 7) for i in range(60)]},
        }
        for k in range(1, 6)
    }
    rate = base("rate")
    arm = {"trials": {**dict.fromkeys(rate["arms"]["a"]["trials"]), **trials}}
    path = tmp_path / "raw.json"
    path.write_text(json.dumps(merge_patch(rate, {"arms": {"a": arm}})), encoding="utf-8")
    code, heavy = loaded("lint", path, "--fail-on", "never")
    assert code == 0
    assert heavy & STATISTICS == DISTRIBUTIONS


@pytest.mark.parametrize("command", [["compare", "--vary", "attention"], ["plan"]], ids=["compare", "plan"])
def test_comparing_and_planning_load_the_libraries_of_statistics(command):
    code, heavy = loaded(*command, ROOT / "schemas" / "examples" / "submission.yaml")
    assert code in {0, 1, 3}
    assert heavy & STATISTICS == STATISTICS
    assert "torch" not in heavy


@pytest.mark.parametrize("command", ["compare", "plan"])
def test_comparing_and_planning_say_what_they_need(command, monkeypatch, capsys):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "statsmodels" else there(name))
    assert run([command, "nowhere"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"dlaudit {command} needs statsmodels, which is not installed" in line
    assert "pip install '.[run]'" in line


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


def test_rules_read_distributions_and_no_more_of_the_libraries():
    """`two_arms` and `planning` belong to `compare` and `plan`; normality is asked for by S03 alone, of few claims."""
    heavier = re.compile(
        r"(from|import) (scipy(?!\.special)|statsmodels)|import (two_arms|planning)|\.(two_arms|planning) import"
    )
    found = {path.name for path in (ROOT / "rules").rglob("*.py") if heavier.search(path.read_text(encoding="utf-8"))}
    assert found == {"two_arms.py", "planning.py", "normality.py"}
