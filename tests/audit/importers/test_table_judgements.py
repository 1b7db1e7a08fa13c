"""What the rules say of the numbers that a table sets beside each other: tricks, and their honest siblings."""

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings


def table(*rows, title="Results", words=""):
    head, *body = rows
    lines = [f"# {title}", "", *([words, ""] if words else []), head, "|" + "---|" * (head.count("|") - 1), *body]
    return "\n".join(lines) + "\n"


def grave(tmp_path, text, name="report.md"):
    """The codes of all violations but caveats, with the claims that they are of."""
    return {(item.code, item.claim) for item in findings(tmp_path, text, name) if item.effect != "caveat"}


def findings(tmp_path, text, name="report.md"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / name)])
    return [item for item in lint(found, Settings()).report.all_findings if item.outcome == "violation"]


@pytest.mark.parametrize("heading", ["Model TFLOP", "Model TFLOPs", "TFLOP/s per step"])
def test_a_prefix_that_no_machine_reaches_names_the_quantity(tmp_path, heading):
    text = table(
        f"| Model | GPUs | MFU | HFU | {heading} | Tokens/s | Precision |",
        "| 70b | 64 | 42.57 | 56.76 | 4.212583E+14 | 66523 | bf16 |",
        "| 30b | 8 | 29.92 | 39.9 | 2.961077E+14 | 11072 | bf16 |",
        title="H100 80GB",
    )
    assert not grave(tmp_path, text)


def utilisations(*rows):
    return table("| Model | GPUs | TFLOP/s/GPU | MFU (%) |", *rows, title="A100 SXM 80GB BF16")


def test_a_utilisation_that_no_peak_of_the_device_gives_is_refuted(tmp_path):
    text = utilisations("| 7B | 8 | 210 | 67.3 |", "| 70B | 64 | 150 | 70 |")
    assert grave(tmp_path, text) == {("P02", "t1-r2-mfu")}


@pytest.mark.parametrize("mfu", ["48.1", "48", "24.0", "36.1", "62"])  # dense, sparse, no recomputation, attention
def test_a_utilisation_that_a_peak_gives_is_not(tmp_path, mfu):
    assert not grave(tmp_path, utilisations(f"| 70B | 64 | 150 | {mfu} |"))


@pytest.mark.parametrize(
    ("total", "each", "same"),
    [
        ("Total token throughput (tokens/s)", "Output throughput (tokens/s/GPU)", False),
        ("Throughput in+out (tokens/s)", "Generated (tokens/s/GPU)", False),
        ("Prefill tokens/s", "Decode tokens/s/GPU", False),
        ("Throughput in tokens/s", "Tokens/s/GPU", True),
        ("Training tokens/s", "Inference tokens/s/GPU", False),
        ("Training tokens/s", "Throughput (tokens/s/GPU)", True),
        ("Output throughput (tokens/s)", "Output throughput (tokens/s/GPU)", True),
        ("Total throughput (tokens/s)", "Throughput (tokens/s/GPU)", True),
    ],
)
def test_all_tokens_and_generated_ones_are_no_total_and_its_part(tmp_path, total, each, same):
    text = table(f"| GPUs | {total} | {each} |", "| 8 | 36,000 | 500 |", "| 4 | 18,432 | 512 |", title="On H100")
    assert {code for code, _ in grave(tmp_path, text)} == ({"F20"} if same else set())


def percentiles(last):
    head = "engine,batch_size,mean_ms,p50_ms,p90_ms,p95_ms,p99_ms"
    return f"{head}\nonnx,1,12.41,12.30,12.92,13.15,14.88\ntrt,1,2.31,2.28,2.40,2.47,{last}\n"


def test_a_percentile_that_falls_is_shown_in_its_own_cell_and_carries_no_mean(tmp_path):
    (found,) = findings(tmp_path, percentiles("2.05"), "report.csv")
    assert (found.code, found.effect) == ("F10", "refutes")
    assert (found.location.line, found.location.column) == (3, 27)


def test_percentiles_in_order_are_not(tmp_path):
    assert not findings(tmp_path, percentiles("2.55"), "report.csv")


def errors(heads, *rows):
    return table(f"| Model | {heads} | img/s |", *rows, title="CIFAR-10 test")


