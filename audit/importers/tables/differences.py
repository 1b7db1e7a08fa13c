"""Whether a column of a quality holds differences of it ("Δ top-1", "Accuracy drop"), which are no level of it."""

from __future__ import annotations

import re

from ....rules.facts.training.quality_names import is_change
from ....schemas.pattern import Pattern

_LOSS = Pattern(r"\bloss\b|likelihood")


def difference(bare: str, texts: list[str]) -> bool:
    """Whether a column that names a quality holds changes or shares of another level of it.

    Its heading says so, or a number carries a plus sign, or one is negative, as no quality but a loss is.
    """
    if is_change(bare):
        return True
    plain = [text.strip().replace("−", "-") for text in texts]
    if any(re.match(r"\+ ?[0-9.]", text) for text in plain):
        return True
    return not _LOSS.search(bare) and any(re.match(r"- ?[0-9]*\.?[0-9]*[1-9]", text) for text in plain)
