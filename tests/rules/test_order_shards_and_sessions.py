"""Order of runs, parts and ranks of one number, sessions, distance in time, the measuring tool, power and sensors."""

import random

import pytest
from dlaudit.rules.facts.series.moments import instant_s
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

VIOLATION, NOT_SHOWN, PASS, APART = Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.PASS, Outcome.NOT_APPLICABLE


def told(result):
    """The outcome, and of a violation its branch and effect."""
    if result.outcome is VIOLATION:
        return result.branch.branch, result.branch.effect
    return result.outcome


def at(day, hour, minute=0):
    return f"2026-03-{day:02d}T{hour:02d}:{minute:02d}:00Z"


def timed(starts, **fields):
    return {"trials": {f"t{index}": {"started": start, **fields} for index, start in enumerate(starts, 1)}}


def both(fused, plain, **claim):
    return {"arms": {"fused": fused, "plain": plain}, "claims": {"speedup": claim}}


@pytest.mark.parametrize("text", [None, "2026-02-31T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T00:00:60Z"])
def test_an_instant_that_is_in_no_calendar(text):
    assert instant_s(text) is None


def test_instants_keep_their_fractions():
    assert instant_s("1970-01-02T00:00:00.25Z") == 86400.25
    assert instant_s("1970-01-02T00:00:00.123456789Z") == pytest.approx(86400.123456789)


# M21: run order -----------------------------------------------------------------------------------------------------

FIRST, LATER = [at(2, 8, m) for m in range(5)], [at(2, 9, m) for m in range(5)]
IN_TURN = [at(2, 8, 2 * m + 1) for m in range(5)]


def steps(slope, seed):
    draw = random.Random(seed)
    return [round(0.75 + slope * index + draw.uniform(-0.01, 0.01), 4) for index in range(60)]


def with_steps(starts, slope):
    trials = {
        f"t{index}": {"started": start, "samples": {"step_time_s": steps(slope, index)}}
        for index, start in enumerate(starts, 1)
    }
    return {"trials": trials}


@pytest.mark.parametrize(
    ("fused", "plain", "expected"),
    [
        (timed(FIRST), timed(LATER), ("a", CAVEAT)),
        (timed(LATER), timed(FIRST), ("a", CAVEAT)),
        (timed([at(2, 8, 2 * m) for m in range(5)]), timed(IN_TURN), PASS),
        (with_steps(FIRST, 0.004), timed(LATER), ("b", UNDERMINES)),
        (with_steps(FIRST, 0.0), with_steps(LATER, 0.0), ("a", CAVEAT)),
        (timed(FIRST), timed(LATER[:4]), APART),  # one trial does not say when
        (timed(FIRST), {}, APART),
        (timed(FIRST[:1]), timed(LATER), APART),
        (timed(FIRST, ended=at(2, 10)), timed(LATER), PASS),  # still running when the other began
        (timed(FIRST) | {"environment": {"host": "node-18"}}, timed(LATER), APART),
        (timed(FIRST, boot_id="aa"), timed(LATER, boot_id="aa"), ("a", CAVEAT)),
    ],
)
def test_run_order(judged, fused, plain, expected):
    assert told(judged("training-pair", "M21", "speedup", both(fused, plain))) == expected


def placed(places, order=None):
    found = {f"t{index}": {"started": None, "order": place} for index, place in enumerate(places, 1)}
    return {"measurement": {"order": order}, "trials": found}


@pytest.mark.parametrize(
    ("fused", "plain", "expected"),
    [
        (placed(range(5)), placed(range(5, 10)), ("a", CAVEAT)),
        (placed(range(0, 10, 2)), placed(range(1, 10, 2)), PASS),
        (placed([None] * 5), placed(range(5)), APART),
        (placed([None] * 5, "unknown"), placed([None] * 5, "unknown"), NOT_SHOWN),
        (placed([None] * 5, "interleaved"), placed([None] * 5, "interleaved"), APART),
        (placed(range(0, 10, 2), "unknown"), placed(range(1, 10, 2)), PASS),
    ],
)
def test_places_tell_the_order_where_no_time_is_given(judged, fused, plain, expected):
    assert told(judged("training-pair", "M21", "speedup", both(fused, plain))) == expected


