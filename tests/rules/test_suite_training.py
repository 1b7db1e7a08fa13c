"""Q01 to Q09: results of the training suite against the policy of their round."""

import math

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.facts.suite.result import canonical
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from dlaudit.rules.statistics.reference_runs import trimmed
from dlaudit.rules.suite._suite_reference import reference_at
from dlaudit.rules.suite.score_not_as_prescribed import score_s
from dlaudit.schemas.submission import ReferenceRuns
from hypothesis import given
from hypothesis import strategies as st

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
RUNS = [f"result_{index}" for index in range(5)]


def result(**fields):
    return {"claims": {"retinanet": {"suite_result": fields}}}


def runs(**patches):
    return {"arms": {"retinanet": {"runs": patches}}}


def events(run, **patches):
    return runs(**{run: {"events": {line.removeprefix("line"): patch for line, patch in patches.items()}}})


def both(*patches):
    found = {}
    for patch in patches:
        for key, value in patch.items():
            found[key] = (
                both(found[key], value) if isinstance(found.get(key), dict) and isinstance(value, dict) else value
            )
    return found


@pytest.fixture
def training(judged):
    def judge(code, patch=None, **case):
        found = judged("suite-training", code, "retinanet", patch or {}, **case)
        effect = getattr(found.branch, "effect", None) if found.outcome is VIOLATION else None
        return found.outcome, effect

    return judge


@pytest.mark.parametrize("code", ["Q01", "Q02", "Q03", "Q04", "Q05", "Q06", "Q07", "Q08"])
@pytest.mark.parametrize(
    "unknown", [{"round": "v9.9"}, {"round": None}, {"benchmark": "no such one"}, {"round": "soon"}]
)
def test_what_the_tables_do_not_hold_is_not_decided(training, code, unknown):
    outcome, _ = training(code, result(**unknown))
    if code == "Q03" and "benchmark" in unknown:
        assert outcome is PASS
    else:
        assert outcome is NOT_APPLICABLE


def without(*names):
    return {"arms": {"retinanet": {"runs": dict.fromkeys(names), "trials": dict.fromkeys(names)}}}


def declared(count):
    return {"arms": {"retinanet": {"performance": {"score": {"n": {"planned": count, "completed": count}}}}}}


def test_too_few_runs(training):
    assert training("Q01", both(without("result_4"), declared(4))) == (VIOLATION, UNDERMINES)
    assert training("Q01", both(without(*RUNS), declared(5))) == (PASS, None)


def test_an_excerpt_may_leave_logs_out(training):
    few = both(
        without("result_4"), {"coverage": "excerpt"}, {"arms": {"retinanet": {"performance": {"score": {"n": None}}}}}
    )
    assert training("Q01", few) == (NOT_SHOWN, None)
    assert training(
        "Q01", both(few, {"coverage": "full", "claims": {"retinanet": {"value": None, "form": "words"}}})
    ) == (
        NOT_SHOWN,
        None,
    )


def test_one_aborted_run_may_be_left_out_and_two_may_not(training):
    one = runs(result_1={"status": "aborted"})
    assert training("Q01", one) == (PASS, None)
    assert training("Q01", both(one, runs(result_2={"status": "aborted"}))) == (VIOLATION, UNDERMINES)


def test_more_runs_than_count_need_a_rule(training):
    more = runs(result_5={"role": "training", "status": "success", "file": {"name": "result_5.txt"}})
    assert training("Q01", more) == (PASS, None)
    bare = both(more, {"arms": {"retinanet": {"measurement": {"discard_rule": None}}}})
    assert training("Q01", bare) == (VIOLATION, UNDERMINES)


def test_a_weak_scaling_result_has_no_number_of_runs(training):
    weak = {"arms": {"retinanet": {"folder": "results/box/weak/retinanet"}}}
    assert training("Q01", both(weak, without("result_4"), declared(4))) == (NOT_APPLICABLE, None)
    assert training("Q08", both(weak, {"claims": {"retinanet": {"value": "1.0"}}})) == (NOT_APPLICABLE, None)


