"""The report of a study on a processor sets what was requested beside what was achieved."""

import json
import os
import re
import sys
from html import unescape
from pathlib import Path

import pytest
from support.forks import dlaudit

PROGRAM = Path(__file__).parents[1] / "runners" / "programs" / "timed.py"


@pytest.fixture
def report(tmp_path):
    processor = min(os.sched_getaffinity(0))
    controls = {"affinity": [processor], "aslr": False, "numa_nodes": [0], "governor": "performance", "threads": 1}
    spec = {
        "dlaudit": "spec/1",
        "title": "a sleeper",
        "workload": {"command": [sys.executable, "-S", "-E", str(PROGRAM), "0.3"]},
        "throughput": {"warmup": 0, "iterations": 10, "trials": 1},
        "controls": controls,
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "s"), "DLAUDIT_LOCKS": str(tmp_path)}
    done = dlaudit(["run", "spec.json", "--unsigned", "--out", "out"], tmp_path, environment)
    assert done.returncode == 0, done.stderr
    return (tmp_path / "out/report.html").read_text()


def rows(page):
    """Return the rows of the page's tables as lists of words."""
    found = re.findall(r"<tr\b.*?</tr>", page, re.DOTALL)
    cells = ([re.sub(r"<[^>]+>", " ", cell) for cell in re.findall(r"<t[hd]\b.*?</t[hd]>", row, re.S)] for row in found)
    return [[" ".join(unescape(cell).split()) for cell in row] for row in cells]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs sched_getaffinity")
def test_what_was_requested_stands_beside_what_was_achieved(report):
    table = {row[0]: row for row in rows(report) if len(row) > 5}
    processor = str(min(os.sched_getaffinity(0)))
    assert table["affinity"][2:5] == [processor, processor, processor]
    assert "verified" in table["affinity"][5]
    assert table["governor"][2] == "performance"
    assert {"aslr", "numa nodes", "threads", "telemetry", "other load", "energy"} <= table.keys()
