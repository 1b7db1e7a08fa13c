"""Tables whose headings name arms, and whose corner, caption or section says what all their numbers are."""

from __future__ import annotations

from msgspec.structs import replace

from ....rules.language.columns import units_of
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from .cells import number, whole
from .context import Context
from .grids import Cell, Grid
from .precisions import precision_of
from .roles import VALUES, Role
from .series import NONE, Columns
from .shapes import heading_role
from .units import bytes_in, captioned_in, measure, rates_in
from .words import in_english

_IN_BRACKETS = Pattern(r"\[(ms|us|µs|s)\]|\((ms|us|µs)\)")
_SEVERAL = Pattern(r"\b([a-z]?[A-Z][A-Za-z]{0,4}[A-Z])s\b")
_SIGNS = frozenset("#%×Δ∆$±")
MOST_OF_A_SHARE = 100
LEAST = 2
"""Columns that a text above a table must fit: one may be anything."""
_QUALITIES = frozenset({"metric", "dataset"})


def told_above(found: Columns, around: Context) -> Columns:
    """Return the columns, where their headings do not say what the numbers are: each is then of what heads it.

    The corner says it first ("Inference (ms)" over the names of devices), then the caption, then what the document says
    of all its numbers, then the headings of higher levels.
    """
    corner = _corner(found)
    if corner is not None:
        fitting = _open(found, corner)
        roles = (Role("label"), *found.roles[1:])
        return _given(replace(found, roles=roles), corner, fitting) if fitting else found
    if any(role.role in (*VALUES, "seed") for role in found.roles):
        return found
    for role, distant in _captions(found, around):
        fitting = _open(found, role, distant)
        if len(fitting) >= LEAST or (fitting and role.role == "memory"):
            return _given(found, role, fitting)
    return found


def _corner(found: Columns) -> Role | None:
    """Return the quantity that the first heading names, where the first column holds names of the rows, no numbers."""
    role = found.roles[0]
    if role.role not in VALUES or any(each.role in VALUES for each in found.roles[1:]):
        return None
    values = [number(row[0].text) for row in found.grid.rows]
    named = all(value is None or (value.unit and measure(value.unit) is None) for value in values)
    return role if named and (role.unit is not None or role.role == "accuracy") else None


def _is_of_settings(grid: Grid) -> bool:
    """Whether a table lists settings: its title says so, or a row is named like one, without a value."""
    if read(grid.title, "heading").is_only("heading.settings"):
        return True
    return any(_names_option(row[0].text.strip()) for row in grid.rows)


def _names_option(label: str) -> bool:
    options = read(label.casefold(), "header").mentions("option_column")
    return not any(sign.isdigit() for sign in label) and any(item.end == len(label) for item in options)


def _captions(found: Columns, around: Context) -> list[tuple[Role, bool]]:
    """Return the quantities that the texts around a table name, nearest first, and whether each stands far from it."""
    near, title = around.caption.casefold(), found.grid.title.casefold()
    stated, above = found.grid.stated, found.grid.above
    if _is_of_settings(found.grid):
        stated = above = ""
    told = [
        (_captioned(near) or _bracketed(near), False),
        (_quality(found.grid.sentence) or _quality(found.grid.title), False),
        (_benchmark(found.grid.title), False),
        (_captioned(stated.casefold()), False),
        (_memory(near) or _memory(title), False),
        (_captioned(above.casefold()), False),
        (_quality(stated) or _quality(above), True),
        (_reward(found.grid), False),
    ]
    if around.suite is not None:
        told += [(_of_run(text.casefold()), False) for text in around.suite.levels]
    return [(role, distant) for role, distant in told if role is not None]


def _captioned(caption: str) -> Role | None:
    """Return the one quantity that a caption names with its unit; None where it names none, or several."""
    spent = {(role, unit) for role in ("time", "latency") for unit in captioned_in(caption, f"caption.{role}")}
    told = {("rate", unit) for unit in rates_in(caption)} | {(role, unit) for role, unit in spent if unit.base == "s"}
    if len(told) != 1:
        return None
    role, unit = told.pop()
    return Role(role, unit=unit.at(unit.exponent), stem=role) if role != "rate" or not unit.exponent else None


