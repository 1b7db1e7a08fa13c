"""The ledger on disk: appended to under a lock, and on disk before the call returns.

Entries of several processes interleave: `flock` orders them, and each reads the last line under the lock before it
links its own to it. A last line without its newline is a write that a crash cut off. Nothing can have relied on it,
since no call had returned; it is removed before the next entry, which says so in `cut_bytes`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError, VerificationFailed
from ...schemas.state import state_folder
from .chain import MAX_LINE_BYTES, NO_ENTRY, Chain, Entry, check, make_entry, read_entry

MAX_SLICE_ENTRIES = 20_000
MAX_LEDGER_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class PlanCount:
    """How many studies of a ledger were planned with the same spec, or with a shared option set."""

    same_spec: int
    same_options: int


def default_path() -> Path:
    """Return where the ledger lies unless an option says otherwise."""
    return state_folder() / "ledger.jsonl"


def read(path: Path) -> Chain:
    """Read and check a ledger; one that does not exist is empty.

    Raises:
        UserError: it cannot be read.
    """
    try:
        if not path.exists():
            return check(b"")
        if not path.is_file() or path.stat().st_size > MAX_LEDGER_BYTES:
            raise UserError("this is not a ledger: not a regular file, or larger than 1 GiB", where=str(path))
        return check(path.read_bytes())
    except OSError as error:
        raise UserError(f"the ledger cannot be read: {error.strerror}", where=str(path)) from None


def append(path: Path, events: Sequence[dict[str, Any]]) -> tuple[Entry, ...]:
    """Append entries, beginning the ledger where it does not exist; they are on disk when this returns.

    Args:
        path: the ledger.
        events: `event` and its fields, as in ledger-entry.schema.json; the chain's fields are filled in here.

    Raises:
        UserError: the ledger cannot be written.
        VerificationFailed: its last line is no valid entry.
    """
    try:
        with _locked(path) as descriptor:
            last, cut = _last_entry(descriptor, path)
            seq, prev = (last.seq + 1, last.digest) if last else (0, NO_ENTRY)
            waiting = list(events) if last else [{"event": "genesis", "origin": secrets.token_hex(16)}, *events]
            entries: list[Entry] = []
            for event in waiting:
                noted = {**event, "cut_bytes": cut} if cut and event is waiting[-len(events)] else event
                entry = make_entry(noted, seq, prev, _now())
                entries.append(entry)
                seq, prev = seq + 1, entry.digest
            _write(descriptor, "".join(f"{entry.line}\n" for entry in entries).encode())
            return tuple(entries)
    except OSError as error:
        raise UserError(f"the ledger cannot be written: {error.strerror}", where=str(path)) from None


def count_plans(entries: Iterable[Entry], spec_sha256: str, option_sets: Iterable[str]) -> PlanCount:
    """Count the studies that were planned with this spec, and those that share one of these option sets.

    Every plan counts, also one that was never run or never shown: publishing the best of many plans is what a reader
    must be able to see.
    """
    wanted = set(option_sets)
    spec, options = set(), set()
    for entry in entries:
        if entry.event == "plan":
            if entry.value["spec_sha256"] == spec_sha256:
                spec.add(entry.study)
            if wanted & set(entry.value["option_sets"]):
                options.add(entry.study)
    return PlanCount(len(spec), len(options))


def slice_of(path: Path, study: str) -> dict[str, Any]:
    """Return the part of a ledger that a study's manifest carries, as in manifest.schema.json.

    It reaches from the genesis entry to the study's last one, so that a third party can follow every link and count
    the plans before; of a very long ledger only the last entries are taken.

    Raises:
        UserError: the ledger cannot be read, or does not know the study.
        VerificationFailed: the ledger's chain is broken.
    """
    chain = read(path)
    if chain.break_line is not None:
        raise VerificationFailed(f"{path}:{chain.break_line}: the ledger is broken: {chain.break_what}")
    own = [entry for entry in chain.entries if entry.study == study]
    plans = [entry for entry in own if entry.event == "plan"]
    if not plans:
        raise UserError(f"the ledger has no study {study}", where=str(path))
    last = own[-1].seq
    first = min(max(0, last + 1 - MAX_SLICE_ENTRIES), own[0].seq)
    count = count_plans(chain.entries, plans[0].value["spec_sha256"], ())
    return {
        "origin": chain.origin,
        "first_seq": first,
        "last_seq": last,
        "head": chain.entries[last].digest,
        "entries": [entry.line for entry in chain.entries[first : last + 1]],
        "plans_of_spec": count.same_spec,
    }


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Open a ledger for appending and hold its lock."""
    import fcntl

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if is_new:
            _sync_folder(path.parent)
        yield descriptor
    finally:
        os.close(descriptor)


def _last_entry(descriptor: int, path: Path) -> tuple[Entry | None, int]:
    """Return the last entry, and how many bytes of an incomplete line after it were removed."""
    size = os.fstat(descriptor).st_size
    start = max(0, size - 4 * MAX_LINE_BYTES)
    tail = os.pread(descriptor, size - start, start)
    complete, newline, rest = tail.rpartition(b"\n")
    if size and not newline and start:
        raise VerificationFailed(
            f"{path}: the ledger ends in something that is no entry; dlaudit ledger check says where"
        )
    if rest:
        os.ftruncate(descriptor, size - len(rest))
    if not newline:
        return None, len(rest)
    try:
        return read_entry(complete.rpartition(b"\n")[2]), len(rest)
    except UserError as error:
        raise VerificationFailed(f"{path}: the last entry of the ledger does not hold: {error.what}") from None


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
