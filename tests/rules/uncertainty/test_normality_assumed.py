"""S03, normality-assumed: A test that takes skewed iterations for normal ones."""

import random

from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer

PASS, OUTSIDE = Outcome.PASS, Outcome.NOT_APPLICABLE


def test_a_normal_test_over_skewed_iterations(judged):
    source = random.Random(5)
    rows = {f"t{k}": {"samples": {"step_time_s": [0.1 + source.expovariate(200) for _ in range(40)]}} for k in (1, 2)}
    patch = {"arms": {"a": {"trials": rows}}, "claims": {"rate": {"test": {"kind": "t", "values": "iteration"}}}}
    assert answer(judged("rate", "S03", "rate", patch)) == ("a", CAVEAT)
    for test in ({"kind": "t", "values": "trial"}, {"kind": "chi2", "values": "iteration"}, {"kind": "t"}):
        patch["claims"] = {"rate": {"test": {**dict.fromkeys(("kind", "values")), **test}}}
        assert answer(judged("rate", "S03", "rate", patch)) is OUTSIDE


def over_iterations(*rows):
    trials = {f"t{k}": {"samples": {"step_time_s": list(row)}} for k, row in enumerate(rows, 1)}
    trials |= {f"t{k}": None for k in range(len(rows) + 1, 6)}
    return {"arms": {"a": {"trials": trials}}, "claims": {"rate": {"test": {"kind": "t", "values": "iteration"}}}}


def test_normal_iterations_of_a_number_that_a_test_can_judge(judged):
    source = random.Random(8)
    normal = [0.1 + 0.001 * source.gauss(0, 1) for _ in range(40)]
    assert answer(judged("rate", "S03", "rate", over_iterations(normal))) is PASS
    for untold in (normal[:19], [0.1] * 40):
        assert answer(judged("rate", "S03", "rate", over_iterations(untold))) is OUTSIDE


def test_a_normal_interval_over_skewed_iterations(judged):
    source = random.Random(5)
    patch = over_iterations([0.1 + source.expovariate(200) for _ in range(40)])
    patch["claims"] = {}
    interval = {"low": "2400", "high": "2500", "level": 0.95, "varies": "iterations"}
    for method, expected in (("normal, 1.96 standard errors", ("a", CAVEAT)), ("ranks of the median", OUTSIDE)):
        patch["arms"]["a"]["performance"] = {"rate": {"interval": {**interval, "method": method}}}
        assert answer(judged("rate", "S03", "rate", patch)) == expected
