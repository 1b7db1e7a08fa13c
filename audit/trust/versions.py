"""The last version of each trust list that was used on this account, so that an old list cannot be slipped in again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import Struct

from ...schemas.errors import UserError, VerificationFailed
from ...schemas.files import write_atomic

FILE = "trust-versions.json"


class Seen(Struct, frozen=True):
    """A list as it was used.

    Attributes:
        name: its name.
        version: its version.
        root: keyid of the root key that signed it; empty where none did.
        path: the file.
    """

    name: str
    version: int
    root: str
    path: Path

    @property
    def key(self) -> str:
        """What its version is remembered under: anybody can give an unsigned list a name, but not another's place."""
        return self.name if self.root else f"{self.name} {self.path.resolve()}"


def remember(state: Path, list_: Seen, *, keep: bool = True) -> None:
    """Compare a list with what was seen before under its name, and remember it.

    Args:
        state: the folder of the memory.
        list_: the list that is used.
        keep: whether it may leave anything in the memory.

    Raises:
        VerificationFailed: the version is older than the last one seen, or the root key is another one.
        UserError: the memory cannot be read or written.
    """
    path, name = state / FILE, list_.name
    seen = _read(path)
    signed = seen.get(name)
    if signed is not None and list_.root != signed["root"]:
        expected = f"signed by the root key {signed['root'][:16]}"
        raise VerificationFailed(
            f"{list_.path}: the trust list {name} used to be {expected}, and this one is not; "
            f"where that is meant, strike {name} from {path}"
        )
    last = seen.get(list_.key, {"version": 0})
    if list_.version < last["version"]:
        raise VerificationFailed(
            f"{list_.path}: this is version {list_.version} of the trust list {name}, and version {last['version']} "
            "was used here before: an older list is not taken; get the current one"
        )
    now = {"version": list_.version, "root": list_.root}
    if keep and seen.get(list_.key) != now:
        try:
            state.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomic(path, json.dumps({**seen, list_.key: now}, indent=1, sort_keys=True).encode() + b"\n")
        except OSError as error:
            raise UserError(
                f"the version of the trust list cannot be remembered: {error.strerror}", "set XDG_STATE_HOME", str(path)
            ) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
        entries = value.items()
        if all(isinstance(item["version"], int) and isinstance(item["root"], str) for _, item in entries):
            return dict(entries)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        pass
    raise UserError(
        "the record of trust lists seen so far cannot be read", "repair it, or remove it to begin anew", str(path)
    )