def test_arms_on_machines_of_their_own_have_no_order(judged):
    unnamed = {"environment": {"host": None}}
    apart = both(timed(FIRST, boot_id="aa") | unnamed, timed(LATER, boot_id="bb") | unnamed)
    assert told(judged("training-pair", "M21", "speedup", apart)) is APART


def test_arms_on_systems_of_their_own_have_no_order(judged):
    def arms(**fields):
        unnamed = {"environment": {"host": None}} | fields
        return {"arms": {"ours": timed(FIRST) | unnamed, "theirs": timed(LATER) | unnamed}}

    assert told(judged("comparison", "M21", "speedup", arms())) is APART  # two systems
    assert told(judged("comparison", "M21", "speedup", arms(system="ours"))) == ("a", CAVEAT)


def test_two_trials_an_arm_are_no_order(judged):
    drop = {f"t{index}": None for index in (3, 4, 5)}
    fused, plain = timed(FIRST[:2]), timed(LATER[:2])
    patch = both({"trials": fused["trials"] | drop}, {"trials": plain["trials"] | drop})
    assert told(judged("training-pair", "M21", "speedup", patch)) is APART


# M22: shards --------------------------------------------------------------------------------------------------------


def shards(value, *parts, **more):
    found = {f"rank-{i}": {"value": v} | ({"size": n} if n is not None else {}) for i, (v, n) in enumerate(parts)}
    return {"arms": {"fused": {"quality": {"loss": {"value": value, "shards": found, **more}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (shards("3.22", ("3.18", 1900), ("3.26", 100)), ("a", REFUTES)),
        (shards("3.18", ("3.18", 1900), ("3.26", 100)), PASS),
        (shards("3.22", ("3.18", 1000), ("3.26", 1000)), PASS),
        (shards("3.22", ("3.18", 1900), ("3.26", None)), NOT_SHOWN),
        (shards("3.22", ("3.18", None), ("3.26", None)), NOT_SHOWN),
        (shards("3.90", ("3.18", None), ("3.26", None)), APART),
        (shards("3.90", ("3.18", 1900), ("3.26", 100)), APART),
        (shards("3.2", ("3.18", 1900), ("3.26", 100)), PASS),  # the printed digits do not tell
        (shards("3.22", ("3.18", 1900), ("3.26", 100), averaging="macro over tasks"), PASS),
        (shards("3.22", ("3.18", 0), ("3.26", 0)), PASS),
        (shards(None, ("3.18", 1900), ("3.26", 100)), APART),
        (shards("3.22", ("3.18", 1900)), APART),  # one part is the whole
        (shards("3.90", ("3.18", None), ("3.26", None), averaging="mean over both ranks"), ("b", REFUTES)),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="weighted mean of the shards"), ("b", REFUTES)),
        (shards("3.28", ("3.18", 1900), ("3.26", 100), averaging="average across ranks"), ("b", CAVEAT)),
        (shards("3.3", ("3.18", 1900), ("3.26", 100), averaging="average across ranks"), APART),
        (shards("3.90", ("3.18", None), ("3.26", None), averaging="mean over tasks"), PASS),  # the parts are ranks
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="mean over 19 classes"), APART),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="mean over seeds of the ranks"), APART),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="mean of the slowest of the ranks"), APART),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="weighted mean"), APART),  # over what?
        (shards("3.25", ("3.18", None), ("3.26", None), averaging="mean over tasks"), PASS),  # other weights
    ],
)
def test_means_of_parts(judged, patch, expected):
    assert told(judged("training-pair", "M22", "speedup", patch)) == expected


def test_a_percentile_over_parts_is_no_mean(judged):
    parts = {"a": {"value": "40000", "size": 9}, "b": {"value": "42600", "size": 1}}
    metric = {"value": "41300", "shards": parts}
    patch = {"arms": {"fused": {"performance": {"rate": metric}}}}
    assert told(judged("training-pair", "M22", "rate", patch)) is APART  # a median
    metric["statistic"] = "mean"
    assert told(judged("training-pair", "M22", "rate", patch)) == ("a", REFUTES)
    for metric["value"] in ("82600", "39000"):  # their sum over the ranks, or their slowest, and the mean over steps
        assert told(judged("training-pair", "M22", "rate", patch)) is APART