def _bracketed(caption: str) -> Role | None:
    """Return the time whose unit a caption gives of its numbers, or in brackets in whatever language: "[ms]"."""
    of_numbers = captioned_in(caption, "caption.numbers")
    if len(of_numbers) == 1 and (unit := of_numbers.pop()).base == "s":
        return Role("time", unit=unit.at(unit.exponent), stem="time")
    units = {one or other for one, other in _IN_BRACKETS.findall(caption)}
    return Role("time", unit=units.pop(), stem="time") if len(units) == 1 else None


def _of_run(caption: str) -> Role | None:
    """Return the time of whole trainings that a text states with its unit: "Time to train, in minutes"."""
    units = captioned_in(caption, "caption.training_run")
    return Role("time", unit=units.pop().base, stem="time", scope="training_run") if len(units) == 1 else None


def _memory(caption: str) -> Role | None:
    """Return the memory that a caption says is measured, with its unit where it states one."""
    if not read(caption, "caption").has("caption.memory"):
        return None
    size = bytes_in(caption)
    return Role("memory", unit=size.at(size.exponent) if size is not None else None, stem="memory")


def _quality(text: str) -> Role | None:
    """Return the one quality that a text names: "mAP50 on COCO", "We report BLEU"; None where it names several."""
    reading = read(_SEVERAL.sub(r"\1", text), "caption")  # "mIoUs on the test set"
    named = {name.text.casefold(): name.text for name in reading.metrics()}
    if len(named) != 1 or reading.has("caption.difference"):
        return None
    (name,) = named.values()
    return Role("accuracy", metric=name, stem=name.casefold())


def _benchmark(title: str) -> Role | None:
    """Return the score on a benchmark that a heading is the name of: "MMLU"."""
    reading = read(title, "header")
    alone = len(reading.all_names) == 1 and reading.all_names[0].span == (0, len(title.strip()))
    if not alone or heading_role(title).role != "accuracy":
        return None
    return Role("accuracy", metric=title.strip(), stem=title.strip().casefold())


def _reward(grid: Grid) -> Role | None:
    """Return the score of agents, where the rows are environments, and the text above speaks of agents."""
    if not read(grid.header[0].text, "header").is_only("agents.environment"):
        return None
    texts = (grid.title, grid.sentence, grid.above, *(cell.text for cell in grid.header))
    told = any(read(text, "caption").has("caption.rewards", affirmed=False) for text in texts)
    return Role("accuracy", metric="score", stem="score") if told else None


def _open(found: Columns, role: Role, distant: bool = False) -> list[int]:
    """Return the columns that may hold what a text above them says: all that nothing else explains, or none.

    A quality that stands far above a table is that of data sets or splits alone.
    """
    # a heading such as "PyTorch" is else that of its version
    free = [i for i in range(1, len(found.roles)) if found.roles[i].role in {"extra", "library"}]
    if role.role == "memory":
        return [i for i in free if _is_size(found.grid, i, role.unit)]
    fitting = [i for i in free if _is_measured(found.grid, i, role.unit)]
    if role.role != "accuracy":
        return fitting
    numeric = [i for i in free if any(number(row[i].text) is not None for row in found.grid.rows)]
    scores = all(_is_score(found.grid, i, role) for i in fitting)
    named = not distant or all(_is_of_data(found.grid.header[i].text) for i in fitting)
    return fitting if fitting == numeric and scores and named else []


def _is_of_data(heading: str) -> bool:
    reading = read(heading, "header")
    return bool(reading.names("dataset") or reading.splits())


def _is_score(grid: Grid, index: int, role: Role) -> bool:
    """Whether a column prints a quality: shares, or numbers with a decimal, none above 100 but of what is no share."""
    found = [value for row in grid.rows if (value := number(row[index].text)) is not None]
    free = is_no_share(role.metric or "")
    within = free or all(0 <= float(value.printed) <= MOST_OF_A_SHARE for value in found)
    return role.metric == "score" or (within and any("." in value.printed or value.unit == "%" for value in found))


def is_no_share(metric: str) -> bool:
    """Whether a quality is no share of anything: it may be above 1 without being in percent."""
    return metric == "score" or read(metric, "header").has("quality_of_no_share", affirmed=False)


