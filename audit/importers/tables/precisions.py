"""The precisions that headings and cells name, as the options of a submission have them."""

from __future__ import annotations

import re
from functools import lru_cache

from ....rules.language.questions import format_of
from ....rules.language.reading import read

_ONE_NAME = {"fp64", "fp32", "tf32", "bf16", "fp16"}
"""Formats that have one name, however they are printed; another keeps its own, as nvfp4 and 8-bit do."""
_OF_BITS = {"32-bit": "fp32", "64-bit": "fp64", "float8": "fp8"}


@lru_cache(maxsize=4096)
def formats_in(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return the precisions that a text names: begin, end, and the name as options have it."""
    found, tokens = [], read(text).tokens
    for name in read(text).all_names:
        if tokens.low(name.first - 1) == "_" == tokens.low(name.last):  # NVIDIA_TF32_OVERRIDE
            continue
        # the last part of a longer name may be one: TorchScript-FP16
        printed = name.text if name.kind == "format" else re.split(r"[-_ ](?![0-9]*bit)", name.text)[-1]
        precision = _option_of(printed) if name.kind == "format" or _is_numbered(printed) else ""
        if precision:
            found.append((name.end - len(printed), name.end, precision))
    return tuple(found)


def _is_numbered(printed: str) -> bool:
    return any(sign.isdigit() for sign in printed) and format_of(printed) is not None


def _option_of(printed: str) -> str:
    """Return the name of a precision as options have it; empty for what is none, as a format of files."""
    plain, known = printed.casefold().removesuffix("s"), format_of(printed)
    if known == "mixed":
        return "mixed precision"
    if plain in _OF_BITS or known in _ONE_NAME:
        return _OF_BITS.get(plain) or str(known)
    if known in {"e4m3", "e5m2"}:
        return "fp8"
    if (
        plain.startswith("q")
        or (known is None and "int" in plain)
        or " " in plain
        or not any(sign.isdigit() for sign in plain)
    ):
        return ""
    return known if known is not None and plain.startswith(known) else plain


def without_variant(heading: str) -> tuple[str, str]:
    """Return a heading without the precision that it names, and that precision."""
    found = formats_in(heading)
    if len(found) != 1:
        return heading, ""
    begin, end, precision = found[0]
    bare = " ".join((heading[:begin] + heading[end:]).split())
    return bare.strip("-: ") or heading, precision


def precision_of(text: str) -> str:
    """Return the name of a precision as options have it; empty where a text names none."""
    plain = text.casefold().strip()
    for prefix in ("amp_", "torch."):
        if plain.startswith(prefix) and len(plain) > len(prefix):
            return precision_of(plain[len(prefix) :])
    found = variants_of(text)
    return found[0] if found else "fp16" if plain == "half" else ""


def variants_of(heading: str) -> tuple[str, ...]:
    """Return the precisions that a heading names, in its order: "Batch size / GPU: mixed precision, FP32"."""
    return tuple(name for _, _, name in formats_in(heading))
