"""Serving benchmarks: what the versions of tools say of requests, load and server, and edits that lists give away."""

import json
import random
from statistics import fmean, median, pstdev

import pytest
from dlaudit.audit.drafts.reports import drafts_of
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings

LOST = (5, 12, 19)
SENT = 400


def detailed(lost=LOST, **told):
    """Return what `--save-detailed` writes of 400 requests, of which some got no answer."""
    draw = random.Random(7)
    times = [0.0 if index in lost else draw.uniform(0.05, 0.08) for index in range(SENT)]
    lengths = [0 if index in lost else draw.randint(100, 300) for index in range(SENT)]
    answered, duration = [time for time in times if time], 71.234567890123
    tokens = sum(lengths)
    ordered = sorted(answered)
    return {
        "date": "20260301-101500", "backend": "openai-chat", "model_id": "example/model-8b", "num_prompts": SENT,
        "request_rate": "inf", "max_concurrency": 16, "duration": duration, "completed": len(answered),
        "failed": len(lost), "total_input_tokens": 387000, "total_output_tokens": tokens,
        "request_throughput": len(answered) / duration, "request_goodput": None,
        "output_throughput": tokens / duration, "total_token_throughput": (387000 + tokens) / duration,
        "mean_ttft_ms": fmean(answered) * 1000, "median_ttft_ms": median(answered) * 1000,
        "std_ttft_ms": pstdev(answered) * 1000, "p99_ttft_ms": ordered[round(0.99 * (len(ordered) - 1))] * 1000,
        "mean_itl_ms": 13.2, "median_itl_ms": 12.9, "std_itl_ms": 1.2, "p99.9_itl_ms": 19.2, "max_itl_ms": 44.5,
        "ttfts": times, "output_lens": lengths, "input_lens": [900] * SENT,
        "errors": ["Connection reset" if index in lost else "" for index in range(SENT)],
    } | told  # fmt: skip


def draft_text(tmp_path, report):
    lines = [json.dumps(item) for item in report] if isinstance(report, list) else [json.dumps(report)]
    path = tmp_path / ("report.jsonl" if len(lines) > 1 else "report.json")
    path.write_text("\n".join(lines))
    return str(path)


def draft_of(tmp_path, report):
    ((_, draft),) = drafts_of(draft_text(tmp_path, report), None, plugins=False)
    return draft


def arm_of(tmp_path, report):
    (arm,) = draft_of(tmp_path, report).value["arms"].values()
    return arm


def found(tmp_path, report):
    (collected,) = read_documents([draft_text(tmp_path, report)])
    findings = lint(collected, Settings()).report.all_findings
    return {f.code: str(f.effect) for f in findings if f.outcome == "violation"}


