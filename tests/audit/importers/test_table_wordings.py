"""Cells, columns and surroundings of tables as documents word them: commas, multiples, units beside, arrays."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate


def drafted(text, name="a.md"):
    found = of_file(name, text.encode(), Path()).draft.value
    assert not validate("submission", found)
    return found


def claimed(text, name="a.md"):
    return [(each["value"], each.get("unit")) for each in drafted(text, name)["claims"].values()]


def table(head, *rows, above=""):
    cells = head.count("|") - 1
    return "\n".join(["# Runs", "", above, "", head, "|" + "---|" * cells, *rows]) + "\n"


@pytest.mark.parametrize(
    ("column", "last"),
    [(("12.31", "12.34", "52,61"), "52.61"), (("1.5", "22.5", "7,1"), "7.1")],
)
def test_a_comma_among_points_with_as_many_decimals_parts_decimals(column, last):
    text = table("| Net | Time (s) |", *(f"| n{n} | {cell} |" for n, cell in enumerate(column)))
    assert claimed(text)[-1] == (last, "s")


def test_a_comma_with_other_decimals_stays_unread():
    text = table("| Net | Time (s) |", "| a | 12.31 |", "| b | 12.34 |", "| c | 4,2 |")
    assert claimed(text) == [("12.31", "s"), ("12.34", "s")]


@pytest.mark.parametrize("words", ["real-time", "realtime"])
def test_multiples_of_real_time_are_claims(words):
    text = table("| Way | Time | Factor |", f"| Core | 8.1s | 6.4x {words} |", f"| Host | 9.9s | 5.2x {words} |")
    found = drafted(text)["claims"].values()
    ratios = [each for each in found if each["form"] == "ratio"]
    assert [each["value"] for each in ratios] == ["6.4", "5.2"]
    assert all(each["compares"] == "none" and each["base"] == {"definition": "real time"} for each in ratios)


def test_times_on_each_device_are_times_and_no_device_is_that_of_the_host():
    above = "All runs on one RTX A6000."
    text = table("| Net | CPU Time | GPU Time |", "| a | 12m 5.1s | 41.0s |", "| b | 7m 2.2s | 22.5s |", above=above)
    assert set(claimed(text)) == {("725.1", "s"), ("41.0", "s"), ("422.2", "s"), ("22.5", "s")}
    hours = table("| Net | GPU hours | Speed (img/s) |", "| a | 12 | 51.5 |", "| b | 7 | 60.5 |")
    assert claimed(hours) == [("51.5", "images/s"), ("60.5", "images/s")]


def test_a_column_of_units_beside_one_of_numbers():
    text = table("| Run | Time | Unit |", "| warm | 1,234.5 | ms |", "| cold | 2,345.6 | ms |")
    assert claimed(text) == [("1234.5", "ms"), ("2345.6", "ms")]


@pytest.mark.parametrize("above", ["All times are in ms.", "- warmup=5，统计平均时间，单位为 ms。"])
def test_a_unit_that_a_sentence_gives_of_all_times(above):
    text = table("|\tmodel\t|\tbatch_size\t|\tavg_latency\t|", "|\tbert\t|\t1\t|\t106.64\t|", above=above)
    assert claimed(text) == [("106.64", "ms")]


def test_a_time_without_a_unit_is_named():
    with pytest.raises(UserError, match=r"time .*no unit is stated"):
        drafted("model,atoms,time,gpu\na,216,4175.6,L4\nb,8,10.04,L4\n", "a.csv")


def test_the_performance_of_kernels_is_a_rate_of_operations():
    text = table("| Kernel | Performance (GFLOPS) |", "| plain | 635.3 |", "| tiled | 37,201.0 |")
    assert claimed(text) == [("635.3", "GFLOP/s"), ("37201.0", "GFLOP/s")]
    assert claimed(table("| Net | GFLOPS | Latency (ms) |", "| a | 4.1 | 3.2 |", "| b | 8.2 | 6.1 |")) == [
        ("3.2", "ms"), ("6.1", "ms")
    ]  # fmt: skip


ARRAY = r"""# Devices

### Step time

