"""Processes that share work: what they give, in which order, and what each keeps for its later tasks."""

import os

import pytest
from dlaudit.audit.workers import Workers, processes

kept = []


def doubled(number):
    if number == 70:
        raise ValueError(number)
    return 2 * number


def keep(share):
    kept.append(share)
    return os.getpid()


def what_is_kept(share, more):
    return share, more, tuple(kept)


def refuse(share):
    raise ValueError(share)


@pytest.fixture
def workers():
    with processes(3) as started:
        yield started


def test_one_process_is_none_beside_this_one():
    with processes(1) as started:
        assert started is None


@pytest.mark.parametrize("count", [0, 1, 2, 7, 69])
def test_a_task_gives_what_it_gives_for_each_item_in_order(workers, count):
    assert list(workers.map(doubled, range(count))) == [doubled(number) for number in range(count)]


def test_what_comes_before_a_failure_is_given(workers):
    found = []
    with pytest.raises(ValueError, match="70"):
        found.extend(workers.map(doubled, range(200)))
    assert found == [2 * number for number in range(len(found))]


def test_each_process_keeps_what_its_tasks_leave(workers):
    began = workers.begin(keep, ["a", "b"])
    assert workers.begin(what_is_kept, ["c", "d"], 1)() == [("c", 1, ("a",)), ("d", 1, ("b",))]
    assert len(set(began()) | {os.getpid()}) == 3


def test_the_failure_of_a_task_that_nobody_waited_for_is_told_by_the_next(workers):
    workers.begin(refuse, ["first"])
    with pytest.raises(ValueError, match="first"):
        workers.begin(keep, ["second"])()


def test_shares_are_of_one_size_and_hold_everything_once():
    sizes = {f"r{number}": 10 + number % 7 for number in range(50)}
    shares = Workers(3).shares(sizes, 8)
    assert len(shares) == 3
    assert sorted(name for share in shares for name in share) == sorted(sizes)
    loads = [sum(sizes[name] for name in share) for share in shares]
    assert max(loads) - min(loads) <= max(sizes.values())