@pytest.mark.parametrize(
    "text",
    [
        errors("Test accuracy (%) | Test error (%)", "| A | 94.01 | 5.99 | 1000 |", "| B | 95.02 | 5.98 | 900 |"),
        errors("Top-1 acc | Top-1 err", "| A | 94.01 | 4.99 | 1000 |"),
        errors("Classification accuracy | Classification error", "| A | 94.01 | 4.99 | 1000 |"),
        errors("Accuracy | Error rate", "| A | 0.9401 | 0.0699 | 1000 |", "| B | 0.9302 | 0.0698 | 1000 |"),
    ],
)
def test_accuracy_and_error_that_do_not_add_up_are_two_values(tmp_path, text):
    assert [(item.code, item.effect) for item in findings(tmp_path, text)] == [("F28", "undermines")]


@pytest.mark.parametrize(
    ("heads", "rest"),
    [("Test accuracy (%) | Test error (%)", ""), ("Accuracy (%) | Error rate (%) | Refused", " 1.0 |")],
)
def test_accuracy_and_error_below_100_percent_may_leave_answers_that_are_neither(tmp_path, heads, rest):
    text = errors(heads, f"| A | 94.01 | 5.99 |{rest} 1000 |", f"| B | 95.02 | 3.98 |{rest} 900 |")
    assert [(item.code, item.effect) for item in findings(tmp_path, text)] == [("F28", "caveat")]


@pytest.mark.parametrize(
    "text",
    [
        errors("Test accuracy (%) | Test error (%)", "| A | 94.01 | 5.99 | 1000 |", "| B | 95.0 | 4.98 | 900 |"),
        errors("Top-1 acc | Top-1 err", "| A | 94.0% | 0.06 | 1000 |"),
        errors("Top-1 acc | Top-1 err", "| A | 99.3 | 0.7 | 1000 |"),
        errors("Top-1 | Top-5 err", "| A | 94.0 | 0.8 | 1000 |"),
        errors("Accuracy | Error", "| A | 94.0 | 0.3 | 1000 |", "| B | 92.0 | 0.4 | 900 |"),  # a standard error
        errors("Accuracy | Acc std error", "| A | 94.0 | 0.3 | 1000 |"),
        errors("Accuracy | Error reduction", "| A | 94.0 | 12.0 | 1000 |"),
        errors("Test accuracy | Train error rate", "| A | 94.0 | 2.0 | 1000 |"),
        errors("Accuracy | Error rate", "| A | 84.2 | 1.3 | 1000 |", "| B | 79.5 | 2.8 | 900 |"),  # calls that failed
        errors("Accuracy | Error rate", "| A | 84.2 | 1.3 | 1000 |", "| B | 0.0 | 100.0 | 900 |"),
        errors(
            "Accuracy (%) | Error rate (%) | Not attempted (%)",
            "| A | 42.1 | 38.0 | 19.9 | 10 |",
            "| B | 31.0 | 21.5 | 47.5 | 10 |",
        ),
        errors("Word accuracy (%) | Word error rate (%)", "| A | 91.2 | 10.4 | 10 |", "| B | 89.6 | 10.4 | 10 |"),
    ],
)
def test_accuracy_and_error_that_may_be_right_are_not(tmp_path, text):
    assert not findings(tmp_path, text)


def speedups(*rows, heads="GPUs | Batch size | Precision | images/s | Speedup"):
    return table(f"| {heads} |", *rows, title="Throughput, V100")


BASE = "| 1 | 32 | FP32 | 390 | 1.00 |"


@pytest.mark.parametrize(
    "text",
    [
        speedups(BASE, "| 8 | 256 | FP16 | 9360 | 24.0 |"),
        speedups(BASE, "| 4 | 32 | FP16 | 4680 | 12.0 |"),
        speedups(
            "| 64 | FP32 | 390 | 1.00 |",
            "| 128 | FP16 | 1170 | 3.00 |",
            heads="Batch size | Precision | images/s | Speedup",
        ),
    ],
)
def test_a_gain_of_several_changes_is_that_of_all(tmp_path, text):
    assert [(item.code, item.branch, item.effect) for item in findings(tmp_path, text)] == [("M19", "b", "caveat")]


