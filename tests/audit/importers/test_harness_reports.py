"""Reports of benchmark harnesses: what of them is read; honest ones stay quiet, and altered ones are found."""

import json
import random
from pathlib import Path
from statistics import fmean, median, stdev

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.facts.quantities.discrepancy import told_apart
from dlaudit.rules.language.printed import span
from dlaudit.schemas.validation import validate


def arms(name, report):
    data = report.encode() if isinstance(report, str) else json.dumps(report).encode()
    draft = of_file(name, data, Path()).draft
    assert not validate("submission", draft.value)
    return draft.value["arms"], draft.unused


def findings(tmp_path, name, report):
    (tmp_path / name).write_text(report if isinstance(report, str) else json.dumps(report))
    (found,) = read_documents([str(tmp_path / name)])
    return lint(found, Settings()).report.all_findings


def strong(tmp_path, name, report):
    """The rules that refute or undermine a claim of a report."""
    found = findings(tmp_path, name, report)
    return {f.code for f in found if f.outcome == "violation" and str(f.effect) != "caveat"}


def of_rule(found, code):
    return [f.message for f in found if f.code == code and f.outcome in {"violation", "not-shown"}]


def times(count, seed=1, typical=1.2e-5):
    rng = random.Random(seed)
    return [typical * (1 + abs(rng.gauss(0, 0.02))) for _ in range(count)]


def pytest_report(data, iterations=1, **stats):
    held = {
        "min": min(data), "max": max(data), "mean": sum(data) / len(data), "stddev": stdev(data),
        "median": median(data), "rounds": len(data), "iterations": iterations, "data": data,
    }  # fmt: skip
    row = {"fullname": "t.py::test_f", "options": {"timer": "perf_counter"}, "stats": held | stats}
    return {"machine_info": {"node": "n"}, "commit_info": {}, "benchmarks": [row], "version": "5.1.0"}


class TestPytestBenchmark:
    @pytest.mark.parametrize("seed", range(12))
    @pytest.mark.parametrize(
        "mean", [fmean, lambda values: sum(values) / len(values), lambda values: sum(values[::-1]) / len(values)]
    )
    def test_a_mean_in_full_precision_is_that_of_its_numbers(self, tmp_path, seed, mean):
        data = times(37 + 60 * seed, seed)
        found = findings(tmp_path, "a.json", pytest_report(data, mean=mean(data)))
        assert of_rule(found, "F07") == []

    def test_a_difference_in_late_digits_is_shown_with_them(self, tmp_path):
        data = times(40)
        stated = round(fmean(data) * (1 + 3e-9), 16)
        (message,) = of_rule(findings(tmp_path, "a.json", pytest_report(data, mean=stated)), "F07")
        shown = message.partition("the raw numbers give ")[2].split()[0]
        assert message.startswith(f"the mean is stated as {stated}")
        assert not repr(stated).startswith(shown.partition("e")[0])

    def test_another_mean_is_found(self, tmp_path):
        data = times(40)
        assert "F07" in strong(tmp_path, "a.json", pytest_report(data, mean=fmean(data) * 0.7))

    def test_data_that_stand_there_twice_are_found(self, tmp_path):
        data = times(60)
        assert "F12" not in strong(tmp_path, "a.json", pytest_report(data))
        assert "F12" not in strong(tmp_path, "b.json", pytest_report(data + data))
        (asked,) = of_rule(findings(tmp_path, "b.json", pytest_report(data + data)), "F12")
        assert "repeats its first 60 values to its end: were the same inputs timed again" in asked
        assert "F12" in strong(tmp_path, "d.json", pytest_report(data + data + times(9, seed=2)))
        assert "F12" in strong(tmp_path, "c.json", pytest_report(data + times(9, seed=2) + data[20:]))

    def test_a_coarse_clock_and_work_in_periods_are_no_copy(self, tmp_path):
        coarse = [round(value / 5e-8) * 5e-8 for value in times(400)]
        assert "F12" not in strong(tmp_path, "a.json", pytest_report(coarse))
        lengths = [random.Random(5).uniform(1e-3, 5e-3) for _ in range(16)]
        rng = random.Random(6)
        periods = [round(lengths[i % 16] + rng.gauss(0, 3e-10), 9) for i in range(320)]
        assert "F12" not in strong(tmp_path, "b.json", pytest_report(periods))

    def test_too_many_times_are_named_with_their_number(self):
        held, unused = arms("a.json", pytest_report(times(10_001)))
        assert "trials" not in next(iter(held.values()))
        assert any("10,001 values; a submission holds at most 10,000 raw numbers" in text for text in unused)
        _, unused = arms("a.json", pytest_report(times(5)) | {})
        assert not any("data" in text for text in unused)

    def test_the_calls_of_a_round_count(self, tmp_path):
        asked = of_rule(findings(tmp_path, "a.json", pytest_report(times(7))), "M04")
        assert asked == ["7 iterations are fewer than the 10 that profile reviewer asks for"]
        assert of_rule(findings(tmp_path, "b.json", pytest_report(times(7), iterations=100)), "M04") == []
        bare = pytest_report(times(7), iterations=100)
        del bare["benchmarks"][0]["stats"]["data"]
        assert of_rule(findings(tmp_path, "c.json", bare), "M04") == []
        assert of_rule(findings(tmp_path, "d.json", pytest_report(times(2), iterations=100)), "M04")

    def test_what_is_asked_for_is_said_where_n_is_given(self, tmp_path):
        (tmp_path / "a.json").write_text(json.dumps(pytest_report(times(7))))
        (found,) = read_documents([str(tmp_path / "a.json")])
        (claim,) = lint(found, Settings()).report.claims
        assert "at least 10 iterations instead of 7 (M04)" in claim.why
        assert "at least 10 iterations instead of 7" in claim.coverage.settle


