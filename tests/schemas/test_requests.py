"""Requests in columns: what they give, and what is refused."""

import json

import pytest
from dlaudit.schemas.requests import columns, gaps_s, joined, problems, window_s
from dlaudit.schemas.samples import read_samples
from dlaudit.schemas.validation import InvalidDocument

SERVED = {
    "scheduled_s": [10.0, 10.1, 10.2],
    "sent_s": [10.0, 10.15, 10.2],
    "first_chunk_s": [10.1, 10.25, None],
    "first_content_s": [10.2, 10.3, None],
    "content_s": [[10.2, 10.3, 10.5], [10.3, 10.7], []],
    "ended_s": [10.5, 10.7, 11.2],
    "outcome": ["completed", "completed", "timed_out"],
    "output_tokens": [4, 3, None],
}


def of(**changes):
    whole = SERVED | changes
    return read_samples(
        json.dumps({"dlaudit": "samples/1", "trial": "t", "columns": {}, "requests": whole}).encode(), "s"
    )


def test_overlapping_requests_give_columns_of_those_that_were_answered():
    found = of()
    assert found.rows == 3
    assert list(found.columns["latency_s"]) == pytest.approx([0.5, 0.6])
    assert list(found.columns["ttft_s"]) == pytest.approx([0.2, 0.2])  # from when it was due, not from when it was sent
    assert list(found.columns["tpot_s"]) == pytest.approx([0.1, 0.2])
    assert list(found.columns["output_tokens"]) == [4, 3]
    assert window_s(found.requests) == (10.0, 11.2)
    assert gaps_s(found.requests) == pytest.approx([0.1, 0.2, 0.4])


def test_a_column_that_an_answered_request_lacks_is_left_out():
    assert set(of(output_tokens=[4, None, None]).columns) == {"latency_s", "ttft_s"}
    assert "tpot_s" not in of(output_tokens=[1, 3, None]).columns


def test_an_answer_that_came_whole_has_no_time_per_token():
    found = of(first_content_s=[10.5, 10.3, None], content_s=[[10.5], [10.3, 10.7], []])
    assert list(found.columns["tpot_s"]) == pytest.approx([0.2])
    assert len(found.columns["latency_s"]) == 2


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"ended_s": [10.5, 10.7]}, "/requests/ended_s"),
        ({"ended_s": [10.5, None, 11.2]}, "/requests/ended_s"),
        ({"outcome": ["completed", "completed", "fine"]}, "/requests/outcome"),
        ({"first_content_s": [10.2, 10.8, None]}, "/requests/ended_s"),
        ({"content_s": [[10.3, 10.2], [], []]}, "/requests/content_s"),
        ({"output_tokens": [-1, 3, None]}, "/requests/output_tokens"),
        ({"scheduled_s": "x"}, "/requests/scheduled_s"),
        ({"other": []}, "/requests/other"),
    ],
)
def test_what_is_no_request_is_refused_at_its_place(changes, pointer):
    with pytest.raises(InvalidDocument) as caught:
        of(**changes)
    assert pointer in [problem.pointer for problem in caught.value.problems]


def test_chunks_are_joined():
    one = of().requests
    both = joined(one, one)
    assert len(both.outcome) == 6
    assert not list(problems(both))
    assert len(columns(both)["latency_s"]) == 4
