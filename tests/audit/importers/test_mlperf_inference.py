"""MLPerf inference results: both forms of logs, what is broken, what a folder holds; and the published ones at hand."""

import json
import os
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.importers.mlperf.accuracy import outputs_state, read_accuracy, read_verdict
from dlaudit.audit.importers.mlperf.inference import IMPORTER
from dlaudit.audit.importers.mlperf.inference_load import tokens_of
from dlaudit.audit.importers.mlperf.inference_run import headline, logs_of, work_of
from dlaudit.audit.importers.mlperf.loadgen_log import read_events
from dlaudit.audit.importers.mlperf.loadgen_summary import read_summary, slug
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.cases import cases_of
from dlaudit.audit.lint.judge import judge
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.book import entries
from dlaudit.rules.outcome import CAVEAT, Outcome
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate
from hypothesis import given, settings
from hypothesis import strategies as st

FIXTURES = Path(__file__).parent / "fixtures" / "mlperf-inference"
REPORT = FIXTURES / "folder" / "report_inference_results_v5.0"
LAB = "closed/ExampleLab"
RESULT = f"{LAB}/results/box_8xh100/resnet/Offline"
TESTS = f"{LAB}/compliance/box_8xh100/resnet/Offline"
KEY = "box_8xh100.resnet.Offline"


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(REPORT, tmp_path / "inference_results_v5.0"))


def linted(path, **fields):
    (found,) = read_documents([str(path)])
    return lint(found, Settings(**fields))


def arm(path):
    return linted(path).case.submission.arms[KEY]


def found_in(path, outcome=Outcome.VIOLATION, **fields):
    """Return the results of all rules on all claims, each judged by itself as lint does."""
    (found,) = read_documents([str(path)])
    case = lint(found, Settings(**fields)).case
    told = judge(case, cases_of(case, case.submission.claims, found.draft.apart), entries()).assessments
    results = [assessment.result for assessment in told]
    assert all(result.outcome is not Outcome.ERROR for result in results)
    return [result for result in results if result.outcome is outcome]


def violations(path):
    return {result.code for result in found_in(path)}


def edited(path, old, new):
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


def test_the_two_forms_of_a_line_mean_the_same():
    new = ':::MLLOG {"key": "effective_min_duration_ms", "value": 60000, "time_ms": 0.193181}'
    head = '"pid": 1, "tid": 1, "ts": 193181ns : Effective Settings:\n'
    old = head + '"pid": 1, "tid": 1, "ts": 193181ns : min_duration (ms): 60000'
    (present,), (early,) = read_events(new.encode())[0], read_events(old.encode())[0]
    assert (present.key, present.kind, present.value, present.time_ms) == (
        early.key,
        early.kind,
        early.value,
        early.time_ms,
    )


def test_seeds_keep_their_digits_and_lists_become_their_length():
    line = ':::MLLOG {{"key": "{}", "value": {}, "time_ms": 1}}'
    text = "\n".join([line.format("effective_qsl_rng_seed", 2**63 + 5), line.format("loaded_qsl_set", [4, 5, 6])])
    assert [event.value for event in read_events(text.encode())[0]] == [str(2**63 + 5), 3]


@pytest.mark.parametrize(
    ("listed", "length"),
    [("[]", 0), ("[ ]", 0), ("[7]", 1), ("[3, 1,2]", 3), (str(list(range(200_000))), 200_000)],
)
def test_a_list_of_loaded_samples_is_read_for_its_length(listed, length):
    line = f':::MLLOG {{"key": "loaded_qsl_set", "value": {listed}, "time_ms": 1}}'
    assert [event.value for event in read_events(f"{line}\n{line}\n".encode())[0]] == [length, length]


@pytest.mark.parametrize("listed", ["[1, x]", "[1, [2], ]", '["a]"', "[1, 2", "[1]]"])
def test_a_list_of_loaded_samples_that_is_none_cannot_be_read(listed):
    line = f':::MLLOG {{"key": "loaded_qsl_set", "value": {listed}, "time_ms": 1}}'
    events, (malformed,) = read_events(line.encode())
    assert (events, malformed.line) == ((), 1)


def test_counters_of_the_logger_itself_are_left_out_and_lines_keep_their_numbers():
    lines = [
        ':::MLLOG {"key": "power_begin", "value": "x", "time_ms": 1}',
        ':::MLLOG {"key": "logger_tls_total_log_cas_fail_count", "value": 0, "time_ms": 2}',
        ':::MLLOG {"key": "power_end", "value": "y", "time_ms": 3}',
    ]
    for text in ("\n".join(lines), "\n".join(["", *lines])):
        events, malformed = read_events(text.encode())
        assert [event.key for event in events] == ["power_begin", "power_end"]
        assert events[1].line - events[0].line == 2
        assert malformed == ()


