"""What is open about a number: a limit within its interval, an interval too wide to sign, trials on a busy machine."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from ...rules.case import Side
from ...rules.facts.comparison.disturbance import Lost
from ...schemas.evidence import Interval
from ...schemas.tender import Tender, TenderMetric
from ..compare.busy import LEAST_SHARE, losses_of
from . import width

Limit = Literal["kept", "missed", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Doubts:
    """What is open about a number, each as a clause; empty where nothing is."""

    limit: Limit | None
    """Whether the tender's limits are kept by the whole interval; None where there are none."""
    untold: str = ""
    """Why it cannot be told, and how many trials would tell."""
    wide: str = ""
    """How far the interval of a number without a limit reaches, beyond what the tender accepts; how many trials do."""
    kept_wide: str = ""
    """That it reaches as far and all of it keeps the limit: a caveat."""
    reach: str = ""
    """How far the interval reaches from the number, where that is beyond what the tender accepts."""
    unsure: str = ""
    """That the interval reaches beyond the margin of the acceptance test, where it is not too wide."""
    disturbed: str = ""
    """How many trials a busy machine disturbed, and by what."""
    busy: str = ""
    """The same in short."""

    @property
    def in_short(self) -> tuple[str, ...]:
        """The same for a page that says the first two in full elsewhere."""
        across = "the limit lies within its interval" if self.untold else ""
        wide = "too wide to sign" if self.wide else ""
        return tuple(words for words in (across, wide, self.kept_wide, self.unsure, self.busy) if words)

    @property
    def words(self) -> tuple[str, ...]:
        """All that is open; of a busy machine in short."""
        every = (self.untold, self.wide, self.kept_wide, self.unsure, self.busy)
        return tuple(words for words in every if words)


@dataclass(frozen=True, slots=True)
class _Made:
    """What an interval is made of."""

    count: int
    of: Literal["trials", "examples"] = "trials"


def doubts(
    tender: Tender, metric: TenderMetric, value: float, interval: Interval | None, side: Side | None, examples: int = 0
) -> Doubts:
    """Return what is open about a number.

    Args:
        tender: with the widest interval and the margins.
        metric: the number as the tender asks for it.
        value: as the vendor shows it.
        interval: likewise; a number without one is held against the limits by itself.
        side: the arm behind it.
        examples: that the interval is made of; 0 where it is made of trials.
    """
    names = _trials(metric, side)
    disturbed, busy = "", ""
    if side is not None and metric.quality is None:
        disturbed, busy = _disturbed(side, names, tender.acceptance.margin)
    if interval is None or interval.low is None or interval.high is None or not value:
        return Doubts(_held(metric, value, value), disturbed=disturbed, busy=busy)
    low, high = float(interval.low), float(interval.high)
    made = _Made(examples, "examples") if examples else _Made(len(names))
    found = Doubts(_held(metric, low, high), disturbed=disturbed, busy=busy)
    if found.limit == "cannot tell":
        found = replace(found, untold=_untold(metric, value, low, high, made))
    reach, widest = width.share(value, low, high), tender.widest_of(metric)
    if reach > widest:
        reaches, found = f"its interval reaches {_percent(reach)} from it", replace(found, reach=f"±{_percent(reach)}")
        if found.limit == "kept":
            return replace(found, kept_wide=f"wide: {reaches}, and all of it keeps the limit")
        if found.limit is not None:
            return found
        needed = _needed(value, low, high, made, value * (1 + widest))
        wide = f"too wide to sign: {reaches}, and {_percent(widest)} is accepted{_would(needed, made, 'do')}"
        return replace(found, wide=wide)
    if examples:  # acceptance asks the same ones again
        return found
    return replace(found, unsure=_unsure(tender, metric, value, max(high - value, value - low)))


def _held(metric: TenderMetric, low: float, high: float) -> Limit | None:
    """Return whether everything between two ends keeps the limits, or nothing does."""
    if metric.least is None and metric.most is None:
        return None
    least, most = float(metric.least or -math.inf), float(metric.most or math.inf)
    if low >= least and high <= most:
        return "kept"
    return "missed" if high < least or low > most else "cannot tell"


def _untold(metric: TenderMetric, value: float, low: float, high: float, made: _Made) -> str:
    limits = [("at least", metric.least), ("at most", metric.most)]
    words, limit = next((words, each) for words, each in limits if each and low <= float(each) <= high)
    needed = _needed(value, low, high, made, float(limit))
    return f"cannot tell whether it is {words} {limit}, which lies within its interval{_would(needed, made, 'tell')}"


def _needed(value: float, low: float, high: float, made: _Made, end: float) -> int | None:
    """Return how many trials, or examples, bring an interval to end before a number, where the value stays."""
    if made.of == "examples":
        return width.examples_for(max(high - value, value - low), made.count, abs(end - value))
    if min(value, low, end) > 0:
        reach, wanted = max(math.log(high / value), math.log(value / low)), abs(math.log(end / value))
    else:
        reach, wanted = max(high - value, value - low), abs(end - value)
    return width.trials_for(reach, made.count, wanted)


def _would(needed: int | None, made: _Made, verb: str) -> str:
    if made.count < width.LEAST:
        return ""
    if needed is None:
        most = width.MOST if made.of == "trials" else width.MOST_EXAMPLES
        return f"; not even {most:,} {made.of} would {verb}"
    return f"; about {needed:,} {made.of} would {verb}"


def _unsure(tender: Tender, metric: TenderMetric, value: float, off: float) -> str:
    terms = tender.acceptance
    if metric.quality is not None:
        allowed = terms.quality_margin
        return f"its interval reaches {off:.2g} from it, and acceptance allows {allowed:g}" if off > allowed else ""
    share, margin = off / abs(value), tender.margin_of(metric)
    words = f"its interval reaches {_percent(share)} from it, and acceptance allows {_percent(margin)}"
    return words if share > margin else ""


def _trials(metric: TenderMetric, side: Side | None) -> tuple[str, ...]:
    """Return the ids of the completed trials behind a number."""
    if side is None:
        return ()
    trained = metric.quality is not None or (metric.metric or "").endswith("_to_target")
    kinds = {trial.kind for trial in side.arm.trials.values()}
    kind = "convergence" if trained and "convergence" in kinds else side.timed_kind
    trials = side.arm.trials.items()
    return tuple(name for name, trial in trials if trial.kind == kind and trial.outcome == "completed")


def _disturbed(side: Side, names: tuple[str, ...], margin: float) -> tuple[str, str]:
    """Say how many trials lost more than the margin of acceptance to others, and to whom most of it went; in short."""
    limit = max(margin, LEAST_SHARE)
    found = [loss for loss in losses_of(side, names) if loss is not None]
    disturbed = [loss for loss in found if loss.share > limit]
    if not disturbed:
        return "", ""
    most = max(loss.share for loss in disturbed)
    count = f"{len(disturbed)} of {len(found)} trials"
    told = (
        f"the machine was busy: {count} lost more than {_percent(limit)} of their time "
        f"to {_to(disturbed)}, at most {_percent(most)}"
    )
    return told, f"busy machine: {count} disturbed"


def _to(losses: list[Lost]) -> str:
    taken = {
        "other programs": sum(loss.others for loss in losses),
        "other machines on its hardware": sum(loss.stolen for loss in losses),
        "throttling": sum(loss.throttled for loss in losses),
    }
    return max(taken, key=lambda name: taken[name])


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %" if share < 1 else f"{100 * share:.0f} %"
