"""The fact `quantities.discrepancy`."""

from dlaudit.rules.facts.quantities.discrepancy import separates, weighed
from dlaudit.rules.language.printed import Span, span
from dlaudit.rules.outcome import CAVEAT, REFUTES


def exact(value):
    return Span(span(str(value)).low, span(str(value)).high)


def test_one_percent_counts_where_it_decides():
    assert weighed(REFUTES, span("0.01").low) is CAVEAT
    assert weighed(REFUTES, span("0.01").low, True) is REFUTES
    assert separates(Span(span("2").low, span("2").high), exact(0), (span("1").high,))
    assert not separates(exact(3), exact(4), (span("1").high,))
