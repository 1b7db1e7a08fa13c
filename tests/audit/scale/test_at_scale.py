"""Many documents: a row per claim in Parquet, and one summary over all; the same from processes as from Ray."""

import gc
import json
import os
import runpy
import signal
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.scale import engines
from dlaudit.audit.scale.engines import by_processes, by_ray, entries
from dlaudit.audit.scale.rows import rows_of_entry
from dlaudit.audit.scale.summary import Summary, render
from dlaudit.rules.bases import base
from dlaudit.schemas.evidence import Arm

ROOT = Path(__file__).parents[3]
NAMES = ("rate", "training-pair", "kernel", "energy")
SETTINGS = Settings("reviewer")


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "all"
    inside.mkdir()
    for number in range(8):
        (inside / f"{number}").mkdir()
        document = base(NAMES[number % 4])
        (inside / f"{number}" / "submission.json").write_text(json.dumps({**document, "title": f"number {number}"}))
    doctored = base("rate")
    (claim,) = list(doctored["claims"].values())[:1]
    (inside / "8.json").write_text(json.dumps({**doctored, "claims": {"fast": {**claim, "value": "99999999"}}}))
    return inside


def column(path, name):
    return pytest.importorskip("pyarrow.parquet").read_table(path)[name].to_pylist()


def test_there_is_a_row_for_every_claim(folder, tmp_path, capsys):
    code = run(["lint", str(folder), "--out", str(tmp_path / "verdicts.parquet"), "--no-config"])
    printed, written = capsys.readouterr().out, tmp_path / "verdicts.parquet"
    claims = [claim for number in range(8) for claim in base(NAMES[number % 4])["claims"]]
    assert column(written, "claim") == [*claims, "fast"]
    assert printed.startswith(f"9 documents, {len(claims) + 1} claims\n")
    assert code == (1 if {"FAIL", "INSUFFICIENT EVIDENCE"} & set(column(written, "verdict")) else 0)
    assert "FAIL" in column(written, "verdict")
    assert any(column(written, "contradictions")[-1])
    assert "contradictions, by claims:" in printed


def test_what_cannot_be_read_is_a_row_and_stops_nothing(folder, tmp_path, capsys):
    (folder / "5" / "submission.json").write_text('{"dlaudit": "submission/1", ')
    (folder / "9.txt").write_text("")
    code = run(["lint", str(folder), "--out", str(tmp_path / "v.parquet"), "--no-config"])
    columns = (column(tmp_path / "v.parquet", name) for name in ("entry", "verdict"))
    verdicts = dict(zip(*columns, strict=True))
    assert code == 2
    assert verdicts[str(folder / "5")] == verdicts[str(folder / "9.txt")] == "unreadable"
    assert verdicts[str(folder / "8.json")] == "FAIL"
    assert "unreadable" in capsys.readouterr().out


def test_processes_give_the_same_rows_in_order(folder):
    found = entries([str(folder)])
    assert list(by_processes(found, SETTINGS, 2)) == list(by_processes(found, SETTINGS, 1))


def arms_in_memory():
    gc.collect()
    return sum(isinstance(each, Arm) for each in gc.get_objects())


def test_nothing_of_a_document_is_kept_when_it_is_judged(folder):
    before = arms_in_memory()
    for entry in entries([str(folder)]):
        rows_of_entry(entry, SETTINGS)
    assert arms_in_memory() <= before


def test_a_summary_counts_documents_once_and_rules_by_claims(folder):
    summary = Summary()
    for entry in entries([str(folder)]):
        summary.add(rows_of_entry(entry, SETTINGS))
    assert summary.documents.total() == 9
    assert sum(summary.tiers.values()) == sum(summary.claims.values())
    assert str(folder / "8.json") in render(summary)


def test_a_name_cannot_steer_the_terminal(tmp_path):
    summary = Summary()
    doctored = deepcopy(base("rate"))
    for claim in doctored["claims"].values():
        claim["value"] = "99999999"
    (tmp_path / "a\x1b[31m.json").write_text(json.dumps(doctored))
    for entry in entries([str(tmp_path)]):
        summary.add(rows_of_entry(entry, SETTINGS))
    assert summary.contradictions
    assert "\x1b" not in render(summary)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "json"], "--format is about single reports"),
        (["--out", "missing/v.parquet"], "it cannot be written"),
    ],
)
def test_a_refusal_is_one_line(folder, tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert run(["lint", str(folder), "--out", "v.parquet", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.glob("*.parquet"))


def test_a_path_that_is_not_there_is_refused(tmp_path, capsys):
    assert run(["lint", str(tmp_path / "none"), "--engine", "ray"]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


@pytest.fixture(scope="module")
def ray():
    module = pytest.importorskip("ray")
    yield module
    module.shutdown()


@pytest.mark.slow
def test_ray_gives_the_same_rows_and_the_example_the_same_claims(ray, folder, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    found = entries([str(folder)])
    rows = [row for part in by_ray(found, SETTINGS, 2) for row in part]
    assert sorted(rows, key=str) == sorted((row for part in by_processes(found, SETTINGS, 1) for row in part), key=str)
    monkeypatch.setattr(sys, "argv", ["on_ray.py", str(folder), str(tmp_path / "out")])
    runpy.run_path(str(ROOT / "examples" / "scale" / "on_ray.py"), run_name="__main__")
    assert len(parquet.read_table(tmp_path / "out")) == len(rows)


@pytest.mark.slow
def test_the_engine_is_chosen_on_the_command_line(ray, folder, capsys):
    assert run(["lint", str(folder), "--engine", "ray", "--jobs", "2", "--no-config"]) == 1
    assert capsys.readouterr().out.startswith("9 documents")


@pytest.mark.slow
def test_an_entry_that_ends_its_process_is_a_row_and_takes_no_other_with_it(ray, folder, monkeypatch):
    def judged(batch, settings):  # of no module, so that it goes to the process of Ray as it is
        if any(entry.endswith("5") for entry in batch):
            os.kill(os.getpid(), signal.SIGKILL)
        return [rows_of_entry(entry, settings) for entry in batch]

    monkeypatch.setattr(engines, "_judged", judged)
    rows = {row.entry: row for part in by_ray(entries([str(folder)]), SETTINGS, 2) for row in part}
    assert len(rows) == 9
    assert rows[str(folder / "5")].why == "the process that judged it died"
    assert [row.verdict for row in rows.values()].count("unreadable") == 1
