"""Rules on raw series: every branch, what must stay silent, and what no series can tell."""

import math
import random

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import C1, CAVEAT, REFUTES, UNDERMINES, Outcome

NONE = {f"t{k}": None for k in range(1, 6)}


def noisy(seed, n=60, level=0.1024, noise=0.005):
    source = random.Random(seed)
    return [float(f"{level * math.exp(noise * source.gauss(0, 1)):.6g}") for _ in range(n)]


def trials(rows, **fields):
    """A patch of the trials of an arm: these series and no others."""
    listed = {
        f"t{k}": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": row}, **fields}
        for k, row in enumerate(rows, start=1)
    }
    return {"trials": NONE | listed}


def rate(rows, metric=None, **arm):
    performance = {"performance": {"rate": metric}} if metric is not None else {}
    return {"arms": {"a": {**trials(rows), **performance, **arm}}}


def honest(count=5, **how):
    return [noisy(seed, **how) for seed in range(count)]


def slow(row, head=6, factor=1.3):
    return [factor * x for x in row[:head]] + row[head:]


def strength(result):
    assert result.outcome is Outcome.VIOLATION, result
    return result.branch.branch, result.branch.effect


# M01, M02: heads


def test_a_kept_head_that_moves_the_stated_mean_undermines(judged):
    rows = [slow(row) for row in honest()]
    found = judged("rate", "M02", "rate", rate(rows, {"value": "2428", "digits": None, "statistic": "mean"}))
    assert strength(found) == ("a", UNDERMINES)
    assert "5 of 5 trials" in found.branch.message
    assert len(found.branch.related) == 4


def test_a_kept_head_that_leaves_the_stated_median_is_a_caveat(judged):
    rows = [slow(row) for row in honest()]
    assert strength(judged("rate", "M02", "rate", rate(rows, {"value": "2500", "digits": 2}))) == ("b", CAVEAT)


def test_one_slow_trial_of_five_is_a_caveat_and_its_place_is_named(judged):
    rows = [slow(noisy(0)), *honest()[1:]]
    found = judged("rate", "M02", "rate", rate(rows, {"value": "2428", "statistic": "mean"}))
    assert strength(found) == ("b", CAVEAT)
    assert found.branch.at == "/arms/a/trials/t1/samples"


@pytest.mark.parametrize(
    "row",
    [noisy(1, n=14), [0.1] * 60, ([0.1] * 5 + [0.2]) * 10],
    ids=["short", "constant", "coarse"],
)
def test_a_series_that_cannot_tell_its_beginning_is_not_judged(judged, row):
    assert judged("rate", "M02", "rate", rate([row] * 2)).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("head", [1, 2, 3])
def test_a_head_of_a_few_values_is_seen(judged, head):
    found = judged("rate", "M02", "rate", rate([slow(row, head, 2.5) for row in honest()]))
    assert found.outcome is Outcome.VIOLATION
    assert ("the first value is" if head == 1 else f"the first {head} values are") in found.branch.message


def test_a_pause_in_the_middle_is_no_head(judged):
    rows = [[*row[:20], 0.4, *row[20:]] for row in honest()]
    assert judged("rate", "M02", "rate", rate(rows)).outcome is Outcome.PASS


def decaying(row, head, factor=1.5):
    return [x * (1 + (factor - 1) * math.exp(-4 * k / head)) if k < head else x for k, x in enumerate(row)]


@pytest.mark.parametrize("head", [20, 40])
def test_a_head_beyond_the_window_is_one_where_it_decays(judged, head):
    rows = [decaying(row, head) for row in honest()]
    found = judged("rate", "M02", "rate", rate(rows, {"value": "2250", "digits": 3, "statistic": "mean"}))
    assert strength(found) == ("a", UNDERMINES)
    late = [[*row[:20], *(1.3 * x for x in row[20:40]), *row[40:]] for row in honest()]
    assert judged("rate", "M02", "rate", rate(late)).outcome is not Outcome.VIOLATION
    line = [drifting(row, -0.3) for row in honest()]
    assert judged("rate", "M02", "rate", rate(line)).outcome is not Outcome.VIOLATION


