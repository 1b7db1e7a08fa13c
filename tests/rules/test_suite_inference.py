"""Q10 to Q21, Q32, Q33: results of the inference suite against the policy of their round."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.facts.suite.accuracy import rounded
from dlaudit.rules.facts.suite.result import of_result, required_tests
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from dlaudit.rules.required import PROFILES, SUITE_PROFILE, requirements, table
from dlaudit.rules.tables import mlperf
from dlaudit.schemas.submission import SuiteResult

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


SERVER = base("suite-inference")["arms"]["server"]["runs"]["performance"]["events"]


def run(arm="offline", name="performance", **fields):
    return {"arms": {arm: {"runs": {name: fields}}}}


def both(*patches):
    found = {}
    for patch in patches:
        for key, value in patch.items():
            found[key] = (
                both(found[key], value) if isinstance(found.get(key), dict) and isinstance(value, dict) else value
            )
    return found


def result(claim, **fields):
    return {"claims": {claim: {"suite_result": fields}}}


@pytest.fixture
def inference(judged):
    def judge(code, patch=None, claim="offline", **case):
        found = judged("suite-inference", code, claim, patch or {}, **case)
        effect = getattr(found.branch, "effect", None) if found.outcome is VIOLATION else None
        return found.outcome, effect

    return judge


@pytest.mark.parametrize("code", ["Q10", "Q11", "Q13", "Q14", "Q17", "Q32"])
@pytest.mark.parametrize("round_name", ["v9.9", None])
def test_what_the_tables_do_not_hold_is_not_decided(inference, code, round_name):
    assert inference(code, result("offline", round=round_name))[0] is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("window", "outcome"),
    [
        ({"configured_min_s": 600}, PASS),
        ({"configured_min_s": 599}, VIOLATION),
        ({"trace_s": 500}, VIOLATION),
        ({"trace_s": 597}, PASS),
        ({"rate_per_s": 200000}, PASS),
        ({"rate_per_s": 200000, "trace_s": None}, VIOLATION),
        ({"rate_per_s": 0}, PASS),
    ],
)
def test_the_least_duration(inference, window, outcome):
    assert inference("Q10", run(window=window))[0] is outcome


def test_early_rounds_asked_for_a_minute(inference):
    short = both(run(window={"configured_min_s": 60, "trace_s": 75, "work": None}), run(events={"6": {"value": 60000}}))
    assert inference("Q10", both(short, result("offline", round="v0.7"))) == (PASS, None)
    assert inference("Q10", both(short, result("offline", round="v1.0"))) == (VIOLATION, UNDERMINES)


def test_a_ranging_run_may_be_short(inference):
    ranging = run(name="ranging", role="ranging", window={"configured_min_s": 10, "trace_s": 12})
    assert inference("Q10", ranging) == (PASS, None)


def test_a_run_without_durations(inference):
    bare = run(window=None, summary=None, events={"6": None})
    assert inference("Q10", bare) == (NOT_SHOWN, None)


def test_offline_samples_and_loaded_samples(inference):
    assert inference("Q11") == (PASS, None)
    assert inference("Q11", run(window={"work": 24575})) == (VIOLATION, UNDERMINES)
    assert inference("Q11", run(window={"work": None})) == (NOT_SHOWN, None)
    assert inference("Q11", run(events={"8": {"value": "NaN"}})) == (NOT_SHOWN, None)


def test_fewer_queries_suffice_where_early_stopping_is_met(inference):
    few = run("server", window={"work": 900}, events={"18": {"value": 900}})
    assert inference("Q11", few, "server") == (PASS, None)
    unmet = both(few, run("server", verdict={"parts": {"early_stopping": False}}))
    assert inference("Q11", unmet, "server") == (VIOLATION, UNDERMINES)
    silent = both(few, run("server", verdict={"parts": {"early_stopping": None}}))
    assert inference("Q11", silent, "server") == (NOT_SHOWN, None)


def stream(scenario, queries, dropped):
    return both(
        result("server", scenario=scenario),
        run(
            "server",
            summary={"result_query_count": queries, "early_stopping_discarded": dropped},
            events={"18": {"value": queries}},
        ),
    )


@pytest.mark.parametrize(
    ("scenario", "queries", "dropped", "outcome"),
    [
        # counts that the load generator itself printed
        ("SingleStream", 387, 24, PASS),
        ("SingleStream", 387, 25, VIOLATION),
        ("MultiStream", 30000, 259, PASS),
        ("MultiStream", 30000, 260, VIOLATION),
        ("SingleStream", 64, 0, PASS),
    ],
)
def test_slowest_queries_that_a_stream_may_leave_out(inference, scenario, queries, dropped, outcome):
    assert inference("Q12", stream(scenario, queries, dropped), "server")[0] is outcome


@pytest.mark.parametrize(
    "told",
    [
        {"events": {"40": {"time_ms": 1744020661890, "key": "early_stopping_met", "value": False, "kind": "stat"}}},
        {"verdict": {"parts": {"early_stopping": False}}},
        {"summary": {"early_stopping_satisfied": False}},
    ],
)
def test_bounds_on_tokens_leave_the_flag_of_early_stopping(inference, told):
    tokens = run("server", summary={"99.00_percentile_ttft_ns": 1})
    assert inference("Q12", both(tokens, run("server", **told)), "server") == (VIOLATION, REFUTES)


def test_early_stopping_needs_queries_even_where_none_was_slow(inference):
    met = run("server", verdict={"parts": {"early_stopping": True}})
    counted = {"time_ms": 1744020661890, "key": "result_query_count", "kind": "stat"}
    lines = {line: None for line, event in SERVER.items() if event["key"] == "result_query_count"}
    few = run("server", events=lines | {"60": counted | {"value": 90}})
    enough = run("server", events=lines | {"60": counted | {"value": 5000}})
    assert inference("Q11", both(met, few), "server")[0] is VIOLATION
    assert inference("Q11", both(met, enough), "server")[0] is PASS


def test_early_stopping_needs_counts_and_knows_no_offline_scenario(inference):
    assert inference("Q12")[0] is NOT_APPLICABLE
    assert inference("Q12", run("server", events={"18": None}), "server") == (NOT_SHOWN, None)
    tokens = run("server", summary={"ttft_latency_ns": 2000000000})
    assert inference("Q12", tokens, "server")[0] is NOT_APPLICABLE
    odd = run("server", summary={"result_overlatency_query_count": -1}, events={"18": {"value": "Infinity"}})
    assert inference("Q12", odd, "server")[0] is NOT_SHOWN


def test_compliance_runs_have_their_own_seeds(inference):
    assert inference("Q13", run(name="TEST01", events={"9": {"value": "1"}})) == (PASS, None)
    assert inference("Q13", run(name="accuracy", events={"9": {"value": "1"}})) == (VIOLATION, UNDERMINES)
    assert inference("Q13", run(events={"9": None}))[0] is NOT_APPLICABLE


def scored(**metrics):
    return run(name="accuracy", record={"metrics": {"accuracy": None} | metrics})


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("75.695", PASS),
        ("75.69", PASS),
        ("75.694", VIOLATION),
        ("0.75695", PASS),
        ("0.7512", VIOLATION),
        ("n/a", NOT_SHOWN),
    ],
)
def test_accuracy_at_five_figures_in_its_own_unit(inference, value, outcome):
    metrics = {"accuracy": value} if value != "n/a" else {"top5": "92.1"}
    assert inference("Q14", scored(**metrics))[0] is outcome


@pytest.mark.parametrize(("value", "outcome"), [("0.86084", PASS), ("0.8607", VIOLATION)])
def test_rounds_without_figures_of_their_own_have_those_of_the_suite(inference, value, outcome):
    volumes = result("offline", benchmark="3d-unet-99.9", round="v3.0")
    assert inference("Q14", both(volumes, scored(mean=value)))[0] is outcome


def test_a_metric_with_a_band(inference):
    images = result("offline", benchmark="stable-diffusion-xl", round="v5.1")
    fine = {"CLIP_SCORE": "31.801", "FID_SCORE": "23.4245758841476"}
    assert inference("Q14", both(images, scored(**fine))) == (PASS, None)
    assert inference("Q14", both(images, scored(**fine | {"FID_SCORE": "23.96"}))) == (VIOLATION, REFUTES)
    assert inference("Q14", both(images, scored(**fine | {"FID_SCORE": "22.9"}))) == (VIOLATION, REFUTES)
    assert inference("Q14", both(images, scored(CLIP_SCORE="31.8"))) == (NOT_SHOWN, None)


@pytest.mark.parametrize(
    ("number", "figures"), [("75.69450", "75.694"), ("75.69550", "75.696"), ("0.8608383", "0.86084")]
)
def test_five_figures_half_to_even(number, figures):
    from decimal import Decimal

    assert str(rounded(Decimal(number))) == figures


def service(benchmark="llama2-70b-99", scenario="Server", **fields):
    return both(
        {"claims": {"server": {"work": "tokens", "purpose": "serving_objective"}}},
        result("server", benchmark=benchmark, scenario=scenario, round="v5.1"),
        run("server", summary=fields),
    )


FIRST, NEXT = "99.00_percentile_first_token_latency_ns", "99.00_percentile_time_to_output_token_ns"


@pytest.mark.parametrize(
    ("scenario", "figures", "outcome"),
    [
        ("Interactive", {FIRST: 435976100, NEXT: 39507635}, PASS),
        ("Interactive", {FIRST: 450000001, NEXT: 39507635}, VIOLATION),
        ("Server", {FIRST: 450000001, NEXT: 39507635}, PASS),
        ("Interactive", {FIRST: 435976100, NEXT: 39507635, "tpot_latency_ns": 200000000}, VIOLATION),
        ("Interactive", {FIRST: 435976100}, NOT_SHOWN),
        ("Offline", {FIRST: 435976100}, NOT_APPLICABLE),
    ],
)
def test_token_latencies(inference, scenario, figures, outcome):
    assert inference("Q16", service(scenario=scenario, **figures), "server")[0] is outcome


def test_too_few_queries_for_a_percentile(inference):
    few = both(service(**{FIRST: 1, NEXT: 1}), run("server", events={"18": {"value": 298}}))
    assert inference("Q16", few, "server") == (NOT_SHOWN, None)


def test_required_scenarios(inference):
    assert inference("Q17", {"claims": {"server": None}})[0] is NOT_SHOWN
    assert inference("Q17", {"arms": {"offline": {"description": {"fields": {"system_type": None}}}}})[0] is NOT_SHOWN
    edge = both(
        {"arms": {arm: {"description": {"fields": {"system_type": "edge"}}} for arm in ("offline", "server")}},
        result("server", scenario="SingleStream"),
    )
    # the offline and the multi-stream scenario may be inferred from the single stream
    assert inference("Q17", both(edge, {"claims": {"offline": None}}), "server") == (PASS, None)
    # of a data centre nothing may be inferred, offline from server neither
    assert inference("Q17", {"claims": {"offline": None}}, "server")[0] is NOT_SHOWN


def test_the_scenarios_of_a_folder_count_where_results_are_judged_apart(judged):
    from dlaudit.audit.lint.cases import cases_of
    from dlaudit.rules.bases import base
    from dlaudit.rules.book import by_code
    from dlaudit.rules.case import Case
    from dlaudit.rules.engine import judge
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    whole = Case(to_model(base("suite-inference"), Submission))
    apart = cases_of(whole, ("offline", "server"), {"offline": ("offline",), "server": ("server",)})
    (found,) = judge(apart["offline"], [by_code("Q17")], ["offline"])
    assert found.outcome is PASS


SKIPPED = "First token check pass: Skipped; EOS check pass: True; Sample length check pass: True"


@pytest.mark.parametrize(
    ("claim", "words", "outcome"),
    [
        ("offline", SKIPPED, PASS),
        ("server", SKIPPED, VIOLATION),
        ("server", SKIPPED.replace("Skipped", "True"), PASS),
        ("offline", SKIPPED.replace("EOS check pass: True", "EOS check pass: False"), VIOLATION),
        ("offline", "TEST FAIL", VIOLATION),
        ("offline", "it went well", NOT_SHOWN),
    ],
)
def test_verdicts_of_compliance_tests(inference, claim, words, outcome):
    assert inference("Q18", run(claim, "TEST01", verdict={"words": words}), claim)[0] is outcome


def test_both_records_of_the_fallback_answer_for_a_failed_comparison(inference):
    failed = run(name="TEST01", verdict={"valid": False, "words": "TEST FAIL; TEST PASS"})
    assert inference("Q18", failed) == (VIOLATION, UNDERMINES)
    one = both(failed, run(name="TEST01", summary={"baseline_accuracy": "handed in"}))
    assert inference("Q18", one) == (VIOLATION, UNDERMINES)
    two = both(one, run(name="TEST01", summary={"compliance_accuracy": "handed in"}))
    assert inference("Q18", two) == (PASS, None)


def test_tests_of_a_round_without_figures(inference):
    assert inference("Q18", {"arms": {"offline": {"runs": {"TEST04": None}}}}) == (NOT_SHOWN, None)
    old = result("offline", round="v0.5")
    assert inference("Q18", both(old, run(name="TEST01", verdict={"words": "TEST FAIL"}))) == (VIOLATION, UNDERMINES)
    assert (
        inference("Q18", both(old, {"arms": {"offline": {"runs": {"TEST01": None, "TEST04": None}}}}))[0]
        is NOT_APPLICABLE
    )


def test_half_a_test_has_its_verdict_in_the_other_half(inference):
    halves = both(
        {"arms": {"offline": {"runs": {"TEST04": None}}}},
        run(name="TEST04-A", role="compliance", verdict={"words": "TEST PASS"}),
        run(name="TEST04-B", role="compliance"),
    )
    assert inference("Q18", halves) == (PASS, None)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        *[
            (text, PASS)
            for text in ("int8", "fp8", "BF16", "int8,fp16", "W8A8", "e4m3", "bfloat16", "FP32", "mxfp4", "nvfp4")
        ],
        *[(text, NOT_SHOWN) for text in ("UNSET", "-", "No change.", "quantised", "", "default")],
    ],
)
def test_what_names_a_number_format(inference, text, outcome):
    bare = {"options": {"precision": None, "quantisation": None}}
    fields = {"description": {"fields": {"weight_data_types": text, "input_data_types": None}}}
    assert inference("Q19", {"arms": {"offline": bare | fields}})[0] is outcome


def test_training_logs_name_formats_from_one_round_on(judged):
    bare = {"arms": {"retinanet": {"options": {"precision": None, "quantisation": None}}}}
    assert judged("suite-training", "Q19", "retinanet", bare).outcome is NOT_APPLICABLE
    late = both(bare, {"claims": {"retinanet": {"suite_result": {"round": "v6.0"}}}})
    assert judged("suite-training", "Q19", "retinanet", late).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *[
            (words, PASS)
            for words in (
                "available",
                "Available on-premise",
                "RDI",
                "onprem",
                "Research, Development, or Internal (RDI)",
            )
        ],
        ("preview", NOT_SHOWN),
        ("prototype", VIOLATION),
        (None, NOT_SHOWN),
    ],
)
def test_categories_of_availability(inference, status, outcome):
    assert inference("Q20", {"arms": {"offline": {"description": {"fields": {"status": status}}}}})[0] is outcome


def test_words_of_early_rounds_are_no_accusation(inference):
    old = both(
        result("offline", round="v0.7"), {"arms": {"offline": {"description": {"fields": {"status": "in lab"}}}}}
    )
    assert inference("Q20", old)[0] is NOT_APPLICABLE


def test_a_preview_has_to_become_available(inference):
    shown = {"arms": {"offline": {"description": {"fields": {"status": "preview"}}}}}
    assert inference("Q20", both(shown, result("offline", round="v3.0", available="2023-06-01")))[0] is PASS
    late = result("offline", round="v3.0", available="2024-06-01")
    assert inference("Q20", both(shown, late)) == (VIOLATION, UNDERMINES)
    assert inference("Q20", both(shown, late, result("offline", round="v6.0")))[0] is NOT_SHOWN


def test_a_system_without_accelerators_has_no_fields_of_them(inference):
    bare = {"accelerators_per_node": "0", "accelerator_model_name": "-", "accelerator_memory_capacity": "-"}
    assert inference("Q21", {"arms": {"offline": {"description": {"fields": bare}}}})[0] is NOT_SHOWN
    bare["accelerators_per_node"] = "8"
    assert inference("Q21", {"arms": {"offline": {"description": {"fields": bare}}}})[0] is VIOLATION


def test_the_whole_set(inference):
    assert inference("Q32", {"arms": {"offline": {"quality": {"accuracy": {"examples": 49999}}}}}) == (
        VIOLATION,
        REFUTES,
    )
    more = {"arms": {"offline": {"quality": {"accuracy": {"examples": 50001}}}}}
    assert inference("Q32", more) == (PASS, None)


def test_a_placeholder_has_no_meaning(inference):
    fields = {"host_processor_model_name": "TBD"}
    assert inference("Q21", {"arms": {"offline": {"description": {"fields": fields}}}})[0] is VIOLATION


@pytest.mark.parametrize(("updates", "outcome"), [(600, PASS), (240, VIOLATION), (5, VIOLATION)])
def test_a_meter_is_read_every_second(inference, updates, outcome):
    energy = {"updates": updates, "duration_s": 601.2, "boundary": "node", "method": "meter"}
    assert inference("Q33", both(ENERGY, {"arms": {"offline": {"energy": energy}}}))[0] is outcome


ENERGY = {"claims": {"offline": {"quantity": "energy", "unit": "samples/J"}}}


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({"updates": 600, "duration_s": 601}, PASS),
        ({"updates": 0, "duration_s": 601}, VIOLATION),
        ({"updates": 600, "duration_s": 601, "ranging_duration_s": 620}, PASS),
        ({"updates": 600, "duration_s": 601, "ranging_duration_s": 640}, VIOLATION),
        ({"updates": 600, "mean_power_w": 940, "ranging_power_w": 1000}, VIOLATION),
        ({"updates": 600, "mean_power_w": 960, "ranging_power_w": 1000}, PASS),
        ({"updates": 600, "uncertainty": 0.02}, VIOLATION),
        ({"duration_s": 601}, NOT_SHOWN),
    ],
)
def test_power_logs_of_inference(inference, energy, outcome):
    assert inference("Q33", both(ENERGY, {"arms": {"offline": {"energy": energy}}}))[0] is outcome


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({"updates": 601, "duration_s": 601, "nodes": 1}, PASS),
        ({"updates": 300, "duration_s": 601}, VIOLATION),
        ({"updates": 59, "duration_s": 59}, VIOLATION),
    ],
)
def test_power_logs_of_training(judged, energy, outcome):
    claim = {"claims": {"retinanet": {"quantity": "energy", "unit": "kWh"}}, "arms": {"retinanet": {"energy": energy}}}
    assert judged("suite-training", "Q33", "retinanet", claim).outcome is outcome


def test_the_suites_profile_asks_for_the_reviewers_rows_and_all_of_the_suite(judged):
    from dlaudit.rules.bases import base
    from dlaudit.rules.case import Case
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    def asked(profile):
        submission = to_model(base("suite-inference"), Submission)
        case = Case(submission, profile=profile)
        codes = {row.rule for row in table()}
        return {row for code in codes for row in requirements(code, submission.claims["offline"], case)}

    reviewer, suite = asked("reviewer"), asked(SUITE_PROFILE)
    assert reviewer < suite
    assert {row.rule for row in suite - reviewer} == {"Q23"}
    assert SUITE_PROFILE not in PROFILES


def test_seeds_keep_all_their_digits():
    for entry in mlperf.inference().rounds.values():
        assert all(seed.isdigit() and int(seed) < 2**64 for seed in entry.seeds.values())


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("read from the management controller of the chassis", VIOLATION),
        ("the suite's power tool, analyser at the wall, beside the management controller", PASS),
        ("the analyser at the wall, in a later run", VIOLATION),
        ("the analyser at the wall", PASS),
    ],
)
def test_a_power_that_the_suite_did_not_measure(inference, source, outcome):
    energy = {"method": "sampled", "boundary": "node", "mean_power_w": 5918, "source": source}
    patch = {
        "claims": {"offline": {"quantity": "energy", "unit": "samples/J"}},
        "arms": {"offline": {"energy": energy}},
    }
    assert inference("Q29", patch)[0] is outcome


READINGS = {"count": 620, "mean_power_w": 6512.2, "unread": 1, "contradictory": 2, "copied": 0, "longest_repeat": 3}
SESSION = {
    "identities": ["session a, client 1, server 2"],
    "printed_readings": 621,
    "printed_mean_power_w": 6511.87,
    "in_phase": True,
    "files": {"run_1/spl.txt": {"recorded": "0" * 40, "found": "0" * 40, "record": "power/server.json"}},
}


@pytest.mark.parametrize(
    ("session", "readings", "found"),
    [
        ({}, {}, (PASS, None)),
        ({"identities": ["session a", "session b"]}, {}, (VIOLATION, REFUTES)),
        ({"files": {"run_1/spl.txt": {"recorded": "0" * 40, "found": "1" * 40}}}, {}, (VIOLATION, UNDERMINES)),
        ({"files": {"run_1/spl.txt": {"recorded": "0" * 40}}}, {}, (PASS, None)),
        ({"in_phase": False}, {}, (VIOLATION, UNDERMINES)),
        ({"debug": True}, {}, (VIOLATION, UNDERMINES)),
        ({"lacking": ["the readings of the run, spl.txt"]}, {}, (NOT_SHOWN, None)),
        ({}, {"mean_power_w": 6440.1}, (VIOLATION, UNDERMINES)),
        ({}, {"count": 610}, (VIOLATION, UNDERMINES)),
        ({"printed_mean_power_w": None}, {"mean_power_w": 6440.1}, (PASS, None)),
        ({}, {"copied": 300}, (VIOLATION, REFUTES)),
        ({}, {"contradictory": 40}, (VIOLATION, UNDERMINES)),
        ({}, {"longest_repeat": 300}, (VIOLATION, UNDERMINES)),
    ],
)
def test_the_records_of_a_measurement_agree(inference, session, readings, found):
    energy = {"method": "meter", "boundary": "node", "session": SESSION | session, "readings": READINGS | readings}
    assert inference("Q29", both(ENERGY, {"arms": {"offline": {"energy": energy}}})) == found


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({"session": {"clock_offset_s": 0.4, "interval_s": 1.0, "ranging_lead_s": 60}}, PASS),
        ({"session": {"clock_offset_s": 3.2}}, VIOLATION),
        ({"session": {"interval_s": 5.0}}, VIOLATION),
        ({"session": {"ranging_lead_s": -700}}, VIOLATION),
        ({"session": {"ranging_lead_s": 200000}}, VIOLATION),
        ({"readings": {"count": 620, "longest_gap_s": 2.0, "unread": 2, "disordered": 0}}, PASS),
        ({"readings": {"count": 620, "longest_gap_s": 31.0}}, VIOLATION),
        ({"readings": {"count": 620, "unread": 100}}, VIOLATION),
        ({"readings": {"count": 620, "disordered": 60}}, VIOLATION),
    ],
)
def test_the_clocks_and_the_log_of_a_meter(inference, energy, outcome):
    energy = {"updates": 600, "duration_s": 601} | energy
    assert inference("Q33", both(ENERGY, {"arms": {"offline": {"energy": energy}}}))[0] is outcome


def compliance(**summary):
    return run(name="TEST01", summary=summary)


@pytest.mark.parametrize(
    ("patch", "effect"),
    [
        (compliance(num_perf_log_data_mismatch="0"), None),
        (compliance(num_perf_log_data_mismatch="3"), UNDERMINES),
        (compliance(reference_score="93945.8", test_score="90100"), None),
        (compliance(reference_score="93945.8", test_score="103300"), None),
        (compliance(reference_score="93945.8", test_score="103500"), UNDERMINES),
        (compliance(reference_score="93945.8", test_score="84500"), UNDERMINES),
        (compliance(reference_score="0", test_score="84500"), None),
        (compliance(reference_score="nan", test_score="84500"), None),
        (
            both(compliance(num_perf_log_data_mismatch="3"), run(name="TEST01", verdict={"words": "TEST FAIL"})),
            UNDERMINES,
        ),
        # the test that looks for caches fails of a better score only
        (run(name="TEST04", summary={"reference_score": "93945.8", "test_score": "60000"}), None),
        (run(name="TEST04", summary={"reference_score": "93945.8", "test_score": "110000"}), UNDERMINES),
        # a result that was run again after its tests
        (compliance(reference_score="91500", test_score="91600"), None),
        (compliance(reference_score="82000", test_score="82100"), CAVEAT),
        (compliance(reference_score="93945.8", test_score="93000", samples_per_second="93001"), None),
        (compliance(reference_score="93945.8", test_score="93000", samples_per_second="71000"), CAVEAT),
    ],
)
def test_a_verdict_is_held_against_its_own_figures(inference, patch, effect):
    timed = run(summary={"samples_per_second": "93945.8"})
    outcome, found = inference("Q18", both(timed, patch))
    assert found == effect
    assert outcome is (PASS if effect is None else VIOLATION)


def test_a_compliance_log_that_is_the_performance_log(inference):
    timed = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["file"]
    assert inference("Q18", run(name="TEST01", file={"sha256": timed["sha256"]})) == (VIOLATION, UNDERMINES)
    assert inference("Q18", run(name="TEST01", file={"sha256": timed["sha256"], "bytes": 0}))[0] is PASS


@pytest.mark.parametrize(
    ("round_name", "benchmark", "scenario", "tests"),
    [
        ("v4.1", "resnet50", "MultiStream", ("TEST01", "TEST04", "TEST05")),
        ("v0.7", "resnet50", "MultiStream", None),
        ("v0.7", "resnet50", "Offline", ("TEST01", "TEST04", "TEST05")),
        ("v4.1", "bert-99", "Offline", ("TEST01", "TEST05")),
        ("v4.1", "llama2-70b-99", "Offline", None),
        ("v5.0", "resnet50", "MultiStream", ("TEST01", "TEST04")),
    ],
)
def test_compliance_tests_by_round(round_name, benchmark, scenario, tests):
    result = SuiteResult(round=round_name, benchmark=benchmark, scenario=scenario)
    assert required_tests(of_result("inference", result)) == tests


def fields(arm="offline", **values):
    return {"arms": {arm: {"description": {"fields": values}}}}


@pytest.mark.parametrize(
    ("words", "expected"),
    [("Yes", (VIOLATION, CAVEAT)), ("no", (PASS, None)), ("N", (PASS, None)), ("none", (PASS, None)), ("", None)],
)
def test_a_closed_model_that_was_retrained(inference, words, expected):
    assert inference("Q04", fields(retraining=words)) == (expected or (NOT_APPLICABLE, None))


def test_an_open_model_may_be_retrained(inference):
    opened = both(result("offline", division="open"), {"claims": {"offline": {"division": "open"}}})
    assert inference("Q04", both(opened, fields(retraining="Yes")))[0] is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("kind", "scenario", "round_name", "seen"),
    [
        ("datacenter", "SingleStream", "v5.0", True),
        ("datacenter", "MultiStream", "v4.1", True),
        ("edge", "Server", "v3.0", True),
        ("datacenter,edge", "SingleStream", "v5.0", False),
        ("edge", "SingleStream", "v4.1", False),
        ("datacenter", "Server", "v4.1", False),
        ("datacenter", "SingleStream", "v6.0", False),
        ("datacenter", "MultiStream", "v0.5", False),
        ("", "MultiStream", "v5.0", False),
    ],
)
def test_a_scenario_of_the_other_class(inference, kind, scenario, round_name, seen):
    patch = both(result("offline", scenario=scenario, round=round_name), fields(system_type=kind))
    assert (inference("Q17", patch) == (VIOLATION, CAVEAT)) is seen


def test_weights_that_are_not_named(inference):
    filled = {
        "host_memory_configuration": "32 x 64 GB",
        "host_networking": "InfiniBand",
        "host_network_card_count": "8",
        "host_networking_topology": "fat tree",
        "accelerator_host_interconnect": "PCIe Gen5",
        "accelerator_memory_configuration": "HBM3",
        "accelerator_interconnect": "NVLink 4",
    }
    assert inference("Q21", fields(**filled, starting_weights_filename="resnet50_v1.onnx"))[0] is PASS
    assert inference("Q21", fields(**filled, starting_weights_filename=" "))[0] is NOT_SHOWN


def test_early_rounds_let_fields_be_empty(inference):
    old = result("offline", round="v3.0")
    assert inference("Q21", both(old, fields(host_networking_topology="")))[0] is PASS
    assert inference("Q21", both(old, fields(host_networking_topology="-"))) == (VIOLATION, CAVEAT)
    assert inference("Q21", fields(host_networking_topology=""))[0] is NOT_SHOWN


def answers(tokens, requests=24576, recorded="294.1"):
    score = {"unit": "tokens/s", "work": tokens, "n": {"unit": "request", "completed": requests}}
    arm = {
        "performance": {"rate": score},
        "runs": {"accuracy": {"record": {"metrics": {"tokens_per_sample": recorded}}}},
    }
    return {"arms": {"offline": arm}, "claims": {"offline": {"unit": "tokens/s"}}}


@pytest.mark.parametrize(
    ("patch", "effect"),
    [
        (answers(294.1 * 24576), None),
        (answers(303.0 * 24576), None),
        (answers(315.0 * 24576), CAVEAT),
        (answers(360.2 * 24576), UNDERMINES),
        (answers(230.0 * 24576), UNDERMINES),
        (answers(360.2 * 1000, 1000), None),
        (answers(360.2 * 24576, recorded="0"), None),
    ],
)
def test_answers_of_the_timed_run_are_as_long_as_those_of_the_accuracy_run(inference, patch, effect):
    assert inference("F54", patch)[1] == effect


def test_what_a_benchmark_of_the_suite_fixes_is_stated(inference):
    named = {"arms": {"offline": {"operations": None, "performance": {"rate": {"load": None}}}}}
    named["arms"]["offline"]["options"] = dict.fromkeys(base("suite-inference")["arms"]["offline"]["options"])
    named["arms"]["offline"]["options"]["model"] = "resnet"
    assert inference("R06", named)[0] is PASS
    assert inference("R06", both(named, result("offline", benchmark="my own")))[0] is NOT_SHOWN
    assert inference("R06", both(named, fields(weight_data_types=None, input_data_types=None)))[0] is NOT_SHOWN
