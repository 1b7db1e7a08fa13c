"""Records of any tool: JSON objects, lists of them, lines of JSON, and results that a console prints by name.

The keys are headings, and what each holds is told as in a [table](table.md): `p99_latency_ms`, `tokens_per_second`,
`gpu_num`, `batch_size`; `--map roles.yaml` replaces it. Objects in a list are rows, and so are objects of one kind
under several names (`{"resnet50": {...}, "vgg16": {...}}`); what stands above them holds for each. An object inside a
record belongs to it. A key of a statistic alone (`mean`, `p99`) is one of the key above, and a split or a phase above a
value (`test`, `prefill`) stands in its heading. A `unit` beside a value is its unit; where each record names a metric,
its value and its unit, in JSON or CSV, the metrics become columns.

Records that follow each other by epoch or step are the curve of one training, as are lists of one length under several
keys (a history of Keras): they become evaluations, and the last values outside the training data are claimed.

Of a text the lines count that are a name and its number (`Mean TTFT (ms): 33.1`, `Latency: min = 3.1 ms, max = 4.2
ms`); a blank line or a title ends a block, and blocks of the same names are rows. A document that claims nothing in
tables and sentences is read so in the blocks of code that show what was printed, a notebook in what its cells printed.
What stands under `config`, `args` or `target`, and limits, timeouts and times of day are settings, and not measured. A
time without a unit stays out and is named.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ....schemas.errors import UserError
from ....schemas.pattern import Pattern
from ....schemas.source import JsonValue, Source
from ..claims.prose import stated_in
from ..claims.sentences import is_told, prose_of
from ..documents.notebook import is_notebook
from ..draft import Draft, Origin, identifier
from ..drafting import Drafting
from ..interface import Field, Importer
from ..logs.drafts import draft_lines
from ..logs.lines import Line, is_document
from ..report_file import ReportFile
from ..tables.cells import number
from ..tables.context import Context
from ..tables.importer import check_roles, draft_tables
from ..tables.importer import recognises as claims_something
from ..tables.left_out import nothing_claimed
from ..tables.roles import VALUES
from ..tables.series import Columns
from .blocks import blocks_of
from .records import Leaf, Record, Records, records_of
from .tables import AMOUNTS, METRIC_UNITS, METRICS, curve_of, table_of

FIELDS = (
    Field(
        "a key as p99_latency_ms, tokens_per_second, accuracy",
        "performance, quality, claims",
        "as a heading of a table",
    ),
    Field("batch_size, gpu_num, model, dtype, ...", "options, devices, systems, software"),
    Field("config, args, target, limits, timeouts", "options.extra", "what was asked for, not measured"),
    Field("epoch, step with loss, accuracy, ...", "trials.t1.evaluations, quality, claims", "records of one training"),
    Field("metric, value, unit", "performance, quality, claims", "one column a metric"),
)
_STATED = Pattern(r"[:=]\s{0,40}[0-9]")
_TIMED_HEADING = Pattern(r"#{1,6} [^\n]{1,200}: ?[0-9.]{1,20} ?(?:ms|us|µs|s)\b")
DOCUMENTS = (".md", ".markdown")
OWN = frozenset({"dlaudit", "claims", "payloadType", "_type", "$schema"})
"""Keys of documents that are no records: dlaudit's own, signatures, schemas."""


def read(file: ReportFile) -> Draft:
    """Return the submission of one file.

    Raises:
        UserError: no number of it can be claimed, with the reason.
    """
    draft = Drafting(f"records {file.short_name}")
    curves, tables = _sorted(file)
    for lines in curves:
        draft_lines(draft.arm(identifier("run", draft.arms)), file, lines)
    check_roles(file, draft_tables(draft, file, tables))
    if not draft.claims and not any("trials" in arm for arm in draft.arms.values()):
        raise UserError(*nothing_claimed(draft), file.name)
    found = draft.done(file)
    pointers = _pointers(file)
    origins = {at: _pointed(where, pointers) for at, where in found.origins.items()}
    return replace(found, origins=origins) if pointers else found


def _pointers(file: ReportFile) -> dict[tuple[int, int], str]:
    held = (leaf for each in kept_records(file) for row in each.rows for leaf in row.leaves if leaf.pointer)
    return {(leaf.line, leaf.column): leaf.pointer for leaf in held}


def _pointed(where: Origin, pointers: dict[tuple[int, int], str]) -> Origin:
    pointer = pointers.get((where.line, where.column))
    return Origin(where.file, pointer=pointer) if pointer is not None else where