def test_a_run_without_success_may_miss_the_target(training):
    missed = events("result_2", line88={"value": 0.33})
    assert training("Q02", missed) == (VIOLATION, REFUTES)
    failed = both(missed, runs(result_2={"status": "aborted"}))
    assert training("Q02", failed) == (PASS, None)


@pytest.mark.parametrize(("target", "outcome"), [(0.33, VIOLATION), (0.34, PASS), (0.35, PASS), (34.0, PASS)])
def test_a_logged_target_must_not_be_easier(training, target, outcome):
    assert training("Q02", events("result_0", line21={"key": "eval_target", "value": target}))[0] is outcome


def test_two_metrics_have_to_meet_at_one_evaluation(training):
    diffusion = both(
        result(benchmark="stable_diffusion", round="v4.1"),
        *(without(name) for name in RUNS[1:]),
    )

    def at(first, second):
        patch = {
            line: {"value": value, "samples": samples}
            for line, value, samples in (
                *(("33", first[0], 512000), ("44", first[1], 512000)),
                *(("55", second[0], 1024000), ("66", second[1], 1024000)),
            )
        }
        patch |= dict.fromkeys(("77", "88"))
        return training("Q02", both(diffusion, runs(result_0={"events": patch})))

    assert at((120.5, 0.09), (89.1, 0.151)) == (PASS, None)
    assert at((120.5, 0.151), (89.1, 0.09)) == (VIOLATION, REFUTES)
    assert at((120.5, 0.09), (90.4, 0.151)) == (VIOLATION, REFUTES)


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_value_that_is_not_finite_never_meets_a_target(training, value):
    assert training("Q02", events("result_2", line88={"value": value})) == (VIOLATION, REFUTES)


@pytest.mark.parametrize("value", [None, True, "34.1 %", {}])
def test_a_value_that_cannot_be_read_decides_nothing(training, value):
    assert training("Q02", events("result_2", line88={"value": value})) == (NOT_APPLICABLE, None)


def test_the_open_division_may_initialise_longer(training):
    late = events("result_0", line5={"time_ms": 1744012941000 - 2 * 3600 * 1000})
    assert training("Q03", late) == (VIOLATION, UNDERMINES)
    both_open = {"claims": {"retinanet": {"division": "open", "suite_result": {"division": "open"}}}}
    assert training("Q03", both(late, both_open)) == (PASS, None)


def test_a_log_without_initialisation(training):
    assert training("Q03", events("result_3", line5=None)) == (NOT_SHOWN, None)


@pytest.mark.parametrize(
    ("line", "value", "outcome"),
    [
        ("15", "0", PASS),
        ("15", 0.0, PASS),
        ("15", "0.00001", VIOLATION),
        ("13", "Adam", PASS),
        ("13", "sgd", VIOLATION),
        ("15", "NaN", VIOLATION),
    ],
)
def test_options_are_compared_as_what_they_are(training, line, value, outcome):
    assert training("Q04", events("result_0", **{f"line{line}": {"value": value}}))[0] is outcome


def test_an_option_that_some_runs_log(training):
    assert training("Q04", events("result_0", line15=None)) == (NOT_SHOWN, None)


def test_an_open_result_may_choose_its_options(training):
    changed = both(
        events("result_0", line13={"value": "sgd"}),
        {"claims": {"retinanet": {"division": "open", "suite_result": {"division": "open"}}}},
    )
    assert training("Q04", changed)[0] is NOT_APPLICABLE


def test_a_policy_of_one_optimizer_says_nothing_of_others(training):
    lamb = both(result(benchmark="rnnt", round="v3.1"), *(events(name, line13={"value": "lamb"}) for name in RUNS))
    assert training("Q04", both(lamb, *(events(name, line15={"value": 0.001}) for name in RUNS))) == (PASS, None)
    assert training("Q04", lamb) == (VIOLATION, UNDERMINES)


def test_an_optimizer_that_the_round_does_not_list(training):
    lora = result(benchmark="llama2_70b_lora", round="v5.0")
    lion = both(lora, *(events(name, line13={"value": "lion"}) for name in RUNS))
    assert training("Q04", lion) == (VIOLATION, UNDERMINES)
    fused = both(lora, *(events(name, line13={"value": "fused_adamw"}) for name in RUNS))
    assert training("Q04", fused)[0] is not VIOLATION


