"""Power of MLPerf inference results: a measured folder and what can be wrong with it."""

import hashlib
import json
import math
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.importers.mlperf.power_log import is_contradictory, read_meter_log, read_power_log
from dlaudit.audit.importers.mlperf.power_session import read_session, recorded_as
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.cases import cases_of
from dlaudit.audit.lint.judge import judge
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.book import entries
from dlaudit.rules.outcome import CAVEAT, Outcome
from dlaudit.schemas.validation import validate
from hypothesis import given, settings
from hypothesis import strategies as st

REPORT = Path(__file__).parent / "fixtures" / "mlperf-inference" / "folder" / "report_inference_results_v5.0"
PERFORMANCE = "closed/ExampleLab/results/box_8xh100/resnet/Offline/performance"
KEY = "box_8xh100.resnet.Offline"
NAME = "2025-01-20_09-48-00_resnet"
BEGUN = datetime(2025, 1, 20, 10, 0, 1, tzinfo=UTC)
LASTED_S = 661.842
RANGED = BEGUN - timedelta(minutes=13)
MARKS = ("ranging", "testing")
STAMP = "%m-%d-%Y %H:%M:%S.%f"
MODEL = "YokogawaWT330,1000,1,1,1,1,0,0,1,version=1.10.0-ed9a21d2-20220817,mode=power,1,0,YOKOGAWA;WT333E;C2XC;F1.04"


def watts_at(second, phase=0.0):
    """Six and a half kilowatts with a slow swell and the ripple of fans."""
    return round(6500 + 60 * math.sin(second / 40 + phase) + 7 * math.sin(second * 2.1 + phase), 1)


def ranged_at(second):
    """The same of the run before."""
    return watts_at(second, 1.0)


def stamped(time):
    return time.strftime(STAMP)[:-3]


def readings(begun, mark, seconds, local_s=0.0, power=watts_at, end="\n"):
    """A power log from 20 s before a run until 5 s after it, in the local time of the meter's machine."""
    lines = []
    for second in range(-20, int(seconds) + 6):
        watts = power(second)
        time = stamped(begun + timedelta(seconds=second + 0.67 + local_s))
        tail = f"Volts,230.100000,Amps,{watts / 230.1 / 0.99:.6f},PF,0.990000,Mark,{mark}"
        lines.append(f"Time,{time},Watts,{watts:.6f},{tail}{end}")
    return "".join(lines)


def meter_log(logs, local_s=0.0, warned=()):
    """The log of the meter's program: what it printed of each power log, and the warnings at given times."""
    lines = ["Selected power meter 'Yokogawa WT330' from wt330.cpp"]
    for mark, begun, text in logs:
        watts = [float(line.split(",")[3]) for line in text.splitlines()]
        lines.append(f"{stamped(begun + timedelta(seconds=local_s - 20))}: Go with mark '{mark}'")
        for second, share in warned if mark.endswith("testing") else ():
            time = stamped(begun + timedelta(seconds=local_s + second))
            lines.append(f"{time}: WARNING: Uncertainty {share}%, which is above 1.00% limit for the last sample!")
        mean, count = sum(watts) / len(watts), len(watts)
        end = f"{stamped(begun + timedelta(seconds=local_s + 700))}: "
        extremes = f"min watts {min(watts):.6f}, max watts {max(watts):.6f}"
        lines += [
            f"{end}Completed test",
            f"{end}Avg watts {mean:.6f}, {extremes}, samples {count}, errors 0, valid {count}",
        ]
    return "\n".join(lines) + "\n"


def phases(begun, seconds, shift=0.0):
    start = begun.timestamp() + shift
    return [[start + each, 100.0 + each] for each in (-60.0, -22.0, seconds + 6.0, seconds + 16.0)]


def sha1(path):
    return hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()


