"""The ledger: its chain, its crashes, several writers, and what a manifest's part of it proves."""

import json
import signal
import subprocess
import sys
import time

import pytest
from dlaudit.audit.trust.chain import check, check_slice, open_starts
from dlaudit.audit.trust.ledger import append, count_plans, read, slice_of
from dlaudit.audit.trust.process import own_mark
from dlaudit.audit.trust.recorder import GONE, STARTED_AGAIN, LedgerRecorder
from dlaudit.runners.study.recorder import Recorder
from dlaudit.schemas.digest import canonical, sha256_hex
from dlaudit.schemas.errors import UserError, VerificationFailed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ENDLESS_WRITER = """
import sys
from pathlib import Path
from dlaudit.audit.trust.ledger import append
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    trial = f"{sys.argv[3]}-{number}"
    append(Path(sys.argv[1]), [{"event": "lost", "study": "s", "trial": trial, "reason": "x" * 400}])
"""

DYING_RUN = """
import json, os, sys
from pathlib import Path
from dlaudit.audit.trust.recorder import LedgerRecorder
recorder = LedgerRecorder(Path(sys.argv[1]))
recorder.planned(json.loads(sys.argv[2]))
recorder.started("base-t1")
os.kill(os.getpid(), 9)
"""


def events(path):
    return [(entry.event, entry.trial) for entry in read(path).entries]


@pytest.fixture
def plan(tools):
    def make(study, spec=b"spec", trials=("base-t1", "base-t2")):
        return tools.plan_of(study, spec, trials)

    return make


@pytest.fixture
def filled(ledger_path, plan):
    recorder: Recorder = LedgerRecorder(ledger_path)
    recorder.planned(plan("one"))
    for trial in ("base-t1", "base-t2"):
        recorder.started(trial)
        recorder.ended(trial, "completed", "ab" * 32)
    return ledger_path


def test_events_in_their_order(filled):
    assert events(filled) == [
        ("genesis", ""),
        ("plan", ""),
        ("start", "base-t1"),
        ("end", "base-t1"),
        ("start", "base-t2"),
        ("end", "base-t2"),
    ]
    chain = read(filled)
    assert chain.break_line is None
    assert all(entry.value["nonce"] == "4f2a" for entry in chain.entries if entry.event == "start")
    assert filled.stat().st_mode & 0o777 == 0o600


def test_check_and_show(filled, cli):
    code, text = cli("ledger", "check")
    assert code == 0
    assert "6 entries, 1 planned studies, 0 lost trials" in text
    assert "unwitnessed" in text
    code, text = cli("ledger", "show", "--study", "one")
    assert code == 0
    assert len(text.splitlines()) == 5
    assert cli("ledger", "show", "--study", "two") == (0, "")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda lines: [*lines[:2], lines[2].replace(b"base-t1", b"base-t9"), *lines[3:]], 4),
        (lambda lines: lines[:3] + lines[4:], 4),
        (lambda lines: [*lines[:3], lines[3], lines[3], *lines[4:]], 5),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], 3),
        (lambda lines: lines[1:], 1),
        (lambda lines: [lines[0].replace(b'"genesis"', b'"Genesis"'), *lines[1:]], 1),
        (lambda lines: [*lines[:4], b"{}", *lines[5:]], 5),
        (lambda lines: [*lines[:4], b"", *lines[4:]], 5),
        (lambda lines: [*lines[:4], lines[4].replace(b'{"', b'{ "'), *lines[5:]], 5),
    ],
)
def test_the_first_break_is_named(filled, cli, change, line):
    lines = filled.read_bytes().splitlines()
    filled.write_bytes(b"\n".join(change(lines)) + b"\n")
    code, text = cli("ledger", "check")
    assert code == 5
    assert f"ledger.jsonl:{line}: the ledger is broken" in text


def test_no_ledger_yet(cli):
    code, text = cli("ledger", "check")
    assert code == 0
    assert "no ledger yet" in text


def test_nothing_is_recorded_on_a_broken_chain(filled, plan):
    lines = filled.read_bytes().splitlines(keepends=True)
    filled.write_bytes(b"".join(lines[:2] + lines[3:]))
    with pytest.raises(VerificationFailed, match=r"jsonl:3: the ledger is broken"):
        LedgerRecorder(filled).planned(plan("two"))
    with pytest.raises(VerificationFailed):
        slice_of(filled, "one")


