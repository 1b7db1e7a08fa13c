"""F32 to F38, F55, M30: the runs of one result held against each other."""

import copy

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.facts.runs.logged_options import class_of
from dlaudit.rules.outcome import Outcome
from dlaudit.rules.trace import Event, Trace
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from msgspec.structs import replace

NAMES = [f"result_{number}" for number in range(5)]
HOUR = 3_600_000
DAY = 24 * HOUR
CLAIM = "retinanet"
TRAINING = base("suite-training")["arms"]["retinanet"]["runs"]


def of_runs(**runs):
    return {"arms": {CLAIM: {"runs": runs}}}


def events(run, **lines):
    return of_runs(**{run: {"events": lines}})


def found(result):
    return (
        (result.branch.branch, result.branch.effect.word)
        if result.outcome is Outcome.VIOLATION
        else result.outcome.value
    )


def shifted(run, by_ms, **fields):
    """A run's events, later by some milliseconds."""
    times = {line: {"time_ms": event["time_ms"] + by_ms} for line, event in TRAINING[run]["events"].items()}
    return {"events": times, **fields}


def times_of(run):
    return {line: event["time_ms"] for line, event in TRAINING[run]["events"].items()}


# F32


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        ("12", 512, ("a", "refutes")),
        ("13", "lamb", ("a", "refutes")),
        ("7", "ssd", ("a", "refutes")),
        ("9", "open", ("a", "refutes")),
        ("11", "2xExample Server 8xH100", ("a", "refutes")),
        ("14", 0.00027, ("b", "undermines")),
        ("16", 3, ("b", "undermines")),
        ("18", 2, ("b", "undermines")),
        ("12", "256.0", "pass"),
        ("14", 0.00013500000361, "pass"),
        ("6", 5, "pass"),
        ("19", 1170302, "pass"),  # rounded
        ("19", 585150, ("a", "refutes")),
        ("20", 12000, ("a", "refutes")),
        ("90", "aborted", "pass"),
    ],
)
def test_options_that_differ(judged, line, value, expected):
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **{line: {"value": value}}))) == expected


def test_a_counter_of_what_was_consumed_is_no_size_of_a_set(judged):
    late = {"101": {"key": "train_samples", "value": 9, "time_ms": TRAINING["result_1"]["events"]["90"]["time_ms"]}}
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **late))) == "pass"
    unstarted = {"19": {"value": 9}, "23": {"key": "run_begin", "kind": "mark"}}
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **unstarted))) == "pass"


def test_an_unknown_option_is_a_caveat_and_a_missing_one_not_shown(judged):
    odd = {"101": {"key": "frobnication", "value": 1, "kind": "option"}}
    every = of_runs(**{name: {"events": odd} for name in NAMES})
    assert found(judged("suite-training", "F32", CLAIM, every)) == "pass"
    every["arms"][CLAIM]["runs"]["result_1"]["events"] = {"101": {"key": "frobnication", "value": 2, "kind": "option"}}
    assert found(judged("suite-training", "F32", CLAIM, every)) == ("c", "caveat")
    said = {
        **every,
        "disclosures": [{"topic": "option_sets_differ", "quote": "frobnication was drawn at random for every run"}],
    }
    assert found(judged("suite-training", "F32", CLAIM, said)) == "pass"
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **odd))) == "not-shown"


def test_a_disclosure_excuses_no_other_batch_and_what_stands_beside_the_number_does(judged):
    words = {"topic": "option_sets_differ", "quote": "One of the runs has a global_batch_size of 512."}
    patch = events("result_1", **{"12": {"value": 512}})
    assert found(judged("suite-training", "F32", CLAIM, {**patch, "disclosures": [words]})) == ("a", "refutes")
    assert found(judged("suite-training", "F32", CLAIM, {**patch, "claims": {CLAIM: {"said": [words]}}})) == "pass"


@pytest.mark.parametrize(("count", "expected"), [(2048, "pass"), (1024, ("c", "caveat"))])
def test_performance_and_accuracy_run_hold_the_same_samples(judged, count, expected):
    runs = {"performance": {"events": {"8": {"value": count}}}}
    result = judged("suite-inference", "F32", "offline", {"arms": {"offline": {"runs": runs}}})
    assert found(result) == expected
    words = {"topic": "option_sets_differ", "quote": "effective_performance_sample_count is 1024 for performance"}
    told = {"arms": {"offline": {"runs": runs}}, "disclosures": [words]}
    assert found(judged("suite-inference", "F32", "offline", told)) == "pass"


