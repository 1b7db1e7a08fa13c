"""What stands around a table and holds for all its rows: heading, sentence before it, name of the file."""

from __future__ import annotations

import re

from msgspec import Struct

from .table_grids import Grid
from .table_roles import precision_of, variants_of

_MACHINE = re.compile(r"\((?P<count>[0-9]{1,4}) ?x ?(?P<device>[^()]{2,40})\)")
_COUNT = re.compile(r"\bon (?P<count>[0-9]{1,4}) (?:gpus?|tpus?|devices?|accelerators?)\b", re.IGNORECASE)
_DEVICE = re.compile(
    r"(?<![a-z0-9])(?:(?:rtx|gtx|quadro rtx|titan) ?[0-9a-z]{1,5}(?: ti| super)?|"
    r"[ahvptlb](?:4|10|30|40|60|100|200|300)s?|gh200|gb[23]00|mi[0-9]{3}[xa]?|tpu ?v[0-9][a-z]?|k80|m60)"
    r"(?![a-z0-9])(?: ?[0-9]{2,3} ?gb?)?",
    re.IGNORECASE,
)
_TORCH = re.compile(r"(?<![a-z0-9])pt([0-9])([0-9]{1,2})([0-9])(?![0-9])")
_CUDA = re.compile(r"(?<![a-z0-9])cu([0-9]{2})([0-9])(?![0-9])")


class Context(Struct, frozen=True):
    """What holds for all rows of a table.

    Attributes:
        words: heading, sentence and file name.
        caption: heading and sentence.
        mode: training or inference, or none where neither is said.
        precision: the one that is named, or nothing.
        device: name of the device, or nothing.
        devices: how many each system has, where that is said.
        machine: the system in words.
        framework: name and version of the framework, or nothing.
        runtime: name and version of the runtime.
        layout: order of the axes in memory.
        compiled: whether the file's name says so.
    """

    words: str
    caption: str
    mode: str = "none"
    precision: str = ""
    device: str = ""
    devices: int | None = None
    machine: str = ""
    framework: str = ""
    runtime: str = ""
    layout: str = ""
    compiled: bool | None = None


def context(grid: Grid, file_name: str) -> Context:
    """Return what the surroundings of a table say."""
    named = re.sub(r"[_]+", " ", file_name.rpartition(".")[0] or file_name)
    caption = ". ".join(dict.fromkeys(text for text in (grid.title, grid.sentence) if text))
    words = f"{caption} {named}".casefold()
    machine, device = _MACHINE.search(grid.title), _DEVICE.search(caption) or _DEVICE.search(named)
    count = machine or _COUNT.search(grid.title)
    parts = set(re.split(r"[-. ]+", named.casefold()))
    torch, cuda = _TORCH.search(named), _CUDA.search(named)
    return Context(
        words,
        caption[:4000],
        _mode(grid.title.casefold(), words),
        _precision(grid.title, named),
        (machine["device"] if machine is not None else device[0] if device is not None else "").strip(),
        int(count["count"]) if count is not None and int(count["count"]) else None,
        grid.title.rpartition(":")[2].strip() if machine is not None else "",
        f"torch {'.'.join(torch.groups())}" if torch is not None else "",
        f"CUDA {'.'.join(cuda.groups())}" if cuda is not None else "",
        next((each for each in ("nhwc", "nchw") if each in parts), ""),
        True if parts & {"dynamo", "compiled", "inductor"} else None,
    )


def _mode(title: str, words: str) -> str:
    for text in (title, words):
        training = re.search(r"\b(?:pre-?|fine-?)?(?:train|tun)(?:ing|ed)?\b", text) is not None
        inference = re.search(r"\b(?:infer(?:ence)?|serving|latency|generation)\b", text) is not None
        if inference:
            return "inference"
        if training:
            return "training"
    return "none"


def _precision(title: str, named: str) -> str:
    for text in (title, named):
        found = set(variants_of(text))
        if len(found) == 1:
            return precision_of(found.pop())
    return ""