def test_a_fast_head_or_a_late_change_is_no_warm_up(judged):
    for change in (lambda row: slow(row, 6, 0.8), lambda row: row[:30] + slow(row[30:], 30, 1.3)):
        rows = [change(row) for row in honest()]
        assert judged("rate", "M02", "rate", rate(rows)).outcome is not Outcome.VIOLATION


def test_two_discarded_iterations_are_judged_by_the_series_behind_them(judged):
    warm = {"measurement": {"warmup": {"discarded": 2}}}
    for rows, wanted in ((honest(), ("b", CAVEAT)), ([slow(row) for row in honest()], ("a", UNDERMINES))):
        patch = rate(rows)
        patch["arms"]["a"] |= warm
        assert strength(judged("rate", "M01", "rate", patch)) == wanted


# M03, M10: discards


def measured(**fields):
    return {"arms": {"a": {"measurement": fields}}}


PREFIX = list(range(10))


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({}, Outcome.NOT_APPLICABLE),
        ({"raw_count": 70, "used_count": 60}, Outcome.PASS),
        ({"raw_count": 70, "used_count": 60, "discarded_iterations": PREFIX}, Outcome.PASS),
        ({"raw_count": 75, "used_count": 60}, Outcome.NOT_SHOWN),
        ({"raw_count": 75, "used_count": 60, "discarded_iterations": list(range(15))}, Outcome.PASS),
        ({"discarded_iterations": [0, 1, 2, 50]}, Outcome.VIOLATION),
        ({"raw_count": 200, "used_count": 60}, Outcome.VIOLATION),
        ({"raw_count": 1060, "used_count": 60, "warmup": {"discarded": 1000}}, Outcome.PASS),
        ({"raw_count": 350, "used_count": 300}, Outcome.PASS),
    ],
    ids=["unstated", "prefix", "listed", "unlisted", "longer", "middle", "most", "long warm-up", "of all trials"],
)
def test_what_was_discarded(judged, fields, outcome):
    found = judged("rate", "M03", "rate", measured(**fields))
    assert found.outcome is outcome, found
    if outcome is Outcome.VIOLATION:
        assert strength(found) == ("a", UNDERMINES)


def test_a_failure_window_by_a_stated_rule_is_excused(judged):
    patch = measured(raw_count=74, used_count=60, discarded_iterations=[*PREFIX, 30, 31, 32, 33], discard_rule="outage")
    assert judged("rate", "M03", "rate", patch).outcome is Outcome.VIOLATION
    patch["arms"]["a"]["performance"] = {"rate": {"n": {"excluded": 4}}}
    assert judged("rate", "M03", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [("they looked disturbed", Outcome.VIOLATION), ("a network failure, logged by the host", Outcome.PASS)],
)
def test_a_rule_that_names_no_failure_excuses_nothing(judged, rule, outcome):
    patch = measured(raw_count=74, used_count=60, discarded_iterations=[*PREFIX, 30, 31, 32, 33], discard_rule=rule)
    patch["arms"]["a"]["performance"] = {"rate": {"n": {"excluded": 4}}}
    assert judged("rate", "M03", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("policy", "recorded", "found"),
    [
        ("until the step time no longer fell", 90, ("b", CAVEAT)),
        ("until the step time no longer fell", 300, None),
        ("fixed before: 80 steps, until the caches are full", 90, None),
        (None, 90, None),
    ],
)
def test_a_warm_up_of_most_steps_that_ended_where_the_times_looked_best(judged, policy, recorded, found):
    warmup = {"discarded": 80, "unit": "iteration", "policy": policy}
    patch = rate([noisy(0, recorded - 80)])
    patch["arms"]["a"]["measurement"] = {"warmup": warmup, "raw_count": recorded, "used_count": recorded - 80}
    result = judged("rate", "M03", "rate", patch)
    assert (strength(result) if found else result.outcome) == (found or Outcome.PASS)


