"""M26, single-session-on-shared-service: Arms on machines that others use, too, ranked by what one day showed."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer
from support.series import at

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def timed(starts, **fields):
    return {"trials": {f"t{index}": {"started": start, **fields} for index, start in enumerate(starts, 1)}}


DAYS = [at(day, 8) for day in range(2, 7)]
HALF_PAST = [at(day, 8, 30) for day in range(2, 7)]
NEXT_WEEK = [at(day, 8) for day in range(9, 14)]


def shared(ours, theirs, site="shared"):
    return {"claims": {"speedup": {"site": site}}, "arms": {"ours": ours, "theirs": theirs}}


def dated(day):
    return {"performance": {"rate": {"load": {"date": day}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (shared(timed(DAYS), timed(HALF_PAST)), PASS),
        (shared(timed(DAYS), timed(NEXT_WEEK)), ("a", CAVEAT)),
        (shared(timed([at(2, h) for h in range(5)]), timed(HALF_PAST)), ("a", CAVEAT)),
        (shared(timed(DAYS), {}), NOT_SHOWN),
        (shared({}, {}), NOT_SHOWN),
        (shared(dated("2026-03-02"), dated("2026-03-02")), ("a", CAVEAT)),
        (shared(timed(DAYS), timed(NEXT_WEEK), site="own"), NOT_APPLICABLE),
    ],
)
def test_sessions(judged, patch, expected):
    assert answer(judged("comparison", "M26", "speedup", patch)) == expected


def test_two_sessions_are_told(judged):
    two_days = [at(2, 8), at(2, 9), at(3, 20), at(3, 21), at(3, 22)]
    result = judged("comparison", "M26", "speedup", shared(timed(two_days), timed(two_days)))
    assert answer(result) is PASS
    assert len(result.notes) == 2
