"""S17, single-seed-convergence: A training result over fewer than five seeds."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, Outcome

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def seeds(n, listed=0, shown=0, **claim):
    accuracy = {"n": {"planned": n, "completed": n} if n else None, "interval": None}
    accuracy["seeds"] = {str(101 + i): ("94.50" if i < listed else None) for i in range(5)}
    trials = {f"s{i}": None for i in range(shown + 1, 6)}
    arm = {"quality": {"accuracy": accuracy}, "trials": trials, "plan": None}
    return {"claims": {"accuracy": claim}, "arms": {"trained": arm}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (seeds(5, 5), PASS),
        (seeds(5, 5, 5), PASS),
        (seeds(1), VIOLATION),
        (seeds(4, 4), VIOLATION),
        (seeds(None), NOT_SHOWN),
        (seeds(None, shown=1), VIOLATION),  # one run with a rising loss: a caveat and no more
        (seeds(7), VIOLATION),  # without their seeds
        (seeds(1, suite="training"), NOT_APPLICABLE),
        (seeds(1, statement="Pretraining ends at 94.50 %."), NOT_APPLICABLE),
        (seeds(2, statement="Pretraining ends at 94.50 %."), VIOLATION),
    ],
)
def test_seeds(judged, patch, outcome):
    result = judged("accuracy", "S17", "accuracy", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (CAVEAT, C3)


def test_a_publication_asks_for_five_seeds_and_for_three_of_large_trainings(judged):
    for n, hours, outcome in ((4, 1, NOT_SHOWN), (5, 1, PASS), (2, 2000, NOT_SHOWN), (3, 2000, PASS)):
        patch = seeds(n, n)
        patch["arms"]["trained"]["measurement"] = {"wall_s": hours * 3600}
        result = judged("accuracy", "S17", "accuracy", patch, profile="publication")
        assert result.outcome is outcome, (n, hours)
        assert outcome is PASS or result.branch.item == "seeds"
