"""Binding: every number of a text finds its unit, its key, its head noun or its metric, or is listed as unbound.

The order decides. Names own their tokens; then numbers with units; then numbers that share the unit of the next one;
then units that stand alone; then keys, counts and qualities. What is left over is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from . import headers, keys, lexicon, phrases, sharing, structure
from .durations import clock_at
from .factors import word_factor_at
from .names import Name
from .numbers import Number, number_at
from .phrases import Count
from .quantities import quantity_at
from .quantity import Quantity, made
from .tokens import NUMBER, WORD, Token

MOST_ELIDED = 12
"""Tokens between two counts of which the second leaves out the noun."""


class Bound(Struct, frozen=True):
    """What the numbers of a text belong to.

    Attributes:
        quantities: numbers with their units, and units alone, in order.
        counts: numbers with what they count.
        unbound: numbers that belong to nothing that is understood.
    """

    quantities: tuple[Quantity, ...]
    counts: tuple[Count, ...]
    unbound: tuple[Number, ...]


def bind(tokens: Sequence[Token], names: Sequence[Name], kind: str | None = None) -> Bound:
    """Return what the numbers of a text belong to; `kind` may say that it is a cell, a header or a heading."""
    return _Binder(tokens, names, kind).bound()


class _Binder:
    def __init__(self, tokens: Sequence[Token], names: Sequence[Name], kind: str | None) -> None:
        self._tokens, self._kind = tokens, kind
        self._owners: list[Name | None] = [None] * (len(tokens) + 1)
        for name in names:
            self._owners[name.first : name.last] = [name] * (name.last - name.first)
        self._quantities: list[Quantity] = []
        self._counts: list[Count] = []
        self._pending: list[Number] = []
        self._at: dict[int, Quantity] = {}

    def bound(self) -> Bound:
        self._read_numbers()
        self._share_units()
        self._quantities = sharing.with_ranges(self._tokens, self._quantities)
        self._at = {q.first: q for q in self._quantities}
        self._add_headers()
        unbound = self._lists(self._bind_pending())
        self._qualities()
        self._quantities.sort(key=lambda q: q.first)
        self._counts.sort(key=lambda c: c.first)
        return Bound(tuple(self._quantities), tuple(self._counts), tuple(unbound))

    def _owner(self, at: int) -> Name | None:
        return self._owners[at] if 0 <= at < len(self._owners) else None

    def _word(self, at: int) -> str:
        return self._tokens[at].low if 0 <= at < len(self._tokens) else ""

    def _add(self, quantity: Quantity) -> None:
        self._quantities.append(quantity)
        self._at[quantity.first] = quantity

    def _read_numbers(self) -> None:
        """Walk over the tokens: names are skipped, numbers with units and values of keys are taken, others wait."""
        tokens, at = self._tokens, 0
        taken: set[int] = set()
        for count in keys.glued_keys(tokens, self._owner):
            self._counts.append(count)
            taken.update(range(count.first, count.last))
        while at < len(tokens):
            name = self._owner(at)
            if name is not None or at in taken:
                at = name.last if name is not None else at + 1
                continue
            fleet = phrases.nested(tokens, at, self._owner)
            if fleet:
                self._counts += fleet
                at = fleet[-1].last
                continue
            found = clock_at(tokens, at) or word_factor_at(tokens, at)
            if found is not None:
                self._add(found)
                at = found.last
                continue
            number = number_at(tokens, at)
            if number is None:
                at += 1
                continue
            at = max(self._take(self._clipped(number)), at + 1)

    def _clipped(self, number: Number) -> Number:
        """Return a number whose range does not run into a name: "8-16-bit"."""
        for at in range(number.first + 1, number.last):
            if self._owner(at) is not None:
                last = at - (self._tokens[at - 1].kind != NUMBER)
                return replace(number, last=max(last, number.first + 1), high=number.low)
        return number

    def _take(self, number: Number) -> int:
        """Take a number as a quantity or a key's value, or keep it for later; return the token after it."""
        tokens = self._tokens
        key = keys.by_key(tokens, number, self._owner)
        found = self._of_device(quantity_at(tokens, number, self._owner))
        if found is not None and key is not None:
            letter = found.last == number.last + 1 and tokens[number.last].low == "m"
            if self._word(found.last) in lexicon.classes("compare", "adjectives"):
                key = None
            elif found.dimension == "ratio" or (letter and found.dimension == "time"):
                found = None
        if found is not None and not (
            structure.is_reference(tokens, number) and found.dimension not in ("percent", "ratio", "time")
        ):
            self._add(found)
            return found.last
        label = headers.labelled(tokens, number, self._owner) if key is None else None
        if label is not None:
            self._add(label)
        elif key is not None:
            self._counts.append(key)
        else:
            self._pending.append(number)
        return number.last

    def _of_device(self, found: Quantity | None) -> Quantity | None:
        """Return a memory or a power that a device has as counted per device: "one 80 GB GPU"."""
        if found is None or found.per is not None or found.dimension not in ("data", "power"):
            return found
        at = found.last
        name = self._owner(at)
        if (name is not None and name.kind == "device") or (
            at < len(self._tokens) and self._tokens[at].low in lexicon.words("units", "devices")
        ):
            return replace(found, per="device")
        return found

    def _share_units(self) -> None:
        """Give numbers without a unit that of the quantity behind them, from the last number to the first."""
        left: list[Number] = []
        for number in reversed(self._pending):
            scored = headers.is_quality(self._owner(number.first - 1))
            lent = None if scored else sharing.lender(self._tokens, number, self._at)
            found = sharing.shared(self._tokens, number, *lent, self._kind) if lent is not None else None
            if found is None:
                left.append(number)
            else:
                self._add(found)
        self._pending = left[::-1]

    def _add_headers(self) -> None:
        taken = {at for q in self._quantities for at in range(q.first, q.last)}
        for found in headers.units_alone(self._tokens, self._owner, taken, self._kind):
            self._add(found)

    def _bind_pending(self) -> list[Number]:
        ending = {q.last: q for q in self._quantities}
        left: list[Number] = []
        for number in self._pending:
            behind = keys.by_key_behind(self._tokens, number) or phrases.by_times(
                self._tokens, number, self._owner, ending.get
            )
            if behind is None and structure.is_structural(self._tokens, number, self._kind):
                continue
            count = phrases.by_head(self._tokens, number, self._owner, self._at.get)
            said = behind is not None and count is not None and behind.noun.split(" ")[-1] == count.noun
            if said or count is None or count.of == "other" or self._word(number.first - 1) in ("x", "×"):
                count = behind or count
            size = keys.parameters(self._tokens, number, self._owner)
            if size is not None and size.noun == "b" and self._continues_tokens(number):
                size = replace(size, of="tokens")
            if size is not None and (
                count is None or count.of in ("devices", "nodes", "parameters", "layers", "models", "other", "samples")
            ):
                count = size
            if count is not None:
                self._counts.append(count)
                continue
            quality = self._quality(number)
            if quality is not None:
                self._add(quality)
            else:
                left.append(number)
        return left

    def _continues_tokens(self, number: Number) -> bool:
        """Whether a bare "10B" stands for tokens, as the count before it: "0.7B tokens (the original needed 10B)"."""
        before = next((c for c in reversed(self._counts) if c.of == "tokens"), None)
        plain = number.last >= len(self._tokens) or self._tokens[number.last].kind != WORD
        return plain and before is not None and 0 < number.first - before.last < 12

    def _quality(self, number: Number) -> Quantity | None:
        """Return a bare number of a quality metric: "BLEU of 28.4", "37.4 mAP"."""
        if number.worded or (
            not number.is_range and number.low == int(number.low) and number.low > 100 and number.spread is None
        ):
            return None
        metric = headers.metric_near(self._tokens, number.first, number.last, self._owner)
        metric = metric or headers.scored_on(self._tokens, number, self._owner)
        if metric is None:
            alone = number.spread is not None and number.half < Decimal("0.5")
            alone = alone and number.first <= 1 and number.last >= len(self._tokens) - 1
            if not alone:
                return None
        found = made(self._tokens, number.first, number.last, number, None, "quality")
        return replace(found, metric=metric.text if metric is not None else None)

    def _lists(self, left: list[Number]) -> list[Number]:
        """Give numbers of a list the noun of their neighbour: "8, 16 and 32 GPUs", "batch sizes 1, 8 and 64"."""
        connectors = lexicon.words("nouns", "connectors")
        starts = {at: c for c in self._counts for at in range(c.first, c.last)}
        ends = {c.last: c for c in self._counts}
        unbound: list[Number] = []
        rest: list[Number] = []
        for number in left:
            before = self._neighbour(number.first, -1, ends, connectors)
            if before is None and self._word(number.first - 1) == "(":
                aside = self._word(number.last) in lexicon.words("nouns", "asides")
                before = ends.get(number.first - 1) if aside else None
            before = before or self._elided(number)
            if before is not None and not number.worded and before.of != "parameters":
                count = phrases.counted(self._tokens, number, before.of, before.noun)
                self._counts.append(count)
                ends[count.last] = count
            else:
                rest.append(number)
        for number in reversed(rest):
            after = self._neighbour(number.last, 1, starts, connectors)
            if (
                after is not None
                and self._word(number.first - 1) not in ("=", ":")
                and (not number.worded or after.worded)
                and (after.of != "parameters" or number.suffix)
            ):
                count = phrases.counted(self._tokens, number, after.of, after.noun)
                self._counts.append(count)
                starts[count.first] = count
            elif number.suffix in ("k", "K") and self._is_length(number):
                self._counts.append(phrases.counted(self._tokens, number, "sequence_length"))
            elif not number.worded:
                unbound.append(number)
        return unbound[::-1]

    def _elided(self, number: Number) -> Count | None:
        """Return the count whose noun is left out: "32 GPUs for training and 8 for evaluation"."""
        tie = self._word(number.last)
        if self._word(number.first - 1) not in ("and", "or") or tie not in ("for", "on", "in", "at", "during"):
            return None
        before = max((c for c in self._counts if c.last < number.first), key=lambda c: c.last, default=None)
        near = before is not None and number.first - before.last < MOST_ELIDED
        tied = near and before is not None and tie in {t.low for t in self._tokens[before.last : number.first]}
        return before if tied else None

    def _neighbour(self, at: int, step: int, found: dict[int, Count], connectors: frozenset[str]) -> Count | None:
        """Return the count on the other side of a comma, "and" or an arrow."""
        moved = 0
        while moved < 3:
            place = at if step > 0 else at - 1
            if not 0 <= place < len(self._tokens) or self._tokens[place].low not in connectors:
                break
            at, moved = at + step, moved + 1
        return found.get(at) if moved else None

    def _is_length(self, number: Number) -> bool:
        thousands = number.low / 1000
        if thousands != int(thousands) or int(thousands) & (int(thousands) - 1):
            return False
        around = self._tokens[max(0, number.first - 12) : number.last + 12]
        return any(t.low in lexicon.words("nouns", "length_words") for t in around)

    def _qualities(self) -> None:
        """Make a share beside a quality metric a quality: "76.1 % top-1 accuracy"; a change stays a share."""
        for k, found in enumerate(self._quantities):
            if (
                found.unit != "%"
                or found.dimension != "percent"
                or found.value is None
                or headers.is_change(self._tokens, found)
            ):
                continue
            metric = headers.metric_near(self._tokens, found.first, found.last, self._owner)
            text = metric.text if metric is not None else self._carried(k, found)
            if text is not None:
                self._quantities[k] = replace(found, dimension="quality", metric=text)

    def _carried(self, k: int, found: Quantity) -> str | None:
        """Return the metric of the value before, where a list or "to" joins the two."""
        before = self._quantities[k - 1] if k else None
        if before is None or before.dimension != "quality" or found.first - before.last > 6:
            return None
        joins = lexicon.words("numbers", "quality_carriers")
        between = self._tokens[before.last : found.first]
        named = {self._owner(at) for at in range(before.last, found.first)} - {None}
        plain = all(t.low in joins for at, t in enumerate(between, before.last) if self._owner(at) is None)
        return (
            before.metric
            if between and plain and all(n is not None and n.kind in ("dataset", "split") for n in named)
            else None
        )
