"""S07, S09, S10, S15, S16, S17: means, tails, the best of many, ranges, and the runs behind each number."""

from decimal import Decimal

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book, by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import C2, C3, CAVEAT, UNDERMINES, Outcome
from dlaudit.rules.required import requirements
from dlaudit.rules.uncertainty._averages import averages
from dlaudit.rules.uncertainty._spread import qualifier
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Claim, Submission
from hypothesis import assume, given
from hypothesis import strategies as st

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def found(result):
    branch = result.branch
    return result.outcome, getattr(branch, "branch", None), getattr(branch, "effect", None)


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
    assert found(judged("comparison", "S07", "best", patch)) == expected


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

    assert found(judged("comparison", "S07", "speedup", speedups("3.0")))[:2] == (VIOLATION, "a")
    assert judged("comparison", "S07", "speedup", speedups("2.29", "geometric")).outcome is PASS
    assert judged("comparison", "S07", "speedup", speedups("1.8")).outcome is PASS


def test_rates_averaged_over_raw_times(judged):
    def claim(value):
        steps = {f"t{i}": {"samples": {"step_time_s": [0.4, 1.6]}} for i in range(1, 6)}
        changed = {"form": "absolute", "superlative": None, "statistic": "mean", "value": value, "digits": None}
        return {"claims": {"best": changed}, "arms": {"ours": {"trials": steps}}}

    work = base("comparison")["arms"]["ours"]["performance"]["rate"]["work_per_iteration"]
    assert found(judged("comparison", "S07", "best", claim(str(work * (2.5 + 0.625) / 2))))[:2] == (VIOLATION, "a")
    assert judged("comparison", "S07", "best", claim(str(float(work)))).outcome is PASS


def latency(statement="The mean latency of a request is 10 ms.", raw=False, statistic="mean", **metric):
    """The worked case of a tail: a mean of 10 ms beside a 99th percentile of 500 ms."""
    changed = {"statement": statement, "value": "0.010", "statistic": statistic}
    if "summary" in metric:  # nothing of the base's own stays
        given = metric["summary"]
        percentiles = {"50": None, "90": None, "99": None, **given.get("percentiles", {})}
        metric["summary"] = {"max": None, **given, "percentiles": percentiles}
    arm = {"performance": {"latency": {"value": "0.010", "summary": None, **metric}}}
    return {"claims": {"latency": changed}, "arms": {"server": arm if raw else {**arm, "trials": None}}}