def measure(
    root, *, meter_s=0.0, power=watts_at, clock_s=0.0, warned=(), ranged_s=LASTED_S, ranged=ranged_at, end="\n"
):
    """Add to the fixture's folder what the power workflow writes; `meter_s`: local time less UTC at the meter."""
    there = root / PERFORMANCE
    shutil.copytree(there / "run_1", there / "ranging")
    log = there / "ranging" / "mlperf_log_detail.txt"
    text = log.read_text().replace("01-20-2025 10:00:01.000", stamped(RANGED))
    log.write_text(text.replace("01-20-2025 10:11:02.842", stamped(RANGED + timedelta(seconds=ranged_s))))
    before = readings(RANGED, f"{NAME}_ranging", ranged_s, meter_s, ranged, end)
    during = readings(BEGUN, f"{NAME}_testing", LASTED_S, meter_s, power, end)
    (there / "ranging" / "spl.txt").write_bytes(before.encode())
    (there / "run_1" / "spl.txt").write_bytes(during.encode())
    (there / "power").mkdir()
    logs = ((f"{NAME}_ranging", RANGED, before), (f"{NAME}_testing", BEGUN, during))
    (there / "power" / "ptd_logs.txt").write_text(meter_log(logs, meter_s, warned))
    identities = {"client": "46f0df30-43b7-4015-a0c7-8ab745fabe23", "server": "ebe975be-db69-4697-b77b-d48ca2559e6c"}
    logs_of_runs = [f"{name}/mlperf_log_{kind}.txt" for name in ("ranging", "run_1") for kind in ("detail", "summary")]
    written = {
        "client": logs_of_runs,
        "server": ["power/ptd_logs.txt", "ranging/spl.txt", "run_1/spl.txt"],
    }
    for side, paths in written.items():
        shift = clock_s if side == "server" else 0.0
        record = {"version": "1.0", "timezone": -meter_s if side == "server" else 0, "session_name": NAME}
        record |= {"uuid": identities, "results": {path: sha1(there / path) for path in paths}}
        record["phases"] = {"ranging": phases(RANGED, ranged_s, shift), "testing": phases(BEGUN, LASTED_S, shift)}
        if side == "server":
            record["ptd_messages"] = [{"cmd": "Hello", "reply": "Hello!"}, {"cmd": "Identify", "reply": MODEL}]
            record["ptd_messages"] += [{"cmd": f"Go,1000,0,{NAME}_{each}", "reply": "Starting"} for each in MARKS]
        (there / "power" / f"{side}.json").write_text(json.dumps(record, indent=4))
    return root


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(REPORT, tmp_path / "inference_results_v5.0"))


def case_of(root):
    (found,) = read_documents([str(root)])
    return lint(found, Settings())


def arm(root):
    return case_of(root).case.submission.arms[KEY]


def results(root, claim=f"{KEY}.power"):
    (found,) = read_documents([str(root)])
    case = lint(found, Settings()).case
    told = judge(case, cases_of(case, (claim,), found.draft.apart), entries()).assessments
    judged_all = [assessment.result for assessment in told]
    assert all(result.outcome is not Outcome.ERROR for result in judged_all)
    return judged_all


def violations(root):
    return {result.code for result in results(root) if result.outcome is Outcome.VIOLATION}


def messages(root, code):
    found = (result for result in results(root) if result.code == code and result.outcome is Outcome.VIOLATION)
    return [branch.message for result in found for branch in (result.branch, *result.others)]


def test_a_measured_result_says_what_the_meter_read(folder):
    found = arm(measure(folder)).energy
    within = [watts_at(second) for second in range(662) if 0 < second + 0.67 < LASTED_S]
    assert found.updates == len(within) == 662
    assert found.mean_power_w == pytest.approx(sum(within) / len(within), rel=1e-8)
    assert (found.boundary, found.method, found.duration_s, found.work) == ("node", "meter", 661.842, 62177280)
    assert found.source == "at the wall: YOKOGAWA WT333E (YokogawaWT330) read by PTDaemon 1.10.0"
    assert found.readings.count == found.session.printed_readings == 687
    assert (found.readings.contradictory, found.readings.disordered, found.readings.unread) == (0, 0, 0)
    assert (found.readings.copied, found.readings.longest_repeat) == (0, 2)
    assert found.readings.longest_gap_s == pytest.approx(1)
    assert (found.session.in_phase, found.session.interval_s, found.session.lacking) == (True, 1.0, ())
    assert len(found.session.files) == 7
    assert len(found.session.identities) == 1


def test_an_honest_measurement_is_not_accused(folder):
    grave = {
        r.code for r in results(measure(folder)) if r.outcome is Outcome.VIOLATION and r.branch.effect is not CAVEAT
    }
    assert grave == set()


def test_the_claim_is_the_figure_that_the_suite_scores(folder):
    claims = case_of(measure(folder)).case.submission.claims
    claim = claims[f"{KEY}.power"]
    assert float(claim.value) == pytest.approx(arm(folder).energy.mean_power_w, rel=1e-5)
    assert (claim.unit, claim.quantity, claim.suite) == ("W", "energy", "inference")
    assert claims[KEY].value == "93945.8"


