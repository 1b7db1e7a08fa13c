"""Trust files, as in trust.schema.json, where each field is described."""

from __future__ import annotations

from .model import Node


class TrustKey(Node, frozen=True, kw_only=True):
    """One public key and what its signatures are worth."""

    public: str
    owner: str
    roles: tuple[str, ...]
    not_before: str
    not_after: str
    revoked_at: str | None = None
    revocation_reason: str | None = None


class TrustRules(Node, frozen=True, kw_only=True):
    """How many distinct keys of each role must have signed."""

    submission: dict[str, int]


class TrustFile(Node, frozen=True, kw_only=True):
    """Whose signatures count, for what and how long."""

    dlaudit: str
    name: str
    version: int
    issued: str
    expires: str
    keys: dict[str, TrustKey]
    rules: TrustRules
