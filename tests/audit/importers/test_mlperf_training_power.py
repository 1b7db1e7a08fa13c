"""Power logs of MLPerf training results: what a node and a switch say, what several runs make of it, and its lint."""

import json
import os
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.importers.mlperf.run_logs import log_of
from dlaudit.audit.importers.mlperf.training import IMPORTER
from dlaudit.audit.importers.mlperf.training_power import place_of, read_meter
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.importers.tree import Tree
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.workers import processes
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate
from hypothesis import given, settings
from hypothesis import strategies as st

FIXTURES = Path(__file__).parent / "fixtures" / "mlperf-training"
REPORT = FIXTURES / "power" / "report_metered"
RESULT = Path("results", "two_boxes", "retinanet")
KEY, CLAIM = "two_boxes.retinanet", "two_boxes.retinanet.energy"
NODE = place_of("bert/power/result_0/node_0.txt")
SWITCH = place_of("bert/power/result_0/sw_0.txt")
RUNS = ("result_0", "result_1", "result_2")
POWER_RULES = {"E01", "E02", "E03", "E05", "Q29", "Q33"}
BEGIN = 1_700_000_000_000


def line(time_ms, key, value="null"):
    """One line of a log; the value as JSON writes it."""
    return f':::MLLOG {{"namespace": "", "time_ms": {time_ms}, "key": "{key}", "value": {value}, "metadata": {{}}}}\n'


def readings(values, begin=BEGIN, step_ms=1000):
    return "".join(line(begin + step_ms * (n + 1), "power_reading", value) for n, value in enumerate(values))


def whole(values, step_ms=1000):
    """The log of a node that reads these values."""
    start, stop = line(BEGIN, "power_measurement_start"), BEGIN + step_ms * len(values)
    return start + readings(values, step_ms=step_ms) + line(stop, "power_measurement_stop")


def meter(text, place=NODE):
    return read_meter(log_of("bert/power/result_0/x.txt", text.encode()), place)


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(REPORT, tmp_path / "submission"))


def drafted(folder):
    draft = IMPORTER.read_folder(Tree(folder), None)
    assert not validate("submission", draft.value)
    return draft


def energy(folder):
    return drafted(folder).value["arms"][KEY]["energy"]


def found(folder):
    """Return codes and messages of what is wrong with the power."""
    (one,) = read_documents([str(folder)])
    every = lint(one, Settings()).report.all_findings
    assert all(finding.outcome != "error" for finding in every)
    return {
        (item.code, item.outcome, item.message) for item in every if item.code in POWER_RULES and item.claim == CLAIM
    }


def logs(folder, pattern="node_*.txt"):
    return sorted((folder / RESULT / "power").glob(f"*/{pattern}"))


def edited(path, old, new, count=1):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def thinned(path, every):
    """Keep one reading of so many."""
    kept = [text for text in path.read_text().splitlines(keepends=True) if "power_reading" in text][::every]
    other = [text for text in path.read_text().splitlines(keepends=True) if "power_reading" not in text]
    path.write_text("".join(other[:-1] + kept + other[-1:]))


# -- which files belong to a power folder --


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("lab/results/box/bert/power/result_0/node_0.txt", ("lab/results/box/bert", "result_0", "node_0")),
        ("results/box/bert/weak/power/result_12/sw_3.txt", ("results/box/bert/weak", "result_12", "sw_3")),
        ("power/result_0/node_0.txt", ("", "result_0", "node_0")),
        ("bert/power/result_0/raw/node_0.txt", ("bert", "result_0", "")),
        ("bert/power/result_0/node.txt", ("bert", "result_0", "")),
        ("bert/power/result_0/node_0.log", ("bert", "result_0", "")),
        ("results/power/bert/result_0.txt", None),
        ("results/power/result_0/node_0.txt", None),
        ("results/box/power/result_0.txt", None),
        ("results/box/bert/power/README.md", None),
        ("results/box/bert/power/notes/node_0.txt", None),
        ("results/box/bert/result_0.txt", None),
    ],
)
def test_a_power_folder_is_told_by_where_it_stands(path, expected):
    place = place_of(path)
    assert (None if place is None else (place.folder, place.run, place.meter)) == expected