def test_of_queries_one_by_one_the_energy_of_each_is_scored(folder):
    there = measure(folder) / PERFORMANCE
    for name in ("run_1", "ranging"):
        log = there / name / "mlperf_log_detail.txt"
        text = log.read_text().replace(
            '"effective_scenario", "value": "Offline"', '"effective_scenario", "value": "SingleStream"'
        )
        text = text.replace(
            '"generated_samples_per_query", "value": 62177280', '"generated_samples_per_query", "value": 1'
        )
        log.write_text(text.replace('"result_query_count", "value": 1,', '"result_query_count", "value": 400000,'))
    claim = case_of(folder).case.submission.claims[f"{KEY}.power"]
    energy = arm(folder).energy
    assert claim.unit == "mJ/query"
    assert float(claim.value) == pytest.approx(energy.mean_power_w * energy.duration_s * 1000 / 400000, rel=1e-5)
    assert energy.work == 400000


@pytest.mark.parametrize("hours", [-8, -3.5, 0, 1, 9])
def test_clocks_of_other_zones_are_set_right(folder, hours):
    """The meter's machine keeps local time; what it adds for UTC stands in its record."""
    assert arm(measure(folder, meter_s=hours * 3600)).energy.updates == 662
    assert not violations(folder) & {"Q29", "Q33"}


def test_summer_time_is_set_right(folder):
    there = measure(folder, meter_s=7200.0) / PERFORMANCE / "power" / "server.json"
    record = json.loads(there.read_text())
    record["timezone"] = -3600
    there.write_text(json.dumps(record))
    assert arm(folder).energy.updates == 662


def test_a_run_that_stamps_local_time_is_set_right(folder):
    there = measure(folder) / PERFORMANCE
    for name, begun in (("run_1", BEGUN), ("ranging", RANGED)):
        log = there / name / "mlperf_log_detail.txt"
        text = log.read_text()
        for time in (begun, begun + timedelta(seconds=LASTED_S)):
            text = text.replace(stamped(time), stamped(time + timedelta(hours=5)))
        log.write_text(text)
    record = json.loads((there / "power" / "client.json").read_text()) | {"timezone": -18000}
    (there / "power" / "client.json").write_text(json.dumps(record))
    assert arm(folder).energy.updates == 662


def test_line_ends_of_another_system_are_no_other_file(folder):
    there = measure(folder, end="\r\n") / PERFORMANCE / "run_1" / "spl.txt"
    assert not violations(folder) & {"Q29", "Q33"}
    there.write_bytes(there.read_bytes().replace(b"\r\n", b"\n"))
    assert not violations(folder) & {"Q29", "Q33"}


def test_edited_readings_are_found(folder):
    there = measure(folder) / PERFORMANCE / "run_1" / "spl.txt"
    there.write_text(there.read_text().replace("Watts,65", "Watts,59"))
    assert any("is not the file that the session recorded" in text for text in messages(folder, "Q29"))
    assert any("the meter's program printed" in text for text in messages(folder, "Q29"))


def test_readings_edited_with_their_digest_contradict_the_meter(folder):
    there = measure(folder) / PERFORMANCE
    log, record = there / "run_1" / "spl.txt", there / "power" / "server.json"
    old = sha1(log)
    log.write_text(log.read_text().replace("Watts,65", "Watts,59"))
    record.write_text(record.read_text().replace(old, sha1(log)))
    found = messages(folder, "Q29")
    assert any("W on average, the meter's program printed" in text for text in found)
    assert any("the power is neither the product of voltage, current and power factor" in text for text in found)


def test_readings_left_out_are_found(folder):
    there = measure(folder) / PERFORMANCE / "run_1" / "spl.txt"
    lines = there.read_text().splitlines(keepends=True)
    there.write_text("".join(line for line in lines if float(line.split(",")[3]) < 6540))
    assert any("readings, the meter's program printed 687" in text for text in messages(folder, "Q29"))
    assert any("samples of power a second" in text for text in messages(folder, "Q33"))


def test_the_session_of_another_run_is_found(folder):
    there = measure(folder) / PERFORMANCE / "power" / "server.json"
    there.write_text(there.read_text().replace("ebe975be", "ebe975bf"))
    assert any(text.startswith("the power is that of another run") for text in messages(folder, "Q29"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"clock_s": 3.2}, "the clocks of system and meter are 3.2 s apart"),
        ({"ranged_s": 712.5}, "the run took 661.842 s, shorter than the ranging run's 712.5 s"),
        ({"ranged": lambda second: round(watts_at(second) * 1.2, 1)}, "that of the ranging run"),
        ({"warned": ((300, "1.83"), (900, "4.00"))}, "the meter's program warned of an uncertainty of 1.83%"),
    ],
)
def test_a_meter_that_was_not_set_for_the_run_is_found(folder, wrong, said):
    assert any(said in text for text in messages(measure(folder, **wrong), "Q33"))


