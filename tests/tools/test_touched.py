"""Which tests a change touches: its own first, then those of what imports it."""

import runpy
import subprocess
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "touched.py"))
TEXTS = {
    "rules/way01/late.py": 'from ..facts.runs.times import start\nfrom ._part import share\n\n@rule(\n    "W0199",\n',
    "rules/way01/_part.py": "",
    "rules/facts/runs/times.py": "from ...tables import (\n    devices,\n    names,\n)\n",
    "rules/tables/devices.py": "",
    "audit/commands/lint.py": "from ...rules.facts.runs import times\n",
    "tests/rules/conftest.py": "",
    "tests/rules/way01/test_late.py": "from support.runs import run\n",
    "tests/rules/across/test_starts.py": 'CODES = ["W0101", "W0199"]\n',
    "tests/rules/facts/runs/test_times.py": "from dlaudit.rules.facts.runs.times import start\n",
    "tests/rules/support/runs.py": "",
    "tests/audit/test_lint_command.py": "",
    "tests/audit/test_other.py": "",
}
LATE = ["tests/rules/way01/test_late.py", "tests/rules/across/test_starts.py"]
TIMES, LINT = "tests/rules/facts/runs/test_times.py", "tests/audit/test_lint_command.py"


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("rules/way01/late.py", LATE),
        ("rules/way01/_part.py", LATE),
        ("rules/facts/runs/times.py", [TIMES, LINT, *LATE]),
        ("rules/tables/devices.json", [TIMES, LINT, *LATE]),
        ("audit/commands/lint.py", [LINT]),
        ("tests/rules/support/runs.py", LATE[:1]),
        ("tests/rules/conftest.py", sorted([*LATE, TIMES])),
        ("tests/audit/test_other.py", ["tests/audit/test_other.py"]),
        ("tests/audit/test_deleted.py", []),
        ("README.md", []),
    ],
)
def test_the_nearest_tests_come_first(file, tests):
    assert TOOL["touched"]([file], TEXTS) == tests


def test_what_git_says_has_changed(tmp_path):
    def git(*command):
        name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *name, *command], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--initial-branch=main")
    for name in ("same.py", "edited.py", "committed.py"):
        (tmp_path / name).write_text("")
    git("add", ".")
    git("commit", "-m", "a")
    git("switch", "-c", "branch")
    (tmp_path / "committed.py").write_text("1")
    git("commit", "-a", "-m", "b")
    (tmp_path / "edited.py").write_text("1")
    (tmp_path / "new.py").write_text("")
    assert TOOL["changed"](tmp_path) == ["committed.py", "edited.py", "new.py"]


APART = {"across", "honest", "invariants", "language", "statistics", "support", "tables"}


def test_the_tests_of_a_rule_or_a_fact_stand_under_its_name():
    root = TOOL["ROOT"]
    paths = [path.relative_to(root / "tests") for path in (root / "tests" / "rules").rglob("test_*.py")]
    named = [path.with_name(path.name.removeprefix("test_")) for path in paths if path.parts[1] not in APART]
    inside = [path for path in named if len(path.parts) > 2]
    assert len(inside) > 250
    assert [path for path in inside if not (root / path).is_file()] == []
