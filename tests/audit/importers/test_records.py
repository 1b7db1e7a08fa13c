"""Records of any tool: keys are headings, and what a key does not tell stays out."""

import json

import pytest
from dlaudit.audit.importers.detection import detect
from dlaudit.audit.importers.registry import importers
from dlaudit.audit.importers.report_file import open_report
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate


def reader_of(data, name="a.json"):
    found = detect(open_report(name, data.encode()), importers()).importer
    return found.name if found is not None else None


def read(value, name="a.json"):
    file = open_report(name, (value if isinstance(value, str) else json.dumps(value)).encode())
    found = detect(file, importers()).importer
    assert found is not None
    assert found.name == "records"
    draft = found.read(file)
    assert not validate("submission", draft.value)
    return draft


def claimed(draft):
    """Quantity, value and unit of each claim."""
    return {(each["quantity"], each["value"], each.get("unit")) for each in draft.value["claims"].values()}


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("p99_latency_ms", 12.5, ("latency", "12.5", "ms")),
        ("tokens_per_second", 812.25, ("rate", "812.25", "tokens/s")),
        ("tok_s", 812.25, ("rate", "812.25", "tokens/s")),
        ("TPS/GPU", 812.25, ("rate", "812.25", "tokens/s/GPU")),
        ("imagesPerSecond", 812.25, ("rate", "812.25", "images/s")),
        ("step_time_ms", 12.5, ("time", "12.5", "ms")),
        ("eval/accuracy", 0.912, ("accuracy", "0.912", None)),
        ("val_loss", 1.36, ("loss", "1.36", None)),
        ("tflops_per_gpu", 412.5, ("flops", "412.5", "TFLOP/s/GPU")),
    ],
)
def test_a_key_tells_quantity_and_unit(key, value, expected):
    assert claimed(read({"model": "a", key: value})) == {expected}


@pytest.mark.parametrize(
    "key", ["output_tokens", "Output Length", "loss", "timeout_s", "max_runtime_s", "accuracy_stderr", "start_time_s"]
)
def test_what_is_no_measured_number_stays_out(key):
    draft = read({"model": "a", key: 12.5, "tokens_per_second": 99.5})
    assert claimed(draft) - {("time", "12.5", "s")} == {("rate", "99.5", "tokens/s")} or key == "max_runtime_s"


def test_what_stands_under_a_configuration_is_asked_for():
    assert claimed(read({"config": {"target_latency_ms": 50, "batch_time_ms": 3}, "latency_ms": 41.5})) == {
        ("latency", "41.5", "ms")
    }


@pytest.mark.parametrize("key", ["gpu_num", "cards", "num_gpus", "world_size"])
def test_devices_are_counted(key):
    arms = read([{key: 8, "tokens_per_second": 10.5}, {key: 16, "tokens_per_second": 20.5}]).value["arms"].values()
    assert [arm["devices"] for arm in arms] == [8, 16]


def test_objects_of_one_kind_under_names_are_rows():
    draft = read({"resnet50": {"latency_ms": 3.5, "batch_size": 1}, "vgg16": {"latency_ms": 7.5, "batch_size": 1}})
    assert [arm["label"] for arm in draft.value["arms"].values()] == ["resnet50, batch size 1", "vgg16, batch size 1"]


def test_what_stands_above_records_is_claimed_once_and_options_hold_for_each():
    value = {
        "model": "llama",
        "total_time_s": 99.5,
        "runs": [{"bs": 1, "latency_ms": 3.5}, {"bs": 2, "latency_ms": 4.5}],
    }
    draft = read(value)
    assert claimed(draft) == {("time", "99.5", "s"), ("latency", "3.5", "ms"), ("latency", "4.5", "ms")}
    assert {arm["options"]["model"] for arm in draft.value["arms"].values()} == {"llama"}


def test_a_statistic_is_one_of_the_key_above_with_the_unit_beside_it():
    draft = read(
        {
            "request_latency": {"unit": "ms", "avg": 4.5, "p50": 4.1, "p99": 9.5},
            "output_length": {"unit": "tokens", "avg": 128.5},
        }
    )
    assert claimed(draft) == {("latency", "4.5", "ms")}
    (metric,) = draft.value["arms"]["t1-r1"]["performance"].values()
    assert metric["summary"]["percentiles"]["99"] == "9.5"


def test_a_split_above_a_value_stands_in_its_heading():
    draft = read({"metrics": {"val": {"accuracy": 0.93}, "test": {"accuracy": 0.91}}})
    assert {q["split"]: q["value"] for q in draft.value["arms"]["t1-r1"]["quality"].values()} == {
        "validation": "0.93",
        "test": "0.91",
    }


