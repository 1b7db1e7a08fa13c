"""Flaws of ways 5 to 12 that are stated at another place, or in another form, than the usual one."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

OUTSIDE, NOT_SHOWN, PASS = Outcome.NOT_APPLICABLE, Outcome.NOT_SHOWN, Outcome.PASS


def measured(**measurement):
    return {"arms": {"a": {"measurement": measurement}}}


def waits(share, **fields):
    pipeline = {"kind": "real", "label": None, "data_wait_share": share}
    return measured(pipeline=pipeline, excluded_phases=["data"], **fields)


@pytest.mark.parametrize(("share", "outcome"), [(0.28, Outcome.VIOLATION), (0.04, PASS), (None, NOT_SHOWN)])
def test_waits_that_the_clock_leaves_out(judged, share, outcome):
    assert judged("rate", "W0602", "rate", waits(share)).outcome is outcome


def test_waits_that_are_said_to_be_left_out_are_a_caveat(judged):
    said = [{"topic": "phases_excluded", "quote": "without the wait for data"}]
    patch = {**waits(0.28), "claims": {"rate": {"said": said}}}
    assert judged("rate", "W0602", "rate", patch).branch.effect is CAVEAT


@pytest.mark.parametrize(("wall_s", "outcome"), [(9.0, Outcome.VIOLATION), (6.15, PASS)])
def test_the_window_of_a_metric_holds_its_own_work(judged, wall_s, outcome):
    patch = measured(pipeline={"kind": "real", "label": None, "data_wait_share": None})
    patch["arms"]["a"]["performance"] = {"rate": {"wall_s": wall_s, "work": 15360}}
    assert judged("rate", "W0602", "rate", patch).outcome is outcome


@pytest.mark.parametrize(("cache", "effect"), [(0, REFUTES), (9_000_000_000_000, None)])
def test_the_declared_cache_counts_before_host_memory(judged, cache, effect):
    pipeline = {"kind": "real", "bytes_per_sample": 600000, "dataset_bytes": 900_000_000_000, "link_bytes_per_s": 1e9}
    patch = measured(pipeline=pipeline | {"cache_bytes": cache})
    patch["systems"] = {"node": {"host_memory_gib": 4096, "nodes": 1}}
    branch = judged("rate", "W0603", "rate", patch).branch
    assert (branch.effect if branch is not None else None) is effect


def excluded(stated):
    return measured(exclusions={"autotune": {"recurs": "per_run", "duration_s": 660.0, "stated": stated}})


def test_work_outside_the_clock_of_a_rate_is_a_caveat_where_it_is_not_stated(judged):
    assert judged("rate", "W0605", "rate", excluded(stated=False)).branch.effect is CAVEAT
    assert judged("rate", "W0605", "rate", excluded(stated=True)).outcome is PASS


def test_a_pause_outside_the_clock_of_a_rate_is_a_caveat_where_it_is_not_stated(judged):
    for stated in (False, True):
        patch = measured(exclusions={"evaluation": {"recurs": "per_run", "duration_s": 66.0, "stated": stated}})
        branch = judged("rate", "W0604", "rate", patch).branch
        assert (branch is None) is stated


@pytest.mark.parametrize(
    ("peak", "formats", "outcome"),
    [
        (624e12, {"bf16": 1.0}, Outcome.VIOLATION),
        (312e12, {"bf16": 1.0}, PASS),
        (624e12, {"int8": 0.5, "bf16": 0.5}, PASS),
    ],
)
def test_a_sparse_peak_that_is_called_dense(judged, peak, formats, outcome):
    operations = {"peak_flops": peak, "peak_kind": "dense", "fractions": {"bf16": None} | formats, "counters": None}
    patch = {"arms": {"a": {"operations": operations, "performance": {"mfu": None, "flops": None}}}}
    patch["claims"] = {"flops": {"statement": "It runs at 300 TFLOP/s in BF16."}}
    assert judged("training-flops", "W0703", "flops", patch).outcome is outcome


def runs_apart(key, timed, trained):
    trials = {f"t{i}": {key: timed} for i in range(1, 6)} | {f"s{i}": {key: trained} for i in range(1, 6)}
    return {"arms": {"fused": {"trials": trials}}}


def test_what_was_seen_in_timed_and_in_trained_runs_of_one_arm(judged):
    patch = runs_apart("observed", {"precision": {"compute": "e4m3"}}, {"precision": {"compute": "bf16"}})
    assert judged("training-pair", "W0801", "speedup", patch).branch.effect is REFUTES
    patch = runs_apart("observed", {"global_batch": 512}, {"global_batch": 256})
    assert judged("training-pair", "W0801", "speedup", patch).branch.effect in {CAVEAT, UNDERMINES}
    patch["arms"]["fused"]["trials"]["s1"]["observed"] = {"global_batch": 512}
    assert judged("training-pair", "W0801", "speedup", patch).outcome is PASS


def test_software_of_timed_and_of_trained_runs_of_one_arm(judged):
    patch = runs_apart("software", {"framework": "torch 2.6.0"}, {"framework": "torch 2.1.0"})
    assert judged("training-pair", "W0804", "speedup", patch).branch.effect is UNDERMINES
    patch = runs_apart("software", {"framework": "torch 2.6.0"}, {"framework": "torch 2.6"})
    assert judged("training-pair", "W0804", "speedup", patch).outcome is PASS


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("On 64 A100 the training processes 2500 images/s.", Outcome.VIOLATION),
        ("On 1 A100 the training processes 2500 images/s.", PASS),
        ("From 1 to 64 A100 the training processes 2500 images/s.", OUTSIDE),
        ("It took 64 A100 hours to process 2500 images/s.", OUTSIDE),
        ("ResNet-50 FP32, GPUs 1: 2500 images/s", OUTSIDE),
        ("ResNet-50 A100: 2500 images/s", OUTSIDE),
        ("ResNet 50 INT16: 2500 images/s", OUTSIDE),
    ],
)
def test_devices_that_the_sentence_names_by_their_model(judged, statement, outcome):
    assert judged("rate", "W0505", "rate", {"claims": {"rate": {"statement": statement}}}).outcome is outcome


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The 70B decoder trains at 2500 images/s.", Outcome.VIOLATION),
        ("The 6.7B decoder trains at 2500 images/s.", PASS),
        ("Over 70B tokens the decoder trains at 2500 images/s.", OUTSIDE),
    ],
)
def test_a_model_that_the_sentence_names_by_its_size(judged, statement, outcome):
    patch = {"claims": {"rate": {"statement": statement}}, "arms": {"a": {"options": {"model": "decoder 6.7B"}}}}
    assert judged("rate", "W0505", "rate", patch).outcome is outcome


def test_a_model_of_which_some_layers_ran(judged):
    patch = {"arms": {"a": {"options": {"model": "ViT-L/16 with 6 of its 24 blocks"}}}}
    assert judged("rate", "W0505", "rate", patch).branch.effect is UNDERMINES
    patch["claims"] = {"rate": {"statement": "With 6 of 24 blocks, ViT-L/16 trains at 2500 images/s."}}
    assert judged("rate", "W0505", "rate", patch).branch.effect is CAVEAT


def test_a_suite_of_the_authors_own(judged):
    table = {"members": ["decoder 350M", "ResNet-50", "DLRM"], "rows": {"theirs": {"label": "ResNet-50"}}}
    table["rows"]["ours"] = {"label": "decoder 350M"}
    assert judged("comparison", "W0504", "best", {"tables": {"systems": table}}).branch.effect is UNDERMINES
    table["caption"] = "All but DLRM, which does not fit."
    assert judged("comparison", "W0504", "best", {"tables": {"systems": table}}).outcome is PASS
    assert judged("comparison", "W0504", "best", {}).outcome is OUTSIDE


def test_operations_per_second_of_a_training_that_shows_nothing_of_it(judged):
    bare = {"quality": None, "target": None, "trials": None}
    patch = {"arms": {"a": bare}, "claims": {"flops": {"quality": None}, "mfu": {"quality": None}}}
    assert judged("training-flops", "W0705", "flops", patch).outcome is NOT_SHOWN
    quality = {"loss": {"metric": "loss", "value": "3.1", "direction": "lower"}}
    patch["arms"]["a"]["quality"] = quality
    assert judged("training-flops", "W0705", "flops", patch).outcome is PASS


def test_a_part_of_a_training_alone(judged):
    metric = {"quantity": "rate", "value": "43300", "unit": "images/s", "scope": "phase", "statistic": "median"}
    performance = {"rate": None, "end-to-end": None, "decode": metric}
    claim = {
        "scope": "phase",
        "value": "43300",
        "measured": {"metric": "decode"},
        "statement": "It decodes 43300 images/s.",
    }
    patch = {"arms": {"a": {"performance": performance}}, "claims": {"rate": claim}}
    assert judged("rate", "W0506", "rate", patch).outcome is NOT_SHOWN
    performance.pop("end-to-end")
    assert judged("rate", "W0506", "rate", patch).outcome is PASS


def joined(value, **options):
    """A headline of two rates, of which the second was measured with other options."""
    other = {"quantity": "rate", "value": "1000", "unit": "images/s", "scope": "step", "statistic": "median"}
    arms = {"b": {"system": "node", "devices": 1, "options": {"model": "ResNet-50", **options}}}
    arms["b"]["performance"] = {"rate": other}
    second = {"value": "1000", "statement": "1000 images/s.", "group": "headline", "measured": {"arm": "b"}}
    second |= {"quantity": "rate", "unit": "images/s", "form": "absolute", "scope": "step", "mode": "training"}
    second |= {"compares": "none"}
    first = {"group": "headline", "statement": f"2500 images/s, {value} of them in the other test."}
    return {"arms": arms, "claims": {"rate": first, "second": second}}


@pytest.mark.parametrize(
    ("value", "precision", "effect"), [("1000", "fp32", CAVEAT), ("1000", "bf16", None), ("900", "fp32", None)]
)
def test_a_headline_that_joins_two_option_sets(judged, value, precision, effect):
    branch = judged("rate", "W0805", "rate", joined(value, precision={"compute": precision})).branch
    assert getattr(branch, "effect", None) is effect


@pytest.mark.parametrize(
    ("left", "right", "differs"),
    [
        ("m·n·k, a multiply-add is one operation", "2·m·n·k, multiply-add = 2", True),
        ("6 per parameter; multiply-add = 2", "6 per parameter, plus 6 x layers x width", True),
        ("6 per parameter", "8 per parameter, recomputed", True),
        ("6 per parameter", "6N per token", False),
    ],
)
def test_counting_rules_in_words(left, right, differs):
    from dlaudit.rules.facts.device.flop_counts import count_of, differ

    assert differ(count_of(left), count_of(right)) is differs


def fixed_time(samples, **claim):
    rows = {f"r{n}": {"wall_s": 1800, "samples": count} for n, count in zip((1, 2, 4, 8), samples, strict=True)}
    return {"claims": {"speedup": claim}, "tables": {"nodes": {"rows": rows}}}


def test_rates_over_a_fixed_time_count_where_the_words_give_what_was_reached(judged):
    samples = (1e6, 2e6, 4e6, 8e6)
    words = {"statement": "In a fixed time of 1800 s, 8 devices see 7.6 times as many images and are at 0.71 top-1."}
    assert judged("strong-scaling", "W1001", "speedup", fixed_time(samples, **words)).branch.effect is UNDERMINES
    words = {"statement": "In windows of 1800 s, 8 devices process 7.6 times as many images per second."}
    assert judged("strong-scaling", "W1001", "speedup", fixed_time(samples, **words)).outcome is OUTSIDE


def rival(**row):
    """A gain in quality over one rival, in a table that holds another one."""
    table = {"columns": {"top1": {"quantity": "accuracy", "unit": "%"}}}
    values = {"ours": "84.4", "theirs": "82.0", "third": "84.0"}
    table["rows"] = {name: {"values": {"top1": value, "rate": None, "loss": None}} for name, value in values.items()}
    table["rows"]["third"] |= {"label": "ThirdLM 1.4", "own": False, **row}
    claim = {"statement": "It gains 2.4 points over theirs.", "value": "2.4", "unit": "points", "form": "absolute"}
    claim |= {"quantity": "accuracy", "row": {"table": "systems", "row": "ours", "base_row": "theirs"}}
    return {"claims": {"speedup": claim}, "tables": {"systems": table}}


@pytest.mark.parametrize(
    ("row", "effect"), [({}, CAVEAT), ({"parameters": 9e9}, None), ({"own": True}, None), ({"arm": "theirs"}, None)]
)
def test_a_gain_in_quality_over_the_weaker_of_two_rivals(judged, row, effect):
    patch = rival(**row)
    patch["tables"]["systems"]["rows"]["ours"]["parameters"] = 1e9
    branch = judged("comparison", "W1206", "speedup", patch).branch
    assert getattr(branch, "effect", None) is effect


def test_another_load_of_the_same_competitor_is_no_stronger_competitor(judged):
    again = {"label": "ThirdLM", "own": False, "arm": "theirs", "system": "theirs", "devices": 8, "nodes": 1}
    again["values"] = {"rate": "298000", "loss": "3.06"}
    patch = {"claims": {"speedup": {"row": {"table": "systems", "row": "ours", "base_row": "theirs"}}}}
    patch["tables"] = {"systems": {"rows": {"third": again}}}
    assert judged("comparison", "W1206", "speedup", patch).outcome is OUTSIDE
    again["arm"] = None
    assert judged("comparison", "W1206", "speedup", patch).outcome is Outcome.VIOLATION
