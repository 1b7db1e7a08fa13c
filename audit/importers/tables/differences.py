"""Whether a column of a quality holds differences of it ("Δ top-1", "Accuracy drop"), which are no level of it."""

from __future__ import annotations

from ....rules.facts.training.quality_names import is_change
from ....rules.language.cells import printed
from ....rules.language.reading import read


def difference(bare: str, texts: list[str]) -> bool:
    """Whether a column that names a quality holds changes or shares of another level of it.

    Its heading says so, or a number carries a plus sign, or one is negative, as no quality but a loss is.
    """
    if is_change(bare):
        return True
    signed = [text for cell in texts if (text := cell.strip().replace("−", "-")).startswith(("+", "-"))]
    added = any(text[1:].lstrip()[:1] in tuple("0123456789.") for text in signed if text[0] == "+")
    if added or read(bare, "header").has("quality_of_any_sign", affirmed=False):
        return added
    return any((found := printed(text)) is not None and found.high < 0 for text in signed)