def test_power_logs_are_no_runs_and_are_listed(folder):
    value = drafted(folder).value
    assert list(value["arms"]) == [KEY]
    assert set(value["claims"]) == {KEY, CLAIM}
    assert set(value["arms"][KEY]["runs"]) == set(RUNS)
    roles = {path.rpartition("/")[2]: file["role"] for path, file in value["folder"]["files"].items()}
    assert roles["node_0.txt"] == roles["node_1.txt"] == roles["sw_0.txt"] == "power"
    assert (roles["result_0.txt"], roles["cabling.md"], roles["two_boxes.json"]) == ("run", "other", "description")


def test_power_logs_elsewhere_are_no_runs_either(folder):
    shutil.move(folder / RESULT / "power" / "result_0" / "node_0.txt", folder / RESULT / "power" / "node_0.txt")
    shutil.copy(folder / RESULT / "power" / "result_1" / "node_0.txt", folder / RESULT / "node_0.txt")
    value = drafted(folder).value
    assert list(value["arms"]) == [KEY]
    assert set(value["arms"][KEY]["runs"]) == set(RUNS)
    assert value["folder"]["files"][str(RESULT / "node_0.txt")]["role"] == "power"


def test_a_single_power_log_is_refused(folder, capsys):
    assert run(["lint", str(logs(folder)[0])]) == 2
    assert "power log of a node" in capsys.readouterr().err
    with pytest.raises(UserError, match="power log"):
        IMPORTER.read(open_report("node_0.txt", line(1, "power_reading", "1").encode()))


def test_the_benchmarks_own_folder_may_be_handed_in(folder):
    value = drafted(folder / RESULT).value
    (arm,) = value["arms"].values()
    assert arm["energy"] == {**energy(folder)}
    assert len(value["claims"]) == 2


def test_a_power_folder_without_runs_is_a_result_without_logs(folder):
    for name in RUNS:
        (folder / RESULT / f"{name}.txt").unlink()
    draft = drafted(folder)
    assert set(draft.value["claims"]) == {KEY}
    assert "energy" not in draft.value["arms"][KEY]
    assert len(draft.unused) == 9


def test_two_processes_read_what_one_does(folder):
    for number in range(8):
        shutil.copytree(folder / RESULT, folder / "results" / "two_boxes" / f"b{number}")
    with processes(2) as workers:
        one, two = IMPORTER.read_folder(Tree(folder), None), IMPORTER.read_folder(Tree(folder), workers)
    assert set(two.keepers.values()) == {0, 1}
    assert (one.value, one.origins, one.unused, one.apart) == (two.value, two.origins, two.unused, two.apart)
    assert one.apart[CLAIM] == (KEY,)
    assert len(one.value["claims"]) == 18


def test_ids_of_claims_stay_apart_and_short(folder):
    shutil.copytree(folder / RESULT, folder / "results" / "two_boxes" / ("b" * 90))
    shutil.copytree(folder / RESULT, folder / "results" / "two_boxes" / "retinanet" / "energy")
    value = drafted(folder).value
    assert len(value["claims"]) == 2 * len(value["arms"]) == 6
    assert value["claims"][CLAIM]["quantity"] == "time"


# -- one log --


def test_each_reading_counts_for_the_time_since_the_one_before():
    read = meter(
        line(BEGIN, "power_measurement_start")
        + line(BEGIN + 1000, "power_reading", "100")
        + line(BEGIN + 4000, "power_reading", '{"value": 300.0}')
        + line(BEGIN + 10000, "power_measurement_stop")
    )
    assert (read.power_w, read.readings, read.window_s) == ((100 * 1 + 300 * 3) / 10, 2, 10.0)


