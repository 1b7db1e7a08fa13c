"""When a flaw of single trials is a flaw of their arm."""

from __future__ import annotations

from ...statistics.binomial import upper_tail

LEAST_TRIALS = 3
LEAST_SHARE = 0.3
ERROR = 0.05
TAIL = 0.01


def of_the_arm(shown: int, trials: int) -> bool:
    """Whether `shown` of an arm's trials are more than chance, for a detector that errs in 5 % of honest trials.

    At least 3 trials and 30 % of them, or a binomial tail below .01. Judged trial by trial, 10 to 93 % of honest
    studies would be accused in simulations; so judged, at most 1 %.
    """
    if not 0 < shown <= trials:
        return False
    return (shown >= LEAST_TRIALS and shown >= LEAST_SHARE * trials) or upper_tail(shown, trials, ERROR) < TAIL