class TestHonest:
    def test_what_the_tool_writes_contradicts_nothing(self, tmp_path):
        assert found(tmp_path, detailed()) == {}

    def test_requests_without_an_answer_are_in_no_statistic(self, tmp_path):
        arm = arm_of(tmp_path, detailed())
        assert len(arm["trials"]["t1"]["samples"]["ttft_s"]) == SENT - len(LOST)
        assert arm["performance"]["ttft"]["n"] == {"unit": "request", "planned": 400, "completed": 397, "failed": 3}

    def test_every_claim_quotes_the_counts_and_has_no_words_of_ours(self, tmp_path):
        claims = draft_of(tmp_path, detailed()).value["claims"].values()
        printed = '"num_prompts": 400, "failed": 3, "completed": 397, "errors": [...]'
        assert all(claim["said"] == [{"topic": "failed_requests", "quote": printed}] for claim in claims)
        assert not any("fail" in claim["statement"] for claim in claims)

    @pytest.mark.parametrize(("lost", "effect"), [(4, None), (9, "caveat"), (60, "caveat")])
    def test_failed_requests_that_only_counts_tell_of_are_a_caveat(self, tmp_path, lost, effect):
        assert found(tmp_path, detailed(lost=range(lost))).get("L11") == effect

    def test_prompts_that_were_not_completed_are_a_caveat(self, tmp_path):
        report = detailed(lost=(), completed=391)
        for name in ("failed", "errors", "ttfts", "output_lens", "input_lens"):
            del report[name]
        report["request_throughput"] = 391 / report["duration"]
        assert found(tmp_path, report)["L11"] == "caveat"

    def test_listed_lengths_are_those_of_the_answered_requests(self, tmp_path):
        load = arm_of(tmp_path, detailed())["performance"]["ttft"]["load"]
        report = detailed()
        mean = sum(report["output_lens"]) / (SENT - len(LOST))
        assert (load["prompt_length"], load["output_length"]) == (
            "900 tokens on average",
            f"{mean:.6g} tokens on average",
        )
        asked = detailed(dataset_name="random", random_input_len=1024, random_output_len=200)
        load = arm_of(tmp_path, asked)["performance"]["ttft"]["load"]
        assert (load["prompt_length"], load["output_length"]) == (
            "1024 tokens, as asked for",
            "200 tokens, as asked for",
        )

    def test_lengths_are_used_and_totals_beside_no_duration_are_not(self, tmp_path):
        assert "input_lens" not in draft_of(tmp_path, detailed()).unused
        people = {"Test name": "qps 2", "Successful req.": 500, "Tput (req/s)": 1.92, "Mean TTFT (ms)": 59.8}
        people |= {"Total input tokens": 100895, "Total output tokens": 106724}
        path = tmp_path / "nightly.json"
        path.write_text(json.dumps([people]))
        ((_, draft),) = drafts_of(str(path), None, plugins=False)
        assert draft.unused == ("Total input tokens", "Total output tokens")

    def test_raw_times_of_requests_are_requests(self, tmp_path):
        few = detailed()
        few |= {name: few[name][:9] for name in ("ttfts", "output_lens", "input_lens", "errors")}
        few |= {"num_prompts": 9, "completed": 8, "failed": 1}
        (collected,) = read_documents([draft_text(tmp_path, few)])
        told = {f.message for f in lint(collected, Settings()).report.all_findings if f.code == "M04"}
        assert told == {"8 requests are fewer than the 10 that profile reviewer asks for"}

    def test_half_of_the_requests_lost_is_told(self, tmp_path):
        assert found(tmp_path, detailed(lost=range(0, SENT, 2)))["L11"] == "caveat"

    def test_answers_without_a_first_token_that_the_mean_counts(self, tmp_path):
        """Older versions count an empty answer as completed, and its time as 0."""
        report = detailed(lost=())
        report["ttfts"][7] = report["output_lens"][7] = 0
        report["mean_ttft_ms"] = fmean(report["ttfts"]) * 1000
        report |= {"total_output_tokens": sum(report["output_lens"])}
        report |= {"output_throughput": report["total_output_tokens"] / report["duration"]}
        report["total_token_throughput"] = (387000 + report["total_output_tokens"]) / report["duration"]
        assert {"F07", "L11", "F14"}.isdisjoint(found(tmp_path, report))

    def test_a_data_set_that_ran_out_lost_nothing(self, tmp_path):
        report = detailed(lost=(), num_prompts=1000)
        assert arm_of(tmp_path, report)["performance"]["ttft"]["n"]["failed"] == 0
        assert "L11" not in found(tmp_path, report)

    def test_gaps_between_tokens_are_no_requests(self, tmp_path):
        """A deviation of 0.9 ms beside a maximum of 44.5 ms: of 397 values not, of 79,000 gaps well."""
        assert {"S08", "F09"}.isdisjoint(found(tmp_path, detailed(std_itl_ms=0.9)))

    def test_the_note_on_requests_in_flight_multiplies_the_whole_latency_only(self, tmp_path):
        path = draft_text(tmp_path, detailed(mean_e2el_ms=2699.5, median_e2el_ms=2654.4, p99_e2el_ms=3193.7))
        (collected,) = read_documents([path])
        report = lint(collected, Settings()).report
        notes = {name: notes for name, notes in _flight(report) if notes}
        assert set(notes) == {"run-1-request_throughput", "run-1-e2el"}
        assert all("mean end-to-end latency" in text for held in notes.values() for text in held)


