"""F06, percent-change-misstated: A percentage whose word says another change than its two numbers show."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.work import two_rates

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def times(new, base, statement, value, **claim):
    metric = {"quantity": "time", "unit": "s", "digits": None, "interval": None}
    return {
        "claims": {"speedup": {"statement": statement, "value": value, "unit": "%", "quantity": "time", **claim}},
        "arms": {
            "fused": {"performance": {"rate": {"value": new, **metric}}},
            "plain": {"performance": {"rate": {"value": base, **metric}}},
        },
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (times("70.0", "100.0", "Steps are 43 % faster.", "43"), PASS),
        (times("70.0", "100.0", "Steps are 30 % faster.", "30"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Steps take 30 % less time.", "30"), PASS),
        (times("70.0", "100.0", "The time is reduced by 43 %.", "43"), ("b", CAVEAT)),  # counted from the new time
        (times("70.0", "100.0", "It shortens training, on the same devices, by 43 %.", "43"), PASS),
        (times("70.0", "100.0", "It shortens the training of both models by 43 %.", "43"), ("b", CAVEAT)),
        (times("70.0", "100.0", "It cuts the training time of the model by 30 %.", "30"), PASS),
        (times("70.0", "100.0", "Steps take 43 % less time.", "43"), ("b", CAVEAT)),
        (times("70.0", "100.0", "With 43 % less, it is done.", "43"), PASS),  # less of what, it does not say
        (times("70.0", "100.0", "At a lower precision time improves by 43 %.", "43"), PASS),
        (two_rates("1430", "1000", statement="It cuts step time by 43 %.", value="43", unit="%"), ("b", CAVEAT)),
        (two_rates("1430", "1000", statement="It cuts step time by 30 %.", value="30", unit="%"), PASS),
        (times("70.0", "100.0", "The time is reduced by 70 %.", "70"), ("a", UNDERMINES)),  # to 70 %, not by 70 %
        (times("142.9", "100.0", "Steps are 30 % faster.", "30"), ("a", UNDERMINES)),  # they are slower
        (times("70.0", "100.0", "Steps are 30 % better.", "30"), NOT_APPLICABLE),
        (times("70.0", "100.0", "30 % faster, at 20 % less energy.", "30"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Faster by a third (30 %), at 20 % less energy.", "30"), NOT_APPLICABLE),
        (times("70.0", "100.0", "Steps are 12 % faster.", "12"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Steps are a bit faster: 12 %.", "12"), NOT_APPLICABLE),  # fits nothing: F04 speaks
        (times("130.0", "100.0", "Steps take 30 % more time.", "30"), PASS),
        (times("70.0", "100.0", "Time is shortened by 12 %.", "12"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Steps are 1.30x faster.", "1.30", unit="x"), NOT_APPLICABLE),
        (two_rates("1430", "1000", statement="It is 43 % faster.", value="43", unit="%"), PASS),
        (two_rates("1430", "1000", statement="It is 143 % faster.", value="143", unit="%"), ("a", UNDERMINES)),
        (two_rates("1430", "1000", statement="It gives 48 % more.", value="48", unit="%"), ("a", UNDERMINES)),
        (two_rates("1430", "1000", statement="It raises the rate by 48 %.", value="48", unit="%"), ("a", UNDERMINES)),
        (two_rates("1430", "1000", statement="It is at 143 % of the base.", value="143", unit="%"), NOT_APPLICABLE),
        (two_rates("700", "1000", statement="It has 30 % less.", value="30", unit="%"), PASS),
    ],
)
def test_a_percentage_and_its_word(judged, patch, expected):
    assert answer(judged("training-pair", "F06", "speedup", patch)) == expected
