"""M06, cv-excessive: Times, or trials, that scatter by more than 5 % without an explanation."""

from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome
from support.answers import strength
from support.series import honest, noisy, rate


def test_trials_that_scatter_undermine_unless_the_scatter_is_shown_or_explained(judged):
    rows = [[level * x / 0.1024 for x in noisy(k, 12)] for k, level in enumerate((0.09, 0.12, 0.087, 0.123, 0.1026))]
    assert strength(judged("rate", "M06", "rate", rate(rows))) == ("b", UNDERMINES)
    shown = {"interval": {"low": "2050", "high": "3050", "level": 0.95, "varies": "trials"}}
    assert strength(judged("rate", "M06", "rate", rate(rows, shown))) == ("a", CAVEAT)
    hidden = {"interval": {"low": "2495", "high": "2505", "level": 0.95, "varies": "trials"}}
    assert strength(judged("rate", "M06", "rate", rate(rows, hidden))) == ("b", UNDERMINES)
    explained = rate(rows) | {"claims": {"rate": {"explanation": "nodes of two kinds"}}}
    assert judged("rate", "M06", "rate", explained).outcome is Outcome.PASS


def test_iterations_that_scatter_are_a_caveat(judged):
    found = judged("rate", "M06", "rate", rate(honest(noise=0.2)))
    assert strength(found) == ("a", CAVEAT)


def test_one_absurd_time_is_seen(judged):
    rows = honest()
    rows[2][17] = 90.0
    found = judged("rate", "M06", "rate", rate(rows))
    assert strength(found) == ("c", CAVEAT)
    assert found.branch.confidence is C1
    assert "times its median" in found.branch.message


def test_variable_lengths_get_the_weakest_branch_only(judged):
    """Batches of variable length vary by nature."""
    patch = rate(honest(noise=0.2))
    patch["arms"]["a"]["options"] = {"bucketing": "by length"}
    assert strength(judged("rate", "M06", "rate", patch)) == ("c", CAVEAT)


def test_latencies_of_requests_are_a_distribution(judged):
    assert judged("serving", "M06", "latency").outcome is Outcome.NOT_APPLICABLE
