"""A rule that was just started is in the book, its tests see it, and they fail until it is written."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.rules.registry import FAMILIES

ROOT = Path(__file__).parents[2]
WRITTEN = """\
    if claim.statistic == "best_of":
        yield Violation("a", CAVEAT, C3, "a mean", claim.at)
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the rule book with its tests, as a package of its own."""
    root = tmp_path / "dlaudit"
    root.mkdir()
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("schemas", "rules", "tools"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    (root / "tests" / "rules").mkdir(parents=True)
    for name in ("__init__.py", "pyproject.toml", "tests/rules/conftest.py", "tests/rules/test_examples.py"):
        shutil.copyfile(ROOT / name, root / name)
    return root


def new_rule(root, *arguments):
    command = [sys.executable, "-P", str(root / "tools" / "new_rule.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def outcome_of_tests(root, *names):
    """Run the tests of a rule in the copy; return the exit code and what was printed."""
    environment = {**os.environ, "PYTHONPATH": str(root.parent)}
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", " or ".join(names)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=240)
    return done.returncode, done.stdout


@pytest.mark.slow
def test_a_new_rule_fails_until_it_is_written(copy):
    done = new_rule(copy, "M97", "mean-of-means")
    assert (done.returncode, done.stderr) == (0, "")
    assert "rules/methodology/mean_of_means.py" in done.stdout
    code, printed = outcome_of_tests(copy, "M97", "mean_of_means")
    assert code == 1
    assert "test_flagged_example_is_flagged[M97]" in printed
    assert "test_accepted_example_passes[M97]" in printed
    assert "test_mean_of_means.py::test_the_flaw_is_flagged" in printed

    path = copy / "rules" / "methodology" / "mean_of_means.py"
    text = path.read_text()
    body = text[text.index("    raise NotImplementedError") :]
    text = text.replace(body, WRITTEN).replace("C3, CAVEAT, Branch", "C3, CAVEAT, Branch, Violation")
    text = text.replace("    {}\n", '    {"claims": {"rate": {"statistic": "best_of"}}}\n')
    path.write_text(text)
    code, printed = outcome_of_tests(copy, "example and M97")
    assert (code, "failed" in printed) == (0, False), printed


@pytest.mark.parametrize(
    ("code", "name", "why"),
    [
        ("W1301", "some-flaw", "is no code"),
        ("M1", "some-flaw", "is no code"),
        ("X01", "some-flaw", "is no code"),
        ("../a", "some-flaw", "is no code"),
        ("M97", "SomeFlaw", "is no name"),
        ("M97", "../some-flaw", "is no name"),
        ("M04", "some-flaw", "too_few_repetitions.py has that code or name"),
        ("M97", "option-set-mismatch", "option_set_mismatch.py has that code or name"),
    ],
)
def test_what_cannot_be_had_changes_nothing(copy, code, name, why):
    before = {path: path.read_bytes() for path in copy.rglob("*.py")}
    done = new_rule(copy, code, name)
    assert done.returncode == 2
    assert why in done.stderr
    assert {path: path.read_bytes() for path in copy.rglob("*.py")} == before


def test_the_folder_of_every_family_is_there():
    script = "import json, runpy; print(json.dumps(runpy.run_path('tools/new_rule.py')['FOLDERS']))"
    done = subprocess.run([sys.executable, "-P", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    folders = json.loads(done.stdout)
    assert list(folders) == [family for family in FAMILIES if family != "X"]
    assert all((ROOT / "rules" / folder / "__init__.py").is_file() for folder in folders.values())