@pytest.mark.parametrize("key", ["data_shard", "checkpoint_index", "data_file", "consumed_path", "run_name"])
def test_what_differs_by_nature_is_no_option(judged, key):
    runs = {
        name: {"events": {"101": {"key": key, "value": index, "kind": "option"}}} for index, name in enumerate(NAMES)
    }
    assert found(judged("suite-training", "F32", CLAIM, of_runs(**runs))) == "pass"


def test_a_rate_logged_at_each_step_may_have_fewer_values_in_a_shorter_run(judged):
    rates = {str(200 + step): {"key": "opt_learning_rate", "value": step / 7, "step": step} for step in range(6)}
    runs = {name: {"events": dict(list(rates.items())[: 3 + index % 3])} for index, name in enumerate(NAMES)}
    assert found(judged("suite-training", "F32", CLAIM, of_runs(**runs))) == "pass"


def test_classes_of_logged_keys():
    classes = {"global_batch_size": "STAT", "model_bn_span": "STAT", "opt_name": "HARD", "max_sequence_length": "HARD"}
    classes |= {"opt_gradient_accumulation_steps": "LAYOUT", "number_of_nodes": "LAYOUT", "lora_rank": "HARD"}
    classes |= {"lars_epsilon": "RECIPE", "max_steps": "RECIPE", "init_checkpoint_sha256sum": "HARD"}
    classes |= {"seed": "COSMETIC", "stage_dir_prefix": "COSMETIC", "train_samples": "HARD", "masked_msa": None}
    assert {key: class_of(key) for key in classes} == classes


# F33


def copied(times, run="result_1"):
    """A run with the statistics of another, and with its times where wanted."""
    lines = {}
    for line, event in TRAINING["result_0"]["events"].items():
        if event["key"] == "tracked_stats":
            value = dict(event["value"])
            value["imgs_sec"] += 0.0001 if float(value["imgs_sec"]).is_integer() else 0
            lines[line] = {"value": value}
        if times:
            lines.setdefault(line, {})["time_ms"] = event["time_ms"] + DAY
    return of_runs(**{run: {"events": lines}})


def test_a_copy_with_its_times_refutes_and_one_with_its_own_times_is_a_caveat(judged):
    assert found(judged("suite-training", "F33", CLAIM, copied(times=True))) == ("a", "refutes")
    assert found(judged("suite-training", "F33", CLAIM, copied(times=False))) == ("b", "caveat")


def test_copied_intervals_alone_refute(judged):
    assert found(
        judged(
            "suite-training",
            "F33",
            CLAIM,
            of_runs(
                result_1={"events": {line: {"time_ms": time + DAY} for line, time in times_of("result_0").items()}}
            ),
        )
    ) == ("a", "refutes")


def test_a_copy_that_lost_an_event_is_still_one(judged):
    patch = copied(times=True)
    patch["arms"][CLAIM]["runs"]["result_1"]["events"]["29"] = None
    assert found(judged("suite-training", "F33", CLAIM, patch)) == ("a", "refutes")


def test_constants_counts_and_rates_are_not_compared(judged):
    shared = {"lr": 0.00012345, "scale": 65536.0, "reduced_count": 1234567}
    lines = {line: {"value": dict(shared)} for line in ("29", "40", "51", "62", "73", "84")}
    assert found(judged("suite-training", "F33", CLAIM, of_runs(**{n: {"events": lines} for n in NAMES}))) == "pass"


def test_files_of_one_digest_are_left_to_the_rule_on_files(judged):
    patch = copied(times=True)
    digest = TRAINING["result_0"]["file"]["sha256"]
    patch["arms"][CLAIM]["runs"]["result_1"]["file"] = {"sha256": digest}
    assert found(judged("suite-training", "F33", CLAIM, patch)) == "pass"
    assert found(judged("suite-training", "F34", CLAIM, patch)) == ("a", "refutes")