def test_errors_are_events_of_their_kind():
    new = ':::MLLOG {"key": "error_runtime", "value": "x", "time_ms": 1, "metadata": {"is_error": true}}'
    old = '"pid": 1, "tid": 1, "ts": 1ns : ERROR : Ran out of samples'
    assert [event.kind for event in read_events(f"{new}\n{old}".encode())[0]] == ["error", "error"]


@pytest.mark.parametrize(
    "line", [":::MLLOG {", ":::MLLOG []", ':::MLLOG {"value": 1}', ':::MLLOG {"key": 7}', ":::MLLOG " + "[" * 9000]
)
def test_lines_that_cannot_be_read_have_a_place(line):
    events, (malformed,) = read_events(f"\n{line}".encode())
    assert (events, malformed.line) == ((), 2)


def test_a_summary_by_its_lines():
    found = read_summary((FIXTURES / "summary" / "report.txt").read_text())
    assert (found.words, found.valid, found.errors) == ("VALID", True, 0)
    assert found.flags["early_stopping"] is True
    assert found.number("99.00_percentile_first_token_latency_ns") == 435976100
    assert found.text("qsl_rng_seed") == "6023615788873153749"
    assert read_summary("3 ERRORS encountered. See detailed log.").errors == 3
    assert read_summary("").words is None


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("99.00 percentile latency (ns)", "99.00_percentile_latency_ns"),
        ("QPS w/o loadgen overhead", "qps_without_loadgen_overhead"),
        ("Samples per second", "samples_per_second"),
    ],
)
def test_printed_names_become_keys(name, key):
    assert slug(name) == key


@pytest.mark.parametrize(
    ("text", "metrics", "examples"),
    [
        ("accuracy=76.140%, good=38070, total=50000", {"accuracy": "76.140"}, 50000),
        ("mAP=20.111%", {"mAP": "20.111"}, None),
        ("Accuracy: mean = 0.86017, kidney = 0.9342, tumor = 0.7861", {"mean": "0.86017"}, None),
        ('{"exact_match": 83.29, "f1": 90.82}', {"exact_match": "83.29", "f1": "90.82"}, None),
        (
            "{'rouge1': '38.6335', 'gen_len': 8184498, 'gen_num': 13368}",
            {"rouge1": "38.6335", "gen_len": "8184498"},
            13368,
        ),
        ("AUC=080.21%", {"AUC": "80.21"}, None),
        (" Average Precision @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.353\nDONE (t=45.75s).", {}, None),
        ("[nltk_data] accuracy=3", {}, None),
    ],
)
def test_accuracy_records(text, metrics, examples):
    found = read_accuracy(text)
    assert (found.metrics, found.examples) == (metrics, examples)


def test_errors_of_the_generator_are_not_taken_for_stated_failures(folder):
    summary = folder / f"{RESULT}/performance/run_1/mlperf_log_summary.txt"
    assert arm(folder).performance["score"].n.failed == 0
    edited(summary, b"No errors encountered", b"3 ERRORS encountered")
    assert arm(folder).performance["score"].n.failed is None
    assert "F48" in violations(folder)


def test_a_service_has_a_bound_and_percentiles(folder):
    for name in ("mlperf_log_summary.txt", "mlperf_log_detail.txt"):
        edited(folder / f"{RESULT}/performance/run_1/{name}", b"Offline", b"Server")
    summary = folder / f"{RESULT}/performance/run_1/mlperf_log_summary.txt"
    edited(summary, b"min_duration (ms)", b"target_latency (ns): 15000000\nmin_duration (ms)")
    edited(summary, b"Mean latency", b"99.00 percentile latency (ns)   : 14000000\nMean latency")
    edited(summary, b"Samples per second:", b"Completed samples per second    :")
    shutil.move(folder / RESULT, folder / RESULT.replace("Offline", "Server"))
    submission = linted(folder).case.submission
    (claim,), (server,) = submission.claims.values(), submission.arms.values()
    assert (claim.value, claim.latency_bound.value, claim.latency_bound.unit) == ("93945.8", "15", "ms")
    assert server.performance["latency"].summary.percentiles == {"99": "14000000"}


@pytest.mark.parametrize(("round_name", "value"), [("v1.1", None), ("v3.0", "29626948"), (None, "29626948")])
def test_early_rounds_scored_streams_and_not_their_latency(round_name, value):
    text = (
        b"MLPerf Results Summary\nScenario : MultiStream\n99th percentile latency (ns) : 29626948\nResult is : VALID\n"
    )
    found = headline(logs_of(None, open_report("mlperf_log_summary.txt", text)), round_name)
    assert (found["value"] if found is not None else None) == value


