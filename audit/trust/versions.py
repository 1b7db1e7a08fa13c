"""The last version of each trust list that was used on this account, so that an old list cannot be slipped in again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError, VerificationFailed
from ...schemas.files import write_atomic

FILE = "trust-versions.json"


def remember(state: Path, name: str, version: int, root: str, where: str) -> None:
    """Compare a list with what was seen before under its name, and remember it.

    Args:
        state: the folder of the memory.
        name: name of the list.
        version: its version.
        root: keyid of the root key that signed it; empty where none did.
        where: the file, for messages.

    Raises:
        VerificationFailed: the version is older than the last one seen, or the root key is another one.
        UserError: the memory cannot be read or written.
    """
    path = state / FILE
    seen = _read(path)
    last = seen.get(name, {"version": 0, "root": root})
    if version < last["version"]:
        raise VerificationFailed(
            f"{where}: this is version {version} of the trust list {name}, and version {last['version']} was used here "
            "before: an older list is not taken; get the current one"
        )
    if root != last["root"]:
        expected = f"signed by the root key {last['root'][:16]}" if last["root"] else "unsigned"
        raise VerificationFailed(
            f"{where}: the trust list {name} used to be {expected}, and this one is not; "
            f"where that is meant, strike {name} from {path}"
        )
    now = {"version": version, "root": root}
    if seen.get(name) != now:
        try:
            state.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomic(path, json.dumps({**seen, name: now}, indent=1, sort_keys=True).encode() + b"\n")
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
    raise UserError("the memory of trust lists cannot be read", "repair it, or remove it to begin anew", str(path))
