"""W0807, quality-neutralising-option: A speed that was taken with an option under which the program is of no use."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome


def serving(*names, observed=(), options=None, **claim):
    server = {"options": {"neutralised": list(names), **(options or {})}}
    if observed:
        server["observed"] = {"neutralised": list(observed)}
    return {"arms": {"server": server}, "claims": {"rate": claim}}


SCORED = {
    "quality": {"arm": "server", "quality": "em"},
}
SCORE = {"em": {"metric": "exact match", "value": "0.71", "split": "test"}}


@pytest.mark.parametrize("name", ["random_weights", "ignored_end_of_sequence", "dropped_tokens"])
def test_a_declared_option_is_a_caveat(judged, name):
    result = judged("serving", "W0807", "rate", serving(name))
    assert (result.branch.branch, result.branch.effect) == ("a", CAVEAT)
    assert result.branch.at == "/arms/server/options/neutralised"


def test_beside_a_quality_it_undermines(judged):
    patch = serving("ignored_end_of_sequence", **SCORED)
    patch["arms"]["server"]["quality"] = SCORE
    result = judged("serving", "W0807", "rate", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", UNDERMINES)


def test_a_quality_of_the_same_arm_shows_what_dropped_tokens_cost(judged):
    patch = {
        "arms": {"fused": {"options": {"neutralised": ["dropped_tokens"], "routing_mode": "top-2"}}},
    }
    assert judged("training-pair", "W0807", "speedup", patch).branch.branch == "a"
    patch["claims"] = {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}}
    assert judged("training-pair", "W0807", "speedup", patch).branch.branch == "b"


def test_observed_and_not_declared(judged):
    result = judged("serving", "W0807", "rate", serving("none", observed=["random_weights"]))
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("b", UNDERMINES, "random weights")


@pytest.mark.parametrize("names", [["fixed_output_length"], ["fixed_output_length", "ignored_end_of_sequence"]])
def test_a_fixed_output_length_measures_capacity(judged, names):
    result = judged("serving", "W0807", "rate", serving(*names, observed=["fixed_output_length"]))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


@pytest.mark.parametrize(
    ("length", "outcome"),
    [
        ("mean 224, p99 655; ended by the model's end of sequence, limit 2048", Outcome.VIOLATION),
        ("mean 224, p99 655, each as long as in the trace, end of sequence ignored", Outcome.PASS),
        ("129 tokens each; not ended by an end of sequence", Outcome.PASS),
        ("129 tokens each", Outcome.PASS),
    ],
)
def test_outputs_that_the_model_ended_had_no_fixed_length(judged, length, outcome):
    patch = serving("fixed_output_length", "ignored_end_of_sequence")
    patch["arms"]["server"]["performance"] = {"rate": {"load": {"output_length": length}}}
    assert judged("serving", "W0807", "rate", patch).outcome is outcome


@pytest.mark.parametrize("names", [["none"], ["random_tokens"]])
def test_nothing_and_tokens_of_dense_products(judged, names):
    assert judged("serving", "W0807", "rate", serving(*names)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "options", [{"routing_mode": "top-2"}, {"expert_parallel": 8}, {"model": "Mixtral 8x7B"}, {"model": "MoE 8B"}]
)
def test_random_tokens_where_experts_are_chosen_by_them(judged, options):
    assert judged("serving", "W0807", "rate", serving("random_tokens", options=options)).branch.branch == "a"


def test_a_server_that_does_not_say(judged):
    assert judged("serving", "W0807", "rate", serving()).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(("rate", "outcome"), [(0, Outcome.VIOLATION), (0.1, Outcome.NOT_APPLICABLE)])
def test_a_declared_learning_rate_of_zero(judged, rate, outcome):
    patch = {"arms": {"a": {"options": {"learning_rate": rate}}}}
    assert judged("rate", "W0807", "rate", patch).outcome is outcome


def test_the_rate_of_a_moment_and_initial_weights_accuse_nobody(judged):
    patch = {"arms": {"a": {"observed": {"learning_rate": 0}, "options": {"neutralised": ["random_weights"]}}}}
    assert judged("rate", "W0807", "rate", patch).outcome is Outcome.PASS


def test_experts_without_options(judged):
    patch = {"arms": {"a": {"options": None, "label": "a mixture of experts"}}}
    assert judged("rate", "W0807", "rate", patch).outcome is Outcome.NOT_SHOWN
    patch["arms"]["a"]["label"] = "ResNet"
    assert judged("rate", "W0807", "rate", patch).outcome is Outcome.NOT_APPLICABLE


FORCED = ["ignored_end_of_sequence", "fixed_output_length"]


def forced(length, neutralised=FORCED, quality=True, **claim):
    load = {"output_length": length}
    made = {"purpose": "serving_objective", "statement": "It serves 6.27 requests/s.", **claim}
    if quality:
        made["quality"] = {"arm": "server", "quality": "exact"}
    exact = {"metric": "exact match", "value": "0.71", "split": "test"}
    return {
        "claims": {"rate": made},
        "disclosures": [],
        "arms": {
            "server": {
                "options": {"neutralised": neutralised},
                "quality": {"exact": exact},
                "performance": {"rate": {"load": load}, "latency": {"load": load}},
            }
        },
    }


@pytest.mark.parametrize(
    ("patch", "violated"),
    [
        (forced("mean 224, p99 655, from the trace"), True),
        (forced("129 tokens each"), False),  # a capacity test
        (forced("mean 224, p99 655", ["fixed_output_length"]), False),
        (forced("mean 224, p99 655", quality=False), False),
        (forced("mean 224, p99 655", purpose="hardware_throughput"), False),
        (forced("mean 224, p99 655", statement="It serves 6.27 requests/s; lengths are fixed by the trace."), False),
        (
            forced(
                "mean 224, p99 655",
                said=[{"topic": "quality_neutralised", "quote": "The end of sequence is ignored while timing."}],
            ),
            False,
        ),
    ],
)
def test_a_service_with_a_quality_stops_where_the_model_does(judged, patch, violated):
    result = judged("serving", "W0807", "rate", patch)
    assert (result.outcome is Outcome.VIOLATION) is violated, result
    if violated:
        assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)


TOLD = {"said": [{"topic": "quality_neutralised", "quote": "all engines ran with dummy weights"}]}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (serving("random_weights", "ignored_end_of_sequence", **TOLD), Outcome.PASS),
        (serving("random_weights", "ignored_end_of_sequence"), Outcome.VIOLATION),
        (serving("random_weights", "dropped_tokens", **TOLD), Outcome.VIOLATION),
        (serving("random_weights", options={"expert_parallel": 8}, **TOLD), Outcome.VIOLATION),
    ],
    ids=["told", "not told", "tokens dropped", "experts"],
)
def test_a_report_may_say_that_it_measures_speed_alone(judged, patch, outcome):
    assert judged("serving", "W0807", "rate", patch).outcome is outcome
