"""Q04, fixed-option-changed: A closed result with another value of an option that its round fixes."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.patches import both
from support.suite_results import events, fields, result, training_result
from support.training_logs import NAMES

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("line", "value", "outcome"),
    [
        ("15", "0", PASS),
        ("15", 0.0, PASS),
        ("15", "0.00001", VIOLATION),
        ("13", "Adam", PASS),
        ("13", "sgd", VIOLATION),
        ("15", "NaN", VIOLATION),
    ],
)
def test_options_are_compared_as_what_they_are(training, line, value, outcome):
    assert training("Q04", events("result_0", **{f"line{line}": {"value": value}}))[0] is outcome


def test_an_option_that_some_runs_log(training):
    assert training("Q04", events("result_0", line15=None)) == (NOT_SHOWN, None)


def test_an_open_result_may_choose_its_options(training):
    changed = both(
        events("result_0", line13={"value": "sgd"}),
        {"claims": {"retinanet": {"division": "open", "suite_result": {"division": "open"}}}},
    )
    assert training("Q04", changed)[0] is NOT_APPLICABLE


def test_a_policy_of_one_optimizer_says_nothing_of_others(training):
    lamb = both(
        training_result(benchmark="rnnt", round="v3.1"), *(events(name, line13={"value": "lamb"}) for name in NAMES)
    )
    assert training("Q04", both(lamb, *(events(name, line15={"value": 0.001}) for name in NAMES))) == (PASS, None)
    assert training("Q04", lamb) == (VIOLATION, UNDERMINES)


def test_an_optimizer_that_the_round_does_not_list(training):
    lora = training_result(benchmark="llama2_70b_lora", round="v5.0")
    lion = both(lora, *(events(name, line13={"value": "lion"}) for name in NAMES))
    assert training("Q04", lion) == (VIOLATION, UNDERMINES)
    fused = both(lora, *(events(name, line13={"value": "fused_adamw"}) for name in NAMES))
    assert training("Q04", fused)[0] is not VIOLATION


@pytest.mark.parametrize(
    ("words", "expected"),
    [("Yes", (VIOLATION, CAVEAT)), ("no", (PASS, None)), ("N", (PASS, None)), ("none", (PASS, None)), ("", None)],
)
def test_a_closed_model_that_was_retrained(inference, words, expected):
    assert inference("Q04", fields(retraining=words)) == (expected or (NOT_APPLICABLE, None))


def test_an_open_model_may_be_retrained(inference):
    opened = both(result("offline", division="open"), {"claims": {"offline": {"division": "open"}}})
    assert inference("Q04", both(opened, fields(retraining="Yes")))[0] is NOT_APPLICABLE


def test_the_epsilon_of_deepcam_is_that_of_all_published_logs(training):
    cam = training_result(benchmark="deepcam", round="v3.0")
    for value, expected in ((1e-06, (PASS, None)), (1e-08, (VIOLATION, UNDERMINES))):
        logged = (events(name, line13={"key": "opt_eps", "value": value}) for name in NAMES)
        assert training("Q04", both(cam, *logged)) == expected
