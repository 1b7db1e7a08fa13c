"""S10, multiplicity-uncorrected: One of many comparisons is reported as if it had been the only one."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, UNDERMINES, Outcome
from support.answers import in_full, outcome_and_effect

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("p", "others", "name", "outcome"),
    [
        ("0.038", ("0.18", "0.34", "0.84"), "Student's t", VIOLATION),
        ("0.001", ("0.18", "0.34", "0.84"), "Student's t", PASS),
        ("0.038", ("0.18", "0.34", "0.84"), "Student's t, Holm", PASS),
        ("0.38", ("0.18", "0.34", "0.84"), "Student's t", NOT_APPLICABLE),
        ("0.038", (), "Student's t", NOT_APPLICABLE),
    ],
)
def test_one_of_many_tests(judged, p, others, name, outcome):
    def tested(value):
        return {
            "statement": f"The score changes (p = {value}).",
            "quantity": "accuracy",
            "unit": "fraction",
            "form": "absolute",
            "value": "0.0046",
            "scope": "training_run",
            "purpose": "leaderboard",
            "mode": "training",
            "compares": "own_variants",
            "measured": {"arm": "fused", "metric": "rate"},
            "base": {"arm": "plain", "definition": "without it"},
            "test": {"name": name, "kind": "t", "p": value},
        }

    claims = {"own": tested(p), **{f"other{i}": tested(value) for i, value in enumerate(others)}}
    result = judged("training-pair", "S10", "own", {"claims": claims})
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None)


@pytest.mark.parametrize(
    ("others", "words", "outcome"),
    [
        (5, "significantly better than plain (p = {p})", VIOLATION),
        (5, "significantly better than plain (p = {p}, corrected by Holm)", PASS),
        (5, "significantly better than plain (uncorrected p = {p})", VIOLATION),
        (5, "significantly better than plain (p = {p}, not corrected for the other tests)", VIOLATION),
        (5, "significantly better than plain (p = {p}); 91 of its answers are correct", VIOLATION),
        (0, "significantly better than plain (p = {p})", Outcome.NOT_APPLICABLE),
        (5, "not normal by a test of its shape (p = {p})", Outcome.NOT_APPLICABLE),
    ],
)
def test_one_of_many_tests_told_of_one_arm_each(judged, others, words, outcome):
    def tested(p):
        return {
            "statement": f"The fused run is {words.format(p=p)}.",
            "quantity": "accuracy",
            "unit": "fraction",
            "form": "absolute",
            "value": "0.4571",
            "scope": "training_run",
            "purpose": "leaderboard",
            "mode": "training",
            "compares": "none",
            "quality": {"arm": "fused", "quality": "loss"},
            "test": {"kind": "t", "p": p},
        }

    claims = {"own": tested("0.034"), **{f"other{i}": tested(f"0.{4 + i}") for i in range(others)}}
    assert judged("training-pair", "S10", "own", {"claims": claims}).outcome is outcome


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
    assert in_full(result) == expected
    assert expected[0] is not VIOLATION or result.branch.confidence is C2


def test_one_of_many_by_its_stated_interval(judged):
    def claim(low, high, rows=3, unit="x"):
        gone = {f"t{i}": None for i in range(1, 6)} | {f"s{i}": None for i in range(1, 6)}
        interval = {"low": low, "high": high, "level": 0.95}
        changed = {"interval": interval, "unit": unit, "row": {"table": "systems", "row": "ours", "base_row": "theirs"}}
        more = {f"v{i}": {"values": {"rate": "290000"}} for i in range(rows)}
        arms = {name: {"trials": gone} for name in ("ours", "theirs")}
        return {"claims": {"speedup": changed}, "tables": {"systems": {"rows": more}}, "arms": arms}

    assert in_full(judged("comparison", "S10", "speedup", claim("1.01", "1.40")))[:2] == (VIOLATION, "a")
    assert in_full(judged("comparison", "S10", "speedup", claim("1", "40", unit="%")))[:2] == (VIOLATION, "a")
    assert judged("comparison", "S10", "speedup", claim("1.30", "1.38")).outcome is PASS
    assert judged("comparison", "S10", "speedup", claim("0.98", "1.40")).outcome is NOT_APPLICABLE
    assert judged("comparison", "S10", "speedup", claim("1.40", "1.01")).outcome is NOT_APPLICABLE
