"""Careful reports in other words: the same numbers said from the other side, as a share, a loss or an interval."""

from pathlib import Path

import pytest
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import read
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

REPORTS = Path(__file__).parents[3] / "benchmarks" / "data" / "detection" / "bases"
VIOLATION, NOT_SHOWN = Outcome.VIOLATION, Outcome.NOT_SHOWN
TENDER, SERVING, REPRODUCED = "tender-two-generations", "serving-five-rates", "reproduction-shortfall"
STRONG, PHONE, ENERGY = "strong-scaling-lm-fixed-batch", "pruned-resnet-phone", "energy-two-limits"
EPOCHS, KERNEL, COMPILER = "loader-epochs-real-cached-synthetic", "kernel-attention-lengths", "compiler-release-latency"
ARITHMETIC = ["F01", "F04", "F05", "F06", "F07", "F08", "F27", "F28"]


def results(report, patch, codes, claims=None):
    """Judge claims of a published report, changed a little, by some rules."""
    value = merge_patch(read(REPORTS / f"{report}.yaml").value, patch)
    assert not validate("submission", value), validate("submission", value)
    rules = [by_code(code) for code in codes]
    return judge(Case(to_model(value, Submission)), rules, claims or list(value["claims"]))


def accusations(report, patch, codes, claims=None):
    return {result.code for result in results(report, patch, codes, claims) if result.outcome is VIOLATION}


def said(claim, statement, **fields):
    own = {"interval": None} if "value" in fields else {}  # the interval is that of the value that was there
    return {"claims": {claim: {"statement": statement, **own, **fields}}}


# Percentages and ratios ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "claim", "statement", "value"),
    [
        (TENDER, "price", "A run is 14.3 % more expensive (30.84 against 26.98 EUR), if faster.", "14.3"),
        (TENDER, "price", "The system is faster, but a run is 14.3 % dearer: 30.84 instead of 26.98 EUR.", "14.3"),
        (TENDER, "price", "The faster system comes with a premium of 14.3 % a run (30.84, 26.98 EUR).", "14.3"),
        (TENDER, "price", "Cost goes up 14.3 % (26.98 to 30.84 EUR) while runs get shorter.", "14.3"),
        (TENDER, "price", "On NX-4 a run is 12.5 % cheaper (26.98 against 30.84 EUR), if slower.", "12.5"),
        (SERVING, "first-token-6", "The p99 to the first token improves by 22 %, from 487 to 380 ms.", "22"),
        (SERVING, "first-token-6", "The p99 to the first token is 22 % better (380 against 487 ms).", "22"),
        (SERVING, "first-token-6", "The p99 is down 22 % (487 to 380 ms): replies begin faster.", "22"),
        (SERVING, "first-token-6", "vLLM needs 28 % longer than Kestrel (487 against 380 ms, p99).", "28"),
        (SERVING, "first-token-1", "At one request a second we are 15 % slower: 241 against 210 ms.", "15"),
        (SERVING, "first-token-1", "Here vLLM is faster: our p99 is 241 ms, 15 % worse than 210 ms.", "15"),
        (REPRODUCED, "shortfall", "We fall 12 % short of the published 58400 tokens per second.", "12"),
        (REPRODUCED, "shortfall", "Our rate is 12 % below the published 58400 tokens per second.", "12"),
        (REPRODUCED, "shortfall", "The publication is 13.7 % faster than what we measure.", "13.7"),
        (REPRODUCED, "shortfall", "We reach 88 % of the published 58400 tokens per second.", "88"),
        (KERNEL, "loss-cudnn", "At 65536 tokens cuDNN 9.5.1 is 14.5 % faster than Stripe.", "14.5"),
        (KERNEL, "loss-cudnn", "At 65536 tokens Stripe trails cuDNN 9.5.1 by 12.6 %.", "12.6"),
        (ENERGY, "saving", "The higher limit takes 17.0 % more energy and is 15 % faster.", "17.0"),
        (ENERGY, "saving", "The lower limit needs 85.5 % of the energy and 115.0 % of the time.", "85.5"),
        (PHONE, "memory", "The smaller, faster network peaks at 121 MB instead of 178 MB, 32 % less.", "32"),
        ("click-model-cpu-gpu", "cost", "On the GPU a run costs 17.0 % of what it costs on the CPUs.", "17.0"),
        ("eight-bit-serving-l40s", "energy", "FP8 gets 57 % more tokens out of a joule than bf16.", "57"),
    ],
)
def test_a_change_may_be_told_from_either_side(report, claim, statement, value):
    assert not accusations(report, said(claim, statement, value=value, unit="%"), ARITHMETIC, [claim])


