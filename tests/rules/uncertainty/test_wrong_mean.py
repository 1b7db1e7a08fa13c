"""S07, wrong-mean: Rates or ratios averaged arithmetically."""

from decimal import Decimal

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.rules.uncertainty._averages import averages
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from hypothesis import assume, given
from hypothesis import strategies as st
from support.answers import in_full
from support.serving import NEEDS_CORPUS, labelled

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def mean(value, rates, aggregator="arithmetic", unit="images/s", rows=None, **claim):
    cells = {f"r{i}": {"values": {"rate": rate}, **((rows or {}).get(i, {}))} for i, rate in enumerate(rates)}
    table = {"columns": {"rate": {"quantity": claim.get("quantity", "rate"), "unit": unit}}, "rows": cells}
    if aggregator is not None:
        table["aggregator"] = aggregator
    changed = {"form": "absolute", "superlative": None, "statistic": "mean", "value": value, "digits": None}
    changed |= {"unit": unit, "row": {"table": "means", "row": None, "base_row": None}, **claim}
    return {"claims": {"best": changed}, "tables": {"means": table}}


HPL = ("10.0", "1.0", "2.5")  # 100 Gflop in 10, 100 and 40 s: 4.5 by the arithmetic mean, 2 Gflop/s in truth


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (mean("4.5", HPL), (VIOLATION, "a", UNDERMINES)),
        (mean("4.5", HPL, None), (VIOLATION, "a", UNDERMINES)),
        (mean("4.5", HPL, "unstated"), (VIOLATION, "a", UNDERMINES)),
        (mean("2.0", HPL), (PASS, None, None)),
        (mean("2.0", HPL, "harmonic"), (PASS, None, None)),
        (mean("4.5", HPL, "total"), (PASS, None, None)),
        (mean("2.92", HPL, "geometric"), (PASS, None, None)),
        (mean("2.92", HPL, None), (NOT_SHOWN, None, None)),
        (mean("9.5", HPL, None), (PASS, None, None)),  # no mean of these at all
        (mean("102.50", ("100.0", "105.0"), None), (PASS, None, None)),  # 0.06 % apart
        (mean("105.00", ("100.00", "110.00")), (VIOLATION, "b", CAVEAT)),  # 105 against 104.76
        (mean("2500.1", ("2500.0", "2500.1", "2500.2")), (PASS, None, None)),  # three runs within 0.01 %
        (mean("4.5", HPL, unit="s", quantity="time"), (NOT_APPLICABLE, None, None)),
        (mean("4.5", ("4.5",)), (NOT_APPLICABLE, None, None)),
        (mean("4.5", ("0", "1.0", "12.5")), (NOT_APPLICABLE, None, None)),
    ],
)
def test_means_of_rates(judged, patch, expected):
    assert in_full(judged("comparison", "S07", "best", patch)) == expected


def test_windows_of_equal_duration_are_averaged_exactly(judged):
    walls = {i: {"wall_s": 600.0} for i in range(3)}
    assert judged("comparison", "S07", "best", mean("4.5", HPL, rows=walls)).outcome is PASS
    works = {0: {"wall_s": 10, "samples": 100}, 1: {"wall_s": 100, "samples": 100}, 2: {"wall_s": 40, "samples": 100}}
    assert judged("comparison", "S07", "best", mean("4.5", HPL, rows=works)).outcome is VIOLATION
    assert judged("comparison", "S07", "best", mean("2.0", HPL, rows=works)).outcome is PASS


def test_a_mean_of_speed_ups(judged):
    def speedups(value, aggregator=None):
        rows = {f"r{i}": {"speedup": text, "values": {}} for i, text in enumerate(("1.0", "2.0", "6.0"))}
        rows["mean"] = {"label": "Average", "speedup": value, "values": {}}
        table = {"columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}}, "rows": rows}
        claim = {"statistic": "mean", "value": value, "row": {"table": "means", "row": "mean"}}
        return {"claims": {"speedup": claim}, "tables": {"means": table | {"aggregator": aggregator or "unstated"}}}

    assert in_full(judged("comparison", "S07", "speedup", speedups("3.0")))[:2] == (VIOLATION, "a")
    assert judged("comparison", "S07", "speedup", speedups("2.29", "geometric")).outcome is PASS
    assert judged("comparison", "S07", "speedup", speedups("1.8")).outcome is PASS


def test_rates_averaged_over_raw_times(judged):
    def claim(value):
        steps = {f"t{i}": {"samples": {"step_time_s": [0.4, 1.6]}} for i in range(1, 6)}
        changed = {"form": "absolute", "superlative": None, "statistic": "mean", "value": value, "digits": None}
        return {"claims": {"best": changed}, "arms": {"ours": {"trials": steps}}}

    work = base("comparison")["arms"]["ours"]["performance"]["rate"]["work_per_iteration"]
    assert in_full(judged("comparison", "S07", "best", claim(str(work * (2.5 + 0.625) / 2))))[:2] == (VIOLATION, "a")
    assert judged("comparison", "S07", "best", claim(str(float(work)))).outcome is PASS


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=8), st.integers(0, 3), st.randoms())
def test_the_means_of_rates_stand_in_order_whatever_the_order_of_rows(values, decimals, random):
    printed = [f"{value / 10**decimals:.{decimals}f}" for value in values]

    def means(rates):
        value = merge_patch(base("comparison"), mean(rates[0], rates))
        submission = to_model(value, Submission)
        return averages(submission.claims["best"], Case(submission))

    found = means(printed)
    assume(not isinstance(found, str))
    (arithmetic,) = found.arithmetic
    slack = Decimal("1.000000001")
    assert found.right.low <= found.geometric.low * slack
    assert found.geometric.high <= arithmetic.high * slack
    shuffled = list(printed)
    random.shuffle(shuffled)
    again = means(shuffled)
    assert float(again.gap) == pytest.approx(found.gap)


@NEEDS_CORPUS
def test_a_rate_averaged_over_three_runs_arithmetically(judged):
    """One of three runs is 2.5 times as fast as the others: their mean is 21 % above what the machine did."""
    facts = labelled("lambda-tacotron2-fp16-8xH200-2024")["facts"]
    rows = {f"r{i}": {"values": {"rate": f"{rate:.1f}"}} for i, rate in enumerate(facts["raw_runs"])}
    table = {"columns": {"rate": {"quantity": "rate", "unit": "samples/s"}}, "rows": rows}
    claim = {"form": "absolute", "superlative": None, "statistic": "mean", "value": str(facts["published"])}
    claim |= {"unit": "samples/s", "digits": None, "row": {"table": "runs", "row": None, "base_row": None}}
    patch = {"claims": {"best": claim}, "tables": {"runs": {**table, "aggregator": "arithmetic"}}}
    result = judged("comparison", "S07", "best", patch)
    assert (result.outcome, result.branch.effect) == (VIOLATION, UNDERMINES)
    assert float(result.branch.recomputed.split(" to ")[0]) == pytest.approx(facts["harmonic_mean"], rel=1e-4)
    patch["tables"]["runs"]["aggregator"] = "unstated"
    assert judged("comparison", "S07", "best", patch).outcome is VIOLATION
