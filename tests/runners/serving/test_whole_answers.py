"""Answers that come in one chunk, as a busy client sees them, have no time per token: the count beside it says so."""

from dlaudit.runners.record import served
from dlaudit.runners.record.events import Events
from dlaudit.runners.trial.events import Options
from dlaudit.schemas.requests import Requests

OPTIONS = Options(
    effective={}, observed={}, work_per_iteration=3, work_unit="tokens", samples_per_iteration=0, load={"loop": "open"}
)


def events(count, whole):
    """Return a trial of requests a second apart, the first of which are answered in one chunk."""
    due = tuple(float(index) for index in range(count))
    firsts = [0.5 if index < whole else 0.1 for index in range(count)]
    requests = Requests(
        scheduled_s=due,
        sent_s=due,
        first_content_s=tuple(at + first for at, first in zip(due, firsts, strict=True)),
        ended_s=tuple(at + 0.5 for at in due),
        outcome=("completed",) * count,
        output_tokens=(3,) * count,
    )
    return Events(requests=requests, options=OPTIONS)


def test_a_time_per_token_rests_on_the_answers_that_have_one():
    trials = [events(40, 3), events(40, 0)]
    found = served.performance(trials, 80)
    assert found["ttft"]["n"] == {"unit": "request", "planned": 80, "completed": 80, "failed": 0, "excluded": 0}
    of_a_token = {"unit": "request", "planned": 80, "completed": 77, "failed": 0, "excluded": 3}
    assert found["tpot"]["n"] == found["tpot_p90"]["n"] == of_a_token
    assert found["tpot"]["value"] == "0.200000"
    assert "in one chunk" in served.discards(trials)["discard_rule"]


def test_where_every_answer_has_one_or_none_has_nothing_is_left_out():
    for wholes in ([0], [40], [3, 40]):
        trials = [events(40, whole) for whole in wholes]
        found = served.performance(trials, 40)
        assert {metric["n"]["excluded"] for metric in found.values()} == {0}
        assert served.discards(trials) == {}