def test_arms_that_discard_differently(judged):
    steady = {"arms": {"fused": {"measurement": {"raw_count": 40, "warmup": {"discarded": 10}}}}}
    assert strength(judged("training-pair", "M03", "speedup", steady)) == ("b", CAVEAT)
    rows = [slow(noisy(seed, 30, 1.13), 5) for seed in range(5)]
    unsteady = {"arms": {"fused": steady["arms"]["fused"], "plain": trials(rows)}}
    assert strength(judged("training-pair", "M03", "speedup", unsteady)) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("fields", "excluded", "outcome"),
    [
        ({"raw_count": 75, "used_count": 60}, 0, Outcome.VIOLATION),
        ({"raw_count": 75, "used_count": 60, "discard_rule": "above 3 medians"}, 0, Outcome.PASS),
        ({"raw_count": 75, "used_count": 60}, 5, Outcome.PASS),
        ({"raw_count": 70, "used_count": 60}, 0, Outcome.PASS),
        ({"raw_count": 60, "used_count": 60}, 0, Outcome.PASS),
        ({"used_count": 60}, 0, Outcome.NOT_APPLICABLE),
    ],
)
def test_values_that_went_missing(judged, fields, excluded, outcome):
    patch = measured(**fields)
    patch["arms"]["a"]["performance"] = {"rate": {"n": {"excluded": excluded}}}
    assert judged("rate", "M10", "rate", patch).outcome is outcome


# M06: scatter


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


# M07, M08, M09: order and shape


def drifting(row, change):
    return [x * (1 + change * k / len(row)) for k, x in enumerate(row)]


@pytest.mark.parametrize(("change", "word"), [(0.1, "slower"), (-0.1, "faster")])
def test_a_drift_undermines_either_way(judged, change, word):
    found = judged("rate", "M07", "rate", rate([drifting(row, change) for row in honest()]))
    assert strength(found) == ("a", UNDERMINES)
    assert word in found.branch.message


def test_a_drift_that_is_no_line_is_seen(judged):
    rows = [[x * (1.1 - 0.1 * math.exp(-k / 12)) for k, x in enumerate(noisy(seed, noise=0.02))] for seed in range(5)]
    assert judged("rate", "M07", "rate", rate(rows)).outcome is Outcome.VIOLATION


def test_a_small_drift_and_a_short_series_are_left(judged):
    assert judged("rate", "M07", "rate", rate([drifting(row, 0.015) for row in honest()])).outcome is Outcome.PASS
    short = [drifting(row, 0.3) for row in honest(n=29)]
    assert judged("rate", "M07", "rate", rate(short)).outcome is Outcome.NOT_APPLICABLE


def test_one_drifting_trial_is_a_caveat(judged):
    rows = [drifting(noisy(9), 0.1), *honest(4)]
    assert strength(judged("rate", "M07", "rate", rate(rows))) == ("b", CAVEAT)


def smooth(seed, n=200):
    """Times that depend on the one before them, by half."""
    source, state, values = random.Random(seed), 0.0, []
    for _ in range(n):
        state = 0.5 * state + source.gauss(0, 1)
        values.append(0.1024 * math.exp(0.01 * state))
    return values


def over(varies, low="2495", high="2505"):
    return {"interval": {"low": low, "high": high, "level": 0.95, "varies": varies}}


def test_dependent_iterations_need_a_wider_interval(judged):
    rows = [smooth(seed) for seed in range(4)]
    assert strength(judged("rate", "M08", "rate", rate(rows, over("iterations")))) == ("a", UNDERMINES)
    assert strength(judged("rate", "M08", "rate", rate(rows[:1], over("iterations")))) == ("b", CAVEAT)
    wide = judged("rate", "M08", "rate", rate(rows, over("iterations", "2400", "2600")))
    assert wide.outcome is Outcome.PASS


def wandering(seed, n=60, by=0.85):
    source, state, values = random.Random(seed), 0.0, []
    for _ in range(n):
        state = by * state + math.sqrt(1 - by * by) * source.gauss(0, 1)
        values.append(0.1024 * math.exp(0.02 * state))
    return values