def test_an_empty_list_of_latencies_is_no_tail(judged):
    empty = {f"t{i}": {"samples": {"latency_s": []}} for i in range(1, 6)}
    patch = latency(raw=True)
    patch["arms"]["server"]["trials"] = empty
    assert judged("serving", "S09", "latency", patch).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (latency(), NOT_SHOWN),
        (latency("Mean 10 ms, p99 500 ms."), PASS),
        (latency(summary={"percentiles": {"99": "0.500"}}), PASS),
        (latency(summary={"percentiles": {"p99.9": "0.500"}}), PASS),
        (latency(summary={"percentiles": {"50": "0.009", "75": "0.011"}}), NOT_SHOWN),
        (latency(summary={"percentiles": {"x": "0.5"}}), NOT_SHOWN),
        (latency(summary={"max": "0.700"}), PASS),
        (latency(statistic="percentile"), PASS),
        (latency(raw=True), NOT_SHOWN),
    ],
)
def test_tails(judged, patch, outcome):
    result = judged("serving", "S09", "latency", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == "tail"


def test_a_benchmark_may_ask_for_the_mean(judged):
    patch = latency()
    patch["claims"]["latency"]["metric_defined"] = {"kind": "custom", "set_by": "benchmark"}
    assert judged("serving", "S09", "latency", patch).outcome is NOT_APPLICABLE
    patch["claims"]["latency"]["purpose"] = "hardware_throughput"
    assert judged("serving", "S09", "latency", patch).outcome is NOT_APPLICABLE


def variant(*steps):
    rate = {"quantity": "rate", "unit": "tokens/s", "column": "step_time_s", "work_per_iteration": 262144}
    kept = {"kind": "throughput", "outcome": "completed"}
    return {
        "performance": {"rate": rate},
        "trials": {f"t{i}": {**kept, "samples": {"step_time_s": [step]}} for i, step in enumerate(steps, 1)},
    }


def many(ours, others=(), varies=("schedule",), claim=None, search=True):
    names = [f"v{i}" for i in range(len(others))]
    gone = {f"s{i}": None for i in range(1, 6)}
    arms = {
        "ours": {"trials": {**variant(*ours)["trials"], **gone}},
        "theirs": {"trials": {**variant(1.01, 1.00, 0.99, 0.98, 1.00)["trials"], **gone}},
        **{name: variant(*steps) for name, steps in zip(names, others, strict=True) if steps},
    }
    if not search:
        arms["ours"]["search"] = None
    rows = {name: {"label": name, "arm": name if name in arms else None, "values": {"rate": "1"}} for name in names}
    rows = {name: {key: value for key, value in row.items() if value is not None} for name, row in rows.items()}
    table = {"varies": list(varies), "rows": rows}
    return {
        "claims": {"best": {"compares": "own_variants", **(claim or {})}},
        "tables": {"systems": table},
        "arms": arms,
    }


NEARLY, FAR = (0.99, 0.98, 0.97, 0.96, 0.95), (0.50, 0.51, 0.49, 0.50, 0.50)
SAME = (1.02, 0.99, 1.00)


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (many(NEARLY, [SAME] * 5), (VIOLATION, "b", UNDERMINES)),
        (many(NEARLY, [()] * 5), (VIOLATION, "a", CAVEAT)),
        (many(FAR, [SAME] * 5), (PASS, None, None)),
        (many(FAR, [()] * 5), (PASS, None, None)),
        (many((1.0, 0.99, 1.01), [SAME] * 5), (NOT_APPLICABLE, None, None)),
        (many(NEARLY, [SAME] * 5, ("devices",)), (NOT_APPLICABLE, None, None)),
        (many(NEARLY), (PASS, None, None)),
        (many(NEARLY, search=False), (NOT_SHOWN, None, None)),
        (many(FAR, search=False), (PASS, None, None)),
        (
            many(NEARLY, [SAME] * 5, claim={"statement": "Schedule 1, fixed before, is fastest."}),
            (NOT_APPLICABLE, None, None),
        ),
        (
            many(NEARLY, [SAME] * 5, claim={"interval": {"low": "1", "high": "2", "method": "Welch, Holm-adjusted"}}),
            (PASS, None, None),
        ),
    ],
)
def test_one_of_many_comparisons(judged, patch, expected):
    result = judged("comparison", "S10", "best", patch)
    assert found(result) == expected
    assert expected[0] is not VIOLATION or result.branch.confidence is C2


def test_one_of_many_by_its_stated_interval(judged):
    def claim(low, high, rows=3, unit="x"):
        gone = {f"t{i}": None for i in range(1, 6)} | {f"s{i}": None for i in range(1, 6)}
        interval = {"low": low, "high": high, "level": 0.95}
        changed = {"interval": interval, "unit": unit, "row": {"table": "systems", "row": "ours", "base_row": "theirs"}}
        more = {f"v{i}": {"values": {"rate": "290000"}} for i in range(rows)}
        arms = {name: {"trials": gone} for name in ("ours", "theirs")}
        return {"claims": {"speedup": changed}, "tables": {"systems": {"rows": more}}, "arms": arms}

    assert found(judged("comparison", "S10", "speedup", claim("1.01", "1.40")))[:2] == (VIOLATION, "a")
    assert found(judged("comparison", "S10", "speedup", claim("1", "40", unit="%")))[:2] == (VIOLATION, "a")
    assert judged("comparison", "S10", "speedup", claim("1.30", "1.38")).outcome is PASS
    assert judged("comparison", "S10", "speedup", claim("0.98", "1.40")).outcome is NOT_APPLICABLE
    assert judged("comparison", "S10", "speedup", claim("1.40", "1.01")).outcome is NOT_APPLICABLE


def ranged(low="1.02", high="1.43", where="elsewhere", **claim):
    return {"claims": {"speedup": {"range": {"low": low, "high": high, "where": where}, **claim}}}