def test_each_value_is_placed_by_its_pointer():
    draft = read({"runs": [{"latency_ms": 3.5}, {"latency_ms": 4.5}]})
    places = {draft.origins[f"/claims/{key}"].pointer for key in draft.value["claims"]}
    assert places == {"/runs/0/latency_ms", "/runs/1/latency_ms"}


def test_lines_of_json_are_placed_by_line():
    draft = read('{"bs": 1, "latency_ms": 3.5}\n{"bs": 2, "latency_ms": 4.5}\n', "a.jsonl")
    assert {draft.origins[f"/claims/{key}"].line for key in draft.value["claims"]} == {1, 2}


def test_records_of_one_training_are_a_curve():
    rows = "\n".join(
        json.dumps({"step": n, "loss": 3 - n / 10, "val_loss": 3.5 - n / 10, "tokens_per_sec": 100.5 + n})
        for n in range(10)
    )
    draft = read(rows, "a.jsonl")
    assert claimed(draft) == {("loss", "2.6", None), ("rate", "109.5", "tokens/s")}
    assert len(draft.value["arms"]["run"]["trials"]["t1"]["evaluations"]) == 20


def test_a_history_of_keras_is_a_curve_of_its_epochs():
    draft = read(
        {
            "loss": [2.0, 1.5, 1.25],
            "accuracy": [0.3, 0.4, 0.5],
            "val_loss": [2.1, 1.6, 1.35],
            "val_accuracy": [0.3, 0.4, 0.48],
        }
    )
    assert claimed(draft) == {("loss", "1.35", None), ("accuracy", "0.48", None)}


def test_a_sweep_of_epochs_is_no_curve():
    rows = [{"epoch": n, "model": f"m{n}", "accuracy": 0.5 + n / 10} for n in range(4)]
    assert len(read(rows).value["claims"]) == 4


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_with_a_row_for_each_metric_is_turned(separator):
    rows = [
        ("metric_name", "metric_unit", "value"),
        ("latency", "ms", "12.5"),
        ("throughput", "tokens/s", "99.5"),
        ("epochs", "", "3"),
    ]
    text = "\n".join(separator.join(row) for row in rows)
    assert claimed(read(text, "a.csv")) == {("latency", "12.5", "ms"), ("rate", "99.5", "tokens/s")}


def test_rows_that_name_what_they_hold_are_records():
    text = "\n".join(f"ElapsedTime(s)\t{n}\tEstimatedLatency(ms)\t{n}.5\tTrials\t{n * 64}" for n in range(1, 5))
    assert ("latency", "4.5", "ms") in claimed(read(text, "a.tsv"))


def test_a_block_of_a_console_is_a_record_and_its_statistics_are_one_number():
    text = "== Latency ==\nMean TTFT (ms):      58.12\nP99 TTFT (ms):      140.77\nOutput tokens:  992\n=====\n"
    draft = read(text, "a.txt")
    assert claimed(draft) == {("latency", "58.12", "ms")}


def test_statistics_on_a_line_are_of_what_stands_before_them():
    text = "[I] Latency: min = 3.10 ms, max = 4.20 ms, mean = 3.41 ms\n[I] Throughput: 293.5 qps\n"
    assert claimed(read(text, "a.txt")) == {("latency", "3.41", "ms"), ("rate", "293.5", "queries/s")}


def test_a_time_without_a_unit_is_named():
    with pytest.raises(UserError, match=r"fw time.*no unit is stated"):
        read({"a": {"fw_time": 0.5}, "b": {"fw_time": 0.7}})


def test_how_many_records_are_left_out_is_said():
    draft = read([{"id": f"r{n}", "latency_ms": n + 0.5} for n in range(1500)])
    assert any("500 of 1,500" in text for text in draft.unused)


@pytest.mark.parametrize(
    "value",
    [
        {"name": "package", "version": "1.0.0", "dependencies": {"a": "1"}},
        {"_type": "https://in-toto.io/Statement/v1", "latency_ms": 4.5},
        {"$schema": "x", "latency_ms": 4.5},
        {"learning_rate": 0.1, "batch_size": 32, "epochs": 90},
        [1, 2, 3],
        [],
        {},
    ],
)
def test_other_documents_are_none(value):
    assert reader_of(json.dumps(value)) is None


