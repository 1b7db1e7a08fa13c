"""Tables that whoever judges keeps beside ours: their entries replace ours of the same id."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .accelerators import Device
from .datasets import Dataset


class OwnTable(Struct, frozen=True):
    """A file of entries.

    Attributes:
        name: the file as it was named.
        sha256: digest of its bytes.
        devices: devices by id.
        datasets: data sets by id.
    """

    name: str
    sha256: str
    devices: Mapping[str, Device] = {}
    datasets: Mapping[str, Dataset] = {}
