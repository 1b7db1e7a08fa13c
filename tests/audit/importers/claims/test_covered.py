"""What a number of a sentence covers: a step, an epoch, a request or the whole; and what is no result at all."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate

OTHER = "Our fused loop is 7.25x faster.\n"


def read(text):
    found = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", found.value)
    return found


def claims(text):
    return [claim for claim in read(text).value["claims"].values() if claim["value"] != "7.25"]


@pytest.mark.parametrize(
    ("sentence", "scope", "mode"),
    [
        ("A single answer takes 0.31 Wh on one H100.", "request", "none"),
        ("It consumed 0.31 Wh on one H100.", "pipeline", "none"),
        ("Converting the corpus took 3 hours.", "pipeline", "none"),
        ("Training took about 2 weeks on 4 V100.", "training_run", "training"),
        ("Worker 3 epoch time stats: total 0:02:41, 97% computing.", "epoch", "none"),
        ("One training epoch takes 161 s.", "epoch", "training"),
        ("The Muon step latency is 5.5 ms.", "step", "training"),
        ("Rendering this picture takes 48 ms on an L40S.", "not_stated", "none"),
        ("Training takes 48 ms/step.", "step", "training"),
        ("On the B2 we saw 61 ms/iter.", "step", "none"),
        ("On the B2 we saw 61 s/epoch.", "epoch", "none"),
    ],
)
def test_a_time_and_an_energy_cover_what_they_are_said_to_be_of(sentence, scope, mode):
    (claim,) = claims(f"# Notes\n\n{OTHER}\n{sentence}\n")
    assert (claim["scope"], claim["mode"]) == (scope, mode)


def test_what_an_item_of_a_list_covers_stands_above_the_list():
    found = claims("# Cost\n\nThe mean energy of one reply on an H100:\n\n- 0.31 Wh on the GPU\n- 0.04 Wh on the CPU\n")
    assert [claim["scope"] for claim in found] == ["request", "request"]


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("Time to accuracy of 91% on the test set.", "91%"),
        ("The figure shows the speed-up in training times to 91% accuracy.", "91%"),
        ("Our time to BLEU score of 27.5 is shown below.", "27.5"),
        ("Peak: 9.5 TFLOPS (63% of rated 15.1 TFLOPS).", "15.1 TFLOPS"),
        ("Raising the batch helps, increasing RAM from 32 GB to 96 GB does not.", "32 GB"),
        ("Step latency dropped from 9.5 ms in 1.4.0 to 4.25 ms in 2.0.0.", "9.5 ms"),
        ("A lamp of 6 W burns as long (0.31 Wh ÷ 6 W × 60).", "0.31 Wh"),
    ],
)
def test_goals_ratings_and_what_was_before_are_no_results(sentence, left):
    found = read(f"# Notes\n\n{OTHER}\n{sentence}\n")
    number = left.split()[0].rstrip("%")
    assert number not in {claim["value"] for claim in found.value["claims"].values()}


def test_what_came_out_behind_a_fall_is_a_claim():
    (claim,) = claims(f"{OTHER}\nStep latency dropped from 9.5 ms in 1.4.0 to 4.25 ms in 2.0.0.\n")
    assert (claim["value"], claim["unit"]) == ("4.25", "ms")


@pytest.mark.parametrize("sentence", ["Calling close() twice no longer fails.", "GPU: >6x CPU, >9x RAM"])
def test_how_often_and_of_which_part_are_no_ratios(sentence):
    assert claims(f"{OTHER}\n{sentence}\n") == []


@pytest.mark.parametrize(
    ("sentence", "quantity", "scope"),
    [
        ("It shows 1.4x higher steps/sec than before.", "rate", "not_stated"),
        ("The largest throughput gains are seen on the long task (6.5x at length 512).", "rate", "not_stated"),
        ("We saw a 3.5x reduction in TTFT.", "latency", "request"),
    ],
)
def test_a_ratio_is_one_of_what_stands_beside_it(sentence, quantity, scope):
    (claim,) = claims(f"{OTHER}\n{sentence}\n")
    assert (claim["quantity"], claim["scope"]) == (quantity, scope)


def test_so_many_a_second_are_tokens_only_where_a_text_speaks_of_them():
    assert claims(f"{OTHER}\nAfter some hundred episodes it says PPS: 611 TPS: 147 on the console.\n") == []
    (claim,) = claims(f"{OTHER}\nIt decodes tokens. The server reaches 147 TPS.\n")
    assert claim["unit"] == "tokens/s"


def test_a_peak_has_no_model_of_another_section_and_no_mode_of_another_number():
    text = (
        "# Chip\n\n## Model\n\nAll training benchmarks use Llama-2-7B.\n\n## Findings\n\n"
        "- Peak: 12.5 TFLOPS on the M4 Pro\n- M4 Max: peak 10.75 TFLOPS, training at 63 ms/step\n"
    )
    found = read(text).value
    peaks = [claim for claim in found["claims"].values() if claim["quantity"] == "flops"]
    assert [claim["mode"] for claim in peaks] == ["none", "none"]
    assert all("model" not in found["arms"][claim["measured"]["arm"]].get("options", {}) for claim in peaks)


def test_a_range_that_is_not_read_is_no_claim():
    assert claims(f"{OTHER}\nLoading the cache reduces TTFT by X3-X12.\n") == []


def test_a_kernel_that_only_is_the_base_covers_nothing():
    (claim,) = claims(f"{OTHER}\nThe copy engine gained 14% more throughput over the custom kernel.\n")
    assert claim["scope"] == "not_stated"
    (claim,) = claims(f"{OTHER}\nThe custom kernel is 14% faster than the copy engine.\n")
    assert claim["scope"] == "kernel"
