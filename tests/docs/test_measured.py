"""The table of precision and recall is the one that the benchmark prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("DLAUDIT_CORPUS", "DLAUDIT_TRANSCRIPTS")


def printed(environment):
    command = [sys.executable, "-P", ROOT / "benchmarks" / "labels.py"]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


@pytest.mark.skipif(any(name not in os.environ for name in NEEDED), reason=f"{' or '.join(NEEDED)} is not set")
def test_the_table_is_what_the_benchmark_prints():
    rows = [line for line in printed(os.environ).splitlines() if line.startswith("|")]
    page = (ROOT / "docs" / "measured.md").read_text(encoding="utf-8")
    assert len(rows) > 3
    assert "\n".join(rows) in page


def test_without_reports_the_benchmark_is_skipped():
    kept = {name: value for name, value in os.environ.items() if name not in NEEDED}
    assert printed(kept).startswith("skipped: set ")
