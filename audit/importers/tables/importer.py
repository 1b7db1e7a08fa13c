"""Tables of results: CSV, TSV, and the tables of a document, with what its sentences claim.

Documents are Markdown, HTML, plain text, notebooks, and with `pip install 'dlaudit[documents]'` LaTeX, PDF, DOCX, XLSX
and reStructuredText. Tables may be drawn with pipes, in frames, or with blanks between columns of numbers. What of a
document is not read (a scanned page, a hidden sheet, an included file) is named.

What a column holds is guessed from its heading (`Throughput - TF32 (img/s)`, `GPUs`, `Batch size / GPU`, `99% latency
(ms)`, `Strong scaling`) or from the units in its cells; `dlaudit draft` prints every guess, and `--map roles.yaml`
replaces it. Heading, sentence before the table and the file's name give what no column does: precision, device,
training or inference, versions (`benchmark-infer-amp-nhwc-pt240-cu124-rtx4090.csv`).

Tables in blocks of code are read as a tool printed them; those in comments are not, nor those in code that is Markdown
itself, unless it holds the only one; of a table in a comment, in whole or in part, the line is named. A row that only
names a group ("Batch 8") is an option of the rows below it, and a cell of several quantities ("3.12 ms / 706 TFLOPS")
is one of several columns; a change or a price in brackets behind a number stays out. Headings of two levels are joined
with ` - `, by `colspan` and `rowspan` or where the second row holds texts alone; what recurs under several of the first
is read apart for each. Where the first column names quantities and the header row systems, the table is turned. What
the corner, the caption or the section alone says of all numbers ("Latency (us)", "mAP50 on COCO", "Throughput in
tokens/s") holds for columns of plain numbers that are no options; of two names in a heading ("AP / FPS") each has its
number of the cell. Hours and days of a training are
those of the whole run.

A number has the unit of its cell, else of its heading, else the one that the text above the table states; 1.8k, 750 ms,
4m30s and "(k tokens/s)" count as what they say, and a column of rates and times together stays out. The whole column
tells whether a comma or a point parts decimals (`410,5` beside `1.231,5`); where it does not, the column stays out.
What stays out is named. The usual headings may be in Chinese or German.

A table whose rows are the epochs or steps of one training, as in a model card, is a curve: its rows become evaluations,
a heading with `train`, `val` or `test` names the split, and of the metrics outside the training data the last value is
claimed.

What heading, row or caption calls expected, planned or estimated is claimed as projected, what they call theoretical as
derived, and a target is claimed by nobody. A precision in one heading holds for its column, that of a caption not for
another framework or the baseline. Blank cells of the first columns continue the names above them.

A table whose columns or rows are the statistics of one quantity (count, mean, p50, stdev) is one number with its
summary. A row whose column `State` or `Status` says that its run crashed, was killed or has not finished is not
claimed. Every other row becomes an arm, one for each precision that the headings name. A claim is made for every
measured number, and for a ratio only where the table prints one: a speed-up is relative to the column or row that its
heading or the caption names (`TF32 to mixed precision`, `vs. exact`, "over the row before"), else to the baseline or
the row of 1.00x of its group, else to what nearly all numbers of the column fit; a scaling value to the row with fewer
devices that agrees in every other option column. A row of ratios, or a column of them in a table that is turned, is of
the two that it stands beside. Where nothing tells, the ratio stays without a base, and is not held against one.
A number without a unit that cannot be told (a time without one) stays out and is named, as is a cell that
cannot be read, and a column of which no number is claimed. A rate or time of 0 was not measured. What a column holds
beyond that is kept as a free option of the row. Tables without a measured number (features, hardware) make no claim.

Where headings, caption, title or the text before a table name results of MLPerf Training or Inference, and the table
shows their scenarios, entries or times to train, its numbers are claimed as results of the suite: part, round,
division, benchmark, scenario, submitter, system, devices, entry, category and whether it was verified, each as far as
its row, its column or the nearest text states it. Notes of marks (`[a]`) belong to the claims of their row. What is
only like MLPerf, or was measured with its code, is no result of it. A ratio, and a number for each device or watt, is
claimed as derived.

The sentences of a text are read, too: a comparison with a degree, and a quantity of a performance, that its authors
state of their own work become claims, `line-12` and `line-12-2` by the line of their sentence. What is said of others,
asked, supposed, expected, aimed at or required, what hardware can do, and differences of a quality are left aside and
named. Devices, model, data, precision, batch and framework come from the sentence, else from the nearest setup
sentence, list or heading; where that names several, none is known. A number that a table holds is linked to its cell:
in the table that the sentence names ("Table 2", "the table above"), else where value, unit and conditions agree with
one cell only.

A `roles.yaml` gives columns by their headings, each a role or a map:

    GPUs: devices
    ssd: {role: rate, unit: images/s, variant: SSD}
    note: ignore

and corrects what a sentence was taken for (quantity, form, scope, mode, compares), or says that it claims nothing:

    line-12: {scope: kernel, mode: inference}
    line-30: ignore
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....schemas.errors import UserError
from ..claims.prose import draft_prose, stated_in
from ..claims.sentences import document_of, prose_of
from ..claims.table_conditions import give_conditions_alone
from ..documents.forms import is_document, is_read_as_blocks
from ..draft import Draft, Origin, identifier
from ..drafting import Drafting, stated
from ..interface import Field, Importer
from ..records import MOST_CLAIMS, is_full
from ..report_file import ReportFile
from .arms import Arm, Series, draft_row, numbers_of
from .claims import claim_values
from .commented import commented_tables
from .context import Context
from .epochs import draft_epochs
from .failed_runs import failed_state
from .left_out import dropped_columns, nothing_claimed, unread_cells
from .linked_qualities import link_qualities
from .lone_speedups import are_alone, claim_alone
from .of_others import rows_of_others
from .precisions import precision_of
from .ratio_rows import claim_ratio_rows
from .real_time import claim_real_time
from .scaling import claim_scaling, label_of
from .series import NONE, Columns, row_of
from .speedups import claim_speedups
from .statistics import draft_statistics
from .suite_results import devices_of, is_reference
from .surroundings import tables_of

if TYPE_CHECKING:
    from ..fields import ClaimFields, ColumnFields, QualityFields, RowFields

FIELDS = (
    Field(
        "heading, sentence before the table, name of the file",
        "tables.caption, options, systems, software",
        "what holds for all rows",
    ),
    Field("throughput, .../s, samples_per_sec", "performance (rate), claims", "unit from heading or cells"),
    Field("latency, time, ms", "performance (latency, time), claims", "p50, 95%, median, min, max go into the summary"),
    Field("accuracy, top-1, BLEU, F1, loss, error", "quality, claims", "a spread behind +/- is unlabelled"),
    Field("accuracy drop, Δ top-1, F1 vs baseline, +0.3", "nothing", "a difference of a quality is no level of it"),
    Field("MFU, HFU, TFLOP/s", "performance (mfu, flops), claims"),
    Field("memory", "performance (memory), claims", "a claim only where the table measures nothing else"),
    Field("speedup (A to B)", "claims: ratio with its base", "181% and 1.81 x as printed"),
    Field("strong scaling, weak scaling", "claims: ratio or efficiency, label, base row", "points: device counts"),
    Field("seed N, mean, std", "quality.seeds, value, plus_minus", "one row a metric"),
    Field("GPUs, nodes, nodes x GPUs", "devices, nodes"),
    Field(
        "batch size, GBS, MBS, batch size / GPU, accumulation, sequence length, TP, PP, CP, DP, EP",
        "options",
        "`64 , 32` by the precisions that the heading names",
    ),
    Field("model, precision, quantisation, sharding, optimizer, data set, epochs, image size", "options"),
    Field("GPU, system, hardware", "systems"),
    Field("parameters", "tables.rows.parameters"),
    Field(
        "MLPerf Training v5.0, closed division, verified; submitter, entry, scenario, category, [a]",
        "claims.suite, suite_result, division, mode, basis, statistic",
        "of tables of results of the suite; what is not stated stays out",
    ),
    Field("any other column", "options.extra", "as printed"),
    Field("a sentence", "claims, arms", "qualifier, range, group, comparator, and the conditions around it"),
)


def read(file: ReportFile) -> Draft:
    """Return the submission of a file with one table or several, and of the sentences around them."""
    tables = list(tables_of(file))
    draft = Drafting(_title(file) or f"table{'s of' if len(tables) > 1 else ''} {file.short_name}")
    draft.unused.extend(commented_tables(file))
    if is_read_as_blocks(file):
        draft.unused.extend(f"not read: {why}" for why in file.written.unread)
    named = draft_tables(draft, file, tables)
    prose = prose_of(file)
    if prose is not None:
        named |= draft_prose(draft, file, prose)
    elif (plain := document_of(file)) is not None:
        give_conditions_alone(draft, file.name, plain)
    check_roles(file, named)
    if not draft.claims and not any("trials" in arm for arm in draft.arms.values()):
        raise UserError(*nothing_claimed(draft), file.name)
    return draft.done(file)


def _title(file: ReportFile) -> str:
    """Return what a written document calls itself; empty where it has no title."""
    document = prose_of(file)
    blocks = document.blocks if document is not None else ()
    named = next((block for block in blocks if block.kind in {"title", "heading"}), None)
    return named.text.strip() if named is not None and (named.kind == "title" or named.level == 1) else ""


def check_roles(file: ReportFile, named: frozenset[str]) -> None:
    """Check that what the user gives roles to is there.

    Raises:
        UserError: no table has a column of that heading, and no sentence makes a claim of that name.
    """
    for name in sorted(set(file.roles.by_heading) - named):
        raise UserError(
            f"no table has a column {name!r}, and no sentence makes a claim of that name",
            "write the heading as it is printed",
            file.roles.name,
        )


def draft_tables(
    draft: Drafting, file: ReportFile, tables: Iterable[tuple[Context, Columns]], first: int = 1
) -> frozenset[str]:
    """Draft tables with what stands around each; return all their headings.

    Args:
        draft: what is written.
        file: the file that holds them.
        tables: surroundings and columns of each.
        first: number of the first one.
    """
    headings: set[str] = set()
    for position, (surroundings, found) in enumerate(tables, first):
        grid = found.grid
        headings |= {cell.text for cell in grid.header}
        if not found.measures:
            draft.unused.append(f"{grid.place} ({grid.title}): no column is known to hold a measured number")
            draft.unused.extend(found.left_out)
            continue
        if grid.cut:
            draft.unused.append(f"{grid.place}: cells beyond its {len(grid.header)} columns")
        _guesses(draft, found)
        if any(role.role == "seed" for role in found.roles):
            _seeds(draft, file.name, found, surroundings, position)
        elif are_alone(found):
            claim_alone(draft, file.name, found, surroundings, position)
        elif not (
            draft_epochs(draft, file.name, found, position)
            or draft_statistics(draft, file.name, found, surroundings, position)
        ):
            _table(draft, file.name, found, surroundings, position)
    return frozenset(headings)


def _guesses(draft: Drafting, found: Columns) -> None:
    for cell, role in zip(found.grid.header, found.roles, strict=True):
        if cell.text in found.guessed and role.role not in {"extra", "label"}:
            draft.guesses[cell.text] = role.written
        if role.role == "extra" and cell.text:
            draft.guesses.setdefault(cell.text, {"role": "extra"})


def _table(draft: Drafting, file: str, found: Columns, surroundings: Context, position: int) -> None:
    """Draft one table: a series for each of its variants."""
    every: dict[str, Series] = {}
    for variant in found.variants:
        arms: dict[int, Arm] = {}
        name = f"t{position}" + (f"-{variant}" if variant and len(found.variants) > 1 else "")
        key = identifier(name, draft.fields.get("tables"))
        for index in range(len(found.grid.rows)):
            if state := failed_state(found, index):
                draft.unused.append(f"the row in line {found.grid.rows[index][0].line}: its run is {state[:40]!r}")
                continue
            if surroundings.suite is not None and is_reference(found, index, surroundings.suite):
                line = found.grid.rows[index][0].line
                draft.unused.append(f"the row in line {line}: the suite's reference, no result of anybody")
                continue
            row = row_of(found, index, variant, surroundings)
            if surroundings.suite is not None:
                row = replace(row, devices=devices_of(found, row, surroundings.suite))
            if any(True for _ in numbers_of(found, index, variant)):
                if len(draft.arms) >= MOST_CLAIMS:
                    left = f"{len(found.grid.rows) - index:,} of {len(found.grid.rows):,}"
                    line = found.grid.rows[index][0].line
                    draft.unused.append(f"rows from line {line} on, {left}: a submission holds 1,000 claims")
                    break
                arms[index] = draft_row(draft, file, f"t{position}", found, row, variant, surroundings)
        every[variant] = Series(key, variant, found, surroundings, arms)
        _as_table(draft, file, every[variant])
    draft.unused.extend((*found.left_out, *unread_cells(found)))
    claim_speedups(draft, file, every)
    claim_real_time(draft, file, every)
    claim_ratio_rows(draft, file, every)
    for series in every.values():
        claim_scaling(draft, file, series)
    theirs = rows_of_others(found.grid)
    draft.unused.extend(
        f"the row in line {found.grid.rows[index][0].line}: published by others" for index in sorted(theirs)
    )
    for index in range(len(found.grid.rows)):
        for series in every.values():
            if index in series.arms and index not in theirs:
                claim_values(draft, file, series, series.arms[index])
    link_qualities(draft, every)
    draft.unused.extend(
        dropped_columns(draft, found, {i for s in every.values() for a in s.arms.values() for i in a.metrics})
    )


def _as_table(draft: Drafting, file: str, series: Series) -> None:
    """Keep the series as a table: what each column holds, and the rows with their arms."""
    grid, keys = series.columns.grid, {}
    columns_: dict[str, ColumnFields] = {}
    performance = {i for arm in series.arms.values() for i in arm.metrics}
    for index in sorted(performance):
        role = series.columns.roles[index]
        key = keys[index] = identifier(grid.header[index].text or "value", columns_)
        columns_[key] = {"quantity": role.role, "unit": role.unit or ("per second" if role.role == "rate" else "1")}
        if role.statistic is not None:
            columns_[key]["statistic"] = role.statistic
    if not columns_:
        return
    rows: dict[str, RowFields] = {}
    where = Origin(file, grid.header[0].line, grid.header[0].column)
    for index, arm in series.arms.items():
        cells, row = grid.rows[index], arm.row
        printed = {
            placed.column: placed.number.printed
            for placed in numbers_of(series.columns, index, series.variant)
            if placed.role.unit == series.columns.roles[placed.column].unit
        }
        values = {key: printed[i] for i, key in keys.items() if i in printed}
        kept: RowFields = {"label": row.label, "arm": arm.id, "values": values}
        kept |= {"devices": row.devices, "nodes": row.nodes, "parameters": row.parameters}
        if row.options:
            kept["options"] = row.options
        name = f"r{index + 1}"
        rows[name] = stated(kept)
        draft.place(Origin(file, cells[0].line, cells[0].column), "tables", series.table, "rows", name)
        for i, key in keys.items():
            if key in values:
                place = Origin(file, cells[i].line, cells[i].column)
                draft.place(place, "tables", series.table, "rows", name, "values", key)
    draft.put_table(series.table, {"caption": series.context.caption, "columns": columns_, "rows": rows}, where)
    scaling = [role for role in series.columns.roles if role.role == "scaling" and role.variant in {"", series.variant}]
    label, labelled_at = label_of(series, file)
    draft.table(series.table, labelled_at, label=label if scaling else None)
    sizes = {(arm.row.devices, arm.row.nodes) for arm in series.arms.values()}
    if len(sizes) > 1 and scaling:
        draft.table(series.table, where, varies=["devices"])


def _seeds(draft: Drafting, file: str, found: Columns, surroundings: Context, position: int) -> None:
    """Draft a table with a column for each seed: a quality for each row, named by the row."""
    head = found.grid.header[0].text
    for index, cells in enumerate(found.grid.rows):
        name = cells[0].text
        arm = draft.arm(identifier(f"t{position}-{name or index + 1}", draft.arms))
        where = Origin(file, cells[0].line, cells[0].column)
        seeds, mean, spread = {}, None, None
        for column, (cell, title, role) in enumerate(zip(cells, found.grid.header, found.roles, strict=True)):
            value = found.number(index, column) if cell.text.casefold() not in NONE else None
            if value is not None and role.role == "seed":
                seeds[title.text.casefold().removeprefix("seed").strip()] = value.printed
            elif value is not None and role.role == "mean":
                mean = (value, cell)
            elif value is not None and role.role == "spread":
                spread = value.printed
        if not seeds or mean is None:
            draft.unused.append(f"{found.grid.place}, line {cells[0].line}: no seeds with their mean")
            continue
        origin = Origin(file, mean[1].line, mean[1].column)
        quality: QualityFields = {"metric": name or "quality", "seeds": seeds}
        quality["n"] = {"unit": "training_run", "completed": len(seeds)}
        if spread is not None:
            quality["plus_minus"] = {"value": spread, "label": "sd"}
        unit = "%" if max(float(value) for value in seeds.values()) > 1 and "accuracy" in name.casefold() else None
        arm.put(where, label=f"{head}: {name}")
        arm.precision(where, compute=precision_of(head) or surroundings.precision)
        arm.put_quality("value", {**quality, "value": mean[0].printed}, where, origin)
        arm.add_quality("value", where, unit=unit)
        claim: ClaimFields = {
            "statement": f"{found.grid.title}: {head}: {name}: {found.grid.header[-1].text and mean[1].text}",
            "value": mean[0].printed, "quantity": "accuracy", "form": "absolute", "scope": "training_run",
            "mode": "training", "compares": "none", "basis": "measured", "statistic": "mean",
            "metric": name or "quality", "measured": {"arm": arm.key}, "quality": {"arm": arm.key, "quality": "value"},
        }  # fmt: skip
        if not is_full(draft):
            key = identifier(f"{arm.key}-mean", draft.claims)
            draft.put_claim(key, {**claim, "unit": unit}, origin)
            draft.place(where if unit is not None else None, "claims", key, "unit")


def recognises(file: ReportFile) -> bool:
    """Whether a file holds a table with a measured number, or the user says what its columns hold."""
    if not is_document(file):
        return False
    if any(found.measures for _, found in tables_of(file)):
        return True
    prose = prose_of(file)
    return prose is not None and any(each.claims for each in stated_in(prose))


IMPORTER = Importer(
    name="table",
    title="tables of results and claims in prose: CSV, TSV, documents",
    doc=__doc__,
    signatures=(),
    fields=FIELDS,
    read=read,
    recognises=recognises,
)
