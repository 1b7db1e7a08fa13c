"""I02, unsigned: Evidence without a signature by a key that the reader lists."""

import pytest
from dlaudit.rules.case import Study
from dlaudit.rules.outcome import Outcome
from support.documents import signed

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


def study(signature, *problems):
    return {"s": Study("s", None, signature, tuple(problems))}


@pytest.mark.parametrize("signature", ["unlisted", "absent", "invalid", "unread"])
def test_only_a_listed_key_counts(judged, signature):
    result = judged("rate", "I02", "rate", signed("rate"), studies=study(signature))
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "signature under the trust file")
    assert judged("rate", "I02", "rate", signed("rate"), studies=study("trusted")).outcome is PASS


def test_every_side_of_a_ratio_must_be_signed(judged):
    half = signed("speedup")
    assert judged("training-pair", "I02", "speedup", half, studies=study("trusted")).outcome is NOT_SHOWN
    whole = signed("speedup", measured=1, base=1, quality=1)
    assert judged("training-pair", "I02", "speedup", whole, studies=study("trusted")).outcome is PASS
    assert judged("training-pair", "I02", "speedup", whole).outcome is NOT_SHOWN
