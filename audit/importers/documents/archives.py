"""Office documents are ZIP archives: what one may hold before a parser opens it."""

from __future__ import annotations

import io
import zipfile

from ....schemas.errors import UserError

MOST_FILES = 5_000
MOST_UNPACKED = 200 << 20
MOST_RATIO = 200
SURE_BYTES = 1 << 20
"""What any part may unpack to."""
PARTS = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml"}


def check(form: str, data: bytes) -> None:
    """Refuse an archive that is none of its form, or unpacks to too much.

    Raises:
        UserError: it is such a one.
    """
    if form not in PARTS:
        return
    try:
        parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise UserError("an archive that is broken or cut off", "save the document again") from None
    size = sum(part.file_size for part in parts)
    packed = [part for part in parts if part.file_size > max(SURE_BYTES, MOST_RATIO * part.compress_size)]
    if len(parts) > MOST_FILES or size > MOST_UNPACKED or packed:
        raise UserError(f"an archive of {len(data):,} bytes that unpacks to {size:,}", "hand in a smaller part")
    if PARTS[form] not in {part.filename for part in parts}:
        raise UserError("an archive without the main part of such a document", "save the document again")
    if any(part.flag_bits & 1 for part in parts):
        raise UserError("an archive that asks for a password", "save the document without one")