def test_the_owner_can_truncate_and_the_chain_does_not_tell(filled):
    """What an unwitnessed ledger cannot do; the program says so wherever it reports one."""
    lines = filled.read_bytes().splitlines(keepends=True)
    filled.write_bytes(b"".join(lines[:-2]))
    assert read(filled).break_line is None


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_byte_breaks_the_chain_or_moves_its_head(filled, data):
    original = filled.read_bytes()
    place = data.draw(st.integers(0, len(original) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda new: new != original[place]))
    chain = check(original[:place] + bytes([byte]) + original[place + 1 :])
    assert chain.break_line is not None or chain.head != check(original).head


def test_a_cut_last_line_is_told_and_healed(filled, cli, plan):
    whole = filled.read_bytes()
    filled.write_bytes(whole + b'{"dlaudit":"ledger-ent')
    code, text = cli("ledger", "check")
    assert code == 0
    assert "ledger.jsonl:7: the last line is incomplete (22 bytes)" in text
    LedgerRecorder(filled).planned(plan("two"))
    chain = read(filled)
    assert chain.break_line is None
    assert filled.read_bytes().startswith(whole)
    assert chain.entries[6].value["cut_bytes"] == 22
    assert chain.cut_bytes == 0


def test_a_cut_genesis_line(ledger_path, plan):
    ledger_path.parent.mkdir(parents=True)
    ledger_path.write_bytes(b'{"dla')
    LedgerRecorder(ledger_path).planned(plan("one"))
    assert events(ledger_path) == [("genesis", ""), ("plan", "")]
    assert read(ledger_path).entries[1].value["cut_bytes"] == 5


def test_something_else_is_no_ledger(ledger_path, plan):
    ledger_path.parent.mkdir(parents=True)
    ledger_path.write_bytes(b"x" * 100_000)
    with pytest.raises(VerificationFailed):
        append(ledger_path, [{"event": "lost", "study": "s", "trial": "t", "reason": "r"}])
    assert ledger_path.stat().st_size == 100_000


def writers(path, number, *names):
    """Processes that are ready to write, and then told to begin."""
    command = [sys.executable, "-P", "-c", ENDLESS_WRITER, str(path), str(number)]
    begun = [subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE) for name in names]
    for process in begun:
        with process.stdout:
            assert process.stdout.readline() == b"ready\n"
    for process in begun:
        process.stdin.close()
    return begun


def test_killed_writers_leave_a_valid_chain(ledger_path):
    for attempt in range(8):
        (process,) = writers(ledger_path, 100_000, f"w{attempt}")
        while not ledger_path.exists() or f"w{attempt}" not in ledger_path.read_text(errors="replace"):
            time.sleep(0.002)
        time.sleep(0.013 * attempt)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert read(ledger_path).break_line is None
    append(ledger_path, [{"event": "lost", "study": "s", "trial": "last", "reason": "r"}])
    chain = read(ledger_path)
    assert chain.break_line is None
    assert chain.entries[-1].trial == "last"
    assert len({entry.trial[:2] for entry in chain.entries}) >= 8


def test_two_writers_at_once_never_break_the_chain(ledger_path):
    number = 200
    for process in writers(ledger_path, number, "a", "b"):
        assert process.wait(500) == 0
    chain = read(ledger_path)
    assert chain.break_line is None
    assert len(chain.entries) == 1 + 2 * number
    order = [entry.trial[0] for entry in chain.entries[1:]]
    assert order.count("a") == order.count("b") == number
    assert order != sorted(order), "the writers did not overlap: the test has no point"


def test_a_killed_study_is_named_and_entered_as_lost(ledger_path, plan, cli):
    command = [sys.executable, "-P", "-c", DYING_RUN, str(ledger_path), json.dumps(plan("dead"))]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    assert events(ledger_path)[-1] == ("start", "base-t1"), "the start must be on disk before the trial runs"
    _, text = cli("ledger", "check")
    assert "no end yet: trial base-t1 of study dead" in text
    recorder = LedgerRecorder(ledger_path)
    recorder.planned(plan("next"))
    assert [(entry.study, entry.trial) for entry in recorder.found_lost] == [("dead", "base-t1")]
    lost = read(ledger_path).entries[3]
    assert (lost.event, lost.study, lost.value["reason"]) == ("lost", "dead", GONE)
    assert open_starts(read(ledger_path).entries) == ()