UP_TO = "Training is up to 1.43x faster with fused attention."


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (ranged(), (VIOLATION, "a", UNDERMINES)),
        (ranged(high="1.60"), (PASS, None, None)),
        (ranged(where="same_place"), (PASS, None, None)),
        (ranged(statement=UP_TO), (VIOLATION, "b", CAVEAT)),
        (ranged(qualifier="up_to"), (VIOLATION, "b", CAVEAT)),
        (ranged(qualifier="up_to", where="same_place"), (PASS, None, None)),
        (ranged("1.43", "1.43"), (PASS, None, None)),
        (ranged("1.43", "1.02"), (VIOLATION, "a", UNDERMINES)),  # ends in either order
        ({"claims": {"speedup": {"statement": UP_TO}}}, (NOT_SHOWN, None, None)),
        ({"claims": {"speedup": {"qualifier": "up_to"}}}, (NOT_SHOWN, None, None)),
        ({"claims": {"speedup": {"statement": UP_TO[:-1] + ", 1.2x on average."}}}, (PASS, None, None)),
        ({"claims": {"speedup": {"statement": UP_TO[:-1] + ", on average."}}}, (NOT_SHOWN, None, None)),
        (ranged(statement=UP_TO[:-1] + ", between 1.02x and 1.43x."), (PASS, None, None)),
        ({"claims": {"speedup": {"qualifier": "over", "value": "1.4"}}}, (PASS, None, None)),
        ({"claims": {"speedup": {"qualifier": "over", "base": None}}}, (NOT_SHOWN, None, None)),
        ({"claims": {"speedup": {"qualifier": "about"}}}, (NOT_APPLICABLE, None, None)),
        ({"claims": {"speedup": {"statement": "1.43x faster on up to 512 GPUs."}}}, (NOT_APPLICABLE, None, None)),
        ({}, (NOT_APPLICABLE, None, None)),
    ],
)
def test_ranges_behind_a_headline(judged, patch, expected):
    result = judged("training-pair", "S15", "speedup", patch)
    assert found(result) == expected
    assert expected[0] is not NOT_SHOWN or result.branch.item == "range behind a qualifier"


@pytest.mark.parametrize("statement", ["Up to 3x faster.", "As much as 3.0x faster.", "A gain of up to a 3x speed-up."])
def test_a_reviewer_requires_the_range_of_up_to(statement):
    claim = {"statement": statement, "value": "3", "unit": "x", "quantity": "rate", "form": "ratio", "scope": "step"}
    claim |= {"mode": "training", "compares": "own_variants"}
    value = {"dlaudit": "submission/1", "title": "a sentence", "claims": {"speedup": claim}}
    case = Case(to_model(value, Submission))
    (result,) = judge(case, [by_code("S15")])
    assert result.outcome is NOT_SHOWN
    (needed,) = requirements("S15", case.submission.claims["speedup"], case)
    assert (needed.item, needed.profile) == (result.branch.item, "reviewer")


def test_a_range_of_times_is_favourable_at_its_low_end(judged):
    def claim(value, statement="The run takes {} s."):
        changed = {"value": value, "statement": statement.format(value), "target": None, "interval": None}
        return {"claims": {"time": changed | {"range": {"low": "80.0", "high": "99.0", "where": "elsewhere"}}}}

    assert found(judged("time-to-accuracy", "S15", "time", claim("80.0")))[:2] == (VIOLATION, "a")
    assert judged("time-to-accuracy", "S15", "time", claim("99.0")).outcome is PASS
    assert found(judged("time-to-accuracy", "S15", "time", claim("80.0", "Less than {} s.")))[:2] == (VIOLATION, "b")


def speedups(value, statement, caption="Speed-ups", varies=("model",), row=None):
    texts = {
        "r18": ("ResNet-18", "1.10"),
        "r50": ("ResNet-50", "1.21"),
        "vit": ("ViT-B", "2.90"),
        "swin": ("Swin", "1.30"),
    }
    rows = {key: {"label": label, "speedup": text, "values": {}} for key, (label, text) in texts.items()}
    table = {"caption": caption, "columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": rows}
    claim = {"value": value, "statement": statement, "row": {"table": "models", **({"row": row} if row else {})}}
    return {"claims": {"speedup": claim}, "tables": {"models": table | {"varies": list(varies)}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (speedups("2.90", "Fused attention is 2.9x faster."), (VIOLATION, "a", UNDERMINES)),
        (speedups("2.90", "Fused attention is up to 2.9x faster."), (VIOLATION, "b", CAVEAT)),
        (speedups("1.21", "Fused attention is 1.21x faster."), (PASS, None, None)),
        (speedups("2.90", "It is 2.9x faster on ViT-B.", row="vit"), (PASS, None, None)),
        (speedups("2.90", "It is 2.9x faster.", "It is 2.9x faster. All models:"), (PASS, None, None)),
        (speedups("2.90", "It is 2.9x faster.", varies=("devices",)), (NOT_APPLICABLE, None, None)),
        (speedups("2.90", "It is 2.9x faster.", varies=("attention",)), (NOT_APPLICABLE, None, None)),
    ],
)
def test_like_for_like_results(judged, patch, expected):
    assert found(judged("training-pair", "S15", "speedup", patch)) == expected