def test_forty_copies_and_many_honest_runs_are_judged_in_linear_time(judged):
    def trace(run, offset):
        stats = (Event(i + 2, 1.7e12 + 1000 * i, "loss", "stat", offset + i / 7.123, step=i) for i in range(5_000))
        return Trace((Event(1, 1.7e12, "run_start", "mark"), *stats), (), "", f"/arms/{CLAIM}/runs/{run}")

    def changed(found, index):
        events = tuple(
            replace(event, value=event.value + index / 3) if event.step == 7 else event for event in found.events
        )
        return Trace(events, (), "", found.at)

    value = copy.deepcopy(base("suite-training"))
    runs = value["arms"][CLAIM]["runs"]
    empty = {**runs["result_0"], "events": {}, "file": None}
    value["arms"][CLAIM]["runs"] = {f"r{i}": {k: v for k, v in empty.items() if v is not None} for i in range(40)}
    document = to_model(value, Submission)
    for copies in (True, False, "all but one number"):
        traces = {(CLAIM, f"r{i}"): trace(f"r{i}", 0.1 if copies else i * 1.0000001) for i in range(40)}
        if copies not in {True, False}:
            traces = {key: changed(found, int(key[1][1:])) for key, found in traces.items()}
        (result,) = judge(Case(document, traces=traces), [by_code("F33")], [CLAIM])
        assert result.outcome is (Outcome.VIOLATION if copies else Outcome.PASS)
        assert result.duration_ns < 5e9


# F34, F35


def test_a_performance_log_as_the_accuracy_log_is_one_file(judged):
    digest = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["file"]
    patch = {"arms": {"offline": {"runs": {"accuracy": {"file": digest}}}}}
    result = judged("suite-inference", "F34", "offline", patch)
    assert found(result) == ("a", "refutes")
    assert "the performance log and the accuracy log" in result.branch.message


def test_one_file_behind_two_results_is_no_duplicate(judged):
    """The 99 and the 99.9 % variant of a benchmark, an inferred scenario."""
    patch = {"arms": {"server": base("suite-inference")["arms"]["offline"]}}
    for code in ("F34", "F35"):
        assert found(judged("suite-inference", code, "server", patch)) == "pass"


def test_empty_files_and_files_without_digest_are_no_duplicates(judged):
    empty = {"bytes": 0, "sha256": "0" * 64, "content_sha256": "0" * 64}
    both = of_runs(result_1={"file": empty}, result_2={"file": empty})
    assert found(judged("suite-training", "F34", CLAIM, both)) == "pass"
    bare = of_runs(result_1={"file": {"content_sha256": None}})
    assert found(judged("suite-training", "F34", CLAIM, bare)) == "not-applicable"


def second_system(platform, **system):
    claim = {**base("suite-training")["claims"][CLAIM], "measured": {"arm": "copy"}}
    claim = {key: value for key, value in claim.items() if key not in {"quality", "interval"}}
    file = {"name": "r/other/r.txt", "sha256": TRAINING["result_0"]["file"]["sha256"]}
    run = {"role": "training", "file": file, "events": {"11": {"key": "submission_platform", "value": platform}}}
    return {
        "claims": {"copy": claim},
        "systems": {"other": {"name": "Other Box, 8x H200", "device": "H200", "devices_per_node": 8, **system}},
        "arms": {"copy": {"system": "other", "runs": {"r": run}}},
    }


def test_the_result_that_the_log_does_not_name_has_the_finding(judged):
    patch = second_system("1xExample Server 8xH100")
    assert found(judged("suite-training", "F35", "copy", patch)) == ("a", "refutes")
    assert found(judged("suite-training", "F35", CLAIM, patch)) == "pass"


def test_a_copy_that_no_claim_rests_on_is_told_where_the_run_belongs(judged):
    patch = second_system("1xExample Server 8xH100")
    del patch["claims"]
    result = judged("suite-training", "F35", CLAIM, patch)
    assert found(result) == ("c", "caveat")
    assert result.branch.at == "/arms/copy/runs/r/file"


def test_a_log_that_names_neither_system_undermines_both(judged):
    patch = second_system("node")
    patch["arms"][CLAIM] = {"runs": {"result_0": {"events": {"11": {"value": "node"}}}}}
    assert found(judged("suite-training", "F35", "copy", patch)) == ("a", "undermines")
    assert found(judged("suite-training", "F35", CLAIM, patch)) == ("a", "undermines")


def test_one_machine_under_two_names_is_a_caveat_and_another_round_nothing(judged):
    own = base("suite-training")["systems"]["server"]
    alike = {key: own[key] for key in ("device", "nodes", "host_processor", "host_sockets", "host_memory_gib")}
    patch = second_system("1xExample Server 8xH100", **alike)
    assert found(judged("suite-training", "F35", "copy", patch)) == ("b", "caveat")
    patch["claims"]["copy"]["suite_result"] = {**patch["claims"]["copy"]["suite_result"], "round": "v5.1"}
    assert found(judged("suite-training", "F35", "copy", patch)) == "pass"
    patch["arms"]["copy"]["system"] = None
    assert found(judged("suite-training", "F35", "copy", patch)) == "not-applicable"