def pyperf_report(rows, **metadata):
    runs = [{"values": row, "warmups": [[64, row[0]]]} for row in rows]
    return {
        "version": "1.0", "metadata": {"name": "f", "unit": "second", "loops": 64} | metadata,
        "benchmarks": [{"runs": [{"metadata": {"calibrate_loops": 64}}, *runs]}],
    }  # fmt: skip


def processes(count, values=3, seed=3):
    flat = times(count * values, seed)
    return [flat[i * values : (i + 1) * values] for i in range(count)]


class TestPyperf:
    def test_values_that_are_means_over_loops_are_enough(self, tmp_path):
        assert of_rule(findings(tmp_path, "a.json", pyperf_report(processes(20))), "M04") == []
        found = of_rule(findings(tmp_path, "b.json", pyperf_report(processes(20), loops=1)), "M04")
        assert found == ["3 iterations are fewer than the 10 that profile reviewer asks for"]

    def test_inner_loops_and_the_loops_of_a_process_count(self):
        report = pyperf_report(processes(3), inner_loops=10)
        report["benchmarks"][0]["runs"][2]["metadata"] = {"loops": 32}
        held, _ = arms("a.json", report)
        assert held["f"]["performance"]["mean"]["averaged_over"] == 320
        bytes_, _ = arms("a.json", pyperf_report(processes(3), unit="byte"))
        assert "averaged_over" not in bytes_["f"]["performance"]["mean"]

    def test_copied_processes_are_found(self, tmp_path):
        honest = processes(20)
        assert strong(tmp_path, "a.json", pyperf_report(honest)) == set()
        assert strong(tmp_path, "b.json", pyperf_report(honest[:10] * 2)) == {"F12"}
        assert strong(tmp_path, "c.json", pyperf_report(honest[:16] + honest[:4])) == {"F12"}

    def test_processes_on_a_coarse_clock_are_not(self, tmp_path):
        rng = random.Random(4)
        coarse = [[round(rng.gauss(3, 1)) * 1e-3 / 7] * 3 for _ in range(20)]
        assert strong(tmp_path, "a.json", pyperf_report(coarse)) == set()
        spread = [[round(rng.gauss(9, 2)) * 1e-3 / 7 for _ in range(3)] for _ in range(40)]
        assert strong(tmp_path, "b.json", pyperf_report(spread)) == set()
        memory = pyperf_report([[1.5e7] * 3] * 20, unit="byte")
        assert strong(tmp_path, "c.json", memory) == set()


