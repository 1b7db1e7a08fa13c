"""M03, non-prefix-or-excess-discard."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import strength
from support.series import noisy, rate, slow, trials


def measured(**fields):
    return {"arms": {"a": {"measurement": fields}}}


PREFIX = list(range(10))


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({}, Outcome.NOT_APPLICABLE),
        ({"raw_count": 70, "used_count": 60}, Outcome.PASS),
        ({"raw_count": 70, "used_count": 60, "discarded_iterations": PREFIX}, Outcome.PASS),
        ({"raw_count": 75, "used_count": 60}, Outcome.NOT_SHOWN),
        ({"raw_count": 75, "used_count": 60, "discarded_iterations": list(range(15))}, Outcome.PASS),
        ({"discarded_iterations": [0, 1, 2, 50]}, Outcome.VIOLATION),
        ({"raw_count": 200, "used_count": 60}, Outcome.VIOLATION),
        ({"raw_count": 1060, "used_count": 60, "warmup": {"discarded": 1000}}, Outcome.PASS),
        ({"raw_count": 350, "used_count": 300}, Outcome.PASS),
    ],
    ids=["unstated", "prefix", "listed", "unlisted", "longer", "middle", "most", "long warm-up", "of all trials"],
)
def test_what_was_discarded(judged, fields, outcome):
    found = judged("rate", "M03", "rate", measured(**fields))
    assert found.outcome is outcome, found
    if outcome is Outcome.VIOLATION:
        assert strength(found) == ("a", UNDERMINES)


def test_a_failure_window_by_a_stated_rule_is_excused(judged):
    patch = measured(raw_count=74, used_count=60, discarded_iterations=[*PREFIX, 30, 31, 32, 33], discard_rule="outage")
    assert judged("rate", "M03", "rate", patch).outcome is Outcome.VIOLATION
    patch["arms"]["a"]["performance"] = {"rate": {"n": {"excluded": 4}}}
    assert judged("rate", "M03", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [("they looked disturbed", Outcome.VIOLATION), ("a network failure, logged by the host", Outcome.PASS)],
)
def test_a_rule_that_names_no_failure_excuses_nothing(judged, rule, outcome):
    patch = measured(raw_count=74, used_count=60, discarded_iterations=[*PREFIX, 30, 31, 32, 33], discard_rule=rule)
    patch["arms"]["a"]["performance"] = {"rate": {"n": {"excluded": 4}}}
    assert judged("rate", "M03", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("policy", "recorded", "found"),
    [
        ("until the step time no longer fell", 90, ("b", CAVEAT)),
        ("until the step time no longer fell", 300, None),
        ("fixed before: 80 steps, until the caches are full", 90, None),
        (None, 90, None),
    ],
)
def test_a_warm_up_of_most_steps_that_ended_where_the_times_looked_best(judged, policy, recorded, found):
    warmup = {"discarded": 80, "unit": "iteration", "policy": policy}
    patch = rate([noisy(0, recorded - 80)])
    patch["arms"]["a"]["measurement"] = {"warmup": warmup, "raw_count": recorded, "used_count": recorded - 80}
    result = judged("rate", "M03", "rate", patch)
    assert (strength(result) if found else result.outcome) == (found or Outcome.PASS)


def test_arms_that_discard_differently(judged):
    steady = {"arms": {"fused": {"measurement": {"raw_count": 40, "warmup": {"discarded": 10}}}}}
    assert strength(judged("training-pair", "M03", "speedup", steady)) == ("b", CAVEAT)
    rows = [slow(noisy(seed, 30, 1.13), 5) for seed in range(5)]
    unsteady = {"arms": {"fused": steady["arms"]["fused"], "plain": trials(rows)}}
    assert strength(judged("training-pair", "M03", "speedup", unsteady)) == ("a", UNDERMINES)