def _sorted(file: ReportFile) -> tuple[list[tuple[Line, ...]], list[tuple[Context, Columns]]]:
    """Return the records that are curves, and the tables of the others that hold a measured number."""
    curves: list[tuple[Line, ...]] = []
    tables: list[tuple[Context, Columns]] = []
    for each in kept_records(file):
        lines = curve_of(each) if not file.roles.by_heading else ()
        if lines:
            curves.append(lines)
            continue
        around, found = table_of(each, file)
        # memory alone may be what a machine has
        if found.measures and any(role.role in VALUES and role.role != "memory" for role in found.roles):
            tables.append((around, found))
    return curves, tables


def kept_records(file: ReportFile) -> list[Records]:
    """Return the records of a file."""
    if file.json is not None:
        value = file.json.value
        if is_notebook(value):
            return blocks_of(file)
        own = any(isinstance(each, dict) and not OWN.isdisjoint(each) for each in _top(value))
        return [] if own else _several(records_of([(0, file.json)]))
    if file.json_lines:
        lines = file.data.split(b"\n")
        if any(isinstance(value, dict) and not OWN.isdisjoint(value) for _, value in file.json_lines):
            return []
        return records_of([(n, Source(file.name, lines[n - 1], value, "json")) for n, value in file.json_lines])
    if _is_long(file):
        return [Records((), tuple(_rows(file)))]
    if _is_paired(file):
        return [Records((), tuple(_pairs(file)))]
    return blocks_of(file) if not _is_table(file) else []


def _top(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _several(found: list[Records]) -> list[Records]:
    """Return records that hold several values: one number alone does not say what it is of."""
    return found if sum(len(row.leaves) for each in found for row in each.rows) > 1 else []


def _is_table(file: ReportFile) -> bool:
    """Whether a text with commas or tabs is a table: most rows are as long as the first, which prints no number."""
    widths = [len(cells) for _, cells in file.table]
    even = widths and widths.count(widths[0]) >= 0.8 * len(widths)
    return bool(even) and not any(_STATED.search(cell) for cell in file.table[0][1])


def _is_long(file: ReportFile) -> bool:
    """Whether a table has a row for each metric: its name, its value, its unit."""
    head = {cell.casefold() for cell in file.table[0][1]} if len(file.table) > 1 else set()
    return not any(head.isdisjoint(names) for names in (METRICS, AMOUNTS, METRIC_UNITS))


def _is_paired(file: ReportFile) -> bool:
    """Whether every row of a table names what it holds: `Latency(ms)`, 4.1, `Trials`, 64."""
    rows = [cells for _, cells in file.table]
    keys = rows[0][::2] if rows else ()
    named = len(rows) > 1 and len(rows[0]) % 2 == 0 and all(key[:1].isalpha() for key in keys)
    numbers = any(number(cell) is not None for cell in rows[0][1::2]) if rows else False
    return named and numbers and all(cells[::2] == keys and len(cells) == len(rows[0]) for cells in rows)


def _pairs(file: ReportFile) -> Iterator[Record]:
    for line, cells in file.table:
        text = file.line(line)
        held = zip(cells[::2], cells[1::2], strict=True)
        yield Record((), tuple(Leaf((key,), cell, line, max(text.find(cell), 0) + 1) for key, cell in held))


def _rows(file: ReportFile) -> list[Record]:
    head = file.table[0][1]
    rows = []
    for line, cells in file.table[1:]:
        text = file.line(line)
        leaves = (
            Leaf((key,), cell, line, max(text.find(cell), 0) + 1) for key, cell in zip(head, cells, strict=False) if key
        )
        rows.append(Record((), tuple(leaf for leaf in leaves if leaf.text)))
    return rows


def _is_told(file: ReportFile) -> bool:
    """Whether a file is named as a document, and its headings give times, or a sentence of it claims something."""
    if file.json is not None or not file.short_name.casefold().endswith(DOCUMENTS):
        return False
    prose = None if any(_TIMED_HEADING.match(line) for line in file.lines) else prose_of(file)
    return prose is None or any(each.claims and is_told(each.sentence.text) for each in stated_in(prose))


def recognises(file: ReportFile) -> bool:
    """Whether a file holds records with a measured number; a document that claims something itself is none."""
    curves, tables = _sorted(file)
    document = _is_told(file) or is_document(file) or (file.json is not None and is_notebook(file.json.value))
    return bool(curves or tables) and not (document and claims_something(file))


IMPORTER = Importer(
    name="records",
    title="records of any tool: JSON, lines of JSON, results printed by name",
    doc=__doc__,
    signatures=(),
    fields=FIELDS,
    read=read,
    recognises=recognises,
)