def test_readings_in_any_order_of_the_file_are_taken_in_order_of_time():
    lines = whole(["100", "300", "200"]).splitlines(keepends=True)
    assert meter("".join(lines)) == meter("".join([lines[0], *reversed(lines[1:])]))


def test_readings_outside_the_window_do_not_count():
    before, after = readings(["9000"] * 3, BEGIN - 9000), readings(["9000"] * 3, BEGIN + 60000)
    plain = meter(whole(["500"] * 60))
    assert meter(whole(["500"] * 60) + before + after) == plain
    assert (plain.power_w, plain.readings, plain.window_s) == (500.0, 60, 60.0)


def test_without_a_stop_the_window_ends_with_the_last_reading():
    text = line(BEGIN, "power_measurement_start") + readings(["500"] * 70)
    read = meter(text)
    assert (read.power_w, read.readings, read.window_s, read.lacking) == (500.0, 70, 70.0, "")


def test_without_a_start_readings_are_counted_and_no_power_follows():
    read = meter(readings(["500"] * 70))
    assert (read.power_w, read.readings, read.window_s) == (None, 70, 69.0)
    assert "start" in read.lacking


@pytest.mark.parametrize("key", ["power_measurement_start", "power_measurement_stop"])
def test_a_window_that_stands_at_two_times_gives_no_power(key):
    read = meter(whole(["500"] * 70) + line(BEGIN + 69000, key))
    assert (read.power_w, read.lacking) == (None, "no single start and stop")
    assert meter(whole(["500"] * 70) + line(BEGIN if key.endswith("start") else BEGIN + 70000, key)).power_w == 500.0


@pytest.mark.parametrize(
    ("efficiency", "power"),
    [
        ("0.9", 450.0),
        ('{"value": 0.9}', 450.0),
        ("1", 500.0),
        ("0", None),
        ("-1", None),
        ("NaN", None),
        ("true", None),
        ('"0.9"', None),
        ("null", None),
    ],
)
def test_the_conversion_efficiency_multiplies(efficiency, power):
    assert meter(whole(["500"] * 60) + line(BEGIN, "conversion_eff", efficiency)).power_w == power
    switch = line(BEGIN, "conversion_eff", efficiency) + line(BEGIN, "interconnect_power_est", "500")
    assert meter(switch, SWITCH).power_w == power


@pytest.mark.parametrize(
    "value",
    ["NaN", "Infinity", "-5", "1e400", '"412"', "null", "true", "[1]", "{}", '{"value": null}', "9" * 400, "1e300"],
)
def test_a_reading_that_is_no_power_leaves_the_power_out_and_is_never_zero(value):
    read = meter(whole(["500"] * 30 + [value] + ["500"] * 30))
    assert (read.power_w, read.readings) == (None, 61)
    assert read.lacking
    assert meter(line(BEGIN, "interconnect_power_est", value), SWITCH).power_w is None


@pytest.mark.parametrize("broken", ["9" * 10**6, '"', "{", "]"])
def test_a_line_that_cannot_be_read_leaves_the_count_out_too(broken):
    read = meter(whole(["500"] * 30 + [broken] + ["500"] * 30))
    assert (read.power_w, read.readings, read.share) == (None, None, 1.0)
    assert read.lacking == "lines that cannot be read"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Instantaneous power reading: 412 Watts\n", None),
        (line(BEGIN, "power_measurement_start") + line(BEGIN + 9, "power_measurement_stop"), 0),
        (
            line(BEGIN + 9, "power_measurement_start") + readings(["5"], BEGIN) + line(BEGIN, "power_measurement_stop"),
            None,
        ),
        (line(BEGIN + 1000, "power_measurement_start") + readings(["5"]), 1),
    ],
)
def test_a_log_without_a_window_of_readings_has_no_power(text, count):
    read = meter(text)
    assert (read.power_w, read.window_s, read.readings) == (None, None, count)