def scheduled(*samples, benchmark="llama2_70b_lora", round="v6.0"):
    patch = {
        line: {"samples": count} for line, count in zip(("33", "44", "55", "66", "77", "88"), samples, strict=True)
    }
    return both(
        result(benchmark=benchmark, round=round),
        *(without(name) for name in RUNS[1:]),
        runs(result_0={"events": patch}),
    )


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("llama2-7b-99", (VIOLATION, UNDERMINES)),
        ("Llama 2 7B LoRA", (VIOLATION, UNDERMINES)),
        ("Llama 3.1 70B", (VIOLATION, UNDERMINES)),
        ("Llama 2 70B", (NOT_APPLICABLE, None)),
        ("Falcon 7B", (NOT_APPLICABLE, None)),
        ("7B", (NOT_APPLICABLE, None)),
    ],
)
def test_a_size_of_which_no_round_has_a_model(training, named, expected):
    patch = both(result(benchmark=named, round="v5.0"), {"publication": {"where": "https://blog.example.org"}})
    assert training("Q06", patch) == expected


def test_evaluations_at_the_prescribed_distance(training):
    # global batch 256: ceil(384 / 256) x 256 = 512 samples; floor(0.125 x 256 + 2) = 34 evaluations may be left out
    first = 34 * 512
    assert training("Q05", scheduled(*(first + 512 * index for index in range(6)))) == (PASS, None)
    assert training("Q05", scheduled(*(first + 256 * index for index in range(6)))) == (PASS, None)
    irregular = [first + 512 * index for index in range(5)]
    assert training("Q05", scheduled(*irregular, irregular[-1] + 128)) == (VIOLATION, CAVEAT)
    assert training("Q05", scheduled(*(first + 1024 * index for index in range(6)))) == (VIOLATION, CAVEAT)
    assert training("Q05", scheduled(*(512 + 512 * index for index in range(6)))) == (VIOLATION, CAVEAT)


@pytest.mark.parametrize(
    ("distance", "round", "expected"),
    [
        (150016, "v5.0", (PASS, None)),  # 150,000, whole batches of 256
        (153088, "v5.0", (PASS, None)),  # 0.05 x (230.23 x 256 + 3,000,000), whole batches
        (153344, "v5.0", (VIOLATION, CAVEAT)),
        (3 * 153088, "v5.0", (VIOLATION, CAVEAT)),
        (3 * 153088, "v0.7", (NOT_APPLICABLE, None)),
    ],
)
def test_a_distance_that_grows_with_the_batch(training, distance, round, expected):
    samples = (distance * index for index in range(1, 7))
    assert training("Q05", scheduled(*samples, benchmark="bert", round=round)) == expected


@pytest.mark.parametrize(
    ("part", "round_name", "name", "known"),
    [
        ("training", "5.1", "Llama2_70b_LoRA", "llama2_70b_lora"),
        ("training", "2.0", "DeepCAM", "deepcam"),
        ("training", "5.0", "flux1", None),
        ("inference", "0.7", "ssd-resnet34", "ssd-large"),
        ("inference", "3.0", "resnet50", "resnet"),
        ("inference", "5.1", "llama3_1-405b", "llama3.1-405b"),
        ("inference", "5.1", "", None),
    ],
)
def test_a_benchmark_by_any_of_its_names(part, round_name, name, known):
    assert canonical(part, round_name, name) == known


def test_a_name_that_no_round_has_is_only_a_name_where_it_is_quoted(training):
    odd = result(benchmark="object detection")
    assert training("Q06", odd) == (NOT_APPLICABLE, None)
    assert training("Q06", both(odd, {"publication": None})) == (VIOLATION, UNDERMINES)


