"""Units at the very end of a text."""

import pytest
from dlaudit.rules.language.reading import read


@pytest.mark.parametrize(
    "text", ["3 percentage points", "The gain is 3 percentage-points", "up by 3 percentage points."]
)
def test_a_unit_of_two_words_may_end_a_text(text):
    (quantity,) = read(text).quantities()
    assert (quantity.value, quantity.unit) == (3, "percentage_points")
