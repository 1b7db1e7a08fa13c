"""The statistic that a text gives to a number."""

from __future__ import annotations

from decimal import Decimal

from ...schemas.submission import Claim
from ..language.answers import Mention
from ..language.reading import Reading

NAMED = {"median": "median", "mean": "mean", "best": "best_of", "p50": "median"}
MIDDLE = 50
STATISTICS = frozenset({"median", "mean", "best_of", "percentile"})
ALIASES = {"min": "best_of", "max": "best_of", "trimmed_mean": "mean"}
OF_LATENCY = frozenset({"latency", "time"})


def only_statistic(reading: Reading) -> str | None:
    """Return the one statistic that a text names; None where it names none, several, or another mean."""
    kinds = {NAMED.get(item.kind, "percentile" if item.kind[1:].isdigit() else "") for item in reading.statistic()}
    kinds |= {_of_percentile(reading, item) for item in reading.mentions("percentile")}
    found = kinds - {""}
    return found.pop() if len(found) == 1 and not reading.has("mean_over_devices", affirmed=False) else None


def _of_percentile(reading: Reading, item: Mention) -> str:
    """Return what a percentile is: the 50th is the median."""
    ranks = {token.value for token in reading.within(*item.span)} - {None}
    return "median" if ranks == {MIDDLE} or item.text.lower() == "p50" else "percentile"


def statistic_named(reading: Reading, claim: Claim) -> str | None:
    """Return the one statistic that a text names, where it may be that of a claim's number.

    A percentile in a sentence about a rate is that of the latency beside it.
    """
    named = only_statistic(reading)
    if named == "percentile" and claim.quantity not in OF_LATENCY:
        return None
    return None if _of_another_number(reading, claim) else named


def _of_another_number(reading: Reading, claim: Claim) -> bool:
    """Whether a text gives its statistic to another number: "99 % within 9.84 ms; the median is 9.33"."""
    ends = {item.end for item in reading.mentions("statistic_given")}
    told = {token.value for token in reading.tokens if token.end in ends}
    return bool(told) and claim.value is not None and Decimal(claim.value) not in told


def other_statistic(left: str | None, right: str | None) -> bool:
    """Whether two stated statistics surely differ."""
    ours, theirs = (ALIASES.get(name or "", name) for name in (left, right))
    return ours != theirs and ours in STATISTICS and theirs in STATISTICS