def google_report(values, **mean):
    row = {"run_name": "BM", "repetitions": len(values), "threads": 1, "time_unit": "us", "cpu_time": 1.0}
    single = [
        row | {"name": "BM", "run_type": "iteration", "repetition_index": i, "iterations": 1000, "real_time": value}
        for i, value in enumerate(values)
    ]
    told = {"mean": fmean(values), "median": median(values), "stddev": stdev(values)}
    whole = [
        row | {"name": f"BM_{key}", "run_type": "aggregate", "aggregate_name": key, "aggregate_unit": "time",
               "iterations": len(values), "real_time": value, "items_per_second": 1e6 / value}
        for key, value in (told | mean).items()
    ]  # fmt: skip
    return {"context": {"library_version": "v1.9.0"}, "benchmarks": single + whole}


class TestGoogleBenchmark:
    def test_a_mean_is_held_against_its_repetitions(self, tmp_path):
        values = times(5, typical=12.0)
        assert strong(tmp_path, "a.json", google_report(values)) == set()
        assert {"F07"} <= strong(tmp_path, "b.json", google_report(values, mean=fmean(values) * 0.8))
        assert of_rule(findings(tmp_path, "c.json", google_report(values)), "M04") == []

    def test_a_report_with_some_of_its_repetitions_keeps_none(self):
        report = google_report(times(5, typical=12.0))
        report["benchmarks"] = report["benchmarks"][1:]
        held, _ = arms("a.json", report)
        assert "trials" not in held["BM"]
        assert held["BM"]["performance"]["time"]["n"] == {"unit": "trial", "completed": 5}

    def test_older_versions_do_not_number_the_repetitions(self):
        report = google_report(times(5, typical=12.0))
        for row in report["benchmarks"]:
            del row["repetitions"]
        held, _ = arms("a.json", report)
        assert len(held["BM"]["trials"]["t1"]["samples"]["real_time_us"]) == 5
        assert held["BM"]["performance"]["time"]["averaged_over"] == 1000


def nvbench_report(rate, time=2e-4, name="NVIDIA H100 80GB HBM3"):
    device = {
        "id": 0, "name": name, "global_memory_bus_bandwidth": 3_352_320_000_000, "l2_cache_size": 50_000_000,
        "ecc_state": True,
    }  # fmt: skip
    numbers = {
        "nv/cold/sample_size": 2000, "nv/cold/time/gpu/mean": time, "nv/cold/bw/global/bytes_per_second": rate,
    }  # fmt: skip
    summaries = [{"tag": tag, "data": [{"name": "value", "value": str(value)}]} for tag, value in numbers.items()]
    state = {"name": "Device=0", "device": 0, "axis_values": [], "is_skipped": False, "summaries": summaries}
    version = {"nvbench": {"string": "0.1.0"}}
    return {
        "meta": {"version": version}, "devices": [device], "benchmarks": [{"name": "copy", "states": [state]}]
    }  # fmt: skip


class TestNvbench:
    def test_the_samples_stand_behind_the_bandwidth_too(self, tmp_path):
        assert of_rule(findings(tmp_path, "a.json", nvbench_report(2.9e12)), "M04") == []

    @pytest.mark.parametrize(
        ("rate", "time", "found"),
        [
            (2.9e12, 1e-3, False),
            (5.8e12, 1e-3, True),
            (5.8e12, 1e-5, False),  # 58 MB of writes may stay in a cache of 50 MB
            (5.8e12, 5e-5, False),  # nor is it known what of 290 MB may
            (3.36e12, 1e-2, False),  # the nominal clock is not exact to 1 %
        ],
    )
    def test_a_bandwidth_above_that_of_the_memory(self, tmp_path, rate, time, found):
        """A caveat: the author of a benchmark counts the bytes, those that a cache gave again too."""
        told = [f for f in findings(tmp_path, "a.json", nvbench_report(rate, time)) if f.code == "P03"]
        assert {str(f.effect) for f in told if f.outcome == "violation"} == ({"caveat"} if found else set())