def _is_size(grid: Grid, index: int, unit: str | None) -> bool:
    """Whether a column prints sizes in memory: each with its unit, or all without where the caption states it."""
    texts = [row[index].text for row in grid.rows if row[index].text.casefold() not in NONE]
    values = [number(text) for text in texts]
    sizes = [value is not None and (known := measure(value.unit)) is not None and known.dimension == "bytes"
             for value in values]  # fmt: skip
    bare = unit is not None and all(value is not None and not value.unit for value in values)
    return bool(texts) and (all(sizes) or bare) and not _is_option(grid.header[index].text.casefold())


def _given(found: Columns, role: Role, fitting: list[int]) -> Columns:
    """Return the columns with a role for those that fit, each a variant that its heading names."""
    own = _percent(found, role, fitting) if role.role == "accuracy" else role
    roles = tuple(
        replace(own, variant=_variant(found.grid.header[i])) if i in fitting else old
        for i, old in enumerate(found.roles)
    )
    numbers = tuple(
        tuple(number(row[i].text) for row in found.grid.rows) if i in fitting else old
        for i, old in enumerate(found.numbers)
    )
    return replace(found, roles=roles, numbers=numbers)


def _variant(head: Cell) -> str:
    return precision_of(head.text) if head.text == precision_of(head.text) else in_english(head.text).casefold()


def _percent(found: Columns, role: Role, fitting: list[int]) -> Role:
    values = [value for i in fitting for row in found.grid.rows if (value := number(row[i].text)) is not None]
    percent = not is_no_share(role.metric or "") and any(
        value.unit == "%" or float(value.printed) > 1 for value in values
    )
    return replace(role, unit="%" if percent else None)


def _is_measured(grid: Grid, index: int, unit: str | None) -> bool:
    """Whether a column may hold what the caption says: numbers, no option, no ratio, not all powers of two."""
    heading = grid.header[index].text.casefold()
    if not heading or not _SIGNS.isdisjoint(heading):
        return False
    texts = [row[index].text for row in grid.rows if row[index].text.casefold() not in NONE]
    on_it = heading.endswith(" gpu") and all("." in text for text in texts)  # "Torch GPU" heads no counts
    if _is_option(heading) and not on_it and not _heads_devices(grid.header[0].text):
        return False
    numbers = [found for text in texts if (found := number(text)) is not None and found.unit in {"", unit, "%"}]
    counts = [whole(text) for text in texts]
    powers = all(count is not None and count & (count - 1) == 0 for count in counts)
    return bool(texts) and len(numbers) == len(texts) and not powers


def _heads_devices(corner: str) -> bool:
    """Whether a corner says that the other headings are names of devices, behind "vs." or a stroke."""
    before, _, behind = corner.casefold().replace("\\", " vs ").partition(" vs")
    return bool(before.strip()) and read(behind.strip(" ."), "header").is_only("column.system")


def _is_option(heading: str) -> bool:
    """Whether a heading names an option, a ratio or a statistic; "8 GPUs", "4096 tokens", "bs=96" name an arm."""
    column = read(heading, "header")
    tokens, named = column.tokens, [name.span for name in column.all_names]
    counted = [(token.start, tokens[at + 1].end) for at, token in enumerate(tokens[:-1]) if token.counts]
    apart = [*named, *counted]
    stated = any(unit.dimension != "rate" and tokens.low(unit.first - 1) == "(" for unit in units_of(heading)[1])
    options = (item for item in column.mentions("option_column") if not _has_value(heading, item.start, item.end))
    return stated or any(not any(begin <= item.start < end for begin, end in apart) for item in options)


def _has_value(heading: str, start: int, end: int) -> bool:
    """Whether the value of an option stands in the heading, or it is part of a version: "bs=96", "8-workers", "1.x"."""
    counted = heading[:start].endswith("-") and heading[: start - 1][-1:].isdigit()
    named = end - start == 1 and heading[max(start - 1, 0) : start] in {"-", "."}  # "Ape-X", "TensorFlow 1.x"
    return counted or named or heading[end : end + 1] == "="