def test_the_first_estimate_of_a_switch_counts_and_readings_are_none():
    text = line(BEGIN, "interconnect_power_est", "400") + line(BEGIN, "interconnect_power_est", "900")
    assert meter(text + line(BEGIN, "conversion_eff", "0.5"), SWITCH).power_w == 400.0
    assert meter(whole(["400"] * 60), SWITCH).power_w is None
    assert meter("", SWITCH).lacking == "no estimate of a switch's power"


# -- the result --


def test_the_energy_is_that_of_the_suites_summariser(folder):
    """Computed here from the logs alone: node by node, then the run that is neither the fastest nor the slowest."""

    def events(path):
        return [json.loads(text[9:]) for text in path.read_text().splitlines()]

    def number(value):
        return value["value"] if isinstance(value, dict) else value

    def mean_w(path):
        every = events(path)
        (begin,), (end,) = (
            [event["time_ms"] for event in every if event["key"] == f"power_measurement_{edge}"]
            for edge in ("start", "stop")
        )
        before, total = begin, 0.0
        for event in every:
            if event["key"] == "power_reading":
                total += number(event["value"]) * (event["time_ms"] - before)
                before = event["time_ms"]
        (factor,) = [event["value"] for event in every if event["key"] == "conversion_eff"]
        return factor * total / (end - begin)

    draft = drafted(folder)
    arm = draft.value["arms"][KEY]
    powers = {
        name: 412 + sum(map(mean_w, sorted((folder / RESULT / "power" / name).glob("node_*.txt")))) for name in RUNS
    }
    times = {name: trial["wall_s"] for name, trial in arm["trials"].items()}
    middle = sorted(times, key=times.get)[1]
    claim = draft.value["claims"][CLAIM]
    assert (claim["value"], claim["unit"]) == (f"{powers[middle] * times[middle] / 1000:.3f}", "kJ")
    assert arm["energy"]["mean_power_w"] == round(sum(powers.values()) / 3, 3)
    assert arm["performance"]["energy"]["n"] == {"unit": "training_run", "completed": 3, "excluded": 2}


def test_what_is_stated_of_an_honest_folder(folder):
    stated = energy(folder)
    assert (stated["boundary"], stated["method"], stated["nodes"]) == ("node", "sampled", 2)
    assert stated["updates"] >= 60
    assert stated["updates"] + 1 >= stated["duration_s"]
    assert stated["source"] == (
        "power logs of 2 nodes, and estimates of 1 switch, of 3 of 3 runs; times the conversion efficiency 1.02"
    )
    assert "energy_j" not in stated
    assert drafted(folder).unused == ()


def test_the_log_with_the_fewest_readings_is_stated_with_its_window_and_place(folder):
    path = folder / RESULT / "power" / "result_2" / "node_1.txt"
    thinned(path, 10)
    draft = drafted(folder)
    stated = draft.value["arms"][KEY]["energy"]
    assert (stated["updates"], stated["duration_s"]) == (8, 74.003)
    assert draft.origins[f"/arms/{KEY}/energy"].file.endswith("result_2/node_1.txt")
    assert draft.value["arms"][KEY]["performance"]["metered"]["value"] == "1.191"


def test_a_long_window_of_few_readings_counts_before_a_short_one_of_fewer(folder):
    long, short = logs(folder)[0], logs(folder)[1]
    long.write_text(whole(["6000"] * 100, step_ms=10_000))
    short.write_text(whole(["6000"] * 62))
    stated = energy(folder)
    assert (stated["updates"], stated["duration_s"]) == (100, 1000.0)


def test_an_honest_folder_violates_nothing(folder):
    assert found(folder) == set()


def test_too_few_readings_violate(folder):
    log = logs(folder)[3]
    log.write_text(whole(["6000"] * 40))
    assert ("Q33", "violation") in {item[:2] for item in found(folder)}


def test_a_reading_every_ten_seconds_violates(folder):
    for log in logs(folder):
        log.write_text(whole(["6000"] * 90, step_ms=10_000))
    assert {item[:2] for item in found(folder)} == {("Q33", "violation")}


