"""The fact `suite.accuracy`."""

import pytest
from dlaudit.rules.facts.suite.accuracy import rounded


@pytest.mark.parametrize(
    ("number", "figures"), [("75.69450", "75.694"), ("75.69550", "75.696"), ("0.8608383", "0.86084")]
)
def test_five_figures_half_to_even(number, figures):
    from decimal import Decimal

    assert str(rounded(Decimal(number))) == figures