def test_a_series_too_dependent_for_blocks_widens_the_interval_by_its_autocorrelation_time(judged):
    rows = [wandering(seed) for seed in range(5)]  # as independent values, 300 of them, +- 0.23 %
    narrow = judged("rate", "M08", "rate", rate(rows, over("iterations", "2494", "2506")))
    assert strength(narrow) == ("a", UNDERMINES)
    wide = judged("rate", "M08", "rate", rate(rows, over("iterations", "2480", "2520")))
    assert wide.outcome is Outcome.PASS
    independent = [noisy(seed, noise=0.02) for seed in range(5)]
    found = judged("rate", "M08", "rate", rate(independent, over("iterations", "2494", "2506")))
    assert found.outcome is Outcome.PASS


@pytest.mark.parametrize("varies", ["trials", "seeds", None])
def test_an_interval_over_trials_ignores_no_dependence(judged, varies):
    rows = [smooth(seed) for seed in range(4)]
    assert judged("rate", "M08", "rate", rate(rows, over(varies))).outcome is Outcome.NOT_APPLICABLE


def test_two_modes_are_seen_where_the_clock_is_fine(judged):
    rows = [[x * (1.2 if k % 2 else 1) for k, x in enumerate(row)] for row in honest()]
    assert strength(judged("rate", "M09", "rate", rate(rows))) == ("a", CAVEAT)
    coarse = [[round(x, 2) for x in row] for row in rows]
    assert judged("rate", "M09", "rate", rate(coarse)).outcome is Outcome.NOT_APPLICABLE
    assert judged("rate", "M09", "rate", rate(honest())).outcome is Outcome.PASS


def test_short_trials_show_their_modes_together(judged):
    two = [[x * (1.15 if k % 2 else 1) for k, x in enumerate(row)] for row in honest(n=40)]
    assert strength(judged("rate", "M09", "rate", rate(two))) == ("a", CAVEAT)
    assert judged("rate", "M09", "rate", rate(honest(n=40))).outcome is Outcome.PASS
    levels = [[x * (1 + 0.1 * k) for x in row] for k, row in enumerate(honest(n=40))]
    assert judged("rate", "M09", "rate", rate(levels)).outcome is Outcome.PASS  # each trial has one mode
    assert judged("rate", "M09", "rate", rate(two[:1])).outcome is Outcome.NOT_APPLICABLE
    assert judged("rate", "M09", "rate", rate(honest(9, n=9))).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("quantity", ["flops", "mfu"])
def test_modes_behind_operations_per_second_are_modes(judged, quantity):
    source = random.Random(4)
    rows = [[x * source.choice((1, 1, 1.24)) for x in row] for row in honest(n=60)]
    unit = {"flops": "TFLOP/s", "mfu": "%"}[quantity]
    metric = {"quantity": quantity, "unit": unit, "value": "40.1", "work_per_iteration": 4.0}
    patch = {"claims": {"rate": {"quantity": quantity, "unit": unit, "value": "40.1"}}, **rate(rows, metric)}
    assert strength(judged("rate", "M09", "rate", patch)) == ("a", CAVEAT)
    even = {**patch, **rate(honest(), metric)}
    assert judged("rate", "M09", "rate", even).outcome is Outcome.PASS


# M05: one process


@pytest.mark.parametrize(
    ("rows", "varies", "outcome"),
    [
        (1, "iterations", Outcome.NOT_SHOWN),
        (1, "trials", Outcome.PASS),
        (5, "iterations", Outcome.PASS),
    ],
)
def test_an_interval_of_one_process(judged, rows, varies, outcome):
    patch = rate(honest(rows), over(varies))
    patch["claims"] = {"rate": {"interval": None}}
    assert judged("rate", "M05", "rate", patch).outcome is outcome


# M12: clocks


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


# F12, F13, F14: copies


def test_a_copied_trial_refutes(judged):
    rows = [*honest(4), noisy(0)]
    found = judged("rate", "F12", "rate", rate(rows))
    assert strength(found) == ("a", REFUTES)
    assert "t1 of arm a and t5 of arm a share 60 consecutive values" in found.branch.message


