"""W0304, launched-runs-omitted: More runs were planned or started than the document reports."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Study
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.outcome import UNDERMINES, Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from support.scaling import RUNS


def time(**claim):
    return {"claims": {"time": claim}}


def runs(**changes):
    return {"arms": {"trained": {"trials": changes}}}


MISSED = {"evaluations": None, "crossing": {"reached": False}, "final": None}
BROKEN = {"outcome": "failed", "evaluations": None, "crossing": None, "final": None}


@pytest.mark.parametrize("plan", [{"trials": 6}, {"started": 6}, {"seeds": [101, 102, 103, 104, 105, 106]}])
def test_a_planned_run_without_a_trace_undermines(judged, plan):
    result = judged("time-to-accuracy", "W0304", "time", {"arms": {"trained": {"plan": plan}}})
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
    assert (result.branch.claimed, result.branch.recomputed) == ("6", "5")


def test_a_missing_seed_is_named(judged):
    result = judged("time-to-accuracy", "W0304", "time", runs(s3=None))
    assert "seeds 103" in result.branch.message


def test_a_reason_for_each_missing_run_answers(judged):
    omitted = {"trials": 6, "omitted": {"s6": "node failed: uncorrectable memory error"}}
    assert judged("time-to-accuracy", "W0304", "time", {"arms": {"trained": {"plan": omitted}}}).outcome is Outcome.PASS


def test_a_run_that_was_not_run_needs_a_reason(judged):
    silent = {"kind": "convergence", "outcome": "not_run"}
    patch = {"arms": {"trained": {"plan": {"trials": 6}, "trials": {"s6": silent}}}}
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.VIOLATION
    silent["reason"] = "the allocation ended"
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.PASS


def test_in_an_excerpt_the_rest_may_stand_elsewhere(judged):
    patch = {"coverage": "excerpt", "arms": {"trained": {"plan": {"trials": 6}}}}
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.NOT_SHOWN


def test_declared_numbers_of_runs_that_are_not_shown(judged):
    gone = dict.fromkeys(f"t{i}" for i in range(1, 6))
    enough = {"arms": {"timed": {"trials": gone}}}
    assert judged("time-to-accuracy", "W0304", "rate", enough).outcome is Outcome.PASS
    few = {"arms": {"timed": {"trials": gone, "performance": {"rate": {"trials": 3}}}}}
    assert judged("time-to-accuracy", "W0304", "rate", few).outcome is Outcome.NOT_SHOWN


def test_completeness_without_a_plan_is_not_shown(judged):
    patch = {"arms": {"trained": {"plan": None}}}
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.NOT_SHOWN
    quiet = {**patch, **time(statement="It reaches 94 % in 85.0 s.")}
    assert judged("time-to-accuracy", "W0304", "time", quiet).outcome is Outcome.NOT_APPLICABLE


def test_tuning_runs_are_no_launched_runs(judged):
    patch = {"arms": {"trained": {"search": {"trials": 400}}}}
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.PASS


def test_a_failed_run_left_out_of_the_statistic_undermines(judged):
    """Without the two misses the median is 89.8 s, with them it is 90.0 s."""
    patch = {**runs(s4=MISSED, s5={**MISSED, "outcome": "diverged"}), **time(value="89.8")}
    result = judged("time-to-accuracy", "W0304", "time", patch)
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("b", UNDERMINES, "90")


def test_a_failed_run_counted_as_slowest_passes(judged):
    patch = {**runs(s4=MISSED, s5={**MISSED, "outcome": "diverged"}), **time(value="90.0")}
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("claim", "changes", "outcome"),
    [
        ({"statistic": "trimmed_mean", "value": "87.3"}, {"s5": {"wall_s": None}}, Outcome.VIOLATION),
        ({"statistic": "trimmed_mean", "value": "87.3"}, {"s5": {"wall_s": 95.0}}, Outcome.VIOLATION),
        ({"statistic": "trimmed_mean", "value": "87.3"}, {"s5": {"wall_s": 87.0}}, Outcome.PASS),
        ({"statistic": "trimmed_mean", "value": "88.3"}, {"s4": BROKEN, "s5": {"wall_s": 86.0}}, Outcome.VIOLATION),
        ({"statistic": "trimmed_mean", "value": "88.3"}, {"s4": BROKEN, "s5": {"wall_s": 85.0}}, Outcome.PASS),
        ({"statistic": "mean", "value": "87.3"}, {"s5": {"wall_s": 95.0}}, Outcome.VIOLATION),
        ({"statistic": "mean", "value": "87.3"}, {"s5": {"wall_s": 87.3}}, Outcome.PASS),
        ({"statistic": "median", "value": "87.3"}, {"s5": {"wall_s": 87.3}}, Outcome.VIOLATION),
        ({"statistic": "mean", "value": "87.3"}, {"s5": {"outcome": "diverged", "wall_s": 87.3}}, Outcome.VIOLATION),
    ],
)
def test_a_mean_of_all_logged_runs_leaves_none_out(judged, claim, changes, outcome):
    """Each run ends where it meets the target, after 90.0, 85.0, 89.8 and 84.4 s; the fifth ends without."""
    trials = base("time-to-accuracy")["arms"]["trained"]["trials"]
    logged = {name: {"wall_s": trials[name]["crossing"]["time_s"]} for name in RUNS}
    changed = {**logged, **changes, "s5": {**MISSED, **changes["s5"]}}
    assert judged("time-to-accuracy", "W0304", "time", {**runs(**changed), **time(**claim)}).outcome is outcome


@pytest.mark.parametrize("criterion", ["mean", "median", "share"])
def test_a_criterion_over_runs_may_leave_single_misses(judged, criterion):
    patch = {**runs(s4=MISSED), **time(value="87.3", criterion=criterion)}
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.PASS


def test_a_crash_with_its_cause_is_no_missed_target(judged):
    crash = {**MISSED, "outcome": "failed", "reason": "node lost", "crossing": None}
    assert judged("time-to-accuracy", "W0304", "time", {**runs(s4=crash), **time(value="87.4")}).outcome is Outcome.PASS


def study(plan=(), plans=None, **arms):
    """The base's arms as a study that the submission cites under the name `s`."""
    record = {
        "dlaudit": "study/1",
        "tool": {"name": "dlaudit", "version": "1"},
        "libraries": {},
        "study": {
            "id": "s",
            "title": "s",
            "spec_sha256": "0" * 64,
            "spec": "",
            "started": "2026-01-01T00:00:00Z",
            "ended": "2026-01-01T01:00:00Z",
            "complete": True,
        },
        "plan": [{"trial": trial, "arm": "timed", "kind": "throughput", "seed": 1} for trial in plan],
        "systems": {},
        "arms": merge_patch({"timed": base("time-to-accuracy")["arms"]["timed"]}, arms),
    }
    return {"s": Study("s", to_model(record, Predicate, "s:"), "trusted", plans=plans)}


