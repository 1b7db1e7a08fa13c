"""Output of nccl-tests (`all_reduce_perf` and the like), also of its relatives for other libraries of collectives.

Each size becomes an arm, out of place and in place apart, with its time, its algorithm bandwidth and its bus bandwidth.
The bus bandwidth is claimed, and so is the average that ends the output. A row whose `#wrong` is not 0 is named and
left out, as is one that is cut off; a bandwidth that rounds to 0 tells nothing. The ranks that the output lists are the
devices, and what each is called is the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..draft import Draft, Origin, printed_text
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import claim
from ..report_file import ReportFile

FIELDS = (
    Field("size, type, redop", "arms"),
    Field("time", "performance.time", "microseconds; no claim"),
    Field("algbw", "performance.algbw", "no claim"),
    Field("busbw, Avg bus bandwidth", "performance.busbw, claims", "GB/s"),
    Field("#  Rank ... device", "devices, systems"),
    Field("#wrong", "nothing", "a row with wrong values is left out"),
)
NUMBERS = {"time": ("time", "us"), "algbw": ("rate", "GB/s"), "busbw": ("rate", "GB/s")}
PLACES = ("out of place", "in place")
UNCHECKED = "N/A"
MOST_LINES = 20_000
_RANK = Pattern(r"#\s{1,8}Rank\s{1,8}[0-9]{1,6} .{0,200}\[0x[0-9a-fA-F:.x]{1,16}\] (.{1,80})")
_AVERAGE = Pattern(r"# Avg bus bandwidth\s{0,8}: ([0-9.]{1,20})")


class Cell(Struct, frozen=True):
    """A number of a row with its column in the text."""

    text: str
    column: int


def read(file: ReportFile) -> Draft:
    """Return the submission of one output."""
    draft = Drafting(f"nccl-tests {file.short_name}")
    ranks = [found[1].strip() for line in file.lines[:MOST_LINES] if (found := _RANK.match(line)) is not None]
    for number, names, cells in _rows(file, draft):
        first = names.index("time")
        shape = ", ".join(
            cell.text for name, cell in zip(names[:first], cells, strict=False) if name in {"type", "redop"}
        )
        half = (len(names) - first) // len(PLACES)
        for place, begin in zip(PLACES, (first, first + half), strict=True):
            held = dict(zip(names[begin : begin + half], cells[begin : begin + half], strict=True))
            label = f"{cells[0].text} bytes, {shape}, {place}"
            if (wrong := held.get("#wrong")) is not None and wrong.text not in {"0", UNCHECKED}:
                draft.unused.append(f"line {number}, {place}: {wrong.text[:20]} wrong values")
                continue
            arm = _arm(draft, file, f"b{cells[0].text}-{place.replace(' ', '-')}", label, number, ranks)
            _numbers(arm, file, number, held, label)
    for number, line in enumerate(file.lines[:MOST_LINES], 1):
        average = _AVERAGE.match(line)
        if average is not None:
            arm = _arm(draft, file, "average", "average of all sizes", number, ranks)
            _numbers(arm, file, number, {"busbw": Cell(average[1], average.start(1) + 1)}, "average of all sizes")
    return draft.done(file)


def _arm(draft: Drafting, file: ReportFile, key: str, label: str, number: int, ranks: Sequence[str]) -> ArmDraft:
    arm, where = draft.arm(key), Origin(file.name, number, 1)
    arm.put(where, label=label, devices=len(ranks) or None)
    if len(set(ranks)) == 1:
        if "machine" not in draft.systems:
            draft.system("machine", where, name=ranks[0], device=ranks[0])
        arm.put(where, system="machine")
    return arm


def _numbers(arm: ArmDraft, file: ReportFile, number: int, held: dict[str, Cell], label: str) -> None:
    for name, (quantity, unit) in NUMBERS.items():
        printed = printed_text(held[name].text) if name in held else None
        if printed is None or not float(printed) > 0:
            continue
        where = Origin(file.name, number, held[name].column)
        arm.put_metric(name, {"quantity": quantity, "unit": unit, "scope": "kernel", "value": printed}, where, where)
        if name == "busbw":
            shared = {"mode": "none", "work": "bytes", "purpose": "kernel_benchmark"}
            claim(arm, name, f"bus bandwidth, {label}", shared)  # type: ignore[arg-type]


def _rows(file: ReportFile, draft: Drafting) -> Iterator[tuple[int, list[str], list[Cell]]]:
    """Yield the rows with their line and the names of their columns, as the heading above them says."""
    names: list[str] = []
    for number, line in enumerate(file.lines[:MOST_LINES], 1):
        words = line.split()
        if words[:2] == ["#", "size"] and "time" in words:
            names = words[1:]
        elif names and words and words[0].isdigit():
            if len(words) != len(names):
                draft.unused.append(f"line {number}: {len(words)} columns, and {len(names)} headings")
                continue
            yield number, names, _cells(line, words)


def _cells(line: str, words: list[str]) -> list[Cell]:
    cells, at = [], 0
    for word in words:
        at = line.index(word, at)
        cells.append(Cell(word, at + 1))
        at += len(word)
    return cells


IMPORTER = Importer(
    name="nccl-tests",
    title="nccl-tests: bandwidths of collectives",
    doc=__doc__,
    signatures=(Signature("lines", ("# nThread", "nGpus", "algbw", "busbw")),),
    fields=FIELDS,
    read=read,
)