def test_a_resumed_study_says_itself_what_became_of_its_trials(ledger_path, plan):
    command = [sys.executable, "-P", "-c", DYING_RUN, str(ledger_path), json.dumps(plan("dead"))]
    subprocess.run(command)
    recorder = LedgerRecorder(ledger_path)
    recorder.planned(plan("dead"))
    assert recorder.found_lost == ()
    recorder.ended("base-t1", "completed", "cd" * 32)
    recorder.ended("base-t1", "completed", "cd" * 32)
    assert events(ledger_path) == [("genesis", ""), ("plan", ""), ("start", "base-t1"), ("end", "base-t1")]


def test_repeated_calls_are_entered_once_and_repeated_trials_every_time(ledger_path, plan):
    recorder = LedgerRecorder(ledger_path)
    recorder.planned(plan("one"))
    LedgerRecorder(ledger_path).planned(plan("one"))
    recorder.lost("base-t2", "\udc80" + "x" * 500)
    recorder.started("base-t1")
    recorder.lost("base-t1", "killed")
    recorder.lost("base-t1", "killed")
    recorder.started("base-t1")
    recorder.started("base-t1")
    recorder.ended("base-t1", "failed", "")
    found = read(ledger_path).entries
    assert [(entry.event, entry.trial) for entry in found[1:]] == [
        ("plan", ""),
        ("lost", "base-t2"),
        ("start", "base-t1"),
        ("lost", "base-t1"),
        ("start", "base-t1"),
        ("lost", "base-t1"),
        ("start", "base-t1"),
        ("end", "base-t1"),
    ]
    assert found[6].value["reason"] == STARTED_AGAIN
    assert "artifact_sha256" not in found[8].value


def test_a_study_cannot_be_planned_twice_differently(ledger_path, plan):
    LedgerRecorder(ledger_path).planned(plan("one"))
    with pytest.raises(VerificationFailed, match="planned differently"):
        LedgerRecorder(ledger_path).planned(plan("one", trials=("base-t1",)))


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({}, False),
        ({"host": "another-node"}, False),
        ({"host": "another-node", "pid": 2**22}, False),
        ({"boot_id": "an earlier boot"}, True),
        ({"pid_start": 1}, True),
        ({"pid": 2**22 + 1}, True),
    ],
)
def test_only_a_process_that_is_certainly_gone_is_lost(ledger_path, plan, change, gone):
    start = {"event": "start", "study": "other", "trial": "t", **own_mark(), **change}
    append(ledger_path, [start])
    recorder = LedgerRecorder(ledger_path)
    recorder.planned(plan("next"))
    assert bool(recorder.found_lost) == gone


def test_plans_are_counted_by_spec_and_by_option_set(ledger_path, plan):
    for study, spec in (("one", b"spec"), ("two", b"spec"), ("three", b"another")):
        LedgerRecorder(ledger_path).planned(plan(study, spec))
    entries = read(ledger_path).entries
    count = count_plans(entries, sha256_hex(b"spec"), ["sha256:" + "ab" * 32])
    assert (count.same_spec, count.same_options) == (2, 3)
    assert count_plans(entries, sha256_hex(b"none"), ()).same_spec == 0


def test_a_slice_can_be_followed_by_a_third_party(filled, plan):
    LedgerRecorder(filled).planned(plan("two"))
    part = slice_of(filled, "one")
    assert (part["first_seq"], part["last_seq"], part["plans_of_spec"]) == (0, 5, 2)
    chain = check_slice(part["entries"], 0)
    assert chain.break_line is None
    assert chain.head == part["head"]
    assert chain.origin == part["origin"]
    with pytest.raises(UserError, match="has no study"):
        slice_of(filled, "three")


def test_a_slice_without_its_genesis_is_followed_as_far_as_it_goes(filled, monkeypatch):
    monkeypatch.setattr("dlaudit.audit.trust.ledger.MAX_SLICE_ENTRIES", 5)
    part = slice_of(filled, "one")
    assert part["first_seq"] == 1
    assert check_slice(part["entries"], 1).break_line is None
    assert check_slice(part["entries"][1:], 1).break_line == 1


