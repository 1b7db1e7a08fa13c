"""The unit of a column of operations per second, from its heading and from what can be."""

from __future__ import annotations

import re

from .cells import number

_SCALES = {"t": 12, "p": 15, "g": 9}
_MOST = 1e20
"""Operations per second: a hundred exaflops, more than any machine does."""


def operations_unit(bare: str, texts: list[str]) -> str:
    """Return the unit of a column whose heading names FLOP.

    Numbers that no machine reaches in the unit with its prefix are operations as they are: "Model TFLOP" over
    4.21e14 names the quantity.
    """
    per = re.search(r"/ ?(gpu|device|chip)", bare)
    prefix = re.search(r"([tpg])flop", bare)
    device = {"gpu": "/GPU"}.get(per[1], f"/{per[1]}") if per is not None else ""
    most = max((float(found.printed) for text in texts if (found := number(text)) is not None), default=0.0)
    if prefix is None or most * 10.0 ** _SCALES[prefix[1]] >= _MOST:
        return f"FLOP/s{device}"
    return f"{prefix[1].upper()}FLOP/s{device}"
