"""Units as headings and cells print them: work per second, times, bytes, operations per second, and their scales."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from ....schemas.pattern import Pattern

Dimension = Literal["rate", "time", "bytes", "flops", "percent", "times", "scale"]
_WORK_WORDS = (
    "samples?|imgs?|images?|pictures?|tok(?:en)?s?|seqs?|sequences?|sent(?:ence)?s?|frames?|steps?|iter(?:ation)?s?|it|"
    "examples?|req(?:uest)?s?|quer(?:y|ies)|words?|ops?|operations?|s|t"
)
_DEVICE_WORDS = "gpu|device|chip|accelerator|core|tpu|card"
_RATE = Pattern(
    rf"(?<![a-z])(?P<scale>[km]|g(?=ops?\b)|thousand |million |billion )? ?(?P<work>{_WORK_WORDS}) ?(?:/|per) ?"
    r"(?P<time>s|sec|second|min|minute)s?\b"
    rf"(?: ?(?:/|per) ?(?P<device>{_DEVICE_WORDS})\b)?"
)
_OTHER_RATE = Pattern(r"(?P<work>[a-z][a-z .-]{1,30}?) ?(?:/|per) ?(?P<time>s|sec|second|min|minute|h|hour|day)")
_SHORT_RATES = {"fps": "frames/s", "qps": "queries/s", "rps": "requests/s", "ips": "per second"}
_WORK = {
    **dict.fromkeys(("s", "sample"), "samples"),
    **dict.fromkeys(("t", "tok", "toks", "token"), "tokens"),
    **dict.fromkeys(("img", "imgs", "image", "picture", "pictures"), "images"),
    **dict.fromkeys(("seq", "seqs", "sequence"), "sequences"),
    **dict.fromkeys(("sent", "sents", "sentence"), "sentences"),
    **dict.fromkeys(("it", "iter", "iters", "iteration"), "iterations"),
    **dict.fromkeys(("req", "reqs", "request"), "requests"),
    **dict.fromkeys(("op", "ops", "operation", "operations"), "ops"),
    "frame": "frames",
    "step": "steps",
    "example": "examples",
    "query": "queries",
    "word": "words",
}
TIMES = {
    **dict.fromkeys(("ns", "nanoseconds"), "ns"),
    **dict.fromkeys(("us", "µs", "μs", "usec", "microseconds"), "us"),
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "days"),
}
_TIME_WORD = Pattern(
    r"[(\[](?:in )?([a-zµμ]{1,12})[)\]]|\bin ([a-z]{1,12})$|[_ ](ms|us|ns|s|sec|secs)$"
    r"|\b(?:time|duration|elapsed|runtime|wall\w*|train\w*|latency)\b.*[_ ](seconds|mins|minutes|h|hr|hrs|hours|days)$"
)
_EACH = Pattern(
    r"(?P<time>ns|us|µs|μs|msec|ms|secs?|seconds?|s|mins?|minutes?|hours?|hrs?|h) ?(?:/|per) ?"
    r"(?P<each>its?|iter(?:ation)?s?|steps?|batch|epochs?|tok(?:en)?s?|images?|imgs?|im|samples?|frames?|quer(?:y|ies)|"
    r"req(?:uest)?s?|run|call|layer)"
)
STEPS = {"it", "its", "iter", "iters", "iteration", "iterations", "step", "steps", "batch", "epoch"}
_BYTES = Pattern(r"(?P<prefix>[kmgtp]?)(?P<binary>i?)b(?:ytes?)?")
_FLOPS = Pattern(
    r"(?P<prefix>[kmgtpe]|kilo|mega|giga|tera|peta|exa)?[ -]?flop(?:s|(?:s?(?: ?(?:/|per) ?s(?:ec(?:ond)?)?)?))"
    rf"(?: ?(?:/|per) ?(?P<device>{_DEVICE_WORDS}))?"
)
PREFIXES = {"": 0, "k": 3, "m": 6, "g": 9, "t": 12, "p": 15, "e": 18}
_NAMES = {0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
_LONG = {"kilo": "k", "mega": "m", "giga": "g", "tera": "t", "peta": "p", "exa": "e"}
_SECONDS = {"ns": -9, "us": -6, "ms": -3, "s": 0}
_SUFFIXES = {"k": 3, "K": 3, "M": 6, "G": 9, "B": 9, "T": 12, "thousand": 3, "million": 6, "billion": 9}
_TIMES_A_POWER = Pattern(
    r"[(\[] ?(?:in )?(?:x|×|\*) ?(?:10\^?(?P<power>[369])|(?P<plain>1[, ]?000(?:[, ]?000)?)|1?(?P<short>k))"
    r"(?: [^()\[\]]*)?[)\]]"
    r"|[(\[] ?(?:in )?(?:10\^(?P<power2>[369])|(?P<plain2>1[, ]?000(?:[, ]?000)?)|(?P<word>thousands?|millions?))\b"
)
_IN_THOUSANDS = Pattern(r"[(\[] ?(?:in )?k ?[)\]]|(?:/|per)[ _]?s(?:ec|econd)?[ _]k$")


class Measure(Struct, frozen=True):
    """A unit: what it measures, and by which power of ten its numbers stand for its base.

    Attributes:
        dimension: what it measures; `scale` is a bare suffix of a number.
        base: the unit without its power of ten: `tokens/s`, `s`, `min`, `s/token`, `B`, `iB`, `FLOP/s/GPU`.
        exponent: the power of ten.
    """

    dimension: Dimension
    base: str
    exponent: int = 0

    @property
    def sized(self) -> bool:
        """Whether the unit has prefixes of its own: ms, GB, TFLOP/s."""
        return self.dimension in {"time", "bytes", "flops"}

    def at(self, exponent: int) -> str:
        """Return the name of the unit with another power of ten."""
        if self.dimension == "time":
            name, slash, each = self.base.partition("/")
            return {-9: "ns", -6: "us", -3: "ms"}.get(exponent, name) + slash + each if name == "s" else self.base
        return _NAMES[exponent] + self.base if self.sized else self.base


def shifted(printed: str, exponent: int) -> str:
    """Return a number times a power of ten with the digits that are printed: 1.8 and 3 give 1.8e3, 750 and -3 0.750."""
    if exponent == 0:
        return printed
    value = Decimal(printed).scaleb(exponent)
    last = value.as_tuple().exponent
    if isinstance(last, int) and last <= 0 and "e" not in printed.casefold():
        return format(value, "f")
    digits, _, power = printed.casefold().partition("e")
    return f"{digits}e{int(power or 0) + exponent}"


@lru_cache(maxsize=1024)
def measure(text: str) -> Measure | None:
    """Return the unit that follows a number; None where it is none that is known."""
    raw = re.sub(r"\s*\([^()]*\)$", "", text.strip()).strip(" ↑↓*†‡")
    plain = raw.casefold().rstrip(".")
    if plain in {"%", "percent", "per cent"}:
        return Measure("percent", "%")
    if plain in {"x", "×", "times"}:
        return Measure("times", "x")
    if raw in _SUFFIXES:
        return Measure("scale", "", _SUFFIXES[raw])
    if plain in TIMES:
        return _time(TIMES[plain])
    each = _EACH.fullmatch(plain)
    if each is not None:
        return each_of(each)
    return _flops(plain) or _rate_of(raw) or _bytes(plain)


def each_of(match: re.Match[str]) -> Measure:
    """Return the time for one of something: s/it is a time, ms/token that for a token."""
    found = _time(TIMES[match["time"]])
    word = match["each"].rstrip("s")
    return found if word in STEPS else Measure("time", f"{found.base}/{_singular(word)}", found.exponent)


def _singular(word: str) -> str:
    return {"tok": "token", "img": "image", "im": "image", "req": "request", "querie": "query"}.get(word, word)


def each_in(text: str) -> re.Match[str] | None:
    """Return where a heading says a time for one of something: "Latency (ms/token)", "s/it"."""
    return re.search(rf"(?<![a-z0-9]){_EACH.pattern}(?![a-z])", text)


def in_time(unit: str, dimension: Dimension) -> Measure | None:
    """Return the unit that follows a number of a column that measures something: of a time, "m" are minutes."""
    return _time("min") if dimension == "time" and unit.strip() == "m" else measure(unit)


def time_in(heading: str) -> Measure | None:
    """Return the unit of time that stands in a heading: "(ms)", "in hours", "train time h", "Latency (ms/token)"."""
    each = each_in(heading)
    if each is not None:
        return each_of(each)
    match = _TIME_WORD.search(heading)
    unit = TIMES.get(match[1] or match[2] or match[3] or match[4] or "") if match is not None else None
    return _time(unit) if unit is not None else None


def bytes_in(heading: str) -> Measure | None:
    """Return the unit of memory that stands in a heading: "(GB)", "in GiB", "memory used gb"."""
    match = re.search(r"[(\[ ](?:in )?([kmgt]i?b)(?:ytes)?(?:\)|\]|$| )", heading)
    return _bytes(match[1]) if match is not None else None


def _time(unit: str) -> Measure:
    return Measure("time", "s", _SECONDS[unit]) if unit in _SECONDS else Measure("time", unit)


def _rate_of(raw: str) -> Measure | None:
    plain = raw.casefold()
    if plain in _SHORT_RATES:
        return Measure("rate", _SHORT_RATES[plain])
    suffix, rest = (raw[0], raw[1:].strip()) if raw[:1] in _SUFFIXES and raw[1:2] == " " else ("", raw)
    match = _RATE.fullmatch(rest.casefold())
    if match is not None:
        found = _rate(match)
        return Measure("rate", found.base, found.exponent + _SUFFIXES.get(suffix, 0))
    other = _OTHER_RATE.fullmatch(plain)
    return Measure("rate", raw) if other is not None and other["work"] not in TIMES else None


def _rate(match: re.Match[str]) -> Measure:
    device = {"gpu": "/GPU"}.get(match["device"] or "", f"/{match['device']}" if match["device"] else "")
    work = _WORK.get(match["work"], match["work"])
    scale = {"k": 3, "m": 6, "g": 9, "thousand": 3, "million": 6, "billion": 9}.get((match["scale"] or "").strip(), 0)
    return Measure("rate", f"{work}/{'min' if match['time'].startswith('m') else 's'}{device}", scale)


def rate_in(text: str) -> Measure | None:
    """Return the unit of work per time that stands in a heading."""
    match = _RATE.search(text.casefold())
    if match is not None:
        return _rate(match)
    short = re.search(r"\b(fps|qps|rps)\b", text.casefold())
    return Measure("rate", _SHORT_RATES[short[1]]) if short is not None else None


def other_rate_in(heading: str) -> str | None:
    """Return the unit of a work per second that is none of the known ones, where it stands in brackets: "(task/s)"."""
    match = re.search(r"[(\[](?P<work>[a-z][a-z ]{0,20}?) ?(?:/|per) ?(?:s|sec|second)[)\]]", heading)
    if match is None or match["work"] in TIMES or _flops(f"{match['work']}/s") is not None:
        return None
    size = _BYTES.fullmatch(match["work"])
    if size is not None:
        return f"{_NAMES[PREFIXES[size['prefix']]]}{size['binary']}B/s"
    return f"{match['work']}/s"


def rate_unit(text: str) -> str | None:
    """Return the unit of work per time that stands in a text, where it is not in thousands."""
    found = rate_in(text)
    return found.base if found is not None and not found.exponent else None


def rates_in(text: str) -> set[Measure]:
    """Return the units of work per time that stand in a text."""
    return {_rate(match) for match in _RATE.finditer(text.casefold())}


def _bytes(plain: str) -> Measure | None:
    match = _BYTES.fullmatch(plain)
    return Measure("bytes", f"{match['binary']}B", PREFIXES[match["prefix"]]) if match is not None else None


def _flops(plain: str) -> Measure | None:
    match = _FLOPS.fullmatch(plain)
    return flops_of(match) if match is not None else None


def flops_of(match: re.Match[str]) -> Measure:
    """Return a unit of operations per second."""
    prefix = match["prefix"] or ""
    device = {"gpu": "/GPU"}.get(match["device"] or "", f"/{match['device']}" if match["device"] else "")
    return Measure("flops", f"FLOP/s{device}", PREFIXES[_LONG.get(prefix, prefix)])


def flops_in(text: str) -> Measure | None:
    """Return the unit of operations per second that stands in a heading."""
    match = re.search(rf"(?<![a-z]){_FLOPS.pattern}(?![a-z])", text)
    return flops_of(match) if match is not None else None


def power_in(heading: str) -> int:
    """Return the power of ten by which a heading says that its numbers stand for more: "(x1000)", "(thousands)"."""
    match = _TIMES_A_POWER.search(heading.replace("³", "^3").replace("⁶", "^6").replace("^^", "^"))
    if match is None:
        return 3 if _IN_THOUSANDS.search(heading) else 0
    power, plain = match["power"] or match["power2"], match["plain"] or match["plain2"]
    if power:
        return int(power)
    if plain:
        return sum(c == "0" for c in plain)
    return 6 if (match["word"] or "").startswith("million") else 3
