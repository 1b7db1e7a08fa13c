"""A table as series: its columns by the variant that they are about, its rows with the options that they state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict, cast

from msgspec import Struct
from msgspec.structs import replace

from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..report_file import ColumnRoles
from .basis import of_cells, of_heading
from .caption_precisions import with_caption_precisions
from .cells import Number, amount, number, several, whole
from .compared_columns import paired
from .context import Context, is_other
from .devices import count_of
from .grids import Cell, Grid
from .groups import are_links, continued
from .numbers import read_numbers
from .precisions import precision_of, variants_of
from .roles import BESIDE, COUNTS, RATIOS, TEXTS, VALUES, Role, guess
from .user_roles import user_role

if TYPE_CHECKING:
    from ..fields import OptionsFields

SCALES = frozenset({"devices", "nodes", "global_batch", "accumulation", "data_parallel"})
"""Options that differ between the points of one scaling series."""
SMALL = {"per_device_batch", "micro_batch"}
_KIND = Pattern(r"\((CPU|GPU)\)$|^(CPU|GPU)(?= )", re.IGNORECASE)
NONE = frozenset(
    {"", "-", "--", "—", "–", "untested", "n/a", "na", "nan", "none", "oom", "oot", "x", "×", "/", "tbd", "?"}
    | {"unavailable", "not available", "not supported", "out of memory"}
)


class Row(Struct, frozen=True):
    """A row of one variant.

    Attributes:
        index: its number in the table, from 0.
        label: its options as printed.
        options: its options, as a submission has them.
        devices: devices, where stated.
        nodes: nodes.
        parameters: parameters of the model.
        system: name of the system, where the row names one.
        libraries: versions of libraries.
    """

    index: int
    label: str
    options: OptionsFields
    devices: int | None = None
    nodes: int | None = None
    parameters: float | None = None
    system: str = ""
    libraries: dict[str, str] = {}


class _Beside(TypedDict, total=False):
    """What a row says beside its options, by the fields of `Row`."""

    devices: int
    nodes: int
    parameters: float
    system: str
    libraries: dict[str, str]


class Columns(Struct, frozen=True):
    """The columns of a table with what they hold.

    Attributes:
        grid: the table.
        roles: a role for each column.
        guessed: the headings whose roles were guessed.
        numbers: of each column the numbers of its cells, by row; empty where each cell is read by itself.
        left_out: what to say of columns that cannot be read.
        ratio_rows: the rows that relate others: "Speedup | 3.0x | 4.7x".
    """

    grid: Grid
    roles: tuple[Role, ...]
    guessed: frozenset[str] = frozenset()
    numbers: tuple[tuple[Number | None, ...], ...] = ()
    left_out: tuple[str, ...] = ()
    ratio_rows: frozenset[int] = frozenset()

    def number(self, row: int, column: int) -> Number | None:
        """Return the number of a cell as its whole column tells to read it."""
        return self.numbers[column][row] if self.numbers else number(self.grid.rows[row][column].text)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that its values are about, in the order of the columns."""
        held = (role for role in self.roles if role.role in VALUES)
        return tuple(dict.fromkeys(role.variant for role in held)) or ("",)

    @property
    def measures(self) -> bool:
        """Whether a column holds measured values or ratios of them, be it that they cannot be read."""
        held = any(role.role in (*VALUES, *RATIOS, "seed") for role in self.roles) or bool(self.left_out)
        return held and not describes_hardware(self)


def columns(grid: Grid, context: Context, user: ColumnRoles) -> Columns:
    """Return the columns of a table: each as the user says, else as its heading tells."""
    roles, guessed = [], set()
    for index, cell in enumerate(grid.header):
        if cell.text in user.by_heading:
            roles.append(user_role(cell.text, user.by_heading[cell.text], user.name))
        else:
            roles.append(guess(grid, index))
            guessed.add(cell.text)
    roles = _named(roles, grid, guessed)
    grid = continued(grid, roles)
    settled = _settled(with_caption_precisions(roles, context.caption), grid)
    found = _of_file_name(Columns(grid, tuple(settled), frozenset(guessed)), context)
    values = read_numbers(grid, found.roles, frozenset(user.by_heading), context.units)
    found = replace(
        found, roles=values.roles, numbers=values.columns, left_out=values.left_out, ratio_rows=values.ratio_rows
    )
    return _without_targets(found, context)


