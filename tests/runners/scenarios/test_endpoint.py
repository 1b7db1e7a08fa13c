"""A service behind a URL as a subject."""

import pytest
from dlaudit.runners.scenarios.endpoint import Endpoint
from dlaudit.schemas.errors import UserError


def asked(url, prompt, timeout_s=5.0):
    """Return the answer to a prompt, and how often a first token was told."""
    firsts = []
    (answer,) = Endpoint(url, [{"prompt": prompt}], [], timeout_s).answer([0], firsts.append)
    return answer, firsts


def test_a_document_and_a_stream_give_text_tokens_and_a_first_token(service):
    answer, firsts = asked(service, "abc")
    assert (answer.data, answer.outcome, answer.input_tokens, answer.output_tokens) == (b"abc", "completed", 3, 2)
    assert firsts == [0]
    answer, firsts = asked(service, "~abc")
    assert (answer.data, answer.outcome, answer.output_tokens) == (b"~abc", "completed", 4)
    assert firsts == [0]


def test_what_is_refused_or_ends_too_early_is_not_answered(service):
    assert asked(service, "!")[0].outcome == "failed"
    assert asked(service, "-ab")[0].outcome == "cut_off"
    assert asked("http://127.0.0.1:9/", "a")[0].outcome == "failed"


def test_a_connection_serves_again_after_a_refusal(service):
    endpoint = Endpoint(service, [{"prompt": "!"}, {"prompt": "a"}, {"prompt": "~b"}], [], 5.0)
    answers = endpoint.answer([0, 1, 2, 1], lambda _position: None)
    assert [answer.outcome for answer in answers] == ["failed", "completed", "completed", "completed"]


def test_answers_are_scored_where_the_right_ones_are_known(service):
    endpoint = Endpoint(service, [{"prompt": "a"}, {"prompt": "b"}], ["a", "x"], 5.0)
    found = endpoint.score({0: b" a\n", 1: b"b"})
    assert (found.metrics["accuracy"], found.correct, found.examples) == (0.5, 1, 2)


@pytest.mark.parametrize("url", ["ftp://host/", "nowhere", "http:///path"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(UserError, match="not the address"):
        Endpoint(url, [], [], 1.0)