def optimum_report(phase, unit, value, values, launcher=None, **scenario):
    latency = {
        "unit": "s", "values": values, "count": len(values), "total": sum(values), "mean": fmean(values),
        "p50": median(values), "stdev": stdev(values),
    }  # fmt: skip
    shapes = {"batch_size": 4, "sequence_length": 64}
    config = {
        "backend": {"name": "pytorch", "device": "cuda"}, "launcher": launcher or {"name": "process"},
        "scenario": {"name": "inference", "input_shapes": shapes} | scenario,
    }  # fmt: skip
    return {"config": config, "report": {phase: {"latency": latency, "throughput": {"unit": unit, "value": value}}}}


class TestOptimumBenchmark:
    @pytest.mark.parametrize(
        ("phase", "unit", "work", "scenario"),
        [
            ("forward", "samples/s", 4, {}),
            ("prefill", "samples/s", 4, {}),
            ("decode", "tokens/s", 4 * 99, {"generate_kwargs": {"max_new_tokens": 100}}),
            ("decode", "tokens/s", 8 * 99, {"generate_kwargs": {"max_new_tokens": 100, "num_beams": 2}}),
            ("decode", "tokens/s", 4 * 31, {"generate_kwargs": {}, "new_tokens": 32}),
            ("per_token", "tokens/s", 4, {"generate_kwargs": {"max_new_tokens": 100}}),
        ],
    )
    def test_a_throughput_follows_from_the_latencies(self, tmp_path, phase, unit, work, scenario):
        values = times(30, typical=0.05)
        rate = work / fmean(values)
        assert "F07" not in strong(tmp_path, "a.json", optimum_report(phase, unit, rate, values, **scenario))
        assert "F07" in strong(tmp_path, "b.json", optimum_report(phase, unit, 2 * rate, values, **scenario))

    @pytest.mark.parametrize(
        ("phase", "unit", "launcher", "scenario"),
        [
            ("prefill", "tokens/s", None, {}),  # as older versions counted it
            ("generate", "samples/s", None, {"generate_kwargs": {"max_new_tokens": 100}}),
            ("decode", "tokens/s", None, {}),
            ("train", "samples/s", None, {}),
            ("forward", "samples/s", {"name": "torchrun", "nproc_per_node": 2}, {}),
            ("forward", "samples/s", None, {"name": "energy_star"}),
        ],
    )
    def test_work_that_is_counted_in_several_ways_is_not_supposed(self, phase, unit, launcher, scenario):
        report = optimum_report(phase, unit, 1234.5, times(30, typical=0.05), launcher, **scenario)
        held, _ = arms("a.json", report)
        assert "work_per_iteration" not in held[phase]["performance"]["throughput"]


LOADGEN = """================================================
MLPerf Results Summary
================================================
SUT name : SUT
Scenario : {scenario}
Mode     : PerformanceOnly
{headline}
Result is : VALID
  Min duration satisfied : Yes
  Min queries satisfied : Yes
  Early stopping satisfied: Yes
{early}

Min latency (ns)                : {low}
Max latency (ns)                : {longest}
Mean latency (ns)               : {mean}
50.00 percentile latency (ns)   : {p50}
90.00 percentile latency (ns)   : {p90}
99.00 percentile latency (ns)   : {p99}

samples_per_query : {samples}
target_latency (ns): {bound}
min_duration (ms): 600000
performance_sample_count : {held}

No warnings encountered during test.

No errors encountered during test.
"""


