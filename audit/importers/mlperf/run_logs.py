"""The logs of a folder: per file its digests, its events, and what could not be read."""

from __future__ import annotations

from msgspec import Struct

from ....rules.trace import Event, Malformed
from ....schemas.digest import text_digests
from ..tree import Tree
from .mllog import MARKER, read_lines

LARGEST_TEXT = 24 << 20
_OF_POWER = frozenset(
    {"power_measurement_start", "power_measurement_stop", "power_reading", "conversion_eff", "interconnect_power_est"}
)


class RunLog(Struct, frozen=True, array_like=True, gc=False):
    """One file of a folder.

    Attributes:
        path: below the folder.
        bytes: its size.
        sha256: digest of its bytes.
        content_sha256: digest without blank lines and carriage returns.
        marker: the first marker of a line, as `:::MLLOG`; empty where no line bears one.
        events: its events.
        malformed: lines with the marker that could not be read.
        tells_power: whether it is the power log of a node or a switch, by its first event.
    """

    path: str
    bytes: int
    sha256: str
    content_sha256: str
    marker: str = ""
    events: tuple[Event, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    tells_power: bool = False


def read_log(tree: Tree, path: str) -> RunLog:
    """Read one file."""
    return log_of(path, tree.bytes_of(path))


def log_of(path: str, data: bytes) -> RunLog:
    """Return what a file holds."""
    digests = text_digests(data)
    at = data.find(MARKER)
    if at < 0:
        return RunLog(path, len(data), *digests)
    marker = data[at : at + 12].split(b" ")[0].decode(errors="replace")
    events, malformed = read_lines(data)
    tells_power = bool(events) and events[0].key in _OF_POWER
    return RunLog(path, len(data), *digests, marker, events, malformed, tells_power)


def keep_freed_memory() -> None:
    """Let the C library keep what each log's text took for the next one, instead of fetching new pages every time.

    glibc gives memory back above a limit, which it raises to the largest block that was ever freed.
    """
    bytes(LARGEST_TEXT)
