"""Entries of a bucket: listed once, and each copied to this machine while it is judged."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from ...schemas.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyarrow.fs import FileInfo

SCHEMES = ("s3", "gs")
OPTIONS = frozenset({"endpoint_override", "region", "scheme"})
"""What the query of an address may say."""
MOST_FILES, MOST_BYTES = 10_000, 4 << 30
"""Of one entry: a study has some hundred files."""
CHUNK = 1 << 20


def is_bucket(path: str) -> bool:
    """Whether a path is the address of a bucket or of something in one."""
    return "://" in path


def shown(address: str) -> str:
    """Return an address without its query."""
    return address.partition("?")[0]


def listed(address: str) -> list[str]:
    """Return the addresses of the files and folders that lie directly below an address, in order; of a file its own.

    Raises:
        UserError: it is no address of a bucket, nothing is there, or it cannot be read.
    """
    with _readable(address):
        system, path = _opened(address)
        there = system.get_file_info(path)
        if there.is_file:
            return [address]
        inside = _inside(system, path, recursive=False)
    if not inside:
        raise UserError("there is no such file or folder in the bucket", "name a folder of submissions", shown(address))
    _, mark, query = address.partition("?")
    names = sorted(each.base_name for each in inside if not each.base_name.startswith("."))
    return [f"{shown(address).rstrip('/')}/{quote(name)}{mark}{query}" for name in names]


@contextmanager
def fetched(address: str) -> Iterator[Path]:
    """Give a copy of a file or folder of a bucket, which is gone when the block ends.

    Raises:
        UserError: it cannot be read, is larger than an entry may be, or has a name that no file has.
    """
    with tempfile.TemporaryDirectory(prefix="dlaudit-bucket-") as home:
        with _readable(address):
            system, path = _opened(address)
            there = system.get_file_info(path)
            copy = Path(home, _parts(there.base_name, address)[-1])
            files = [there] if there.is_file else _inside(system, path, recursive=True)
            _check_size(files, address)
            left = MOST_BYTES
            for each in files:
                if each.is_file:
                    below = _parts(each.path.removeprefix(path).strip("/"), address) if each is not there else ()
                    left -= _copied(system, each.path, copy.joinpath(*below), left)
        yield copy


def _opened(address: str) -> tuple[Any, str]:
    """Return the file system of a bucket, and the path in it."""
    parts = urlsplit(address)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise UserError("this is no address of a bucket", "begin it with s3://BUCKET or gs://BUCKET", shown(address))
    if parts.username is not None or parts.password is not None or parts.fragment:
        hint = "credentials belong in the environment, as your cloud's own tools read them"
        raise UserError("the address of a bucket has no name, password or fragment", hint, f"{parts.scheme}://…")
    said = dict(parse_qsl(parts.query, keep_blank_values=True))
    if other := sorted(said.keys() - OPTIONS):
        raise UserError(f'the query says "{other[0]}"', f"it may say {', '.join(sorted(OPTIONS))}", shown(address))
    if find_spec("pyarrow") is None:
        raise UserError("a bucket is read with pyarrow, which is not installed", "pip install '.[ray]' in the checkout")
    system, root = _system(f"{parts.scheme}://{parts.netloc}" + (f"?{parts.query}" if parts.query else ""))
    return system, f"{root}/{unquote(parts.path).strip('/')}".rstrip("/")


@lru_cache(maxsize=8)
def _system(bucket: str) -> tuple[Any, str]:
    from pyarrow.fs import FileSystem

    system, root = FileSystem.from_uri(bucket)
    return system, root.rstrip("/")


def _inside(system: Any, path: str, *, recursive: bool) -> list[FileInfo]:
    from pyarrow.fs import FileSelector

    found: list[FileInfo] = system.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive))
    return found


def _parts(name: str, address: str) -> tuple[str, ...]:
    """Return a key as the names of folders and a file."""
    parts = tuple(name.split("/"))
    if any(part in {"", os.curdir, os.pardir} or "\0" in part for part in parts):
        raise UserError("a key in it is no path of a file", "give its folders and files plain names", shown(address))
    return parts


def _check_size(files: Iterable[FileInfo], address: str) -> None:
    sizes = [each.size or 0 for each in files if each.is_file]
    if not sizes:
        raise UserError("there is no such file or folder in the bucket", "list the bucket again", shown(address))
    if len(sizes) > MOST_FILES or sum(sizes) > MOST_BYTES:
        limit = f"{MOST_FILES:,} files or {MOST_BYTES >> 30} GiB"
        raise UserError(f"it has more than {limit}", "copy it to this machine and judge it there", shown(address))


def _copied(system: Any, path: str, copy: Path, most: int) -> int:
    """Copy a file, and return how many bytes it has."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with system.open_input_stream(path) as read, copy.open("xb") as written:
        while chunk := read.read(CHUNK):
            count += len(chunk)
            if count > most:
                raise OSError("it is longer than the bucket says")
            written.write(chunk)
    return count


@contextmanager
def _readable(address: str) -> Iterator[None]:
    """Say in one line what a bucket answers that cannot be read."""
    try:
        yield
    except (OSError, ValueError) as error:
        what = str(error).partition("\n")[0]
        hint = "check its name, the region and your credentials"
        raise UserError(f"the bucket cannot be read: {what}", hint, shown(address)) from None