def _named(roles: list[Role], grid: Grid, guessed: set[str]) -> list[Role]:
    """Return the roles with the column that names the models as such, where "model" heads links to them."""
    linked = {i for i, role in enumerate(roles) if role.role == "model" and grid.header[i].text in guessed}
    linked = {i for i in linked if are_links([row[i].text for row in grid.rows])}
    if not linked:
        return roles
    name = next((i for i, cell in enumerate(grid.header) if read(cell.text, "header").is_only("names_of_models")), None)
    told = [Role("extra") if i in linked else role for i, role in enumerate(roles)]
    if name is not None and told[name].role == "extra" and not any(role.role == "model" for role in told):
        told[name] = Role("model")
    return told


def _without_targets(found: Columns, context: Context) -> Columns:
    """Return the columns without the numbers that heading, row or caption call targets: nothing claims those."""
    held = (*VALUES, *RATIOS)
    roles = list(found.roles)
    numbers = [list(column) for column in found.numbers]
    told: list[str] = []
    for index, (head, role) in enumerate(zip(found.grid.header, found.roles, strict=True)):
        aimed = (of_heading(head.text) or context.basis) == "target"
        if role.role in held and aimed and head.text in found.guessed:
            roles[index], numbers[index] = Role("ignore"), [None] * len(found.grid.rows)
            told.append(f"{head.text} (line {head.line}): a target, no measured number: left out")
    for n, row in enumerate(found.grid.rows):
        if of_cells(cell.text for cell in row) == "target":
            for index in (i for i, role in enumerate(roles) if role.role in held):
                numbers[index][n] = None
            told.append(f"the row in line {row[0].line}: a target, no measured number: left out")
    columns_ = tuple(tuple(column) for column in numbers)
    return replace(found, roles=tuple(roles), numbers=columns_, left_out=(*found.left_out, *told))


def _settled(roles: list[Role], grid: Grid) -> list[Role]:
    """Return the roles with what one column tells of another."""
    batches = {role.role for role in roles} & {"devices", "nodes", "nodes_x_devices"}
    # the batch beside what a training took is no condition of a latency
    trained = any(read(cell.text, "header").has("tables.of_training") for cell in grid.header) and any(
        r.role == "latency" for r in roles
    )
    settled = []
    for index, role in enumerate(roles):
        kept = role
        if role.role in {"batch", "global_batch"} and trained:
            kept = replace(role, role="extra")
        elif role.role == "batch" and not batches:
            kept = replace(role, role="global_batch")
        elif role.role == "extra" and index == 0 and not grid.header[0].text:
            kept = replace(role, role="label")
        elif role.role == "mean" and not any(other.role == "seed" for other in roles):
            kept = replace(role, role="extra")
        settled.append(kept)
    named = list(dict.fromkeys(role.variant for role in settled if role.role in VALUES and role.variant))
    if len(named) == 1 and not _apart(settled):  # the one precision that a column names is that of all
        settled = [replace(role, variant=named[0]) if role.role in (*VALUES, *RATIOS) else role for role in settled]
    settled = paired(settled, grid)
    settled = [_of_a_library(role, cell.text) for role, cell in zip(settled, grid.header, strict=True)]
    return _on_both(settled, grid)


def _on_both(roles: list[Role], grid: Grid) -> list[Role]:
    """Return the roles with processor and accelerator as variants, where one heading names each: "Runtime (CPU)"."""
    named = {
        i: (found[1] or found[2]).casefold() for i, cell in enumerate(grid.header) if (found := _KIND.search(cell.text))
    }
    kinds = {named[i] for i in named if roles[i].role in VALUES and not roles[i].variant}
    if kinds != {"cpu", "gpu"}:
        return roles
    return [
        replace(role, variant=named[i], stem=role.role)
        if i in named and role.role in VALUES and not role.variant
        else role
        for i, role in enumerate(roles)
    ]