$$\left[\begin{array}{c|c|c}
 \textbf{Batch Size} & \textbf{GPU} & \textbf{TPU} \\
 \hline
 128 & 84 \mu s & 97 \mu s\\
 512 & 72 \mu  s& 58 \mu s \\
\end{array}\right]$$
"""


def test_an_array_in_a_formula_is_a_table():
    assert claimed(ARRAY) == [("84", "us"), ("97", "us"), ("72", "us"), ("58", "us")]
    assert claimed(ARRAY.replace("array", "tabular").replace(r" \mu", r" \mu ")) == claimed(ARRAY)


@pytest.mark.parametrize("broken", [r" & 97 \mu s", r"\end{array}", r" \\"])
def test_an_array_that_is_not_whole_stops_nothing(broken):
    whole = f"{ARRAY}\n\nThe decoder takes 7.25 ms on one L4.\n".replace(broken, "", 1)
    assert ("7.25", "ms") in claimed(whole)


def test_quantised_models_were_not_trained_by_the_table():
    text = table("| Quant | Models | Accuracy |", "| Q8_0 | 18 | 69.4% |", "| Q4_K_M | 18 | 70.6% |")
    found = drafted(text)
    assert {(each["mode"], each["scope"]) for each in found["claims"].values()} == {("none", "not_stated")}
    assert not any("model" in arm.get("options", {}) for arm in found["arms"].values())
    trained = drafted(table("| Net | Accuracy |", "| a | 69.4% |", "| b | 70.6% |"))
    assert {each["mode"] for each in trained["claims"].values()} == {"training"}


def test_a_transfer_has_no_model_and_the_nodes_of_its_section():
    setup = "All experiments run on 4 nodes with 8 H100 GPUs each using Llama-3-8B.\n"
    own = "## Transfer bandwidth\n\nWe measure the transfer between two nodes.\n\n"
    rows = "| Block (B) | Avg latency (us) |\n|---|---|\n| 4096 | 6.1 |\n| 8192 | 6.5 |\n"
    found = drafted(f"# Serving\n\n{setup}\n{own}{rows}")
    assert not any("devices" in arm or "model" in arm.get("options", {}) for arm in found["arms"].values())


LOG = """[Step 1/3] Reading the net
[ INFO ] Read model took 63.52 ms
[Step 2/3] Measuring ({words})
[ INFO ] First answer took 65.50 ms
[Step 3/3] Report
[ INFO ] Latency:
[ INFO ]    Median:        206.73 ms
[ INFO ]    Average:       207.39 ms
[ INFO ] Throughput:   19.26 FPS
"""


@pytest.mark.parametrize(
    ("words", "mode"), [("inference only", "inference"), ("on one card", "none"), ("one epoch", "training")]
)
def test_a_log_is_of_what_its_words_say(words, mode):
    found = drafted(LOG.replace("{words}", words), "a.txt")["claims"].values()
    assert {each["mode"] for each in found} == {mode}


BENCH = """Runs of today, each on another host.

```
ggml_cuda_init: found 1 ROCm devices:
  Device 0: AMD Radeon PRO W7900, compute capability 11.0, VMM: no
| model | size | params | backend | ngl | test | t/s |
| --- | ---: | ---: | --- | --: | --- | ---: |
| llama 7B Q4_0 | 3.56 GiB | 6.74 B | ROCm | 99 | tg 128 | 93.94 ± 0.18 |
```

Another tool generates at 71.5 tokens/s.

```
  Device 0: AMD Radeon PRO W7900, compute capability 11.0, VMM: no
| model | size | params | backend | ngl | test | t/s |
| --- | ---: | ---: | --- | --: | --- | ---: |
| llama 7B Q4_0 | 3.56 GiB | 6.74 B | ROCm | 99 | pp 512 | 2193.89 ± 3.09 |
```
"""


def test_each_run_of_llama_bench_has_its_own_devices_and_its_document_its_sentences():
    found = drafted(f"# llama-bench\n\n{BENCH}")
    arms = [arm for name, arm in found["arms"].items() if name.startswith("llama")]
    assert len(arms) == 2
    assert all(arm.get("devices", 1) == 1 for arm in arms)
    assert ("71.5", "tokens/s") in [(each["value"], each.get("unit")) for each in found["claims"].values()]


@pytest.mark.parametrize("other", ["std", "max"])
def test_min_beside_other_statistics_is_no_minute(other):
    rows = f'[{{"net":"a","batch_time":{{"{other}":0.02,"min":0.48}},"tokens_per_s":51.5}},'
    rows += f'{{"net":"b","batch_time":{{"{other}":0.03,"min":0.58}},"tokens_per_s":60.5}}]'
    assert claimed(rows, "a.json") == [("51.5", "tokens/s"), ("60.5", "tokens/s")]


@pytest.mark.parametrize("rule", ["------  ---------  ---------", "======  =========  ========="])
def test_headings_with_a_count_above_rules_of_their_own(rule):
    head = "backend  1_latency  2_latency"
    rows = "eager  25.265  61.28\nother  13.754  74.04\n"
    text = f"# Sweep of latencies\n\nAll times are in ms.\n\n```\n{head}\n{rule}\n{rows}```\n"
    assert claimed(text) == [("25.265", "ms"), ("61.28", "ms"), ("13.754", "ms"), ("74.04", "ms")]
    with pytest.raises(UserError, match="no unit is stated"):
        drafted(text.replace("All times are in ms.", ""))


@pytest.mark.parametrize(("column", "batch"), [("Training Iters", None), ("Resolution", 32)])
def test_the_batch_of_a_training_is_no_condition_of_a_latency(column, batch):
    text = table(
        f"| Net | {column} | Batch size | latency (ms) |", "| a | 800 | 32 | 26.5 |", "| b | 800 | 32 | 21.3 |"
    )
    arms = drafted(text)["arms"].values()
    assert {arm.get("options", {}).get("global_batch") for arm in arms} == {batch}
