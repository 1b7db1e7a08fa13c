"""Conditions of a measurement: clocks, throttling, limits, versions, isolation, and what differs between two arms."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

VIOLATION, NOT_SHOWN, PASS, APART = Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.PASS, Outcome.NOT_APPLICABLE


def told(result):
    """The outcome, and of a violation its branch and effect."""
    if result.outcome is VIOLATION:
        return result.branch.branch, result.branch.effect
    return result.outcome


def arm(**fields):
    return {"arms": {"a": fields}}


def both(fused=None, plain=None, claim=None, **more):
    patch = {"arms": {"fused": fused or {}, "plain": plain or {}}}
    return patch | ({"claims": {"speedup": claim}} if claim else {}) | more


# M11: the clock waits for the device --------------------------------------------------------------------------------

HOST = {"timer": {"name": "time.perf_counter"}}
UNSYNCED = {"synchronisation": "none"} | HOST
AT_THE_END = {"synchronisation": "final_sync_only"} | HOST


def no_samples(**fields):
    return {f"t{index}": {"samples": None, **fields} for index in range(1, 6)}


TOTALS = {"performance": {"rate": {"statistic": "total", "n": None}}, "trials": no_samples()}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"measurement": UNSYNCED}, ("a", REFUTES)),
        ({"measurement": AT_THE_END}, ("b", UNDERMINES)),
        ({"measurement": {"synchronisation": None}}, NOT_SHOWN),
        ({"measurement": {"synchronisation": "none", "timer": None}}, NOT_SHOWN),
        ({"measurement": {"synchronisation": "none", "timer": {"name": "our timer"}}}, NOT_SHOWN),
        ({"measurement": {"synchronisation": "none", "timer": {"name": "CUDA events"}}}, PASS),
        ({"measurement": {"synchronisation": "device_sync_each"} | HOST}, PASS),
        ({"measurement": {"synchronisation": "not_needed"} | HOST}, PASS),
        ({"measurement": UNSYNCED, **TOTALS}, PASS),
        ({"measurement": AT_THE_END, **TOTALS}, PASS),
        ({"measurement": AT_THE_END, "performance": {"rate": {"statistic": "mean"}}}, PASS),
        ({"measurement": AT_THE_END, "trials": no_samples()}, ("b", UNDERMINES)),
        ({"measurement": UNSYNCED, "trials": no_samples()}, ("a", REFUTES)),
    ],
)
def test_how_the_clock_waits(judged, fields, expected):
    assert told(judged("rate", "M11", "rate", arm(**fields))) == expected


def test_operations_per_second_are_timed_as_well(judged):
    patch = arm(measurement={"synchronisation": None}) | {"claims": {"rate": {"quantity": "flops"}}}
    assert told(judged("rate", "M11", "rate", patch)) is NOT_SHOWN


def test_a_loss_read_in_every_step_makes_the_host_wait(judged):
    losses = {f"t{index}": {"samples": {"loss": [2.0] * 60}} for index in range(1, 6)}
    assert told(judged("rate", "M11", "rate", arm(measurement=UNSYNCED, trials=losses))) is PASS


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("a", REFUTES)),
        ({"exclusions": {"compile": {"recurs": "per_run", "duration_s": 400.0, "stated": True}}}, ("b", UNDERMINES)),
        ({"wall_s": 40.0}, ("b", UNDERMINES)),
    ],
)
def test_steps_that_last_a_tenth_of_the_wall_time_were_not_waited_for(judged, more, expected):
    measurement = AT_THE_END | {"raw_count": 300, "wall_s": 400.0} | more
    assert told(judged("rate", "M11", "rate", arm(measurement=measurement))) == expected


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ({"flop_per_sample": 2.46e11, "peak_flops": 3.12e14, "peak_kind": "dense"}, ("a", REFUTES)),
        ({"flop_per_sample": 2.46e10, "peak_flops": 3.12e14, "peak_kind": "dense"}, PASS),
        ({"flop_per_sample": 2.46e11}, ("a", REFUTES)),
        ({"flop_per_sample": 1.30e11, "peak_flops": 3.12e14, "peak_kind": "dense"}, PASS),
    ],
)
def test_a_rate_above_the_peak_by_a_host_clock(judged, operations, expected):
    patch = arm(measurement=AT_THE_END, operations=operations, **TOTALS)
    result = judged("rate", "M11", "rate", patch)
    assert told(result) == expected


# M13, F18: clocks ---------------------------------------------------------------------------------------------------

CLOCK = {"t1": {"telemetry": {"columns": {"sm_clock_mhz": [1410, 1395, 1410]}}}}
NONE = {"policy": "none", "low_mhz": None, "high_mhz": None}


LOGGED_ONLY = {"policy": "logged", "low_mhz": None, "high_mhz": None}


def every(period_s, **samples):
    """Trials whose clocks were read once in so many seconds, and perhaps in every iteration as well."""
    telemetry = {"period_s": period_s, "columns": {"sm_clock_mhz": [1410]}}
    return {f"t{index}": {"telemetry": telemetry, "samples": samples} for index in range(1, 6)}


def lock(verified, **fields):
    return {"environment": {"clocks": NONE, "controls": {"gpu_sm_clock_mhz": {"verified": verified, **fields}}}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"environment": {"clocks": NONE}}, ("a", CAVEAT)),
        ({"environment": {"clocks": None}}, NOT_SHOWN),
        ({"environment": None}, NOT_SHOWN),
        ({"environment": {"clocks": {"policy": "logged"}}}, PASS),
        ({"environment": {"clocks": NONE}, "trials": CLOCK}, PASS),
        (lock("verified", applied=1410), PASS),
        (lock("not_permitted", requested=1410), NOT_SHOWN),
        (lock("unverifiable", requested=1410), NOT_SHOWN),
        (lock("not_requested"), ("a", CAVEAT)),
        ({"environment": {"clocks": LOGGED_ONLY}, "trials": every(10.0)}, ("a", CAVEAT)),
        ({"environment": {"clocks": LOGGED_ONLY}, "trials": every(1.0)}, PASS),
        ({"environment": {"clocks": LOGGED_ONLY}, "trials": every(10.0, clock_mhz=[1410] * 60)}, PASS),
        ({"trials": every(10.0)}, PASS),  # locked
    ],
)
def test_clock_policy(judged, fields, expected):
    assert told(judged("rate", "M13", "rate", arm(**fields))) == expected


def test_a_customer_has_no_hand_on_the_clocks_of_a_service(judged):
    patch = arm(environment={"clocks": NONE}) | {"claims": {"rate": {"site": "hosted"}}}
    assert told(judged("rate", "M13", "rate", patch)) is PASS


def polled(clocks, use=None):
    columns = {"sm_clock_mhz": clocks} | ({"utilisation": use} if use is not None else {})
    return {"t1": {"telemetry": {"columns": columns}}}


STEADY = [1410] * 60


@pytest.mark.parametrize(
    ("trials", "expected"),
    [
        (polled([*STEADY, 1200, 1200], [1.0] * 62), ("a", UNDERMINES)),
        (polled([*STEADY, 1200, 1200], [1.0] * 60 + [0.1, 0.1]), PASS),  # an idle gap
        (polled([*STEADY, 1200, 1200]), APART),  # perhaps one
        (polled([*STEADY, 1700, 1700]), ("a", UNDERMINES)),  # above the lock in any case
        (polled([*STEADY, 1200], [1.0] * 61), PASS),  # a single reading
        (polled([*STEADY, 1425, 1395], [1.0] * 62), PASS),  # within a step
        (polled(STEADY * 4 + [1200, 1200], [1.0] * 242), PASS),  # below 1 %
        (polled([], []), APART),
        ({"t1": {"samples": {"clock_mhz": [*STEADY, 1200, 1200]}}}, ("a", UNDERMINES)),  # of timed iterations
        ({}, APART),
    ],
)
def test_clocks_against_their_lock(judged, trials, expected):
    assert told(judged("rate", "F18", "rate", arm(trials=trials))) == expected


def test_a_logged_clock_has_no_lock_to_leave(judged):
    patch = arm(environment={"clocks": {"policy": "logged"}}, trials=polled([300, 2000, 2000], [1.0] * 3))
    assert told(judged("rate", "F18", "rate", patch)) is APART


def of_two(column, first, second):
    return {f"{column}.GPU-1": first, f"{column}.GPU-2": second}


@pytest.mark.parametrize(
    ("second", "use", "expected"),
    [
        ([1980] * 60, 1.0, ("a", UNDERMINES)),
        ([1980] * 60, 0.0, PASS),  # the other one is at work, and this one idle
        ([1410] * 60, 1.0, PASS),
    ],
)
def test_the_second_of_two_devices_off_its_lock(judged, second, use, expected):
    columns = of_two("sm_clock_mhz", STEADY, second) | of_two("utilisation", [1.0] * 60, [use] * 60)
    trials = {"t1": {"telemetry": {"columns": columns}}}
    assert told(judged("rate", "F18", "rate", arm(trials=trials))) == expected


# M14: throttling ----------------------------------------------------------------------------------------------------

LOGGED = {"environment": {"clocks": {"policy": "logged", "low_mhz": None, "high_mhz": None}}}


def counters(window=30.0, **reasons):
    return {"trials": {"t1": {"telemetry": {"window_s": window, "throttled_s": reasons}}}}


def unlocked(fields):
    return LOGGED | fields


@pytest.mark.parametrize(
    ("fused", "plain", "expected"),
    [
        (unlocked(counters(thermal=0.0)), unlocked(counters(thermal=3.0)), ("a", UNDERMINES)),
        (unlocked(counters(power_brake=3.0)), unlocked(counters(power_brake=0.0)), ("a", UNDERMINES)),
        (unlocked(counters(thermal=3.0)), unlocked(counters(thermal=3.0)), PASS),
        (counters(thermal=3.0), counters(thermal=3.0), ("a", UNDERMINES)),  # both said to be locked
        (unlocked(counters(power_cap=30.0, thermal=0.0)), unlocked(counters(power_cap=0.0, thermal=0.1)), PASS),
        (unlocked(counters(thermal=3.0)), {}, NOT_SHOWN),
        (unlocked(counters(thermal=0.0)), {}, APART),
        (unlocked(counters(power_cap=3.0)), unlocked(counters(power_cap=0.0)), APART),
        (counters(power_cap=3.0), counters(power_cap=0.0), ("b", CAVEAT)),  # a lock that did not hold
        (counters(power_cap=3.0), counters(power_cap=3.0), APART),  # the operating point of both
        (counters(power_cap=3.0), {}, APART),
        (unlocked(counters(window=None, thermal=3.0)), unlocked(counters(thermal=0.0)), APART),
    ],
)
def test_throttling_of_arms(judged, fused, plain, expected):
    assert told(judged("training-pair", "M14", "speedup", both(fused, plain))) == expected


def test_a_throttled_reading_in_a_hundred_is_none(judged):
    def flags(count):
        return {"trials": {"t1": {"telemetry": {"columns": {"throttle_thermal": [1] * count + [0] * (200 - count)}}}}}

    plain = unlocked(flags(0))
    assert told(judged("training-pair", "M14", "speedup", both(unlocked(flags(2)), plain))) is PASS
    assert told(judged("training-pair", "M14", "speedup", both(unlocked(flags(3)), plain))) == ("a", UNDERMINES)


@pytest.mark.parametrize(("held", "expected"), [(3, ("a", UNDERMINES)), (2, PASS)])
def test_the_second_of_two_devices_throttled_counts_whole(judged, held, expected):
    columns = of_two("throttle_thermal", [0] * 200, [1] * held + [0] * (200 - held))
    fields = unlocked({"trials": {"t1": {"telemetry": {"columns": columns}}}})
    assert told(judged("rate", "M14", "rate", arm(**fields))) == expected


def test_an_arm_alone_may_be_throttled_too(judged):
    assert told(judged("rate", "M14", "rate", arm(**unlocked(counters(thermal=3.0))))) == ("a", UNDERMINES)
    assert told(judged("rate", "M14", "rate")) is APART


def knob(**measured):
    """Trials as the runner records them: numbers with the knob that locked the clock, in each."""
    record = {"verified": "verified", "requested": 1410, "applied": 1410, "measured": measured}
    return {"trials": {f"t{index}": {"controls": {"gpu_sm_clock_mhz": record}} for index in range(1, 6)}}


COUNTED = {"window_s": 30.0, "samples_loaded": 200, "samples_outside": 0, "sm_clock_low_mhz": 1395}


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (COUNTED, PASS),
        (COUNTED | {"samples_outside": 2}, PASS),
        (COUNTED | {"samples_outside": 3, "sm_clock_low_mhz": 1200}, ("a", UNDERMINES)),
        ({"window_s": 30.0, "samples_loaded": 0}, APART),
    ],
)
def test_readings_that_the_runner_counted(judged, measured, expected):
    result = judged("rate", "F18", "rate", arm(**knob(**measured)))
    assert told(result) == expected
    assert expected != ("a", UNDERMINES) or "15 of 1000 readings" in result.branch.message


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (COUNTED | {"thermal_s": 0.0, "power_brake_s": 0.0, "power_cap_s": 20.0}, PASS),
        (COUNTED | {"thermal_s": 0.4}, ("a", UNDERMINES)),
        (COUNTED | {"thermal_share": 0.02}, ("a", UNDERMINES)),
        (COUNTED | {"thermal_share": 0.005}, PASS),
        (COUNTED, APART),
    ],
)
def test_throttling_that_the_runner_counted(judged, measured, expected):
    assert told(judged("rate", "M14", "rate", arm(**knob(**measured)))) == expected


# M15, M16, M17 ------------------------------------------------------------------------------------------------------

NO_LIMIT = {"systems": {"node": {"power_limit_w": None, "design_power_w": 400}}}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"power_limit_w": None}, NOT_SHOWN),
        ({"power_limit_w": 300}, PASS),
        ({"power_limit_w": None, "controls": {"gpu_power_limit_w": {"verified": "verified", "applied": 300}}}, PASS),
        (
            {"power_limit_w": None, "controls": {"gpu_power_limit_w": {"verified": "unverifiable", "requested": 300}}},
            NOT_SHOWN,
        ),
    ],
)
def test_power_limit(judged, environment, expected):
    assert told(judged("rate", "M15", "rate", arm(environment=environment) | NO_LIMIT)) is expected


@pytest.mark.parametrize(
    ("software", "missing"),
    [
        ({"driver": None}, "driver"),
        ({"runtime": None, "framework": None, "language": None}, "framework, runtime, language"),
        ({"driver": "unknown"}, "driver"),
        ({"driver": "N/A"}, "driver"),
        ({"language": None, "tool": None}, ""),
        ({"driver": {"not_applicable": "the device has none"}}, ""),
    ],
)
def test_versions(judged, software, missing):
    result = judged("rate", "M16", "rate", arm(software=software))
    assert told(result) is (NOT_SHOWN if missing else PASS)
    assert missing in (result.branch.message if missing else "")
    assert not missing or result.branch.item == "versions"


def test_a_processor_has_neither_driver_nor_runtime(judged):
    patch = arm(software={"driver": None, "runtime": None}) | {"systems": {"node": {"device_kind": "processor"}}}
    assert told(judged("rate", "M16", "rate", patch)) is PASS


def test_the_versions_of_the_base_count_as_well(judged):
    assert told(judged("training-pair", "M16", "speedup", both(plain={"software": None}))) is NOT_SHOWN


TWO_SOCKETS = {"systems": {"node": {"host_sockets": 2}}}
FREE = {"affinity": None, "numa": None, "controls": {"affinity": {"verified": "not_requested", "found": "0-127"}}}


@pytest.mark.parametrize(
    ("environment", "more", "expected"),
    [
        ({"co_tenants": "2 other processes on the device"}, {}, ("a", CAVEAT)),
        ({"co_tenants": "shared with other users"}, {}, ("a", CAVEAT)),
        ({"co_tenants": "none, exclusive node"}, {}, PASS),
        ({"co_tenants": "no other processes"}, {}, PASS),
        ({"co_tenants": "0 other processes"}, {}, PASS),
        ({"co_tenants": "exclusive, not shared"}, {}, PASS),
        ({"co_tenants": None}, {}, NOT_SHOWN),
        ({"co_tenants": "unknown"}, {}, NOT_SHOWN),
        ({"co_tenants": {"not_applicable": "a chip of our own"}}, {}, PASS),
        ({"affinity": None, "numa": None}, {}, NOT_SHOWN),
        ({"affinity": None, "numa": "node 0"}, TWO_SOCKETS, PASS),
        ({"affinity": "none", "numa": None}, TWO_SOCKETS, ("a", CAVEAT)),
        ({"affinity": "not pinned", "numa": None}, {}, PASS),  # one socket
        (FREE, TWO_SOCKETS, ("a", CAVEAT)),
        (FREE, {"systems": {"node": {"host_sockets": None}}}, NOT_SHOWN),
        (
            {"affinity": None, "numa": None, "controls": {"affinity": {"verified": "not_permitted"}}},
            TWO_SOCKETS,
            NOT_SHOWN,
        ),
        (
            {"affinity": None, "numa": None, "controls": {"affinity": {"verified": "verified", "applied": "0-15"}}},
            TWO_SOCKETS,
            PASS,
        ),
    ],
)
def test_isolation(judged, environment, more, expected):
    assert told(judged("rate", "M17", "rate", arm(environment=environment) | more)) == expected


def test_neighbours_may_be_the_treatment(judged):
    shared = {"environment": {"co_tenants": "4 other processes on the device"}}
    patch = both(shared, {}, {"treatment": ["co_tenants"]})
    assert told(judged("training-pair", "M17", "speedup", patch)) is PASS


# M18: the environments of two arms ----------------------------------------------------------------------------------

DRIVER = {"software": {"driver": "470.82.01"}}


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (DRIVER, None, ("a", UNDERMINES)),
        ({"software": {"driver": "550.54.15 "}}, None, PASS),
        ({"software": {"driver": None}}, None, NOT_SHOWN),
        (DRIVER, {"treatment": ["driver"]}, PASS),
        (DRIVER, {"said": [{"topic": "environment_differs", "quote": "an older driver"}]}, ("b", CAVEAT)),
        ({"environment": {"power_limit_w": 300}}, None, ("a", UNDERMINES)),
        ({"environment": {"power_limit_w": 399.62}}, None, PASS),  # as read back
        ({"environment": {"power_limit_w": 300}}, {"treatment": ["power_limit"]}, PASS),
        ({"environment": {"clocks": {"policy": "logged"}}}, None, ("a", UNDERMINES)),
        ({"environment": {"clocks": {"low_mhz": 1200, "high_mhz": 1200}}}, None, ("a", UNDERMINES)),
        ({"environment": {"clocks": None}}, None, NOT_SHOWN),
        ({"environment": {"host": "node-18"}}, None, ("a", UNDERMINES)),
        ({"environment": {"host": "a node of the same kind"}}, None, NOT_SHOWN),  # other words, perhaps one host
        ({"environment": {"host": None}}, None, NOT_SHOWN),
        ({"software": {"container": "registry.example.org/lm@sha256:77aa"}}, None, ("a", UNDERMINES)),
        ({"software": {"container": "registry.example.org/lm@sha256:77aa"}}, {"treatment": ["framework"]}, PASS),
        (DRIVER | {"environment": {"host": None}}, None, ("a", UNDERMINES)),  # nothing missing hides it
    ],
)
def test_environments_of_two_arms(judged, plain, claim, expected):
    assert told(judged("training-pair", "M18", "speedup", both(plain=plain, claim=claim))) == expected


def test_arms_of_one_boot_share_their_host(judged):
    boots = {f"{kind}{index}": {"boot_id": "76cb"} for kind in "ts" for index in range(1, 6)}
    unnamed = {"environment": {"host": None}, "trials": boots}
    assert told(judged("training-pair", "M18", "speedup", both(unnamed, unnamed))) is PASS
    other = {**unnamed, "trials": {**boots, "t1": {"boot_id": "99aa"}}}
    assert told(judged("training-pair", "M18", "speedup", both(unnamed, other))) is NOT_SHOWN


def test_without_the_other_arm_nothing_is_shown(judged):
    result = judged("training-pair", "M18", "speedup", {"claims": {"speedup": {"base": {"arm": "nowhere"}}}})
    assert told(result) is NOT_SHOWN
    assert result.branch.item == "equal environment of the arms"


def test_another_device_brings_its_own_clocks_and_driver(judged):
    theirs = {
        "software": {"driver": "6.10.5"},
        "environment": {"host": "node-40", "power_limit_w": 750, "clocks": {"low_mhz": 2100, "high_mhz": 2100}},
    }
    patch = {"systems": {"theirs": {"device": "MI300X"}}, "arms": {"theirs": theirs}}
    assert told(judged("comparison", "M18", "speedup", patch)) is PASS
    same_device = {"arms": {"theirs": theirs}}
    assert told(judged("comparison", "M18", "speedup", same_device)) == ("a", UNDERMINES)


def test_more_nodes_are_other_hosts(judged):
    assert told(judged("strong-scaling", "M18", "speedup")) is PASS


# M19: batch and precision -------------------------------------------------------------------------------------------


def options(**values):
    return {"options": values}


SMALL = options(global_batch=8, micro_batch=8)
FULL = options(precision={"compute": "fp32"})


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (SMALL, None, ("a", UNDERMINES)),
        (FULL, None, ("a", UNDERMINES)),
        (options(global_batch=32, micro_batch=8, accumulation=4), None, PASS),
        (options(global_batch=None, micro_batch=8, accumulation=4), None, PASS),
        (SMALL, {"treatment": ["global_batch"]}, PASS),
        (SMALL, {"attribution": "batch"}, PASS),
        (FULL, {"treatment": ["precision.compute"]}, PASS),
        (FULL, {"statement": "Training in bf16 is 1.43x faster."}, PASS),
        (FULL, {"statement": "In bf16 it is 1.43x faster.", "compares": "other_system"}, ("a", UNDERMINES)),
        (FULL, {"statement": "bf16 over fp32: 1.43x.", "compares": "other_system"}, PASS),
        (options(precision={"compute": "mixed"}), None, NOT_SHOWN),
        (options(precision={"compute": "tf32"}), {"statement": "1.43x, mixed over TF32"}, PASS),
        (
            options(precision={"compute": "tf32"}, global_batch=8, micro_batch=8),
            {"statement": "1.43x, mixed over TF32", "attribution": "precision"},
            ("a", UNDERMINES),
        ),
        (options(global_batch=None, micro_batch=None, precision={"compute": None}), None, NOT_SHOWN),
        ({"options": None}, None, NOT_SHOWN),
    ],
)
def test_batch_and_precision(judged, plain, claim, expected):
    assert told(judged("training-pair", "M19", "speedup", both(plain=plain, claim=claim))) == expected


def test_another_model_brings_its_own_precision(judged):
    theirs = {"arms": {"theirs": options(model="solver 3", precision={"compute": "fp64"})}}
    assert told(judged("comparison", "M19", "speedup", theirs)) is PASS
    assert told(judged("comparison", "M19", "speedup", {"arms": {"theirs": FULL}})) == ("a", UNDERMINES)


def judged_options(name, key):
    return submission(name)["arms"][key]["options"]


def test_a_matched_comparison_beside_the_claim_is_enough(judged):
    def variant(batch, attention):
        own = {"options": {"global_batch": batch, "micro_batch": batch, "attention": attention}}
        return own | {"performance": {"rate": {"quantity": "rate", "value": "28000", "unit": "tokens/s"}}}

    matched = {"system": "node", "devices": 1, **variant(8, "exact, fused")}
    matched["options"] = judged_options("training-pair", "plain") | matched["options"]
    patch = both(plain=SMALL)
    patch["arms"]["fused-8"] = matched
    result = judged("training-pair", "M19", "speedup", patch)
    assert told(result) is PASS
    assert "compares them at equal ones" in result.notes[0]
    elsewhere = {**matched, "options": matched["options"] | {"model": "decoder 350M"}}
    patch["arms"]["fused-8"] = elsewhere
    assert told(judged("training-pair", "M19", "speedup", patch)) == ("a", UNDERMINES)


def test_each_arm_at_its_best_batch_with_both_curves(judged):
    patch = both(plain=SMALL)
    for key, attention, best in (("fused", "exact, fused", 41300), ("plain", "exact", 28900)):
        for batch, share in ((4, 0.7), (16, 0.9)):
            patch["arms"][f"{key}-{batch}"] = {
                "system": "node",
                "devices": 1,
                "software": {"framework": "torch 2.6.0"},
                "options": judged_options("training-pair", key)
                | {"global_batch": batch, "micro_batch": batch, "attention": attention},
                "performance": {"rate": {"quantity": "rate", "value": str(round(best * share)), "unit": "tokens/s"}},
            }
    assert told(judged("training-pair", "M19", "speedup", patch)) is PASS
    patch["arms"]["plain-16"]["performance"]["rate"]["value"] = "39000"
    assert told(judged("training-pair", "M19", "speedup", patch)) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"treatment": ["pipeline"]}, ("c", UNDERMINES)),
        ({"treatment": ["pipeline"], "statement": "1.5x faster on an A100 than on a V100."}, PASS),
        ({"treatment": ["hardware"]}, PASS),
        ({"treatment": ["pipeline"], "attribution": "system"}, PASS),
        ({"treatment": []}, NOT_SHOWN),
    ],
)
def test_variants_of_one_author_on_two_models_of_device_compare_devices(judged, claim, expected):
    old = {"name": "an older node", "device": "V100-SXM2-16GB"}
    patch = {"systems": {"old": old}, "arms": {"plain": {"system": "old"}}, "claims": {"speedup": claim}}
    assert told(judged("training-pair", "M18", "speedup", patch)) == expected


# M20: one change at a time ------------------------------------------------------------------------------------------

ATTRIBUTION = {"purpose": "attribution"}
TWO = options(precision={"compute": "fp32"}, optimizer="SGD")


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (TWO, {}, ("a", UNDERMINES)),
        ({}, {}, PASS),
        (TWO, {"attribution": "system"}, PASS),
        (TWO, {"treatment": ["attention", "precision", "optimizer"]}, PASS),
        (TWO, {"treatment": ["attention"]}, ("a", UNDERMINES)),
        (
            options(attention="exact, fused", precision={"compute": "e4m3", "weights": "e4m3"}, quantisation="fp8"),
            {},
            PASS,
        ),
        (options(attention="exact, fused", micro_batch=8, accumulation=4, devices=2, learning_rate=0.1), {}, PASS),
        (options(attention="exact, fused", global_batch=8, micro_batch=8), {}, PASS),
        (options(model=None), {}, NOT_SHOWN),
        ({"options": None}, {}, NOT_SHOWN),
    ],
)
def test_an_effect_of_several_changes(judged, plain, claim, expected):
    assert told(judged("training-pair", "M20", "speedup", both(plain=plain, claim=ATTRIBUTION | claim))) == expected


BESIDE = {"attribution": "method", "treatment": ["attention"], "compares": "own_variants"}
SGD = options(attention="exact, unfused", optimizer="SGD")
CHECKPOINTED = options(attention="exact, unfused", activation_checkpointing=True)


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (SGD, BESIDE, ("a", UNDERMINES)),
        (SGD, BESIDE | {"treatment": ["attention", "optimizer"]}, PASS),
        (SGD, BESIDE | {"attribution": "system"}, PASS),
        (SGD, BESIDE | {"attribution": "none"}, PASS),
        (options(optimizer="SGD"), BESIDE | {"treatment": ["our step"]}, PASS),  # what our step is may be the optimizer
        (CHECKPOINTED, BESIDE, ("b", CAVEAT)),
        (CHECKPOINTED, BESIDE | {"treatment": ["attention", "activation checkpointing"]}, PASS),
        (options(activation_checkpointing=True), BESIDE, PASS),  # nothing else differs
        (options(attention="exact, unfused", micro_batch=8, accumulation=4), BESIDE, PASS),
        (options(precision={"compute": "fp32", "weights": "fp32"}), BESIDE | {"attribution": "precision"}, PASS),
        ({"options": None}, BESIDE, APART),
    ],
)
def test_a_change_beside_the_one_that_an_effect_is_put_down_to(judged, plain, claim, expected):
    own = {"attention": "exact, fused", "compile": True, "activation_checkpointing": False}
    base = plain if plain["options"] is None else options(**(own | plain["options"]))
    patch = both(options(**own), base, {"purpose": "method_speedup"} | claim)
    assert told(judged("training-pair", "M20", "speedup", patch)) == expected


def test_an_ablation_in_single_steps(judged):
    def step(**values):
        found = judged_options("training-pair", "fused") | values
        return {"options": found, "performance": {"rate": {"quantity": "rate", "unit": "tokens/s", "value": "35000"}}}

    patch = both(plain=TWO, claim=ATTRIBUTION)
    patch["arms"]["one"] = step(attention="exact")
    assert told(judged("training-pair", "M20", "speedup", patch)) == ("a", UNDERMINES)
    patch["arms"]["two"] = step(attention="exact", optimizer="SGD")
    assert told(judged("training-pair", "M20", "speedup", patch)) is PASS
    del patch["arms"]["two"]["options"]["optimizer"]
    assert told(judged("training-pair", "M20", "speedup", patch)) == ("a", UNDERMINES)


# Rows of a table ----------------------------------------------------------------------------------------------------

COLUMNS = {"rate": {"quantity": "rate", "unit": "tokens/s"}}


def in_table(columns, rows, claim=None, **table):
    own = {"row": {"table": "speed", "row": "new"}, "measured": None, "base": None, "quality": None, "interval": None}
    claim = own | {"statement": "1.43x faster", "attribution": None, "treatment": None} | (claim or {})
    return {
        "claims": {"speedup": claim, "rate": None},
        "tables": {"speed": {"columns": columns, "rows": rows, **table}},
    }


def row(batch, compute, **more):
    return {"options": {"precision": {"compute": compute}, "global_batch": batch, **more}, "values": {"rate": "1"}}


@pytest.mark.parametrize(
    ("rows", "table", "expected"),
    [
        ({"new": row(32, "bf16"), "old": row(32, "bf16")}, {"base_row": "old"}, PASS),
        ({"new": row(256, "bf16"), "old": row(32, "bf16")}, {"base_row": "old"}, ("a", UNDERMINES)),
        ({"new": row(256, "bf16"), "old": row(32, "bf16")}, {"base_row": "old", "varies": ["global_batch"]}, PASS),
        ({"new": row(32, "bf16"), "old": row(32, "fp32")}, {"base_row": "old", "varies": ["precision"]}, PASS),
        ({"new": row(32, "bf16"), "old": {"values": {"rate": "1"}}}, {"base_row": "old"}, NOT_SHOWN),
        ({"new": row(32, "bf16"), "old": row(32, "bf16")}, {}, NOT_SHOWN),
    ],
)
def test_rows_at_one_batch_and_precision(judged, rows, table, expected):
    assert told(judged("training-pair", "M19", "speedup", in_table(COLUMNS, rows, **table))) == expected


def test_a_speedup_column_of_mixed_over_tf32(judged):
    columns = {name: {"quantity": "rate", "unit": "tokens/s", "format": name} for name in ("mixed", "tf32")}
    rows = {"new": {"options": {"global_batch": 32}, "values": {"mixed": "143", "tf32": "100"}, "speedup": "1.43"}}
    assert told(judged("training-pair", "M19", "speedup", in_table(columns, rows))) is PASS


def test_an_attribution_by_rows(judged):
    rows = {"new": row(32, "bf16", model="m"), "old": row(256, "fp32", model="m")}
    patch = in_table(COLUMNS, rows, ATTRIBUTION, base_row="old")
    assert (
        told(judged("training-pair", "M20", "speedup", patch)) is NOT_SHOWN
    )  # the base differs in more than one thing
    patch["claims"]["speedup"]["row"] |= {"base_row": "old"}
    assert told(judged("training-pair", "M20", "speedup", patch)) == ("a", UNDERMINES)


# What a quality does not feel ---------------------------------------------------------------------------------------

QUALITY = {"quantity": "accuracy", "metric": "loss", "unit": "nat", "value": "0.01"}


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ({"environment": {"power_limit_w": 300, "host": "node-18", "clocks": None}}, PASS),
        (DRIVER, ("a", UNDERMINES)),
    ],
)
def test_a_quality_feels_no_clock(judged, plain, expected):
    assert told(judged("training-pair", "M18", "speedup", both(plain=plain, claim=QUALITY))) == expected


def test_seeds_of_a_quality_may_run_on_several_machines(judged):
    trials = {"s1": {"environment": {"host": "node-1"}}, "s2": {"environment": {"host": "node-2"}}}
    patch = both({"trials": trials})
    assert told(judged("training-pair", "M25", "speedup", patch)) == ("a", CAVEAT)
    assert told(judged("training-pair", "M25", "speedup", patch | {"claims": {"speedup": QUALITY}})) is PASS


# Two arms as the runner records them on a processor -----------------------------------------------------------------

ABSENT = {"not_applicable": "the work runs on the processor"}


def on_processor(container):
    unlocked = {"clocks": NONE, "host": None, "power_limit_w": None, "affinity": None, "numa": None, "co_tenants": None}
    pinning = {"affinity": {"verified": "not_requested", "found": "0-1"}, "governor": {"verified": "unverifiable"}}
    boots = {f"t{index}": {"boot_id": "76cb"} for index in range(1, 6)} | {
        f"s{i}": {"boot_id": "76cb"} for i in range(1, 6)
    }
    return {
        "software": {"driver": ABSENT, "runtime": ABSENT, "container": container},
        "environment": unlocked | {"controls": pinning},
        "trials": boots,
    }


@pytest.mark.parametrize("container", ["docker (image not known from inside)", {"not_applicable": "no container"}])
@pytest.mark.parametrize(
    ("code", "expected"), [("M11", APART), ("M13", APART), ("M15", APART), ("M16", PASS), ("M17", PASS), ("M18", PASS)]
)
def test_a_study_on_a_processor(judged, container, code, expected):
    node = {"device": "EPYC 7763", "device_kind": "processor", "device_variant": None, "power_limit_w": None}
    patch = both(on_processor(container), on_processor(container), systems={"node": node})
    assert told(judged("training-pair", code, "speedup", patch)) is expected


# A sentence alone, and what is left of a comparison -----------------------------------------------------------------

SENTENCE = {"measured": None, "base": None, "quality": None}


@pytest.mark.parametrize("code", ["M11", "M13", "M15", "M16", "M17", "M18", "M19"])
def test_a_sentence_without_an_arm_shows_nothing(judged, code):
    result = judged("training-pair", code, "speedup", {"claims": {"speedup": SENTENCE}})
    assert told(result) is NOT_SHOWN
    assert result.branch.at == "/claims/speedup"


@pytest.mark.parametrize("code", ["M14", "M20", "M21", "M22", "M25", "M28", "M29", "E03", "F18"])
def test_a_sentence_without_an_arm_accuses_nobody(judged, code):
    result = judged("training-pair", code, "speedup", {"claims": {"speedup": SENTENCE}})
    assert told(result) in {NOT_SHOWN, APART}


@pytest.mark.parametrize("code", ["M18", "M19", "M20"])
def test_an_arm_beside_itself_differs_in_nothing(judged, code):
    same = {"base": {"arm": "fused"}, "purpose": "attribution"}
    assert told(judged("training-pair", code, "speedup", {"claims": {"speedup": same}})) is PASS


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"attribution": "system"}, PASS),
        ({"treatment": ["hardware"]}, PASS),
        ({"treatment": ["optimizer"], "attribution": "method"}, ("a", UNDERMINES)),
    ],
)
def test_the_whole_system_may_be_the_treatment(judged, claim, expected):
    patch = {"claims": {"speedup": claim}, "arms": {"theirs": {"environment": {"power_limit_w": 300}}}}
    assert told(judged("comparison", "M18", "speedup", patch)) == expected


def test_hosts_that_do_not_apply_are_none(judged):
    hosts = {"environment": {"host": {"not_applicable": "one machine in the house"}}}
    assert told(judged("training-pair", "M18", "speedup", both(hosts, hosts))) is PASS


def test_one_option_set_is_no_change(judged):
    one = {"option_set": "sha256:" + "0" * 64}
    assert told(judged("training-pair", "M20", "speedup", both({**one}, {**one, **TWO}, ATTRIBUTION))) is PASS


@pytest.mark.parametrize("unit", ["tokens/s", "steps/s"])
def test_what_is_counted_may_not_be_a_sample(judged, unit):
    patch = arm(
        measurement=AT_THE_END,
        operations={"flop_per_sample": 2.46e11, "peak_flops": 3.12e14, "peak_kind": "dense"},
        performance={"rate": {"unit": unit, "statistic": "total", "n": None}},
        trials=no_samples(),
    )
    assert told(judged("rate", "M11", "rate", patch)) is PASS


def test_a_device_without_a_known_variant_shows_its_knob_alone(judged):
    knobs = {"clocks": NONE, "controls": {"gpu_sm_clock_lock": {"verified": "verified", "applied": True}}}
    assert told(judged("rate", "M13", "rate", arm(environment=knobs))) is PASS
    assert told(judged("rate", "F18", "rate", arm(environment=knobs, trials=polled([300] * 9, [1.0] * 9)))) is APART


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        ({"model": "decoder 1.3B"}, {"treatment": ["pipeline"]}, ("a", UNDERMINES)),
        ({"dataset": "another corpus"}, {"treatment": ["compile"]}, ("a", UNDERMINES)),
        ({"dataset": "synthetic tokens"}, {"treatment": ["pipeline"]}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": ["model"]}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": ["pruning"]}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": ["compile"], "base": {"definition": "the decoder 1.3B"}}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": []}, NOT_SHOWN),
    ],
)
def test_variants_of_one_author_are_timed_on_one_work(judged, plain, claim, expected):
    told_by = {"purpose": "method_speedup", "attribution": "none", "compares": "own_variants", **claim}
    patch = {"arms": {"plain": {"options": plain}}, "claims": {"speedup": told_by}}
    assert told(judged("training-pair", "M20", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("crop", "expected"),
    [("random crop to 160, flip", PASS), ("random crop to 160, flip, mixup", ("a", UNDERMINES))],
)
def test_a_crop_that_the_preprocessing_tells_too_is_one_change(judged, crop, expected):
    fused = {"options": {"preprocessing": crop, "input_shape": [3, 160, 160], "attention": "exact"}}
    plain = {
        "options": {"preprocessing": "random crop to 224, flip", "input_shape": [3, 224, 224], "attention": "exact"}
    }
    patch = {"arms": {"fused": fused, "plain": plain}, "claims": {"speedup": ATTRIBUTION}}
    assert told(judged("training-pair", "M20", "speedup", patch)) == expected