def test_an_open_result_may_stand_for_a_benchmark(training):
    mine = {
        "claims": {"retinanet": {"division": "open", "suite_result": {"benchmark": "my-detector", "division": "open"}}}
    }
    assert training("Q06", mine) == (PASS, None)
    unknown = both(mine, {"claims": {"retinanet": {"division": None, "suite_result": {"division": None}}}})
    assert training("Q06", unknown) == (NOT_APPLICABLE, None)


def reference(*samples, batch=256):
    return {
        "claims": {
            "retinanet": {"reference_runs": {f"b{batch}": {"global_batch": batch, "samples_to_target": samples}}}
        }
    }


AROUND = [7.0e6, 7.2e6, 6.8e6, 7.1e6, 6.9e6, 7.0e6, 7.2e6, 6.8e6, 7.1e6, 6.9e6]


def test_convergence_against_the_reference(training):
    assert training("Q07", reference(*AROUND)) == (PASS, None)
    slower = [value * 1.2 for value in AROUND]
    assert training("Q07", reference(*slower)) == (VIOLATION, UNDERMINES)
    assert training("Q07", reference(*AROUND[:9])) == (NOT_APPLICABLE, None)
    assert training("Q07", reference(*[7.5e6] * 10)) == (NOT_APPLICABLE, None)
    assert training("Q07", reference(*slower, batch=512)) == (NOT_APPLICABLE, None)


def test_a_factor_answers_for_runs_that_are_faster_by_chance(training):
    near = reference(*[value * 1.01 for value in AROUND])
    assert training("Q07", near) == (VIOLATION, UNDERMINES)
    corrected = {"claims": {"retinanet": {"factor": {"value": "1.0069"}}}}
    assert training("Q07", both(near, corrected)) == (PASS, None)


def points(**samples):
    return {
        key: ReferenceRuns(at="", global_batch=int(key[1:]), samples_to_target=tuple(found))
        for key, found in samples.items()
    }


def test_the_reference_between_two_batches_lies_on_a_straight_line():
    found = reference_at(points(b100=[9.0, 10.0, 11.0, 12.0], b300=[19.0, 20.0, 21.0, 22.0]), 200)
    assert found.mean == pytest.approx(15.5)
    assert found.runs == 4
    assert reference_at(points(b100=[1.0, 2.0, 3.0]), 200) is None
    assert reference_at({}, 200) is None
    at = reference_at(points(b100=AROUND), 100)
    assert (at.mean, at.spread) == pytest.approx(trimmed(AROUND))


@pytest.mark.parametrize(
    ("value", "outcome", "words"),
    [
        ("38.115", PASS, ""),
        ("38.12", PASS, ""),
        ("38.054", VIOLATION, "the fastest run"),
        ("37.5", VIOLATION, "not 37.5"),
        ("39.9", NOT_SHOWN, "whether a factor applies"),
    ],
)
def test_the_score_is_the_prescribed_mean(judged, value, outcome, words):
    found = judged("suite-training", "Q08", "retinanet", {"claims": {"retinanet": {"value": value}}})
    assert found.outcome is outcome
    assert words in (found.branch.message if found.branch is not None else "")


def test_a_stated_factor_is_held_to(training):
    factor = {"claims": {"retinanet": {"value": "39.906", "factor": {"value": "1.047"}}}}
    assert training("Q08", factor) == (PASS, None)
    assert training("Q08", both(factor, {"claims": {"retinanet": {"value": "41.2"}}})) == (VIOLATION, REFUTES)


def test_a_failed_run_is_the_slowest(training):
    # without result_1, the fastest that is left is result_4: the mean of 2286.859, 2288.632 and 2291.947 s
    failed = both(runs(result_1={"status": "aborted"}), {"claims": {"retinanet": {"value": "38.152"}}})
    assert training("Q08", failed) == (PASS, None)


@given(st.lists(st.floats(1, 1e6), min_size=3, max_size=60), st.integers(0, 3))
def test_the_score_lies_between_its_runs(times, failed):
    score = score_s([*times, *[math.inf] * failed])
    if score is not None:
        assert min(times) * (1 - 1e-9) <= score <= max(times) * (1 + 1e-9)