def _of_a_library(role: Role, heading: str) -> Role:
    """Return the role of a column that another's kernels are measured in as one of that library: "cuBLAS (ms)"."""
    if role.role not in VALUES or role.variant:
        return role
    written = (heading, heading.replace(" ", "", 1))  # keys in capitals come apart: "Cu Blas Performance"
    names = (name for text in written for name in read(text, "header").all_names)
    named = [name for name in names if name.kind == "library" and name.first == 0]
    return replace(role, variant=named[0].text.casefold(), stem=role.role) if named else role


def _apart(roles: list[Role]) -> bool:
    """Whether a precision that a column names sets it apart from another of the same quantity, which names none.

    That of operations per second is that of a kernel, and of nothing else that is measured.
    """
    named = {(role.role, role.unit) for role in roles if role.role in VALUES and role.variant}
    others = [role for role in roles if role.role in VALUES and not role.variant]
    of_kernels = {kind for kind, _ in named} == {"flops"} and any(role.role != "flops" for role in others)
    return of_kernels or any((role.role, role.unit) in named for role in others)


def _of_file_name(found: Columns, context: Context) -> Columns:
    """Return the columns, where only the file's name says that they hold throughputs."""
    if "throughput" not in context.words or len(context.units) > 1 or any(role.role in VALUES for role in found.roles):
        return found
    roles = [
        Role("rate", stem=cell.text.casefold())
        if role.role == "extra" and cell.text and _numeric(found.grid, index) and not _counts(cell)
        else role
        for index, (role, cell) in enumerate(zip(found.roles, found.grid.header, strict=True))
    ]
    return Columns(found.grid, tuple(roles), found.guessed)


def _counts(cell: Cell) -> bool:
    return read(cell.text, "header").has("no_throughput", affirmed=False)


def _numeric(grid: Grid, index: int) -> bool:
    texts = [row[index].text for row in grid.rows if row[index].text.casefold() not in NONE]
    return bool(texts) and all(number(text) is not None for text in texts)


def describes_hardware(found: Columns) -> bool:
    """Whether a table lists what devices are, not what was measured on them."""
    headings = read(" | ".join(cell.text.casefold() for cell in found.grid.header), "header")
    hints = len({item.text.removesuffix("s") for item in headings.mentions("facts_of_hardware")})
    return hints >= 2 and not any(role.role in ("rate", "time", "latency", "mfu", *RATIOS) for role in found.roles)


def row_of(found: Columns, index: int, variant: str, context: Context) -> Row:
    """Return a row as far as it is about one variant."""
    options: OptionsFields = {}
    extra: dict[str, str | float | bool] = {}
    beside: _Beside = {"libraries": {}}
    label: list[str] = []
    cells = found.grid.rows[index]
    for cell, head, role in zip(cells, found.grid.header, found.roles, strict=True):
        if cell.text.casefold() in NONE or role.role in (*VALUES, *RATIOS, *BESIDE, "ignore"):
            continue
        if role.variant not in {"", variant} and role.variant in found.variants:
            continue
        heading = read(head.text, "header")
        if role.role == "extra" and heading.has("interval_column"):
            continue
        telling = role.role != "extra" or (
            len(label) < 3 and not heading.has("heading.real_time_factor", affirmed=False)
        )
        if role.names_rows and telling:
            label.append(cell.text if role.role in {"label", "model", "system"} else f"{head.text} {cell.text}".strip())
        if not _option(options, beside, cell, head, role, variant):
            extra[head.text[:200] or "first column"] = cell.text[:4000]
    counted = count_of(beside.get("system", ""))
    if counted is not None and not any(role.role in {"devices", "nodes", "nodes_x_devices"} for role in found.roles):
        beside["devices"] = counted
    _of_context(options, extra, (variant, *label), context)
    if extra:
        options["extra"] = extra
    return Row(index, ", ".join(label)[:400] or f"row {index + 1}", options, **beside)


