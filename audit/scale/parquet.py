"""Rows as a Parquet file, written as they come."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import asdict

from ...schemas.errors import UserError
from .rows import LISTS, Row

if TYPE_CHECKING:
    import pyarrow

GROUP = 5_000
"""Rows that are kept until they are written together."""


class Writer(Protocol):
    """Takes rows."""

    def __call__(self, rows: Sequence[Row], /) -> None:
        """Write some rows."""


def table(rows: Sequence[Row]) -> pyarrow.Table:
    """Return rows as a table of Arrow."""
    import pyarrow

    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema([(name, texts if name in LISTS else text) for name in Row.__struct_fields__])
    return pyarrow.Table.from_pylist([asdict(row) for row in rows], schema=schema)


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """Give what writes rows into a Parquet file, which is there when the block ends well, and else is not.

    Raises:
        UserError: pyarrow is not installed, or the file cannot be written.
    """
    if find_spec("pyarrow") is None:
        raise UserError("--out needs pyarrow, which is not installed", "pip install '.[ray]' in the checkout")
    from pyarrow.parquet import ParquetWriter

    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    kept: list[Row] = []
    try:
        with ParquetWriter(part, table([]).schema, compression="zstd") as writer:

            def write(rows: Sequence[Row]) -> None:
                kept.extend(rows)
                if len(kept) >= GROUP:
                    writer.write_table(table(kept))
                    kept.clear()

            yield write
            writer.write_table(table(kept))
        part.replace(path)
    except OSError as error:
        raise UserError(f"it cannot be written: {error.strerror or error}", "give another name", str(path)) from None
    finally:
        with suppress(OSError):
            part.unlink()