# F36


def starts(*names, line="23", time=1744012991494):
    return of_runs(**{name: {"events": {line: {"time_ms": time}}} for name in names})


def test_two_stamps_undermine_and_three_refute(judged):
    assert found(judged("suite-training", "F36", CLAIM, starts("result_1"))) == ("b", "undermines")
    assert found(judged("suite-training", "F36", CLAIM, starts("result_1", "result_2"))) == ("a", "refutes")


def test_copies_explain_two_equal_stamps(judged):
    patch = copied(times=True)
    for line, event in patch["arms"][CLAIM]["runs"]["result_1"]["events"].items():
        event["time_ms"] = TRAINING["result_0"]["events"][line]["time_ms"]
    assert found(judged("suite-training", "F36", CLAIM, patch)) == "pass"


def test_coarse_relative_and_scripted_stamps_are_not_judged(judged):
    coarse = {name: {"clock": {"resolution_ms": 1000}} for name in NAMES}
    relative = {name: {"clock": {"kind": "relative"}} for name in NAMES}
    for runs in (coarse, relative):
        patch = starts("result_1", "result_2")
        for name, fields in runs.items():
            patch["arms"][CLAIM]["runs"].setdefault(name, {}).update(fields)
        assert found(judged("suite-training", "F36", CLAIM, patch)) == "not-applicable"
    scripted = starts(*NAMES[1:], line="4", time=TRAINING["result_0"]["events"]["4"]["time_ms"])
    assert found(judged("suite-training", "F36", CLAIM, scripted)) == "pass"


def started(stamp):
    return {"1": {"time_ms": stamp, "key": "run_start"}, "2": {"time_ms": stamp + HOUR, "key": "run_stop"}}


def test_runs_that_a_scheduler_starts_together_may_meet(judged):
    value = copy.deepcopy(base("suite-training"))
    run = {"role": "training", "clock": {"kind": "unix", "resolution_ms": 1}}
    stamps = [1744012991000 + 7 * i for i in range(20)] + [1744012991007]
    value["arms"][CLAIM]["runs"] = {f"r{i}": {**run, "events": started(stamp)} for i, stamp in enumerate(stamps)}
    (result,) = judge(Case(to_model(value, Submission)), [by_code("F36")], [CLAIM])
    assert result.outcome is not Outcome.VIOLATION


# F37