def test_outputs_and_verdicts():
    assert [outputs_state(*given) for given in ((80, "a", "a"), (8199, "a", "b"), (80_000, "a", "b"))] == [
        *("whole", "truncated", "whole")
    ]
    assert read_verdict("Reading\nTEST PASS\n").passed
    assert not read_verdict("First token check pass: True\nEOS check pass: False").passed
    assert read_verdict("nothing to see") is None


def test_a_folder_is_clean_and_names_what_it_lacks(folder):
    assert violations(folder) == set()
    assert "Q17" in {result.code for result in found_in(folder, Outcome.NOT_SHOWN)}


def test_the_same_folder_handed_in_from_further_up_or_below(folder, tmp_path):
    whole = linted(tmp_path / "inference_results_v5.0").case.submission.claims[KEY]
    below = linted(folder / LAB).case.submission.claims[KEY]
    assert whole.value == below.value == "93945.8"
    assert whole.suite_result.round == below.suite_result.round == "v5.0"
    assert whole.division == below.division == "closed"


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        (f"{RESULT}/accuracy/accuracy.txt", b"76.234%, good=38117", b"75.234%, good=37617", "Q14"),
        (f"{RESULT}/accuracy/accuracy.txt", b"total=50000", b"total=5000", "Q32"),
        (f"{RESULT}/performance/run_1/mlperf_log_detail.txt", b"6023615788873153749", b"6023615788873153748", "Q13"),
        (
            f"{RESULT}/performance/run_1/mlperf_log_summary.txt",
            b"Samples per second: 93945.8",
            b"Samples per second: 98945.8",
            "F51",
        ),
        (f"{TESTS}/TEST01/verify_accuracy.txt", b"TEST PASS", b"TEST FAIL", "Q18"),
        (f"{LAB}/systems/box_8xh100.json", b'"available"', b'"prototype"', "Q20"),
    ],
)
def test_what_was_changed_is_found(folder, file, old, new, code):
    edited(folder / file, old, new)
    assert code in violations(folder)


def test_the_fallback_of_a_failed_comparison(folder):
    edited(folder / TESTS / "TEST01" / "verify_accuracy.txt", b"TEST PASS", b"TEST FAIL")
    for name in ("baseline_accuracy.txt", "compliance_accuracy.txt"):
        target = folder / TESTS / "TEST01" / "accuracy" / name
        target.parent.mkdir(exist_ok=True)
        target.write_text("accuracy=76.23%\n")
    assert "Q18" not in violations(folder)


def test_compliance_tests_beside_the_runs(folder):
    shutil.move(folder / TESTS / "TEST01", folder / RESULT / "TEST01")
    assert arm(folder).runs["TEST01"].verdict.valid is True


def test_one_run_for_both_performance_and_accuracy(folder):
    for name in ("mlperf_log_detail.txt", "mlperf_log_summary.txt"):
        log = folder / RESULT / "performance" / "run_1" / name
        log.write_bytes(log.read_bytes().replace(b"PerformanceOnly", b"SubmissionRun"))
        shutil.copy(log, folder / RESULT / "accuracy" / name)
    assert arm(folder).runs["accuracy"].file is None
    assert "F34" not in violations(folder)


def test_a_written_draft_reads_the_logs_again(folder, capsys):
    assert run(["draft", str(folder), str(folder / "submission.json")]) == 0
    (found,) = read_documents([str(folder / "submission.json")])
    assert {name for _, name in lint(found, Settings()).case.traces} == {"performance", "accuracy"}


def test_findings_quote_the_line_of_the_log(folder, capsys):
    edited(folder / f"{RESULT}/performance/run_1/mlperf_log_detail.txt", b"6023615788873153749", b"6023615788873153748")
    assert run(["lint", str(folder), "--profile", "mlperf"]) == 1
    assert "mlperf_log_detail.txt:15:" in capsys.readouterr().out


def test_an_unreadable_description_is_named_with_its_line(folder):
    file = folder / LAB / "systems" / "box_8xh100.json"
    file.write_text('{"submitter": "ExampleLab",\n "division": "closed",\n}\n')
    assert (arm(folder).system, list(arm(folder).description.malformed)) == (None, ["3"])
    (found,) = [result for result in found_in(folder, Outcome.NOT_SHOWN) if result.code == "R09"]
    assert f"line 3, column 1 of {LAB}/systems/box_8xh100.json" in found.branch.message
    file.write_text("no JSON at all")
    assert arm(folder).description is None


def configured(folder, **files):
    place = folder / LAB / "measurements" / "box_8xh100" / "resnet" / "Offline"
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / f"{name}.conf").write_text(text)
    return {(result.code, result.branch.branch) for result in found_in(folder) if result.code == "F25"}


