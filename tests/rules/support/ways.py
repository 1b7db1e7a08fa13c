"""All rules of the twelve ways at once."""

from dlaudit.rules.book import book, by_code
from dlaudit.rules.outcome import Outcome

WAYS = [rule.code for rule in book() if rule.code[:3] in {"W04", "W05", "W06", "W07"}]


def violations(judged, base, name, patch, codes=WAYS):
    """Return what rules find on a claim, as (code, branch, effect)."""
    found = [judged(base, code, name, patch) for code in codes if by_code(code) is not None]
    assert not [result for result in found if result.outcome is Outcome.ERROR], found
    wrong = [result for result in found if result.outcome is Outcome.VIOLATION]
    return [(result.code, result.branch.branch, result.branch.effect) for result in wrong]
