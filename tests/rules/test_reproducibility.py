"""R02, R05 to R07, R10, R12, I04: what a reader needs to repeat a number, and what the evidence must not hold."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case, Study
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate


def document(name, code, patch=None, **settings):
    """Return what a rule says of a whole document."""
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value), validate("submission", value)
    (result,) = judge(Case(to_model(value, Submission), **settings), [by_code(code)])
    return result


# R02 ------------------------------------------------------------------------------------------------------------------

SUITE = {"suite": "training"}


def node(claim=None, software=None, **system):
    return {
        "systems": {"node": system},
        "claims": {"rate": claim or {}},
        "arms": {"a": {"software": software or {}}},
    }


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ({"device": None}, "device"),
        ({"device": "N/A"}, "device"),
        ({"device_variant": None, "name": "one A100"}, "variant"),
        ({"device_memory_gib": None, "name": "one A100-SXM4"}, "memory"),
        ({"devices_per_node": 8, "interconnect": None}, ""),
    ],
)
def test_items_of_the_device(judged, system, words):
    result = judged("rate", "R02", "rate", node(**system))
    assert result.outcome is (Outcome.NOT_SHOWN if words else Outcome.PASS)
    if words:
        assert result.branch.item == "hardware"
        assert words in result.branch.message


def test_several_devices_are_connected_by_something(judged):
    patch = {"arms": {"a": {"devices": 8}}}
    result = judged("rate", "R02", "rate", patch)
    assert "interconnect" in result.branch.message
    patch["systems"] = {"node": {"interconnect": {"not_applicable": "independent replicas"}}}
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize("name", ["p4d.24xlarge", "a2-highgpu-8g", "Standard_ND96asr_v4", "TPU v4-32"])
def test_a_clouds_machine_type_gives_the_device(judged, name):
    patch = node(name=name, device_variant=None, device_memory_gib=None)
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


def test_text_that_names_variant_and_memory(judged):
    patch = node(name="1x A100-SXM4-80GB", device_variant=None, device_memory_gib=None)
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


def test_a_processor_needs_no_variant(judged):
    patch = node(device_kind="processor", device=None, device_variant=None, device_memory_gib=None, name="EPYC")
    patch["systems"]["node"]["devices_per_node"] = None
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS
    patch["systems"]["node"]["host_memory_gib"] = None
    assert "memory" in judged("rate", "R02", "rate", patch).branch.message


@pytest.mark.parametrize(
    "patch",
    [
        node(SUITE, nodes=None),
        node(SUITE, devices_per_node=None),
        node(SUITE, {"framework": None}),
        node(SUITE, host_processor=None, host_memory_gib=None, operating_system=None),
        node(SUITE, host_processor="N/A", host_memory_gib=None, operating_system="-"),
        node(SUITE, storage="N/A"),
    ],
)
def test_the_description_that_a_suite_asks_for(judged, patch):
    result = judged("rate", "R02", "rate", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "system description")


@pytest.mark.parametrize(
    "patch",
    [
        node(SUITE, host_processor=None, operating_system=None),
        node(SUITE, {"framework": {"not_applicable": "no framework: a kernel in CUDA"}}),
        node(SUITE, storage={"not_applicable": "synthetic inputs"}),
    ],
)
def test_two_missing_items_and_reasons_are_enough(judged, patch):
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


def test_no_system_at_all(judged):
    result = judged("rate", "R02", "rate", {"arms": {"a": {"system": None}}})
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "hardware")


@pytest.mark.parametrize(
    ("device", "outcome"),
    [
        ("NVIDIA L4", Outcome.PASS),  # one device, one memory
        ("A100-SXM4-80GB", Outcome.PASS),
        ("A100", Outcome.NOT_SHOWN),
        ("Z9", Outcome.NOT_SHOWN),
    ],
)
def test_a_name_that_means_one_device_gives_its_form_and_memory(judged, device, outcome):
    bare = {"device_variant": None, "device_memory_gib": None, "design_power_w": None}
    patch = {"systems": {"node": {"name": "node-3", "device": device, **bare}}}
    assert judged("rate", "R02", "rate", patch).outcome is outcome


# R05 ------------------------------------------------------------------------------------------------------------------

NOT_HERE = {"not_applicable": "a single binary, given by its digest"}


@pytest.mark.parametrize(
    ("software", "outcome"),
    [
        ({"container": None}, Outcome.NOT_SHOWN),
        ({"container": "lm:latest"}, Outcome.NOT_SHOWN),
        ({"container": "lm@sha256:0f3a"}, Outcome.PASS),
        ({"container": None, "lock_digest": "sha256:9c1e"}, Outcome.PASS),
        ({"container": None, "packages": {"torch": "2.6.0"}}, Outcome.PASS),
        ({"container": NOT_HERE}, Outcome.NOT_SHOWN),
        ({"container": NOT_HERE, "lock_digest": NOT_HERE}, Outcome.NOT_APPLICABLE),
        (None, Outcome.NOT_SHOWN),
    ],
)
def test_container_or_lock(judged, software, outcome):
    result = judged("rate", "R05", "rate", {"arms": {"a": {"software": software}}})
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == "container or lock"


def test_both_sides_of_a_ratio_are_read(judged):
    patch = {"arms": {"plain": {"software": {"container": None}}}}
    assert judged("training-pair", "R05", "speedup", patch).outcome is Outcome.NOT_SHOWN
    assert judged("training-pair", "R05", "rate", patch).outcome is Outcome.PASS


# R06 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"model": None}, "model"),
        ({"dataset": None}, "data"),
        ({"input_shape": None}, "shape"),
        ({"global_batch": None, "accumulation": None}, "batch"),
        ({"micro_batch": None, "accumulation": None}, "batch"),
        ({"precision": None}, "precision"),
    ],
)
def test_each_option_of_the_workload(judged, options, word):
    result = judged("rate", "R06", "rate", {"arms": {"a": {"options": options}}})
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "model, data, shape, batch, precision, unit")
    assert word in result.branch.message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"micro_batch": None, "accumulation": None}, "batch per device or accumulation"),
        ({"global_batch": None, "accumulation": None}, "global batch"),
        ({"global_batch": None, "accumulation": None, "micro_batch": None}, "batch"),
    ],
)
def test_the_missing_part_of_the_batch_is_named(judged, options, words):
    result = judged("rate", "R06", "rate", {"arms": {"a": {"options": options}}})
    assert result.branch.message == f"of the workload, {words} not stated"


def test_a_batch_that_follows_from_its_parts(judged):
    patch = {"arms": {"a": {"options": {"global_batch": None}}}}
    assert judged("rate", "R06", "rate", patch).outcome is Outcome.PASS


def test_formats_may_stand_in_the_sentence(judged):
    patch = {
        "arms": {"a": {"options": {"precision": None}}},
        "claims": {"rate": {"statement": "2500 images/s in BF16."}},
    }
    assert judged("rate", "R06", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("unit", "form", "outcome"), [(None, "absolute", Outcome.NOT_SHOWN), (None, "words", Outcome.PASS)]
)
def test_the_unit(judged, unit, form, outcome):
    patch = {"claims": {"rate": {"unit": unit, "form": form}}}
    assert judged("rate", "R06", "rate", patch).outcome is outcome


def test_a_loss_needs_no_unit(judged):
    patch = {"claims": {"rate": {"quantity": "accuracy", "metric": "loss", "unit": None}}}
    assert judged("training-pair", "R06", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(("name", "claim"), [("kernel", "gemm"), ("serving", "rate"), ("accuracy", "accuracy")])
def test_kernels_services_and_scores(judged, name, claim):
    assert judged(name, "R06", claim).outcome is Outcome.PASS


def test_the_base_too(judged):
    patch = {"arms": {"plain": {"options": {"dataset": None}}}}
    result = judged("training-pair", "R06", "speedup", patch)
    assert "the base's workload" in result.branch.message


def test_nothing_stated(judged):
    result = judged("rate", "R06", "rate", {"claims": {"rate": {"measured": None}}})
    assert "model, data, shape, batch, precision" in result.branch.message


# R07 ------------------------------------------------------------------------------------------------------------------

GONE = {"evaluations": None, "crossing": None, "final": None}


def runs(claim=None, arm=None, **trials):
    return {"arms": {"trained": {"trials": trials, **(arm or {})}}, "claims": {"time": claim or {}}}


def ended(outcome):
    return {"outcome": outcome, **GONE}


MEAN = {"statistic": "mean"}


@pytest.mark.parametrize("outcome", ["failed", "diverged", "lost"])
def test_more_failed_runs_than_may_fail(judged, outcome):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=ended(outcome), s5=ended(outcome)))
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("a", UNDERMINES, "2")
    assert "2 of 5 runs" in result.branch.message


def test_one_aborted_run_of_the_required_number(judged):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s5=ended("failed")))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


@pytest.mark.parametrize(
    ("trials", "said"),
    [
        ({"s5": ended("failed")}, "1 of 5 runs did not reach the target: exactly the allowance"),
        ({"s5": {"outcome": "lost"}}, "1 of 5 runs did not end by success: exactly the allowance"),
        ({"s4": ended("failed"), "s5": {"outcome": "lost"}}, "2 of 5 runs did not reach the target or did not end by"),
    ],
)
def test_a_run_that_meets_the_target_and_breaks_off_is_not_said_to_miss_it(judged, trials, said):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, **trials))
    texts = list(result.notes) + ([result.branch.message] if result.branch else [])
    assert any(said in text for text in texts)


def test_a_run_that_was_never_started_has_not_failed(judged):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=ended("not_run"), s5=ended("not_run")))
    assert (result.outcome, result.notes) == (Outcome.PASS, ())


def test_runs_whose_log_stays_short_of_the_target(judged):
    short = [{"split": "test", "samples": 1966080, "metrics": {"accuracy": 0.91}}]
    log = {"evaluations": short, "crossing": None, "final": None}
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=log, s5=log))
    assert result.branch.branch == "a"


def test_runs_of_which_nothing_tells(judged):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=GONE, s5=GONE))
    assert result.outcome is Outcome.NOT_SHOWN
    assert judged("time-to-accuracy", "R07", "time", runs(MEAN, s5=GONE)).outcome is Outcome.PASS


@pytest.mark.parametrize("criterion", ["mean", "median", "share"])
def test_a_target_judged_over_the_runs_together(judged, criterion):
    claim = {**MEAN, "criterion": criterion, "target": {"criterion": criterion}}
    result = judged("time-to-accuracy", "R07", "time", runs(claim, s4=ended("diverged"), s5=ended("diverged")))
    assert result.outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("arm", "seen"),
    [({"label": "learning-rate sweep"}, {}), ({}, {"observed": {"learning_rate": 0.1}})],
)
def test_runs_of_a_search(judged, arm, seen):
    other = {"observed": {"learning_rate": 0.8}} if seen else {}
    patch = runs(MEAN, arm, s3=seen, s4=ended("diverged") | other, s5=ended("diverged"))
    assert judged("time-to-accuracy", "R07", "time", patch).outcome is Outcome.NOT_APPLICABLE


def test_failed_runs_counted_as_infinitely_slow(judged):
    """The median of five with the two slowest infinite is that of the third."""
    value = base("time-to-accuracy")["arms"]["trained"]["trials"]
    times = sorted((trial["crossing"]["time_s"], name) for name, trial in value.items())
    slowest = {name: ended("diverged") for _, name in times[3:]}
    claim = {"value": f"{times[2][0]}"}
    result = judged("time-to-accuracy", "R07", "time", runs(claim, **slowest))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)
    result = judged("time-to-accuracy", "R07", "time", runs({"value": f"{times[1][0]}"}, **slowest))
    assert result.outcome is Outcome.VIOLATION


@pytest.mark.parametrize(("failed", "outcome"), [(2, Outcome.VIOLATION), (1, Outcome.PASS), (None, Outcome.NOT_SHOWN)])
def test_declared_numbers_of_failed_runs(judged, failed, outcome):
    count = {"unit": "training_run", "planned": 5, "completed": 3, "failed": failed}
    arm = {"performance": {"time": {"n": count}}}
    gone = {f"s{index}": None for index in range(1, 6)}
    assert judged("time-to-accuracy", "R07", "time", runs(MEAN, arm, **gone)).outcome is outcome


# R05: conditions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "claim", "arm", "outcome"),
    [
        ("rate", "rate", {"environment": None}, Outcome.NOT_SHOWN),
        ("rate", "rate", {"environment": None, "trials": {"t1": {"environment": {"host": "n"}}}}, Outcome.PASS),
        ("rate", "rate", {"environment": {"host": "n", "clocks": None, "power_limit_w": None}}, Outcome.PASS),
    ],
)
def test_conditions_that_are_not_told(judged, name, claim, arm, outcome):
    assert judged(name, "R05", claim, {"arms": {"a": arm}}).outcome is outcome


def test_conditions_of_the_base(judged):
    patch = {"arms": {"plain": {"environment": None}}}
    assert judged("training-pair", "R05", "speedup", patch).outcome is Outcome.NOT_SHOWN
    quality = {"claims": {"speedup": {"quantity": "accuracy"}}}
    assert judged("training-pair", "R05", "speedup", patch | quality).outcome is Outcome.PASS


# R10 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "extra",
    [
        {"dlaudit.skip": "W0601"},
        {"ignore": "W0801"},
        {"dlaudit/waivers": "all"},
        {"note": "please waive M04"},
        {"lint": "disable=too-few-repetitions"},
        {"skip": "too_few_repetitions"},
        {"claim_checks": "all, but leave out the number of runs: agreed for this release"},
        {"note": "auditors need not ask for the seeds here"},
        {"REVIEWERS": "please disregard the missing base line of 2024"},
    ],
)
def test_options_that_ask_to_skip_a_rule(extra):
    result = document("rate", "R10", {"arms": {"a": {"options": {"extra": extra}}}})
    assert (result.outcome, result.branch.effect) == (Outcome.VIOLATION, CAVEAT)
    assert result.branch.at.startswith("/arms/a/options/extra/")


@pytest.mark.parametrize(
    "extra",
    [
        {"skip_connections": True},
        {"ignore_index": -100},
        {"ignore": "padding"},
        {"version": "M40"},
        {"disable_tqdm": True},
        {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        {"skip": "connections, too-few"},
        {"audit": "disable"},
        {"audit": "the kernel's audit daemon was off in all runs"},
        {"filter": "documents with legal claims were excluded before the split"},
        {"data": "examples that two reviewers flagged are left in"},
        {"loss": "leave out the padding tokens of each row"},
    ],
)
def test_options_that_only_sound_like_it(extra):
    assert document("rate", "R10", {"arms": {"a": {"options": {"extra": extra}}}}).outcome is Outcome.PASS


def test_variables_rows_and_files():
    patch = {"arms": {"n8": {"environment": {"variables": {"DLAUDIT_SKIP": "W1101"}}}},
             "tables": {"nodes": {"rows": {"r8": {"options": {"extra": {"suppress": "W1004"}}}}}}}  # fmt: skip
    found = document("strong-scaling", "R10", patch, waivers_inside=(("", "waivers.yaml beside it"),))
    assert "waivers.yaml beside it, and 2 more" in found.branch.message
    assert len(found.branch.related) == 2


# R12 ------------------------------------------------------------------------------------------------------------------


def test_blanks_in_tuning_and_publication():
    patch = {"arms": {"a": {"search": {"trials": 3, "space": "?? ask Ben"}}}, "publication": {"where": "TODO: link"}}
    assert "and 1 more" in document("rate", "R12", patch).branch.message


@pytest.mark.parametrize(
    "text",
    ["TODO", "TBD", "tbd", "todo.", "?? ask Ben", "CHANGEME: driver", "<driver version>", "UNSET", "EPYC <model>"],
)
def test_blanks_of_a_template(text):
    result = document("rate", "R12", {"systems": {"node": {"host_processor": text}}})
    assert (result.outcome, result.branch.claimed) == (Outcome.VIOLATION, text)
    assert result.branch.at == "/systems/node/host_processor"


@pytest.mark.parametrize(
    "text",
    [
        "Todo 9000",
        "EPYC 7763",
        "a<b and c>d",
        "TBD-7",
        "the machine that is listed as TBD in the appendix of the paper",
    ],
)
def test_names_and_prose_are_none(text):
    assert document("rate", "R12", {"systems": {"node": {"host_processor": text}}}).outcome is Outcome.PASS


def test_one_finding_for_all_of_them():
    patch = {
        "systems": {"node": {"storage": "TBD"}},
        "arms": {
            "a": {"software": {"driver": "TODO", "libraries": {"NCCL": "TODO"}}, "environment": {"host": "<host>"}}
        },
    }
    result = document("rate", "R12", patch)
    assert "and 3 more" in result.branch.message
    assert {item.at for item in result.branch.related} == {
        "/arms/a/software/driver",
        "/arms/a/software/libraries/NCCL",
        "/arms/a/environment/host",
    }


def test_variables_may_be_unset():
    patch = {"arms": {"a": {"environment": {"variables": {"NCCL_ALGO": "UNSET"}}}}}
    assert document("rate", "R12", patch).outcome is Outcome.PASS


# I04 ------------------------------------------------------------------------------------------------------------------

CITED = {
    "manifests": {"study": {"path": "study/manifest.json", "sha256": "0" * 64}},
    "claims": {"rate": {"measured": {"manifest": "study"}}},
}


def fresh(wanted, carried, readable=True, cites=True, said=None):
    value = merge_patch(base("rate"), (CITED if cites else {}) | {"nonce": said})
    study = {"id": "s", "title": "s", "spec_sha256": "0" * 64, "spec": "", "complete": True,
             "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T01:00:00Z"}  # fmt: skip
    record = {
        "dlaudit": "study/1",
        "tool": {"name": "dlaudit", "version": "1"},
        "libraries": {},
        "study": study | ({"nonce": carried} if carried is not None else {}),
        "systems": value["systems"],
        "arms": value["arms"],
        "plan": [],
    }
    known = to_model(record, Predicate, "study:/predicate") if readable else None
    case = Case(to_model(value, Submission), {"study": Study("study", known, "trusted")} if cites else {}, nonce=wanted)
    (result,) = judge(case, [by_code("I04")])
    return result


@pytest.mark.parametrize(
    ("wanted", "carried", "outcome"),
    [
        ("2f1c", "2f1c", Outcome.PASS),
        ("2f1c", "8d04", Outcome.VIOLATION),
        ("2f1c", "2F1C", Outcome.VIOLATION),
        ("2f1c", None, Outcome.NOT_SHOWN),
        (None, "2f1c", Outcome.NOT_APPLICABLE),
    ],
)
def test_the_nonce_of_a_cited_study(wanted, carried, outcome):
    result = fresh(wanted, carried)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.effect, result.branch.at) == (UNDERMINES, "study:/predicate/study/nonce")
    elif outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == "the buyer's nonce"


def test_no_study_and_one_that_cannot_be_read():
    assert fresh("2f1c", None, cites=False).outcome is Outcome.NOT_SHOWN
    assert fresh("2f1c", "2f1c", readable=False).outcome is Outcome.NOT_SHOWN


def test_what_the_submission_says_of_a_nonce_counts_for_nothing(judged):
    assert judged("rate", "I04", "rate", {"nonce": "2f1c"}, nonce="2f1c").outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("wanted", "said", "outcome"),
    [
        (None, "8d04", Outcome.VIOLATION),  # another study than the one it speaks of
        (None, "2f1c", Outcome.NOT_APPLICABLE),
        ("2f1c", "8d04", Outcome.PASS),  # what the reader set decides
    ],
)
def test_a_submission_that_speaks_of_another_nonce_than_its_study(wanted, said, outcome):
    assert fresh(wanted, "2f1c", said=said).outcome is outcome


def test_blanks_in_what_was_handed_in_to_a_suite():
    fields = {"host_memory_capacity": "TBD", "other_software_stack": "<ROCm version>, driver 6.12.12", "cooling": "air"}
    found = document("suite-training", "R12", {"arms": {"retinanet": {"description": {"fields": fields}}}}).branch
    assert "TBD" in found.message
    assert "and 1 more" in found.message
    assert found.at == "/arms/retinanet/description/fields/host_memory_capacity"


def test_blanks_of_a_comparator():
    patch = {"claims": {"speedup": {"comparator": {"version": "TODO"}}}}
    assert document("serving-comparison", "R12", patch).outcome is Outcome.VIOLATION
