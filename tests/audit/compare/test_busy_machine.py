"""A difference that the machine may have made is none: what trials lost to others is held against it."""

import json
import random

import pytest
from dlaudit.audit.cli import run

QUIET, BUSY = 0.0, 0.6
"""Seconds of others' work in a trial of one second, on two processors."""


def arm(times, others):
    """An arm of trials of one second each, by their step times and by what others worked meanwhile."""
    trials = {
        f"t{number}": {
            "kind": "throughput",
            "outcome": "completed",
            "medians": {"step_time_s": f"{time:.6g}"},
            "controls": {
                "other_load": {
                    "verified": "not_requested",
                    "measured": {"window_s": 1.0, "cpu_pressure_s": load, "others_s": load, "processors": 2.0},
                }
            },
        }
        for number, (time, load) in enumerate(zip(times, others, strict=True), 1)
    }
    rate = {"quantity": "rate", "unit": "samples/s", "column": "step_time_s", "work_per_iteration": 8}
    return {"options": {"model": "m", "global_batch": 8}, "performance": {"rate": rate}, "trials": trials}


@pytest.fixture
def compared(tmp_path, capsys):
    def compare(old, new, *arguments):
        for name, side in (("old", old), ("new", new)):
            value = {"dlaudit": "submission/1", "title": name, "claims": {}, "arms": {"train": side}}
            (tmp_path / f"{name}.json").write_text(json.dumps(value))
        capsys.readouterr()
        code = run(["compare", f"{tmp_path}/old.json", f"{tmp_path}/new.json", *arguments])
        return code, capsys.readouterr().out

    return compare


def around(middle, count=5, spread=0.003):
    return [middle * (1 + spread * (number - count // 2)) for number in range(count)]


def test_a_neighbour_beside_one_side_leaves_the_answer_open(compared):
    code, said = compared(arm(around(0.4), [BUSY] * 5), arm(around(0.1), [QUIET] * 5))
    assert code == 3
    assert "answer: cannot tell: the machine was busy" in said
    assert "5 of 5 trials of old and 0 of 5 of new lost more than 5 % of their time to others" in said
    assert "(on average 60 % and 0 %)" in said


def test_a_slowdown_of_a_fifth_is_found_while_both_are_quiet(compared):
    code, said = compared(arm(around(0.1), [QUIET] * 5), arm(around(0.12), [0.01] * 5))
    assert (code, "answer: worse\n" in said) == (1, True)
    assert "others" not in said


def test_undisturbed_trials_that_say_the_same_uphold_the_answer(compared):
    new = arm([*around(0.12, 3), 0.122, 0.125], [QUIET] * 3 + [BUSY] * 2)
    code, said = compared(arm(around(0.1), [QUIET] * 5), new)
    assert code == 1
    assert "the 5 and 3 undisturbed ones alone: worse, new/old 0.833" in said


def test_undisturbed_trials_that_say_otherwise_leave_the_answer_open(compared):
    new = arm([*around(0.1, 3), *around(0.15, 4)], [QUIET] * 3 + [BUSY] * 4)
    code, said = compared(arm(around(0.1, 7), [QUIET] * 7), new, "--margin", "0.03")
    assert "the 7 and 3 undisturbed ones alone: equivalent" in said
    assert code == 3


def test_sides_that_were_disturbed_alike_keep_their_answer(compared):
    code, said = compared(arm(around(0.1), [BUSY] * 5), arm(around(0.15), [BUSY + 0.01] * 5))
    assert (code, "answer: worse\n" in said) == (1, True)
    assert "too much alike to make a difference" in said


@pytest.mark.parametrize("number", range(20))
def test_no_false_difference_beside_a_busy_neighbour(compared, number):
    """The neighbour slows a trial by some factor, more or less, and is there for some share of it."""
    source = random.Random(number)
    loads = [source.uniform(0.2, 1.6) for _ in range(5)]
    slowed = [0.1 * source.uniform(1.0, 1 + 2 * load) for load in loads]
    calm = [0.1 * source.uniform(0.99, 1.01) for _ in range(5)]
    pair = [arm(slowed, loads), arm(calm, [source.uniform(0, 0.02) for _ in range(5)])]
    code, _ = compared(*(pair if number % 2 else pair[::-1]))
    assert code == 3


def test_equivalence_names_its_margin_interval_and_level(compared):
    _, said = compared(arm(around(0.1, 9), [QUIET] * 9), arm(around(0.1001, 9), [QUIET] * 9))
    assert "answer: equivalent" in said
    assert "rate: equivalent within 5 %: the 90 % interval, 0.99" in said
    assert "certain" not in said


def test_a_certain_loss_inside_the_margin_says_both(compared):
    code, said = compared(arm(around(0.1, 9, 0.0005), [QUIET] * 9), arm(around(0.1042, 9, 0.0005), [QUIET] * 9))
    assert (code, "answer: equivalent" in said) == (0, True)
    assert "a difference is certain all the same (4 % worse, at 95 %)" in said


def test_where_trials_lost_most_of_their_time_a_small_difference_is_the_machines(compared):
    code, said = compared(arm(around(0.1), [BUSY] * 5), arm(around(0.103), [BUSY] * 5))
    assert (code, "answer: equivalent" in said) == (0, True)
    unsteady = around(0.1, spread=0.02), around(0.107, spread=0.02)
    code, said = compared(arm(unsteady[0], [BUSY] * 5), arm(unsteady[1], [BUSY] * 5))
    assert (code, "cannot tell: the machine was busy" in said) == (3, True)
    code, said = compared(arm(around(0.1), [BUSY] * 5), arm(around(0.2), [BUSY] * 5))
    assert (code, "answer: worse" in said) == (1, True)


def test_where_all_time_was_lost_a_difference_is_held_against_what_others_left(compared):
    once, twice = around(0.1), around(0.2)
    code, said = compared(arm(once, [1.75] * 5), arm(twice, [1.91] * 5))
    assert "(on average 100 % and 100 %): a difference may be the machine's" in said
    assert code == 3
    code, said = compared(arm(once, [1.75] * 5), arm(twice, [1.76] * 5))
    assert (code, "answer: worse\n" in said) == (1, True)
