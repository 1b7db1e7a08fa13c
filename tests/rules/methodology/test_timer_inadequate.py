"""M12, timer-inadequate."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import strength
from support.series import honest, noisy, rate, trials


@pytest.mark.parametrize(
    ("timer", "rows", "outcome"),
    [
        ({"resolution_s": 1e-6, "overhead_s": 1e-6}, honest(2), Outcome.PASS),
        ({"resolution_s": 0.0156}, honest(2), Outcome.VIOLATION),
        ({"resolution_s": 1e-6, "overhead_s": 0.006}, honest(2), Outcome.VIOLATION),
        ({"resolution_s": 0.0, "overhead_s": 0.0}, honest(2), Outcome.PASS),
        ({"resolution_s": None, "overhead_s": None}, [[0.1 + 0.001 * (k % 3) for k in range(30)]], Outcome.NOT_SHOWN),
        ({"resolution_s": None, "overhead_s": None}, honest(2), Outcome.NOT_APPLICABLE),
        ({"resolution_s": 0.009, "overhead_s": 0.0}, [[0.1 + 0.009 * (k % 2) for k in range(30)]], Outcome.VIOLATION),
        ({"resolution_s": 0.009, "overhead_s": 0.0}, honest(2), Outcome.PASS),
        ({"resolution_s": 0.001, "overhead_s": 0.0}, [[0.1 + 0.001 * (k % 2) for k in range(30)]], Outcome.PASS),
    ],
    ids=[
        "fine",
        "coarse",
        "costly",
        "zero",
        "unknown and tied",
        "unknown",
        "ticks seen",
        "ticks unseen",
        "small ticks",
    ],
)
def test_the_clock(judged, timer, rows, outcome):
    patch = rate(rows)
    patch["arms"]["a"]["measurement"] = {"timer": timer}
    assert judged("rate", "M12", "rate", patch).outcome is outcome


def test_the_clock_of_a_trial_counts_before_that_of_the_arm(judged):
    patch = {"arms": {"a": trials(honest(2), timer={"resolution_s": 0.02})}}
    assert strength(judged("rate", "M12", "rate", patch)) == ("a", CAVEAT)


def test_a_range_over_a_table_stands_on_the_times_of_all_its_rows(judged):
    patch = rate(honest(2))
    short = {"performance": {"rate": {"quantity": "rate", "unit": "samples/s", "column": "step_time_s"}}}
    short |= trials([noisy(7, level=1e-4)]) | {"measurement": {"timer": {"overhead_s": 6e-5, "resolution_s": 1e-7}}}
    patch["arms"]["short"] = short
    patch["tables"] = {
        "all": {
            "columns": {"rate": {"quantity": "rate", "unit": "samples/s"}},
            "rows": {"a": {"arm": "a"}, "short": {"arm": "short"}},
        }
    }
    patch["claims"] = {"rate": {"row": {"table": "all", "row": "a"}}}
    assert judged("rate", "M12", "rate", patch).outcome is Outcome.PASS
    patch["claims"]["rate"]["range"] = {"low": "2400", "high": "2600", "where": "same_place"}
    assert strength(judged("rate", "M12", "rate", patch)) == ("a", CAVEAT)
