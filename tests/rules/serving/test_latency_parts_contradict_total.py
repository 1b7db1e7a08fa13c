"""L03, latency-parts-contradict-total."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.answers import effect
from support.serving import TIMES, served

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def means(**times):
    return {"arms": {"server": {"performance": {"latency": {"token_times": times}}}}}


@pytest.mark.parametrize(
    ("times", "outcome", "strength"),
    [
        ({}, PASS, None),
        ({"per_output_token": "0.0210"}, VIOLATION, UNDERMINES),
        ({"per_output_token": "0.0194", "definition": "all_tokens"}, PASS, None),  # golden: said so
        ({"per_output_token": "0.0194", "definition": None}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "definition": None}, VIOLATION, UNDERMINES),
        ({"per_output_token": "0.0300", "constant_length": False}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "constant_length": None}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "statistic": "percentile"}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "output_tokens": None}, NOT_APPLICABLE, None),
        ({"first_token": "180", "per_output_token": "18.2", "end_to_end": "2503", "unit": "ms"}, PASS, None),
    ],
)
def test_token_times_from_means(judged, times, outcome, strength):
    result = judged("serving", "L03", "latency", means(**times))
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_the_definition_that_fits_is_printed(judged):
    result = judged("serving", "L03", "latency", means(per_output_token="0.0194", definition=None))
    assert any("all_tokens" in note for note in result.notes)


def per_request(tpot, n=40, bad=0, definition="after_first", **more):
    rows = [tpot] * (n - bad) + [tpot * 3] * bad
    columns = {"ttft_s": [0.18] * n, "tpot_s": rows, "latency_s": [2.74] * n, "output_tokens": [129] * n, **more}
    trials = {f"t{i}": None for i in range(2, 6)} | {"t1": {"samples": columns}}
    # Of requests of one length the printed means must add up, too: by all tokens, 128 x 0.0196 s are 2.51 s.
    times = {"definition": definition, **({"per_output_token": "0.0196"} if definition == "all_tokens" else {})}
    return {"arms": {"server": {"trials": trials, "performance": {"latency": {"token_times": times}}}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (per_request(0.02), PASS, None),
        (per_request(0.02, bad=1), PASS, None),  # 2.5 % of the requests
        (per_request(0.02, bad=4), VIOLATION, REFUTES),
        (per_request(0.0205, definition="all_tokens"), VIOLATION, REFUTES),
        (per_request(0.02124, definition="all_tokens"), PASS, None),
        (per_request(0.02, definition=None), NOT_APPLICABLE, None),
        (per_request(0.04, definition=None), VIOLATION, UNDERMINES),
        (per_request(0.02, tpot_s=[]), NOT_APPLICABLE, None),
    ],
)
def test_token_times_per_request(judged, patch, outcome, strength):
    result = judged("serving", "L03", "latency", patch)
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_several_tokens_at_once_lower_the_count_of_gaps(judged):
    patch = per_request(0.04, definition="mean_gap")
    metric = patch["arms"]["server"]["performance"]["latency"]
    metric["load"] = {"speculation": "two tokens ahead, 0.8 accepted"}
    assert judged("serving", "L03", "latency", patch).outcome is PASS
    metric["load"] = {"speculation": "none"}
    assert judged("serving", "L03", "latency", patch).outcome is VIOLATION


@pytest.mark.parametrize(("total", "outcome"), [("2510", PASS), ("2600", PASS), ("2340", VIOLATION)])
def test_means_of_one_length_add_up_by_a_declared_definition(judged, total, outcome):
    patch = served(latency={"token_times": {**TIMES, "end_to_end": total}})
    assert judged("serving", "L03", "latency", patch).outcome is outcome