def _flight(report):
    for claim in report.claims:
        yield claim.id, [text for text in claim.notes if "in flight" in text]


class TestDishonest:
    def test_lost_requests_given_as_completed(self, tmp_path):
        edited = detailed(completed=400, failed=0, request_throughput=400 / 71.234567890123)
        codes = found(tmp_path, edited | {"errors": ["x" if i < 20 else "" for i in range(SENT)]})
        assert codes["L11"] == "undermines"

    def test_lost_requests_left_out_of_the_planned_ones(self, tmp_path):
        edited = detailed(lost=range(20), num_prompts=380, failed=0)
        assert found(tmp_path, edited)["L11"] == "undermines"
        del edited["errors"]
        assert found(tmp_path, edited)["L11"] == "undermines"

    @pytest.mark.parametrize(
        ("key", "factor"),
        [("request_throughput", 1.045), ("output_throughput", 1.5), ("total_token_throughput", 1.5)],
    )
    def test_a_rate_that_its_counts_do_not_give(self, tmp_path, key, factor):
        assert found(tmp_path, detailed(**{key: detailed()[key] * factor}))["F01"] == "refutes"

    def test_round_counts_are_counts(self, tmp_path):
        """400 requests are 400, not 380 to 420."""
        whole = detailed(lost=())
        assert "F01" not in found(tmp_path, whole)
        assert found(tmp_path, whole | {"request_throughput": whole["request_throughput"] * 1.03})["F01"] == "refutes"

    @pytest.mark.parametrize("key", ["mean_ttft_ms", "p99_ttft_ms", "median_ttft_ms"])
    def test_a_latency_that_its_requests_do_not_give(self, tmp_path, key):
        assert found(tmp_path, detailed(**{key: detailed()[key] * 0.7}))["F07"] == "refutes"

    def test_the_first_half_of_the_requests_twice(self, tmp_path):
        edited = detailed(lost=())
        edited["ttfts"] = edited["ttfts"][: SENT // 2] * 2
        edited |= {"mean_ttft_ms": fmean(edited["ttfts"]) * 1000, "std_ttft_ms": pstdev(edited["ttfts"]) * 1000}
        assert "F14" in found(tmp_path, edited)

    def test_a_run_copied_under_another_load(self, tmp_path):
        one, other = detailed(), detailed(max_concurrency=64, date="20260302-090000")
        assert "F31" in found(tmp_path, [one, other])
        assert "F31" not in found(tmp_path, [one, one])


SGLANG = {
    "backend": "sglang-oai", "dataset_name": "random", "request_rate": 4.0, "max_concurrency": 4, "duration": 100.0,
    "completed": 396, "random_input_len": 1024, "random_output_len": 256, "random_range_ratio": 0.5,
    "total_input_tokens": 200000, "total_output_tokens": 50000, "request_throughput": 3.96,
    "output_throughput": 500.0, "total_throughput": 2500.0, "mean_ttft_ms": 65.4, "accept_length": None,
}  # fmt: skip


class TestServer:
    @pytest.mark.parametrize(
        ("rate", "load"),
        [
            (float("inf"), {"arrival": "all at once (request_rate inf)"}),
            ("inf", {"arrival": "all at once (request_rate inf)"}),
            ("trace", {"arrival": "request_rate trace"}),
            (4.0, {"request_rate": 4.0, "loop": "open"}),
            (None, {}),
        ],
    )
    def test_how_requests_arrive(self, tmp_path, rate, load):
        held = arm_of(tmp_path, SGLANG | {"request_rate": rate})["performance"]["request_throughput"]["load"]
        assert {key: held[key] for key in ("arrival", "request_rate", "loop") if key in held} == load
        assert held["prompt_length"] == "1024 tokens, random_range_ratio 0.5, as asked for"

    @pytest.mark.parametrize(
        ("told", "words"),
        [
            ({"accept_length": 3.41}, "acceptance length 3.41"),
            (
                {"spec_decode_acceptance_rate": 61.2, "spec_decode_acceptance_length": 2.84},
                "acceptance length 2.84, acceptance rate 61.2",
            ),
            (
                {"accept_length": 3.4, "server_info": {"speculative_algorithm": "EAGLE"}},
                "EAGLE, acceptance length 3.4",
            ),
            ({"server_info": {"speculative_algorithm": None}}, "none"),
            ({"server_info": {}}, None),
            ({}, None),
        ],
    )
    def test_speculation_with_its_acceptance(self, tmp_path, told, words):
        held = arm_of(tmp_path, SGLANG | told)["performance"]["request_throughput"]["load"]
        assert held.get("speculation") == words

    def test_the_server_says_what_it_runs(self, tmp_path):
        info = {
            "model_path": "example/big", "tp_size": 8, "dtype": "auto", "quantization": "fp8", "version": "0.4.9",
            "kv_cache_dtype": "fp8_e5m2", "disable_radix_cache": True, "internal_states": [{}],
        }  # fmt: skip
        arm = arm_of(tmp_path, SGLANG | {"server_info": info})
        options = {"model": "example/big", "tensor_parallel": 8, "quantisation": "fp8", "cache_format": "fp8_e5m2"}
        assert arm["options"].items() >= options.items()
        assert arm["software"]["framework"] == "sglang 0.4.9"
        assert arm["performance"]["request_throughput"]["load"]["prefix_cache"] is False
        assert "precision" not in arm["options"]

    def test_errors_tell_how_many_failed(self, tmp_path):
        lists = {"errors": [""] * 396 + ["timed out"] * 4, "ttfts": [0.0654] * 396 + [0.0] * 4}
        arm = arm_of(tmp_path, SGLANG | lists)
        assert arm["performance"]["ttft"]["n"] == {"unit": "request", "planned": 400, "completed": 396, "failed": 4}

    @pytest.mark.parametrize(
        ("backend", "framework"), [("vllm", "vllm"), ("openai-chat", None), ("sglang-oai", "sglang")]
    )
    def test_an_interface_is_no_framework(self, tmp_path, backend, framework):
        arm = arm_of(tmp_path, SGLANG | {"backend": backend})
        assert arm.get("software", {}).get("framework") == framework


def test_a_table_of_the_nightly_runs(tmp_path):
    row = {
        "Test name": "a", "Model": "example/m", "Dataset Name": "sharegpt", "Input Len": None,
        "TP Size": 2, "PP Size": 1, "dtype": "bfloat16", "GPU": "Example", "# of req.": 200, "qps": 4,
        "# of max concurrency.": 32,
        "Tput (req/s)": 3.9, "Output Tput (tok/s)": 800.5, "Mean TTFT (ms)": 26.1, "STD TTFT (ms)": 4.1,
        "P99 TTFT (ms)": 49.3, "Mean TPOT (ms)": 8.1, "Median": 8.0, "P99": 9.1, "Mean ITL (ms)": 8.05,
    }  # fmt: skip
    path = tmp_path / "report.json"
    path.write_text(json.dumps([row]))
    ((_, draft),) = drafts_of(str(path), None, plugins=False)
    (arm,) = draft.value["arms"].values()
    assert draft.unused == ()
    assert arm["options"].items() >= {"model": "example/m", "tensor_parallel": 2, "pipeline_parallel": 1}.items()
    assert arm["options"]["precision"] == {"compute": "bf16"}
    performance = arm["performance"]
    assert performance["tpot"]["summary"] == {"mean": "8.1", "median": "8.0", "percentiles": {"99": "9.1"}}
    assert performance["ttft"]["summary"]["sd"] == "4.1"
    assert performance["ttft"]["n"] == {"unit": "request", "completed": 200}
    assert performance["ttft"]["load"].items() >= {"request_rate": 4.0, "concurrency": 32.0}.items()
