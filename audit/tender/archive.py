"""The archive of a tender: what was asked, handed in and judged, as one file; the same content gives the same bytes."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...schemas.errors import UserError
from ...schemas.files import open_beneath, sha256_file

WHEN = (1980, 1, 1, 0, 0, 0)
"""A date that says nothing: the archive's bytes depend on its content alone."""
KEPT = frozenset({"manifest.json", "manifest.dsse.json", "submission.json", "offer.yaml", "offer.json"})
BESIDE = 2
"""Depth from which on files are a study's raw ones: their digests are enough."""
KEPT_LIMIT_BYTES = 48 << 20
MOST_FILES = 200_000


def packed(written: Mapping[str, bytes], hand_in: Path) -> bytes:
    """Return a zip of what was written, of the documents that were handed in, and the digest of every file of these.

    Args:
        written: by path in the archive.
        hand_in: folder of what was handed in.
    """
    digests, documents = [], {}
    for path in _files(hand_in):
        try:
            with open_beneath(hand_in, path) as file:
                digests.append(f"{sha256_file(file)}  {path}")
            if path.rpartition("/")[2] in KEPT or path.count("/") < BESIDE:
                with open_beneath(hand_in, path) as file:
                    documents[f"handed-in/{path}"] = file.read(KEPT_LIMIT_BYTES)
        except UserError as error:
            digests.append(f"{'not read':<64}  {path} ({error.what})")
    listed = {"handed-in.sha256": ("\n".join(digests) + "\n").encode(errors="backslashreplace")}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted({**written, **documents, **listed}.items()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _files(folder: Path) -> Iterator[str]:
    """Yield the paths of regular files below a folder, sorted; links are not followed."""
    found = 0
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(home, name)
            if path.is_file() and not path.is_symlink():
                found += 1
                if found > MOST_FILES:
                    raise UserError(f"more than {MOST_FILES:,} files were handed in", "", str(folder))
                yield path.relative_to(folder).as_posix()
