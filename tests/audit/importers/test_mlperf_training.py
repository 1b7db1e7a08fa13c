"""MLPerf training results: every form of line, what is broken, what a folder holds; and the published logs at hand."""

import json
import math
import os
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.importers.draft import identifier
from dlaudit.audit.importers.mlperf.mllog import read_lines
from dlaudit.audit.importers.mlperf.training import IMPORTER
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.locations import LINE_LIMIT, foreign_locator
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.workers import processes
from dlaudit.rules.trace import Event
from dlaudit.schemas.digest import sha256_hex, text_digests
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate
from hypothesis import given, settings
from hypothesis import strategies as st

FIXTURES = Path(__file__).parent / "fixtures" / "mlperf-training"
REPORT = FIXTURES / "folder" / "report_example"
RESULT = "results/box_8xh100/retinanet"
START = b':::MLLOG {"namespace": "", "time_ms": 1700000000000, "key": "run_start", "value": null, "metadata": {}}'


def typed(event_type):
    """The same line with a type of event."""
    return START.replace(b"{", b'{"event_type": "' + event_type + b'", ', 1)


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(REPORT, tmp_path / "submission"))


def linted(path, **settings):
    (found,) = read_documents([str(path)])
    return lint(found, Settings(**settings))


def edited(path, old, new, count=1):
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, count))


def test_the_three_forms_of_lines_mean_the_same():
    present = b':::MLLOG {"time_ms": 1561426495332, "key": "opt_name", "value": "adam", "metadata": {"epoch_num": 2}}'
    second = b':::MLL 1561426495.332 opt_name: {"value": "adam", "metadata": {"epoch_num": 2}}'
    first = b':::MLPv0.5.0 gnmt 1561426495.332 (a b.py:1) opt_name: {"value": "adam", "epoch_num": 2}'
    events = [read_lines(line)[0][0] for line in (present, second, first)]
    assert events == [Event(1, 1561426495332.0, "opt_name", "option", "adam", None, None, 2.0)] * 3


def test_two_ranks_in_one_line_are_two_events_and_prefixes_are_passed_over():
    events, malformed = read_lines(b"0: " + START + START.replace(b"run_start", b"init_start") + b"\r\n")
    assert [event.key for event in events] == ["run_start", "init_start"]
    assert not malformed


def test_an_event_type_of_the_programs_own_is_read():
    events, malformed = read_lines(typed(b"COUNTER") + b"\n" + typed(b"INTERVAL_END"))
    assert (len(events), malformed) == (2, ())


def test_values_that_are_not_finite_are_kept():
    line = START.replace(b"run_start", b"eval_accuracy").replace(b"null", b"NaN")
    assert math.isnan(read_lines(line)[0][0].number)


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (START[:-20], len(START) - 20, "value"),
        (START + b" trailing", len(START) + 2, "the end of the line"),
        (START.replace(b'"key": "run_start", ', b""), 10, '"key" with a text'),
        (START.replace(b'"time_ms": 1700000000000, ', b""), 10, '"time_ms" with a number'),
        (START.replace(b"1700000000000", b'"soon"'), 10, '"time_ms" with a number'),
        (b":::MLLOG [1]", 10, "an object in JSON"),
        (typed(b"INNCCL WARN Call to recv failedTERVAL_END"), 11, '"event_type" with one word'),
        (b":::MLLOG", 10, "value"),
        (b':::MLLOG {"key": "run_st', 18, "the end of the text in quotes"),
        (b':::MLLOG {"key": "run\tstart"}', 22, "text without control characters"),
        (b':::MLLOG {"key": "run\\xstart"}', 22, "a valid escape"),
        (b':::MLLOG {"key": "run\\u12"}', 23, "four hexadecimal digits"),
        (b':::MLLOG {key: "run_start"}', 11, "a name in quotes"),
        (b':::MLLOG {"key" "run_start"}', 17, "':' delimiter"),
        (b':::MLLOG {"key": "run_start" 1}', 30, "',' delimiter"),
        (b":::MLLOG " + b"[" * 5000, 1, "a line of at most"),
        (b":::MLL soon key: {}", 8, "a time in seconds"),
        (b":::MLPv0.5.0 gnmt soon", 1, "a benchmark and a time"),
        (b":::MLX {}", 1, ":::MLLOG and an object"),
    ],
)
def test_a_line_that_cannot_be_read_names_its_column(line, column, expected):
    events, malformed = read_lines(START + b"\nnoise\n" + line + b"\n" + START)
    assert len(events) == 2
    (found,) = malformed
    assert (found.line, found.column) == (3, column)
    assert found.expected.startswith(expected)


