"""What the words around a table, and the upper level of its headings, tell of columns that tell too little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..report_file import ReportFile
from .captioned import told_above
from .context import Context, context
from .grids import JOINED, Grid
from .in_documents import grids, shown_and_examples
from .outline import outline
from .precisions import precision_of
from .real_time import of_real_time
from .roles import RATIOS, VALUES, Role
from .series import Columns, columns
from .shapes import heading_role, shaped
from .suite_words import suite_words

KINDS = ("cpu", "gpu", "tpu", "npu")
_CLOCK = Pattern(r"[0-9]{1,4}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]{1,6})?")


def tables_of(file: ReportFile) -> Iterator[tuple[Context, Columns]]:
    """Yield the tables of a file: what stands around each, and its columns as far as both tell what they hold.

    Those in code that is Markdown itself show how to write one, unless no other table has a measured number.
    """
    found = tuple(_told(file, grids(file)))
    yield from found
    shown, examples = shown_and_examples(file) if not any(columns.measures for _, columns in found) else ((), ())
    if shown:
        yield from _told(file, examples)


def _told(file: ReportFile, tables: Iterable[Grid]) -> Iterator[tuple[Context, Columns]]:
    text = outline(file)
    for grid in tables:
        shape = shaped(grid)
        around, suite = context(shape, file.short_name), suite_words(text, grid) if text is not None else None
        if suite is not None:
            around = replace(around, suite=suite, mode=suite.part)
        found = settled(columns(shape, around, file.roles), around)
        yield around, replace(found, left_out=(*shape.left_out, *found.left_out))


def settled(found: Columns, around: Context) -> Columns:
    """Return the columns of a table with what its surroundings tell of them."""
    found = told_above(replace(found, roles=_grouped(found)), around)
    told = zip(found.grid.header, found.roles, strict=True)
    trains = around.mode == "training" or any(role.role == "epochs" for role in found.roles)
    wall = _on_each(found)
    kept = tuple(
        _timed(role, head.text, around, trains, wall) if head.text in found.guessed else role for head, role in told
    )
    kept = _of_the_whole(replace(found, roles=kept), trains)
    # what claims itself says nothing of how the row was run
    kept = tuple(
        Role("ignore") if role.role == "extra" and of_real_time(found, index) else role
        for index, role in enumerate(kept)
    )
    if around.suite is not None:
        kept = tuple(_of_suite(role, around.suite.part) for role in kept)
    return replace(found, roles=kept)


def _of_the_whole(found: Columns, trains: bool) -> tuple[Role, ...]:
    """Return the roles of times: that of a clock is of the whole work, one beside a count of tokens of a request."""
    corner = read(found.grid.header[0].text, "header")
    whole = "training_run" if trains or corner.has("heading.training", affirmed=False) else "pipeline"
    made = any(read(cell.text, "header").has("heading.tokens_made", affirmed=False) for cell in found.grid.header)
    counts = (read(cell.text, "header").has("heading.requests_served", affirmed=False) for cell in found.grid.header)
    asked = "serving_window" if any(counts) else "request"
    roles = list(found.roles)
    for index, (role, head) in enumerate(zip(found.roles, found.grid.header, strict=True)):
        if role.role != "time" or role.scope is not None or head.text not in found.guessed:
            continue
        rows = enumerate(found.grid.rows)
        cells = [row[index].text for n, row in rows if found.number(n, index) is not None]
        if cells and all(_CLOCK.match(text) for text in cells):
            roles[index] = replace(role, scope=whole)
        elif made and role.unit in {"s", "ms"} and not read(head.text, "header").has("part_of_a_request"):
            roles[index] = replace(role, scope=asked)
    return tuple(roles)


def _of_suite(role: Role, part: str) -> Role:
    """Return a role with what a result of the suite covers: a time to train, the load of a scenario, or a query."""
    if role.scope is not None:
        return role
    if part == "training":
        return replace(role, scope="training_run") if role.role == "time" and role.unit in {"h", "min"} else role
    scope = {"rate": "serving_window", "energy": "serving_window", "latency": "request", "time": "request"}.get(
        role.role
    )
    return replace(role, scope=scope)


def _grouped(found: Columns) -> tuple[Role, ...]:
    """Return the roles with the level of the heading that names no quantity as what a column is about.

    Where only one such name heads measured columns, it holds for the table, and its options may be anybody's.
    """
    named: dict[int, tuple[str, Role]] = {}
    for index, (head, group) in enumerate(zip(found.grid.header, found.grid.groups, strict=False)):
        if group and head.text in found.guessed:
            upper, lower = heading_role(group), head.text.removeprefix(group + JOINED)
            name, told = (lower, upper) if upper.role in VALUES else (group, heading_role(lower))
            named[index] = (found.roles[index].variant or precision_of(name) or name.casefold(), told)
    if len({name for index, (name, _) in named.items() if found.roles[index].role in VALUES}) < 2:
        return found.roles
    roles = list(found.roles)
    for index, (name, told) in named.items():
        if roles[index].role == "extra" and told.role not in (*VALUES, *RATIOS):
            of_all = told.role == "batch" and not any(role.role in {"devices", "nodes"} for role in roles)
            roles[index] = replace(told, variant=name, role="global_batch" if of_all else told.role)
        elif not roles[index].variant:
            roles[index] = replace(roles[index], variant=name, stem=told.stem or roles[index].role)
    return tuple(roles)


def _on_each(found: Columns) -> bool:
    """Whether columns compare the times on a processor and on an accelerator: "CPU time", "GPU time"."""
    heads = [cell.text.casefold() for cell in found.grid.header]
    return sum(any(f"{kind} time" in head for head in heads) for kind in KINDS) > 1


def _timed(role: Role, heading: str, around: Context, trains: bool, wall: bool) -> Role:
    """Return the role of a time with what it covers: hours and days of a training are those of the whole run.

    Args:
        role: of the column.
        heading: its heading.
        around: what stands around the table.
        trains: whether it is one of trainings.
        wall: whether the time on a device is what it took there, and not what was spent of it.
    """
    if role.role != "time" or role.scope is not None:
        return role
    head = read(heading, "header")
    if not wall and head.has("devices_spent", affirmed=False):
        return Role("extra")
    if around.mode == "inference" or head.has("part_of_a_training", affirmed=False):
        return role
    # the whole of a training is its run; of anything else it is no training
    if trains and head.has("whole_time", affirmed=False):
        return replace(role, scope="training_run")
    if role.unit not in {"h", "days", "min"}:
        return role
    reached = read(around.caption, "caption").has("trained_to_an_end", affirmed=False)
    told = role.mode == "training" or reached or head.has("time_of_a_training", affirmed=False)
    counted = any(trains and role.unit == unit for unit in ("h", "days")) or (trains and around.mode == "none")
    return replace(role, scope="training_run") if told or counted else role