def ledger_codes(folder, cli):
    code, text = cli("verify", folder, "--json")
    value = json.loads(text)
    return code, value, [problem["code"] for problem in value["problems"] if problem["code"].startswith("ledger-")]


@pytest.fixture
def forge(make_study, make_key, tools, cli):
    """Change a manifest as its signer could, sign it again, and return what verification says of its ledger."""

    def make(change, name="study"):
        folder = make_study(name)
        value = tools.read_manifest(folder)
        change(value["predicate"])
        tools.write_manifest(folder, value)
        tools.resign(folder, make_key()[0])
        return ledger_codes(folder, cli)

    return make


def relink(predicate, change):
    """What the owner of a ledger can do: change entries and link all of them anew."""
    part = predicate["ledger"]
    values = [json.loads(line) for line in part["entries"]]
    values = change(values)
    prev, lines = "0" * 64, []
    for seq, value in enumerate(values):
        line = canonical({**value, "seq": seq, "prev": prev})
        prev = sha256_hex(line)
        lines.append(line.decode())
    part.update(entries=lines, head=prev, last_seq=len(lines) - 1)


def drop_trial(predicate):
    del predicate["arms"]["base"]["trials"]["base-t2"]


def set_outcome(predicate):
    predicate["arms"]["base"]["trials"]["base-t2"]["outcome"] = "failed"


def exchange_digest(predicate):
    predicate["arms"]["base"]["trials"]["base-t2"]["samples_file"]["sha256"] = "ef" * 32


def change_seed(predicate):
    predicate["plan"][0]["seed"] = 8


def change_spec(predicate):
    predicate["study"]["spec_sha256"] = "ef" * 32


def rename_study(predicate):
    predicate["study"]["id"] = "another"


def cut_entry(predicate):
    predicate["ledger"]["entries"].pop(3)


def cut_tail(predicate):
    predicate["ledger"]["entries"].pop()


def wrong_origin(predicate):
    predicate["ledger"]["origin"] = "elsewhere"


def undercount(predicate):
    relink(predicate, lambda values: [*values, {**values[1], "study": "hidden"}])


def late_plan(predicate):
    relink(predicate, lambda values: [values[0], values[2], values[1], *values[3:]])


def never_started(predicate):
    relink(predicate, lambda values: values[:4])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (drop_trial, "ledger-trial-dropped"),
        (set_outcome, "ledger-outcome-differs"),
        (exchange_digest, "ledger-artifact-differs"),
        (change_seed, "ledger-plan-differs"),
        (change_spec, "ledger-plan-differs"),
        (rename_study, "ledger-no-plan"),
        (cut_entry, "ledger-broken"),
        (cut_tail, "ledger-broken"),
        (wrong_origin, "ledger-broken"),
        (undercount, "ledger-plan-count"),
        (late_plan, "ledger-plan-late"),
        (never_started, "ledger-trial-unknown"),
    ],
)
def test_a_manifest_that_contradicts_its_ledger(forge, change, code):
    exit_code, value, codes = forge(change)
    assert exit_code == 5
    assert codes == [code]
    assert value["ledger"] == "broken"
    assert value["tier_ceiling"] == "T1"


def test_other_plans_of_the_spec_and_lost_trials_are_counted(forge, ledger_path, plan):
    LedgerRecorder(ledger_path).planned(plan("earlier", b"dlaudit: spec/1\n"))
    exit_code, value, codes = forge(lambda predicate: None)
    assert (exit_code, codes) == (0, [])
    assert (value["ledger"], value["plans_of_spec"], value["plans_of_options"]) == ("unwitnessed", 2, 2)

    def lose(values):
        at = next(i for i, value in enumerate(values) if value["event"] == "start" and value["study"] == "id-of-again")
        loss = {key: values[at][key] for key in ("dlaudit", "time", "study", "trial")}
        return [*values[:at], values[at], {**loss, "event": "lost", "reason": "killed"}, *values[at:]]

    exit_code, value, codes = forge(lambda predicate: relink(predicate, lose), "again")
    assert codes == []
    assert value["lost"] == ["base-t1"]


def test_a_study_without_a_ledger_says_so(make_study, make_key, cli):
    folder = make_study(with_ledger=False)
    make_key()
    assert cli("sign", folder)[0] == 0
    code, text = cli("verify", folder)
    assert code == 0
    assert "whether other runs were made and left out cannot be told" in text
