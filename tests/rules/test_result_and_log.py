"""F44, F46 to F51: results, descriptions and summaries held against the logs behind them."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.facts.device.device_words import device_words
from dlaudit.rules.forensics._run_score import scores_s, trimmed
from dlaudit.rules.forensics._suite_names import availability, other_availability, other_benchmark, same_organisation
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

TRAINED = "retinanet"
REFUTED, UNDERMINED, CAVEAT = ("a", "refutes"), ("b", "undermines"), ("b", "caveat")
TRAINING = base("suite-training")["arms"]["retinanet"]["runs"]["result_1"]
INFERENCE = base("suite-inference")["arms"]["offline"]["runs"]


def trained(**fields):
    return {"arms": {TRAINED: fields}}


def labelled(**lines):
    return trained(runs={f"result_{i}": {"events": lines} for i in range(5)})


def performance(**fields):
    return {"arms": {"offline": {"runs": {"performance": fields}}}}


def accuracy(**fields):
    return {"arms": {"offline": {"runs": {"accuracy": fields}}}}


def found(result):
    if result.outcome is Outcome.VIOLATION:
        return result.branch.branch, result.branch.effect.word
    return result.outcome.value


# F44


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("1xNVIDIA DGX A100", UNDERMINED),
        ("4xSR680Ax8H200-SXM-141GB", UNDERMINED),
        ("1xNVIDIA DGX H100", "pass"),
        ("2xGH200 nodes", "pass"),
        ("node-17", "not-applicable"),
        ("gaudi-0", "not-applicable"),
    ],
)
def test_labels_beside_the_description(judged, label, expected):
    assert found(judged("suite-training", "F44", TRAINED, labelled(**{"11": {"value": label}}))) == expected


def test_one_model_in_common_suffices_and_none_known_is_not_judged(judged):
    named = trained(description={"fields": {"system_name": "upgraded from A100 to H100"}})
    named["arms"][TRAINED] |= labelled(**{"11": {"value": "DGX A100"}})["arms"][TRAINED]
    assert found(judged("suite-training", "F44", TRAINED, named)) == "pass"
    unknown = trained(description={"fields": {"accelerator_model_name": "N/A"}})
    assert found(judged("suite-training", "F44", TRAINED, unknown)) == "not-applicable"


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("XE9680x8H200-SXM-141GB", {"h200"}),
        ("abci_1024xV100_pytorch", {"v100"}),
        ("2xNVIDIA GB200", {"gb200", "b200"}),
        ("tpu-v3-1024", {"tpuv3"}),
        ("1xNF5488A5", set()),
        ("CH1000 rack", set()),
        ("", set()),
    ],
)
def test_models_in_labels(text, models):
    case = Case(to_model(base("rate"), Submission))
    assert device_words(case, text) == models


# F46


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        ("9", "open", REFUTED),
        ("9", "Closed", "pass"),
        ("7", "bert", REFUTED),
        ("7", "ssd", "pass"),
        ("7", "my_model", "pass"),
        ("8", "Other Company", CAVEAT),
        ("8", "example_lab", "pass"),
        ("8", "EL", "pass"),
        ("8", "SUBMISSION_ORG_PLACEHOLDER", "not-applicable"),
        ("10", "cloud", CAVEAT),
        ("10", "preview", CAVEAT),
    ],
)
def test_identities_in_logs(judged, line, value, expected):
    assert found(judged("suite-training", "F46", TRAINED, labelled(**{line: {"value": value}}))) == expected


def test_a_closed_run_may_stand_as_an_open_result(judged):
    patch = trained(description={"fields": {"division": "open"}})
    assert found(judged("suite-training", "F46", TRAINED, patch)) == ("c", "undermines")
    as_open = patch | {"claims": {TRAINED: {"division": "open", "suite_result": {"division": "open"}}}}
    assert found(judged("suite-training", "F46", TRAINED, as_open)) == CAVEAT


@pytest.mark.parametrize(
    ("folder", "fields", "expected"),
    [
        ("v5.0/closed/ExampleLab/results/a/resnet/Offline", {}, "not-applicable"),
        ("v5.0/closed/ExampleLab/results/a/resnet/Offline", {"division": "Closed"}, "not-applicable"),
        ("v5.0/closed/ExampleLab/results/a/resnet/Offline", {"division": "open"}, ("c", "undermines")),
        ("v5.0/open/ExampleLab/results/a/resnet/Offline", {"division": "closed"}, CAVEAT),
        ("v5.0/closed/Other/results/a/resnet/Offline", {}, CAVEAT),
        ("v5.0/closed/EL/results/a/resnet/Offline", {}, "not-applicable"),
        ("v5.0/closed/Other/results/a/resnet/Offline", {"submitter": "TBD"}, "not-applicable"),
        ("home/Other/results/a/resnet/Offline", {}, "not-applicable"),
        ("closed/results/a/resnet/Offline", {}, "not-applicable"),
        ("results/a/resnet/Offline", {"division": "open"}, "not-applicable"),
    ],
)
def test_folders_around_a_result_of_inference(judged, folder, fields, expected):
    patch = {"arms": {"offline": {"folder": folder, "description": {"fields": fields}}}}
    assert found(judged("suite-inference", "F46", "offline", patch)) == expected


def test_names_of_organisations_and_availability():
    assert same_organisation("Habana", "Intel-HabanaLabs")
    assert same_organisation("Fujitsu", "Fujitsu/RIKEN")
    assert same_organisation("QCT", "Quanta_Cloud_Technology")
    assert not same_organisation("NVIDIA", "Supermicro")
    kinds = [
        availability(words) for words in ("onprem", "Available on-premise", "available", "Available cloud", "RDI", "")
    ]
    assert kinds == ["onprem", "onprem", "available", "cloud", "research", None]
    assert not other_availability("onprem", "available")
    assert other_availability("preview", "available")
    assert other_benchmark("bert", "retinanet")
    assert not other_benchmark("gnn", "rgat")
    assert not other_benchmark("retinanet", "RetinaNet v2")


# F47


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("", "pass"),
        ("?? build/\n", "pass"),
        (" M loadgen.cc\n?? build/", "caveat"),
        ("M  loadgen.cc", "caveat"),
        (None, "pass"),
        (" M ", "pass"),
    ],
)
def test_a_harness_that_was_changed(judged, status, expected):
    event = {"time_ms": 1744020000001, "key": "loadgen_git_status_message", "value": status}
    patch = {"arms": {"offline": {"runs": {"performance": {"events": {"900": event}}}}}}
    answer = found(judged("suite-inference", "F47", "offline", patch))
    assert answer == (expected if expected == "pass" else ("d", "caveat"))


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (performance(tool={"mode": "accuracy"}), REFUTED),
        (accuracy(events={"5": {"value": "PerformanceOnly"}}), REFUTED),
        (accuracy(tool={"commit": "0a1b2c3d4e"}), ("c", "caveat")),
        (accuracy(tool={"commit": "7f54d0a"}), "pass"),
        (accuracy(tool={"release": "4.1"}), "not-shown"),
        (accuracy(tool={"release": None}), "not-shown"),
        (accuracy(tool={"commit": None}), "not-shown"),
        (accuracy(events={"3": {"value": "OfflineAdapter"}}), "pass"),
        ({"arms": {"offline": {"runs": {"accuracy": None}}}}, "not-shown"),
        ({"arms": {"offline": {"runs": {"accuracy": None, "performance": None}}}}, "not-shown"),
    ],
)
def test_performance_and_accuracy_logs(judged, patch, expected):
    assert found(judged("suite-inference", "F47", "offline", patch)) == expected


@pytest.mark.parametrize("key", ["qsl_reported_total_count", "model_sha256", "system_name"])
def test_size_model_and_system_of_both_logs(judged, key):
    def sizes(one, other):
        runs = {
            role: {"events": {"40": {"key": key, "value": value, "kind": "mark"}}}
            for role, value in (("performance", one), ("accuracy", other))
        }
        return {"arms": {"offline": {"runs": runs}}}

    assert found(judged("suite-inference", "F47", "offline", sizes(50000, "50000"))) == "pass"
    assert found(judged("suite-inference", "F47", "offline", sizes(50000, 500))) == UNDERMINED


@pytest.mark.parametrize(
    ("host", "days", "nodes", "expected"),
    [
        ("node-18", 28, 1, "not-shown"),
        ("node-17", 28, 1, "pass"),
        ("node-18", 1, 1, "pass"),  # a container may draw its name
        ("node-18", 28, 4, "pass"),  # a host of the cluster
        (None, 28, 1, "pass"),
    ],
)
def test_two_hosts_weeks_apart(judged, host, days, nodes, expected):
    later = {
        line: {"time_ms": event["time_ms"] + days * 86_400_000}
        for line, event in INFERENCE["accuracy"]["events"].items()
    }
    patch = {**accuracy(host=host, events=later), "systems": {"server": {"nodes": nodes}}}
    result = judged("suite-inference", "F47", "offline", patch)
    assert found(result) == expected
    if expected == "not-shown":
        assert "28 days apart" in result.branch.message


def test_what_is_required_names_the_item(judged):
    result = judged("suite-inference", "F47", "offline", accuracy(tool=None))
    assert result.branch.item == "tool release of both runs"
    assert found(judged("suite-training", "F47", TRAINED)) == "not-applicable"


# F48


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ({"valid": False, "words": "INVALID"}, REFUTED),
        ({"parts": {"min_duration": False}}, REFUTED),
        ({"errors": 3}, REFUTED),
        ({"errors": 0}, "pass"),
        ({"valid": None}, "not-applicable"),
    ],
)
def test_verdicts_of_the_harness(judged, verdict, expected):
    assert found(judged("suite-inference", "F48", "offline", performance(verdict=verdict))) == expected


def test_errors_that_the_claim_states_and_warnings(judged):
    stated = performance(verdict={"errors": 3})
    stated["arms"]["offline"]["performance"] = {"rate": {"n": {"failed": 3}}}
    assert found(judged("suite-inference", "F48", "offline", stated)) == "pass"
    error = {"40": {"key": "issue_query", "value": "slot in use", "kind": "error"}}
    assert found(judged("suite-inference", "F48", "offline", performance(events=error))) == REFUTED
    build = {"40": {"key": "error_invalid_config", "value": "Loadgen built with uncommitted changes!", "kind": "error"}}
    of_the_build = performance(events=build, verdict={"errors": 1})
    assert found(judged("suite-inference", "F48", "offline", of_the_build)) == CAVEAT
    of_the_build["arms"]["offline"]["runs"]["performance"]["verdict"] = {"errors": 2}
    assert found(judged("suite-inference", "F48", "offline", of_the_build)) == REFUTED
    warning = {"40": {"key": "warning", "value": "slot in use", "kind": "stat"}}
    assert found(judged("suite-inference", "F48", "offline", performance(events=warning))) == "pass"


@pytest.mark.parametrize("role", ["compliance", "ranging"])
def test_runs_beside_the_measured_one_may_be_invalid(judged, role):
    patch = {"arms": {"offline": {"runs": {"TEST01": {"role": role, "verdict": {"valid": False}}}}}}
    assert found(judged("suite-inference", "F48", "offline", patch)) == "pass"


# F49


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ({"trace_s": 599, "wall_s": 599, "largest_latency_s": 599}, REFUTED),
        ({"trace_s": 599.5, "wall_s": 599.5, "largest_latency_s": 599.5}, "pass"),
        ({"largest_latency_s": 663}, REFUTED),
        ({"largest_latency_s": 662.4}, "pass"),
        ({"wall_s": 676}, REFUTED),
        ({"wall_s": 670}, "pass"),
        ({"wall_s": 600}, "pass"),
        ({"rate_per_s": 110000}, REFUTED),
        ({"configured_max_s": 650}, REFUTED),
        ({"configured_max_s": 660}, "pass"),
        ({"configured_max_s": 0}, "pass"),
        ({"trace_s": None}, "not-applicable"),
        ({"configured_min_s": None, "configured_max_s": 900}, "not-applicable"),
    ],
)
def test_windows_of_a_run(judged, window, expected):
    assert found(judged("suite-inference", "F49", "offline", performance(window=window))) == expected


# F50


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("38.1154", "pass"),
        ("38.12", "pass"),
        ("38.1143", ("a", "caveat")),  # the middle one of three consecutive runs, where all five count
        ("38", "pass"),
        ("38.2", ("a", "caveat")),
        ("36", REFUTED),
        ("2286.9", REFUTED),
    ],
)
def test_training_times(judged, value, expected):
    assert found(judged("suite-training", "F50", TRAINED, {"claims": {TRAINED: {"value": value}}})) == expected


def test_a_window_of_the_runs_may_be_meant_where_it_is_not_said_how_many_count(judged):
    patch = {"claims": {TRAINED: {"value": "38.1143"}}}
    patch["arms"] = {TRAINED: {"performance": {"score": {"n": None, "trials": None}}}}
    assert found(judged("suite-training", "F50", TRAINED, patch)) == "pass"


def test_a_rate_of_tokens_is_held_against_the_log(judged):
    def tokens(value):
        event = {"time_ms": 1744020661890, "key": "result_tokens_per_second", "value": 34791.2, "kind": "stat"}
        runs = {"performance": {"events": {"60": event}}}
        return {"claims": {"offline": {"value": value, "unit": "tokens/s"}}, "arms": {"offline": {"runs": runs}}}

    assert found(judged("suite-inference", "F50", "offline", tokens("34791"))) == "pass"
    assert found(judged("suite-inference", "F50", "offline", tokens("35835"))) == REFUTED


def test_a_name_of_another_machine_does_not_speak_for_the_description(judged):
    fields = {"accelerator_model_name": "NVIDIA A100-SXM-80GB", "system_name": "box_8xh100"}
    assert found(judged("suite-training", "F44", TRAINED, trained(description={"fields": fields}))) == UNDERMINED


def test_a_description_of_another_form_of_the_device_undermines(judged):
    def described_as(model):
        patch = trained(description={"fields": {"accelerator_model_name": model}})
        system = base("suite-training")["arms"][TRAINED]["system"]
        return patch | {"systems": {system: {"device_variant": "SXM"}}}

    assert found(judged("suite-training", "F44", TRAINED, described_as("NVIDIA H100-NVL-94GB"))) == UNDERMINED
    assert found(judged("suite-training", "F44", TRAINED, described_as("NVIDIA H100-SXM5-80GB"))) == "pass"


def test_a_success_below_the_target_refutes(judged):
    def all_at(value):
        lines = [line for line, event in TRAINING["events"].items() if event["key"] == "eval_accuracy"]
        return trained(runs={"result_1": {"events": {line: {"value": value} for line in lines}}})

    assert found(judged("suite-training", "F48", TRAINED, all_at(0.3399))) == REFUTED
    assert found(judged("suite-training", "F48", TRAINED, all_at(0.34))) == "not-applicable"


def test_a_log_that_calls_itself_invalid_refutes(judged):
    def says(word):
        event = {"time_ms": 1744020661890, "key": "result_validity", "value": word, "kind": "stat"}
        lines = INFERENCE["performance"]["events"]
        told = next((line for line, item in lines.items() if item["key"] == "result_validity"), "60")
        return {"arms": {"offline": {"runs": {"performance": {"events": {told: event}}}}}}

    assert found(judged("suite-inference", "F48", "offline", says("INVALID"))) == REFUTED
    assert found(judged("suite-inference", "F48", "offline", says("VALID"))) == "pass"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("result_perf_constraints_met", False, REFUTED),
        ("early_stopping_met", False, REFUTED),
        ("result_min_queries_met", True, "pass"),
        ("result_no_such_part_met", False, "pass"),
    ],
)
def test_a_part_that_the_log_gives_as_unmet_refutes(judged, key, value, expected):
    told = {"60": {"time_ms": 1744020661890, "key": key, "value": value, "kind": "stat"}}
    assert found(judged("suite-inference", "F48", "offline", performance(events=told))) == expected
    ruled_out = performance(events=told, verdict={"parts": {"performance_constraints": False}})
    assert found(judged("suite-inference", "F48", "offline", ruled_out)) == REFUTED


def test_a_time_in_seconds_and_a_stated_statistic(judged):
    patch = {"claims": {TRAINED: {"value": "2291.9", "unit": "s", "statistic": "max"}}}
    assert found(judged("suite-training", "F50", TRAINED, patch)) == "pass"
    patch["claims"][TRAINED]["statistic"] = "min"
    assert found(judged("suite-training", "F50", TRAINED, patch)) == ("a", "caveat")
    patch["claims"][TRAINED]["statistic"] = "unspecified"
    assert found(judged("suite-training", "F50", TRAINED, patch)) == "not-applicable"


def test_the_time_of_one_run_is_its_stop_minus_its_start(judged):
    def walled(seconds):
        return trained(trials={"result_1": {"wall_s": seconds}})

    assert found(judged("suite-training", "F50", TRAINED, walled(2283.268))) == "pass"
    assert found(judged("suite-training", "F50", TRAINED, walled(2283.3))) == "pass"
    assert found(judged("suite-training", "F50", TRAINED, walled(2283.281))) == ("a", "caveat")
    assert found(judged("suite-training", "F50", TRAINED, walled(1983.281))) == REFUTED


def test_a_log_with_two_starts_gives_no_time(judged):
    twice = {"23": {}, "130": {"time_ms": 1, "key": "run_start"}}
    patch = trained(runs={"result_1": {"events": twice}})
    assert found(judged("suite-training", "F50", TRAINED, patch)) == "not-applicable"


def test_scores_of_runs():
    times = [10.0, 11.0, 12.0, 13.0, 100.0]
    assert trimmed(times) == 12
    assert trimmed([1.0, 2.0]) == float("inf")
    assert set(scores_s(times, "trimmed_mean")) == {12.0, 11.0, 13.0}
    assert scores_s([10.0, float("inf"), 12.0], "mean") == (11.0,)
    assert scores_s([], "mean") == scores_s([1.0], "words") == ()
    assert trimmed([float(i) for i in range(40)]) == 19.5


@pytest.mark.parametrize(
    ("claim", "value", "expected"),
    [
        ("offline", "93945.8", "pass"),
        ("offline", "94800", "pass"),
        ("offline", "95000", REFUTED),
        ("server", "75012.37", "pass"),
        ("server", "90000", "pass"),
        ("server", "99000", REFUTED),
        ("server", "72000", REFUTED),
    ],
)
def test_rates_of_arriving_and_of_waiting_work(judged, claim, value, expected):
    assert found(judged("suite-inference", "F50", claim, {"claims": {claim: {"value": value}}})) == expected


def test_queries_one_at_a_time_fit_into_the_trace(judged):
    def single(mean_ns):
        patch = performance(
            summary={"scenario": "SingleStream", "mean_latency_ns": mean_ns},
            window={"work": 1000, "trace_s": 600, "largest_latency_s": 1},
        )
        claim = {"value": "0.7", "unit": "s", "quantity": "latency", "suite_result": {"scenario": "SingleStream"}}
        return {"claims": {"offline": claim}, **patch}

    assert found(judged("suite-inference", "F50", "offline", single(600_000_000))) == "pass"
    assert found(judged("suite-inference", "F50", "offline", single(610_000_000))) == REFUTED


def test_tokens_and_unknown_scenarios_are_not_recomputed(judged):
    tokens = {"claims": {"offline": {"value": "5", "unit": "tokens/s"}}}
    assert found(judged("suite-inference", "F50", "offline", tokens)) == "not-applicable"
    multi = {"claims": {"offline": {"value": "5", "suite_result": {"scenario": "MultiStream"}}}}
    assert found(judged("suite-inference", "F50", "offline", multi)) == "not-applicable"


# F51


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ({"samples_per_second": "93945.8"}, "pass"),
        ({"samples_per_second": 93950}, "pass"),
        ({"samples_per_second": "94100"}, REFUTED),
        ({"samples_per_second": None}, "not-applicable"),
        ({"result": "INVALID"}, REFUTED),
        ({"scenario": "Server"}, REFUTED),
        ({"mode": "performanceonly"}, "pass"),
        ({"max_latency_ns": "661842000001"}, "pass"),
        ({"max_latency_ns": "671842000000"}, REFUTED),
        ({"qsl_rng_seed": "6023615788873153749"}, "pass"),
        ({"qsl_rng_seed": "6023615788873153750"}, "pass"),
        ({"qsl_rng_seed": "7023615788873153750"}, REFUTED),
        ({"samples_per_second": "NaN"}, "pass"),
        ({"unheard_of": 1}, "not-applicable"),
    ],
)
def test_figures_of_a_summary(judged, summary, expected):
    assert found(judged("suite-inference", "F51", "offline", performance(summary=summary))) == expected


def test_the_verdict_of_the_summary_is_that_of_the_log(judged):
    assert found(judged("suite-inference", "F51", "offline", performance(verdict={"valid": False}))) == REFUTED
    flag = {"40": {"key": "result_min_duration_met", "value": False, "kind": "stat"}}
    assert found(judged("suite-inference", "F51", "offline", performance(events=flag))) == REFUTED


def test_a_latency_of_samples_is_not_one_of_queries(judged):
    events = {
        "40": {"key": "result_mean_latency_ns", "value": 18744784, "kind": "stat"},
        "41": {"key": "result_mean_query_latency_ns", "value": 27690886, "kind": "stat"},
    }
    of_queries = performance(summary={"mean_latency_ns": "27690886"}, events=events)
    assert found(judged("suite-inference", "F51", "offline", of_queries)) == "pass"
    of_none = performance(summary={"mean_latency_ns": "22690886"}, events=events)
    assert found(judged("suite-inference", "F51", "offline", of_none)) == REFUTED
