"""W0605, work-outside-clock."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.patches import measured

PASS = Outcome.PASS
RUN = {"quantity": "time", "scope": "training_run", "unit": "s", "value": "5000", "statement": "Training takes 5000 s."}


def excluded(items, complete=True, said=(), **claim):
    exclusions = {"compile": None, **items}
    return {
        "claims": {"rate": {**RUN, "said": list(said), **claim}},
        "arms": {"fused": {"measurement": {"exclusions": exclusions, "exclusions_complete": complete}}},
    }


def item(recurs="per_run", stated=False, **fields):
    return {"recurs": recurs, "stated": stated, "duration_s": None, **fields}


@pytest.mark.parametrize(
    ("patch", "branch"),
    [
        (excluded({"compile": item(duration_s=101)}), "a"),
        (excluded({"compile": item(duration_s=100)}), None),
        (excluded({"compile": item()}), "a"),
        (excluded({"compile": item(stated=True)}), "b"),
        (excluded({"compile": item(stated=True, duration_s=500)}), None),
        (excluded({"preprocessing": item("once_per_dataset", duration_s=9000)}), None),
        (excluded({"autotune": item("once_per_machine")}), None),
        (excluded({"evaluation": item(duration_s=900)}), None),
        (excluded({"init": item(duration_s=900)}, suite="training"), None),
        (excluded({"init": item(duration_s=900)}), "a"),
        (excluded({"compile": item(duration_s=900)}, statement="5000 s in steady state"), None),
        (excluded({}), None),
    ],
)
def test_excluded_work(judged, patch, branch):
    result = judged("training-pair", "W0605", "rate", patch)
    assert result.outcome is (Outcome.VIOLATION if branch else Outcome.PASS), result
    if branch:
        assert (result.branch.branch, result.branch.effect) == (branch, UNDERMINES if branch == "a" else CAVEAT)


def test_stated_work_is_added_in_a_note(judged):
    patch = excluded({"compile": item(stated=True, duration_s=500)})
    assert judged("training-pair", "W0605", "rate", patch).notes == (
        "with compile (500 s) the time is 5499.5 to 5500.5 s",
    )


def test_stated_work_is_not_added_to_a_latency(judged):
    left_out = {"preprocessing": {"recurs": "per_run", "duration_s": 1.9, "stated": True}}
    patch = {"arms": {"server": {"measurement": {"exclusions": left_out, "exclusions_complete": True}}}}
    assert judged("serving", "W0605", "latency", patch).notes == (
        "preprocessing (1.9 s) is left out of the clock, as is stated",
    )


def test_a_quote_beside_the_number_states_the_work(judged):
    said = [{"topic": "clock_exclusions", "quote": "without compilation"}]
    assert judged("training-pair", "W0605", "rate", excluded({"compile": item()}, said=said)).branch.branch == "b"
    said[0]["duration_s"] = 40
    assert judged("training-pair", "W0605", "rate", excluded({"compile": item()}, said=said)).outcome is Outcome.PASS


def test_exclusions_that_are_not_stated_name_the_item(judged):
    result = judged("training-pair", "W0605", "rate", excluded({}, complete=None))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "clock's exclusions")


def test_the_share_of_an_unknown_time_is_not_shown(judged):
    patch = excluded({"compile": item(duration_s=101)}, unit="furlongs", form="absolute")
    assert judged("training-pair", "W0605", "rate", patch).outcome is Outcome.NOT_SHOWN


def test_a_latency_counts_only_what_every_request_pays(judged):
    latency = {"quantity": "latency", "scope": "request", "mode": "inference", "unit": "ms", "value": "12"}
    assert judged("training-pair", "W0605", "rate", excluded({"compile": item()}, **latency)).outcome is Outcome.PASS
    copied = excluded({"staging_to_device": item(duration_s=0.001)}, **latency)
    assert judged("training-pair", "W0605", "rate", copied).branch.branch == "a"


def test_a_cost_is_judged_by_its_hours(judged):
    patch = excluded({"compile": item(duration_s=101)}, quantity="cost", unit="EUR", value="30")
    patch["arms"]["fused"]["cost"] = {"hours": 1}
    assert judged("training-pair", "W0605", "rate", patch).branch.branch == "a"
    patch["arms"]["fused"]["cost"] = {"hours": 2}
    assert judged("training-pair", "W0605", "rate", patch).outcome is Outcome.PASS


def autotune(stated):
    return measured(exclusions={"autotune": {"recurs": "per_run", "duration_s": 660.0, "stated": stated}})


def test_work_outside_the_clock_of_a_rate_is_a_caveat_where_it_is_not_stated(judged):
    assert judged("rate", "W0605", "rate", autotune(stated=False)).branch.effect is CAVEAT
    assert judged("rate", "W0605", "rate", autotune(stated=True)).outcome is PASS


def counted(unit, quantity="count"):
    """Return a patch: a method that is called faster, in a document whose one number is this."""
    told = {"statement": "Early exits make inference faster.", "form": "words", "quantity": "time"}
    one = {"quantity": quantity, "value": "6300902177", "unit": unit}
    return {
        "claims": {
            "speedup": {**told, "value": None, "purpose": "method_speedup", "mode": "inference", "scope": "request"},
            "rate": None,
        },
        "arms": {
            "fused": {"trials": None, "performance": {"step": None, "rate": None, "work": one}},
            "plain": {"trials": None, "performance": None},
        },
        "tables": None,
    }


def test_counted_work_is_no_time(judged):
    result = judged("training-pair", "W0605", "speedup", counted("FLOPs"))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "time behind counted work")
    assert judged("training-pair", "W0605", "speedup", counted("s", "time")).outcome is not Outcome.NOT_SHOWN


@pytest.mark.parametrize(("unit", "item"), [("USD", "work done beforehand"), ("GPU hours", "clock's exclusions")])
def test_a_price_owes_what_else_was_paid(judged, unit, item):
    price = {"statement": "Training costs 450.", "value": "450", "unit": unit, "quantity": "cost", "form": "absolute"}
    patch = {
        "claims": {"time": {**price, "target": None, "interval": None, "measured": {"metric": None}}},
        "arms": {"trained": {"measurement": {"exclusions": None, "exclusions_complete": None}}},
    }
    result = judged("time-to-accuracy", "W0605", "time", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, item)
