"""Names of devices in headings, captions and cells."""

from __future__ import annotations

import re

from ....rules.tables.accelerators import accelerators
from ....schemas.pattern import Pattern

_MODEL = Pattern(
    r"(?:(?<![a-z0-9])|(?<=[0-9][x×]))(?:(?:rtx|gtx|quadro rtx|titan) ?[0-9a-z]{1,5}(?: ti| super| ada)?|"
    r"[ahptlb](?:4|10|30|40|60|100|200|300)s?|v100s?|gh200|gb[23]00|mi[0-9]{3}[xa]?|tpu ?v[0-9][a-z]?|k80|m60)"
    r"(?![a-z0-9]|\.[0-9])(?:[ _-]?(?:sxm[0-9]?|pcie|nvl|[0-9]{2,3} ?gi?b?)(?![a-z0-9]))*",
    re.IGNORECASE,
)
_HARDWARE = Pattern(
    r"\b(?:xeon|epyc|ryzen|threadripper|core i[3579]|graviton|grace|jetson|orin|apple m[1-9]|dgx|hgx|tpu|gpu|cpu|npu|"
    r"gaudi|trainium|inferentia|raspberry|snapdragon|geforce|radeon|instinct|tesla|pixel|iphone)\b|\bdgx|_?[0-9]x[ahv]100",
    re.IGNORECASE,
)


def device_in(text: str) -> str:
    """Return the model of device that a text names, with the form and the memory behind it; empty where none is."""
    match = _MODEL.search(text)
    return match[0].strip() if match is not None else ""


def one_device_in(text: str) -> str:
    """Return the only model of device that a text names; empty where it names none, or several."""
    found = {match[0].strip() for match in _MODEL.finditer(text)}
    longest = max(found, key=len, default="")
    return longest if all(each.casefold() in longest.casefold() for each in found) else ""


def count_of(text: str) -> int | None:
    """Return how many devices a cell says that a system has, where it says nothing else: 8 of "8 x A100"."""
    match = re.fullmatch(r"([1-9][0-9]{0,4}) ?[x×*] ?(?P<device>[^0-9].*)", text.strip()[:100], re.IGNORECASE)
    return int(match[1]) if match is not None and device_in(match["device"]) == match["device"].strip() else None


def names_hardware(text: str) -> bool:
    """Whether a cell names a device, a processor or a machine: "vLLM" is a system of another kind."""
    if device_in(text) or _HARDWARE.search(text):
        return True
    return bool(accelerators().named(text[:100]))