# M24: ranks ---------------------------------------------------------------------------------------------------------


def ranks(words, values=None, devices=8):
    metric = {"performance": {"rate": {"ranks": values}}} if values is not None else {}
    return {"arms": {"n8": {"devices": devices, "measurement": {"rank_aggregation": words}, **metric}}}


FOUR = {"0": "100", "1": "101", "2": "102", "3": "110"}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (ranks("mean over ranks", FOUR), ("a", CAVEAT)),
        (ranks("averaged", FOUR), ("a", CAVEAT)),
        (ranks("maximum over ranks, mean over iterations", FOUR), PASS),
        (ranks("slowest rank", FOUR), PASS),
        (ranks("mean over ranks"), NOT_SHOWN),
        (ranks("mean over ranks", {"0": "100", "1": "101"}), NOT_SHOWN),  # two of eight
        (ranks("mean over ranks", {str(i): "100" for i in range(8)}), PASS),
        (ranks("mean over ranks", {"0": "0", "1": "100"}), NOT_SHOWN),
        (ranks(None), NOT_SHOWN),
        (ranks("rank 0"), NOT_SHOWN),
        (ranks("time of the first rank, after a barrier"), PASS),
        (ranks(None, devices=1), APART),
    ],
)
def test_ranks(judged, patch, expected):
    assert told(judged("strong-scaling", "M24", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("devices", "words", "expected"),
    [(8, None, NOT_SHOWN), (8, "rank 0", NOT_SHOWN), (8, "slowest rank", PASS), (1, None, APART)],
)
def test_training_at_one_device_count_has_ranks_as_well(judged, devices, words, expected):
    patch = {"arms": {"a": {"devices": devices, "measurement": {"rank_aggregation": words}}}}
    assert told(judged("rate", "M24", "rate", patch)) == expected


# M25: environments within an arm ------------------------------------------------------------------------------------


def per_trial(*conditions, **claim):
    trials = {f"t{index}": condition for index, condition in enumerate(conditions, 1)}
    return {"arms": {"fused": {"trials": trials}}, "claims": {"speedup": claim}}


def driver(version, *values):
    samples = {"samples": {"step_time_s": list(values)}} if values else {}
    return {"software": {"driver": version}} | samples


OLD, NEW = "470.82.01", "550.54.15"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (per_trial(driver(NEW), driver(OLD)), ("a", CAVEAT)),
        (per_trial(driver(NEW), driver(NEW)), PASS),
        (per_trial(driver(NEW), {}), PASS),
        (per_trial(driver("550.54"), driver(NEW)), PASS),  # one version, given to different lengths
        (per_trial({"environment": {"host": "node-1"}}, {"environment": {"host": "node-2"}}), ("a", CAVEAT)),
        (per_trial({"environment": {"host": "Node 1"}}, {"environment": {"host": "node-1"}}), PASS),
        (per_trial({"environment": {"host": "a node"}}, {"environment": {"host": "the other"}}), PASS),
        (per_trial({"device_ids": ["GPU-1", "GPU-2"]}, {"device_ids": ["GPU-2", "GPU-1"]}), PASS),
        (per_trial({"device_ids": ["GPU-1"]}, {"device_ids": ["GPU-2"]}), ("a", CAVEAT)),
        (per_trial({"environment": {"power_limit_w": 400}}, {"environment": {"power_limit_w": 400.6}}), PASS),
        (per_trial({"environment": {"power_limit_w": 400}}, {"environment": {"power_limit_w": 300}}), ("a", CAVEAT)),
        (
            per_trial(
                {"device_ids": ["GPU-1"]},
                {"device_ids": ["GPU-2"]},
                interval={"low": "1.40", "high": "1.46", "varies": "machines"},
            ),
            PASS,
        ),
        (
            per_trial(driver(NEW), driver(OLD), interval={"low": "1.40", "high": "1.46", "varies": "machines"}),
            ("a", CAVEAT),
        ),
    ],
)
def test_conditions_of_single_trials(judged, patch, expected):
    assert told(judged("training-pair", "M25", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("slow", "expected"),
    [((0.911, 0.912, 0.913), ("b", UNDERMINES)), ((0.79, 0.80, 0.81), ("a", CAVEAT)), ((0.911, 0.912), ("a", CAVEAT))],
)
def test_trials_that_group_by_their_driver(judged, slow, expected):
    fast = [driver(NEW, 0.79, 0.80), driver(NEW, 0.80, 0.81), driver(NEW, 0.79, 0.79)]
    others = [driver(OLD, value, value) | {"kind": "throughput", "outcome": "completed"} for value in slow]
    patch = per_trial(*fast, *others)
    assert told(judged("training-pair", "M25", "speedup", patch)) == expected


def test_runs_of_a_result_on_several_hosts(judged):
    runs = {"r1": {"host": "node-1"}, "r2": {"host": "node-2"}}
    patch = {"arms": {"fused": {"runs": runs}}}
    assert told(judged("training-pair", "M25", "speedup", patch)) == ("a", CAVEAT)


# M26: sessions on shared services -----------------------------------------------------------------------------------

DAYS = [at(day, 8) for day in range(2, 7)]
HALF_PAST = [at(day, 8, 30) for day in range(2, 7)]
NEXT_WEEK = [at(day, 8) for day in range(9, 14)]


def shared(ours, theirs, site="shared"):
    return {"claims": {"speedup": {"site": site}}, "arms": {"ours": ours, "theirs": theirs}}


def dated(day):
    return {"performance": {"rate": {"load": {"date": day}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (shared(timed(DAYS), timed(HALF_PAST)), PASS),
        (shared(timed(DAYS), timed(NEXT_WEEK)), ("a", CAVEAT)),
        (shared(timed([at(2, h) for h in range(5)]), timed(HALF_PAST)), ("a", CAVEAT)),
        (shared(timed(DAYS), {}), NOT_SHOWN),
        (shared({}, {}), NOT_SHOWN),
        (shared(dated("2026-03-02"), dated("2026-03-02")), ("a", CAVEAT)),
        (shared(timed(DAYS), timed(NEXT_WEEK), site="own"), APART),
    ],
)
def test_sessions(judged, patch, expected):
    assert told(judged("comparison", "M26", "speedup", patch)) == expected


def test_two_sessions_are_told(judged):
    two_days = [at(2, 8), at(2, 9), at(3, 20), at(3, 21), at(3, 22)]
    result = judged("comparison", "M26", "speedup", shared(timed(two_days), timed(two_days)))
    assert told(result) is PASS
    assert len(result.notes) == 2


# M28: quality from another day --------------------------------------------------------------------------------------

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
        (days_apart("2026-01-02T08:00:00Z", None), APART),
        (days_apart("2026-01-02T08:00:00Z", "2026-02-31T08:00:00Z"), APART),
    ],
)
def test_quality_from_another_day(judged, patch, expected):
    assert told(judged("training-pair", "M28", "speedup", patch)) == expected


