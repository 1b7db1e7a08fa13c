"""The unit of a column of operations per second, from its heading and from what can be."""

from __future__ import annotations

from ....rules.language.columns import units_at
from ....rules.language.reading import read
from .cells import number

_PREFIXES = {9: "G", 12: "T", 15: "P"}
_MOST = 1e20
"""Operations per second: a hundred exaflops, more than any machine does."""


def operations_unit(bare: str, texts: list[str]) -> str:
    """Return the unit of a column whose heading names FLOP.

    Numbers that no machine reaches in the unit with its prefix are operations as they are: "Model TFLOP" over
    4.21e14 names the quantity.
    """
    heading = read(bare, "header")
    per = next((read(item.text).words()[-1] for item in heading.mentions("for_each_device")), "")
    scales = (unit.scale.adjusted() for unit in units_at(bare)[1] if unit.name in ("FLOP", "FLOP/s"))
    scale = next((scale for scale in scales if scale in _PREFIXES), None)
    device = {"": "", "gpu": "/GPU"}.get(per, f"/{per}")
    most = max((float(found.printed) for text in texts if (found := number(text)) is not None), default=0.0)
    prefix = _PREFIXES[scale] if scale is not None and most * 10.0**scale < _MOST else ""
    return f"{prefix}FLOP/s{device}"