def rewritten(folder, name, change):
    path = folder / PERFORMANCE / name
    path.write_text(change(path.read_text()))
    return folder


def of_record(change):
    def of_text(text):
        record = json.loads(text)
        change(record)
        return json.dumps(record)

    return of_text


def lines_of(change):
    return lambda text: "".join(change(text.splitlines(keepends=True)))


def shifted(phases_of, seconds):
    for stamps in phases_of:
        stamps[0] += seconds


@pytest.mark.parametrize(
    ("name", "change", "code", "said"),
    [
        ("run_1/spl.txt", lines_of(lambda lines: lines[:300] + lines[330:]), "Q33", "no sample of power for 31 s"),
        ("run_1/spl.txt", lines_of(lambda lines: lines + lines[300:600]), "Q33", "not later than those before"),
        ("run_1/spl.txt", lambda text: text.replace(",Watts,6", ",Watts,6,"), "Q33", "hold no sample that can be read"),
        ("run_1/spl.txt", lambda text: text.replace("Mark,2025", "Mark,2024"), "Q29", "is that of another run"),
        ("power/server.json", of_record(lambda r: r.update(debug=True)), "Q29", "trying the tool out"),
        ("power/client.json", of_record(lambda r: shifted(r["phases"]["testing"], 9e4)), "Q29", "not lie in the phase"),
        ("power/server.json", lambda text: text.replace("Go,1000", "Go,60000"), "Q33", "a sample every 60 s"),
        (
            "power/server.json",
            lambda text: text.replace("YokogawaWT330,", "Dummy,").replace(MODEL[-28:], ""),
            "Q29",
            "ummy",
        ),
        (
            "run_1/mlperf_log_detail.txt",
            lambda text: text.replace("01-20-2025 10:", "01-20-2025 09:"),
            "Q33",
            "s after",
        ),
    ],
)
def test_what_a_measurement_contradicts_is_found(folder, name, change, code, said):
    assert any(said in text for text in messages(rewritten(measure(folder), name, change), code))


def test_readings_of_the_ranging_run_are_no_second_measurement(folder):
    assert any(
        "stand in the log of the run that set" in text for text in messages(measure(folder, ranged=watts_at), "Q29")
    )


def test_a_meter_that_ran_before_and_after_is_accepted(folder):
    there = measure(folder) / PERFORMANCE
    log, record, printed = (
        there / "run_1" / "spl.txt",
        there / "power" / "server.json",
        there / "power" / "ptd_logs.txt",
    )
    old = sha1(log)
    mark = f"{NAME}_testing"
    longer = readings(
        BEGUN - timedelta(seconds=900), mark, 870, power=lambda second: round(900 + math.sin(abs(second) ** 1.5) * 9, 1)
    )
    log.write_text(longer + log.read_text())
    printed.unlink()
    record.write_text(record.read_text().replace(old, sha1(log)))
    assert arm(folder).energy.updates == 662
    assert not violations(folder) & {"Q29", "Q33"}


def test_a_minute_of_readings_that_stands_twice_is_found(folder):
    twice = measure(folder, power=lambda second: watts_at(second % 60))
    assert any("or earlier in their own" in text for text in messages(twice, "Q29"))


def test_a_ranging_run_of_another_scenario_sets_no_range(folder):
    other = rewritten(measure(folder), "ranging/mlperf_log_detail.txt", lambda text: text.replace("Offline", "Server"))
    assert any("the run of the same scenario" in text for text in arm(other).energy.session.lacking)


@pytest.mark.parametrize(("amps", "found"), [("Auto", True), ("40.0", False)])
def test_a_range_that_was_left_to_the_meter_is_found(folder, amps, found):
    def ranges(record):
        record["ptd_messages"][-1:-1] = [{"cmd": f"SR,{each}", "reply": "ok"} for each in ("V,230.0", f"A,{amps}")]

    assert bool(messages(rewritten(measure(folder), "power/server.json", of_record(ranges)), "Q33")) is found


