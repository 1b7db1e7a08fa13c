"""What the ratios of a table are relative to: honest tables stay quiet, the same with one wrong number do not."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.validation import validate

ROLES = {"F04", "F05", "F06", "W0505", "W1101"}


def table(head, *rows, title="Training on A100"):
    width = head.count("|") + 1
    lines = [head, "|".join(["---"] * width), *rows]
    return f"# {title}\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n"


def draft_of(text):
    draft = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def bases(text):
    """The base arm of each ratio by the arm that it is of; None where it has none."""
    claims = draft_of(text).value["claims"].values()
    return {
        claim["measured"]["arm"]: claim.get("base", {}).get("arm") for claim in claims if claim["form"] != "absolute"
    }


def found(tmp_path, text, codes=frozenset({"F04", "F05", "F06"})):
    (tmp_path / "report.md").write_text(text)
    (handed,) = read_documents([str(tmp_path / "report.md")])
    report = lint(handed, Settings()).report
    assert not [finding for finding in report.all_findings if finding.outcome == "error"]
    return sorted(f.code for f in report.all_findings if f.outcome == "violation" and f.code in codes)


GROUPS = "Model | Variant | Latency (ms) | Speedup"
FIRST = "Attention kernels\n\nForward pass. Speedup is relative to the first row."
HONEST_AND_NOT = {
    "dashes are the bases, and 1.0x is a part without gain": (
        table(GROUPS, "BERT | baseline | 10.0 | -", "BERT | fused | 5.0 | 2.0x", "T5 | baseline | 24.0 | -",
              "T5 | fused | 24.0 | 1.0x"),
        ("5.0 | 2.0x", "5.0 | 4.0x"),
    ),
    "a base for each group": (
        table(GROUPS, "BERT | baseline | 10.0 | 1.00x", "BERT | fused | 5.0 | 2.00x", "GPT-2 | baseline | 30.0 | 1.00x",
              "GPT-2 | fused | 12.0 | 2.50x"),
        ("12.0 | 2.50x", "12.0 | 5.50x"),
    ),
    "blank cells continue the group": (
        table("Model | Quantization | tokens/s | Speedup", "7B | FP16 | 50.0 | 1.0x", " | INT8 | 75.0 | 1.5x",
              "13B | FP16 | 27.0 | 1.0x", " | INT8 | 43.2 | 1.6x"),
        ("43.2 | 1.6x", "43.2 | 3.6x"),
    ),
    "the heading names a row": (
        table("Data | Method | Time (s) | Speedup vs. `exact`", "small | `exact` | 1.52 | 1.00x",
              "small | `hist` | 0.77 | 1.97x", "large | `exact` | 6.07 | 1.00x", "large | `hist` | 0.97 | 6.26x"),
        ("6.26x", "16.26x"),
    ),
    "the caption names the first row, beside two quantities": (
        table("Implementation | Time (ms) | TFLOPs/s | Speedup", "eager | 8.80 | 31.2 | 1.00x",
              "fused | 2.20 | 125.0 | 4.00x", "ours | 1.22 | 225.4 | 7.21x", title=FIRST),
        ("7.21x", "12.21x"),
    ),
    "the caption says the row before": (
        table("Change | img/s | Speedup", "baseline | 400 | 1.0x", "AMP | 800 | 2.0x", "NHWC | 1000 | 1.25x",
              "compile | 1500 | 1.5x", title="History; each row's speedup is over the row before"),
        ("1500 | 1.5x", "1500 | 3.5x"),
    ),
    "the heading says the previous release": (
        table("Release | Throughput (req/s) | Speedup vs previous release", "v0.4 | 4.0 | -", "v0.5 | 6.0 | 1.50x",
              "v0.6 | 16.2 | 2.70x"),
        ("2.70x", "4.05x"),
    ),
    "each on top of the one before, without a word": (
        table("Optimization | images/s | Speedup | Cumulative", "Baseline | 400 | 1.0x | 1.0x",
              "+ workers | 520 | 1.3x | 1.3x", "+ NHWC | 676 | 1.3x | 1.69x", "+ AMP | 1352 | 2.0x | 3.38x",
              "+ compile | 1893 | 1.4x | 4.73x"),
        ("1893 | 1.4x", "1893 | 2.4x"),
    ),
    "PyTorch and ours": (
        table("Model | PyTorch (img/s) | Ours (img/s) | Speedup", "net | 400 | 800 | 2.00x", "vgg | 200 | 500 | 2.50x"),
        ("2.50x", "5.50x"),
    ),
    "the heading names two columns": (
        table("Batch size | PyTorch latency (ms) | TensorRT latency (ms) | Speedup (PyTorch to TensorRT)",
              "1 | 8.60 | 2.15 | 4.00x", "8 | 21.00 | 7.00 | 3.00x"),
        ("3.00x", "6.00x"),
    ),
    "columns of three precisions": (
        table("Batch size | Latency FP32 (ms) | Latency FP16 (ms) | Latency INT8 (ms) | FP16 speedup | INT8 speedup",
              "1 | 10.0 | 5.0 | 2.5 | 2.00x | 4.00x", "8 | 60.0 | 24.0 | 15.0 | 2.50x | 4.00x"),
        ("15.0 | 2.50x", "15.0 | 5.50x"),
    ),
    "rates before latencies, and memory is neither": (
        table("Method | Latency (ms) | Throughput (samples/s) | Peak memory (GB) | Speedup",
              "Baseline | 400 | 40.0 | 20.1 | 1.0x", "Fused | 267 | 60.0 | 18.0 | 1.5x",
              "Graph | 200 | 80.0 | 18.3 | 2.0x"),
        ("18.3 | 2.0x", "18.3 | 3.0x"),
    ),
    "more GPUs against fewer": (
        table("GPUs | Throughput (tokens/s) | Speedup", "64 | 20,972 | 1.00", "512 | 137,968 | 6.58"),
        ("6.58", "7.90"),
    ),
    "efficiencies beside speed-ups": (
        table("GPUs | Throughput (tokens/s) | Speedup | Scaling efficiency", "64 | 20,972 | 1.00 | 100 %",
              "128 | 40,278 | 1.92 | 96 %", "512 | 137,968 | 6.58 | 82 %"),
        ("82 %", "97 %"),
    ),
    "signed percentages are changes": (
        table("Model | eager (it/s) | compiled (it/s) | Speedup", "net | 20.0 | 27.2 | +36%",
              "bert | 14.5 | 22.04 | +52%"),
        ("+52%", "+152%"),
    ),
    "0 % at the base makes percentages changes": (
        table("Configuration | images/s | Speedup", "Baseline | 400 | 0%", "+ NHWC | 500 | 25%", "+ AMP | 900 | 125%"),
        ("500 | 25%", "500 | 125%"),
    ),
    "no ratio over a base that did not run": (
        table("Batch size | Baseline (tokens/s) | Ours (tokens/s) | Speedup", "1 | 5,100 | 5,600 | 1.10x",
              "8 | OOM | 11,400 | ∞", "16 | OOM | 12,300 | -"),
        ("12,300 | -", "12,300 | 100x"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST_AND_NOT)
def test_an_honest_table_is_quiet_and_its_twin_with_one_wrong_ratio_is_not(tmp_path, name):
    honest, (right, wrong) = HONEST_AND_NOT[name]
    assert found(tmp_path, honest) == []
    assert honest.count(right) == 1
    assert found(tmp_path, honest.replace(right, wrong)) != []


QUIET = {
    "parts of one run, of which one gained nothing": table(
        "Step | Time (ms) | Share | Speedup",
        "attention | 40 | 40% | 2.0x", "MLP | 50 | 50% | 1.0x", "other | 10 | 10% | 1.1x",
    ),
    "models against a base that is not there": table(
        "Model | Latency (ms) | Speedup", "small | 10.0 | 1.0x", "medium | 20.0 | 1.5x", "large | 45.0 | 2.1x"
    ),
    "a gain in operations beside a latency": table(
        "Method | Latency (ms) | FLOPs (G) | Speedup", "baseline | 10.0 | 4.00 | 1.00x", "pruned | 8.0 | 2.00 | 2.00x"
    ),
    "averages of ratios are no ratios of averages": table(
        "Model | PyTorch (img/s) | Ours (img/s) | Speedup",
        "net | 400 | 800 | 2.00x", "vgg | 200 | 500 | 2.50x", "bert | 100 | 320 | 3.20x",
        "*Average* | 233 | 540 | 2.57x",
    ),
    "the speed-up of a whole beside the time of a part": table(
        "Method | Kernel time (ms) | Kernel speedup | End-to-end speedup",
        "baseline | 4.00 | 1.0x | 1.0x", "ours | 1.00 | 4.0x | 1.3x",
    ),
    "a base that the heading names and the table does not hold": table(
        "Model | PyTorch (ms) | Ours (ms) | Speedup vs PyTorch | Speedup vs cuDNN",
        "net | 10.0 | 4.0 | 2.5x | 1.1x", "vgg | 20.0 | 5.0 | 4.0x | 1.3x",
    ),
    "the better of two columns as the base": table(
        "Model | PyTorch (ms) | JAX (ms) | Ours (ms) | Speedup",
        "net | 10.0 | 8.0 | 4.0 | 2.0x", "vgg | 20.0 | 25.0 | 5.0 | 4.0x",
    ),
    "sparsity, with what would be possible": table(
        "Sparsity | Latency (ms) | Theoretical speedup | Speedup", "0% | 10.0 | 1.0x | 1.0x", "50% | 8.0 | 2.0x | 1.25x"
    ),
    "training and inference are no pair": table(
        "Model | Training (img/s) | Inference (img/s) | Speedup", "net | 400 | 1200 | 1.4x", "vgg | 200 | 500 | 1.3x"
    ),
    "percent of the base": table("Method | images/s | Speedup", "Baseline | 400 | 100%", "ours | 500 | 125%"),
}  # fmt: skip


@pytest.mark.parametrize("name", QUIET)
def test_a_table_that_does_not_say_its_base_is_not_accused(tmp_path, name):
    assert found(tmp_path, QUIET[name]) == []


def test_a_row_that_others_are_relative_to_claims_nothing():
    honest, _ = HONEST_AND_NOT["a base for each group"]
    assert bases(honest) == {"t1-r2": "t1-r1", "t1-r4": "t1-r3"}


def test_the_ratios_of_averages_are_named():
    draft = draft_of(QUIET["averages of ratios are no ratios of averages"])
    assert any("averages" in text for text in draft.unused)


@pytest.mark.parametrize(
    ("failed", "ratio", "codes"),
    [
        ("OOM", "3.25x", ["F04"]),
        ("OOM*", "3.25x", ["F04"]),
        ("OOM", "1.56x", []),  # over the best batch that fits
        ("OOM", "1.56x*", []),
        ("OOM", ">3x", ["F04"]),
    ],
)
def test_a_ratio_over_a_failed_base_may_be_over_another_number_of_its_column(tmp_path, failed, ratio, codes):
    head = "Batch | Eager (img/s) | Compiled (img/s) | Speedup"
    rows = ["64 | 410 | 615 | 1.50x", "128 | 420 | 640 | 1.52x", f"256 | {failed} | 655 | {ratio}"]
    assert found(tmp_path, table(head, *rows)) == codes
    assert effects(tmp_path) <= {"caveat"}


@pytest.mark.parametrize(("ratio", "codes"), [(">100x", []), ("100x", ["F04"])])
def test_a_ratio_over_a_limit_of_time_is_a_lower_bound(tmp_path, ratio, codes):
    head = "Graph | Baseline time (s) | Ours time (s) | Speedup"
    rows = ["a | 100.0 | 10.0 | 10.0x", "b | 200.0 | 10.0 | 20.0x", f"c | timeout | 36.0 | {ratio}"]
    assert found(tmp_path, table(head, *rows)) == codes
    assert effects(tmp_path) <= {"caveat"}


def effects(tmp_path):
    """The effects of F04 on the report that `found` wrote."""
    (handed,) = read_documents([str(tmp_path / "report.md")])
    return {
        f.effect for f in lint(handed, Settings()).report.all_findings if f.outcome == "violation" and f.code == "F04"
    }


def test_a_gain_without_end_is_named():
    honest, _ = HONEST_AND_NOT["no ratio over a base that did not run"]
    assert any("∞" in text for text in draft_of(honest).unused)


def forms(text):
    claims = draft_of(text).value["claims"].values()
    return [(c["form"], c["measured"]["metric"], c.get("label")) for c in claims if c["form"] != "absolute"]


BATCH = "GPUs | Global batch size | samples/s | "


@pytest.mark.parametrize("value", ["155%", "1.55", "155"])
def test_an_efficiency_above_one_is_still_one(tmp_path, value):
    text = table(f"{BATCH}Scaling efficiency", "1 | 65536 | 100,000 | 100%", f"4 | 65536 | 620,000 | {value}")
    assert [form for form, *_ in forms(text)] == ["efficiency"]
    assert found(tmp_path, text) == []
    assert found(tmp_path, text.replace("620,000", "520,000")) == ["F05"]


def test_a_ratio_under_the_heading_of_an_efficiency_is_one(tmp_path):
    text = table(f"{BATCH}Scaling efficiency", "1 | 64 | 100.0 | 1.0x", "4 | 64 | 380.0 | 3.8x")
    assert [form for form, *_ in forms(text)] == ["ratio"]
    assert found(tmp_path, text) == []


def test_a_scaling_value_is_of_the_numbers_that_its_words_name_else_of_all_devices():
    two = table("GPUs | Training (img/s) | Inference (img/s) | Training scaling | Inference scaling",
                "1 | 400 | 1200 | 1.0x | 1.0x", "8 | 3000 | 9500 | 7.5x | 7.92x")  # fmt: skip
    assert [metric for _, metric, _ in forms(two)] == ["training", "inference"]
    many = table("GPUs | Global batch size | Step time (s) | samples/s/GPU | samples/s | Scaling efficiency",
                 "8 | 64 | 1.60 | 5.00 | 40.0 | 100%", "16 | 128 | 1.63 | 4.91 | 78.5 | 98%")  # fmt: skip
    assert [metric for _, metric, _ in forms(many)] == ["samples-s"]


def test_a_parallel_size_that_is_the_number_of_devices_grows_with_it():
    text = table("TP | GPUs | tokens/s | Scaling efficiency", "2 | 2 | 25.0 | 100%", "4 | 4 | 41.7 | 83%")
    assert bases(text) == {"t1-r2": "t1-r1"}


GROWING = ("1 | 64 | 100.0 | 1.0x", "2 | 128 | 190.0 | 1.9x")
STRONG = ("1 | 64 | 100.0 | 1.0x | 100%", "2 | 64 | 190.0 | 1.9x | 95%")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (table(f"{BATCH}Strong scaling | Scaling efficiency", *STRONG), ["strong", "strong"]),
        (table(f"{BATCH}Scaling | Scaling efficiency", *STRONG, title="Strong scaling of DLRM"), ["strong", "strong"]),
        (table(f"{BATCH}Scaling", *GROWING, title="Weak-scaling runs"), ["weak"]),
        (
            table("Mode | GPUs | Global batch size | samples/s | Scaling efficiency", "strong | 8 | 1024 | 1000 | 100%",
                  "strong | 16 | 1024 | 1800 | 90%", "weak | 8 | 512 | 980 | 100%", "weak | 16 | 1024 | 1921 | 98%"),
            ["strong", "weak"],
        ),
        (table(f"{BATCH}Scaling", *GROWING, title="Strong and weak scaling"), [None]),
    ],
)  # fmt: skip
def test_strong_or_weak_is_said_by_heading_column_title_or_row(tmp_path, text, labels):
    assert [label for *_, label in forms(text)] == labels
    said = None not in labels
    assert (found(tmp_path, text, {"W1101"}) == []) == said


def test_a_title_that_calls_growing_batches_strong_is_found(tmp_path):
    text = table(f"{BATCH}Scaling", *GROWING, title="Strong scaling")
    assert found(tmp_path, text, {"W1101"}) == ["W1101"]


@pytest.mark.parametrize(
    "title", ["We scale to 512 GPUs", "Throughput (the loader limits at 512 GPUs)", "Our model (trained on 512 GPUs)"]
)
def test_devices_of_a_title_are_no_attribution_where_the_rows_state_their_own(tmp_path, title):
    text = table("GPUs | images/s", "8 | 6,100", "64 | 47,000", title=title)
    assert found(tmp_path, text, {"W0505"}) == []