def test_a_long_line_is_quoted_with_a_mark_where_it_was_cut(tmp_path):
    whole, long = b"a" * LINE_LIMIT, b"b" * (LINE_LIMIT + 1)
    (tmp_path / "log.txt").write_bytes(whole + b"\n" + long + b"\n")
    locate = foreign_locator(None, tmp_path, own=None)
    assert locate("file:log.txt#1").text == whole.decode()
    assert locate("file:log.txt#2").text == "b" * (LINE_LIMIT - 1) + "…"


def test_a_nul_is_told_with_its_place():
    events, (found,) = read_lines(START + b"\nab\0c\n")
    assert (len(events), found.line, found.column) == (1, 2, 3)


@pytest.mark.parametrize(
    ("metadata", "samples", "step", "epoch"),
    [
        ({"samples_count": 1e3, "current_iter_num": 3}, 1000, 3, None),
        ({"samples_count": 1.5, "step": 512}, 1.5, 512, None),
        ({"samples_count": 512, "step_num": False, "epoch": 3}, 512, None, 3),
        ({"samples_count": False, "consumed_samples": 512}, None, None, None),
        ({"samples_count": 10**400}, None, None, None),
        ({"samples_count": 3, "step": 10**400, "status": 10**400}, 3, None, None),
        ({"step": "12"}, None, None, None),
    ],
)
def test_counters_are_read_from_the_first_name_that_is_there(metadata, samples, step, epoch):
    line = {"key": "train_loss", "time_ms": 1593136038653, "value": 1, "metadata": metadata}
    (event,), malformed = read_lines(b":::MLLOG " + json.dumps(line).encode() + b"\n")
    assert (event.samples, event.step, event.epoch) == (samples, step, epoch)
    assert not malformed


def test_a_time_beyond_every_float_is_no_time():
    events, (found,) = read_lines(b':::MLLOG {"key": "a", "time_ms": 1' + b"0" * 400 + b"}\n")
    assert not events
    assert found.expected == '"time_ms" with a number'


def test_digests_look_past_blank_lines_and_carriage_returns():
    plain = sha256_hex(b"a\nb")
    for text in (b"\na\r\n\r\n\nb\n", b"a\nb", b"a\nb\n", b"a\n\nb", b"\na\nb"):
        assert text_digests(text) == (sha256_hex(text), plain)
    assert text_digests(b"a b")[1] != plain
    assert text_digests(b"")[1] == text_digests(b"\n")[1] == sha256_hex(b"")


PIECES = [
    START,
    b":::MLLOG ",
    b":::MLL 1.5 k: ",
    b'{"key": "a", "time_ms": 1}',
    b"\n",
    b"\xff",
    b"\0",
    b"NaN",
    b"[",
    b"{",
    b'"',
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=24))
def test_no_log_brings_the_reader_down(pieces):
    """Every marker becomes an event or a malformed line, in order; the draft of it is valid."""
    data = START + b"\n" + b"".join(pieces)
    events, malformed = read_lines(data)
    assert len(events) + len(malformed) >= data.count(b":::ML")
    assert [event.line for event in events] == sorted(event.line for event in events)
    draft = IMPORTER.read(open_report("log.txt", data))
    assert not validate("submission", draft.value)


def test_a_folder_is_one_report_and_its_findings_quote_the_logs(folder, capsys):
    edited(folder / "systems" / "box_8xh100.json", b"Example CPU 9000", b"TODO")
    report = linted(folder).report
    assert [claim.id for claim in report.claims] == ["box_8xh100.retinanet"]
    (todo,) = [finding for finding in report.all_findings if finding.code == "R12"]
    assert todo.location.file.endswith("systems/box_8xh100.json")
    assert todo.location.line == 8
    assert '"host_processor_model_name": "TODO"' in todo.location.text