def test_a_long_training_ends_when_it_ends(judged):
    patch = days_apart(at(20, 8), at(2, 8))
    for name in S:
        patch["arms"]["fused"]["trials"][name]["ended"] = at(19, 8)
    assert told(judged("training-pair", "M28", "speedup", patch)) is PASS


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
        return told(judged("training-pair", "M28", "speedup", {"arms": {"fused": fused}}))

    assert outcome(logged(2, 2)) is PASS
    assert outcome(logged(2, 6)) == ("a", CAVEAT)
    assert outcome(logged(2, 6, kind="relative")) is APART
    assert outcome(logged(2, 6), **FROZEN) is PASS
    assert outcome(logged(2, 6, ("7f54", "81aa")), **FROZEN) == ("a", CAVEAT)


# M29: the measuring tool --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("software", "expected"),
    [
        ({"tool_dirty": False}, PASS),
        ({"tool_dirty": True}, ("a", CAVEAT)),
        ({"tool_dirty": True, "tool_changed_files": ["M README.md"]}, ("a", CAVEAT)),
        ({"tool_dirty": True, "tool_changed_files": ["?? notes.py", "?? out/timer.py"]}, PASS),
        ({"tool_dirty": True, "tool_changed_files": ["M src/timer.cc"]}, ("b", UNDERMINES)),
        ({"tool_dirty": True, "tool_changed_files": ["src/accuracy-imagenet.py"]}, ("b", UNDERMINES)),
        ({"tool_dirty": True, "tool_changed_files": ["M docs/timing.md", "M tests/test_timer.py"]}, ("a", CAVEAT)),
        ({}, APART),
    ],
)
def test_the_tool_s_own_tree(judged, software, expected):
    assert told(judged("rate", "M29", "rate", {"arms": {"a": {"software": software}}})) == expected


