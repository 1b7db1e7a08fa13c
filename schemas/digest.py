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
