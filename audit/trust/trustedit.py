"""Changes to a trust list: each one checks the result, raises the version and replaces the file."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.files import write_atomic
from ...schemas.strict_json import loads
from . import dsse
from .trustfile import Trust, parse_trust, read_list


def init(file: Path, name: str | None, now: datetime, lasts: timedelta, submission: Mapping[str, int]) -> Trust:
    """Write a list without keys.

    Raises:
        UserError: the file exists, or the name is none.
    """
    if file.exists() or file.is_symlink():
        raise UserError("this file exists already", "add keys to it, or choose another name", str(file))
    value = {
        "dlaudit": "trust/1",
        "name": name or f"trust-{secrets.token_hex(4)}",
        "version": 1,
        "issued": _text(now),
        "expires": _text(now + lasts),
        "keys": {},
        "rules": {"submission": dict(submission)},
    }
    return _write(file, value)


def add(
    file: Path, public_raw: bytes, owner: str, roles: Sequence[str], now: datetime, lasts: timedelta
) -> tuple[str, Trust]:
    """List a key, or renew its entry; return its keyid and the new list.

    Raises:
        UserError: the file is no unsigned list, or the key was revoked in it.
    """
    value = _read(file)
    keyid = dsse.keyid_of(public_raw)
    old = value["keys"].get(keyid, {})
    if "revoked_at" in old:
        raise UserError(f"the key {keyid[:16]} was revoked", "let its owner make another one", str(file))
    value["keys"][keyid] = {
        "public": base64.b64encode(dsse.spki(public_raw)).decode(),
        "owner": owner,
        "roles": sorted(set(roles)),
        "not_before": old.get("not_before", _text(now)),
        "not_after": _text(now + lasts),
    }
    return keyid, _raise_version(file, value, now)


def revoke(file: Path, beginning: str, reason: str, now: datetime) -> tuple[str, Trust]:
    """Withdraw the key whose keyid begins so; return its keyid and the new list.

    Raises:
        UserError: the file is no unsigned list, or not exactly one key fits.
    """
    value = _read(file)
    fitting = [keyid for keyid in value["keys"] if keyid.startswith(beginning)]
    if len(fitting) != 1 or not beginning:
        what = "no key" if not fitting else "more than one key"
        raise UserError(
            f"{what} has a keyid that begins with {beginning!r}", "dlaudit trust show lists them", str(file)
        )
    value["keys"][fitting[0]] |= {"revoked_at": _text(now), "revocation_reason": reason}
    return fitting[0], _raise_version(file, value, now)


def sign(file: Path, root: dsse.Signer, out: Path) -> Trust:
    """Write a list as an envelope that a root key signed.

    Raises:
        UserError: the file is no unsigned, valid list.
    """
    data = read_list(file)
    _read(file)
    trust = parse_trust(data, str(file), root.keyid)
    write_atomic(out, dsse.write(dsse.sign(dsse.TRUST_TYPE, data, root)))
    return trust


def _read(file: Path) -> dict[str, Any]:
    """Return the value of an unsigned, valid list."""
    data = read_list(file)
    value: Any = loads(data, str(file))
    if isinstance(value, dict) and "payloadType" in value:
        raise UserError("this trust list is signed", "change the unsigned one and sign it again", str(file))
    parse_trust(data, str(file))
    assert isinstance(value, dict)
    return value


def _raise_version(file: Path, value: dict[str, Any], now: datetime) -> Trust:
    return _write(file, {**value, "version": value["version"] + 1, "issued": _text(now)})


def _write(file: Path, value: dict[str, Any]) -> Trust:
    """Check a list as a reader would, then write it."""
    data = (json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode()
    trust = parse_trust(data, str(file))
    write_atomic(file, data)
    return trust


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
