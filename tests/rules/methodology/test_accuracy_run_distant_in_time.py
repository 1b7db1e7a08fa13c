"""M28, accuracy-run-distant-in-time: A speed and a quality that stand together and were measured days apart."""

import pytest
from dlaudit.rules.facts.series.moments import instant_s
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.series import at

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE
T, S = [f"t{i}" for i in range(1, 6)], [f"s{i}" for i in range(1, 6)]


def days_apart(start, quality, **arm):
    trials = {name: {"started": start} for name in T} | {name: {"started": quality} for name in S}
    return {"arms": {"fused": {"software": {"container": "lm:latest"}, "trials": trials, **arm}}}


FROZEN = {
    "option_set": "sha256:" + "0" * 64,
    "software": {"container": "registry.example.org/lm@sha256:0f3a", "tool": "bench.py at 3f9c2ab"},
}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (days_apart(at(2, 8), at(3, 8)), PASS),
        (days_apart(at(2, 8), at(4, 8)), PASS),  # two days are no more than two
        (days_apart(at(2, 8), at(5, 8)), ("a", CAVEAT)),
        (days_apart(at(5, 8), at(2, 8)), ("a", CAVEAT)),
        (days_apart("2026-01-02T08:00:00Z", at(5, 8)), ("b", UNDERMINES)),
        (days_apart("2026-01-02T08:00:00Z", at(5, 8), **FROZEN), PASS),
        (
            days_apart(
                "2026-01-02T08:00:00Z", at(5, 8), **FROZEN | {"software": FROZEN["software"] | {"tool_dirty": True}}
            ),
            ("b", UNDERMINES),
        ),
        (days_apart("2026-01-02T08:00:00Z", None), NOT_APPLICABLE),
    ],
)
def test_quality_from_another_day(judged, patch, expected):
    assert answer(judged("training-pair", "M28", "speedup", patch)) == expected


def test_a_long_training_ends_when_it_ends(judged):
    patch = days_apart(at(20, 8), at(2, 8))
    for name in S:
        patch["arms"]["fused"]["trials"][name]["ended"] = at(19, 8)
    assert answer(judged("training-pair", "M28", "speedup", patch)) is PASS


def logged(perf_day, accuracy_day, commits=("7f54", "7f54"), kind="unix"):
    """Runs of a result with windows of ten minutes, on days of March 2026."""
    runs = {}
    for role, day, commit in zip(("performance", "accuracy"), (perf_day, accuracy_day), commits, strict=True):
        start = instant_s(at(day, 8)) * 1000
        window = {"start_ms": start, "stop_ms": start + 600_000}
        runs[role] = {"role": role, "clock": {"kind": kind}, "window": window, "tool": {"commit": commit}}
    return {"arms": {"fused": {"runs": runs, "software": {"container": "lm:latest"}}}}


def test_runs_of_a_result_far_apart(judged):
    def outcome(patch, **arm):
        fused = {**patch["arms"]["fused"], **arm}
        return answer(judged("training-pair", "M28", "speedup", {"arms": {"fused": fused}}))

    assert outcome(logged(2, 2)) is PASS
    assert outcome(logged(2, 6)) == ("a", CAVEAT)
    assert outcome(logged(2, 6, kind="relative")) is NOT_APPLICABLE
    assert outcome(logged(2, 6), **FROZEN) is PASS
    assert outcome(logged(2, 6, ("7f54", "81aa")), **FROZEN) == ("a", CAVEAT)
