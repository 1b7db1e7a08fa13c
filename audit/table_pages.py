"""The generated pages on the reference tables: every device and data set with its figures and sources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..rules.tables import accelerators, datasets

FORMATS = ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4")


def devices_page() -> str:
    """Return the list of devices: release, memory, bandwidth, power and dense peaks."""
    document = _read(accelerators.TABLE)
    lines = ["# Devices", ""]
    lines += ["What the accelerator table knows of each device; [Tables](tables.md) says how it is used and extended."]
    lines += [
        "Peaks are dense, in 1e12 operations per second; a bold one is vouched for: units, operations per clock and"
    ]
    lines += ["highest clock are known, and no more than they give is possible.", ""]
    head = ["device", "on the market", "GB", "GB/s", "W", *FORMATS, "sources"]
    lines += [_row(head), _row(["---"] * len(head))]
    for key, entry in document["devices"].items():
        peaks = [_peak(entry, name) for name in FORMATS]
        cells = [_cell(entry.get(name)) for name in ("memory_gb", "memory_gb_s", "power_w")]
        lines.append(_row([f"`{key}`", _market(entry), *cells, *peaks, _sources(entry)]))
    return "\n".join([*lines, "", *_source_list(document)])


def datasets_page() -> str:
    """Return the list of data sets: examples of each split, and the metrics that count them."""
    document = _read(datasets.TABLE)
    lines = ["# Data sets", ""]
    lines += ["What the table of data sets knows of each; [Tables](tables.md) says how it is used and extended.", ""]
    head = ["data set", "train", "validation", "test", "evaluated", "metrics that count", "sources"]
    lines += [_row(head), _row(["---"] * len(head))]
    for key, entry in document["datasets"].items():
        counts = [_cell(entry.get(name)) for name in ("train", "validation", "test", "evaluated")]
        metrics = ", ".join(name for name, is_count in entry.get("metrics", {}).items() if is_count)
        lines.append(_row([f"`{key}`", *counts, metrics, _sources(entry)]))
    return "\n".join([*lines, "", *_source_list(document)])


def _read(path: Path) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def _peak(entry: Mapping[str, Any], name: str) -> str:
    value = _cell(entry.get("dense_tflops", {}).get(name))
    vouched = entry.get("bound_reliable", False) and name in entry.get("flop_per_clock", {})
    return f"**{value}**" if value and vouched else value


def _market(entry: Mapping[str, Any]) -> str:
    first, last = entry.get("release_earliest"), entry.get("release_latest")
    if first == last:
        return first or ""
    return f"{first or '?'} to {last or '?'}"


def _sources(entry: Mapping[str, Any]) -> str:
    return ", ".join(sorted(entry["sources"]))


def _source_list(document: Mapping[str, Any]) -> Iterable[str]:
    yield from ("## Sources", "", _row(["source", "what it is", "kind"]), _row(["---"] * 3))
    for name, source in document["sources"].items():
        title = f"[{source['title']}]({source['url']})" if "url" in source else source["title"]
        yield _row([name, title, source["kind"]])
    yield ""


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