def test_configuration_files_are_held_against_the_log(folder):
    user = "# of this system\n*.Offline.min_duration = 600000  # ms\n*.Server.min_duration = 1\n"
    assert configured(folder, user=user, mlperf="*.Offline.target_qps = 1.0\n*.*.min_duration = 1\n") == set()
    assert configured(folder, user=user + "bert.Offline.min_duration = 5\n") == set()
    assert configured(folder, user=user + "*.Offline.min_duration = many\n") == set()
    assert configured(folder, user=user + "resnet50.Offline.min_duration = 5\n") == {("F25", "e")}
    assert configured(folder, user=user, mlperf="*.*.qsl_rng_seed = 12\n") == {("F25", "e")}


def test_a_configuration_file_that_is_missing(folder):
    configured(folder, user="*.Offline.target_qps = 1\n")
    missing = {result.code for result in found_in(folder, Outcome.NOT_SHOWN)}
    (folder / LAB / "measurements/box_8xh100/resnet/Offline/user.conf").unlink()
    configured(folder, mlperf="")
    assert {result.code for result in found_in(folder, Outcome.NOT_SHOWN)} - missing == {"F25"}


SEEDS = [path.read_bytes() for path in sorted(REPORT.rglob("*_log_*.txt"))] + [
    (FIXTURES / name / "report.txt").read_bytes() for name in ("round-0.7", "summary")
]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=12)), max_size=6))
def test_hostile_logs_give_a_valid_draft_or_one_error(data, cuts):
    for share, piece in cuts:
        at = int(share * len(data))
        data = data[:at] + piece + data[at + len(piece) :]
    try:
        draft = IMPORTER.read(open_report("report.txt", data))
    except UserError:
        return
    assert not validate("submission", json.loads(json.dumps(draft.value)))


CORPUS = os.environ.get("DLAUDIT_CORPUS")


@pytest.mark.skipif(CORPUS is None, reason="DLAUDIT_CORPUS is not set")
def test_published_results_contradict_neither_themselves_nor_their_round():
    rounds = sorted(Path(CORPUS).glob("mlperf/inference_results_v*"))
    assert len(rounds) >= 5
    claims = 0
    for path in rounds:
        found = linted(path, profile="mlperf")
        performance = [name for name in found.case.submission.claims if not name.endswith(".power")]
        claims += len(performance)
        assert all(found.case.submission.claims[name].value is not None for name in performance)
        assert all(trace.malformed == () for trace in found.case.traces.values())
        assert [result for result in found_in(path, profile="mlperf") if result.branch.effect is not CAVEAT] == []
    assert claims >= 20


@pytest.mark.skipif(CORPUS is None, reason="DLAUDIT_CORPUS is not set")
@pytest.mark.parametrize("suite", ["training", "hpc"])
def test_published_trainings_keep_the_policy_of_their_round(suite):
    for path in sorted(Path(CORPUS).glob(f"mlperf/{suite}_results_v*")):
        odd = [result for result in found_in(path) if result.code.startswith("Q")]
        assert [result for result in odd if result.branch.effect is not CAVEAT] == []


def test_tokens_of_a_run_by_its_two_rates():
    head = "================================================\nMLPerf Results Summary\n"
    offline = (
        f"{head}Scenario : Offline\nSamples per second: 87.4\nTokens per second: 25722.3\nsamples_per_query : 24576\n"
    )
    logs = logs_of(None, open_report("mlperf_log_summary.txt", offline.encode()))
    assert tokens_of(logs, "Offline", "tokens") == round(25722.3 / 87.4 * 24576)
    assert tokens_of(logs, "Offline", "samples") is None
    assert tokens_of(logs, "Server", "tokens") is None
    still = offline.replace("87.4", "0")
    assert tokens_of(logs_of(None, open_report("mlperf_log_summary.txt", still.encode())), "Offline", "tokens") is None


@pytest.mark.parametrize(("rate", "samples"), [("8.192", 8192), ("6.0", 6000), ("9.5", 8192)])
def test_samples_of_an_offline_run_are_rounded_up_to_whole_sets(rate, samples):
    """The log names how many were asked for; each of a set of 4096 is sent equally often where the rate says so."""
    values = {
        "effective_scenario": "Offline",
        "qsl_reported_performance_count": 4096,
        "generated_samples_per_query": 6000,
        "result_samples_per_second": float(rate),
        "result_max_latency_ns": 1_000_000_000_000,
    }
    lines = [
        f":::MLLOG {json.dumps({'key': key, 'value': value, 'time_ms': 1.0, 'event_type': 'POINT_IN_TIME'})}"
        for key, value in values.items()
    ]
    logs = logs_of(open_report("mlperf_log_detail.txt", "\n".join(lines).encode()), None)
    assert work_of(logs) == samples