def test_a_node_that_no_run_measures_violates(folder):
    for log in logs(folder, "node_1.txt"):
        log.unlink()
    stated = energy(folder)
    assert stated["nodes"] == 1
    assert any(code == "Q33" and outcome == "violation" and "1 of 2" in words for code, outcome, words in found(folder))


def test_a_node_less_in_one_run_violates_and_gives_no_energy(folder):
    (folder / RESULT / "power" / "result_1" / "node_1.txt").unlink()
    draft = drafted(folder)
    stated, claim = draft.value["arms"][KEY]["energy"], draft.value["claims"][CLAIM]
    assert (stated["updates"], stated["nodes"]) == (0, 1)
    assert "mean_power_w" not in stated
    assert "duration_s" not in stated
    assert stated["source"].endswith("without node_1 of result_1")
    assert (claim["form"], claim.get("value"), claim["measured"]) == ("words", None, {"arm": KEY})
    assert "from which no energy follows" in claim["statement"]
    assert any(item[:2] == ("Q33", "violation") for item in found(folder))


def test_a_run_without_power_violates_and_gives_no_energy(folder):
    shutil.rmtree(folder / RESULT / "power" / "result_2")
    stated = energy(folder)
    assert stated["updates"] == 0
    assert "of 2 of 3 runs" in stated["source"]
    assert "without node_0 of result_2, node_1 of result_2, sw_0 of result_2" in stated["source"]
    assert any(item[:2] == ("Q33", "violation") for item in found(folder))


def test_a_switch_less_in_one_run_gives_no_energy(folder):
    (folder / RESULT / "power" / "result_0" / "sw_0.txt").unlink()
    draft = drafted(folder)
    assert draft.value["claims"][CLAIM]["form"] == "words"
    assert draft.value["arms"][KEY]["energy"]["updates"] >= 60


def test_switches_alone_measure_no_node(folder):
    for log in logs(folder):
        log.unlink()
    stated = energy(folder)
    assert stated["updates"] == 0
    assert "nodes" not in stated
    assert stated["source"].startswith("power logs of 0 nodes")


def test_what_cannot_be_read_is_named_and_not_judged_as_good(folder):
    log = logs(folder)[0]
    edited(log, '"power_reading", "value": ', '"power_reading", "value": }')
    shutil.copytree(folder / RESULT / "power" / "result_0", folder / RESULT / "power" / "result_9")
    draft = drafted(folder)
    stated = draft.value["arms"][KEY]["energy"]
    assert not {"updates", "duration_s", "mean_power_w"} & set(stated)
    assert stated["source"].endswith("no power follows from node_0 of result_0")
    named = [name.rpartition("power/")[2] for name in draft.unused]
    assert named == [
        "result_0/node_0.txt (lines that cannot be read)",
        *(f"result_9/{name}.txt" for name in ("node_0", "node_1", "sw_0")),
    ]
    assert ("Q33", "not-shown") in {item[:2] for item in found(folder)}


def test_a_log_that_cannot_be_read_hides_no_other_that_is_too_sparse(folder):
    edited(logs(folder)[0], '"power_reading", "value": ', '"power_reading", "value": }')
    thinned(logs(folder)[1], 10)
    assert energy(folder)["updates"] == 7
    assert ("Q33", "violation") in {item[:2] for item in found(folder)}


def test_the_power_of_a_run_that_failed_is_not_asked_for_the_energy(folder):
    edited(folder / RESULT / "result_2.txt", '"success"', '"aborted"')
    whole_draft = drafted(folder).value
    for log in (folder / RESULT / "power" / "result_2").glob("node_*.txt"):
        edited(log, '"power_reading", "value": ', '"power_reading", "value": "?", "was": ')
    value = drafted(folder).value
    assert value["claims"][CLAIM]["value"] == whole_draft["claims"][CLAIM]["value"]
    assert value["arms"][KEY]["energy"]["mean_power_w"] == whole_draft["arms"][KEY]["energy"]["mean_power_w"]
    edited(folder / RESULT / "result_1.txt", '"success"', '"aborted"')
    assert drafted(folder).value["claims"][CLAIM]["form"] == "words"


