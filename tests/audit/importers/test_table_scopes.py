"""What the numbers of tables and consoles cover, and whose they are: runs, requests, and the kernels of a library."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate


def read(text, name="a.md"):
    found = of_file(name, text.encode(), Path()).draft.value
    assert not validate("submission", found)
    return found


def claims(text, name="a.md"):
    found = read(text, name)
    return [(claim, found["arms"][claim["measured"]["arm"]]) for claim in found["claims"].values()]


def test_a_time_that_a_clock_shows_is_that_of_the_whole_work():
    rows = (
        "| EVAL | runtime | samples/sec |\n|---|---|---|\n| small | 0:00:07.15 | 1.25 |\n| large | 0:01:08.5 | 0.35 |\n"
    )
    assert [claim["scope"] for claim, _ in claims(rows) if claim["quantity"] == "time"] == ["pipeline", "pipeline"]
    turned = "| TRAIN | A | B |\n|---|---|---|\n| loss | 3.1 | 2.9 |\n| runtime | 0:07:15.25 | 0:05:01.5 |\n"
    assert {claim["scope"] for claim, _ in claims(turned) if claim["quantity"] == "time"} == {"training_run"}


def test_the_time_of_a_counted_answer_is_that_of_a_request():
    text = '[{"model": "a", "eval_count": 154, "eval_s": 9.25}, {"model": "b", "eval_count": 131, "eval_s": 6.5}]'
    assert {claim["scope"] for claim, _ in claims(text, "a.json")} == {"request"}
    steps = "| Tokens generated | step time (ms) |\n|---|---|\n| 64 | 21.5 |\n| 128 | 22.5 |\n"
    assert {claim["scope"] for claim, _ in claims(steps)} == {"step"}


@pytest.mark.parametrize("head", ["Mean E2E latency (ms)", "End-to-end latency (ms)", "Request latency (ms)"])
def test_a_latency_from_end_to_end_is_that_of_a_request(head):
    assert {
        claim["scope"] for claim, _ in claims(f"| Model | {head} |\n|---|---|\n| a | 815.5 |\n| b | 912.5 |\n")
    } == {"request"}


def test_the_time_of_a_library_is_not_that_of_the_kernel_beside_it():
    rows = "| kernel | M | my_gemv (us) | cublas (us) |\n|---|---|---|---|\n"
    rows += "| v0 | 512 | 10.5 | 8.5 |\n| v1 | 512 | 9.5 | 8.75 |\n"
    theirs = [arm for claim, arm in claims(rows) if claim["value"] in {"8.5", "8.75"}]
    assert [arm["options"]["extra"].get("variant") for arm in theirs] == ["cublas", "cublas"]
    ours = [arm for claim, arm in claims(rows) if claim["value"] in {"10.5", "9.5"}]
    assert [arm["options"]["extra"].get("variant") for arm in ours] == [None, None]


def test_the_precision_of_a_kernel_is_not_that_of_what_is_measured_beside_it():
    rows = (
        "| Metric | Torch | Other (4-bit) |\n|---|---|---|\n| GEMM (float16) | 12.5 TFLOPS | 3.5 TFLOPS |\n"
        "| Inference | 8.5 t/s | 27.5 t/s |\n| Training | 171 t/s | 128 t/s |\n"
    )
    held = {claim["value"]: arm.get("options", {}).get("precision") for claim, arm in claims(rows)}
    assert (held["12.5"], held["128"]) == ({"compute": "fp16"}, None)


def test_a_check_that_held_names_no_result_below_it():
    text = (
        "# Kernels\n\n```\n----- benchmark size: 128 -----\nMy kernel Performance= 981.5 GFlop/s, Time= 0.025 msec,\n"
        "Check= PASS\nratio= 0.915\nmy sparse: 0.035 msec\n```\n"
    )
    assert not any("PASS" in arm.get("label", "") for _, arm in claims(text))


def test_what_a_model_wrote_is_no_title_of_its_speed():
    text = "# Tool\n\n```\nThere was a small boat that sailed all night long to the sea\n\n"
    text += "Token count: 61, elapsed: 1.75s\n```\n"
    ((claim, arm),) = claims(text)
    assert claim["scope"] == "request"
    assert "boat" not in arm["label"]


def test_a_unit_in_brackets_is_that_of_the_number_before_it():
    text = "# Board\n\n```text\nnetwork_a : 131.5 [ms] in average\nmixer_xl : 126.25 [ms] in average\n```\n"
    assert {(claim["value"], claim["unit"]) for claim, _ in claims(text)} == {("131.5", "ms"), ("126.25", "ms")}


def test_the_size_of_an_epoch_counts_none():
    lines = "".join(f"step {n} | loss: {3 - n / 100:.3f} | dt: {2100 + n}.5ms\n" for n in range(0, 60, 10))
    found = read(f"1 epoch = 10 batches\n{lines}", "train.log")
    assert not any("epoch" in claim["statement"] for claim in found["claims"].values())


def test_the_column_of_a_processor_has_no_accelerator_of_the_text_around():
    rows = "| Model | Runtime (CPU) | Runtime (GPU) |\n|---|---|---|\n"
    rows += "| a | 75.5 ms | 21.5 ms |\n| b | 82.5 ms | 20.5 ms |\n"
    found = read(f"# Net\n\nThe results use an 8 core CPU and a Tesla K40 GPU.\n\n{rows}")
    held = {claim["value"]: found["arms"][claim["measured"]["arm"]].get("system") for claim in found["claims"].values()}
    assert (held["75.5"], held["21.5"]) == (None, "Tesla-K40")


def test_the_length_of_a_recording_and_a_rated_rate_are_no_results():
    speech = "| Voice | RTFx | Output (s) | Inference (s) |\n|---|---|---|---|\n"
    speech += "| a | 12.5 | 31.5 | 2.52 |\n| b | 8 | 20.5 | 2.56 |\n"
    assert {claim["value"] for claim, _ in claims(speech) if claim["quantity"] == "time"} == {"2.52", "2.56"}
    cards = "| Card | Rated TFLOPS | Measured TFLOPS |\n|---|---|---|\n| x | 165.5 | 141.5 |\n| y | 121.5 | 97.5 |\n"
    assert {claim["value"] for claim, _ in claims(cards)} == {"141.5", "97.5"}


def test_the_duration_of_many_requests_is_that_of_their_window():
    text = (
        "Successful requests: 512\nBenchmark duration (s): 41.25\nTotal generated tokens: 65536\n"
        "Output token throughput (tok/s): 1588.75\n"
    )
    assert {claim["scope"] for claim, _ in claims(text, "a.txt") if claim["quantity"] == "time"} == {"serving_window"}