CITED = {"claims": {"rate": {"measured": {"manifest": "s", "arm": "timed", "metric": "rate"}}}}


@pytest.mark.parametrize(
    ("cited", "outcome"),
    [
        (study(), Outcome.PASS),
        (study(plan=("t1", "t2", "t3", "t4", "t5")), Outcome.PASS),
        (study(plan=("t1", "t2", "t3", "t4", "t5", "t6")), Outcome.VIOLATION),
        (study(plan=("t1", "t6"), timed={"plan": {"omitted": {"t6": "node lost"}}}), Outcome.PASS),
        (study(timed={"trials": {"t2": {"order": 7}}}), Outcome.VIOLATION),
        (study(timed={"trials": {"t2": {"order": None}}}), Outcome.PASS),
        (study(plans=3), Outcome.NOT_SHOWN),
    ],
)
def test_a_cited_study_is_held_against_its_plan(judged, cited, outcome):
    result = judged("time-to-accuracy", "W0304", "rate", CITED, studies=cited)
    assert result.outcome is outcome, result
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


def loads(trials, planned=15):
    rate = {"load": {"concurrency": 16, "loop": "closed"}, "trials": 5}
    other = {"quantity": "rate", "unit": "requests/s", "statistic": "mean", "value": "9.1", "trials": trials}
    more = {f"rate-{n}": other | {"load": {"concurrency": n, "loop": "closed"}} for n in (8, 32)}
    plan = {"trials": planned, "started": planned, "seeds": [1, 2, 3, 4, 5]}
    return {"arms": {"server": {"plan": plan, "performance": {"rate": rate, **more}}}}


@pytest.mark.parametrize(
    ("trials", "planned", "outcome"),
    [(5, 15, Outcome.NOT_SHOWN), (4, 15, Outcome.VIOLATION), (5, 20, Outcome.VIOLATION)],
)
def test_a_plan_over_several_loads(judged, trials, planned, outcome):
    assert judged("serving", "W0304", "rate", loads(trials, planned)).outcome is outcome


ENDS = {"s6": 0.9381, "s7": 0.9379, "s8": 0.9380}


def ended(value):
    more = {
        name: {
            "kind": "convergence",
            "outcome": "completed",
            "evaluations": [{"split": "test", "samples": 1966080, "metrics": {"accuracy": end}}],
        }
        for name, end in ENDS.items()
    }
    arm = {"plan": {"trials": 8, "started": 8}, "trials": more, "quality": {"accuracy": {"value": value}}}
    claim = {"quantity": "accuracy", "unit": None, "target": None, "criterion": None, "value": value}
    return {"arms": {"trained": arm}, "claims": {"time": claim}}


@pytest.mark.parametrize(("value", "outcome"), [("0.9450", Outcome.VIOLATION), ("0.9424", Outcome.PASS)])
def test_a_quality_over_the_better_seeds(judged, value, outcome):
    assert judged("time-to-accuracy", "W0304", "time", ended(value)).outcome is outcome
