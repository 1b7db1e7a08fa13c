"""Settings, counts and percentiles of runs of LoadGen: Q10 to Q13, Q32, F10, F49."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, VIOLATION = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.VIOLATION


@pytest.fixture
def told(judged):
    def judge(code, patch=None, claim="offline", **case):
        found = judged("suite-inference", code, claim, patch or {}, **case)
        return found.outcome, getattr(found.branch, "effect", None) if found.outcome is VIOLATION else None

    return judge


def performance(arm="offline", **fields):
    return {"arms": {arm: {"runs": {"performance": fields}}}}


def stated(claim, **fields):
    return {"claims": {claim: {"suite_result": fields}}}


def joined(*patches):
    found = {}
    for patch in patches:
        for key, value in patch.items():
            both = isinstance(found.get(key), dict) and isinstance(value, dict)
            found[key] = joined(found[key], value) if both else value
    return found


def logged(key, value, line="30", kind="option"):
    return {line: {"time_ms": 1744020000040, "key": key, "value": value, "kind": kind}}


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"events": logged("effective_performance_issue_same", True)}, VIOLATION),
        ({"events": logged("effective_performance_issue_same", False)}, PASS),
        ({"summary": {"performance_issue_same": 1}}, VIOLATION),
        ({"summary": {"performance_issue_same": "true"}}, VIOLATION),
        ({"summary": {"performance_issue_same": "maybe"}}, PASS),
        ({"events": {"12": {"value": 8}}}, VIOLATION),
        ({"events": {"12": {"value": 2048}}}, PASS),
        # an accuracy run in performance mode loads set after set: nothing is counted then
        ({"events": {"12": {"value": 8}} | logged("loaded_qsl_set", 8, kind="mark")}, PASS),
        # a set that is smaller than what was configured
        ({"events": {"12": {"value": 500}} | logged("qsl_reported_total_count", 500, kind="mark")}, PASS),
    ],
)
def test_samples_that_were_sent_and_loaded(told, fields, outcome):
    found = told("Q11", performance(**fields))
    assert found == (outcome, UNDERMINES if outcome is VIOLATION else None)


def test_a_compliance_run_may_send_one_sample(told):
    same = {"arms": {"offline": {"runs": {"TEST04": {"summary": {"performance_issue_same": 1}}}}}}
    assert told("Q11", same) == (PASS, None)


@pytest.mark.parametrize(
    ("benchmark", "round_name", "division", "outcome"),
    [
        ("llama2-70b-99", "v4.1", "closed", VIOLATION),
        ("llama2-70b-99", "v5.0", "closed", VIOLATION),
        ("llama3.1-8b", "v5.1", "closed", VIOLATION),
        ("llama2-70b-99", "v5.0", "open", None),
        ("llama2-70b-99", "v4.0", "closed", None),
        ("resnet", "v5.0", "closed", None),
    ],
)
def test_samples_of_different_sizes_are_sent_equally_often(told, benchmark, round_name, division, outcome):
    of = stated("offline", benchmark=benchmark, round=round_name, division=division)
    setting = performance(events=logged("effective_sample_concatenate_permutation", False))
    samples = {"arms": {"offline": {"runs": {"performance": {"events": {"8": {"value": 30000}}}}}}}
    found = told("Q11", joined(of, setting, samples, {"claims": {"offline": {"division": division}}}))
    assert (found[0] is VIOLATION) is (outcome is VIOLATION)


@pytest.mark.parametrize(
    ("round_name", "samples", "wrong"), [("v4.1", 4, True), ("v4.1", 8, False), ("v1.1", 4, False), ("v4.1", 16, False)]
)
def test_samples_of_a_query_of_several_streams(told, round_name, samples, wrong):
    of = stated("server", scenario="MultiStream", round=round_name)
    setting = performance("server", events=logged("effective_samples_per_query", samples))
    assert (told("Q11", joined(of, setting), "server")[0] is VIOLATION) is wrong


@pytest.mark.parametrize(("round_name", "wrong"), [("v0.7", True), ("v1.0", False)])
def test_early_rounds_ask_for_five_runs_of_a_server(told, round_name, wrong):
    of = joined(stated("server", round=round_name), {"publication": None})
    assert (told("Q11", of, "server")[0] is VIOLATION) is wrong
    # a publication quotes one of them, and an excerpt shows one
    assert told("Q11", stated("server", round=round_name), "server")[0] is not VIOLATION
    assert told("Q11", joined(of, {"coverage": "excerpt"}), "server")[0] is not VIOLATION
    # the open division may run what it likes
    assert told("Q11", joined(of, stated("server", division="open")), "server")[0] is not VIOLATION


@pytest.mark.parametrize(("seed", "outcome"), [("3066443479025735752", PASS), ("7741", VIOLATION)])
def test_seeds_of_earlier_rounds(told, seed, outcome):
    others = {"10": {"value": "10688027786191513374"}, "11": {"value": "14962580496156340209"}}
    runs = {name: {"events": {"9": {"value": seed}} | others} for name in ("performance", "accuracy")}
    patch = joined(stated("offline", round="v4.1"), {"arms": {"offline": {"runs": runs}}})
    assert told("Q13", patch)[0] is outcome


@pytest.mark.parametrize(("examples", "outcome"), [(5000, VIOLATION), (50000, PASS)])
def test_the_full_set_of_an_earlier_round(told, examples, outcome):
    quality = {"arms": {"offline": {"quality": {"accuracy": {"examples": examples}}}}}
    assert told("Q32", joined(stated("offline", round="v3.1"), quality))[0] is outcome


def server(percentile, bound, round_name="v4.1", **fields):
    of = stated("server", round=round_name, **fields)
    figures = {"99.00_percentile_latency_ns": percentile, "result_overlatency_query_count": 2}
    return joined(of, performance("server", summary=figures, events={"12": {"value": bound}}))


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (server(14_900_000, 15_000_000), (PASS, None)),
        (server(15_482_211, 15_000_000), (VIOLATION, REFUTES)),
        (server(15_482_211, 18_000_000), (VIOLATION, UNDERMINES)),
        (server(15_482_211, 18_000_000, division="open"), (PASS, None)),
        (server(15_482_211, 0), (PASS, None)),
        # of a bound on the tokens the log of whole queries says nothing
        (server(25e9, 20e9, "v5.0", benchmark="llama2-70b-99"), (PASS, None)),
    ],
)
def test_the_bound_of_a_server(told, patch, expected):
    assert told("Q12", joined(patch, {"claims": {"server": {"division": None}}}), "server") == expected


def test_rounds_without_early_stopping_are_judged_by_the_percentile(told):
    silent = {"events": {"18": None}, "summary": {"result_query_count": None, "result_overlatency_query_count": None}}
    early = joined(server(14_900_000, 15_000_000, "v0.7"), performance("server", **silent))
    assert told("Q12", early, "server")[0] is PASS
    late = joined(server(14_900_000, 15_000_000, "v4.1"), performance("server", **silent))
    assert told("Q12", late, "server")[0] is NOT_SHOWN


@pytest.mark.parametrize(("estimate", "outcome"), [(363571, PASS), (363527, PASS), (351204, VIOLATION)])
def test_an_estimate_of_early_stopping_bounds_its_percentile(told, estimate, outcome):
    figures = {"early_stopping_estimate_ns": estimate, "90.00_percentile_latency_ns": 363527}
    figures |= {"early_stopping_discarded": 24, "result_query_count": 387}
    stream = joined(
        stated("server", scenario="SingleStream"),
        performance("server", summary=figures, events={"18": {"value": 387}}),
    )
    assert told("Q12", stream, "server")[0] is outcome


@pytest.mark.parametrize(("high", "outcome"), [(650_991_244_180, VIOLATION), (634_103_360_348, PASS)])
def test_percentiles_of_any_run_rise(told, high, outcome):
    figures = {"97.00_percentile_latency_ns": high, "99.00_percentile_latency_ns": 647_185_513_008}
    assert (told("F10", performance(summary=figures))[0] is VIOLATION) is (outcome is VIOLATION)
    ranging = {"arms": {"offline": {"runs": {"TEST04": {"summary": figures}}}}}
    assert told("F10", ranging)[0] is not VIOLATION


@pytest.mark.parametrize(
    ("unit", "work", "outcome"),
    [
        ("tokens/s", 62177280, PASS),
        ("tokens/s", 64000000, VIOLATION),
        # of samples the headline itself is held against them
        ("samples/s", 64000000, PASS),
    ],
)
def test_work_that_was_there_at_once_takes_its_latency(told, unit, work, outcome):
    patch = joined({"claims": {"offline": {"unit": unit}}}, performance(window={"work": work}))
    assert told("F49", patch)[0] is outcome


def test_work_that_a_long_trace_contradicts_is_no_short_run(judged):
    patch = performance(window={"work": 41000000})
    assert judged("suite-inference", "Q10", "offline", patch).outcome is PASS
    found = judged("suite-inference", "F49", "offline", patch)
    assert "its trace lasts 661.842 s" in found.branch.message