def test_a_copied_part_refutes_wherever_it_stands(judged):
    rows = honest(3)
    rows[2][40:55] = rows[0][3:18]
    found = judged("rate", "F12", "rate", rate(rows))
    assert "share 15 consecutive values" in found.branch.message


@pytest.mark.parametrize(
    "rows",
    [
        [[0.1024] * 60] * 3,
        [[0.10, 0.11, 0.12] * 20] * 3,
        [[0.1, 0.2, 0.3, 0.4, 0.5]] * 2,
        [noisy(1)],
    ],
    ids=["constant", "pattern", "short", "alone"],
)
def test_equal_values_that_prove_nothing(judged, rows):
    assert judged("rate", "F12", "rate", rate(rows)).outcome is Outcome.NOT_APPLICABLE


def test_a_series_that_begins_again_as_a_whole_is_a_caveat(judged):
    """A device whose every cycle is fixed takes the same times for the same inputs."""
    row = {seed: [x * math.pi / 3 for x in noisy(seed)] for seed in range(5)}
    found = judged("rate", "F12", "rate", rate([2 * row[seed][:30] for seed in range(5)]))
    assert strength(found) == ("e", CAVEAT)
    assert "repeats its first 30 values" in found.branch.message
    rows = [2 * row[seed][:30] for seed in range(4)]
    later = [row[4][:40] + row[4][:20] + row[4][50:]]
    assert strength(judged("rate", "F12", "rate", rate(rows + later))) == ("c", UNDERMINES)


def test_short_trials_of_fixed_inputs_agree_by_chance_at_each_place(judged):
    source = random.Random(3)
    levels = [0.01234567, 0.02345678, 0.01987654, 0.03141592, 0.02718281]
    ticks = [[round(x + source.choice([0, 0, 1, 2, 3]) * 1e-8, 8) for x in levels] for _ in range(60)]
    assert len({tuple(row) for row in ticks}) < len(ticks)
    assert judged("rate", "F12", "rate", rate(ticks)).outcome is not Outcome.VIOLATION
    fine = [[round(x * math.exp(source.gauss(0, 0.01)), 8) for x in levels] for _ in range(20)]
    assert judged("rate", "F12", "rate", rate(fine)).outcome is not Outcome.VIOLATION
    assert strength(judged("rate", "F12", "rate", rate(fine[:16] + fine[:4]))) == ("d", REFUTES)
    failed = rate(fine[:16] + fine[:4])
    for k in range(17, 21):
        failed["arms"]["a"]["trials"][f"t{k}"]["outcome"] = "failed"
    assert judged("rate", "F12", "rate", failed).outcome is not Outcome.VIOLATION


def test_simulated_times_may_repeat(judged):
    for code in ("F12", "F13", "F14"):
        patch = rate([noisy(0), noisy(0), [2 * x for x in noisy(0)], [0.1] * 20])
        patch["claims"] = {"rate": {"basis": "simulated"}}
        assert judged("rate", code, "rate", patch).outcome is not Outcome.VIOLATION


def test_one_run_listed_under_two_arms_is_no_copy(judged):
    """One baseline run that two comparisons cite."""
    run = trials([noisy(3, 30, 1.13)], seed=1, order=0, warmup=5, iterations_planned=30)
    patch = {"arms": {"plain": run, "fused": trials([noisy(4, 30, 0.8)]), "cited": {"options": None, **run}}}
    patch["arms"]["cited"] |= {"system": "node", "performance": {}}
    assert judged("training-pair", "F12", "speedup", patch).outcome is Outcome.PASS
    patch["arms"]["cited"] |= {"options": {"model": "another"}}
    assert judged("training-pair", "F12", "speedup", patch).outcome is Outcome.VIOLATION


def test_a_stretched_copy_refutes_across_arms(judged):
    base = [noisy(seed, 30, 1.13) for seed in range(3)]
    made = [[float(f"{0.7 * x + 0.002:.6g}") for x in base[0]], noisy(8, 30, 0.8), noisy(9, 30, 0.8)]
    patch = {"arms": {"plain": trials(base), "fused": trials(made)}}
    found = judged("training-pair", "F13", "speedup", patch)
    assert strength(found) == ("a", REFUTES)
    assert float(found.branch.recomputed) == pytest.approx(1 / 0.7, rel=1e-3)
    assert judged("training-pair", "F12", "speedup", patch).outcome is Outcome.PASS


