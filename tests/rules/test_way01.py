"""W0101, W0102, W0103, W0105: scale, extrapolation, targets and projections."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome

RUNS = {f"s{i}": None for i in range(1, 6)}
NO_QUALITY = {"arms": {"n8": {"target": None, "quality": None, "trials": RUNS}}}


def rows(**changes):
    return {"tables": {"nodes": {"rows": changes}}}


def arms(**options):
    return {"arms": {name: {"options": dict(options)} for name in ("n1", "n2", "n4", "n8")}}


def both(left, right):
    merged = dict(left)
    for key, value in right.items():
        nested = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = both(merged[key], value) if nested else value
    return merged


# W0101 ---------------------------------------------------------------------------------------------------------------


def test_the_same_batch_by_other_means_is_covered(judged):
    """Micro batch, accumulation and data-parallel size differ, their product does not."""
    result = judged("strong-scaling", "W0101", "efficiency")
    assert result.outcome is Outcome.PASS


def test_a_ratio_of_equal_option_sets_needs_no_convergence(judged):
    result = judged("strong-scaling", "W0101", "speedup", NO_QUALITY)
    assert (result.outcome, "equal options" in result.reason) == (Outcome.NOT_APPLICABLE, True)


def test_without_any_run_convergence_is_not_shown(judged):
    result = judged("strong-scaling", "W0101", "efficiency", NO_QUALITY)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "convergence at the largest point")
    assert result.branch.at == "/tables/nodes/rows/r8"


def test_a_larger_batch_covers_a_smaller_one(judged):
    patch = rows(**{name: {"options": {"global_batch": 4096}} for name in ("r1", "r2", "r4", "r8")})
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.PASS


def test_a_larger_batch_under_partly_unknown_options_covers_nothing(judged):
    patch = rows(r8={"options": {"global_batch": 4096, "optimizer": "LARS", "attention": "exact"}})
    result = judged("strong-scaling", "W0101", "efficiency", patch)
    assert (result.outcome, "attention" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_a_smaller_batch_is_w1004s(judged):
    result = judged("strong-scaling", "W0101", "efficiency", rows(r8={"options": {"global_batch": 16384}}))
    assert (result.outcome, "W1004" in result.reason) == (Outcome.NOT_APPLICABLE, True)


def test_another_normalisation_group_is_unknown_not_different(judged):
    patch = rows(r8={"options": {"normalisation_group": "1024, synchronised over the node"}})
    result = judged("strong-scaling", "W0101", "efficiency", patch)
    assert (result.outcome, "normalisation_group" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_words_for_formats_that_are_none_do_not_accuse(judged):
    patch = rows(r8={"options": {"precision": {"compute": "mixed"}}})
    for code in ("W0101", "W1004"):
        assert judged("strong-scaling", code, "efficiency", patch).outcome is not Outcome.VIOLATION


def test_spelling_does_not_make_another_model(judged):
    patch = rows(r8={"options": {"model": "resnet50 V1.5"}})
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.PASS


def test_throughput_only_is_told_so(judged):
    patch = both(NO_QUALITY, {"claims": {"efficiency": {"purpose": "hardware_throughput"}}})
    message = judged("strong-scaling", "W0101", "efficiency", patch).branch.message
    assert message.startswith("throughput only: says nothing about convergence")


def test_rows_of_another_model_are_not_this_series(judged):
    other = {"label": "BERT", "devices": 1024, "options": {"model": "BERT-large", "global_batch": 65536}, "values": {}}
    patch = both(rows(bert=other), arms())
    for code in ("W0101", "W1004", "W1101", "W1107"):
        assert judged("strong-scaling", code, "efficiency", patch).outcome is Outcome.PASS, code


@pytest.mark.parametrize("code", ["W0101", "W1101", "W1107", "W1004"])
def test_replicas_of_an_inference_service_are_outside(judged, code):
    patch = {"claims": {"efficiency": {"mode": "inference", "scope": "serving_window", "replicated": True}}}
    assert judged("strong-scaling", code, "efficiency", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_final_quality_beside_its_reference_counts(judged):
    patch = {"arms": {"n8": {"target": None, "trials": RUNS}}}
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.PASS


def test_a_missed_target_covers_nothing(judged):
    patch = {"arms": {"n8": {"target": {"value": "0.80"}}}}
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.NOT_SHOWN


def ended(devices=(1, 8), split="held_out", runs=5, **n8):
    """Trainings of a fixed length at both ends: no target, a final loss each."""
    loss = {"metric": "loss", "direction": "lower", "unit": "nats/token", "split": split}
    n = {"unit": "training_run", "planned": 5, "completed": runs}
    values = {1: "2.870", 8: "2.955"}
    arms = {
        f"n{count}": {"quality": {"accuracy": None, "loss": {**loss, "value": values[count], "n": n if runs else None}}}
        for count in devices
    }
    arms["n8"] = {**arms.get("n8", {"quality": None}), "target": None, "trials": RUNS, **n8}
    claim = {"metric": "loss", "target": None, "quality": {"arm": "n8", "quality": "loss"}}
    return {"arms": arms, "claims": {"efficiency": claim, "speedup": claim}}


def test_final_losses_at_both_ends_answer_where_there_is_no_target(judged):
    result = judged("strong-scaling", "W0101", "efficiency", ended())
    assert result.outcome is Outcome.PASS
    assert any("2.955 in 5 runs at the largest point, at 2.87 in 5 runs" in note for note in result.notes)


@pytest.mark.parametrize(
    "patch",
    [
        ended(devices=(8,)),
        ended(devices=(1,)),
        ended(split="train"),
        ended(runs=0),
        both(ended(), rows(r8={"options": {"global_batch": 65536}})),  # the row is not the arm
        ended(target={"metric": "loss", "value": "2.9", "direction": "lower"}),  # there is one, and it is missed
    ],
)
def test_other_final_losses_do_not(judged, patch):
    assert judged("strong-scaling", "W0101", "efficiency", patch).outcome is Outcome.NOT_SHOWN


# W0102 ---------------------------------------------------------------------------------------------------------------


def derived(**claim):
    return {"claims": {"time": {"basis": "derived", "measured": {"arm": "timed", "metric": "rate"}, **claim}}}


def test_an_extrapolation_prints_steps_times_step_time(judged):
    result = judged("time-to-accuracy", "W0102", "time", derived())
    assert (result.branch.effect, result.branch.claimed) == (CAVEAT, "85.0 s")
    low, high = (float(end) for end in result.branch.recomputed.removesuffix(" s").split(" to "))
    assert 0.9 * 1344 * 0.0521 < low <= high < 1.1 * 1440 * 0.0521


def test_a_rate_is_enough_to_call_a_time_extrapolated(judged):
    patch = both(derived(), {"claims": {"time": {"basis": None}}})
    assert judged("time-to-accuracy", "W0102", "time", patch).branch.branch == "a"


@pytest.mark.parametrize(
    ("claim", "required"),
    [
        ({"basis": "projected", "purpose": "hardware_throughput"}, False),
        ({"basis": "projected", "purpose": None}, True),
        ({"basis": "derived", "purpose": "hardware_throughput"}, True),
        ({"basis": "projected", "purpose": "time_to_accuracy"}, True),
        (
            {
                "basis": "projected",
                "purpose": "hardware_throughput",
                "target": {"metric": "accuracy", "value": "0.99", "direction": "higher"},
            },
            True,
        ),
    ],
)
def test_a_stated_projection_of_stated_work_needs_no_run_to_a_target(judged, claim, required):
    runs = {"target": None, "quality": None, "trials": RUNS}
    patch = both({"claims": {"time": {"target": None, "criterion": None}}}, derived(**claim))
    patch["arms"] = {"trained": runs, "timed": {"target": None}}
    result = judged("time-to-accuracy", "W0102", "time", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert bool(result.branch.item) is required


def test_a_time_beyond_the_end_of_every_run_was_not_measured(judged):
    late = {"claims": {"time": {"value": "250.0", "target": {"value": "0.96"}}}}
    assert judged("time-to-accuracy", "W0102", "time", late).outcome is Outcome.NOT_SHOWN
    reached = {"claims": {"time": {"value": "250.0"}}}
    assert judged("time-to-accuracy", "W0102", "time", reached).outcome is Outcome.PASS


def test_timed_steps_alone_show_no_training(judged):
    steps = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.05] * 30}}}
    patch = {"arms": {"trained": {"trials": RUNS | steps, "quality": None}}}
    assert judged("time-to-accuracy", "W0102", "time", patch).outcome is Outcome.NOT_SHOWN


def test_a_training_that_was_not_completed_is_said_to_be_one(judged):
    claim = {"measured": {"metric": None}, "value": None, "unit": None, "form": "words"}
    aborted = {"a": {"kind": "convergence", "outcome": "failed", "reason": "run_stop says aborted"}}
    lost = {"b": {"kind": "convergence", "outcome": "lost"}}

    def message(trials):
        arm = {"trials": RUNS | trials, "quality": None, "performance": None}
        result = judged("time-to-accuracy", "W0102", "time", {"claims": {"time": claim}, "arms": {"trained": arm}})
        return result.branch.message

    assert message(aborted) == "the training run was not completed: run_stop says aborted"
    ends = "none of 2 training runs was completed: run_stop says aborted; it is listed as lost"
    assert message(aborted | lost) == ends


def test_an_extrapolation_without_any_run_is_not_shown(judged):
    patch = both(derived(), {"arms": {"trained": {"trials": RUNS, "quality": None}}})
    result = judged("time-to-accuracy", "W0102", "time", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "steps to target of a run that reached it")


def test_planned_steps_are_not_steps_to_target(judged):
    patch = both(derived(), {"arms": {"trained": {"trials": RUNS, "quality": None, "options": {"epochs": 40}}}})
    assert judged("time-to-accuracy", "W0102", "time", patch).outcome is Outcome.NOT_SHOWN


def test_a_cited_reference_gives_the_steps(judged):
    cited = {"crossing_samples": 1376256, "reference": {"citation": "Example et al., 2025"}}
    patch = both(derived(**cited), {"arms": {"trained": {"trials": RUNS, "quality": None}}})
    result = judged("time-to-accuracy", "W0102", "time", patch)
    assert (result.outcome, result.branch.branch) == (Outcome.VIOLATION, "a")


def test_a_time_without_any_source_is_not_shown(judged):
    patch = {"claims": {"time": {"measured": None, "quality": None}}}
    assert judged("time-to-accuracy", "W0102", "time", patch).outcome is Outcome.NOT_SHOWN


def test_the_cost_of_a_step_is_no_training(judged):
    patch = {"claims": {"rate": {"quantity": "cost", "unit": "$"}}}
    assert judged("time-to-accuracy", "W0102", "rate", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_throughput_claim_beside_a_convergence_run_is_outside(judged):
    assert judged("time-to-accuracy", "W0102", "rate").outcome is Outcome.NOT_APPLICABLE


# W0103 ---------------------------------------------------------------------------------------------------------------


def target(**fields):
    return {"claims": {"time": {"target": fields}}}


def without_criterion(value):
    patch = target(value=value, criterion=None)
    return both(patch, {"claims": {"time": {"criterion": None}}})


def test_a_target_that_no_run_reached_is_refuted(judged):
    result = judged("time-to-accuracy", "W0103", "time", target(value="0.95"))
    assert (result.branch.effect, result.branch.claimed) == (REFUTES, "0.95")
    assert 0.945 < float(result.branch.recomputed) < 0.947
    assert "recorded" not in result.branch.message


def judged_by(criterion, value):
    return both(target(value=value, criterion=criterion), {"claims": {"time": {"criterion": criterion}}})


def test_the_favourable_edge_of_the_digits_meets_the_target(judged):
    """0.93 may have been 0.9349: a target of 0.934 is not proved to be missed, one of 0.936 is."""
    evaluations = [{"split": "test", "samples": 1376256, "time_s": 85.0, "metrics": {"accuracy": 0.93}}]
    runs = {key: {"evaluations": evaluations, "crossing": None} for key in RUNS}
    patch = {"arms": {"trained": {"quality": {"accuracy": {"interval": None}}, "trials": runs}}}
    assert judged("time-to-accuracy", "W0103", "time", both(patch, target(value="0.934"))).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", both(patch, target(value="0.936"))).branch.branch == "a"


OF_ONE_RUN = {"arms": {"trained": {"quality": {"accuracy": {"seeds": None, "n": None}}}}}


def test_counted_examples_leave_only_the_stated_interval(judged):
    """The best run has 9456 of 10000 right; the stated interval is 0.0006 wide to either side."""
    reached, missed = (both(OF_ONE_RUN, judged_by("share", value)) for value in ("0.9461", "0.9463"))
    assert judged("time-to-accuracy", "W0103", "time", reached).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", missed).branch.branch == "a"


def test_an_interval_over_seeds_excuses_no_single_run(judged):
    assert judged("time-to-accuracy", "W0103", "time", judged_by("share", "0.9456")).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", judged_by("share", "0.9461")).branch.branch == "a"


def test_some_runs_miss(judged):
    """At the favourable edge, three of the five runs reach 0.9458 at their best evaluation."""
    value = "0.9458"
    share = judged("time-to-accuracy", "W0103", "time", both(OF_ONE_RUN, judged_by("share", value)))
    assert (share.outcome, share.notes) == (Outcome.PASS, ("3 of 5 runs reach the target",))
    each = judged("time-to-accuracy", "W0103", "time", both(OF_ONE_RUN, judged_by("each_run", value)))
    assert (each.branch.branch, each.branch.effect) == ("a", REFUTES)
    unstated = judged(
        "time-to-accuracy",
        "W0103",
        "time",
        both(OF_ONE_RUN, both(without_criterion(value), {"claims": {"time": {"statistic": "mean"}}})),
    )
    assert (unstated.outcome, unstated.branch.item) == (Outcome.NOT_SHOWN, "")


def test_an_unstated_criterion_and_a_median_over_most_runs_pass(judged):
    result = judged("time-to-accuracy", "W0103", "time", both(OF_ONE_RUN, without_criterion("0.9453")))
    assert (result.outcome, result.notes) == (Outcome.PASS, ("4 of 5 runs reach the target",))


@pytest.mark.parametrize("criterion", ["mean", "median"])
def test_a_criterion_over_runs_allows_single_misses(judged, criterion):
    patch = both(OF_ONE_RUN, target(value="0.9453", criterion=criterion))
    patch = both(patch, {"claims": {"time": {"criterion": criterion}}})
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.PASS
    missed = both(patch, target(value="0.949"))
    assert judged("time-to-accuracy", "W0103", "time", missed).branch.effect is REFUTES


def test_a_run_recorded_as_success_whose_log_never_meets_it_is_refuted(judged):
    evaluations = [{"split": "test", "samples": 1376256, "time_s": 85.0, "metrics": {"accuracy": 0.9371}}]
    crossing = {"reached": True, "samples": 1376256, "time_s": 85.0}
    patch = {"arms": {"trained": {"trials": {"s2": {"evaluations": evaluations, "crossing": crossing}}}}}
    result = judged("time-to-accuracy", "W0103", "time", patch)
    assert (result.branch.effect, "recorded as reaching" in result.branch.message) == (REFUTES, True)


def test_a_log_without_the_recorded_crossing_proves_nothing(judged):
    evaluations = [{"split": "test", "samples": 98304, "metrics": {"accuracy": 0.61}}]
    patch = {"arms": {"trained": {"trials": {"s2": {"evaluations": evaluations}}}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_SHOWN


def test_recorded_misses_without_a_log_are_enough(judged):
    missed = {"evaluations": None, "crossing": {"reached": False}, "final": None}
    patch = {"arms": {"trained": {"trials": dict.fromkeys(RUNS, missed)}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).branch.effect is REFUTES


def test_without_evaluations_the_log_is_not_shown(judged):
    patch = {"arms": {"trained": {"trials": {name: {"evaluations": None} for name in RUNS}}}}
    result = judged("time-to-accuracy", "W0103", "time", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "evaluation log, target, direction")


def test_not_a_number_never_meets_a_target(judged):
    evaluations = [{"split": "test", "samples": 1376256, "metrics": {"accuracy": None}}]
    runs = {name: {"evaluations": evaluations, "crossing": None} for name in RUNS}
    patch = {"arms": {"trained": {"trials": runs}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_SHOWN


def test_percent_beside_share_is_open_not_refuted(judged):
    assert judged("time-to-accuracy", "W0103", "time", target(value="94")).outcome is Outcome.NOT_SHOWN


def test_training_accuracy_does_not_meet_a_target(judged):
    evaluations = [{"split": "train", "samples": 1376256, "metrics": {"accuracy": 0.999}}]
    runs = {name: {"evaluations": evaluations, "crossing": None, "final": None} for name in RUNS}
    patch = {"arms": {"trained": {"trials": runs, "quality": None}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_SHOWN


def test_a_target_fixed_afterwards_is_a_caveat(judged):
    after = judged("time-to-accuracy", "W0103", "time", target(declared_before=False))
    assert (after.branch.branch, after.branch.effect) == ("b", CAVEAT)
    assert judged("time-to-accuracy", "W0103", "time", target(declared_before=None)).outcome is Outcome.NOT_SHOWN


def test_an_accuracy_below_the_target_does_not_claim_to_reach_it(judged):
    accuracy = {"quantity": "accuracy", "target": None, "unit": "%", "metric": "accuracy"}
    patch = {"claims": {"time": {**accuracy, "value": "93.1"}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_APPLICABLE
    patch = {"claims": {"time": {**accuracy, "value": "94.5"}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.PASS


def test_a_lower_is_better_target(judged):
    evaluations = [{"split": "test", "samples": 10, "metrics": {"loss": value}} for value in (3.6, 3.4, 3.31)]
    goal = {"metric": "loss", "value": "3.30", "direction": "lower"}
    runs = {name: {"evaluations": evaluations, "crossing": None, "final": None} for name in RUNS}
    patch = both(target(**goal), {"arms": {"trained": {"trials": runs, "target": goal}}})
    result = judged("time-to-accuracy", "W0103", "time", patch)
    assert (result.branch.effect, result.branch.recomputed) == (REFUTES, "3.305")


# W0105 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("basis", ["projected", "simulated"])
def test_a_projection_that_says_so_is_a_caveat_else_not_shown(judged, basis):
    silent = judged("rate", "W0105", "rate", {"claims": {"rate": {"basis": basis}}})
    assert (silent.outcome, silent.branch.item) == (Outcome.NOT_SHOWN, "measurement behind the number")
    statement = "We estimate that one A100 trains ResNet-50 at 2500 images per second."
    said = judged("rate", "W0105", "rate", {"claims": {"rate": {"basis": basis, "statement": statement}}})
    assert (said.branch.branch, said.branch.effect) == ("a", CAVEAT)


def test_a_quoted_projection_counts_without_a_stated_basis(judged):
    said = [{"topic": "projection", "quote": "extrapolated from one layer"}]
    assert judged("rate", "W0105", "rate", {"claims": {"rate": {"said": said}}}).branch.branch == "a"


def test_runs_on_fewer_devices_than_claimed(judged):
    patch = rows(r8={"devices": 512})
    result = judged("strong-scaling", "W0105", "speedup", patch)
    assert (result.outcome, result.branch.related[0].note) == (
        Outcome.NOT_SHOWN,
        "the claim is about 512 devices, the runs used 64",
    )


def test_runs_on_another_device_model(judged):
    patch = both(rows(r8={"system": "big"}), {"systems": {"big": {"name": "8x DGX B200", "device": "B200"}}})
    result = judged("strong-scaling", "W0105", "speedup", patch)
    assert (result.outcome, "B200" in result.branch.message) == (Outcome.NOT_SHOWN, True)


def test_a_derived_time_on_the_same_devices_is_w0102s(judged):
    assert judged("time-to-accuracy", "W0105", "time", derived()).outcome is Outcome.NOT_APPLICABLE


def test_a_derived_time_without_a_measured_rate_is_a_caveat(judged):
    patch = {"claims": {"time": {"basis": "derived", "measured": None, "quality": None}}}
    result = judged("time-to-accuracy", "W0105", "time", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_derived_time_of_a_training_that_took_place_passes(judged):
    assert (
        judged("time-to-accuracy", "W0105", "time", {"claims": {"time": {"basis": "derived"}}}).outcome is Outcome.PASS
    )


def test_a_derived_unit_is_no_projection(judged):
    patch = {"claims": {"rate": {"basis": "derived", "unit": "images/h", "value": "9000000", "digits": 2}}}
    assert judged("rate", "W0105", "rate", patch).outcome is Outcome.PASS


def test_a_number_without_basis_and_run_is_not_shown(judged):
    assert judged("rate", "W0105", "rate", {"claims": {"rate": {"measured": None}}}).outcome is Outcome.NOT_SHOWN
