"""R05, environment-missing: A measured number without the container or the lock that holds its software."""

import pytest
from dlaudit.rules.outcome import Outcome

NOT_HERE = {"not_applicable": "a single binary, given by its digest"}


@pytest.mark.parametrize(
    ("software", "outcome"),
    [
        ({"container": None}, Outcome.NOT_SHOWN),
        ({"container": "lm:latest"}, Outcome.NOT_SHOWN),
        ({"container": "lm@sha256:0f3a"}, Outcome.PASS),
        ({"container": None, "lock_digest": "sha256:9c1e"}, Outcome.PASS),
        ({"container": None, "packages": {"torch": "2.6.0"}}, Outcome.PASS),
        ({"container": NOT_HERE}, Outcome.NOT_SHOWN),
        ({"container": NOT_HERE, "lock_digest": NOT_HERE}, Outcome.NOT_APPLICABLE),
        (None, Outcome.NOT_SHOWN),
    ],
)
def test_container_or_lock(judged, software, outcome):
    result = judged("rate", "R05", "rate", {"arms": {"a": {"software": software}}})
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == "container or lock"


def test_both_sides_of_a_ratio_are_read(judged):
    patch = {"arms": {"plain": {"software": {"container": None}}}}
    assert judged("training-pair", "R05", "speedup", patch).outcome is Outcome.NOT_SHOWN
    assert judged("training-pair", "R05", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("name", "claim", "arm", "outcome"),
    [
        ("rate", "rate", {"environment": None}, Outcome.NOT_SHOWN),
        ("rate", "rate", {"environment": None, "trials": {"t1": {"environment": {"host": "n"}}}}, Outcome.PASS),
        ("rate", "rate", {"environment": {"host": "n", "clocks": None, "power_limit_w": None}}, Outcome.PASS),
    ],
)
def test_conditions_that_are_not_told(judged, name, claim, arm, outcome):
    assert judged(name, "R05", claim, {"arms": {"a": arm}}).outcome is outcome


def test_conditions_of_the_base(judged):
    patch = {"arms": {"plain": {"environment": None}}}
    assert judged("training-pair", "R05", "speedup", patch).outcome is Outcome.NOT_SHOWN
    quality = {"claims": {"speedup": {"quantity": "accuracy", "statement": "It scores 1.43 times as much."}}}
    assert judged("training-pair", "R05", "speedup", patch | quality).outcome is Outcome.PASS