def _option(options: OptionsFields, beside: _Beside, cell: Cell, head: Cell, role: Role, variant: str) -> bool:
    """Put a cell where its role has it: a count or a text is the option of that name. Return whether it fits there."""
    name, text = role.role, cell.text
    if name in COUNTS:
        count = whole(text)
        named = variants_of(head.text)
        if count is None and variant in named:
            parts = several(text, len(named))
            count = parts[named.index(variant)] if parts is not None else None
        if count is None:
            return False
        if name == "devices":
            beside["devices"] = count
        elif name == "nodes":
            beside["nodes"] = count
        else:
            options |= cast("OptionsFields", {name: count})
    elif name == "nodes_x_devices":
        parts = several(re.sub(r"(?<=[0-9]) ?[x×*] ?(?=[0-9])", ",", text.casefold()), 2)
        if parts is None:
            return False
        beside["nodes"], beside["devices"] = parts[0], parts[0] * parts[1]
    elif name in TEXTS:
        options |= cast("OptionsFields", {name: text[:4000]})
    elif name == "precision":
        options["precision"] = {"compute": precision_of(text) or text[:4000]}
    elif name == "image_size" and (size := whole(text)) is not None:
        options["input_shape"] = [size, size]
    elif name in {"activation_checkpointing", "compile"} and text.casefold() in {"true", "false", "yes", "no"}:
        options |= cast("OptionsFields", {name: text.casefold() in {"true", "yes"}})
    elif name == "epochs" and (found := number(text)) is not None and float(found.printed) < 1e9:
        options["epochs"] = float(found.printed)
    elif name == "parameters" and (size_ := amount(text)) is not None and size_ >= 1e4:
        beside["parameters"] = size_
    elif name == "system":
        beside["system"] = text[:400]
    elif name == "library":
        beside["libraries"][head.text[:200]] = text[:4000]
    else:
        return name == "label"
    return True


def _of_context(
    options: OptionsFields, extra: dict[str, str | float | bool], named: tuple[str, ...], context: Context
) -> None:
    variant = named[0]
    precision = precision_of(variant) or ("" if is_other(named, context) else context.precision)
    if precision and "precision" not in options:
        options["precision"] = {"compute": precision}
    if variant and not precision_of(variant):
        extra["variant"] = variant
    if context.layout:
        extra["layout"] = context.layout
    if context.compiled is not None and "compile" not in options:
        options["compile"] = context.compiled


def base_of(
    rows: list[Row], row: Row, scaled: Mapping[int, str], label: str | None, following: frozenset[str] = frozenset()
) -> Row | None:
    """Return the row that a scaling value is relative to.

    It agrees with the row in every option column but the device count and what grows with it (`following` names more of
    that), has fewer devices, and prints 1 or nothing as its own scaling value. None where no row does, or several do
    with the same device count.
    """
    free = SCALES | following | (SMALL if label == "strong" else frozenset())
    fitting = [
        other
        for other in rows
        if 0 < size_of(other) < size_of(row)
        and (other.devices is None) == (row.devices is None)
        and _fixed(other, free) == _fixed(row, free)
        and float(scaled.get(other.index, "1")) in {1.0, 100.0}
    ]
    least = min((size_of(other) for other in fitting), default=0)
    smallest = [other for other in fitting if size_of(other) == least]
    return smallest[0] if len(smallest) == 1 else None


def _fixed(row: Row, free: frozenset[str] | set[str]) -> dict[str, object]:
    kept = {key: value for key, value in row.options.items() if key not in free}
    return {**kept, "system": row.system, "parameters": row.parameters, **row.libraries}


def size_of(row: Row) -> int:
    """Return the devices of a row, else its nodes; 0 where neither is stated."""
    return row.devices or row.nodes or 0
