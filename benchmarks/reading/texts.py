"""The annotated texts of a set: a line of JSON each, with the text itself or a pointer to where it was published."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Item = dict[str, Any]


class Lacking(Exception):
    """The document of a text is not among the texts."""


class Changed(Exception):
    """A text is not the one that was annotated."""


def annotated_texts(file: Path, folder: Path) -> Iterator[Item]:
    """Yield the texts of a set; those whose documents are lacking are left out.

    Raises:
        Changed: a document holds another text in that place.
    """
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        item = json.loads(line)
        try:
            yield item if "text" in item else {**item, "text": _text(item, folder)}
        except Lacking:
            continue


def _text(item: Item, folder: Path) -> str:
    begin, end = item["at"]
    text = _document(folder, item["path"])[begin:end]
    if hashlib.sha256(text.encode()).hexdigest() != item["sha256"]:
        raise Changed(f"{item['id']}: {item['path']} holds another text at {begin} to {end}")
    return text


def _document(folder: Path, pointer: str) -> str:
    """Return a document of `owner/name/commit/path`: a file below the folder, or a blob of a clone at `owner/name`."""
    file = folder / pointer
    if file.is_file():
        return file.read_bytes().decode()
    owner, name, commit, path = pointer.split("/", 3)
    clone = folder / owner / name
    if not (clone / ".git").exists():
        raise Lacking(pointer)
    shown = subprocess.run(["git", "-C", clone, "show", f"{commit}:{path}"], capture_output=True, check=False)
    if shown.returncode:
        raise Lacking(pointer)
    return shown.stdout.decode()
