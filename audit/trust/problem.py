"""What a verification found: one code and one message a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Weight = Literal["broken", "untrusted"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold."""

    code: str
    """Stable name, such as `subject-changed`."""
    message: str
    """What, where and what to do, for a person."""
    weight: Weight = "broken"
    """`broken`: bytes, signature, fields or ledger contradict. `untrusted`: they hold, but no trusted key vouches."""
    where: str = ""
    """File in the study folder, with line and column where known."""