def overlapping(**fields):
    return of_runs(result_1=shifted("result_1", -HOUR // 2, **fields))


def test_runs_of_one_exclusive_host_do_not_overlap(judged):
    assert found(judged("suite-training", "F37", CLAIM, overlapping())) == ("a", "refutes")


def test_a_run_does_not_initialise_while_another_is_measured_on_one_exclusive_host(judged):
    times, before = times_of("result_1"), times_of("result_0")
    shift = before["90"] - times["23"] + 1_000
    begins = before["90"] - 40_000
    early = shifted("result_1", shift, init={"start_ms": begins, "stop_ms": times["23"] + shift})
    assert found(judged("suite-training", "F37", CLAIM, of_runs(result_1=early))) == ("b", "undermines")
    early["init"]["start_ms"] = before["90"] - 4_000
    assert found(judged("suite-training", "F37", CLAIM, of_runs(result_1=early))) == "pass"
    elsewhere = early | {"host": "node-18", "init": {"start_ms": begins, "stop_ms": times["23"] + shift}}
    assert found(judged("suite-training", "F37", CLAIM, of_runs(result_1=elsewhere))) == "pass"


def test_runs_on_separate_hosts_or_devices_may_overlap(judged):
    assert found(judged("suite-training", "F37", CLAIM, overlapping(host="node-18"))) == "pass"
    shared = {name: {"exclusive": False, "device_ids": [f"{name}-{i}" for i in range(4)]} for name in NAMES}
    patch = overlapping()
    for name, fields in shared.items():
        patch["arms"][CLAIM]["runs"].setdefault(name, {}).update(fields)
    assert found(judged("suite-training", "F37", CLAIM, patch)) == "pass"
    patch["arms"][CLAIM]["runs"]["result_1"]["device_ids"] = ["result_0-0", "x"]
    assert found(judged("suite-training", "F37", CLAIM, patch)) == ("a", "refutes")


def test_a_shared_host_that_nobody_had_alone_is_judged_by_its_devices(judged):
    patch = overlapping()
    for name in NAMES:
        patch["arms"][CLAIM]["runs"].setdefault(name, {}).update({"exclusive": False})
    assert found(judged("suite-training", "F37", CLAIM, patch)) == ("a", "refutes")
    patch["arms"][CLAIM] |= {"devices": 4}
    patch["arms"][CLAIM]["options"] = {"devices": 4}
    assert found(judged("suite-training", "F37", CLAIM, patch)) == "not-shown"


def test_parallel_runs_without_identity_are_not_shown(judged):
    patch = overlapping()
    for name in NAMES:
        patch["arms"][CLAIM]["runs"].setdefault(name, {}).update({"host": None, "exclusive": None})
    result = judged("suite-training", "F37", CLAIM, patch)
    assert found(result) == "not-shown"
    assert result.branch.item == ""
    site = {"systems": {"server": {"site_devices": 8}}, **patch}
    assert found(judged("suite-training", "F37", CLAIM, site)) == ("a", "refutes")
    wide = {"systems": {"server": {"site_devices": 16}}, **patch}
    assert found(judged("suite-training", "F37", CLAIM, wide)) == "not-shown"


def test_an_overlap_of_four_seconds_is_one_of_clocks(judged):
    gap = times_of("result_1")["23"] - times_of("result_0")["90"]
    init = {"start_ms": times_of("result_0")["90"] - 4_000, "stop_ms": times_of("result_0")["90"] - 4_000}
    four = of_runs(result_1=shifted("result_1", -gap - 4_000, init=init))
    assert found(judged("suite-training", "F37", CLAIM, four)) == "pass"
    late = of_runs(result_1=shifted("result_1", -gap - 6_000))
    assert found(judged("suite-training", "F37", CLAIM, late)) == ("a", "refutes")


def test_runs_of_two_results_do_not_share_a_host_at_one_time(judged):
    window = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["window"]
    other = {key: window[key] + 1_000 for key in ("start_ms", "stop_ms")}
    patch = {"arms": {"server": {"runs": {"performance": {"window": other}}}}}
    assert found(judged("suite-inference", "F37", "offline", patch)) == ("a", "refutes")
    assert found(judged("suite-inference", "F37", "offline")) != ("a", "refutes")


# F38


@pytest.mark.parametrize(
    ("days", "expected"),
    [(3, "pass"), (8, ("c", "caveat")), (31, ("b", "undermines")), (61, ("a", "undermines"))],
)
def test_spans_without_a_plan(judged, days, expected):
    patch = of_runs(result_4=shifted("result_4", days * DAY))
    patch["arms"][CLAIM]["plan"] = None
    assert found(judged("suite-training", "F38", CLAIM, patch)) == expected


def test_a_plan_that_lists_every_run_does_not_say_what_changed_in_between(judged):
    result = judged("suite-training", "F38", CLAIM, of_runs(result_4=shifted("result_4", 61 * DAY)))
    assert found(result) == ("d", "caveat")
    assert "the plan lists 5 runs" in result.branch.message
    assert found(judged("suite-training", "F38", CLAIM, of_runs(result_4=shifted("result_4", 3 * DAY)))) == "pass"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Trains in 38 minutes (mean of five runs on five days of two months).", "pass"),
        ("Trains in 38 minutes (five runs, one over each of two months).", ("d", "caveat")),
        ("Trains in 38 minutes; five runs, median.", ("d", "caveat")),
    ],
)
def test_a_plan_beside_words_that_say_on_how_many_days(judged, sentence, expected):
    patch = {**of_runs(result_4=shifted("result_4", 61 * DAY)), "claims": {CLAIM: {"statement": sentence}}}
    assert found(judged("suite-training", "F38", CLAIM, patch)) == expected
    patch["arms"][CLAIM]["plan"] = None
    assert found(judged("suite-training", "F38", CLAIM, patch)) == ("a", "undermines")


def test_long_runs_make_a_long_campaign(judged):
    runs = {
        name: {"window": {"start_ms": 1744012991494 + i * 20 * DAY, "stop_ms": 1744012991494 + (i * 20 + 19) * DAY}}
        for i, name in enumerate(NAMES)
    }
    patch = {"arms": {CLAIM: {"plan": None, "runs": runs}}}
    assert found(judged("suite-training", "F38", CLAIM, patch)) == "pass"


# F55, M30


