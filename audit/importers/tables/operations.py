"""The unit of a column of operations per second, from its heading and from what can be."""

from __future__ import annotations

from ....rules.language.reading import read
from .cells import number

_SCALES = {"t": 12, "p": 15, "g": 9}
_MOST = 1e20
"""Operations per second: a hundred exaflops, more than any machine does."""


def operations_unit(bare: str, texts: list[str]) -> str:
    """Return the unit of a column whose heading names FLOP.

    Numbers that no machine reaches in the unit with its prefix are operations as they are: "Model TFLOP" over
    4.21e14 names the quantity.
    """
    heading = read(bare, "header")
    per = next((read(item.text).words()[-1] for item in heading.mentions("for_each_device")), "")
    prefix = next((word[0] for word in heading.words() if word[1:].startswith("flop") and word[0] in _SCALES), "")
    device = {"": "", "gpu": "/GPU"}.get(per, f"/{per}")
    most = max((float(found.printed) for text in texts if (found := number(text)) is not None), default=0.0)
    if not prefix or most * 10.0 ** _SCALES[prefix] >= _MOST:
        return f"FLOP/s{device}"
    return f"{prefix.upper()}FLOP/s{device}"
