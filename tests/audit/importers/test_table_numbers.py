"""Numbers of tables: suffixes, units in cells and headings, marks of decimals, durations, and other languages."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.tables.cells import duration, number
from dlaudit.audit.importers.tables.devices import device_in, names_hardware
from dlaudit.audit.importers.tables.units import measure, rate_in, shifted, time_in
from dlaudit.audit.importers.tables.words import in_english
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.language.columns import power_in
from dlaudit.rules.language.printed import span
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate


def read(text, name="a.md", roles=None):
    draft = of_file(name, text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def table(*rows, title="Results"):
    head, *body = rows
    rule = "|" + "---|" * (head.count("|") - 1)
    return f"## {title}\n\n" + "\n".join((head, rule, *body)) + "\n"


def column(head, *cells, title="Results"):
    return table(f"| Method | {head} |", *(f"| m{i} | {cell} |" for i, cell in enumerate(cells)), title=title)


def values(draft, form="absolute"):
    return [(claim["value"], claim.get("unit")) for claim in draft.value["claims"].values() if claim["form"] == form]


def graves(tmp_path, text, name="report.md"):
    (tmp_path / name).write_text(text)
    (found,) = read_documents([str(tmp_path / name)])
    findings = lint(found, Settings()).report.all_findings
    assert not [finding.message for finding in findings if finding.outcome == "error"]
    return {f.code for f in findings if f.outcome == "violation" and str(f.effect) != "caveat"}


def role_of(head, *cells):
    return read(
        table(f"| Method | img/s | {head} |", *(f"| m{i} | 1{i}0.5 | {c} |" for i, c in enumerate(cells)))
    ).guesses.get(head)


@pytest.mark.parametrize(
    ("printed", "exponent", "expected"),
    [
        ("1.8", 3, "1.8e3"),
        ("750", -3, "0.750"),
        ("24", 3, "24e3"),
        ("1.2345", 3, "1234.5"),
        ("1e2", 3, "1e5"),
        ("7", 0, "7"),
    ],
)
def test_a_power_of_ten_adds_no_digit(printed, exponent, expected):
    assert shifted(printed, exponent) == expected
    one, other = span(printed), span(expected)
    assert other.low == one.low.scaleb(exponent)
    assert other.high == one.high.scaleb(exponent)


@pytest.mark.parametrize(
    ("head", "cells", "expected"),
    [
        ("Throughput (tok/s)", ("900", "1.8k", "2.7K"), ["900", "1.8e3", "2.7e3"]),
        ("Tokens/s", ("182K", "1.1M"), ["182e3", "1.1e6"]),
        ("Tokens/s", ("25.6k tok/s", "12,500"), ["25.6e3", "12500"]),
        ("Throughput (k tokens/s)", ("1.2", "2.4"), ["1.2e3", "2.4e3"]),
        ("Tokens/sec (x1000)", ("1.2", "12"), ["1.2e3", "12e3"]),
        ("ktok/s", ("1.2", "12"), ["1.2e3", "12e3"]),
        ("Throughput (10^3 tokens/s)", ("1.2", "12"), ["1.2e3", "12e3"]),
        ("tokens_per_sec_k", ("1.2", "12"), ["1.2e3", "12e3"]),
        ("Tokens/s [K]", ("1.2", "12"), ["1.2e3", "12e3"]),
        ("Tokens/s (thousands)", ("1.2", "12"), ["1.2e3", "12e3"]),
        ("tokens/s", ("12 500", "46'000", "900"), ["12500", "46000", "900"]),
        ("tokens/s", ("410,5", "1.231,5", "2.463"), ["410.5", "1231.5", "2463"]),
    ],
)
def test_the_values_of_a_rate_are_what_their_column_says(head, cells, expected):
    assert values(read(column(head, *cells))) == [(value, "tokens/s") for value in expected]


def test_a_suffix_in_the_cell_and_one_in_the_heading_are_not_multiplied():
    with pytest.raises(UserError, match="heading and cells both scale"):
        read(column("Throughput (k tokens/s)", "1.2k", "2.4k"))


def test_thousands_as_suffixes_neither_hide_nor_make_a_wrong_ratio(tmp_path):
    rows = ("| HF | 900 | 1x |", "| ours | 1.8k | {} |")
    text = table("| Engine | Throughput (tok/s) | Speedup |", *rows)
    assert graves(tmp_path, text.format("2x")) == set()
    assert graves(tmp_path, text.format("3x")) == {"F04"}
    totals = table("| GPUs | tokens/s/GPU | tokens/s |", "| 8 | 3,200 | {} |")
    assert graves(tmp_path, totals.format("25.6k")) == set()
    assert "F20" in graves(tmp_path, totals.format("29.6k"))


@pytest.mark.parametrize(
    ("head", "cells", "expected"),
    [
        ("Latency", ("1.5 s", "750 ms"), [("1.5", "s"), ("0.750", "s")]),
        ("Latency", ("2.15 ms", "860 µs"), [("2.15", "ms"), ("0.860", "ms")]),
        ("Latency (ms)", ("12.5", "1.5 s"), [("12.5", "ms"), ("1.5e3", "ms")]),
        ("Time", ("4m30s", "54s", "1m 02s"), [("270", "s"), ("54", "s"), ("62", "s")]),
        ("Training time", ("3h 30m", "1 h 5 min", "14:00:00"), [("210", "min"), ("65", "min"), ("840", "min")]),
        ("Training time", ("1 h 5 min", "2 h 15 min", "9 h"), [("65", "min"), ("135", "min"), ("9", "h")]),
        ("time_to_train (mm:ss)", ("128:00", "58:12"), [("7680", "s"), ("3492", "s")]),
        ("Time (hh:mm)", ("1:30", "12:05"), [("90", "min"), ("725", "min")]),
        ("train_time_h", ("10.0", "8.0"), [("10.0", "h"), ("8.0", "h")]),
        ("epoch_time_s", ("10.0", "8.0"), [("10.0", "s"), ("8.0", "s")]),
        ("train_time_min", ("10.0", "8.0"), [("10.0", "min"), ("8.0", "min")]),
        ("Latency (ms/token)", ("40.0", "24.0"), [("40.0", "ms/token"), ("24.0", "ms/token")]),
        ("s/it", ("2.00", "0.75s/it"), [("2.00", "s"), ("0.75", "s")]),
        ("t/s", ("94.27 ± 0.13", "66.64 ± 0.08"), [("94.27", "tokens/s"), ("66.64", "tokens/s")]),
        ("Achieved teraFLOP/s per GPU", ("137", "163"), [("137", "TFLOP/s/GPU"), ("163", "TFLOP/s/GPU")]),
        ("Achieved aggregate petaFLOP/s", ("4.4", "34.6"), [("4.4", "PFLOP/s"), ("34.6", "PFLOP/s")]),
        ("Throughput", ("950 img/s", "114 kimg/min"), [("950", "images/s"), ("114e3", "images/min")]),
    ],
)  # fmt: skip
def test_a_number_has_the_unit_of_its_cell_else_of_its_heading(head, cells, expected):
    assert values(read(column(head, *cells))) == expected


def test_the_unit_of_a_time_may_stand_above_the_table():
    assert values(read(column("Latency", "12.5", title="Latency in milliseconds on one A100"))) == [("12.5", "ms")]
    assert values(read(column("Throughput", "12.5", title="Throughput in tokens per second"))) == [("12.5", "tokens/s")]
    assert values(read(column("Throughput", "12.5", title="Serving at 16 req/s"))) == [("12.5", "per second")]
    for title in ("Latency in ms or latency in s", "Training time in days", "Results"):
        with pytest.raises(UserError, match="no unit is stated"):
            read(column("Latency", "12.5", title=title))


@pytest.mark.parametrize("cells", [("2.0 s/it", "1.0 it/s"), ("1.5 s", "120 img/s"), ("10 it/s", "20 ms", "30 it/s")])
def test_a_column_of_rates_and_times_is_left_out_and_named(tmp_path, cells):
    with pytest.raises(UserError, match=r"Speed \(line 3\): its cells carry different units"):
        read(column("Speed", *cells))
    rows = (f"| m{i} | {cell} | {i + 1}.0x | 10{i} |" for i, cell in enumerate(cells))
    text = table("| Method | Speed | Speedup | MFU |", *rows)
    assert graves(tmp_path, text) <= {"P02"}


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (("1,234", "12.500"), "whether a comma or a point"),
        (("1.234", "2,500", "900"), "whether a comma or a point"),
    ],
)
def test_a_mark_that_may_part_thousands_or_decimals_is_not_guessed(cells, reason):
    with pytest.raises(UserError, match=reason):
        read(column("images/s", *cells))


def test_three_digits_behind_one_mark_are_decided_by_the_column():
    assert values(read(column("images/s", "1,234", "12,340"))) == [("1234", "images/s"), ("12340", "images/s")]
    assert values(read(column("Time (s)", "1.234", "0.987"))) == [("1.234", "s"), ("0.987", "s")]
    assert values(read(column("Time (s)", "1,234", "0,987"))) == [("1.234", "s"), ("0.987", "s")]
    assert values(read(column("images/s", "1.234.567", "410,5"))) == [("1234567", "images/s"), ("410.5", "images/s")]
    mixed = read(column("images/s", "1234.5", "30,5", "1,250"))
    assert values(mixed) == [("1234.5", "images/s")]
    assert sum("not read as a number" in text for text in mixed.unused) == 2


def test_in_a_table_with_decimal_commas_a_lone_point_is_not_guessed():
    draft = read("model;images/s;latency (ms)\na;410,5;12.500\nb;1.231,5;13.500\n", "a.csv")
    assert values(draft) == [("410.5", "images/s"), ("1231.5", "images/s")]
    assert any("latency (ms)" in text and text.endswith("left out") for text in draft.unused)


def test_decimal_commas_beside_decimal_points_are_not_guessed():
    draft = read("model;images/s;latency (ms)\na;410.5;12,5\nb;1231.5;13,25\n", "a.csv")
    assert values(draft) == [("410.5", "images/s"), ("1231.5", "images/s")]
    assert any("latency (ms)" in text and text.endswith("left out") for text in draft.unused)


def test_dimensions_are_no_days_and_one_odd_cell_makes_no_quantity():
    assert role_of("Conv", "2D", "3D") == {"role": "extra"}
    assert role_of("Note", "5 s", "v2", "1", "2", "3") == {"role": "extra"}


def test_decimal_commas_are_judged_like_points(tmp_path):
    text = (
        "Method;Durchsatz (Bilder/s);Beschleunigung;Genauigkeit (%)\nbaseline;410,5;1,00;76,13\n"
        "fused;1.231,5;3,00;76,08\ngraph;1.642,0;{};76,08\n"
    )
    assert graves(tmp_path, text.format("4,00"), "a.csv") == set()
    assert graves(tmp_path, text.format("5,00"), "a.csv") == {"F04"}


@pytest.mark.parametrize(
    ("cell", "printed", "unit", "qualifier", "spread"),
    [
        ("12+ hours", "12", "hours", "at_least", None),
        ("16.9 (±0.2)", "16.9", "", None, "0.2"),
        ("almost 3x", "3", "x", "nearly", None),
        ("ca. 14 h", "14", "h", "about", None),
        ("77.1+/-0.2", "77.1", "", None, "0.2"),
    ],
)
def test_words_and_signs_around_a_number(cell, printed, unit, qualifier, spread):
    found = number(cell)
    assert (found.printed, found.unit, found.qualifier, found.spread) == (printed, unit, qualifier, spread)


def test_a_bound_is_no_measured_value():
    draft = read(column("Training time (h)", "12+", "3.5", "<2"))
    assert values(draft) == [("3.5", "h")]
    assert sum("not read as a number" in text for text in draft.unused) == 2


@pytest.mark.parametrize("cell", ["1:30", "5 m", "30", "4.30", "h", "12:61:00", "1 2"])
def test_a_cell_of_one_part_or_an_unnamed_clock_is_no_duration(cell):
    assert duration(cell) is None


@pytest.mark.parametrize(
    ("head", "cells", "role"),
    [
        ("FLOPs", ("4.1G", "0.22G"), "extra"),
        ("FLOPs (B)", ("8.7", "257.8"), "extra"),
        ("GFLOPs", ("4.1", "8.7"), "extra"),
        ("TFLOPs/s", ("31.2", "125.0"), "flops"),
        ("Normalized throughput", ("1.00", "2.00"), "extra"),
        ("Relative time", ("1.00", "0.50"), "extra"),
        ("Batch", ("8", "16"), None),
        ("Peak mem (GB)", ("3.9", "4.2"), "memory"),
        ("Memory", ("900 MB", "1.2 GB"), "memory"),
        ("# of Accelerators", ("8", "64"), "devices"),
        ("GPU type", ("A100-40GB", "H100"), "system"),
        ("System", ("vLLM", "HF"), "extra"),
        ("System", ("DGX A100", "DGX H100"), "system"),
        ("MMLU", ("66.6", "66.5"), "accuracy"),
        ("mAP<sup>val<br>50-95", ("37.3", "53.9"), None),
        ("Time to 76%", ("1 h 5 min", "3 h 2 min"), "time"),
        ("99% latency (ms)", ("12", "15"), "latency"),
    ],
)
def test_what_a_heading_says_that_a_column_holds(head, cells, role):
    told = role_of(head, *cells)
    if role is not None:
        assert told["role"] == role
    assert ("percentile" in (told or {})) == (head == "99% latency (ms)")


def test_a_line_break_in_a_heading_is_a_space_and_a_quality_of_that_name_is_read():
    draft = read(table("| Model | mAP<sup>val<br>50-95 | Speed<br><sup>CPU ONNX<br>(ms) |", "| a | 37.3 | 80.4 |"))
    assert set(draft.guesses) == {"Model", "mAP val 50-95", "Speed CPU ONNX (ms)"}
    assert values(draft) == [("37.3", "%"), ("80.4", "ms")]


def test_time_to_a_quality_is_that_of_a_run_and_no_percentile():
    (claim,) = read(column("Time to 76% (min)", "65")).value["claims"].values()
    assert (claim["scope"], claim.get("statistic")) == ("training_run", None)


def test_efficiencies_are_read_where_devices_are_counted(tmp_path):
    rows = ("| 64 | 20,972 | 100 % |", "| 128 | 40,278 | {} |")
    for head in ("Parallel efficiency", "Efficiency", "efficiency (%)", "Efficiency [%]"):
        text = table(f"| GPUs | Throughput (tokens/s) | {head} |", *rows)
        assert graves(tmp_path, text.format("96 %")) == set()
        assert graves(tmp_path, text.format("86 %")) & {"F04", "F05"}
    plain = read(table("| Method | img/s | Efficiency |", "| a | 100.5 | 96 % |", "| b | 120.5 | 98 % |"))
    assert plain.guesses["Efficiency"] == {"role": "extra"}


def test_nodes_and_devices_without_spaces():
    rows = read(table("| nodes x GPUs | img/s |", "| 1x8 | 10,270 |", "| 4 × 8 | 38,990 |")).value["tables"]["t1"][
        "rows"
    ]
    assert [(row["nodes"], row["devices"]) for row in rows.values()] == [(1, 8), (4, 32)]


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("Kernel fusion, A100-SXM4-80GB", "A100-SXM4-80GB"),
        ("MFU, A100 SXM 80GB, BF16", "A100 SXM 80GB"),
        ("one A100 80GB SXM4, batch 1", "A100 80GB SXM4"),
        ("V100 32 GPUs", "V100"),
        ("8xH100 machine", "H100"),
        ("DGX-1 V100", "V100"),
        ("vLLM 0.4.2", ""),
        ("batch 100", ""),
    ],
)
def test_a_device_keeps_its_form_and_memory(text, device):
    assert device_in(text) == device


def test_a_processor_is_hardware_and_a_program_is_none():
    assert all(names_hardware(text) for text in ("Xeon 8380", "DGX-2", "TPU v4", "2x RTX A6000", "Jetson Orin"))
    assert not any(names_hardware(text) for text in ("vLLM", "eager", "TensorRT-LLM", "HF", "PyTorch 2.4"))


def test_headings_in_chinese():
    draft = read(
        table(
            "| GPU数 | 批大小 | 吞吐量（图片/秒） | 单步耗时（毫秒） | 加速比 | 显存（GB） |",
            "| 1 | 128 | 1,200 | 106.7 | 1.00 | 14.2 |",
            "| 4 | 512 | 4,632 | 110.5 | 3.86 | 14.6 |",
        )
    )
    roles = [given["role"] for given in draft.guesses.values()]
    assert roles == ["devices", "batch", "rate", "time", "speedup", "memory"]
    assert values(draft) == [("1200", "images/s"), ("106.7", "ms"), ("4632", "images/s"), ("110.5", "ms")]


@pytest.mark.parametrize(("cells", "role"), [(("FP16", "INT8"), "precision"), (("74.0%", "75.1%"), "accuracy")])
def test_one_chinese_word_means_precision_or_accuracy(cells, role):
    assert role_of("精度", *cells)["role"] == role


def test_a_minute_is_no_minimum():
    assert role_of("Requests/min", "3.1k", "2.0k") == {"role": "rate", "unit": "requests/min"}
    assert role_of("latency_min (ms)", "3.1", "2.0")["statistic"] == "min"


def test_units_of_headings_and_cells():
    assert measure("kimg/min").at(0) == "images/min"
    assert measure("kimg/min").exponent == 3
    assert measure("apples") is None
    assert measure("K").dimension == "scale"
    assert measure("GiB").at(9) == "GiB"
    assert rate_in("latency (ms)") is None
    assert time_in("hidden h") is None
    assert time_in("tokens per second") is None
    assert power_in("throughput @1000 tokens") == 0
    assert in_english("Modell") == "model"
    assert in_english("Modelling") == "modelling"


def test_a_speed_up_per_device_is_not_held_against_totals(tmp_path):
    rows = ("| DGX-1 V100 | 8 | 10,000 | 1.0x |", "| 2x DGX H100 | 16 | 96,000 | 4.8x |")
    for head in ("Per-GPU speedup vs V100", "Speedup per GPU"):
        assert graves(tmp_path, table(f"| System | GPUs | img/s | {head} |", *rows)) == set()


def test_the_sentence_before_a_table_overrules_the_precision_of_the_heading(tmp_path):
    text = (
        "# INT8 quantization\n\nBaseline (FP32, one socket):\n\n| Model | Latency (ms) |\n|---|---|\n| BERT | 48.0 |\n"
    )
    assert graves(tmp_path, text) == set()


@pytest.mark.parametrize("unit", ["bits", "bit", "Mbit"])
def test_bits_are_no_memory_by_a_power_of_ten(unit):
    assert measure(unit) is None


def test_a_width_in_bits_stops_no_table():
    draft = read(table("| GPU | Memory | Throughput (images/s) |", "| A | 96 bits | 410 |", "| B | 192 bits | 820 |"))
    assert {value for value, unit in values(draft) if unit == "images/s"} == {"410", "820"}


@pytest.mark.parametrize("each", ["user", "stream", "node", "request"])
def test_a_rate_of_one_user_is_no_total(tmp_path, each):
    rows = ("| A | 2 | 509 | 63.6 |", "| B | 2 | 997 | 32.3 |")
    text = table(f"| Setup | GPUs | tokens/s/GPU | tokens/s/{each} |", *rows)
    assert {unit for _, unit in values(read(text))} == {"tokens/s/GPU", f"tokens/s/{each}"}
    assert not graves(tmp_path, text)
