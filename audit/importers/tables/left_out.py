"""What of a table became no number and no claim, in words."""

from __future__ import annotations

from collections.abc import Collection

from ..drafting import Drafting
from .basis import of_cells
from .cells import several, whole
from .precisions import variants_of
from .roles import COUNTS, RATIOS, VALUES
from .series import NONE, Columns

MOST_CELLS = 5
LONGEST = 40


def unread_cells(found: Columns) -> list[str]:
    """Return what to say of cells where a number is expected, and none is read; at most of five."""
    cells = []
    for n, row in enumerate(found.grid.rows):
        if n in found.ratio_rows:
            continue
        for index, (cell, role) in enumerate(zip(row, found.roles, strict=True)):
            if cell.text.casefold() in NONE or of_cells(each.text for each in row) == "target":
                continue
            if role.role in (*VALUES, *RATIOS) and found.number(n, index) is None:
                cells.append((cell, "not read as a number"))
            elif role.role in {*COUNTS, "nodes_x_devices"} and _uncounted(cell.text, found, index):
                what = role.role.replace("_", " ").replace("nodes x devices", "nodes x GPUs")
                cells.append((cell, f"not read as {what}, kept as printed"))
    told = [f"{cell.text[:LONGEST]!r} (line {cell.line}): {what}" for cell, what in cells[:MOST_CELLS]]
    more = len(cells) - MOST_CELLS
    return [*told, f"{more} further cells that are not read"] if more > 0 else told


def _uncounted(text: str, found: Columns, index: int) -> bool:
    """Whether a cell of a count holds digits and no count, nor one for each variant of its heading."""
    named = variants_of(found.grid.header[index].text)
    parts = 2 if found.roles[index].role == "nodes_x_devices" else len(named)
    plain = text.casefold().replace("x", ",") if found.roles[index].role == "nodes_x_devices" else text
    return any(sign.isdigit() for sign in text) and whole(text) is None and several(plain, parts) is None


def dropped_columns(draft: Drafting, found: Columns, kept: Collection[int]) -> list[str]:
    """Return what to say of columns with numbers of which none is kept or claimed.

    Args:
        draft: what is written.
        found: the columns.
        kept: those whose numbers stand in the draft.
    """
    told: list[str] = []
    roles = [role.role for role in found.roles]
    if all(index in kept for index, role in enumerate(roles) if role in (*VALUES, *RATIOS)):
        return told
    claimed = {(where.line, where.column) for pointer, where in draft.origins.items() if pointer.startswith("/claims/")}
    said = " ".join(draft.unused)
    for index, (head, role) in enumerate(zip(found.grid.header, found.roles, strict=True)):
        cells = [row[index] for n, row in enumerate(found.grid.rows) if found.number(n, index) is not None]
        if role.role not in (*VALUES, *RATIOS) or index in kept or not cells or f"{head.text} (line" in said:
            continue
        if not any((cell.line, cell.column) in claimed for cell in cells):
            told.append(f"{head.text or 'a column without a heading'} (line {head.line}): {_why(role.role, found)}")
    return told


def _why(role: str, found: Columns) -> str:
    if role == "scaling" and not any(each.role in {"devices", "nodes", "nodes_x_devices"} for each in found.roles):
        return "read as scaling, and no column counts devices or nodes; nothing is claimed"
    if role == "scaling":
        return "read as scaling, and rows with several numbers of devices or nodes are missing; nothing is claimed"
    if role == "speedup":
        return "read as a speed-up, and the numbers of its rows that it is one of are not read; nothing is claimed"
    return f"read as {role}, and no number of it is kept"


def nothing_claimed(draft: Drafting) -> tuple[str, str]:
    """Return what is wrong with tables of which no number is claimed, and what to do about it."""
    todo = "say what the columns hold with --map roles.yaml"
    ends = (": left out", "nothing is claimed", "that it is a speed-up of")
    unread = [text for text in draft.unused if ": not read as" in text or text.endswith(ends)]
    if unread:
        cells = "; ".join(unread[:MOST_CELLS])
        what = f"columns of its tables hold measured numbers by their headings, and no cell of them is read: {cells}"
        return what, "write plain numbers, with the unit in the heading: `Time (min)`, 210"
    unitless = [text for text in draft.unused if "no unit is stated" in text]
    if unitless:
        return f"no measured number of its tables has a unit: {'; '.join(unitless[:MOST_CELLS])}", todo
    return "no column of any table is known to hold a measured number with its unit", todo
