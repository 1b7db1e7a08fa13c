"""What the words around a table, and the upper level of its headings, tell of columns that tell too little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ....rules.language.columns import units_of
from ....rules.language.reading import read
from ..report_file import ReportFile
from .cells import number, whole
from .context import Context, context
from .grids import JOINED, Grid
from .in_documents import grids, shown_and_examples
from .outline import outline
from .precisions import precision_of
from .roles import RATIOS, VALUES, Role
from .series import NONE, Columns, columns
from .shapes import heading_role, shaped
from .suite_words import suite_words
from .units import captioned_in, rates_in

_SIGNS = frozenset("#%×Δ∆$±")


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
    found = _of_caption(replace(found, roles=_grouped(found)), around)
    told = zip(found.grid.header, found.roles, strict=True)
    trains = around.mode == "training" or any(role.role == "epochs" for role in found.roles)
    kept = tuple(_timed(role, head.text, around, trains) if head.text in found.guessed else role for head, role in told)
    if around.suite is not None:
        kept = tuple(_of_suite(role, around.suite.part) for role in kept)
    return replace(found, roles=kept)


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


def _of_caption(found: Columns, around: Context) -> Columns:
    """Return the columns, where the caption alone says what the numbers are: each is then of what heads it."""
    if any(role.role in (*VALUES, "seed") for role in found.roles):
        return found
    role = _captioned(around.caption.casefold()) or _captioned(found.grid.stated.casefold())
    if role is None and around.suite is not None:
        role = next((told for text in around.suite.levels if (told := _of_run(text.casefold())) is not None), None)
    if role is None:
        return found
    # a heading such as "PyTorch" is else that of its version
    open_ = [i for i in range(1, len(found.roles)) if found.roles[i].role in {"extra", "library"}]
    fitting = [i for i in open_ if _is_measured(found.grid, i)]
    if len(fitting) < 2:
        return found
    roles = tuple(
        replace(role, variant=found.grid.header[i].text.casefold()) if i in fitting else old
        for i, old in enumerate(found.roles)
    )
    numbers = tuple(
        tuple(number(row[i].text) for row in found.grid.rows) if i in fitting else old
        for i, old in enumerate(found.numbers)
    )
    return replace(found, roles=roles, numbers=numbers)


def _captioned(caption: str) -> Role | None:
    """Return the one quantity that a caption names with its unit; None where it names none, or several."""
    spent = {(role, unit) for role in ("time", "latency") for unit in captioned_in(caption, f"caption.{role}")}
    told = {("rate", unit) for unit in rates_in(caption)} | {(role, unit) for role, unit in spent if unit.base == "s"}
    if len(told) != 1:
        return None
    role, unit = told.pop()
    return Role(role, unit=unit.at(unit.exponent), stem=role) if role != "rate" or not unit.exponent else None


def _of_run(caption: str) -> Role | None:
    """Return the time of whole trainings that a text states with its unit: "Time to train, in minutes"."""
    units = captioned_in(caption, "caption.training_run")
    return Role("time", unit=units.pop().base, stem="time", scope="training_run") if len(units) == 1 else None


def _is_measured(grid: Grid, index: int) -> bool:
    """Whether a column may hold what the caption says: numbers, no option, no ratio, not all powers of two."""
    heading = grid.header[index].text.casefold()
    if not heading or not _SIGNS.isdisjoint(heading) or _is_option(heading):
        return False
    texts = [row[index].text for row in grid.rows if row[index].text.casefold() not in NONE]
    numbers = [found for text in texts if (found := number(text)) is not None and not found.unit]
    counts = [whole(text) for text in texts]
    powers = all(count is not None and count & (count - 1) == 0 for count in counts)
    return bool(texts) and len(numbers) == len(texts) and not powers


def _is_option(heading: str) -> bool:
    """Whether a heading names an option, a ratio or a statistic; "8 GPUs" and "4096 tokens" are sizes measured at."""
    column = read(heading, "header")
    tokens, named = column.tokens, [name.span for name in column.all_names]
    counted = [(token.start, tokens[at + 1].end) for at, token in enumerate(tokens[:-1]) if token.counts]
    apart = [*named, *counted]
    stated = any(unit.dimension != "rate" and tokens.low(unit.first - 1) == "(" for unit in units_of(heading)[1])
    options = column.mentions("option_column")
    return stated or any(not any(begin <= item.start < end for begin, end in apart) for item in options)


def _timed(role: Role, heading: str, around: Context, trains: bool) -> Role:
    """Return the role of a time with what it covers: hours and days of a training are those of the whole run."""
    if role.role != "time" or role.scope is not None:
        return role
    head = read(heading, "header")
    if head.has("devices_spent", affirmed=False):
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
