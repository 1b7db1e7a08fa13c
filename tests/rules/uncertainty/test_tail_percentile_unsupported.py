"""S08, tail-percentile-unsupported: A percentile of so few values that not even the largest of them bounds it."""

from dlaudit.rules.outcome import Outcome
from support.serving import served

NOT_SHOWN = Outcome.NOT_SHOWN


def test_a_count_that_the_sentence_gives_is_of_all_requests(judged):
    def counted(words):
        claims = {"latency": {"statement": f"The p99 of the latency is 2.86 s ({words}).", "statistic": "percentile"}}
        latency = {
            "column": None,
            "statistic": "percentile",
            "value": "2.86",
            "summary": {"percentiles": {"99": "2.86"}},
        }
        latency |= {"n": {"unit": "request", "planned": 80, "completed": 80}, "trials": 5}
        return judged("serving", "S08", "latency", served(claims, latency=latency))

    assert counted("80 requests").outcome is NOT_SHOWN
    assert counted("80 requests in each trial").outcome is not NOT_SHOWN
