"""Digests: SHA-256 of bytes, the canonical bytes of a record, and the identity of an option set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from .errors import UserError

_OPTION_SET_DOMAIN = b"dlaudit-optionset-v1\0"


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def text_digests(data: bytes) -> tuple[str, str]:
    """Return the digest of a text, and that without carriage returns, blank lines and the line end at its end."""
    if b"\r" in data or b"\n\n" in data or data[:1] == b"\n":
        lines = data.replace(b"\r", b"").split(b"\n")
        return hashlib.sha256(data).hexdigest(), hashlib.sha256(b"\n".join(filter(None, lines))).hexdigest()
    # one pass for both: they differ in the last byte at most
    digest = hashlib.sha256(memoryview(data)[: len(data) - data.endswith(b"\n")])
    content = digest.hexdigest()
    digest.update(data[-1:] if data.endswith(b"\n") else b"")
    return digest.hexdigest(), content


def canonical(value: object) -> bytes:
    """Return a JSON value as the bytes that are hashed and chained: sorted keys, no spaces, UTF-8.

    Unlike RFC 8785 it keeps 1.0 apart from 1, and integers of any size, so a reader gets back what was written.

    Raises:
        ValueError: the value holds NaN, an infinity or half of a surrogate pair.
        TypeError: it is no JSON value.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()


def option_set_digest(options: Mapping[str, Any]) -> str:
    """Return the identity of an option set: `sha256:` and SHA-256 over a domain and its RFC 8785 form.

    RFC 8785 makes 1, 1.0 and 1e0 the same number, as they are the same option.

    Args:
        options: an option set as a JSON object.

    Raises:
        UserError: an option is NaN, infinite, an integer beyond 2^53 - 1, or no JSON value.
    """
    import rfc8785

    try:
        data = rfc8785.dumps(dict(options))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise UserError(
            f"an option has no canonical form: {str(error)[:160]}", "write that option as a string"
        ) from None
    return "sha256:" + sha256_hex(_OPTION_SET_DOMAIN + data)