def offline(rate, samples=100_000, held=24_576, longest=800_000_000_000):
    return LOADGEN.format(
        scenario="Offline", headline=f"Samples per second: {rate}", early="", low=1000, longest=longest,
        mean=longest // 2, p50=longest // 2, p90=longest * 9 // 10, p99=longest * 99 // 100, samples=samples,
        bound=0, held=held,
    )  # fmt: skip


def single_stream(**changes):
    values = {
        "scenario": "SingleStream", "headline": "90th percentile latency (ns) : 412305",
        "early": "Early Stopping Result:\n * Processed at least 64 queries (1520000).\n"
                 " * Would discard 151000 highest latency queries.\n * Early stopping 90th percentile estimate: 412400",
        "low": 371000, "longest": 2100000, "mean": 393623, "p50": 391000, "p90": 412305, "p99": 430000,
        "samples": 1, "bound": 0, "held": 1024,
    }  # fmt: skip
    return LOADGEN.format(**values | changes)


class TestLoadgenSummary:
    @pytest.mark.parametrize(
        ("rate", "held", "completed"),
        [("125", 20_000, 100_000), ("153.6", 24_576, 122_880), ("125.0", 24_576, 100_000)],
    )
    def test_the_samples_of_an_offline_run_are_those_of_its_rate(self, tmp_path, rate, held, completed):
        drawn, _ = arms("mlperf_log_summary.txt", offline(rate, held=held))
        (arm,) = drawn.values()
        assert arm["performance"]["score"]["n"] == {"unit": "request", "completed": completed, "failed": 0}
        found = findings(tmp_path, "mlperf_log_summary.txt", offline(rate, held=held))
        assert of_rule(found, "M04") == of_rule(found, "F50") == []

    @pytest.mark.parametrize("rate", ["180.0", "110", "160"])
    def test_a_rate_that_its_largest_latency_does_not_give(self, tmp_path, rate):
        assert "F50" in strong(tmp_path, "mlperf_log_summary.txt", offline(rate))

    def test_queries_are_counted_by_the_early_stopping(self, tmp_path):
        found = findings(tmp_path, "mlperf_log_summary.txt", single_stream())
        assert of_rule(found, "M04") == []
        drawn, _ = arms("mlperf_log_summary.txt", single_stream())
        (arm,) = drawn.values()
        assert arm["performance"]["score"]["n"]["completed"] == 1_520_000

    @pytest.mark.parametrize("changes", [{"p99": 390_000}, {"p90": 380_000}, {"longest": 400_000}])
    def test_percentiles_of_a_score_in_order(self, tmp_path, changes):
        assert "F10" not in strong(tmp_path, "mlperf_log_summary.txt", single_stream())
        assert "F10" in strong(tmp_path, "b.txt", single_stream(**changes))

    def test_percentiles_behind_a_promised_latency(self, tmp_path):
        server = {
            "scenario": "Server", "headline": "Completed samples per second    : 1000.5", "early": "",
            "bound": 15_000_000, "longest": 16_000_000, "p50": 9_000_000, "p90": 12_000_000, "mean": 9_100_000,
        }  # fmt: skip
        assert "F10" not in strong(tmp_path, "a.txt", single_stream(**server, p99=14_000_000))
        assert "F10" in strong(tmp_path, "b.txt", single_stream(**server, p99=11_000_000))


def test_two_numbers_of_a_message_do_not_look_the_same():
    low, high = span("1.2330238297138185e-05"), span("1.23302382972e-05")
    left, right = told_apart(low, high)
    assert left != right
    assert abs(float(left) / 1.2330238297138185e-05 - 1) < abs(float(right) / 1.2330238297138185e-05 - 1)
    assert told_apart(span("2.50"), span("2.61")) == ("2.495 to 2.505", "2.605 to 2.615")
    assert told_apart(span("2.50"), span("2.5")) == ("2.495 to 2.505", "2.45 to 2.55")