def test_the_score_is_the_mean_without_fastest_and_slowest(folder):
    case = linted(folder).case
    times = sorted(trial.wall_s for trial in case.submission.arms["box_8xh100.retinanet"].trials.values())
    claim = case.submission.claims["box_8xh100.retinanet"]
    assert claim.value == f"{times[1] / 60:.3f}"


def test_a_failed_run_counts_as_the_slowest_and_two_leave_no_score(folder):
    edited(folder / RESULT / "result_1.txt", b'"success"', b'"aborted"')
    case = linted(folder).case
    times = sorted(trial.wall_s for trial in case.submission.arms["box_8xh100.retinanet"].trials.values())
    assert case.submission.claims["box_8xh100.retinanet"].value in {f"{time / 60:.3f}" for time in times[1:]}
    edited(folder / RESULT / "result_0.txt", b'"success"', b'"aborted"')
    claim = linted(folder).case.submission.claims["box_8xh100.retinanet"]
    assert (claim.value, claim.form) == (None, "words")


def test_a_start_that_stands_twice_gives_no_score(folder):
    log = folder / RESULT / "result_0.txt"
    edited(log, b'"run_start"', b'"run_start"')
    line = next(line for line in log.read_bytes().split(b"\n") if b'"run_start"' in line)
    log.write_bytes(log.read_bytes() + line.replace(b"1775556060000", b"1775556065000") + b"\n")
    edited(folder / RESULT / "result_1.txt", b'"success"', b'"aborted"')
    assert linted(folder).case.submission.claims["box_8xh100.retinanet"].value is None


@pytest.mark.parametrize("name", ["training_results_v5.0", "training_results_v99.0"])
def test_the_round_of_the_path_brings_its_target(tmp_path, name):
    target = shutil.copytree(REPORT, tmp_path / name / "lab")
    submission = linted(target).case.submission
    claim = submission.claims["box_8xh100.retinanet"]
    assert claim.suite_result.round == name.removeprefix("training_results_")
    known = name == "training_results_v5.0"
    assert (claim.target is not None) == known
    assert bool(submission.folder.benchmarks) == known
    if known:
        assert (claim.target.value, claim.target.direction) == ("0.34", "higher")
        trials = submission.arms["box_8xh100.retinanet"].trials.values()
        assert all(trial.crossing.reached for trial in trials)


def test_two_processes_read_what_one_does(folder):
    for number in range(3, 24):
        shutil.copy(folder / RESULT / "result_0.txt", folder / RESULT / f"result_{number}.txt")
    with processes(2) as workers:
        (one,), (two,) = read_documents([str(folder)]), read_documents([str(folder)], workers=workers)
    assert one.source.value == two.source.value
    assert {key: trace.events[:9] for key, trace in one.draft.traces.items()} == {
        key: trace.events[:9] for key, trace in two.draft.traces.items()
    }


def test_a_written_draft_reads_the_logs_again(folder, capsys):
    assert run(["draft", str(folder), str(folder / "submission.json")]) == 0
    (found,) = read_documents([str(folder / "submission.json")])
    case = lint(found, Settings()).case
    assert {run for _, run in case.traces} == {"result_0", "result_1", "result_2"}
    edited(folder / RESULT / "result_0.txt", b"NaN", b"0.3")
    (found,) = read_documents([str(folder / "submission.json")])
    assert ("box_8xh100.retinanet", "result_0") not in lint(found, Settings()).case.traces


def test_an_empty_result_is_declared_and_an_empty_folder_is_nothing(folder, tmp_path, capsys):
    (folder / "results" / "box_8xh100" / "bert").mkdir()
    (folder / "results" / "box_8xh100" / "ssd").mkdir()
    (folder / "results" / "box_8xh100" / "ssd" / "result_0.txt").touch()
    claims = linted(folder).case.submission.claims
    assert set(claims) == {"box_8xh100.retinanet", "box_8xh100.bert", "box_8xh100.ssd"}
    for name in ("result_0.txt", "result_1.txt", "result_2.txt"):
        (folder / RESULT / name).write_bytes(b"")
    assert run(["lint", str(folder)]) == 3
    assert "nothing to assess" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("below", "declared"),
    [("bert", True), ("BERT", True), ("bert/strong", False), ("notes", False)],
)
def test_a_benchmarks_folder_without_a_log_declares_a_result(folder, below, declared):
    place = folder / "results" / "box_8xh100" / below
    place.mkdir(parents=True)
    (place / "README.md").write_text("5.31 minutes, logs follow.\n")
    submission = linted(folder).case.submission
    assert (f"box_8xh100.{below}" in submission.claims) == declared
    assert submission.folder.files[f"results/box_8xh100/{below}/README.md"].role == "other"


