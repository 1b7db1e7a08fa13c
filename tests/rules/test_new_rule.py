"""A rule that was just started is in the book and works; a test names what is still to be written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.rules.book import FOLDERS
from dlaudit.rules.registry import FAMILIES

ROOT = Path(__file__).parents[2]
TESTS = ("conftest", "test_book", "test_examples")


@pytest.fixture
def copy(tmp_path):
    """A copy of the rule book with its tests, as a package of its own."""
    root = tmp_path / "dlaudit"
    root.mkdir()
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("schemas", "rules", "tools"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    (root / "tests" / "rules").mkdir(parents=True)
    for name in ("__init__.py", "pyproject.toml", *(f"tests/rules/{name}.py" for name in TESTS)):
        shutil.copyfile(ROOT / name, root / name)
    return root


def new_rule(root, *arguments):
    command = [sys.executable, "-P", str(root / "tools" / "new_rule.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=500)


def outcome_of_tests(root, *names):
    """Run the tests of a rule in the copy; return the exit code and what was printed."""
    environment = {**os.environ, "PYTHONPATH": str(root.parent)}
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "-v", "-k", " or ".join(names)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=500)
    return done.returncode, done.stdout


@pytest.mark.slow
def test_a_new_rule_works_and_asks_to_be_written(copy):
    done = new_rule(copy, "M97", "mean-of-means")
    assert (done.returncode, done.stderr) == (0, "")
    assert "rules/methodology/mean_of_means.py" in done.stdout
    code, printed = outcome_of_tests(copy, "M97", "mean_of_means")
    failed = re.findall(r"^FAILED \S+::(\S+)", printed, re.MULTILINE)
    assert (code, failed) == (1, ["test_nothing_of_the_template_is_left[M97]"]), printed
    assert "test_bases_are_quiet[M97]" in printed

    path = copy / "rules" / "methodology" / "mean_of_means.py"
    path.write_text(re.sub(r"\b[A-Z]{2,}(?: [A-Z]+)+", "some words", path.read_text()))
    code, printed = outcome_of_tests(copy, "M97", "mean_of_means")
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
    assert list(FOLDERS) == [family for family in FAMILIES if family != "X"]
    assert all((ROOT / "rules" / folder / "__init__.py").is_file() for folder in FOLDERS.values())
