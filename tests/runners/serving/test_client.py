"""The load generator against servers whose delays are known, and what it says of those that misbehave."""

from statistics import median

import pytest
from dlaudit.runners.record.served import meeting
from dlaudit.schemas.requests import columns, gaps_s, problems, window_s

SCRIPT = {"ttft_s": 0.03, "gap_s": 0.01, "role_first": True}
ATTEMPTS = 10


def differences(table, stamps):
    """Return how far each request's times to the first token, and per token, lie from the server's own stamps."""
    first, each = [], []
    for row in table.completed:
        received, *written = stamps[str(row)]
        seen = table.content_s[row]
        first.append((table.first_content_s[row] - table.sent_s[row]) - (written[0] - received))
        each.append(((seen[-1] - seen[0]) - (written[-1] - written[0])) / (len(seen) - 1))
    return median(first), median(each)


@pytest.mark.alone
@pytest.mark.parametrize("api", ["completions", "chat"])
def test_ttft_and_tpot_agree_with_the_script_within_a_millisecond(serve, api):
    found = []
    for _ in range(ATTEMPTS):  # one undisturbed second is enough
        with serve(SCRIPT, 50, api=api) as (table, stamps):
            found.append(differences(table, stamps))
        if max(map(abs, found[-1])) < 0.001:
            break
    assert min(max(map(abs, one)) for one in found) < 0.001


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_what_the_server_does_lies_between_sending_and_seeing(serve, api):
    with serve(SCRIPT, 50, api=api) as (table, stamps):
        pass
    assert len(table.completed) == 50
    for row in table.completed:
        received, *written = stamps[str(row)]
        assert table.sent_s[row] < received
        assert all(one < two for one, two in zip(written, table.content_s[row], strict=True))
    measured = columns(table)
    assert median(measured["ttft_s"]) >= 0.03  # from when it was due, so never less than the script says
    assert median(measured["tpot_s"]) >= 0.01
    assert all(one < two for one, two in zip(table.first_chunk_s, table.first_content_s, strict=True))
    assert table.output_tokens == table.tokenizer_output_tokens == (6,) * 50
    assert table.input_tokens == (4,) * 50
    assert not list(problems(table))


def test_an_open_loop_does_not_wait_for_answers(serve):
    with serve({"ttft_s": 0.5}, 10, rate=100.0) as (table, _):
        pass
    assert table.sent_s[-1] < min(table.ended_s)


def test_a_closed_loop_has_so_many_requests_in_flight(serve):
    with serve({"ttft_s": 0.05}, 12, arrival="closed", concurrency=3) as (table, _):
        pass
    times = sorted([(sent, 1) for sent in table.sent_s] + [(end, -1) for end in table.ended_s])
    in_flight, most = 0, 0
    for _, step in times:
        in_flight += step
        most = max(most, in_flight)
    assert most == 3
    assert window_s(table)[1] - window_s(table)[0] >= 4 * 0.05


def test_failing_stalling_and_broken_requests_are_told_apart(serve):
    with serve({"fail_every": 5, "stall_every": 7, "break_every": 9}, 18, timeout_s=2.0, rate=100.0) as (table, _):
        pass
    counts = {outcome: table.outcome.count(outcome) for outcome in set(table.outcome)}
    assert counts == {"completed": 11, "failed": 3, "timed_out": 2, "cut_off": 2}
    stalled = table.outcome.index("timed_out")
    assert table.ended_s[stalled] - table.sent_s[stalled] > 1.9
    assert len(columns(table)["latency_s"]) == 11
    assert not list(problems(table))


def test_several_tokens_in_a_chunk_are_counted_by_the_server_and_by_the_tokenizer(serve):
    with serve({"per_chunk": 3, "gap_s": 0.01, "cached": 2}, 5) as (table, _):
        pass
    assert table.output_tokens == table.tokenizer_output_tokens == (6,) * 5
    assert len(gaps_s(table)) == 5  # one gap between two chunks, five tokens after the first
    assert table.cached_tokens == (2,) * 5


def test_goodput_counts_answers_that_keep_every_bound(serve):
    with serve({"ttft_s": 0.03, "gap_s": 0.005, "fail_every": 2}, 10) as (table, _):
        pass
    assert len(meeting(table, {"ttft_s": 9.0, "tpot_s": 9.0})) == 5
    assert meeting(table, {"ttft_s": 0.02}) == []
    assert len(meeting(table, {"ttft_s": 0.001, "ttft_s_per_prompt_token": 9.0})) == 5
    assert meeting(table, {"tpot_s": 0.004}) == []
    assert meeting(table, {"latency_s": 0.04}) == []