def test_a_folder_above_those_of_its_logs_declares_nothing(folder):
    below = folder / "results" / "box_8xh100" / "bert" / "strong"
    below.mkdir(parents=True)
    (below.parent / "README.md").write_text("Two sizes.\n")
    shutil.copy(folder / RESULT / "result_0.txt", below / "result_0.txt")
    claims = set(linted(folder).case.submission.claims)
    assert claims == {"box_8xh100.retinanet", "box_8xh100.bert.strong"}


def test_raw_output_notes_and_scripts_are_no_results(folder):
    result, line = folder / RESULT, START.decode()
    raw = result / "raw_logs"
    raw.mkdir()
    shutil.copy(result / "result_0.txt", raw / "train_run1.log")
    (result / "pruned_results").mkdir()
    shutil.copy(result / "result_0.txt", result / "pruned_results" / "result_9.txt")
    (result / "postprocess.sh").write_text(f"grep ':::MLLOG' raw_logs/*\n# {line}\n")
    (result.parent.parent / "README.md").write_text(f"A log begins with {line}\n")
    (result.parent.parent / "checker.txt").write_text(f"{line}\n")
    case = linted(folder).case
    assert set(case.submission.claims) == {"box_8xh100.retinanet"}
    assert set(case.submission.arms["box_8xh100.retinanet"].runs) == {"result_0", "result_1", "result_2"}


def test_an_evaluation_after_the_run_tells_no_time_of_training(folder):
    log = folder / RESULT / "result_0.txt"
    edited(log, b"1775557203105", b"1775557300000")
    found = linted(folder).case.submission.arms["box_8xh100.retinanet"].trials["result_0"].evaluations
    assert [item.time_s is None for item in found] == [False, False, True]


@pytest.mark.parametrize(
    ("benchmark", "target", "found"),
    [
        (b"llama2_70b_lora", b"0.925", ("0.925", "lower")),
        (b"llama31_8b", b"3.4", ("3.4", "lower")),
        (b"retinanet", b"0.30", ("0.3", "higher")),
        (b"some_model", b"0.5", None),
        (b"maskrcnn", b"0.377", None),
    ],
)
def test_own_logs_have_the_direction_of_their_benchmark(folder, benchmark, target, found):
    for log in (folder / RESULT).glob("result_*.txt"):
        edited(
            log,
            b'"key": "submission_benchmark", "value": "retinanet"',
            b'"key": "submission_benchmark", "value": "%s"' % benchmark,
        )
        edited(log, b'"key": "cache_clear", "value": true', b'"key": "target_accuracy", "value": ' + target)
    claim = linted(folder).case.submission.claims["box_8xh100.retinanet"]
    assert (claim.target and (claim.target.value, claim.target.direction)) == found


def test_a_log_without_a_state_ended_well_where_it_met_its_target(folder):
    for name, state in (("result_0", b""), ("result_1", b', "status": {"success": "true"}')):
        edited(folder / RESULT / f"{name}.txt", b', "status": "success"', state)
    trials = linted(folder).case.submission.arms["box_8xh100.retinanet"].trials
    assert (trials["result_0"].outcome, trials["result_1"].outcome) == ("completed", "completed")
    edited(folder / RESULT / "result_0.txt", b"0.34127", b"0.33127")
    assert linted(folder).case.submission.arms["box_8xh100.retinanet"].trials["result_0"].outcome == "lost"


def test_times_in_seconds_under_their_own_key():
    (event,), malformed = read_lines(START.replace(b'"time_ms": 1700000000000', b'"time_s": 1700000000.25'))
    assert (event.time_ms, malformed) == (1700000000250.0, ())


@pytest.mark.parametrize(("factor", "found"), [("0.97", "0.97"), ("1.023", None), ("NaN", None), ('"0.9"', None)])
def test_a_factor_that_improves_a_result_is_read(folder, factor, found):
    (folder / RESULT / "scaling.json").write_text(f'{{"scaling_factor": {factor}}}\n')
    claim = linted(folder).case.submission.claims["box_8xh100.retinanet"]
    assert (claim.factor and claim.factor.value) == found


