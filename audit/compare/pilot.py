"""From a pilot's spread between trials to the trials that a comparison needs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ...rules.statistics.intervals import rounded
from ...rules.statistics.means import deviation
from ...rules.statistics.planning import trials_per_arm
from .comparison import Terms, measured_alone
from .subject import Subject

LEAST = 3


@dataclass(frozen=True, slots=True)
class Need:
    """What one metric of an arm needs."""

    arm: str
    metric: str
    pilot: int
    """Trials in the pilot."""
    spread: float
    """Standard deviation between trials: of the logarithm for a ratio, else in the metric's unit."""
    scale: str
    trials: int | None
    """Trials in each of two arms; None beyond 10,000."""

    def cells(self) -> tuple[str, str, str, str, str]:
        """Return the row of a table."""
        spread = f"{100 * self.spread:.2f} %" if self.scale == "ratio" else f"{self.spread:.4g}"
        return self.arm, self.metric, str(self.pilot), spread, "over 10000" if self.trials is None else str(self.trials)

    def as_value(self) -> dict[str, Any]:
        """Return it as a JSON value."""
        return {**asdict(self), "spread": rounded(self.spread)}


def needs(subject: Subject, terms: Terms, power: float) -> tuple[Need, ...]:
    """Return what every metric with finite values of three or more trials needs.

    Args:
        subject: the pilot.
        terms: the difference to be found, and at which error.
        power: probability of finding it.
    """
    found = []
    for name, side in subject.arms.items():
        for item in measured_alone(subject.case, side):
            contrast = item.contrast(terms)
            if len(contrast.new) < LEAST or not all(abs(value) < float("inf") for value in contrast.new):
                continue
            spread = deviation(contrast.new)
            trials = trials_per_arm(spread, contrast.margin, terms.alpha, power)
            found.append(Need(name, item.metric, len(contrast.new), spread, item.scale, trials))
    return tuple(found)
