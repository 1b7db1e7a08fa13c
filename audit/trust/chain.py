"""The chain of a ledger: pure functions from lines of bytes to entries and to the first place where they do not hold.

A ledger is JSON lines. Each line is `digest.canonical` of one entry and carries in `prev` the SHA-256 of the bytes of
the line before, so an edited, removed, added or moved line breaks the chain. Whoever can write the file can link all
of it anew or cut off its end: only a witness stops that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...schemas.digest import canonical, sha256_hex
from ...schemas.errors import UserError
from ...schemas.strict_json import loads
from ...schemas.validation import validate

NO_ENTRY = "0" * 64
"""`prev` of the genesis entry."""
MAX_LINE_BYTES = 4000


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a ledger that is valid by itself."""

    value: dict[str, Any]
    """The entry as in ledger-entry.schema.json."""
    digest: str
    """SHA-256 of the line's bytes, without its newline."""
    line: str

    @property
    def seq(self) -> int:
        """Position in the ledger, from 0."""
        seq: int = self.value["seq"]
        return seq

    @property
    def event(self) -> str:
        """One of genesis, plan, start, end, lost."""
        return str(self.value["event"])

    @property
    def study(self) -> str:
        """Id of the study; empty in the genesis entry."""
        return str(self.value.get("study", ""))

    @property
    def trial(self) -> str:
        """Id of the trial; empty in genesis and plan entries."""
        return str(self.value.get("trial", ""))


@dataclass(frozen=True, slots=True)
class Chain:
    """What holds of a ledger, or of a slice of one."""

    entries: tuple[Entry, ...]
    """The entries before the first break."""
    break_line: int | None
    """Number of the first line that does not hold, from 1."""
    break_what: str
    """What does not hold there; empty where all lines hold."""
    cut_bytes: int
    """Length of an incomplete last line: a write that was cut off. It is no break: nothing relied on it."""

    @property
    def head(self) -> str:
        """Digest of the last entry that holds."""
        return self.entries[-1].digest if self.entries else NO_ENTRY

    @property
    def origin(self) -> str:
        """Identity of the ledger; empty in a slice that does not begin at the genesis entry."""
        first = self.entries[0].value if self.entries else {}
        return str(first.get("origin", ""))


def make_entry(fields: dict[str, Any], seq: int, prev: str, time: str) -> Entry:
    """Make the entry that follows the one with this digest.

    Raises:
        ValueError: the fields do not make a valid entry.
    """
    value = {"dlaudit": "ledger-entry/1", "seq": seq, "prev": prev, "time": time, **fields}
    line = canonical(value)
    problems = validate("ledger-entry", value)
    if problems or len(line) > MAX_LINE_BYTES:
        raise ValueError(f"no ledger entry: {problems[0].what if problems else 'too long'}")
    return Entry(value, sha256_hex(line), line.decode())


def check(data: bytes) -> Chain:
    """Check a whole ledger, from its genesis entry on."""
    lines = data.split(b"\n")
    cut = lines.pop()
    return _walk(lines, 0, NO_ENTRY, len(cut))


def check_slice(lines: Sequence[str], first_seq: int) -> Chain:
    """Check a part of a ledger; the entry before its first one is taken on trust, unless that is the genesis entry."""
    return _walk(
        [line.encode("utf-8", "surrogatepass") for line in lines], first_seq, NO_ENTRY if first_seq == 0 else None, 0
    )


def read_entry(line: bytes) -> Entry:
    """Read one line.

    Raises:
        UserError: not one canonical, valid entry.
    """
    if len(line) > MAX_LINE_BYTES:
        raise UserError(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        value: Any = loads(line, "entry")
    except UserError as error:
        raise UserError(f"the line is not strict JSON ({error.what})") from None
    problems = validate("ledger-entry", value)
    if problems:
        raise UserError(f"the line is not a ledger entry ({problems[0].pointer or '/'}: {problems[0].what})")
    if canonical(value) != line:
        raise UserError("the line is not in canonical form")
    return Entry(value, sha256_hex(line), line.decode())


def open_starts(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the starts that neither an end nor a loss follows, oldest first."""
    running: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        key = (entry.study, entry.trial)
        if entry.event == "start":
            running.setdefault(key, []).append(entry)
        elif entry.event in ("end", "lost") and running.get(key):
            running[key].pop()
    return tuple(sorted((entry for starts in running.values() for entry in starts), key=lambda entry: entry.seq))


def _walk(lines: Sequence[bytes], first_seq: int, prev: str | None, cut_bytes: int) -> Chain:
    """Follow the links; `prev` None takes the first link on trust."""
    entries: list[Entry] = []
    for number, line in enumerate(lines, 1):
        what = ""
        try:
            entry = read_entry(line)
        except UserError as error:
            what = error.what
        else:
            what = _break(entry, first_seq + number - 1, prev)
        if what:
            return Chain(tuple(entries), number, what, cut_bytes)
        entries.append(entry)
        prev = entry.digest
    return Chain(tuple(entries), None, "", cut_bytes)


def _break(entry: Entry, seq: int, prev: str | None) -> str:
    if entry.seq != seq:
        return f"the entry says it is number {entry.seq}, and stands where number {seq} belongs"
    if prev is not None and entry.value["prev"] != prev:
        return "the line before is not the one that this entry was written after: a line was changed, removed or added"
    if (entry.event == "genesis") != (seq == 0):
        return "a ledger begins with a genesis entry, and holds no other"
    return ""