@pytest.mark.parametrize(
    ("report", "claim", "statement", "value", "code"),
    [
        (TENDER, "price", "A run is 41.3 % dearer: 30.84 instead of 26.98 EUR.", "41.3", "F06"),
        (TENDER, "price", "A run is 14.3 % cheaper: 26.98 instead of 30.84 EUR on NX-4.", "14.3", None),
        (SERVING, "first-token-6", "The p99 to the first token is 28 % lower (380 against 487 ms).", "28", None),
        (SERVING, "first-token-6", "The p99 to the first token is 17 % lower (380 against 487 ms).", "17", "F06"),
        (REPRODUCED, "shortfall", "We are 12 % faster than the published 58400 tokens per second.", "12", "F06"),
        (KERNEL, "loss-cudnn", "At 65536 tokens Stripe is 14.5 % faster than cuDNN.", "14.5", "F06"),
    ],
)
def test_a_wrong_change_is_still_found(report, claim, statement, value, code):
    found = accusations(report, said(claim, statement, value=value, unit="%"), ["F04", "F06"], [claim])
    assert found == ({code} if code is not None else found)


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("Each doubling of the GPUs keeps 93.4 % of the speed per GPU (8 to 256 GPUs).", "93.4"),
        ("The marginal efficiency of the last doubling is 84.1 %.", "84.1"),
        ("At 256 GPUs 28.8 % of the ideal speed-up over 8 GPUs is lost.", "28.8"),
    ],
)
def test_an_efficiency_may_be_one_step_or_what_is_lost(statement, value):
    assert not accusations(STRONG, said("efficiency", statement, value=value), ARITHMETIC, ["efficiency"])
    wrong = said("efficiency", "Efficiency on 256 GPUs is 81.2 %.", value="81.2")
    assert accusations(STRONG, wrong, ["F05"], ["efficiency"]) == {"F05"}


# One quantity, two values -------------------------------------------------------------------------------------------


def column(name, cells, **fields):
    rows = {row: {"values": {"epoch": None, name: cell}} for row, cell in cells.items()}
    return {"tables": {"epochs": {"columns": {"epoch": None, name: fields}, "rows": rows}}}


def test_of_several_columns_one_is_the_arms():
    assert not accusations(EPOCHS, {}, ["F28"])
    assert not accusations(KERNEL, {}, ["F28"])
    cell = {"tables": {"epochs": {"rows": {"base-real": {"values": {"epoch": "504.9"}}}}}}
    assert accusations(EPOCHS, cell, ["F28"]) == {"F28"}
    times = {"base-real": "519.0", "sluice-real": "431.2", "base-cached": "480.3", "synthetic": "400.0"}
    steady = {"quantity": "time", "unit": "s", "statistic": "median", "scope": "epoch"}
    assert not accusations(EPOCHS, column("steady", times, **steady), ["F28"])


@pytest.mark.parametrize(
    ("statement", "interval", "value"),
    [
        ("That is twelve percent less than 58400 (95 % interval 10.8 to 13.9 %).", ("10.8", "13.9"), "12"),
        ("That is between 11.8 and 12.4 % less than 58400 (95 % interval).", ("11.8", "12.4"), "12.1"),
        ("That is about an eighth less; utilisation falls from 45.4 % to 39.9 %.", ("39.1", "40.7"), "39.9"),
    ],
)
def test_ends_of_an_interval_are_no_second_value(statement, interval, value):
    ends = {"low": interval[0], "high": interval[1]}
    assert not accusations(REPRODUCED, said("shortfall", statement, value=value, interval=ends), ["F28"])
    wrong = said("shortfall", "Our rate falls short by 21 % of the published one.")
    assert accusations(REPRODUCED, wrong, ["F28"]) == {"F28"}


# Runs ---------------------------------------------------------------------------------------------------------------


def planned(count, arm="small", omitted=None, **parts):
    return {"arms": {arm: {"plan": {"trials": count, "started": count, "omitted": omitted}, **parts}}}


