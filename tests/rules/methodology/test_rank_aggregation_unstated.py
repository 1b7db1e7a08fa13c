"""M24, rank-aggregation-unstated: A time on many devices without a word on how the ranks' times became one."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def ranks(words, values=None, devices=8):
    metric = {"performance": {"rate": {"ranks": values}}} if values is not None else {}
    return {"arms": {"n8": {"devices": devices, "measurement": {"rank_aggregation": words}, **metric}}}


FOUR = {"0": "100", "1": "101", "2": "102", "3": "110"}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (ranks("mean over ranks", FOUR), ("a", CAVEAT)),
        (ranks("averaged", FOUR), ("a", CAVEAT)),
        (ranks("maximum over ranks, mean over iterations", FOUR), PASS),
        (ranks("slowest rank", FOUR), PASS),
        (ranks("mean over ranks"), NOT_SHOWN),
        (ranks("mean over ranks", {"0": "100", "1": "101"}), NOT_SHOWN),  # two of eight
        (ranks("mean over ranks", {str(i): "100" for i in range(8)}), PASS),
        (ranks("mean over ranks", {"0": "0", "1": "100"}), NOT_SHOWN),
        (ranks(None), NOT_SHOWN),
        (ranks("rank 0"), NOT_SHOWN),
        (ranks("time of the first rank, after a barrier"), PASS),
        (ranks(None, devices=1), NOT_APPLICABLE),
    ],
)
def test_ranks(judged, patch, expected):
    assert answer(judged("strong-scaling", "M24", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("devices", "words", "expected"),
    [(8, None, NOT_SHOWN), (8, "rank 0", NOT_SHOWN), (8, "slowest rank", PASS), (1, None, NOT_APPLICABLE)],
)
def test_training_at_one_device_count_has_ranks_as_well(judged, devices, words, expected):
    patch = {"arms": {"a": {"devices": devices, "measurement": {"rank_aggregation": words}}}}
    assert answer(judged("rate", "M24", "rate", patch)) == expected