def test_a_log_may_tell_of_the_tool(judged):
    run = {"role": "performance", "tool": {"name": "loadgen", "changed_files": [" M loadgen/logging.cc"]}}
    result = judged("rate", "M29", "rate", {"arms": {"a": {"runs": {"r1": run}}}})
    assert told(result) == ("b", UNDERMINES)
    assert "loadgen/logging.cc" in result.branch.message


# E03, E05: power and its sensor -------------------------------------------------------------------------------------


def energy(**fields):
    arm = {"energy": {key: value for key, value in fields.items() if key not in {"limit", "devices"}}}
    if "limit" in fields:
        arm["environment"] = {"power_limit_w": fields["limit"]}
    if "devices" in fields:
        arm["devices"] = fields["devices"]
    return {"arms": {"limited": arm}}


NO_LIMIT = {"limit": None, "mean_power_w": 900.0}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (energy(mean_power_w=278.0), ("a", REFUTES)),
        (energy(mean_power_w=262.0), PASS),  # within 5 %
        (energy(mean_power_w=900.0, devices=4), PASS),
        (energy(mean_power_w=278.0, boundary="node"), APART),
        (energy(mean_power_w=278.0, boundary=None), APART),
        (energy(mean_power_w=40.0, energy_j=None), ("a", REFUTES)),
        (energy(mean_power_w=40.0), PASS),  # what was measured above idle: the energy says so
        (energy(mean_power_w=61.0, energy_j=None), PASS),
        (energy(mean_power_w=None), APART),
    ],
)
def test_power_within_limits(judged, patch, expected):
    assert told(judged("energy", "E03", "per-joule", patch)) == expected


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ({"power_limit_w": None}, ("a", REFUTES)),  # what the table says of the device
        ({"power_limit_w": None, "device": "our own chip", "design_power_w": 1000}, PASS),
        ({"power_limit_w": None, "device": "our own chip", "design_power_w": 500}, ("a", REFUTES)),
        ({"power_limit_w": None, "device": "our own chip"}, PASS),  # idle power alone is known
    ],
)
def test_power_without_a_limit_in_force(judged, system, expected):
    patch = energy(**NO_LIMIT) | {"systems": {"node": system}}
    assert told(judged("energy", "E03", "per-joule", patch)) == expected


def test_nothing_to_hold_a_power_against(judged):
    system = {"systems": {"node": {"power_limit_w": None, "device": "our own chip"}}}
    patch = energy(**NO_LIMIT, idle_power_w=None) | system
    assert told(judged("energy", "E03", "per-joule", patch)) is APART


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (energy(updates=49), ("a", CAVEAT)),
        (energy(updates=50), PASS),
        (energy(updates=None), NOT_SHOWN),
        (energy(updates=None, sensor_period_s=0.1), PASS),
        (energy(updates=None, sensor_period_s=30.0), ("a", CAVEAT)),
        (energy(updates=None, sensor_period_s=30.0, duration_s=None), NOT_SHOWN),
        (energy(updates=12, method="meter"), APART),
        (energy(updates=None, method="modelled"), APART),
        (energy(updates=0), ("a", CAVEAT)),
        ({"arms": {"limited": {"energy": None}}}, NOT_SHOWN),
    ],
)
def test_updates_of_the_sensor(judged, patch, expected):
    assert told(judged("energy", "E05", "per-joule", patch)) == expected