COUNTED = {"n": {"unit": "trial", "planned": 7, "completed": 6, "excluded": 1, "failed": 0}}
LOST = {"topic": "infrastructure_failures", "quote": "Of seven starts one was lost when the phone throttled."}
RULE = {"discard_rule": "a start in which the phone throttles is dropped and repeated"}
WARM = {"warmup": {"discarded": 1, "unit": "run"}}


@pytest.mark.parametrize(
    ("report", "patch", "shown"),
    [
        (STRONG, {}, True),
        (REPRODUCED, {}, True),
        (REPRODUCED, planned(10, "ours", {"t6-t10": "the runs behind the loss"}, quality=None), True),
        (REPRODUCED, planned(14, "tuned"), False),
        (PHONE, planned(8, omitted={"start7 and start8": "the phone was above 42 C"}), True),
        (PHONE, planned(9, omitted={"cancelled": "three starts were cancelled before any answer"}), True),
        (PHONE, planned(7, performance={"latency": COUNTED}, measurement=RULE), True),
        (PHONE, planned(7, performance={"latency": COUNTED}), False),
        (PHONE, planned(7) | {"disclosures": [LOST]}, False),
        (PHONE, planned(7, measurement=WARM), True),
        (PHONE, planned(6 + 5), True),
    ],
)
def test_runs_of_a_plan_may_be_told_elsewhere(report, patch, shown):
    claims = {"claims": {"loss": None}} if "ours" in patch.get("arms", {}) else {}
    outcomes = {
        result.outcome for result in results(report, patch | claims, ["W0304"], None if not claims else ["mfu"])
    }
    assert VIOLATION not in outcomes
    assert (NOT_SHOWN not in outcomes) is shown


def test_a_plan_of_all_arms_is_a_question():
    both = {"tuned": planned(10, "tuned")["arms"]["tuned"], "ours": planned(10, "ours", quality=None)["arms"]["ours"]}
    (result,) = results(REPRODUCED, {"arms": both, "claims": {"loss": None}}, ["W0304"], ["mfu"])
    assert result.outcome is NOT_SHOWN


@pytest.mark.parametrize("count", [7, 8, 12])
def test_runs_that_nothing_accounts_for_are_missing(count):
    assert accusations(PHONE, planned(count), ["W0304"], ["latency"]) == {"W0304"}
    assert accusations(STRONG, planned(count, "g256"), ["W0304"], ["efficiency"]) == {"W0304"}


# Devices, loads, intervals, projections -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "same"),
    [
        ("NVIDIA A100-SXM4-80GB", True),
        ("A100 SXM4 80 GB", True),
        ("A100-80GB", True),
        ("1x A100", True),
        ("A100-PCIE-40GB", False),
        ("A100 40GB", False),
        ("H100-SXM5-80GB", False),
        ("A30", False),
    ],
)
def test_a_device_has_more_than_one_name(device, same):
    patch = {"claims": {"shortfall": {"comparator": {"device": device}}}}
    assert accusations(REPRODUCED, patch, ["W1203"], ["shortfall"]) == (set() if same else {"W1203"})


@pytest.mark.parametrize(
    ("load", "same"),
    [
        ({}, True),
        ({"prompt_length": "mean 630, 8 to 4096"}, True),
        ({"request_rate": 5.97}, True),
        ({"output_length": "mean 231, 2 to 1024, as the model ends"}, True),
        ({"prompt_length": "mean 1274, 8 to 4096"}, False),
        ({"output_length": "231 tokens each"}, False),
        ({"request_rate": 4}, False),
    ],
)
def test_a_load_that_is_counted_twice_is_one(load, same):
    arms = {"kestrel": {"performance": {"ttft-6": {"load": load}}}}
    patch = {"arms": arms, "claims": {"first-token-6": {"latency_bound": None}}}
    assert accusations(SERVING, patch, ["L12"], ["first-token-6"]) == (set() if same else {"L12"})


def interval(low, high, method, arm="g8", trials=5):
    stated = {"low": low, "high": high, "level": 0.95, "method": method, "varies": "trials"}
    return {"arms": {arm: {"performance": {"rate": {"interval": stated, "trials": trials}}}}}


def test_an_interval_is_judged_by_the_values_that_it_is_over():
    assert not accusations(PHONE, {}, ["S02"])
    assert not accusations(STRONG, interval("72220", "72320", "t over 20 jobs", trials=20), ["S02"])
    assert accusations(STRONG, interval("72255", "72285", "t"), ["S02"]) == {"S02"}
    assert not accusations(STRONG, interval("71500", "73000", "smallest and largest of the jobs"), ["S02"])
    assert accusations(STRONG, interval("71500", "73000", "t"), ["S02"]) == {"S02"}