def test_more_readings_than_were_asked_for_are_found(folder):
    def doubled(lines):
        return [each for line in lines for each in (line, line.replace(".670,Watts", ".990,Watts"))]

    assert any(
        "was asked for one every 1 s" in t
        for t in messages(rewritten(measure(folder), "run_1/spl.txt", lines_of(doubled)), "Q33")
    )


def test_frozen_readings_are_found(folder):
    frozen = measure(folder, power=lambda second: 6502.5 if second > 200 else watts_at(second))
    assert any("461 readings in a row are alike" in text for text in messages(frozen, "Q29"))


def test_a_ranging_run_of_another_day_is_found(folder):
    there = measure(folder) / PERFORMANCE / "ranging" / "mlperf_log_detail.txt"
    there.write_text(there.read_text().replace("01-20-2025", "01-17-2025"))
    assert any("s before the run began" in text for text in messages(folder, "Q33"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("run_1/spl.txt", "the readings of the run, spl.txt"),
        ("ranging/spl.txt", "that set the meter's range"),
        ("power/client.json", "client.json"),
        ("power/server.json", "server.json"),
        ("power/ptd_logs.txt", "ptd_logs.txt"),
    ],
)
@pytest.mark.parametrize("left", [None, "", "{", "\x00\x01", '{"a": 1}'])
def test_what_was_not_handed_in_holds_the_verdict_up(folder, name, said, left):
    there = measure(folder) / PERFORMANCE / name
    if left is None:
        there.unlink()
    else:
        there.write_text(left)
    (found,) = (result for result in results(folder) if result.code == "Q29")
    if found.outcome is Outcome.NOT_SHOWN:
        assert said in found.branch.message
        assert found.branch.item == "records of the power measurement"
    else:
        assert left is not None
        assert "is not the file that the session recorded" in found.branch.message
    assert run(["lint", str(folder), "--no-config", "--quiet"]) != 0


def test_an_hour_of_summer_time_in_the_middle_of_a_run_is_no_lie(folder):
    there = measure(folder) / PERFORMANCE / "run_1" / "mlperf_log_detail.txt"
    there.write_text(there.read_text().replace("01-20-2025 10:11:02.842", "01-20-2025 11:11:02.842"))
    assert arm(folder).energy.updates == 662
    assert not violations(folder) & {"F49", "Q33"}


def test_a_run_slightly_shorter_than_the_ranging_run_is_accepted(folder):
    assert not messages(measure(folder, ranged_s=670.0), "Q33")


def test_a_log_of_another_hour_has_no_reading_within(folder):
    there = measure(folder) / PERFORMANCE / "run_1" / "spl.txt"
    there.write_text(readings(BEGUN - timedelta(hours=4), f"{NAME}_testing", LASTED_S))
    assert "no sample of power lies in the window" in messages(folder, "Q33")


def test_a_log_that_was_not_handed_in_is_not_shown(folder):
    there = measure(folder) / PERFORMANCE
    (there / "run_1" / "spl.txt").unlink()
    assert arm(folder).energy.updates is None
    assert not violations(folder) & {"Q29", "Q33"}
    assert {r.outcome for r in results(folder) if r.code == "Q33"} == {Outcome.NOT_SHOWN}


def test_without_any_of_it_there_is_no_claim_about_power(folder):
    assert arm(folder).energy is None
    assert list(case_of(folder).case.submission.claims) == [KEY]


def test_a_power_log_alone_is_read_by_the_clock_of_the_run(folder):
    there = measure(folder) / PERFORMANCE
    shutil.rmtree(there / "power")
    energy = arm(folder).energy
    assert (energy.updates, energy.source) == (662, None)
    assert energy.session.identities == ()


def test_the_report_quotes_the_power_log(folder, capsys):
    there = measure(folder) / PERFORMANCE / "power" / "server.json"
    record = json.loads(there.read_text())
    record["results"]["run_1/spl.txt"] = "0" * 40
    there.write_text(json.dumps(record, indent=4))
    assert run(["lint", str(folder), "--no-config"]) == 1
    shown = capsys.readouterr().out
    assert '"run_1/spl.txt": "' + "0" * 40 in shown
    assert "W at the wall" in shown