@pytest.mark.parametrize(
    "text",
    [
        speedups(BASE, "| 1 | 32 | FP16 | 1170 | 3.00 |"),
        speedups(BASE, "| 8 | 256 | FP32 | 3042 | 7.80 |"),
        speedups(BASE, "| 1 | 32 | FP16 | 1170 | 3.00 |", "| 8 | 256 | FP16 | 9126 | 23.4 |"),
        speedups(BASE, "| 8 | 256 | FP32 | 3042 | 7.80 |", "| 8 | 256 | FP16 | 9126 | 23.4 |"),
    ],
)
def test_a_gain_of_one_change_and_one_in_two_shown_steps_are_not_doubted(tmp_path, text):
    assert not findings(tmp_path, text)


SPEED_AND_QUALITY = "| Model | Throughput{} (img/s) | Accuracy{} (%) |", "| ResNet-50 | 4100 | 76.13 |"


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        ((" INT8", " FP32"), ""),
        ((" INT8", ""), "Accuracy is that of the FP32 model."),
        (("", ""), "Speed is measured in INT8; accuracy is that of the original FP32 model."),
        (("", ""), "Accuracies are given for fp32, throughputs are in int8."),
    ],
)
def test_a_quality_of_another_precision_than_the_speed_is_said(tmp_path, heads, words):
    head, row = SPEED_AND_QUALITY
    text = table(head.format(*heads), row, title="On T4", words=words)
    assert [(item.code, item.branch, item.effect) for item in findings(tmp_path, text)] == [("W0801", "e", "caveat")]


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        ((" INT8", " INT8"), ""),
        ((" INT8", ""), "Accuracy is within 1 % of FP32."),
        ((" INT8", ""), "Accuracy is 0.2 points below FP32, throughput is in INT8."),
        (("", ""), "Accuracy is that of the INT8 model, throughput is measured in int8."),
    ],
)
def test_a_quality_of_the_same_precision_or_of_none_that_is_said_is_not(tmp_path, heads, words):
    head, row = SPEED_AND_QUALITY
    assert not findings(tmp_path, table(head.format(*heads), row, title="On T4", words=words))


def test_a_quality_beside_the_speed_of_its_own_precision_belongs_to_that(tmp_path):
    text = table(
        "| Model | img/s FP32 | img/s INT8 | Accuracy FP32 |", "| ResNet-50 | 900 | 4100 | 76.1 |", title="On T4"
    )
    assert not findings(tmp_path, text)


def outcomes(tmp_path, text, code):
    (tmp_path / "report.md").write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / "report.md")])
    return {item.outcome for item in lint(found, Settings()).report.all_findings if item.code == code}


@pytest.mark.parametrize(
    ("row", "words", "outcome"),
    [
        ("| 32 | 64.0 | 5000 |", "We run one batch at a time on one T4.", {"violation"}),
        ("| 32 | 64.0 | 5000 |", "Single-stream, with PyTorch.", {"not-shown"}),  # that of the latency, as it may be
        ("| 32 | 64.0 | 5000 |", "Latency is taken one batch at a time.", {"not-shown"}),
        ("| 32 | 64.0 | 5000 |", "Throughput is taken one batch at a time.", {"violation"}),
        ("| 32 | 64.0 | 5000 |", "No overlap; one CUDA stream.", {"violation"}),
        ("| 32 | 64.0 | 5000 |", "We run one batch at a time; throughput is offline.", {"not-shown"}),
        ("| 32 | 64.0 | 5000 |", "With PyTorch.", {"not-shown"}),
        ("| 32 | 64.0 | 800 |", "We run one batch at a time.", set()),  # the latency may be a percentile
        ("| 32 | 64.0 | 500 |", "We run one batch at a time.", set()),
        ("| 32 | 64.0 | 300 |", "We run one batch at a time.", set()),
    ],
)
def test_a_rate_that_needs_several_batches_at_once(tmp_path, row, words, outcome):
    head = "| Batch size | Latency (ms) | Throughput (img/s) |"
    text = table(head, "| 1 | 5.0 | 200 |", row, title="Inference of ResNet-50", words=words)
    assert outcomes(tmp_path, text, "L04") == outcome


def test_every_device_has_its_own_batch_in_flight(tmp_path):
    head = "| GPUs | Batch size per GPU | Latency (ms) | Throughput (img/s) |"
    text = table(head, "| 8 | 32 | 64.0 | 4000 |", title="Inference, one batch at a time")
    assert not outcomes(tmp_path, text, "L04")
    text = table(head, "| 8 | 32 | 64.0 | 40000 |", title="Inference, one batch at a time")
    assert outcomes(tmp_path, text, "L04") == {"violation"}