def test_a_part_that_is_a_stretched_copy_refutes(judged):
    rows = [[round(x, 6) for x in row] for row in honest(3)]
    rows[2][32:52] = [round(1.02 * x - 0.001, 6) for x in rows[0][32:52]]
    found = judged("rate", "F13", "rate", rate(rows))
    assert strength(found) == ("a", REFUTES)
    assert "the values 33 to 49 of t3 of arm a" in found.branch.message


def test_two_runs_that_settle_alike_are_no_copies(judged):
    """Both get faster step by step over the first 20 steps, on one curve."""
    rows = honest(3)
    for row, factor in zip(rows, (1.0, 1.3, 0.8), strict=True):
        row[:20] = [float(f"{factor * (0.1 + 0.5 * math.exp(-k / 4)):.4g}") for k in range(20)]
    assert judged("rate", "F13", "rate", rate(rows)).outcome is Outcome.PASS


def trained(values, seeds=(1, 2, 3, 4, 5)):
    """A patch of the training runs of an arm: these curves under these seeds."""
    runs = {
        f"s{k}": {
            "kind": "convergence", "outcome": "completed", "seed": seed, "crossing": None,
            "evaluations": [
                {"split": "test", "step": 100 * at, "metrics": {"accuracy": value}} for at, value in enumerate(row)
            ],
        }
        for k, (row, seed) in enumerate(zip(values, seeds, strict=False), start=1)
    }  # fmt: skip
    return {"arms": {"trained": {"trials": dict.fromkeys(("s1", "s2", "s3", "s4", "s5")) | runs}}}


def curve(seed, n=12):
    source = random.Random(seed)
    return [round(0.95 - 0.5 * math.exp(-k / 3) + source.gauss(0, 0.002), 4) for k in range(n)]


TWO_ALIKE = [curve(1), curve(2), curve(1), curve(4), curve(5)]


@pytest.mark.parametrize(
    ("values", "seeds", "found"),
    [
        (TWO_ALIKE, (1, 2, 3, 4, 5), True),
        (TWO_ALIKE, (1, 2, 1, 4, 5), False),  # one program under one seed
        (TWO_ALIKE, (1, 2, None, 4, 5), False),
        ([curve(seed) for seed in range(5)], (1, 2, 3, 4, 5), False),
        ([row[:5] for row in TWO_ALIKE], (1, 2, 3, 4, 5), False),
        ([[round(x, 1) for x in row] for row in TWO_ALIKE], (1, 2, 3, 4, 5), False),  # too coarse
        ([curve(1)] * 5, (1, 2, 3, 4, 5), False),  # the seed changes nothing
        ([curve(1), curve(1)], (1, 2), False),  # nothing tells how near two seeds come
        ([curve(1), curve(2), curve(1)[:6] + curve(3)[6:]], (1, 2, 3), False),  # one beginning
    ],
    ids=["copy", "one seed", "no seed", "apart", "short", "coarse", "no effect", "two", "fork"],
)
def test_a_curve_of_another_seed_refutes(judged, values, seeds, found):
    result = judged("accuracy", "F12", "accuracy", trained(values, seeds))
    assert (result.outcome is Outcome.VIOLATION) is found, result
    if found:
        assert strength(result) == ("b", REFUTES)
        assert "runs s1 and s3 of arm trained" in result.branch.message


def test_a_mirrored_copy_refutes(judged):
    rows = [noisy(0), [float(f"{0.2048 - x:.8g}") for x in noisy(0)]]
    assert strength(judged("rate", "F13", "rate", rate(rows))) == ("a", REFUTES)


def test_a_pause_at_one_place_makes_no_copy(judged):
    """Both runs write a checkpoint at the same step: their correlation is nearly 1, and they are two runs."""
    rows = honest(3)
    for row in rows:
        row[20] = 900.0
    assert judged("rate", "F13", "rate", rate(rows)).outcome is Outcome.PASS