def test_readings_of_several_channels_are_taken_whole():
    line = (
        "Time,02-24-2023 12:25:33.670,Watts,645.600000,Volts,207.915000,Amps,1.594250,PF,0.973855,Mark,a_testing,"
        "Ch1,Watts,298.400000,Volts,207.940000\n"
    )
    log = read_power_log(line + "Time,02-24-2023 12:25:34.670,Watts,nan\n\nCh1,Watts,1\n")
    (reading,) = log.readings
    assert (reading.watts, reading.line, log.mark, log.unread) == (645.6, 1, "a_testing", 2)


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("Volts,230.0,Amps,2.826,PF,0.993", False),
        ("Volts,230.0,Amps,1.413,PF,0.993", False),  # the mean current of two phases
        ("Volts,230.0,Amps,3.391,PF,0.993", True),
        ("Volts,230.0,Amps,-1,PF,-1", False),
        ("Volts,230.0,Amps,2.826,PF,0.993,Mark,a,Ch1,Watts,300.0,Volts,230.0,Ch2,Watts,345.6,Volts,230.0", False),
        ("Volts,230.0,Amps,2.826,PF,0.993,Mark,a,Ch1,Watts,300.0,Volts,230.0,Ch2,Watts,245.6,Volts,230.0", True),
    ],
)
def test_a_power_is_the_product_or_the_sum_of_what_stands_beside_it(rest, found):
    (reading,) = read_power_log(f"Time,02-24-2023 12:25:33.670,Watts,645.600000,{rest}").readings
    assert is_contradictory(reading) is found


def test_the_session_of_a_mark_is_read_from_the_meters_log():
    text = meter_log((("a_ranging", RANGED, readings(RANGED, "", 5)), ("a_testing", BEGUN, readings(BEGUN, "", 90))))
    assert read_meter_log(text, "a_testing").readings == 116
    assert read_meter_log(text, "a_ranging").readings == 31
    assert read_meter_log(text, "other").mean_w is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"session_name": 3}',
        '{"session_name": "a", "phases": 3, "uuid": [], "results": 1, "timezone": "x", "ptd_messages": {}}',
        '{"session_name": "a", "phases": {"testing": [[1e999], [null], 3]}, "ptd_messages": [1, {"cmd": "Identify"}]}',
        '{"session_name": "a", "phases": {}, "results": {"../../x": "0", "run_1/spl.txt": 5}, "timezone": 1e300}',
    ],
)
def test_broken_records_are_none_or_empty(text):
    found = read_session(open_report("client.json", text.encode()))
    assert found is None or all(isinstance(stamps, tuple) for stamps in found.phases.values())


def test_a_digest_holds_for_either_line_end():
    data = b"a\r\nb\r\n"
    plain = hashlib.sha1(b"a\nb\n", usedforsecurity=False).hexdigest()
    assert recorded_as(data, plain) == plain
    assert recorded_as(b"a\nc\n", plain) != plain


PIECES = st.sampled_from(
    ["Watts,", "nan", "-1", "1e400", "Time,", "Mark,", "\n", ",", "99-99-9999", "9" * 500, "\x00", "é"]
)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), PIECES), max_size=8))
def test_hostile_power_logs_end_in_a_draft(tmp_path_factory, edits):
    root = tmp_path_factory.mktemp("power")
    folder = measure(Path(shutil.copytree(REPORT, root / "inference_results_v5.0")))
    for name in ("run_1/spl.txt", "power/ptd_logs.txt", "power/client.json", "power/server.json"):
        path = folder / PERFORMANCE / name
        text = path.read_text()
        for place, piece in edits:
            index = place % len(text)
            text = text[:index] + piece + text[index + len(piece) :]
        path.write_text(text)
    (found,) = read_documents([str(folder)])
    assert validate("submission", json.loads(json.dumps(found.draft.value))) == ()
    for claim in found.draft.value["claims"]:
        assert all(result.outcome is not Outcome.ERROR for result in results(folder, claim))


@pytest.mark.skipif("DLAUDIT_CORPUS" not in os.environ, reason="DLAUDIT_CORPUS names no folder of published reports")
def test_a_published_measurement_without_its_power_log_is_not_accused():
    lab = Path(os.environ["DLAUDIT_CORPUS"]) / "mlperf" / "inference_results_v3.0" / "open" / "Alibaba"
    (key,) = (name for name in case_of(lab).case.submission.claims if name.endswith(".power"))
    energy = case_of(lab).case.submission.arms[key.removesuffix(".power")].energy
    assert (energy.duration_s, energy.ranging_duration_s, energy.updates) == (832.12, 842.38, None)
    assert energy.source == "at the wall: YOKOGAWA WT310E (YokogawaWT310E) read by PTDaemon 1.10.0"
    assert all(file.found == file.recorded for file in energy.session.files.values())
    assert not {r.code for r in results(lab, key) if r.outcome is Outcome.VIOLATION} & {"Q29", "Q33"}