def test_two_columns_of_one_pair_of_systems(judged):
    values = {"a": ("100", "110"), "b": ("100", "105"), "c": ("100", "290")}
    rows = {key: {"values": {"old": old, "new": new}} for key, (old, new) in values.items()}
    columns = {key: {"quantity": "rate", "unit": "tokens/s"} for key in ("old", "new")}
    table = {"columns": columns, "rows": rows, "varies": ["dataset"]}
    claim = {"value": "2.90", "statement": "2.9x faster", "row": {"table": "sets"}}
    patch = {"claims": {"speedup": claim}, "tables": {"sets": table}}
    assert found(judged("training-pair", "S15", "speedup", patch))[:2] == (VIOLATION, "a")
    del table["rows"]["b"]
    assert judged("training-pair", "S15", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    "words", ["The theoretical capacity is up to 6.27 requests per second.", "Peak throughput: 6.27"]
)
def test_capacities_and_peaks_over_load_are_no_headline_of_a_range(judged, words):
    patch = {"claims": {"rate": {"statement": words, "range": {"low": "1.00", "high": "6.27", "where": "elsewhere"}}}}
    assert judged("serving", "S15", "rate", patch).outcome is NOT_APPLICABLE


GONE = {f"s{i}": None for i in range(1, 6)}


def timed(completed, trials=None, gone=GONE, interval=None, **quality):
    time = {"trials": trials, "interval": interval}
    time["n"] = {"planned": completed, "completed": completed} if completed is not None else None
    arm = {"performance": {"time": time}, "trials": gone, "quality": {"accuracy": quality}}
    return {"claims": {"time": {"interval": interval}}, "arms": {"trained": arm}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (timed(1), NOT_SHOWN),
        (timed(2), NOT_SHOWN),
        (timed(3), PASS),
        (timed(None), NOT_SHOWN),
        (timed(None, 5), PASS),
        (timed(1, seeds=None, n={"planned": 1, "completed": 1}), PASS),
        (timed(1, gone={}), PASS),  # five runs are shown
    ],
)
def test_runs_behind_a_headline(judged, patch, outcome):
    result = judged("time-to-accuracy", "S16", "time", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == "n of the headline metric"


def test_a_group_is_one_headline(judged):
    patch = timed(1)
    patch["claims"]["time"] |= {"group": "headline", "quality": None, "target": None, "scope": "training_run"}
    alone = judged("time-to-accuracy", "S16", "time", patch)
    assert alone.outcome is NOT_APPLICABLE
    patch["claims"]["rate"] = {"group": "headline"}
    assert judged("time-to-accuracy", "S16", "time", patch).outcome is NOT_SHOWN
    assert judged("time-to-accuracy", "S16", "rate", patch).outcome is PASS


def test_a_time_that_is_constant_to_its_digits_needs_no_repetition(judged):
    crossings = {f"s{i}": {"crossing": {"reached": True, "time_s": 85.0}} for i in range(1, 6)}
    assert judged("time-to-accuracy", "S16", "time", timed(1, gone=crossings)).outcome is PASS


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


def test_a_sentence_alone_is_never_accused():
    claim = {"statement": "Up to 3x", "value": "3", "unit": "x", "quantity": "rate", "form": "ratio", "scope": "step"}
    claim |= {"mode": "training", "compares": "other_system", "group": "g", "statistic": "mean"}
    value = merge_patch({"dlaudit": "submission/1", "title": "a sentence"}, {"claims": {"speedup": claim}})
    results = judge(Case(to_model(value, Submission)), [rule for rule in book() if rule.code[0] in "SEL"])
    assert not [result for result in results if result.outcome in {VIOLATION, Outcome.ERROR}]


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


@given(st.decimals("0.01", "9999", places=2), st.sampled_from(["up to", "as much as", "as high as"]))
def test_up_to_is_read_before_any_number(value, words):
    def claim(statement):
        sentence = {"statement": statement, "value": str(value), "unit": "x", "quantity": "rate", "form": "ratio"}
        return to_model({**sentence, "scope": "step", "mode": "training", "compares": "none"}, Claim)

    assert qualifier(claim(f"It runs {words} {value:,}x faster.")) == "up_to"
    assert qualifier(claim(f"It runs {value}x faster on {words} {value + 1} devices.")) is None
