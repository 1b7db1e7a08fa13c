"""Binding: every number of a text finds its unit, its key, its head noun or its metric, or is listed as unbound.

The order decides. Names own their tokens; then numbers with units; then numbers that share the unit of the next one;
then units that stand alone; then keys, counts and qualities. What is left over is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from . import headers, keys, lexicon, modifiers, phrases, products, sharing, structure
from .durations import clock_at
from .factors import word_factor_at
from .names import Name
from .numbers import Number, is_inside, number_at
from .phrases import Count
from .quantities import quantity_at
from .quantity import Quantity, made
from .tokens import NUMBER, SIGN, WORD, Tokens

MOST_ELIDED, FEW = 12, 6
"""Tokens between two counts of which the second leaves out the noun."""
HELD = ("data", "power")
"""What a device has: "one 80 GB GPU"."""
UNSIZED = ("tokens", "requests", "sequence_length", "batch_size", "steps")
"""What a number with the size of a model does count: 600B tokens, not "models up to 70B run on ..."."""


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


def bind(tokens: Tokens, names: Sequence[Name], kind: str | None = None) -> Bound:
    """Return what the numbers of a text belong to; `kind` may say that it is a cell, a header or a heading."""
    return _Binder(tokens, names, kind).bound()


class _Binder:
    def __init__(self, tokens: Tokens, names: Sequence[Name], kind: str | None) -> None:
        self._tokens, self._kind = tokens, kind
        self._owners: list[Name | None] = [None] * (len(tokens) + 1)
        for name in names:
            self._owners[name.first : name.last] = [name] * (name.last - name.first)
        self._quantities: list[Quantity] = []
        self._counts: list[Count] = []
        self._pending: list[Number] = []
        self._told: Quantity | None = None
        self._at: dict[int, Quantity] = {}

    def bound(self) -> Bound:
        self._read_numbers()
        self._share_units()
        self._quantities = sharing.with_ranges(self._tokens, self._quantities)
        self._at = {q.first: q for q in self._quantities}
        taken = {at for q in self._quantities for at in range(q.first, q.last)}
        for found in headers.units_alone(self._tokens, self._owner, taken, self._kind):
            self._add(found)
        unbound = self._lists(self._bind_pending())
        self._quantities.sort(key=lambda q: q.first)
        self._qualities()
        unbound = self._scores(self._scores(unbound, 1)[::-1], -1)[::-1]
        self._quantities.sort(key=lambda q: q.first)
        self._counts = sharing.with_spans(self._tokens, sorted(self._counts, key=lambda c: c.first))
        return Bound(tuple(self._quantities), tuple(self._counts), tuple(unbound))

    def _owner(self, at: int) -> Name | None:
        return self._owners[at] if 0 <= at < len(self._owners) else None

    def _add(self, quantity: Quantity) -> int:
        self._quantities.append(quantity)
        self._at[quantity.first] = quantity
        return quantity.last

    def _read_numbers(self) -> None:
        """Walk over the tokens: names are skipped, numbers with units and values of keys are taken, others wait."""
        tokens, at = self._tokens, 0
        self._counts += keys.glued_keys(tokens, self._owner)
        taken = {at for count in self._counts for at in range(count.first, count.last)}
        while at < len(tokens):
            name = self._owner(at)
            if name is not None or at in taken:
                at = structure.past_versions(tokens, name) if name is not None else at + 1
            elif fleet := products.nested(tokens, at, self._owner):
                self._counts += fleet
                at = fleet[-1].last
            elif (found := clock_at(tokens, at) or word_factor_at(tokens, at)) is not None:
                at = self._add(found)
            else:
                number = number_at(tokens, at)
                at = max(self._take(self._clipped(number)) if number is not None else 0, at + 1)

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
        key = keys.by_key(tokens, number)
        found = quantity_at(tokens, number, self._owner)
        numbered = structure.is_reference(tokens, number)
        if found is not None and (not numbered or found.dimension in ("percent", "ratio", "time")):
            return self._add(self._of_device(found))
        label = headers.labelled(tokens, number, self._owner) if key is None else None
        if key is None and label is None:
            label = self._told = headers.of_subject(tokens, number, self._owner, self._told)
        if label is not None:
            self._add(label)
        elif key is not None:
            self._counts.append(key)
        else:
            self._pending.append(number)
        return number.last

    def _of_device(self, found: Quantity) -> Quantity:
        """Return a memory or a power that a device has as counted per device: "one 80 GB GPU"."""
        name = self._owner(found.last)
        device = self._tokens.low(found.last) in lexicon.words("units", "devices")
        owned = device or (name is not None and name.kind == "device")
        return replace(found, per="device") if owned and not found.per and found.dimension in HELD else found

    def _share_units(self) -> None:
        """Give numbers without a unit that of the quantity behind them, from the last number to the first."""
        left: list[Number] = []
        for number in reversed(self._pending):
            at = number.first - 1 - (self._tokens.low(number.first - 1) in (":", "="))
            scored = any(headers.is_quality(self._owner(k)) for k in (at, at - (self._tokens.low(at) == "score")))
            lent = None if scored else sharing.lender(self._tokens, number, self._at)
            found = sharing.shared(self._tokens, number, *lent, self._kind) if lent is not None else None
            if found is None:
                left.append(number)
            else:
                self._add(found)
        self._pending = left[::-1]

    def _bind_pending(self) -> list[Number]:
        ending = {q.last: q for q in self._quantities}
        left: list[Number] = []
        listed = {c.last for c in self._counts if self._tokens.low(c.first - 1) == "["}
        for number in self._pending:
            if number.first - 1 in listed and self._tokens.low(number.first - 1) == ",":  # "batch_size=[1, 2, 4]"
                listed.add(number.last)
                left.append(number)
                continue
            behind = keys.by_key_behind(self._tokens, number)
            behind = behind or products.by_times(self._tokens, number, self._owner, ending.get)
            behind = behind or products.by_memory(self._tokens, number, self._at.get)
            times = self._tokens.low(number.last) in modifiers.TIMES and self._owner(number.last + 1) is not None
            if behind is None and not times and structure.is_structural(self._tokens, number, self._kind):
                continue
            count = self._count(number, behind)
            if count is not None:
                self._counts.append(count)
            elif (quality := self._quality(number)) is not None:
                self._add(quality)
            else:
                left.append(number)
        return left

    def _count(self, number: Number, behind: Count | None) -> Count | None:
        """Return what a number counts: its head, a key behind it, or the size of a model."""
        count = phrases.by_head(self._tokens, number, self._owner, self._at.get)
        said = behind is not None and count is not None and count.noun in behind.noun.split(" ")
        if said or count is None or count.of == "other" or self._tokens.low(number.first - 1) in modifiers.TIMES[:2]:
            count = behind or count
        size = keys.parameters(self._tokens, number, self._owner)
        if size is None or (count is not None and count.of in UNSIZED):
            return count
        return replace(size, of="tokens") if size.noun == "b" and self._continues_tokens(number) else size

    def _continues_tokens(self, number: Number) -> bool:
        """Whether a bare "10B" stands for tokens, as the count before it: "0.7B tokens (the original needed 10B)"."""
        near = (c for c in self._counts[-FEW:] if c.of == "tokens" and 0 < number.first - c.last < MOST_ELIDED)
        return self._tokens.kind(number.last) != WORD and any(near)

    def _quality(self, number: Number) -> Quantity | None:
        """Return a bare number of a quality metric: "BLEU of 28.4", "37.4 mAP"."""
        large = not number.is_range and number.low == int(number.low) and number.low > 100 and number.spread is None
        scored = headers.is_quality(self._owner(number.last))
        part = self._tokens.glued(number.last) and self._tokens.kind(number.last) == WORD  # "3D"
        before = lexicon.classes("nouns", "heads").get(self._tokens.low(number.first - 1))
        other = self._is_variant(number) or before in ("steps", "epochs")  # "by iteration 70,000 CIDEr is"
        if number.worded or ((large or part) and not scored) or other:
            return None
        last = number.last
        joins = ("to", "and", "→", "->", ",")
        while last - number.first < FEW and self._tokens.low(last) in joins and self._tokens.counts(last + 1):
            last += 2  # "from 7.2 to 6.1 PPL"
        metric = headers.metric_near(self._tokens, number.first, last, self._owner)
        scored = "." in self._tokens[number.first].text and 0 < number.low <= 100
        metric = metric or (headers.scored_on(self._tokens, number.first, last, self._owner) if scored else None)
        if metric is None:
            return None
        return replace(made(self._tokens, number.first, number.last, number, None, "quality"), metric=metric.text)

    def _lists(self, left: list[Number]) -> list[Number]:
        """Give numbers of a list the noun of their neighbour: "8, 16 and 32 GPUs", "batch sizes 1, 8 and 64"."""
        tokens = self._tokens
        starts = {at: c for c in self._counts for at in range(c.first, c.last)}
        ends = {c.last: c for c in self._counts}
        unbound: list[Number] = []
        rest: list[Number] = []
        for number in left:
            before = self._neighbour(number.first - 1, -1, ends) or self._elided(number, ends)
            if before is not None and is_inside(tokens, before.first):  # "from 90 tok/s at batch 2 to 140"
                before = None
            if before is not None and not number.worded and before.of != "parameters" and self._fits(number, before):
                self._counts.append(phrases.counted(tokens, number, before.of, before.noun))
                ends[number.last] = self._counts[-1]
            else:
                rest.append(number)
        for number in reversed(rest):
            times = tokens.low(number.last) in modifiers.TIMES  # "from 1x to 8x GPUs"
            after = None if modifiers.is_value(tokens, number) else self._neighbour(number.last + times, 1, starts)
            alike = after is not None and after.worded == number.worded and not (number.worded and number.low == 1)
            hyphened = after is not None and tokens.low(after.last) == "-" != tokens.low(number.last)
            after = None if hyphened else after  # "alpha 128, and 4-step"
            if after is not None and alike and self._fits(number, after):
                self._counts.append(phrases.counted(tokens, number, after.of, after.noun))
                starts[number.first] = self._counts[-1]
            elif number.suffix in ("k", "K") and self._is_length(number):
                self._counts.append(phrases.counted(tokens, number, "sequence_length"))
            elif not number.worded:
                unbound.append(number)
        return unbound[::-1]

    def _fits(self, number: Number, count: Count) -> bool:
        """Whether a number may count what a neighbour does: whole or scaled, not the 3.0 of a version."""
        if self._is_variant(number) or (number.low != int(number.low) and count.of not in ("epochs", "tokens")):
            return False
        return bool(number.suffix) or count.of in ("epochs", "tokens") or "." not in self._tokens[number.first].text

    def _is_variant(self, number: Number) -> bool:
        """Whether a number belongs to the letters before it: "XL/2"."""
        return self._tokens.low(number.first - 1) == "/" and self._tokens.kind(number.first - 2) == WORD

    def _elided(self, number: Number, ends: dict[int, Count]) -> Count | None:
        """Return the count whose noun is left out: "32 GPUs for training and 8 for tests", "64 images instead of 8"."""
        own = self._tokens.low(number.first - 1)  # "instead of your 8", "instead of Foo's 8"
        first = number.first - (2 if own == "'s" else own in lexicon.words("nouns", "determiners"))
        lows, tie = self._tokens.lows(first - 2, first), self._tokens.low(number.last)
        before = self._tokens.low(first - 1)
        if before == "(":
            near = (ends[k] for k in range(number.first - 1, number.first - 4, -1) if k in ends)
            return next(near, None) if tie in lexicon.words("nouns", "asides") else None
        at = next((k for k in range(number.first - 1, number.first - MOST_ELIDED, -1) if k in ends), None)
        if at is None:
            return None
        if lows == ["of", "which"]:
            return ends[at]
        if not lexicon.words("nouns", "contrasts").isdisjoint((before, " ".join(lows))):
            ended = self._tokens.kind(number.last) in (SIGN, "") or tie in lexicon.words("nouns", "formerly")
            return ends[at] if ended else None
        listed = before in ("and", "or", ",") and tie in ("for", "on", "in", "at", "during", "with")
        total = self._tokens.lows(number.last, number.last + 2) == ["in", "total"]
        return ends[at] if listed and (total or tie in self._tokens.lows(at, number.first)) else None

    def _neighbour(self, at: int, step: int, found: dict[int, Count]) -> Count | None:
        """Return the count on the other side of a comma, "and" or an arrow."""
        connectors = lexicon.words("nouns", "connectors")
        if step > 0:  # "64 (solid line) and 128 neurons"
            at = modifiers.past_remark(self._tokens, at)
        begin = at
        while abs(at - begin) < 3 and self._tokens.low(at) in connectors:
            at += step
        return found.get(at if step > 0 else at + 1) if at != begin else None

    def _is_length(self, number: Number) -> bool:
        thousands = number.low / 1000
        binary = thousands == int(thousands) and not int(thousands) & (int(thousands) - 1)
        around = self._tokens.lows(number.first - MOST_ELIDED, number.last + MOST_ELIDED)
        return binary and not lexicon.words("nouns", "length_words").isdisjoint(around)

    def _qualities(self) -> None:
        """Make a share beside a quality metric a quality: "76.1 % top-1 accuracy"; a change stays a share."""
        for k, found in enumerate(self._quantities):
            plain = found.unit == "%" and found.dimension == "percent" and found.value is not None
            if not plain or headers.is_change(self._tokens, found):
                continue
            behind = modifiers.past_remark(self._tokens, found.last)
            metric = headers.metric_near(self._tokens, found.first, behind, self._owner)
            metric = metric or headers.metric_said(self._tokens, found, self._owner)
            text = metric.text if metric is not None else self._carried(k, found)
            on = headers.scored_on(self._tokens, found.first, found.last, self._owner) if text is None else None
            text = on.text if on is not None else text
            if text is not None:
                self._quantities[k] = replace(found, dimension="quality", metric=text)
                self._lead_up(k)

    def _lead_up(self, k: int) -> None:
        """Give the shares of a list the metric of its last: "99.0 % (CPU), 99.1 % (GPU) and 83.4 % accuracy"."""
        last = self._quantities[k]
        for n in range(k - 1, -1, -1):
            found = self._quantities[n]
            at = begin = modifiers.past_remark(self._tokens, found.last)
            while self._tokens.low(at) in (",", "and", "or", "/", "&"):
                at += 1
            if found.unit != "%" or found.dimension != "percent" or not begin < at == last.first:
                return
            last = self._quantities[n] = replace(found, dimension="quality", metric=last.metric)

    def _scores(self, left: list[Number], step: int) -> list[Number]:
        """Give decimals of a list the metric of their neighbour: "0.65/0.64 F1", "mAP from 37.1 to 37.3"."""
        tokens, joins = self._tokens, lexicon.words("metrics", "score_joins")
        sides = {(q.last if step > 0 else q.first): q for q in self._quantities if q.dimension == "quality"}
        rest: list[Number] = []
        for number in left:
            begin = at = number.first - 1 if step > 0 else number.last
            while abs(at - begin) < 3 and tokens.low(at) in joins:
                at -= step
            near = sides.get(at + (step > 0)) if at != begin else None
            plain = "." in tokens[number.first].text and not number.suffix
            plain = plain and (step < 0 or headers.ends_phrase(tokens, number.last))
            if near is None or near.unit is not None or not plain:
                rest.append(number)
                continue
            found = made(tokens, number.first, number.last, number, None, "quality")
            self._quantities.append(replace(found, metric=near.metric))
            sides[number.last if step > 0 else number.first] = self._quantities[-1]
        return rest

    def _carried(self, k: int, found: Quantity) -> str | None:
        """Return the metric of the value before, where a list or "to" joins the two."""
        before = self._quantities[k - 1] if k else None
        if before is None or before.dimension != "quality" or not 0 < found.first - before.last <= 6:
            return None
        joins = lexicon.words("numbers", "quality_carriers")
        for at in range(before.last, found.first):
            name = self._owner(at)
            if self._tokens.low(at) not in joins if name is None else name.kind not in ("dataset", "split"):
                return None
        return before.metric
