"""Progress: one line on a terminal, a line now and then elsewhere, and an honest guess at the time left."""

import io
import os
import pty
import re

import pytest
from dlaudit.runners.study import progress
from dlaudit.runners.study.plan import PlannedTrial
from dlaudit.runners.study.progress import Progress, duration

TRIALS = [PlannedTrial(trial=f"a-t{n}", arm="a", kind="throughput", seed=n) for n in range(1, 5)]


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_the_time_left_follows_from_the_trials_that_are_over(clock):
    shown = Progress(io.StringIO(), TRIALS)
    assert shown.left_s() is None
    shown.begin(TRIALS[0])
    clock[0] = 10
    shown.end(TRIALS[0])
    assert shown.left_s() == 30
    shown.begin(TRIALS[1])
    clock[0] = 14
    assert shown.left_s() == 26
    clock[0] = 99  # longer than expected: what is left is never negative
    assert shown.left_s() == 20


def test_trials_of_an_earlier_session_count_as_done_but_tell_no_duration(clock):
    shown = Progress(io.StringIO(), TRIALS)
    shown.end(TRIALS[0])
    assert shown.left_s() is None


def test_a_pipe_stays_quiet():
    stream = io.StringIO()
    shown = Progress(stream, TRIALS)
    shown.begin(TRIALS[0])
    shown.tick()
    shown.end(TRIALS[0], "a-t1: failed")
    shown.close()
    assert stream.getvalue() == ""


def test_a_terminal_shows_one_line_and_keeps_notes():
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        shown = Progress(terminal, TRIALS)
        shown.begin(TRIALS[0])
        shown.end(TRIALS[0], "a-t1: failed:\x1b[2J\nwhy")
        shown.begin(TRIALS[1])
        shown.close()
        text = ""
        while not text.endswith("\r") or "a-t2" not in text:  # a terminal hands over what is there
            text += os.read(master, 10_000).decode()
    os.close(master)
    lines = re.sub(r"\x1b\[K", "", text).replace("\r\n", "\n").split("\n")
    assert len(lines) == 2, "only the note leaves its line"
    assert lines[0].endswith("a-t1: failed:?[2J?why")
    assert "1/4  a-t2" in lines[1]
    assert lines[1].endswith("\r")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.6, "1 min 00 s"), (185, "3 min 05 s"), (7440, "2 h 04 min")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_without_a_terminal_long_trials_leave_a_line_each_and_short_ones_do_not(clock):
    stream = io.StringIO()
    shown = Progress(stream, TRIALS)
    for number, trial in enumerate(TRIALS):
        shown.begin(trial)
        clock[0] += 4 if number < 2 else 90
        shown.end(trial)
    assert stream.getvalue() == "dlaudit: 3/4 trials, the last a-t3; about 33 s left\n"
