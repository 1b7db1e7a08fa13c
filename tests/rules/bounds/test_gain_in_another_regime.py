"""P16, gain-in-another-regime: A gain put down to what does not limit the work."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE
THIN = {"m": 8192, "n": 1, "k": 8192}
CUBE = {"m": 8192, "n": 8192, "k": 8192}


def judge(judged, statement, sizes, moved, before=None):
    claim = {
        "statement": statement,
        "value": "1.9",
        "unit": "x",
        "quantity": "time",
        "form": "ratio",
        "row": None,
        "compares": "own_variants",
        "measured": {"arm": "n8192", "metric": "time"},
        "base": {"arm": "plain"},
    }
    operations = {"dimensions": sizes, "bytes_moved": before or moved, "peak_flops": 312e12}
    plain = {"system": "node", "devices": 1, "options": {"precision": {"compute": "bf16"}}, "operations": operations}
    arms = {"n8192": {"operations": {"dimensions": sizes, "bytes_moved": moved}}, "plain": plain}
    return answer(judged("kernel", "P16", "gemm", {"claims": {"gemm": claim}, "arms": arms}))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("With matrix cores the product takes 1.9x less time.", ("a", UNDERMINES)),
        ("A higher arithmetic throughput makes it 1.9x faster.", ("a", UNDERMINES)),
        ("1.9x faster, since it needs fewer multiplications.", ("a", UNDERMINES)),
        ("It is 1.9x faster: less memory traffic.", PASS),
        ("The new kernel is 1.9x faster.", NOT_APPLICABLE),
        ("Without tensor cores it is 1.9x faster.", NOT_APPLICABLE),
        ("Tensor cores and less memory traffic make it 1.9x faster.", NOT_APPLICABLE),
    ],
)
def test_work_that_waits_for_memory(judged, statement, expected):
    assert judge(judged, statement, THIN, 1.343e8) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Half the data movement makes the product 1.9x faster.", ("b", UNDERMINES)),
        ("Fewer memory accesses: 1.9x faster.", ("b", UNDERMINES)),
        ("Tensor cores make the product 1.9x faster.", PASS),
    ],
)
def test_work_that_waits_for_arithmetic(judged, statement, expected):
    assert judge(judged, statement, CUBE, 4.03e8) == expected


def test_fewer_bytes_are_a_cause_where_memory_limits(judged):
    assert judge(judged, "Tensor cores make it 1.9x faster.", THIN, 6.7e7, before=1.343e8) == PASS


def test_near_the_ridge_both_limit(judged):
    assert judge(judged, "Tensor cores make it 1.9x faster.", CUBE, 7e9) == NOT_APPLICABLE