def test_waivers_anywhere_in_a_folder_are_listed(folder):
    (folder / "systems" / "waivers.yaml").write_text("dlaudit: waivers/1\n")
    assert folder_files(folder)["systems/waivers.yaml"].role == "other"


def folder_files(folder):
    return linted(folder).case.submission.folder.files


def test_ids_of_long_names_leave_room_for_others():
    taken: dict[str, object] = {}
    for _ in range(120):
        taken[identifier("x" * 80, taken)] = None
    assert len(taken) == 120
    assert max(map(len, taken)) == 56


def test_links_are_not_followed(folder, tmp_path):
    (tmp_path / "elsewhere.txt").write_bytes(START)
    (folder / RESULT / "result_9.txt").symlink_to(tmp_path / "elsewhere.txt")
    assert "result_9" not in linted(folder).case.submission.arms["box_8xh100.retinanet"].runs


CORPUS = os.environ.get("DLAUDIT_CORPUS")


@pytest.mark.skipif(CORPUS is None, reason="DLAUDIT_CORPUS is not set")
@pytest.mark.parametrize("suite", ["training", "hpc"])
def test_published_rounds_are_read_without_a_malformed_line(suite):
    rounds = sorted(Path(CORPUS).glob(f"mlperf/{suite}_results_v*"))
    assert len(rounds) >= 4
    for path in rounds:
        case = linted(path).case
        assert case.submission.claims
        for arm in case.submission.arms.values():
            assert all(run.file.sha256 for run in arm.runs.values())
        for trace in case.traces.values():
            assert trace.events
            assert trace.malformed == ()
            assert all(isinstance(event.key, str) for event in trace.events)


@pytest.mark.skipif(CORPUS is None, reason="DLAUDIT_CORPUS is not set")
def test_published_results_of_ten_runs_have_the_prescribed_score():
    submission = linted(Path(CORPUS) / "mlperf" / "training_results_v5.1" / "AMD").case.submission
    (claim,) = submission.claims.values()
    (arm,) = submission.arms.values()
    times = sorted(trial.wall_s for trial in arm.trials.values())[1:-1]
    assert len(times) == 8
    assert claim.value == f"{sum(times) / 8 / 60:.3f}"
    assert json.loads(json.dumps(claim.suite_result.benchmark)) == "llama2_70b_lora"


def test_bad_content_is_one_line(folder):
    (folder / "systems" / "box_8xh100.json").write_text('{"submitter": "a", "submitter": "b"}')
    assert linted(folder).case.submission.arms["box_8xh100.retinanet"].description is None
    with pytest.raises(UserError):
        open_report("x.zip", b"PK\x03\x04")


def test_a_number_in_the_stop_beside_the_status_is_an_event_of_its_own():
    stop = START.replace(b"run_start", b"run_stop").replace(b'"metadata": {}', b'"metadata": {"status": "success"}')
    (beside, end), _ = read_lines(stop.replace(b"null", b"0.9221"))
    assert (beside.key, beside.kind, beside.value) == ("run_stop.value", "stat", 0.9221)
    assert (end.key, end.value) == ("run_stop", "success")
    (alone,), _ = read_lines(stop)
    assert (alone.key, alone.value) == ("run_stop", "success")


def test_what_the_script_around_a_run_prints_is_an_event_without_a_time():
    text = b"""STARTING TIMING RUN AT 2020-06-17 01:04:32 PM
:::MLLOG {"key": "run_start", "time_ms": 1592399113360}
 Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.23250
 Average Precision  (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = 0.05247
echo "RESULT,$RESULT_NAME,,$RESULT,nobody"
RESULT,SINGLE_STAGE_DETECTOR,,1568,nobody,2020-06-17 01:04:32 PM
"""
    events, malformed = read_lines(text)
    assert malformed == ()
    assert [(event.line, event.key, event.value, event.time_ms) for event in events] == [
        (1, "printed_begin", "2020-06-17 01:04:32 PM", None),
        (2, "run_start", None, 1592399113360.0),
        (3, "printed_ap", "0.23250", None),
        (6, "printed_seconds", 1568, None),
    ]
