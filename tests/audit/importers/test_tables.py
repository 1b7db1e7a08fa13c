"""Tables of results: the traps of real ones, roles said by the user, and ratios with their bases."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.importers.report_file import ColumnRoles, open_report
from dlaudit.audit.importers.tables.cells import amount, number, several, whole
from dlaudit.audit.importers.tables.in_documents import grids
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate


def read(name, text, roles=None):
    data = text if isinstance(text, bytes) else text.encode()
    found = of_file(name, data, Path(), roles=ColumnRoles(roles, "roles.yaml") if roles else None)
    assert not validate("submission", found.draft.value)
    return found.draft


def only(mapping):
    (value,) = mapping.values()
    return value


@pytest.mark.parametrize(
    ("cell", "printed", "unit", "qualifier", "spread"),
    [
        ("3.26 x", "3.26", "x", None, None),
        ("181%", "181", "%", None, None),
        ("22.59M", "22.59", "M", None, None),
        ("~14 hours", "14", "hours", "about", None),
        ("77.12 +/- 0.11", "77.12", "", None, "0.11"),
        ("76.95 ± 0.18", "76.95", "", None, "0.18"),
        ("61,538.46", "61538.46", "", None, None),
        ("1,572,864", "1572864", "", None, None),
        (">= 5 ms", "5", "ms", "at_least", None),
        ("up to 3x", "3", "x", "up_to", None),
        (".5", "0.5", "", None, None),
        ("007", "7", "", None, None),
        ("$3.06/hr", "3.06", "/hr", None, None),
    ],
)
def test_a_cell_keeps_its_digits_its_unit_and_its_words(cell, printed, unit, qualifier, spread):
    found = number(cell)
    assert (found.printed, found.unit, found.qualifier, found.spread) == (printed, unit, qualifier, spread)


@pytest.mark.parametrize(
    "cell", ["", "-", "OOM", "N/A", "4,2", "64 , 32", "256 and 32", "1.2.3", "a 1", "1 2", "NaN", "1e9999"]
)
def test_a_cell_that_prints_no_number_gives_none(cell):
    assert number(cell) is None


def test_lists_are_read_only_where_the_heading_names_as_many_variants():
    assert several("64 , 32", 2) == (64, 32)
    assert several("4,2", 2) == (4, 2)
    assert several("256 and 32", 2) == (256, 32)
    assert several("64", 2) is None
    assert several("64, x", 2) is None


def test_whole_numbers_and_amounts():
    assert whole("8.0") == 8
    assert whole("0") is None
    assert whole("~8") is None
    assert amount("22.59M") == pytest.approx(22.59e6)
    assert amount("7 B") == pytest.approx(7e9)
    assert amount("7 parsecs") is None


def text_of(*rows, title="Training performance"):
    head, *body = rows
    rule = "|" + "---|" * (head.count("|") - 1)
    return f"## {title}\n\n" + "\n".join((head, rule, *body)) + "\n"


def claims_of(draft, form):
    return {key: claim for key, claim in draft.value["claims"].items() if claim["form"] == form}


def test_a_speed_up_is_relative_to_the_column_that_its_heading_names():
    draft = read("a.md", text_of(
        "| GPUs | Throughput - FP32 | Throughput - mixed precision | Throughput speedup (FP32 - mixed precision) |",
        "| 1 | 400 | 1300 | 3.25 x |",
    ))  # fmt: skip
    claim = only(claims_of(draft, "ratio"))
    assert claim["measured"]["arm"] == "t1-r1-mixed-precision"
    assert claim["base"]["arm"] == "t1-r1-fp32"
    assert claim["attribution"] == "precision"
    assert "purpose" not in claim or claim["purpose"] == "hardware_throughput"


def test_a_speed_up_without_the_other_number_has_no_base():
    draft = read("a.md", text_of("| Batch size | Throughput (img/s) | Throughput - speedup |", "| 1 | 1500 | 1.9 |"))
    assert "base" not in only(claims_of(draft, "ratio"))


def test_of_a_pair_without_names_the_full_precision_is_the_base():
    draft = read("a.md", text_of(
        "| GPUs | Time to train - mixed precision (hours) | Time to train - FP32 (hours) | Time to train - speedup |",
        "| 8 | 3.0 | 10.5 | 3.50 |",
    ))  # fmt: skip
    claim = only(claims_of(draft, "ratio"))
    assert (claim["measured"]["arm"], claim["base"]["arm"]) == ("t1-r1-mixed-precision", "t1-r1-fp32")
    assert claim["scope"] == "training_run"


@pytest.mark.parametrize(
    "heading",
    ["speed-up of mixed precision", "AMP speedup", "Speedup vs. FP32", "Speed-up over FP32", "speedup (AMP / FP32)",
     "AMP speed-up relative to FP32", "speedup with AMP"],
)  # fmt: skip
def test_a_speed_up_is_of_the_variant_that_its_heading_names_in_any_order_of_columns(heading):
    for head, row in (("FP32 images/s | AMP images/s", "410 | 1230"), ("AMP images/s | FP32 images/s", "1230 | 410")):
        draft = read("a.md", text_of(f"| Model | {head} | {heading} |", f"| ResNet-50 | {row} | 3.0x |"))
        claim = only(claims_of(draft, "ratio"))
        assert (claim["measured"]["arm"], claim["base"]["arm"]) == ("t1-r1-mixed-precision", "t1-r1-fp32")


def test_a_speed_up_of_something_that_no_column_holds_is_named_and_not_claimed():
    draft = read("a.md", text_of("| Model | Images/s | Speed-up of INT8 |", "| ResNet-50 | 1230 | 3.0x |"))
    assert claims_of(draft, "ratio") == {}
    assert any("Speed-up of INT8" in text for text in draft.unused)


@pytest.mark.parametrize("heading", ["speedup", "speedup (baseline to ours)", "Speed-up over baseline"])
@pytest.mark.parametrize(
    ("head", "row"), [("baseline (ms) | ours (ms)", "20.0 | 15.0"), ("ours (ms) | baseline (ms)", "15.0 | 20.0")]
)
def test_a_baseline_and_ours_are_two_variants_of_one_quantity(tmp_path, heading, head, row):
    text = text_of(f"| model | {head} | {heading} |", f"| ResNet-50 | {row} | 1.33x |")
    claim = only(claims_of(read("a.md", text), "ratio"))
    assert (claim["measured"]["arm"], claim["base"]["arm"]) == ("t1-r1-ours", "t1-r1-baseline")
    assert strong(linted(tmp_path, text)) == set()
    assert strong(linted(tmp_path, text.replace("1.33x", "3.1x"))) == {"F04"}


def test_the_row_of_one_is_the_base_of_the_others(tmp_path):
    rows = ("| eager | 152.0 | 1.00x |", "| compiled | 202.3 | 1.33x |", "| ours | 336.7 | 2.22x |")
    text = text_of("| method | samples/s | speedup |", *rows)
    claims = claims_of(read("a.md", text), "ratio")
    assert {claim["base"]["arm"] for claim in claims.values()} == {"t1-r1"}
    assert len(claims) == 2
    assert strong(linted(tmp_path, text)) == set()
    assert strong(linted(tmp_path, text.replace("2.22x", "2.5x"))) == {"F04"}
    groups = text_of("| method | samples/s | speedup |", *rows, "| eager, large | 50.0 | 1.0x |")
    bases = [claim.get("base", {}).get("arm") for claim in claims_of(read("a.md", groups), "ratio").values()]
    assert bases == ["t1-r1", "t1-r1", None]


SCALING = "| GPUs | Sequence length | Throughput (img/s) | Strong scaling |"


def test_the_base_of_a_scaling_value_agrees_in_every_other_option_column():
    draft = read("a.md", text_of(
        SCALING,
        *("| 1 | 128 | 100 | 1.0 |", "| 1 | 512 | 30 | 1.0 |", "| 8 | 128 | 770 | 7.7 |", "| 8 | 512 | 240 | 8.0 |"),
    ))  # fmt: skip
    bases = {claim["row"]["row"]: claim["row"]["base_row"] for claim in claims_of(draft, "ratio").values()}
    assert bases == {"r3": "r1", "r4": "r2"}
    assert only({c["points"]: c["points"] for c in claims_of(draft, "ratio").values()}) == 2


def test_a_scaling_value_without_a_fitting_row_has_no_base():
    draft = read("a.md", text_of(SCALING, "| 1 | 128 | 100 | 1.0 |", "| 8 | 512 | 240 | 8.0 |"))
    assert all("base" not in claim for claim in claims_of(draft, "ratio").values())


def test_scaling_values_around_one_are_efficiencies():
    draft = read("a.md", text_of(SCALING, "| 1 | 128 | 100 | 1.0 |", "| 8 | 128 | 770 | 0.96 |"))
    assert only(claims_of(draft, "efficiency"))["value"] == "0.96"


def test_a_constant_batch_per_device_under_a_strong_label_contradicts_nothing():
    """Accumulation may shrink while the batch of one pass stays."""
    draft_text = text_of(
        "| GPUs | Batch size / GPU | Throughput (tok/s) | Strong scaling |",
        "| 1 | 128 | 100 | 1.0 |",
        "| 8 | 128 | 780 | 7.8 |",
    )
    draft = read("a.md", draft_text)
    assert all("global_batch" not in arm["options"] for arm in draft.value["arms"].values())
    assert draft.value["tables"]["t1"]["label"] == "strong"


def linted(tmp_path, text, name="report.md"):
    (tmp_path / name).write_text(text)
    (found,) = read_documents([str(tmp_path / name)])
    return lint(found, Settings()).report


def strong(report):
    return {
        finding.code
        for finding in report.all_findings
        if finding.outcome == "violation" and str(finding.effect) != "caveat"
    }


def test_a_wrong_speed_up_is_refuted_and_a_right_one_is_not(tmp_path):
    head = "| GPUs | Throughput - TF32 | Throughput - mixed precision | Throughput speedup (TF32 to mixed precision) |"
    assert "F04" in strong(linted(tmp_path, text_of(head, "| 1 | 1000.50 | 3201.60 | 2.20 |")))
    assert strong(linted(tmp_path, text_of(head, "| 1 | 1000.50 | 3201.60 | 3.20 |"))) == set()
    assert strong(linted(tmp_path, text_of(head, "| 1 | 1000.50 | 3201.60 | 320% |"))) == set()


def test_swapped_scaling_columns_are_refuted(tmp_path):
    head = (
        "| GPUs | Throughput - FP32 (img/s) | Throughput - FP16 (img/s) | Weak scaling - FP16 | Weak scaling - FP32 |"
    )
    rows = ("| 1 | 10.00 | 50.00 | 1.00 | 1.00 |", "| 8 | 76.00 | 310.0 | 7.60 | 6.20 |")
    assert "F04" in strong(linted(tmp_path, text_of(head, *rows)))


def test_a_column_of_cut_off_numbers_refutes_nothing(tmp_path):
    head = "| Model | GPUs | Throughput (S/s) | Throughput (T/s) |"
    report = linted(tmp_path, text_of(head, "| 13b | 8 | 0 | 16000 |", "| 13b | 16 | 1 | 32000 |"))
    assert strong(report) == set()
    assert not any(finding.outcome == "error" for finding in report.all_findings)


def test_zero_is_not_measured_and_oom_is_no_number():
    draft = read("throughput.csv", "name_gpu,num_gpu,ssd,resnet50\nExample GPU,1,0,650.0\nOther GPU,2,OOM,\n")
    assert [claim["value"] for claim in draft.value["claims"].values()] == ["650.0"]


def test_the_name_of_the_file_says_what_no_column_does():
    draft = read(
        "bench-infer-amp-nhwc-pt240-cu124-rtx4090-dynamo.csv",
        "model,infer_samples_per_sec,infer_batch_size\nnet,9.5,8\n",
    )
    arm = only(draft.value["arms"])
    assert arm["options"]["precision"]["compute"] == "mixed precision"
    assert arm["options"]["compile"] is True
    assert arm["software"] == {"framework": "torch 2.4.0", "runtime": "CUDA 12.4"}
    assert only(draft.value["systems"])["device"] == "rtx4090"
    assert only(draft.value["claims"])["mode"] == "inference"


@pytest.mark.parametrize(("name", "version"), [("pt112-cu113", "1.12"), ("pt19-cu111", None), ("pt210", "2.1.0")])
def test_a_release_in_the_name_of_a_file_is_one_of_the_framework(name, version):
    draft = read(f"bench-train-{name}.csv", "model,train_samples_per_sec\nnet,9.5\n")
    found = only(draft.value["arms"]).get("software", {}).get("framework")
    assert found == (f"torch {version}" if version else None)


@pytest.mark.parametrize(
    "header", ["model,train_samples_per_sec,train_batch_size", "train_batch_size,model,train_samples_per_sec"]
)
def test_the_order_of_columns_does_not_matter(header):
    order = header.split(",")
    values = {"model": "net", "train_samples_per_sec": "9.50", "train_batch_size": "8"}
    draft = read("train.csv", header + "\n" + ",".join(values[name] for name in order) + "\n")
    claim, arm = only(draft.value["claims"]), only(draft.value["arms"])
    assert (claim["value"], claim["mode"], arm["options"]["global_batch"]) == ("9.50", "training", 8)


def test_a_cell_with_digits_that_is_no_number_is_named():
    draft = read("a.md", text_of("| model | images/s |", "| a | 120.5 |", "| b | 30,5 |", "| c | OOM |"))
    assert [text for text in draft.unused if "not read as a number" in text] == [
        "'30,5' (line 6): not read as a number"
    ]


def test_an_index_column_is_a_label():
    draft = read("pytorch-train-throughput.csv", ",ssd\nOD_Town_8xH100_192-0-2-7_v2,12.5\n")
    assert only(draft.value["arms"])["label"] == "OD_Town_8xH100_192-0-2-7_v2"


def test_a_time_without_a_unit_stays_out_and_is_named():
    draft = read("a.csv", "model,samples_per_sec,step_time\nnet,9.5,12\n")
    assert any("step_time" in text and "no unit" in text for text in draft.unused)
    assert all(claim["quantity"] == "rate" for claim in draft.value["claims"].values())


def test_a_spread_in_fractions_beside_percent_is_kept_as_printed():
    draft = read("a.md", text_of(
        "| # of epochs | FP32 avg top1 | FP32 standard deviation |", "| 90 | 76.500 | 0.00100 |", title="Stability"
    ))  # fmt: skip
    quality = only(only(draft.value["arms"])["quality"])
    assert quality["plus_minus"] == {"value": "0.00100", "label": "sd"}


def test_seeds_become_one_quality():
    draft = read(
        "a.md", text_of("| FP16, 8 GPUs | seed 1 | seed 2 | Mean | Std |", "| Accuracy | 84.1 | 84.3 | 84.2 | 0.14 |")
    )
    quality = only(only(draft.value["arms"])["quality"])
    assert quality["seeds"] == {"1": "84.1", "2": "84.3"}
    assert quality["n"] == {"unit": "training_run", "completed": 2}


def test_nodes_and_devices_of_one_cell():
    draft = read("a.md", text_of("| Nodes x GPUs | Time to Train (Hrs) |", "| 32 x 16 | 2.50 |"))
    row = draft.value["tables"]["t1"]["rows"]["r1"]
    assert (row["nodes"], row["devices"]) == (32, 512)


def test_tables_of_hardware_and_features_claim_nothing():
    text = text_of("| Model | Architecture | Memory | F32 TFLOPS | Retail |", "| V100 | Volta | 16GB | 15.7 | $9 |")
    with pytest.raises(UserError, match="no heading of its tables names a measured number"):
        read("a.md", text)


def test_several_tables_are_one_report_with_one_completeness_finding(tmp_path):
    one = text_of("| Model | Throughput (img/s) |", "| a | 10.5 |")
    report = linted(tmp_path, one + "\n" + one.replace("10.5", "11.5"))
    assert sum(finding.code == "R00" for finding in report.all_findings) == 1


def test_places_of_cells_with_marks_links_and_escaped_pipes():
    text = "| **Model** | Throughput (img/s) |\n|---|---|\n| [a\\|b](https://example.org) | **10.5**[^1] |\n"
    (grid,) = grids(open_report("a.md", text.encode()))
    assert [cell.text for cell in grid.rows[0]] == ["a|b", "10.5"]
    assert text.split("\n")[2][grid.rows[0][1].column - 1 :].startswith("**10.5**")


def test_a_text_with_commas_is_no_table():
    assert grids(open_report("a.txt", b"Dear reader, this is a letter\nwithout\nany, rows, at all\n")) == ()


def test_a_byte_order_mark_and_windows_line_ends():
    draft = read("a.csv", "\ufeffmodel,throughput (img/s)\r\nnet,10.50\r\n")
    assert only(draft.value["claims"])["value"] == "10.50"


def test_at_most_a_thousand_claims_are_made_and_the_rest_is_named():
    rows = "\n".join(f"net{number},{number}.5" for number in range(1, 1101))
    draft = read("a.csv", f"model,throughput (img/s)\n{rows}\n")
    assert len(draft.value["claims"]) == 1000
    assert any("a submission holds 1,000 claims" in text for text in draft.unused)


def test_a_user_says_what_the_columns_hold():
    draft = read(
        "a.csv", "what,ms\nnet,12.50\n", {"what": "model", "ms": {"role": "latency", "unit": "ms", "mode": "inference"}}
    )
    claim = only(draft.value["claims"])
    assert (claim["quantity"], claim["value"], claim["unit"], claim["mode"]) == ("latency", "12.50", "ms", "inference")
    assert only(draft.value["arms"])["options"]["model"] == "net"


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"ms": "speed"}, "has an unknown role"),
        ({"ms": 3}, "has an unknown role"),
        ({"ms": {"role": "latency", "colour": "red"}}, "has an unknown key"),
        ({"ms": {"role": "latency", "statistic": "typical"}}, "has no statistic 'typical'"),
        ({"ms": {"role": "latency", "unit": "ms"}, "absent": "model"}, "no table has a column 'absent'"),
    ],
)
def test_a_wrong_map_of_roles_is_refused(roles, message):
    with pytest.raises(UserError, match=message):
        read("a.csv", "what,ms\nnet,12.50\n", roles)


def test_the_command_prints_its_guesses_and_takes_a_map(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("model,took\nnet,12.50\n")
    Path("roles.yaml").write_text("took: {role: latency, unit: ms}\n")
    runner = CliRunner()
    assert runner.invoke(cli, ["draft", "a.csv"]).exit_code != 0
    shown = runner.invoke(cli, ["draft", "--map", "roles.yaml", "a.csv"])
    assert shown.exit_code == 0
    assert '"model": {role: "model"}' in shown.stderr
    assert "quantity: latency" in shown.stdout
    judged_ = runner.invoke(cli, ["lint", "--no-config", "--map", "roles.yaml", "--fail-on", "never", "a.csv"])
    assert "12.50" in judged_.stdout