def test_runs_on_equal_data_correlate_and_are_no_copies(judged):
    shared = noisy(50, noise=0.05)
    rows = [[x * y / 0.1024 for x, y in zip(shared, noisy(seed, noise=0.002), strict=True)] for seed in range(4)]
    assert judged("rate", "F13", "rate", rate(rows)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        ([0.1024] * 12, Outcome.VIOLATION),
        ([0.1024 + 1e-7 * (k % 5) for k in range(12)], Outcome.VIOLATION),
        (noisy(3, 12), Outcome.PASS),
        ([0.1024] * 9, Outcome.NOT_APPLICABLE),
    ],
)
def test_regular_times(judged, row, outcome):
    assert judged("rate", "F14", "rate", rate([row])).outcome is outcome


def test_less_than_a_tick_of_scatter_is_implausible(judged):
    patch = rate([noisy(3, 30, noise=0.001)])
    patch["arms"]["a"]["measurement"] = {"timer": {"resolution_s": 0.001}}
    assert strength(judged("rate", "F14", "rate", patch)) == ("a", CAVEAT)
    patch["arms"]["a"]["measurement"] = {"timer": {"resolution_s": None}}
    assert judged("rate", "F14", "rate", patch).outcome is Outcome.NOT_APPLICABLE


def seeds(values, examples=50000, unit="fraction", **quality):
    listed = dict.fromkeys(base("accuracy")["arms"]["trained"]["quality"]["accuracy"]["seeds"])
    listed |= {f"of run {number}": value for number, value in enumerate(values)}
    fields = {"seeds": listed, "examples": examples, "counted": True, "unit": unit, "plus_minus": None, **quality}
    return {"arms": {"trained": {"quality": {"accuracy": fields}}}}


BY_TWENTY = ("0.78566", "0.78526", "0.78686", "0.78646", "0.78606")


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        (seeds(BY_TWENTY), True),
        (seeds([f"{100 * float(value):.3f}" for value in BY_TWENTY], unit="%"), True),
        (seeds(("0.78566", "0.78526", "0.78688", "0.78646", "0.78606")), False),  # one image beside the grid
        (seeds(("0.786", "0.785", "0.787", "0.788", "0.784")), False),  # in steps of their rounding
        (seeds(("0.78600", "0.78500", "0.78700", "0.78800", "0.78400")), False),
        (seeds(("0.78566", "0.78572", "0.78584", "0.78560", "0.78578")), False),  # of 3: chance
        (seeds(("0.7856", "0.7852", "0.7868", "0.7864", "0.7860"), examples=2500), False),  # one example each
        (seeds(BY_TWENTY[:3]), False),
        (seeds(BY_TWENTY, counted=False), False),
        (seeds(BY_TWENTY, examples=None), False),
        (seeds(["0.78566"] * 5), False),
    ],
)
def test_counts_of_seeds_in_even_steps_are_a_caveat(judged, patch, found):
    patch["claims"] = {"accuracy": {"interval": None}}
    result = judged("accuracy", "F14", "accuracy", patch)
    assert (result.outcome is Outcome.VIOLATION) is found, result
    if found:
        assert strength(result) == ("b", CAVEAT)
        assert "multiples of 20 of 50000" in result.branch.message


# what is missing


@pytest.mark.parametrize("code", ["M02", "M06", "M07", "M09", "M12", "F12", "F13", "F14"])
def test_a_trial_without_numbers_leaves_the_rest_undecided(judged, code):
    patch = rate(honest(4))
    assert judged("rate", code, "rate", patch).outcome is Outcome.PASS
    patch["arms"]["a"]["trials"]["t6"] = {"kind": "throughput", "outcome": "completed"}
    assert judged("rate", code, "rate", patch).outcome is Outcome.NOT_APPLICABLE
    patch["arms"]["a"]["trials"]["t6"] = {"kind": "throughput", "outcome": "failed"}
    assert judged("rate", code, "rate", patch).outcome is Outcome.PASS
