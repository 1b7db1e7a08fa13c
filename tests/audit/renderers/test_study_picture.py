"""The picture that the report of a study opens with, through the command line and on its parts."""

import json
import re
import shutil
from pathlib import Path

import html5lib
import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.renderers.study import drawing
from dlaudit.audit.renderers.study.figures import number, quantity, seconds
from dlaudit.audit.renderers.study.steps import Lane
from dlaudit.audit.renderers.study.trade_off import frontier
from dlaudit.schemas.digest import sha256_hex

STUDY = Path(__file__).parents[3] / "examples" / "honest" / "study"
HOSTILE = "</text></svg><b onload=1>\"'&\x1b[31m\u202e"


def report(folder, out):
    done = CliRunner().invoke(cli, ["report", str(folder), "--out", str(out)], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return out.read_text(encoding="utf-8")


def parsed(page):
    return html5lib.parse(page, namespaceHTMLElements=False)


def words(node):
    return " ".join(" ".join(node.itertext()).split())


def arms_of(tmp_path, change):
    """The study with a second arm and whatever `change` does to its manifest; its signature is left out."""
    folder = tmp_path / "study"
    shutil.copytree(STUDY, folder)
    (folder / "manifest.dsse.json").unlink()
    manifest = json.loads((folder / "manifest.json").read_text())
    arms = manifest["predicate"]["arms"]
    arms["wide"] = json.loads(json.dumps(arms["digits"]))
    arms["wide"]["options"]["global_batch"] = 256
    arms["wide"]["label"] = "a wide one"
    change(arms)
    data = json.dumps(manifest).encode()
    (folder / "manifest.json").write_bytes(data)
    submission = json.loads((folder / "submission.json").read_text())
    submission["manifests"]["study"]["sha256"] = sha256_hex(data)
    submission["claims"]["digits-rate"]["base"] = {"manifest": "study", "arm": "wide", "metric": "rate"}
    (folder / "submission.json").write_text(json.dumps(submission))
    return folder


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return report(STUDY, tmp_path_factory.mktemp("report") / "report.html")


def test_the_report_opens_with_the_numbers_before_any_finding(page):
    root = parsed(page)
    headings = [words(node) for node in root.iter() if re.fullmatch("h[2-3]", str(node.tag))]
    assert headings[0] == "The numbers"
    assert headings.index("The numbers") < headings.index("Verdicts")
    first = next(node for node in root.iter("table") if "numbers" in node.get("class", ""))
    assert "15,030 samples/s" in words(first)
    assert "0.4633 s" in words(first)


def test_a_study_whose_claim_fails_says_why_before_its_numbers(tmp_path):
    folder = tmp_path / "study"
    shutil.copytree(STUDY, folder)
    submission = json.loads((folder / "submission.json").read_text())
    claim = submission["claims"]["digits-rate"]
    claim["statement"] = claim["statement"].replace(claim["value"], "31000")
    claim["value"] = "31000"
    (folder / "submission.json").write_text(json.dumps(submission))
    out = tmp_path / "failed.html"
    CliRunner().invoke(cli, ["lint", str(folder / "submission.json"), "--format", f"html:{out}"])
    page = out.read_text(encoding="utf-8")
    before, _, after = page.partition("The numbers</h")
    assert after
    assert "is stated as 31000; the raw numbers give" in before
    assert 'class="reason"' not in report(STUDY, tmp_path / "report.html")


def test_every_plot_has_its_data_as_a_table(page):
    figures = [node for node in parsed(page).iter("figure") if node.get("class") == "plotted"]
    titles = [words(node.find("figcaption")) for node in figures]
    assert {"Speed of the arms", "Step times in the order of the run", "Distribution of step times"} <= set(titles)
    assert {"Accuracy against training samples", "Accuracy against training time", "Time to target, in steps"} <= set(
        titles
    )
    for node in figures:
        assert any(str(inner.tag).endswith("svg") for inner in node.iter())
        assert len(list(node.find(".//table").iter("tr"))) > 1


def test_step_times_are_told_trial_by_trial(page):
    figure = next(node for node in parsed(page).iter("figure") if "in the order" in words(node.find("figcaption")))
    rows = [words(row) for row in figure.iter("tr")]
    assert rows[0].startswith("Arm Trial Steps Median Slowest")
    assert len(rows) == 1 + 5
    assert all(re.match(r"digits digits-t\d 60 ", row) for row in rows[1:])


def test_the_baseline_comes_first_and_only_what_differs_is_listed(tmp_path):
    page = report(arms_of(tmp_path, lambda arms: None), tmp_path / "report.html")
    root = parsed(page)
    table = next(node for node in root.iter("table") if "numbers" in node.get("class", ""))
    heads = [words(node) for node in table.find("thead").iter("th")]
    assert heads[1].startswith("wide baseline")
    assert heads[2].startswith("digits")
    assert "Against the baseline" in words(table)
    differing = next(node for node in root.iter("table") if "differing" in node.get("class", ""))
    assert [words(row.find("th")) for row in differing.find("tbody").iter("tr")] == ["global batch"]
    assert "further options are the same" in page


def test_phases_memory_and_a_roofline_are_drawn_where_they_were_measured(tmp_path):
    ceilings = {
        "product_flops": {"fp32": 4e10},
        "size": 1024,
        "copy_bytes_per_s": 2e10,
        "spread": {"fp32": 0.1},
        "operand_entropy_bits": 6.0,
    }
    roofline = {
        "step_s": 0.01,
        "intensity": {"contractions": 20.0, "pointwise": 0.1},
        "compute_share": 0.5,
        "memory_share": 0.1,
        "regime": "compute",
        "evidence": "half of the step",
    }
    counted = {
        "registry": 1,
        "hardware_operations": 200_000_000,
        "model_operations": 200_000_000,
        "by_format": {"fp32": 200_000_000},
        "pointwise": {"fp32": 1_000_000},
        "storage_bytes": {"weights": {"fp32": 60_000}, "gradients": {"fp32": 60_000}},
        "time_shares": {"contractions": 0.6, "pointwise": 0.2},
        "ceilings": ceilings,
        "roofline": roofline,
    }

    def change(arms):
        arms["wide"]["accounting"] = counted
        arms["wide"]["measurement"]["phases_s"] = {"data": 0.001, "forward": 0.004, "backward": 0.005}
        arms["wide"]["performance"]["peak_memory"] = {"quantity": "memory", "value": "400", "unit": "MiB"}

    root = parsed(report(arms_of(tmp_path, change), tmp_path / "report.html"))
    tables = {
        words(node.find("figcaption")): words(node.find(".//table"))
        for node in root.iter("figure")
        if node.get("class") == "plotted"
    }
    assert "wide 1 ms 4 ms 5 ms 10 ms" in tables["Where the time of a step goes"]
    assert "wide products 20 per byte 3.333e+10 /s" in tables["Roofline"]
    assert "wide ceiling: copy 20 GB/s" in tables["Roofline"]
    assert "wide 400 MiB" in tables["Peak memory"]


def test_no_word_of_a_document_becomes_markup(tmp_path):
    def change(arms):
        for arm in arms.values():
            arm["label"] = HOSTILE
            arm["target"]["metric"] = HOSTILE
            for trial in arm["trials"].values():
                for one in trial.get("evaluations", ()):
                    one["metrics"] = {HOSTILE: 0.5}

    page = report(arms_of(tmp_path, change), tmp_path / "report.html")
    assert "<b onload" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_the_frontier_holds_what_no_other_beats_in_both():
    points = [(1.0, 0.9), (2.0, 0.95), (3.0, 0.8), (2.5, 0.7)]
    assert frontier(points, higher=True) == [(2.0, 0.95), (3.0, 0.8)]
    assert frontier(points, higher=False) == [(2.5, 0.7), (3.0, 0.8)]


def test_ticks_are_round_and_inside():
    assert drawing.Scale(0, 97, 0, 1).ticks(5) == [0, 20, 40, 60, 80]
    assert drawing.Scale(0.8, 1200, 0, 1, log=True).ticks(3) == [1, 10, 100, 1000]
    assert drawing.spanning([5.0, 5.0], 0, 100).at(5.0) == pytest.approx(50)


def test_a_stall_takes_more_than_twice_the_median():
    assert Lane("t1", (1.0, 1.1, 0.9, 5.0, 1.0), (), ()).stalls == [3]


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (number(15033.2), "15,030"),
        (number(0.97721), "0.9772"),
        (seconds(0.00853), "8.53 ms"),
        (seconds(3.2e-7), "320 ns"),
        (quantity(1.4815e9, "FLOP/s"), "1.482 GFLOP/s"),
        (drawing.short(12_500), "12.5k"),
        (drawing.cut("global_batch256-width16", 12), "globa…idth16"),
    ],
)
def test_numbers_are_written_as_readers_do(shown, words):
    assert shown == words