def test_a_result_of_an_earlier_round(judged):
    earlier = {
        "claims": {
            "before": {
                "statement": "s",
                "quantity": "time",
                "form": "words",
                "scope": "training_run",
                "mode": "training",
                "compares": "none",
                "suite": "training",
                "measured": {"arm": "before"},
                "suite_result": {"benchmark": "ssd", "round": "v4.1"},
            }
        },
        "arms": {
            "before": {
                "description": {"fields": {"system_name": "example_server_8xh100"}},
                "runs": {
                    "result_0": {
                        "role": "training",
                        "file": {
                            "name": "r.txt",
                            "sha256": "871d6d04daf1b5d7552371915fe884782deb2a90d581263c73638d133d8e30b3",
                        },
                    }
                },
            }
        },
    }
    assert judged("suite-training", "Q09", "retinanet", earlier).outcome is VIOLATION
    later = both(earlier, {"claims": {"before": {"suite_result": {"round": "v5.1"}}}})
    assert judged("suite-training", "Q09", "retinanet", later).outcome is NOT_APPLICABLE
    bare = both(earlier, {"arms": {"before": {"description": None}}})
    assert judged("suite-training", "Q09", "retinanet", bare).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("label", "statement", "digests", "outcome"),
    [
        ("as submitted in v4.1", "38.115 minutes.", {"result_1": "0" * 64}, VIOLATION),
        ("another arm", "38.115 minutes, the logs resubmitted.", {"result_1": "0" * 64}, VIOLATION),
        ("another arm", "38.115 minutes.", {"result_1": "0" * 64}, NOT_APPLICABLE),
        ("as submitted in v4.1", "38.115 minutes.", {}, NOT_APPLICABLE),  # all are the same
        ("as submitted in v4.1", "38.115 minutes.", dict.fromkeys(RUNS, "0" * 64), NOT_APPLICABLE),  # none is
        ("as submitted in v5.1", "38.115 minutes.", {"result_1": "0" * 64}, NOT_APPLICABLE),
    ],
)
def test_some_logs_of_an_earlier_result_that_were_replaced(judged, label, statement, digests, outcome):
    arm = base("suite-training")["arms"]["retinanet"]
    files = {name: dict(run["file"]) for name, run in arm["runs"].items()}
    first = {
        name: {"role": "training", "file": {**file, "sha256": digests.get(name, file["sha256"])}}
        for name, file in files.items()
    }
    patch = {
        "claims": {"retinanet": {"statement": statement}},
        "arms": {"first": {"system": arm["system"], "label": label, "runs": first}},
    }
    assert judged("suite-training", "Q09", "retinanet", patch).outcome is outcome


def test_a_second_log_of_one_run_with_other_values(judged):
    arm = base("suite-training")["arms"]["retinanet"]
    first = {"system": arm["system"], "runs": {"result_0": arm["runs"]["result_0"]}}
    said = {"arms": {"first": first}}
    assert judged("suite-training", "Q09", "retinanet", said).outcome is not VIOLATION
    logged = arm["runs"]["result_0"]["events"]
    line, event = next((at, item) for at, item in logged.items() if item["key"] == "run_stop")
    edited = first | {"runs": {"result_0": first["runs"]["result_0"] | {"events": {}}}}
    edited["runs"]["result_0"]["events"] = logged | {line: event | {"value": "aborted"}}
    found = judged("suite-training", "Q09", "retinanet", {"arms": {"first": edited}})
    assert (found.outcome, found.branch.branch) == (VIOLATION, "b")
    assert "run_stop" in found.branch.message


@pytest.mark.parametrize(
    ("examples", "division", "expected"),
    [
        (24781, "closed", (PASS, None)),
        (24600, "closed", (PASS, None)),
        (12000, "closed", (VIOLATION, REFUTES)),
        (12000, "open", (NOT_APPLICABLE, None)),
    ],
)
def test_a_closed_result_evaluates_its_whole_set(training, examples, division, expected):
    claim = {"claims": {"retinanet": {"division": division, "suite_result": {"division": division}}}}
    patch = both(claim, {"arms": {"retinanet": {"quality": {"mAP": {"examples": examples}}}}})
    assert training("Q32", patch) == expected