def test_a_window_far_shorter_than_its_run_is_told(folder):
    """A run of 1,143 seconds, of which 300 are metered."""
    shutil.rmtree(folder)
    shutil.copytree(FIXTURES / "folder" / "report_example", folder)
    home = folder / "results" / "box_8xh100" / "retinanet"
    for name in RUNS:
        (home / "power" / name).mkdir(parents=True)
        (home / "power" / name / "node_0.txt").write_text(whole(["6000"] * 300))
    (one,) = read_documents([str(folder)])
    every = lint(one, Settings()).report.all_findings
    assert {(item.code, item.effect) for item in every if item.code in POWER_RULES} == {("E05", "caveat")}
    for name in RUNS:
        (home / "power" / name / "node_0.txt").write_text(whole(["6000"] * 1146))
    (one,) = read_documents([str(folder)])
    assert not [item for item in lint(one, Settings()).report.all_findings if item.code in POWER_RULES]


def test_a_weakly_scaled_result_has_power_and_no_number(folder):
    shutil.move(folder / RESULT, folder / "moved")
    (folder / "results" / "two_boxes" / "weak").mkdir(parents=True)
    shutil.move(folder / "moved", folder / "results" / "two_boxes" / "weak" / "retinanet")
    value = drafted(folder).value
    claim = value["claims"]["two_boxes.weak.retinanet.energy"]
    assert (claim["form"], claim.get("value")) == ("words", None)
    assert value["arms"]["two_boxes.weak.retinanet"]["energy"]["mean_power_w"] > 12_000


# -- hostile logs --

PIECES = (
    *(line(BEGIN, "power_measurement_start"), line(BEGIN + 9000, "power_measurement_stop")),
    *(
        line(BEGIN + 500, "power_reading", value)
        for value in ("5", "NaN", "-1", "1e400", '{"value": 7}', '"x"', "1e15")
    ),
    *(line(time, "power_reading", "5") for time in (0, -5, "1e308", "-1e308", "NaN", BEGIN * 10**6)),
    *(line(BEGIN, "conversion_eff", value) for value in ("0.9", "1e308", "[]")),
    *(line(BEGIN, "interconnect_power_est", value) for value in ("9", "1e308")),
    *(
        ":::MLLOG {",
        "\0",
        "\n",
        "[" * 3000,
        ":::MLL 1.5 power_reading: {}\n",
        line(BEGIN, "power_reading", "7" * 10**5),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6), min_size=4, max_size=4))
def test_hostile_logs_make_a_valid_draft(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("hostile") / "submission"
    shutil.copytree(REPORT, folder)
    for path, text in zip((*logs(folder)[:3], logs(folder, "sw_0.txt")[0]), texts, strict=True):
        path.write_text("".join(text))
    draft = drafted(folder)
    assert json.loads(json.dumps(draft.value, allow_nan=False)) == draft.value
    assert set(draft.value["claims"]) == {KEY, CLAIM}
    shutil.rmtree(folder)


CORPUS = os.environ.get("DLAUDIT_CORPUS")


@pytest.mark.skipif(CORPUS is None, reason="DLAUDIT_CORPUS is not set")
def test_published_results_without_power_logs_are_as_ever():
    """An arm and a claim for each folder of logs, without energy."""
    rounds = sorted(path for suite in ("training", "hpc") for path in Path(CORPUS).glob(f"mlperf/{suite}_results_v*"))
    assert len(rounds) >= 8
    for path in rounds:
        tree = Tree(path)
        value = IMPORTER.read_folder(tree, None).value
        folders = {entry.path.rpartition("/")[0] for entry in tree.entries if "/result_" in entry.path}
        assert len(value["arms"]) == len(folders)
        assert set(value["claims"]) == set(value["arms"])
        assert not [arm for arm in value["arms"].values() if "energy" in arm]
