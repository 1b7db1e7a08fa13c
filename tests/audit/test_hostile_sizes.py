"""Hostile sizes through the front door: each is judged, or refused in one line, within seconds and little memory."""

import gzip
import json
import os
import subprocess
import sys

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from support import pace

CLAIM = json.dumps(base("rate"))
SECONDS, MIB = 5, 500


MEASURED = """
import resource, sys
from dlaudit.audit.cli import run
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
code = run(["lint", sys.argv[1]])
sys.stdout.flush()
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime, peak, code)
"""
"""Lints and prints the time of the processor, the most memory in KiB, and the exit code.

What the kernel says of a child's memory from outside counts what its parent held before."""


def lint(path, code):
    """Lint a path, hold the time of the processor and the memory, and return what was printed."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", MEASURED, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    out, _, last = done.stdout.rstrip().rpartition("\n")
    assert "Traceback" not in done.stdout, done.stdout[-400:]
    seconds, peak, ended = last.split()
    assert int(ended) == code, out[-400:]
    assert float(seconds) < pace.seconds(SECONDS)
    assert int(peak) < MIB << 10
    return out


@pytest.mark.parametrize("unpacked_bytes", [30 << 20, 240 << 20])
def test_gzip_unpacks_to_a_hundred_times_its_size_at_most(tmp_path, unpacked_bytes):
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * (unpacked_bytes // 4), 9))
    assert "unpacks to more than" in lint(path, 2)


def test_a_log_that_is_packed_well_is_read(tmp_path):
    rows = "".join(f"model-{number},{number * 1.37:.2f}\n" for number in range(1, 201))
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(f"model,images/s\n{rows}".encode(), 9))
    assert "200 claims" in lint(tmp_path / "rows.csv.gz", 1)


INVALID = {
    "fields": lambda: {"claims": {}, **{f"k{number}": number for number in range(500_000)}},
    "claims": lambda: {"claims": {f"c{number}": {"x": 1} for number in range(200_000)}},
    "list": lambda: {"claims": {"a": {"statement": "x", "value": [{"z": 1}] * 200_000}}},
    "extra": lambda: {"claims": {}, "arms": {"a": {"options": {"extra": {f"k{n}": {"q": n} for n in range(200_000)}}}}},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", INVALID)
def test_a_hundred_problems_are_explained_and_no_more(tmp_path, kind):
    path = tmp_path / "claim.json"
    path.write_text(json.dumps({"dlaudit": "submission/1", "title": "x", **INVALID[kind]()}))
    out = lint(path, 2)
    assert out.count("claim.json:1:") <= 102


def test_a_problem_behind_many_good_members_is_found(tmp_path):
    path = tmp_path / "claim.json"
    extra = {**{f"k{number}": number for number in range(3_000)}, "last": {"q": 1}}
    path.write_text(json.dumps(merge_patch(base("rate"), {"arms": {"a": {"options": {"extra": extra}}}})))
    assert "/arms/a/options/extra/last" in lint(path, 2)


@pytest.fixture
def deep(tmp_path):
    """A folder that is emptied after the test: Python cannot remove so deep a one."""
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)


def test_a_thousand_folders_in_each_other(deep):
    here = os.open(deep, os.O_RDONLY)
    for _ in range(1_000):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("x.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    assert "folders lie more than 32 deep" in lint(deep, 2)
    (deep / "claim.json").write_text(CLAIM)
    lint(deep, 0)


@pytest.mark.slow
def test_a_folder_of_very_many_files(tmp_path):
    for number in range(31_000):
        if number % 1_000 == 0:
            (tmp_path / str(number)).mkdir()
        os.close(os.open(tmp_path / str(number // 1_000 * 1_000) / f"{number}.json", os.O_CREAT | os.O_WRONLY))
    assert "more than 30,000 files" in lint(tmp_path, 2)
    (tmp_path / "claim.json").write_text(CLAIM)
    lint(tmp_path, 0)


@pytest.mark.slow
@pytest.mark.parametrize("content", ["a,b\n1,2\n", "{}", "step 1 loss 0.3\n"])
def test_tens_of_thousands_of_files_beside_a_document(tmp_path, content):
    for number in range(31_000):
        if number % 1_000 == 0:
            (tmp_path / str(number)).mkdir()
        opened = os.open(tmp_path / str(number // 1_000 * 1_000) / f"{number}.csv", os.O_CREAT | os.O_WRONLY)
        os.write(opened, content.encode())
        os.close(opened)
    (tmp_path / "claim.json").write_text(CLAIM)
    out = lint(tmp_path, 2)
    assert "more than 30,000 files lie beside its documents, and none of those was read" in out
    assert "name the documents, or hand in a smaller folder" in out
    assert lint(tmp_path / "claim.json", 0)
