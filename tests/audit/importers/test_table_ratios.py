"""Ratios of tables that are no quotient of two printed numbers, in two units, or under a heading of their own."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate


def table(head, *rows, title="Results on A100", below=""):
    lines = [head, "|".join(["---"] * (head.count("|") + 1)), *rows]
    return f"# {title}\n\n" + "\n".join(f"| {line} |" for line in lines) + f"\n\n{below}\n"


def ratios(text):
    """The value of each ratio with the arm of its base."""
    draft = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    claims = draft.value["claims"].values()
    return [(c["value"], c["unit"], c.get("base", {}).get("arm")) for c in claims if c["form"] != "absolute"]


def found(tmp_path, text, codes):
    (tmp_path / "report.md").write_text(text, encoding="utf-8")
    (handed,) = read_documents([str(tmp_path / "report.md")])
    report = lint(handed, Settings()).report
    assert not [finding for finding in report.all_findings if finding.outcome == "error"]
    return [f.code for f in report.all_findings if f.outcome == "violation" and f.code in codes]


def strong(*batches):
    rows = [f"{n} | {batch} | {400 * n - 40 * (n > 1)} | {n - 0.1 * (n > 1):.2f}" for n, batch in batches]
    return table("GPUs | Batch size / GPU | images/s | Strong scaling", *rows)


@pytest.mark.parametrize(
    "batches",
    [
        ((1, "1,048,576"), (8, "131,072")),
        ((1, "1048576"), (4, "262144"), (8, "131072")),
        ((2, "2,000"), (8, "500")),
        ((1, "16,384"), (16, "1,024")),
    ],
)
def test_a_batch_that_is_shared_out_to_more_devices_is_one_batch(tmp_path, batches):
    assert found(tmp_path, strong(*batches), {"M19"}) == []


SUITE = (
    "baseline | 127.9 min | 1.00x",
    "one thread | 99.5 min | 1.29x",
    "16 threads | 43.3 min | 3.52x",
    "16 threads, GPU | 33.7 min | 4.31x",
)


@pytest.mark.parametrize(
    "heading",
    ["Average speedup", "Mean speed-up", "Speedup (geomean)", "Median speedup", "Peak speedup", "Max speedup"],
)
def test_an_average_of_speedups_is_not_the_ratio_of_totals(tmp_path, heading):
    text = table(f"Configuration | Total suite time | {heading}", *SUITE)
    assert found(tmp_path, text, {"F04"}) == []
    assert {base for _, _, base in ratios(text)} == {None}
    assert "F04" in found(tmp_path, text.replace(heading, "Speedup"), {"F04"})


@pytest.mark.parametrize(
    "words",
    [
        "Speedups use the median latency of each prompt, then a geometric mean.",
        "The speedup is the mean over all movies.",
        "We report the average speedup.",
        "Numbers are medians; speed-ups are averaged over ten queries.",
        "Shown is the geomean of per-matrix speedups.",
    ],
)
def test_text_below_may_say_that_speedups_are_averaged(tmp_path, words):
    head = "Configuration | Total suite time | Speedup"
    assert found(tmp_path, table(head, *SUITE, below=words), {"F04"}) == []
    assert "F04" in found(tmp_path, table(head, *SUITE, below=f"## Next\n\n{words}"), {"F04"})


@pytest.mark.parametrize(
    "words", ["Times are the mean of five runs.", "Speedup over the baseline.", "The average batch holds 8 items."]
)
def test_an_average_of_times_is_none_of_speedups(tmp_path, words):
    assert "F04" in found(tmp_path, table("Config | Suite time | Speedup", *SUITE, below=words), {"F04"})


@pytest.mark.parametrize(
    ("heads", "intervals"),
    [
        ("95% CI", "[2.715, 4.177]"),
        ("Confidence interval", "2.7x - 4.2x"),
        ("CI low | CI high", "2.71 | 4.18"),
    ],
)
def test_an_interval_beside_a_ratio_excuses_what_it_holds(tmp_path, heads, intervals):
    dashes = " | ".join("-" for _ in heads.split("|"))
    rows = [f"{row} | {intervals if '3.52' in row else dashes}" for row in SUITE]
    rows[-1] = rows[-1].replace("4.31x", "3.80x")
    head = f"Configuration | Suite time | Speedup | {heads}"
    assert found(tmp_path, table(head, *rows), {"F04"}) == []
    beyond = [row.replace("3.52x", "8.52x") for row in rows]
    assert "F04" in found(tmp_path, table(head, *beyond), {"F04"})


UNITS = {
    "minutes before, seconds after": ("6 min | 15 sec | 24x", "24 min | 36 sec | 40x"),
    "milliseconds and microseconds": ("1.835 ms | 339 µs | 5.41x", "3.617 ms | 527 µs | 6.86x"),
    "hours and minutes": ("2 h | 30 min | 4.0x", "9 h | 90 min | 6.0x"),
}


@pytest.mark.parametrize("name", UNITS)
def test_times_in_two_units_are_compared(tmp_path, name):
    text = table("Set | Before | After | Speedup", *(f"s{n} | {row}" for n, row in enumerate(UNITS[name])))
    assert found(tmp_path, text, {"F04"}) == []
    assert all(base is not None for _, _, base in ratios(text))
    wrong = text.replace("24x", "90x").replace("5.41x", "9.41x").replace("4.0x", "14.0x")
    assert found(tmp_path, wrong, {"F04"}) == ["F04"]


def test_columns_whose_headings_name_two_units_are_compared(tmp_path):
    text = table("Set | PyTorch (s) | Ours (ms) | Speedup", "a | 1.5 | 500 | 3.0x", "b | 2.4 | 600 | 4.0x")
    assert found(tmp_path, text, {"F04"}) == []
    assert found(tmp_path, text.replace("4.0x", "7.0x"), {"F04"}) == ["F04"]


LADDERS = {
    "a note, a batch and a speed-up": table(
        "GPUs | Interconnect | Global batch | Tokens/s | Speedup | Efficiency",
        "1 | none | 8 | 16,000 | 1.00x | 100%",
        "4 | NVLink | 32 | 61,000 | 3.81x | 95.3%",
        "8 | NVLink | 64 | 118,000 | 7.38x | 92.2%",
    ),
    "a measured overhead": table(
        "Nodes | GPUs | images/s | Scaling efficiency | Communication overhead",
        "1 | 8 | 12,456 | 100.0% | 0%",
        "2 | 16 | 24,234 | 95.3% | 2.7%".replace("24,234", "23,741"),
        "4 | 32 | 47,133 | 94.6% | 5.2%",
        "8 | 64 | 91,567 | 91.9% | 8.3%",
    ),
    "remarks": table(
        "GPUs | samples/s | Scaling efficiency | Remark",
        "1 | 100 | 1.00 | on the desk",
        "2 | 190.6 | 0.953 | with the door open",
        "4 | 372 | 0.93 | at night",
        "8 | 704 | 0.88 | at night",
    ),
}


@pytest.mark.parametrize("name", LADDERS)
def test_notes_that_change_with_the_devices_hide_no_efficiency(tmp_path, name):
    text = LADDERS[name]
    assert found(tmp_path, text, {"F05", "F06"}) == []
    assert "F05" in found(tmp_path, text.replace("95.3%", "55.3%").replace("0.953", "0.553"), {"F05"})


def test_other_configurations_are_no_base_of_an_efficiency(tmp_path):
    rows = ("1 | DDP | 100 | 100%", "2 | FSDP | 150 | 96%", "4 | ZeRO | 260 | 91%", "8 | TP | 380 | 80%")
    assert found(tmp_path, table("GPUs | Strategy | samples/s | Scaling efficiency", *rows), {"F05", "F06"}) == []


def test_one_ladder_beside_another_has_its_own_base(tmp_path):
    rows = ("1 | a | 100 | 100%", "2 | a | 190 | 95%", "1 | b | 50 | 100%", "2 | b | 98 | 98%")
    assert found(tmp_path, table("GPUs | Kind | samples/s | Scaling efficiency", *rows), {"F05", "F06"}) == []


VERSUS = {
    "factors over a named baseline": (
        table("Optimization | tokens/s | vs baseline", "baseline | 500 | 1x", "fused | 1000 | 2x", "int8 | 2000 | 4x"),
        ("1000 | 2x", "1000 | 9x"),
    ),
    "levels over a row that the heading names": (
        table("Level | Latency (ms) | tokens/s | vs -O2", "-O0 | 18 | 444 | 44%", "-O1 | 12 | 667 | 67%",
              "-O2 | 8 | 1000 | 100%", "-O3 | 8 | 1000 | 100%"),
        ("44%", "69%"),
    ),
    "changes beside what was not measured": (
        table("Config | tok/sec | vs 12x1 | Peak mem (MiB)", "12x1 | 642 | +0.0% | 0.5", "2x5 | 839 | +30.7% | 0.6",
              "1x10 | 804 | +25.2% | 0.7", "4x3 | 706 | +10.0% | 0.7"),
        ("+10.0%", "+90.0%"),
    ),
    "a reduction between two columns": (
        table("Rows | Before (us) | After (us) | Latency reduction", "1 | 17.237 | 11.674 | 32.28%",
              "4 | 28.604 | 15.087 | 47.26%", "8 | 33.041 | 22.801 | 30.99%"),
        ("47.26%", "57.26%"),
    ),
    "faster by per cent": (
        table("Batch | Before (ms) | After (ms) | Improvement", "32 | 1.835 | 0.339 | **441%** faster",
              "64 | 3.617 | 0.527 | **586%** faster", "128 | 7.060 | 0.972 | **627%** faster"),
        ("586%", "986%"),
    ),
    "precisions under bare headings": (
        table("arch | Mixed Precision | Mixed Precision XLA | FP32 | Mixed Precision speedup | XLA speedup",
              "a | 8277.9 img/s | 9485.2 img/s | 2785.8 img/s | 2.97x | 1.15x",
              "b | 3151.8 img/s | 4231.4 img/s | 1055.8 img/s | 2.99x | 1.34x",
              "c | 2168.4 img/s | 3297.4 img/s | 921.4 img/s | 2.35x | 1.52x"),
        ("2.35x", "4.35x"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VERSUS)
def test_a_column_of_ratios_needs_no_word_of_speedup(tmp_path, name):
    text, (right, wrong) = VERSUS[name]
    assert ratios(text)
    assert all(base is not None for _, _, base in ratios(text))
    assert found(tmp_path, text, {"F04"}) == []
    assert right in text
    assert len(found(tmp_path, text.replace(right, wrong), {"F04", "F06"})) == 1


def test_a_level_of_the_base_is_a_factor():
    assert ratios(VERSUS["levels over a row that the heading names"][0])[0] == ("0.44", "x", "t1-r3")
    assert ratios(VERSUS["changes beside what was not measured"][0])[0] == ("30.7", "%", "t1-r1")


@pytest.mark.parametrize(
    "text",
    [
        table("Method | tokens/s | Memory (GB) | vs baseline", "baseline | 500 | 40 | 1x", "fused | 600 | 10 | 4x"),
        table("Method | Time (s) | Kept heads | vs baseline", "baseline | 500 | 64 | 100%", "pruned | 300 | 16 | 25%"),
        table("Method | Latency (ms) | Memory reduction", "baseline | 50 | 0%", "fused | 40 | 30%"),
        table("Method | Latency (ms) | Token reduction", "baseline | 50 | 0%", "pruned | 40 | 30%"),
        table("Method | tokens/s | Accuracy vs baseline", "baseline | 500 | 100%", "pruned | 700 | 99%"),
        table("Backend | Time (s) | % of requests", "a | 5.0 | 100%", "b | 4.0 | 95%"),
    ],
)
def test_ratios_of_something_else_are_not_held_against_speeds(tmp_path, text):
    assert found(tmp_path, text, {"F04", "F05", "F06"}) == []


@pytest.mark.parametrize("heading", ["Paired ratio", "Ratio (paired)", "paired median ratio"])
def test_a_gain_beside_that_of_pairs_is_one_of_pairs(tmp_path, heading):
    rows = ("a | 78.119 | 74.578 | 0.9542x | 4.58%", "b | 40.000 | 35.000 | 0.8701x | 12.99%")
    text = table(f"Case | Before (ms) | After (ms) | {heading} | Latency reduction", *rows)
    assert found(tmp_path, text, {"F04", "F06"}) == []


@pytest.mark.parametrize(
    "heading", ["Speedup over baseline (%)", "Speedup [%]", "Gain vs baseline in percent", "% vs baseline"]
)
def test_per_cent_may_stand_in_the_heading(tmp_path, heading):
    text = table(f"Method | Time (s) | {heading}", "baseline | 100 | 0", "fused | 80 | 25", "int8 | 50 | 100")
    assert ("25", "%", "t1-r1") in ratios(text)
    assert found(tmp_path, text, {"F04", "F06"}) == []
    assert len(found(tmp_path, text.replace("| 25", "| 45"), {"F04", "F06"})) == 1


def drafted(text):
    return of_file("a.md", text.encode(), Path()).draft


def test_speedups_that_stand_alone_are_claimed_with_the_base_that_words_name():
    text = table("Model | Speedup vs. PyTorch", "a | 2.5x", "b | 1.0x", "c | 3.5x")
    claims = list(drafted(text).value["claims"].values())
    assert [(claim["value"], claim["form"], claim["comparator"]["name"]) for claim in claims] == [
        ("2.5", "ratio", "PyTorch"),
        ("3.5", "ratio", "PyTorch"),
    ]


@pytest.mark.parametrize("heading", ["Ratio", "Compression", "Improvement (%)"])
def test_ratios_that_nothing_calls_speedups_claim_nothing_alone(heading):
    with pytest.raises(UserError):
        drafted(table(f"Model | {heading}", "a | 2.5x", "b | 30%"))


def test_of_several_columns_those_that_the_ratios_do_not_fit_are_no_bases():
    head = ("| | | FP16 | | FP8 | | | INT8 | |", "|---|---|---|---|---|---|---|---|---|")
    second = "| Model | Batch | tokens/s | | tokens/s | Speedup | | tokens/s | Speedup |"
    rows = [f"| a | {n} | {n}00 | | {n}50 | {1 + 50 / (100 * n):.3f}x | | {n}20 | 7.{n}x |" for n in (1, 2, 4)]
    found = drafted("\n".join(("# Speed", "", *head, second, *rows, ""))).value
    bases = {
        claim["value"]: claim.get("base", {}).get("arm") for claim in found["claims"].values() if claim["unit"] == "x"
    }
    assert bases["1.500"] is not None
    assert {base for value, base in bases.items() if value.startswith("7")} == {None}