def test_an_energy_less_its_idle_power_was_metered():
    assert not accusations(ENERGY, {}, ["W0105"])
    rate = {"claims": {"above-idle": {"measured": {"arm": "w165", "metric": "rate"}}}}
    assert not accusations(ENERGY, rate, ["W0105"])
    gone = dict.fromkeys(read(REPORTS / f"{ENERGY}.yaml").value["arms"]["w165"]["performance"])
    timed = {"quantity": "rate", "unit": "samples/s", "value": "612", "scope": "step", "n": None}
    short = {"arms": {"w165": {"trials": None, "performance": gone | {"rate": timed}, "quality": None}}}
    names = ["above-idle"]
    assert accusations(ENERGY, {"arms": short["arms"], **rate}, ["W0105"], names) == {"W0105"}


@pytest.mark.parametrize("words", ["We project the keys to 64 dimensions", "We simulate 96 atoms"])
def test_a_linear_projection_is_no_forecast(words):
    statement = f"{words}; at 65536 tokens Stripe runs at 511 TFLOP/s."
    assert not accusations(KERNEL, said("abs-64k", statement, basis=None), ["W0105"])
    assert not accusations(KERNEL, said("abs-64k", statement, basis=None, measured=None), ["W0105"])
    forecast = "We project that on 8 GPUs Stripe runs at 511 TFLOP/s."
    assert "W0105" in accusations(KERNEL, said("abs-64k", forecast, basis=None, measured=None), ["W0105"])


def test_a_mean_rate_may_be_that_of_its_window():
    rate = {"value": "71200", "digits": 3, "statistic": "mean", "work": 3.14e8, "wall_s": 4410.0}
    patch = {"arms": {"g8": {"performance": {"rate": rate}}}}
    assert not accusations(STRONG, patch, ["F01", "F07"], ["efficiency"])
    patch["arms"]["g8"]["performance"]["rate"]["wall_s"] = None
    assert accusations(STRONG, patch, ["F07"], ["efficiency"]) == {"F07"}


BATCHES = "l4-batch-under-ten-ms"


def test_a_sweep_over_batches_compares_loads():
    assert not accusations(BATCHES, {}, ["L12"])
    other = {"claims": {"gain": {"treatment": ["precision"]}}}
    assert accusations(BATCHES, other, ["L12"], ["gain"]) == {"L12"}


def test_a_statistic_that_a_sentence_gives_to_another_number_is_no_clash():
    assert not accusations(BATCHES, {}, ["F29", "F56"])
    assert accusations(BATCHES, said("tail", "The median batch of 16 is back within 9.84 ms."), ["F56"]) == {"F56"}


@pytest.mark.parametrize(
    ("claim", "accused"),
    [
        ({"interval": {"low": "3.20", "high": "3.46"}}, set()),
        ({"interval": {"low": "3.60", "high": "3.80"}}, {"F28"}),
        ({"interval": {"low": "220", "high": "246"}}, set()),  # as more by so many percent
        ({"statement": "Batch 16 gives 3.33x of what top-1 serving at batch 1 gives."}, set()),
        ({"statement": "Batch 16 gives 4.33x the throughput of the top-1 model at batch 1."}, {"F28"}),
    ],
)
def test_a_number_beside_its_interval_and_its_sentence(claim, accused):
    patch = {"claims": {"gain": {"interval": None, **claim}}}
    assert accusations(BATCHES, patch, ["F28"]) == accused


def test_the_cause_of_a_superlinear_row_may_stand_with_another_claim_of_the_table():
    assert not accusations("ppo-one-to-eight-cores", {}, ["P13"])
    claims = read(REPORTS / "ppo-one-to-eight-cores.yaml").value["claims"]
    told = {name: {"explanation": None} for name, claim in claims.items() if "explanation" in claim}
    assert "P13" in accusations("ppo-one-to-eight-cores", {"claims": told}, ["P13"])


def test_weights_change_with_their_sparsity():
    assert not accusations("sparse-backend-crossing-told", {}, ["M20"])
    other = {"claims": {"ninety": {"treatment": ["compile", "weight layout"]}}}
    assert accusations("sparse-backend-crossing-told", other, ["M20"], ["ninety"]) == {"M20"}
