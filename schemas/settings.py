"""What a gate's owner keeps: configuration and waivers, as in config.schema.json and waivers.schema.json."""

from __future__ import annotations

from msgspec import field

from .model import Node


class Config(Node, frozen=True, kw_only=True):
    """How a team judges."""

    dlaudit: str = "config/1"
    profile: str | None = None
    fail_on: str | None = None
    trust: str | None = None
    waivers: str | None = None
    tables: tuple[str, ...] = ()
    cosmetic: tuple[str, ...] = ()
    plugins: bool | None = None
    mandatory: tuple[str, ...] = ()
    rules: dict[str, dict[str, float]] = field(default_factory=dict)


class Waiver(Node, frozen=True, kw_only=True):
    """A finding that the gate's owner accepts, for one claim of one document, until a day."""

    rule: str
    claim: str | None = None
    document: str
    source: str | None = None
    results: dict[str, str] = field(default_factory=dict)
    file: str | None = None
    reason: str
    justification: str
    approver: str
    expires: str


class Waivers(Node, frozen=True, kw_only=True):
    """Waivers by id."""

    dlaudit: str
    waivers: dict[str, Waiver]
