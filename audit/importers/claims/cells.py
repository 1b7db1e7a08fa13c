"""Numbers of sentences that a table of the document holds: the claims of its cells that they repeat.

A reference to a table comes first. Else a cell is the one where value, unit and what is known of both agree, and no
other cell does. Where several do, no link is made, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from ....rules.language.reading import Reading
from ..documents.blocks import Written
from ..documents.captions import label
from ..drafting import Drafting
from .facts import Fact
from .pairs import is_named
from .statements import Statement

if TYPE_CHECKING:
    from ..fields import ClaimFields

SPEED = frozenset({"rate", "time", "latency"})
FEWEST_DIGITS = 2
"""Digits from which on a number is told from others without a reference."""
LINKS = ("measured", "base", "row", "quality")


class Cell(Struct, frozen=True):
    """A number of a table that is claimed.

    Attributes:
        claim: its claim.
        table: name of its table.
        line: where it stands.
        said: what its arm and table say in words.
    """

    claim: ClaimFields
    table: str
    line: int
    said: str


class Link(Struct, frozen=True):
    """What was found for a number.

    Attributes:
        fields: those of a claim that link it to its cell.
        mode: training or inference, as its table says.
        why: why there is no link, where one was looked for.
    """

    fields: ClaimFields
    mode: str = ""
    why: str = ""


NONE = Link(cast("ClaimFields", {}))


class Cells(Struct, frozen=True):
    """The claimed numbers of a document's tables, and the tables by what their captions call them."""

    every: tuple[Cell, ...]
    labels: Mapping[str, str]


def cells_of(draft: Drafting, document: Written) -> Cells:
    """Return the claimed numbers of the tables that a draft holds."""
    found = []
    of_arm = {row.get("arm"): name for name, table in _tables(draft).items() for row in table["rows"].values()}
    for key, claim in draft.claims.items():
        arm = claim["measured"]["arm"] if "measured" in claim else None
        where = draft.origins.get(f"/claims/{key}/value")
        if arm is not None and where is not None and "value" in claim:
            found.append(Cell(claim, of_arm.get(arm, ""), where.line, draft.arms[arm].get("label") or ""))
    return Cells(tuple(found), _labels(document, found))


def _labels(document: Written, cells: Sequence[Cell]) -> Mapping[str, str]:
    """Return the tables by the label of the caption that stands right above or below them."""
    found: dict[str, str] = {}
    for at, block in enumerate(document.blocks):
        name = label(block.text) if block.kind == "caption" else ""
        for beside in document.blocks[max(0, at - 1) : at + 2] if name else ():
            lines = {cell.place.line for row in beside.cells for cell in row}
            table = next((cell.table for cell in cells if cell.table and cell.line in lines), None)
            if table is not None and table not in found.values():
                found.setdefault(name, table)
    return found


def _tables(draft: Drafting) -> Mapping[str, Any]:
    return draft.fields.get("tables", {})


def _is_over(draft: Drafting, cell: Cell, item: Statement, reading: Reading) -> bool:
    """Whether a ratio of a cell may be over what a sentence compares with: not where that is its own subject."""
    if item.base is None:
        return True
    words, ref = reading.source[slice(*item.base)], cell.claim.get("base") or {}
    base = draft.arm(str(ref.get("arm"))).fields.get("label") or ""
    return not is_named(words, cell.said) or is_named(words, base)


def link_of(
    draft: Drafting, cells: Cells, reading: Reading, line: int, item: Statement, facts: Mapping[str, Fact]
) -> Link:
    """Return how a number is linked to the cell of a table that holds it.

    Args:
        draft: what is written.
        cells: the claimed numbers of tables.
        reading: the sentence.
        line: where it stands.
        item: the number.
        facts: the conditions that hold for it.
    """
    if not cells.every or item.low != item.value:
        return NONE
    meant = _referred(cells, reading, line)
    sure = meant is not None or len(item.value.replace(".", "").lstrip("0")) >= FEWEST_DIGITS
    fitting = [
        cell
        for cell in cells.every
        if (meant is None or cell.table == meant) and sure and _holds(cell, item) and _agrees(draft, cell, facts)
        if _is_over(draft, cell, item, reading)
    ]
    named = [cell for cell in fitting if cell.said and reading.says(cell.said)]
    kept = named or fitting
    links = {str({name: cell.claim.get(name) for name in LINKS}): cell for cell in kept}
    if len(links) == 1:
        claim = next(iter(links.values())).claim
        fields = {name: claim.get(name) for name in LINKS if name in claim}
        return Link(cast("ClaimFields", fields), claim["mode"])
    if links:
        return Link(NONE.fields, why=f"{len(links)} cells hold it, linked to none")
    return Link(NONE.fields, why="not found in the table that its sentence names") if meant else NONE


def _holds(cell: Cell, item: Statement) -> bool:
    """Whether a cell holds a number of a sentence: of the same kind and unit, and rounded or cut to its digits.

    A ratio is rounded: one that is cut is as likely another one.
    """
    claim = cell.claim
    alike = claim["quantity"] == item.quantity or (item.form == "ratio" and {claim["quantity"], item.quantity} <= SPEED)
    value = claim.get("value")
    if not alike or value is None or claim["form"] != item.form or (claim.get("unit") or "") != item.unit:
        return False
    printed, own = Decimal(item.value), Decimal(value)
    last = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    ways = (ROUND_HALF_UP,) if item.form == "ratio" else (ROUND_HALF_UP, ROUND_DOWN)
    finer = int(own.as_tuple().exponent) <= int(printed.as_tuple().exponent)
    return own == printed or (finer and printed in {own.quantize(last, way) for way in ways})


def _agrees(draft: Drafting, cell: Cell, facts: Mapping[str, Fact]) -> bool:
    """Whether nothing that is known of a number contradicts what is known of the arm of a cell."""
    arm = draft.arms[cell.claim["measured"]["arm"]]
    system = draft.systems.get(arm.get("system") or "")
    options = arm.get("options", {})
    known = {
        "devices": arm.get("devices"),
        "device": system.get("device") if system is not None else None,
        "model": options.get("model"),
        "dataset": options.get("dataset"),
        "precision": options.get("precision", {}).get("compute"),
    }
    own = {name: facts[name].value for name in known if name in facts and facts[name].own}
    return all(
        own[name] is None
        or known[name] is None
        or (_one_device if name == "device" else _alike)(own[name], known[name])
        for name in own
    )


def _one_device(own: object, other: object) -> bool:
    """Whether two names may be of one device: "NVIDIA A100" and "A100 80GB" share what tells devices apart."""
    first, second = ({each for each in str(name).casefold().split() if _tells(each)} for name in (own, other))
    return bool(first & second) or _alike(own, other)


def _tells(word: str) -> bool:
    return any(c.isdigit() for c in word) and word[:1].isalpha()


def _alike(own: object, other: object) -> bool:
    first, second = ("".join(c for c in str(value).casefold() if c.isalnum()) for value in (own, other))
    return first in second or second in first


def _referred(cells: Cells, reading: Reading, line: int) -> str | None:
    """Return the table that a sentence names: "Table 2", "the table above"; None where it names none."""
    for item in reading.mentions("claims.table_number"):
        name = cells.labels.get(label(item.text))
        if name is not None:
            return name
    lines = {cell.table: cell.line for cell in cells.every if cell.table}
    if reading.has("claims.table_above"):
        return max(((at, name) for name, at in lines.items() if at < line), default=(0, None))[1]
    if reading.has("claims.table_below"):
        return min(((at, name) for name, at in lines.items() if at > line), default=(0, None))[1]
    return None
