"""Trust files: read, checked, and never taken back to an older version.

What a trust file must fulfil, beyond its schema: each keyid is the SHA-256 of its key; each key passes
`curve.key_flaw`; it has not expired; its version is at least the last one seen under its name. A file that is a DSSE
envelope must carry a genuine signature of its root key; the first root key seen under a name is remembered, and from
then on only versions that it signed are taken.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError, VerificationFailed
from ...schemas.model import to_model
from ...schemas.source import read_bytes
from ...schemas.strict_json import loads
from ...schemas.trust import TrustFile
from ...schemas.validation import validate
from . import dsse
from .curve import key_flaw
from .versions import Seen, remember

MAX_TRUST_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Trust:
    """A trust file that was checked."""

    name: str
    """The file's name, for messages."""
    content: TrustFile
    keys: dict[str, bytes]
    """Raw public keys by keyid."""
    sha256: str
    """Digest of the list's bytes (the payload's, where it is signed)."""
    root: str
    """Keyid of the root key that signed the list; empty where none did."""

    def candidates(self, keyid: str) -> list[bytes]:
        """Return the listed keys that a signature may be of: the one it names, or all where it names none."""
        if keyid:
            return [self.keys[keyid]] if keyid in self.keys else []
        return list(self.keys.values())


def load_trust(
    path: Path, now: datetime, state: Path | None, root: bytes | None = None, *, is_handed_in: bool = False
) -> Trust:
    """Load a trust file, and remember its version.

    Args:
        path: the file: a trust document, or a DSSE envelope around one.
        now: the moment of loading.
        state: folder in which the last version of each list is remembered; None to look at a file without using it.
        root: raw public key that must have signed the list; None to take the one remembered, or the first one seen.
        is_handed_in: whether the file lies in what it is to judge: it is then held to what is remembered, and leaves
            nothing there.

    Raises:
        UserError: unreadable, invalid, or with a key that must not be used.
        VerificationFailed: expired, rolled back, or not signed by its root key.
    """
    payload, signer = _open_list(read_list(path), str(path), root)
    trust = parse_trust(payload, str(path), signer)
    if now >= instant(trust.content.expires):
        raise VerificationFailed(
            f"{path}: version {trust.content.version} of the trust list {trust.content.name} expired at "
            f"{trust.content.expires}; get the current one from whoever keeps it"
        )
    if state is not None:
        seen = Seen(trust.content.name, trust.content.version, trust.root, path)
        remember(state, seen, keep=not is_handed_in)
    return trust


def read_list(path: Path) -> bytes:
    """Return the bytes of a trust file, signed or not.

    Raises:
        UserError: it is no regular file of reasonable size, or cannot be read.
    """
    return read_bytes(path, MAX_TRUST_BYTES)


def _open_list(data: bytes, name: str, root: bytes | None) -> tuple[bytes, str]:
    """Return the bytes of the list, and the keyid of the root key that signed it (empty where none did)."""
    value: Any = loads(data, name)
    if not isinstance(value, dict) or "payloadType" not in value:
        if root is not None:
            raise VerificationFailed(f"{name}: the trust list is not signed, and --root demands a signature")
        return data, ""
    envelope = dsse.read(data, name)
    if envelope.payload_type != dsse.TRUST_TYPE:
        raise UserError(f"this envelope holds {envelope.payload_type[:80]!r}, not a trust list", where=name)
    for signature in envelope.signatures:
        public_raw = root if root is not None else signature.public_raw
        if public_raw is not None and key_flaw(public_raw) is None and dsse.verifies(envelope, signature, public_raw):
            return envelope.payload, dsse.keyid_of(public_raw)
    raise VerificationFailed(f"{name}: the signature of the root key over this trust list does not hold")


def parse_trust(data: bytes, name: str, root: str = "") -> Trust:
    """Check the bytes of a list, without regard to time and version.

    Raises:
        UserError: invalid, or with a key that must not be used.
    """
    value = loads(data, name)
    problems = validate("trust", value)
    if problems:
        first = problems[0]
        raise UserError(first.what, first.todo, f"{name} ({first.pointer or '/'})")
    content = to_model(value, TrustFile)
    keys = {}
    for keyid, key in content.keys.items():
        place = f"{name} ({key.at})"
        encoded = base64.b64decode(key.public, validate=True)
        if base64.b64encode(encoded).decode() != key.public:
            raise UserError("the public key is not canonical base64", where=place)
        public_raw = encoded[len(dsse.SPKI_PREFIX) :]
        flaw = key_flaw(public_raw)
        if flaw is not None:
            raise UserError(flaw, f"remove the key of {key.owner}", place)
        if dsse.keyid_of(public_raw) != keyid:
            raise UserError("the keyid is not the SHA-256 of this key", "name the key by its own keyid", place)
        _check_times(place, key.not_before, key.not_after, key.revoked_at)
        keys[keyid] = public_raw
    _check_times(name, content.issued, content.expires, None)
    return Trust(name, content, keys, sha256_hex(data), root)


def instant(text: str) -> datetime:
    """Return the moment that an ISO 8601 text in UTC means.

    Raises:
        ValueError: there is no such moment.
    """
    return datetime.fromisoformat(text)


def _check_times(where: str, begin: str, end: str, within: str | None) -> None:
    try:
        begins, ends = instant(begin), instant(end)
        if within is not None:
            instant(within)
    except ValueError:
        raise UserError("one of the times does not exist in the calendar", where=where) from None
    if begins >= ends:
        raise UserError(f"the period from {begin} to {end} is empty", where=where)