def test_badges_at_the_top_are_no_json():
    text = "[![CI](https://a/b.svg)](https://a)\n\n| Model | img/s |\n|---|---|\n| A | 120 |\n| B | 140 |\n"
    assert reader_of(text, "README.md") == "table"


def test_a_deep_or_long_document_is_read_in_time():
    from time import perf_counter

    deep = '{"a":' * 60 + "1" + "}" * 60
    wide = json.dumps({f"k{n}": {"latency_ms": n + 0.5, f"x{n}": n} for n in range(3000)})
    begin = perf_counter()
    for text in (deep, wide, json.dumps([{"latency_ms": 1.5, "v": [[[[1.0]]]]}] * 5000)):
        reader_of(text)
    assert perf_counter() - begin < 20


def test_a_summary_of_weights_and_biases_claims_what_is_not_of_the_training_data():
    summary = {"_runtime": 5021.2, "_step": 9000, "_timestamp": 1.7e9, "train/loss": 0.31, "eval/accuracy": 0.9123}
    assert claimed(read(summary)) == {("accuracy", "0.9123", None)}


def test_a_share_of_a_peak_is_no_rate():
    rows = ["Kernel Name,Metric Name,Metric Unit,Metric Value", "a,Duration,usecond,41.5", "a,Memory Throughput,%,71.2"]
    assert claimed(read("\n".join(rows), "a.csv")) == {("time", "41.5", "us")}


@pytest.mark.parametrize(
    "text", ["a: m-ms[5000]-total_ms[59200]\nb: m-total_ms[100]\n", "throughput: 12.5 bogus\nx: 1\n"]
)
def test_what_no_sign_parts_and_what_has_an_unknown_unit_stays_out(text):
    assert reader_of(text, "a.txt") is None


def test_what_stands_before_the_numbers_of_a_line_names_them():
    text = "Generate 768 samples, throughput: 188.48 samples/s\nTrain 768 samples, throughput: 448.38 samples/s\n"
    labels = [arm["label"] for arm in read(text, "a.txt").value["arms"].values()]
    assert labels == ["Generate 768 samples", "Train 768 samples"]


def test_one_number_alone_is_no_record():
    assert reader_of('{"accuracy": 0.5}') is None


def test_names_below_names_are_rows_of_their_own():
    sizes = {f"batch_{n}": {"batch_size": n, "latency_ms": n + 0.5} for n in (1, 8)}
    labels = [arm["label"] for arm in read({"h100": sizes, "gb200": sizes}).value["arms"].values()]
    assert labels == [f"{gpu} / batch_{n}, batch size {n}" for gpu in ("h100", "gb200") for n in (1, 8)]


def document(*lines, language="", above=""):
    return "\n".join(("# Tool", "", above, "", f"```{language}", *lines, "```", ""))


@pytest.mark.parametrize("language", ["", "bash", "text", "console"])
def test_a_document_that_claims_nothing_else_is_read_in_what_it_shows_as_printed(language):
    lines = ("$ ./bench -n 5", "Requests: 12", "Mean TTFT (ms): 33.5", "Throughput: 81.5 tokens/s")
    expected = {("rate", "81.5", "tokens/s"), ("latency", "33.5", "ms")}
    found = claimed(read(document(*lines, language=language), "a.md"))
    assert {(value, unit) for _, value, unit in found} == {(value, unit) for _, value, unit in expected}


@pytest.mark.parametrize(
    "lines",
    [
        ("rouge-score==0.1.2", "sacrebleu==2.6.0", "perplexity==1.4"),
        ("rouge-score: 0.1.2", "sacrebleu: 2.6.0"),
    ],
)
def test_releases_of_packages_are_no_scores(lines):
    assert reader_of("\n".join((*lines, "")), "requirements.txt") is None


def test_lines_of_one_shape_in_a_document_are_rows():
    lines = (
        "  resnet18  min = 9.81 ms  max = 9.93 ms  avg = 9.85 ms",
        "  vgg16  min = 16.5 ms  max = 17.5 ms  avg = 16.9 ms",
    )
    assert claimed(read(document(*lines), "a.md")) == {("time", "9.85", "ms"), ("time", "16.9", "ms")}


@pytest.mark.parametrize(
    ("lines", "language"),
    [
        (("latency_ms: 12.5", "throughput: 81.5 tokens/s"), "yaml"),
        (("latency = 12.5", "throughput = '81.5 tokens/s'"), "python"),
        (("Measurement window: 5000 msec", "Timeout: 30 s"), ""),
        (("Epoch: 0001/0010 | Train acc.: 34.81% | Val acc.: 47.22%", "Epoch: 0002/0010 | Train acc.: 50.24%"), ""),
    ],
)
def test_programs_settings_and_single_epochs_in_a_document_are_no_results(lines, language):
    assert reader_of(document(*lines, language=language), "a.md") is None


