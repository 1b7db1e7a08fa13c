"""L12, metrics-at-different-load-points: One headline joins numbers that were measured under different loads."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support import pace
from support.answers import in_full
from support.serving import server

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def curve(arm, counts=(1, 4, 16)):
    rate = {"quantity": "rate", "value": "100", "unit": "tokens/s"}
    return {f"at-{count}": {**rate, "load": {"concurrency": count, "loop": "closed"}} for count in counts}


def at_loads(theirs, curves=(), **claim):
    arms = {"ours": {"performance": {}}, "theirs": {"performance": {"rate": {"load": theirs}}}}
    for name in curves:
        arms[name]["performance"] |= curve(name)
    return {"claims": {"speedup": {"latency_bound": None, **claim}}, "arms": arms}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (at_loads({}), (PASS, None, None)),
        (at_loads({"concurrency": 4}), (VIOLATION, "a", UNDERMINES)),
        (at_loads({"prompt_length": "128 tokens each"}), (VIOLATION, "a", UNDERMINES)),
        (at_loads({"concurrency": 4}, ["ours"]), (VIOLATION, "a", UNDERMINES)),
        (at_loads({"concurrency": 4}, ["ours", "theirs"]), (VIOLATION, "b", CAVEAT)),
        (at_loads({"concurrency": 4}, treatment=["concurrency"]), (NOT_APPLICABLE, None, None)),
        (at_loads({"concurrency": None}), (NOT_SHOWN, None, None)),
        (at_loads(None), (NOT_SHOWN, None, None)),
        (at_loads({}, base=None), (NOT_SHOWN, None, None)),
        (at_loads({"concurrency": 4}, latency_bound={"value": "4", "unit": "s"}), (PASS, None, None)),
        (at_loads({"concurrency": 4}, quantity="accuracy"), (NOT_APPLICABLE, None, None)),
        (at_loads({"concurrency": 4}, quantity="count", basis="derived"), (NOT_APPLICABLE, None, None)),
        (at_loads({"concurrency": 4}, quantity="count"), (VIOLATION, "a", UNDERMINES)),
    ],
)
def test_loads_of_a_ratio(judged, patch, expected):
    assert in_full(judged("serving-comparison", "L12", "speedup", patch)) == expected


def test_a_table_over_load_is_a_curve(judged):
    rows = {f"{arm}-{n}": {"arm": arm, "values": {"rate": "1"}} for arm in ("ours", "theirs") for n in (1, 4, 16)}
    table = {"columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}}, "rows": rows, "varies": ["concurrency"]}
    patch = {**at_loads({"concurrency": 4}), "tables": {"sweep": table}}
    assert in_full(judged("serving-comparison", "L12", "speedup", patch)) == (VIOLATION, "b", CAVEAT)
    del rows["theirs-1"]
    assert in_full(judged("serving-comparison", "L12", "speedup", patch)) == (VIOLATION, "a", UNDERMINES)


def test_a_headline_of_a_rate_and_a_latency(judged):
    claims = {"rate": {"group": "headline"}, "latency": {"group": "headline"}}
    assert judged("serving", "L12", "rate", server(claims=claims)).outcome is PASS
    idle = server(latency={"load": {"concurrency": 1}}, claims=claims)
    assert in_full(judged("serving", "L12", "rate", idle)) == (VIOLATION, "a", UNDERMINES)
    assert in_full(judged("serving", "L12", "latency", idle)) == (VIOLATION, "a", UNDERMINES)
    unsaid = server(latency={"load": None}, claims=claims)
    assert judged("serving", "L12", "rate", unsaid).outcome is NOT_SHOWN
    assert judged("serving", "L12", "rate", server(claims={"rate": {"group": "alone"}})).outcome is NOT_APPLICABLE


def test_many_claims_of_one_headline_are_compared_in_linear_time(judged):
    import time

    from dlaudit.rules.bases import base

    claim = base("serving")["claims"]["rate"]
    patch = {"claims": {f"c{i}": {**claim, "group": "headline"} for i in range(998)}}
    start = time.process_time()
    assert judged("serving", "L12", "c7", patch).outcome is NOT_APPLICABLE  # they name one number
    assert judged("serving", "S16", "c7", patch).outcome is PASS
    assert time.process_time() - start < pace.seconds(2)


def test_what_is_offered_is_the_load_and_not_what_follows_from_it(judged):
    """In an open loop the requests in flight are a result: the slower server has more of them."""
    opened = {"loop": "open", "request_rate": 6, "concurrency": 14}
    patch = at_loads({**opened, "concurrency": 21})
    patch["arms"]["ours"]["performance"]["rate"] = {"load": opened}
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is PASS
    patch["arms"]["ours"]["performance"]["rate"] = {"load": {**opened, "request_rate": 9}}
    assert in_full(judged("serving-comparison", "L12", "speedup", patch)) == (VIOLATION, "a", UNDERMINES)


def test_arms_of_different_size_are_loaded_by_device(judged):
    patch = at_loads({"concurrency": 64})
    patch["arms"]["theirs"]["devices"] = 4
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is PASS
    patch["arms"]["theirs"]["devices"] = 2
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is VIOLATION


def energies(load=None, quantity="energy", **theirs):
    """Energies without a load of their own, beside the rates of the two arms."""
    joules = {"quantity": quantity, "value": "0.2", "unit": "J/token", "load": load}
    arms = {"ours": {"performance": {"joules": joules}}, "theirs": {"performance": {"joules": joules, **theirs}}}
    claim = {"quantity": quantity, "unit": "x", "latency_bound": None}
    claim |= {"measured": {"arm": "ours", "metric": "joules"}, "base": {"arm": "theirs", "metric": "joules"}}
    return {"claims": {"speedup": claim}, "arms": arms}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (energies(), PASS),
        (energies(quantity="memory"), PASS),
        (energies(quantity="latency"), NOT_SHOWN),
        (energies(rate={"load": {"concurrency": 4}}), NOT_SHOWN),  # whether it is the load of the energy is open
        (energies(**curve("theirs")), NOT_SHOWN),
    ],
)
def test_an_energy_was_taken_under_the_one_load_of_its_arm(judged, patch, outcome):
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is outcome