def test_runs_that_skip_the_first_evaluations_have_another_schedule(judged):
    events = base("suite-training")["arms"][CLAIM]["runs"]["result_1"]["events"]
    early = [line for line, event in events.items() if event["key"].startswith("eval_") and event.get("epoch", 9) <= 2]
    gone = {"events": dict.fromkeys(early)}
    assert early
    result = judged("suite-training", "M30", CLAIM, of_runs(result_1=gone))
    assert found(result) == ("a", "undermines")


def test_a_log_with_a_line_that_cannot_be_read_may_have_lost_an_evaluation(judged):
    events = base("suite-training")["arms"][CLAIM]["runs"]["result_1"]["events"]
    (line,) = [line for line, event in events.items() if event["key"] == "eval_accuracy" and event.get("epoch") == 3]
    lost = {"events": {line: None}}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(result_1=lost))) == ("a", "undermines")
    cut = lost | {"malformed": {line: {"expected": "value", "column": 9}}}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(result_1=cut))) == "not-applicable"
    others = {**of_runs(result_1=cut), **of_runs(result_1=cut)}
    others["arms"][CLAIM]["runs"]["result_2"] = lost
    assert found(judged("suite-training", "M30", CLAIM, others)) == ("a", "undermines")


def test_rank_seeds_and_failed_runs_share_nothing(judged):
    ranks = {
        name: {"events": {str(300 + i): {"key": "seed", "value": 100 * index + i} for i in range(4)}}
        for index, name in enumerate(NAMES)
    }
    assert found(judged("suite-training", "F55", CLAIM, of_runs(**ranks))) == "pass"
    failed = events("result_1", **{"6": {"value": 1822113}, "90": {"value": "aborted"}})
    failed["arms"][CLAIM]["runs"]["result_1"]["status"] = "aborted"
    assert found(judged("suite-training", "F55", CLAIM, failed)) == "pass"


def test_one_rank_in_common_is_no_shared_set(judged):
    patch = events("result_1", **{"300": {"key": "seed", "value": 1822113}})
    assert found(judged("suite-training", "F55", CLAIM, patch)) == "pass"


def test_trials_without_logs_are_asked_for_their_seeds(judged):
    patch = {"arms": {CLAIM: {"runs": None, "trials": {"result_1": {"seed": 1822113}}}}}
    assert found(judged("suite-training", "F55", CLAIM, patch)) == ("a", "undermines")
    words = {"topic": "scope_narrower", "quote": "A study of determinism: all runs use one seed."}
    said = {**patch, "claims": {CLAIM: {"said": [words]}}}
    assert found(judged("suite-training", "F55", CLAIM, {**patch, "disclosures": [words]})) == ("a", "undermines")
    assert found(judged("suite-training", "F55", CLAIM, said)) == "not-applicable"
    assert found(judged("suite-training", "F55", CLAIM, events("result_1", **{"6": None}))) == "not-applicable"


def test_schedules_of_runs_that_stop_at_other_evaluations_are_one(judged):
    shorter = {line: None for line, event in TRAINING["result_1"]["events"].items() if event.get("epoch", 0) > 4}
    assert found(judged("suite-training", "M30", CLAIM, events("result_1", **shorter))) == "pass"
    bare = {line: None for line, event in TRAINING["result_1"]["events"].items() if event.get("epoch", 0) > 2}
    assert found(judged("suite-training", "M30", CLAIM, events("result_1", **bare))) == "not-applicable"


def counted(counters):
    """Evaluations of a run at other counters of samples, one for each of its six evaluations."""
    lines = [line for line, event in TRAINING["result_1"]["events"].items() if event["key"] == "eval_accuracy"]
    return {"events": {line: {"samples": samples} for line, samples in zip(lines, counters, strict=True)}}


def test_rounded_distances_alternate_in_every_run_alike(judged):
    one = [1000 * i + (i % 2) for i in range(1, 7)]
    runs = {name: counted(one) for name in NAMES}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == "pass"
    runs["result_1"] = counted([500 * i for i in range(1, 7)])
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == ("a", "undermines")


def test_the_last_evaluation_of_a_run_that_failed_was_set_by_its_end(judged):
    runs = {name: counted([1000 * i for i in range(1, 7)]) for name in NAMES}
    runs["result_1"] = counted([1000, 2000, 3000, 4000, 5000, 5100])
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == ("a", "undermines")
    runs["result_1"] |= {"status": "aborted"}
    assert found(judged("suite-training", "M30", CLAIM, of_runs(**runs))) == "pass"
