"""Names of devices in headings, captions and cells."""

from __future__ import annotations

from collections.abc import Iterator

from ....rules.language import lexicon
from ....rules.language.names import Name
from ....rules.language.reading import Reading, read
from ....rules.language.tokens import NUMBER
from ....rules.language.units import unit_at
from ....rules.tables.accelerators import accelerators
from ....schemas.pattern import Pattern

LONGEST_CELL = 100
SHORTEST = 2
"""Letters of a model such as M1, which as a part of a longer name may be anything."""
_SIGNS = Pattern(r"[-_ ]+")


def device_in(text: str) -> str:
    """Return the model of device that a text names, with the form and the memory behind it; empty where none is."""
    return next(_devices(read(text)), "")


def one_device_in(text: str) -> str:
    """Return the only model of device that a text names; empty where it names none, or several."""
    found = set(_devices(read(text)))
    longest = max(found, key=len, default="")
    return longest if all(each.casefold() in longest.casefold() for each in found) else ""


def _devices(reading: Reading) -> Iterator[str]:
    """Yield the accelerators that a text names, each with its form and its memory."""
    for name in reading.all_names:
        numbered = any(sign.isdigit() for sign in name.text)
        if name.kind == "system" and numbered:  # DGX A100
            model = _SIGNS.sub(" ", name.text).split()[-1]
            yield from (model + _behind(reading, name.last) for _ in read(model).names("device"))
        part = reading.tokens.glued(name.first) and reading.tokens.low(name.first - 1) in ("_", "-")
        if name.kind == "device" and numbered and not name.host and not (part and len(name.text) == SHORTEST):
            last = _end_of_model(reading, name)
            yield reading.source[name.start : reading.tokens[last - 1].end] + _behind(reading, last)


def _end_of_model(reading: Reading, name: Name) -> int:
    """Return the end of the model in a name that goes on with signs: "H100_80GB_SXM5_node-7"."""
    tokens = reading.tokens
    first = next((at for at in range(name.first, name.last) if tokens.kind(at) == NUMBER), name.last)
    return next((at for at in range(first, name.last) if tokens.low(at) in ("_", "-")), name.last)


def _behind(reading: Reading, last: int) -> str:
    """Return the form and the memory behind a model as printed, given the token after it."""
    tokens, forms, first = reading.tokens, lexicon.words("devices", "forms"), last
    while last < len(tokens):
        at = last + (tokens.low(last) in ("-", "_"))
        memory = unit_at(tokens, at + 1) if tokens.kind(at) == NUMBER and len(tokens[at].text) > 1 else None
        if memory is not None and memory.dimension == "data":
            last = memory.last
        elif tokens.low(at) in forms:
            last = at + 1 + (tokens.glued(at + 1) and tokens.kind(at + 1) == NUMBER)
        else:
            break
    return reading.source[tokens[first - 1].end : tokens[last - 1].end]


def count_of(text: str) -> int | None:
    """Return how many devices a cell says that a system has, where it says nothing else: 8 of "8 x A100"."""
    count, _, device = text.strip()[:LONGEST_CELL].casefold().replace("×", "x").replace("*", "x").partition("x")
    number, named = count.strip(), device.strip()
    counted = number.isascii() and number.isdigit() and len(number) <= 5 and not number.startswith("0")
    return int(number) if counted and named and device_in(named) == named else None


def names_hardware(text: str) -> bool:
    """Whether a cell names a device, a processor or a machine: "vLLM" is a system of another kind."""
    reading = read(text)
    named = any(name.kind in ("device", "system") for name in reading.all_names)
    return named or reading.has("word_of_hardware", affirmed=False) or bool(accelerators().named(text[:LONGEST_CELL]))


def is_of_host(label: str) -> bool:
    """Whether a row's label says that it ran on a processor, "Device CPU", and not that something was kept there."""
    parts = [read(part).tokens.lows(0, LONGEST_CELL) for part in label.casefold().split(",")]
    kept = any(low.startswith(("offload", "optimi", "gpu")) for part in parts for low in part)
    return not kept and any(part[-1:] in (["cpu"], ["cpus"]) or part[-2:] == ["cpu", "only"] for part in parts)
