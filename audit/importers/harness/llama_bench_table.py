"""The Markdown table that llama-bench prints by default, as records with the names that its JSON has."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from ..drafting import Drafting
from ..records import Record
from ..report_file import ReportFile
from ..tables.grids import Grid
from ..tables.rows import rows

NAMES = {
    "model": "model_type",
    "backend": "backends",
    "ngl": "n_gpu_layers",
    "threads": "n_threads",
    "fa": "flash_attn",
    "sm": "split_mode",
    "mmap": "use_mmap",
    "nkvo": "no_kv_offload",
    "ts": "tensor_split",
    "embd": "embeddings",
    "dev": "devices",
    "ot": "tensor_buft_overrides",
    "nopo": "no_op_offload",
    "mg": "main_gpu",
}
"""The JSON's name of a field by the table's heading for it."""
HEADINGS = frozenset({"model", "size", "params", "backend", "test", "t/s"})
_TEST = Pattern(
    r"(?:pp ?(?P<prompt>[0-9]{1,9}))?\+?(?:tg ?(?P<generated>[0-9]{1,9}))?(?: ?@ ?d ?(?P<depth>[0-9]{1,9}))?"
)
_RATE = Pattern(r"([0-9]{1,20}(?:\.[0-9]{1,10})?)(?: ?(?:±|\+/-|\+-) ?([0-9]{1,20}(?:\.[0-9]{1,10})?))?")
_AMOUNT = Pattern(r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?([KMGTB]i?B?)")
_BUILD = Pattern(r"build: ([0-9a-f]{7,40}) \(([0-9]{1,9})\)")
_DEVICE = Pattern(r"\s{0,9}Device [0-9]{1,3}: (.{2,200}?),(?: | .{0,40} )compute capability ")
_SCALES = {"M": 10**6, "B": 10**9, "T": 10**12, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
LONGEST = 4_000


def is_table(tables: tuple[Grid, ...]) -> bool:
    """Whether all tables of a file are ones that llama-bench prints."""
    return bool(tables) and all({cell.text.casefold() for cell in table.header} >= HEADINGS for table in tables)


def of_table(draft: Drafting, file: ReportFile, tables: tuple[Grid, ...]) -> tuple[Record, ...]:
    """Return the rows of the tables as records; what a cell prints in another way is named as not used."""
    found = []
    gpus, behind = "", 0
    for number, table in enumerate(tables):
        # every run prints its devices anew; one whose lines were cut ran on those of the run before
        gpus = _devices(file.lines[behind : table.header[0].line]) or gpus
        behind = table.rows[-1][0].line
        following = tables[number + 1].header[0].line if number + 1 < len(tables) else len(file.lines) + 1
        build = _build(file, table.rows[-1][0].line, following)
        for record in rows(file, table, NAMES):
            value = _fields(draft, record)
            if value is not None:
                value |= build | ({"gpu_info": gpus} if gpus else {})
                columns = {**record.columns, "avg_ts": record.columns["t/s"], "stddev_ts": record.columns["t/s"]}
                found.append(replace(record, value=value, columns=columns))
    return tuple(found)


def _devices(lines: Sequence[str]) -> str:
    return ", ".join(match[1] for text in lines if (match := _DEVICE.match(text[:LONGEST])) is not None)


def _build(file: ReportFile, first: int, end: int) -> dict[str, str]:
    """Return commit and number of the build that is named below a table, before the next one."""
    for text in file.lines[first : end - 1]:
        match = _BUILD.match(text[:LONGEST].strip())
        if match is not None:
            return {"build_commit": match[1], "build_number": match[2]}
    return {}


def _fields(draft: Drafting, record: Record) -> dict[str, str] | None:
    value = {key: text for key in record if (text := record.text(key)) is not None}
    test, rate = _TEST.fullmatch(value.get("test", "")), _RATE.fullmatch(value.get("t/s", ""))
    if test is None or rate is None or not (test["prompt"] or test["generated"]):
        draft.unused.append(f"line {record.line}: {value.get('test', '')[:40]} {value.get('t/s', '')[:40]}".rstrip())
        return None
    told = {key: text for key, text in value.items() if key not in {"test", "t/s", "size", "params"}}
    told |= {"n_prompt": test["prompt"] or "0", "n_gen": test["generated"] or "0", "n_depth": test["depth"] or "0"}
    told |= {"avg_ts": rate[1]} | ({"stddev_ts": rate[2]} if rate[2] else {})
    for name, heading in (("model_n_params", "params"), ("model_size", "size")):
        amount = _AMOUNT.fullmatch(value.get(heading, ""))
        if amount is not None and amount[2] in _SCALES:
            told[name] = str(int(Decimal(amount[1]) * _SCALES[amount[2]]))
    return told
