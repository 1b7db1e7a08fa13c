"""A foreign file as it was handed in: its bytes, what form they have, and its text by line. Nothing in it is run."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...schemas import strict_json
from ...schemas.digest import text_digests
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.pattern import Pattern
from ...schemas.source import JsonValue, Source
from .documents.forms import packed_form
from .tracking import tensorboard, wandb

if TYPE_CHECKING:
    from .documents.blocks import Written
    from .documents.places import Spot

LIMIT_BYTES = 256 << 20
LIMIT_UNPACKED_BYTES = 64 << 20
MOST_UNPACKED = 100
"""Times its size that a gzip file may unpack to: logs reach 40, and a bomb 1,000."""
SURE_BYTES = 1 << 20
"""What any gzip file may unpack to."""
LIMIT_JSON_BYTES = 64 << 20
LIMIT_ROWS = 500_000
INTEGER_DIGITS = 400
LONGEST_LINE = 1 << 20
HEAD_BYTES = 1 << 16
_ARCHIVES = {
    b"PK\x03\x04": "a ZIP archive (also .xlsx, .npz and .pt files)",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\xfd7zXZ": "an XZ archive",
    b"BZh": "a bzip2 archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy array",
    b"SQLite format 3": "a database",
}


_BEGINS_JSON = Pattern(r'\{\s*["}]|\[\s*(?:[\]{"]|\[\s*[\]{"\[0-9-]|-?[0-9][0-9.eE+-]*\s*,|-?[0-9.]+\s*\]\s*\Z)')
"""How a document of JSON begins, and neither a time in brackets, nor a link of Markdown, nor a table of Lua."""
_DECIMALS = Pattern(r"[0-9]\.[0-9]")


class ColumnRoles(Struct, frozen=True):
    """What a user says that the columns of tables hold: a role by heading, and the name of the file that says so."""

    by_heading: Mapping[str, object] = {}
    name: str = ""


NO_ROLES = ColumnRoles()


class ReportFile(Struct, frozen=True, dict=True):
    """A foreign file.

    Attributes:
        name: as the user named it, or as it lies below the folder that the user named.
        data: its bytes, decompressed where it was a gzip file.
        raw: its bytes as they were handed in.
        roles: what the user says of the columns of its tables.
        folder: the folder that it lies in, where it lies in one.
    """

    name: str
    data: bytes
    raw: bytes
    roles: ColumnRoles = NO_ROLES
    folder: Path | None = None

    def beside(self, suffix: str) -> ReportFile | None:
        """Return the file of the same name with another suffix in its folder; None where no such file can be read."""
        name = self.short_name.rpartition(".")[0] + suffix
        if self.folder is None or name == self.short_name:
            return None
        try:
            with open_beneath(self.folder, name) as file:
                data = file.read(LIMIT_BYTES + 1)
            found = open_report(self.name[: len(self.name) - len(self.short_name)] + name, data)
        except (OSError, UserError):
            return None
        return found if len(data) <= LIMIT_BYTES else None

    @property
    def sha256(self) -> str:
        """Digest of the bytes as they were handed in."""
        return self.digests[0]

    @cached_property
    def digests(self) -> tuple[str, str]:
        """Digest of the bytes as they were handed in; and without carriage returns, blank lines and a last line end."""
        return text_digests(self.raw)

    def line(self, number: int) -> str:
        """Return a line, counted from 1, without its end; empty where there is no such line."""
        if self.packed:
            return self.spots[number].text if number in self.spots else ""
        lines = self.data.split(b"\n", number) if number > 0 else []
        found = lines[number - 1] if 0 < number <= len(lines) else b""
        return found.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace").removesuffix("\r")

    @cached_property
    def written(self) -> Written:
        """The document that it is, read into blocks.

        Raises:
            UserError: it is too large, or not what its first bytes say.
        """
        from .documents.reader import written

        return written(self)

    @cached_property
    def spots(self) -> dict[int, Spot]:
        """The lines of the document that it is, with where they stand in words."""
        from .documents.places import spots

        return spots(self.written)

    @cached_property
    def packed(self) -> bool:
        """Whether it is a document that is no text: a PDF or a file of an office program."""
        return bool(packed_form(self.raw))

    @property
    def short_name(self) -> str:
        """The last part of its name."""
        return self.name.rpartition("/")[2]

    @cached_property
    def text(self) -> str:
        """The text; what is no UTF-8 shows as replacement characters. A document that is no text has none."""
        return "" if self.packed else self.data.decode("utf-8-sig", errors="replace")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; line n is `lines[n - 1]`."""
        return tuple(line.removesuffix("\r") for line in self.text.split("\n"))

    @cached_property
    def json(self) -> Source | None:
        """The file as one JSON document with places, or None where it is none; NaN and long integers are kept."""
        return self._json if isinstance(self._json, Source) else None

    def document(self) -> tuple[Source, dict[str, Any]]:
        """Return the JSON document with its value, an object.

        Raises:
            UserError: it is none.
        """
        if self.json is None or not isinstance(self.json.value, dict):
            raise self.broken or UserError(
                "this is not a JSON object", "give the report as its tool writes it", self.name
            )
        return self.json, self.json.value

    @cached_property
    def broken(self) -> UserError | None:
        """Why a file that begins as JSON is none, with the place; None where it is JSON or begins otherwise."""
        return self._json if isinstance(self._json, UserError) else None

    @cached_property
    def _json(self) -> Source | UserError | None:
        plain = self.data.removeprefix(b"\xef\xbb\xbf")
        head = plain.lstrip()[:HEAD_BYTES].decode(errors="replace")
        if not _BEGINS_JSON.match(head):
            return None
        try:
            limits = {"limit_bytes": LIMIT_JSON_BYTES, "integer_digits": INTEGER_DIGITS}
            value = strict_json.loads(plain, self.name, foreign=True, **limits)
        except UserError as error:
            return error
        return Source(self.name, plain, value, "json")

    @cached_property
    def json_lines(self) -> tuple[tuple[int, JsonValue], ...]:
        """Line and value of every line where each holds one JSON object; empty where the first two do not."""
        found: list[tuple[int, JsonValue]] = []
        for number, line in enumerate(self.data.split(b"\n"), 1):
            text = line.strip()
            if not text:
                continue
            if not text.startswith(b"{") or len(text) > LONGEST_LINE or len(found) > LIMIT_ROWS:
                return ()
            try:
                found.append((number, strict_json.loads(text, self.name, integer_digits=INTEGER_DIGITS, foreign=True)))
            except UserError as error:
                if len(found) < 2:
                    return ()
                raise UserError(error.what, error.todo, f"{self.name}:{number}") from None
        return tuple(found)

    @cached_property
    def table(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Line and cells of every row of a CSV or TSV file, the header first; empty where it is none."""
        first = next((line for line in self.lines if line.strip()), "")
        separator = max("\t,;", key=first.count)
        if not first.count(separator) or len(first) > LONGEST_LINE:
            return ()
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=separator)
        rows: list[tuple[int, tuple[str, ...]]] = []
        try:
            for row in reader:
                if any(cell.strip() for cell in row):
                    cells = tuple(cell.strip() for cell in row)
                    rows.append((reader.line_num, _aligned(cells, rows) if separator == "\t" else cells))
                if len(rows) > LIMIT_ROWS and not _is_even(rows):
                    return ()  # a text with commas
                if len(rows) > LIMIT_ROWS:
                    raise UserError(f"more than {LIMIT_ROWS:,} rows", "split the table", self.name)
        except csv.Error as error:
            if not _is_even(rows):
                return ()
            raise UserError(
                f"not readable as a table: {error}", "save it as CSV again", f"{self.name}:{reader.line_num}"
            ) from None
        return tuple(rows)


def _aligned(cells: tuple[str, ...], rows: list[tuple[int, tuple[str, ...]]]) -> tuple[str, ...]:
    """Return the cells of a row without those that several tabs between two columns make, where it is too long."""
    filled = tuple(cell for cell in cells if cell)
    return filled if rows and len(cells) > len(rows[0][1]) == len(filled) else cells


def _is_even(rows: list[tuple[int, tuple[str, ...]]]) -> bool:
    """Whether most rows are as long as the first, which holds headings, as those of a table are."""
    if rows and any(_DECIMALS.search(cell) for cell in rows[0][1]):
        return False
    return 2 * sum(len(row) == len(rows[0][1]) for _, row in rows) > len(rows) if rows else False


def open_report(name: str, raw: bytes) -> ReportFile:
    """Return a foreign file from its bytes; a gzip file is unpacked in memory, up to a limit.

    Raises:
        UserError: it is an archive, a pickle or another binary file, or unpacks to too much.
    """
    data = unpacked(name, raw)
    for kind in (tensorboard, wandb):
        if kind.is_run(data):
            return ReportFile(name, kind.as_lines(data), raw)
    if packed_form(data):
        return ReportFile(name, data, data)
    for magic, what in _ARCHIVES.items():
        if data.startswith(magic):
            raise UserError(
                f"{what}: nothing is unpacked here", "give the report as text, or the unpacked folder", name
            )
    if len(data) > 1 and data[0] == 0x80 and data[1] in range(2, 6) and data.rstrip().endswith(b"."):
        todo = "export the values as JSON or CSV where you trust the file"
        raise UserError("a pickle: reading one runs code that it holds, so it is not opened", todo, name)
    if b"\0" in data[:HEAD_BYTES] and b":::ML" not in data[:HEAD_BYTES]:
        raise UserError("a binary file, or a text in UTF-16", "give a report as UTF-8 text", name)
    return ReportFile(name, data, raw)


def unpacked(name: str, raw: bytes) -> bytes:
    """Return the bytes of a file, of a gzip file those that it packs, up to a limit.

    Raises:
        UserError: it is no whole gzip file, or unpacks to too much.
    """
    if not raw.startswith(b"\x1f\x8b"):
        return raw
    decoder = zlib.decompressobj(wbits=31)
    most = min(LIMIT_UNPACKED_BYTES, max(SURE_BYTES, MOST_UNPACKED * len(raw)))
    try:
        data = decoder.decompress(raw, most + 1)
    except zlib.error as error:
        raise UserError(f"not a whole gzip file: {error}", "hand it in again", name) from None
    if len(data) > most:
        todo = "hand in the unpacked file, or a smaller part"
        raise UserError(f"an archive of {len(raw):,} bytes that unpacks to more than {most:,}", todo, name)
    if not decoder.eof or decoder.unused_data:
        raise UserError("a gzip file that is cut off, or has something behind it", "hand it in again", name)
    return data
