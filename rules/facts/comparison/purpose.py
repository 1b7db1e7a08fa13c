"""What a claim asks its reader to believe."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...case import Case
from ...fields import field_of
from ...words import quality_at_stake

THROUGHPUT_ONLY = "throughput only: says nothing about convergence"


def throughput_only(claim: Claim, case: Case) -> bool:
    """Whether a claim is about the speed of a machine and puts no quality at stake."""
    purpose = field_of("purpose", claim, case)
    return purpose in {"hardware_throughput", "leaderboard"} and not quality_at_stake(claim, case)
