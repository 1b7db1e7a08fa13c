"""Envelopes after DSSE v1.0.2: what is signed is the payload's bytes together with their type, never a canonical form.

An envelope is JSON: `payload` (base64), `payloadType`, `signatures` with at most 16 entries of `keyid` (a hint, never
trusted), `sig` (base64) and `public` (base64 of the signer's SubjectPublicKeyInfo, so that a signature by a key that
no trust file lists can still be told from a forged one). DSSE lets consumers ignore fields they do not know, so other
implementations read such envelopes. This one reads closed: an unknown field, base64 that is not canonical, or a
`public` that does not hash to its `keyid` makes the envelope malformed.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from ...schemas.errors import UserError
from ...schemas.strict_json import loads

STATEMENT_TYPE = "application/vnd.in-toto+json"
TRUST_TYPE = "application/vnd.dlaudit.trust+json"
WAIVERS_TYPE = "application/vnd.dlaudit.waivers+json"
MAX_SIGNATURES = 16
MAX_ENVELOPE_BYTES = 48 << 20
"""Room for a manifest of 32 MiB in base64."""
SPKI_PREFIX = bytes.fromhex("302a300506032b6570032100")
"""DER of an Ed25519 SubjectPublicKeyInfo up to the 32 key bytes (RFC 8410)."""


class Signer(Protocol):
    """Something that signs bytes with Ed25519: a key in memory, a token, a service."""

    @property
    def keyid(self) -> str:
        """SHA-256 of the public key's SubjectPublicKeyInfo, in hexadecimal."""

    @property
    def public_raw(self) -> bytes:
        """The 32 bytes of the public key."""

    def sign(self, data: bytes) -> bytes:
        """Return the 64 bytes of the signature over these bytes."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature as the envelope states it; nothing here is verified."""

    keyid: str
    """The stated key id; empty where the envelope names none."""
    sig: bytes
    public_raw: bytes | None
    """The public key that the envelope carries; it hashes to `keyid`."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A parsed envelope; nothing here is verified."""

    payload_type: str
    payload: bytes
    signatures: tuple[Signature, ...]


def spki(public_raw: bytes) -> bytes:
    """Return the SubjectPublicKeyInfo DER of a raw public key."""
    return SPKI_PREFIX + public_raw


def keyid_of(public_raw: bytes) -> str:
    """Return the key id of a raw public key: SHA-256 of its SubjectPublicKeyInfo, in hexadecimal."""
    return sha256(spki(public_raw)).hexdigest()


def pae(payload_type: str, payload: bytes) -> bytes:
    """Return the pre-authentication encoding of DSSE: what is signed. Lengths count bytes."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload_type: str, payload: bytes, signer: Signer) -> Envelope:
    """Sign a payload with one key."""
    signature = Signature(signer.keyid, signer.sign(pae(payload_type, payload)), signer.public_raw)
    return Envelope(payload_type, payload, (signature,))


def verifies(envelope: Envelope, signature: Signature, public_raw: bytes) -> bool:
    """Whether a signature over this envelope's payload and type was made with this public key.

    The key itself must have passed `curve.key_flaw`.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(public_raw)
        key.verify(signature.sig, pae(envelope.payload_type, envelope.payload))
    except (InvalidSignature, ValueError):
        return False
    return True


def write(envelope: Envelope) -> bytes:
    """Return the envelope's JSON text."""
    signatures = [_signature_value(item) for item in envelope.signatures]
    value = {
        "payload": base64.b64encode(envelope.payload).decode(),
        "payloadType": envelope.payload_type,
        "signatures": signatures,
    }
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read(data: bytes, name: str) -> Envelope:
    """Parse an envelope strictly.

    Args:
        data: the bytes of the envelope.
        name: what to call them in messages.

    Raises:
        UserError: not strict JSON, or not a closed, canonical DSSE envelope.
    """
    value: Any = loads(data, name, limit_bytes=MAX_ENVELOPE_BYTES)
    fields = _closed(value, {"payload", "payloadType", "signatures"}, set(), "the envelope", name)
    if not isinstance(fields["payloadType"], str):
        raise UserError("the envelope's payloadType is not a string", where=name)
    items = fields["signatures"]
    if not isinstance(items, list) or not 1 <= len(items) <= MAX_SIGNATURES:
        raise UserError(f"an envelope carries 1 to {MAX_SIGNATURES} signatures", where=name)
    signatures = tuple(_read_signature(item, index, name) for index, item in enumerate(items))
    return Envelope(fields["payloadType"], _decoded(fields["payload"], "payload", name), signatures)


def _signature_value(signature: Signature) -> dict[str, str]:
    value = {"keyid": signature.keyid, "sig": base64.b64encode(signature.sig).decode()}
    if signature.public_raw is not None:
        value["public"] = base64.b64encode(spki(signature.public_raw)).decode()
    return value


def _read_signature(value: Any, index: int, name: str) -> Signature:
    what = f"signature {index + 1} of the envelope"
    fields = _closed(value, {"sig"}, {"keyid", "public"}, what, name)
    keyid = fields.get("keyid", "")
    if not isinstance(keyid, str) or len(keyid) > 200:
        raise UserError(f"{what} has a keyid that is not a short string", where=name)
    sig = _decoded(fields["sig"], f"sig of {what}", name)
    if len(sig) != 64:
        raise UserError(f"{what} has {len(sig)} bytes; an Ed25519 signature has 64", where=name)
    if "public" not in fields:
        return Signature(keyid, sig, None)
    encoded = _decoded(fields["public"], f"public key of {what}", name)
    if len(encoded) != 44 or not encoded.startswith(SPKI_PREFIX):
        raise UserError(f"the public key of {what} is no Ed25519 SubjectPublicKeyInfo", where=name)
    if sha256(encoded).hexdigest() != keyid:
        raise UserError(f"the public key of {what} does not hash to its keyid", where=name)
    return Signature(keyid, sig, encoded[len(SPKI_PREFIX) :])


def _closed(value: Any, required: set[str], optional: set[str], what: str, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{what} is not a JSON object", where=name)
    for key in sorted(required - value.keys()):
        raise UserError(f"{what} lacks the field {key!r}", where=name)
    for key in sorted(value.keys() - required - optional):
        raise UserError(f"{what} has an unknown field {key[:80]!r}", where=name)
    return value


def _decoded(text: Any, what: str, name: str) -> bytes:
    """Decode standard base64 and demand that encoding again gives the same text: one spelling for each value."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise UserError(f"the {what} is not base64", where=name) from None
    if base64.b64encode(data).decode() != text:
        raise UserError(f"the {what} is not canonical base64", where=name)
    return data