@pytest.mark.parametrize(
    ("between", "label"),
    [
        ("", "torchrun serve.py --batch=4 " + "--prompt=a" * 12),
        ("## On a laptop", "On a laptop"),
    ],
)
def test_what_stands_nearest_above_names_what_was_printed(between, label):
    command = "torchrun serve.py --batch=4 " + "--prompt=a" * 12
    printed = ("```", "Mean TTFT (ms): 33.5", "Total lag: 12.5 ms", "```")
    (arm,) = (
        read("\n".join(("# Tool", "```", "mkdir -p data", command, "```", between, *printed, "")), "a.md")
        .value["arms"]
        .values()
    )
    assert arm["label"] == label[:80].strip()


@pytest.mark.parametrize(
    ("above", "label"),
    [
        (("- `decode.py`", "", "Output:"), "decode.py / Benchmarking the kernel..."),
        (("GCN", "FBL", "setting"), "GCN - FBL / Benchmarking the kernel..."),
        (("## On a laptop",), "On a laptop / Benchmarking the kernel..."),
        (("Run it as follows to see what it prints.",), "Benchmarking the kernel..."),
    ],
)
def test_a_few_words_above_a_block_name_what_it_prints(above, label):
    printed = ("```", "Benchmarking the kernel...", "Latency: 0.78 ms", "Speed: 33.5 TFLOPS", "```")
    draft = read("\n".join(("# Tool", *above, *printed, "")), "a.md")
    (arm,) = draft.value["arms"].values()
    assert arm["label"] == label


def test_keys_that_a_block_is_indented_under_name_it():
    sizes = [line for n in (1, 8) for line in (f"  batch_{n}:", f"    rate: {n}1.5 images/s", f"    latency: {n}.5 ms")]
    labels = [arm["label"] for arm in read(document("timing:", *sizes), "a.md").value["arms"].values()]
    assert labels == [f"timing / batch_{n}" for n in (1, 8)]


def test_a_document_with_a_claim_of_its_own_keeps_it():
    above = "The fused kernel is 2.4x faster."
    assert reader_of(document("Throughput: 81.5 tokens/s", "Requests: 12", above=above), "a.md") == "table"


def notebook(*cells):
    """A notebook of titles and of what cells below them printed."""

    def cell(title, *lines):
        streams = [{"output_type": "stream", "name": "stdout", "text": [f"{line}\n" for line in lines]}]
        shown = {"cell_type": "code", "source": ["run()"], "metadata": {}, "outputs": streams}
        return [{"cell_type": "markdown", "source": [f"## {title}"], "metadata": {}}, shown]

    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [part for each in cells for part in cell(*each)],
    }


def test_what_the_cells_of_a_notebook_printed_stands_under_their_headings():
    draft = read(
        notebook(
            ("Images", "Benchmarking: 100%|####| 40/40 [00:10<00:00,  3.94it/s]", "Throughput: 264.25 im/s"),
            ("Video", "UserWarning: the driver is old", "Throughput: 24.75 im/s"),
        ),
        "a.ipynb",
    )
    assert claimed(draft) == {("rate", "264.25", "images/s"), ("rate", "24.75", "images/s")}
    assert [arm["label"] for arm in draft.value["arms"].values()] == ["Images", "Video"]


@pytest.mark.parametrize(
    "line",
    [
        "loading annotations ... Done (t=0.52s)",
        "@ Tool ~/src/loss.jl:227",
        "CPU times: user 18.2 s, sys: 3.45 s, total: 21.7 s",
    ],
)
def test_asides_of_a_notebook_are_no_results(line):
    assert reader_of(json.dumps(notebook(("Training", line, line))), "a.ipynb") is None


def test_a_count_beside_the_unit_of_another_field_is_no_time():
    value = {
        "timings": {"a": {"unit": "s", "samples": 640, "wall": 3.4}, "b": {"unit": "s", "samples": 640, "wall": 2}}
    }
    assert not {claim for claim in claimed(read(value)) if claim[1] == "640"}
    assert ("time", "3.4", "s") in claimed(read(value))
    assert claimed(read({"model": "a", "images": 812.25, "unit": "images/s"})) == {("rate", "812.25", "images/s")}
    assert claimed(read({"model": "a", "inference": 12.5, "unit": "ms"})) == {("time", "12.5", "ms")}
