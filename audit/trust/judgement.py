"""Whether the signatures of an envelope count: first that they are genuine, then that trusted keys made enough of them.

What counts is key material. One key under two names, or one key with two roles, counts once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ...schemas.trust import TrustKey
from .curve import key_flaw
from .dsse import Envelope, Signature, keyid_of, verifies
from .problem import Problem
from .trustfile import Trust, instant

Status = Literal["valid_trusted", "valid_unlisted", "absent", "invalid"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an envelope's signatures are worth."""

    status: Status
    keyids: tuple[str, ...]
    """Keys whose signature is genuine, listed or not."""
    owners: tuple[str, ...]
    """Owners of those that count."""
    problems: tuple[Problem, ...]


def judge(
    envelope: Envelope,
    trust: Trust | None,
    now: datetime,
    where: str,
    thresholds: Mapping[str, int] | None = None,
) -> Judgement:
    """Judge the signatures of an envelope under a trust file, or without one.

    Args:
        envelope: parsed, of the expected payload type.
        trust: None where the reader names nobody; then the best status is `valid_unlisted`.
        now: the moment of verification: without an independent time of signing it decides whether a key is valid.
        where: the envelope's name in messages.
        thresholds: number of distinct keys by role that must have signed; the trust file's for a study where None.
    """
    problems: list[Problem] = []
    genuine: dict[bytes, str] = {}
    for signature in envelope.signatures:
        public_raw, found = _check_one(envelope, signature, trust, where)
        problems += found
        if public_raw is not None:
            genuine[public_raw] = keyid_of(public_raw)
    keyids = tuple(sorted(genuine.values()))
    if any(problem.weight == "broken" for problem in problems):
        return Judgement("invalid", keyids, (), tuple(problems))
    if not genuine:
        return Judgement("absent", (), (), tuple(problems))
    if trust is None:
        return Judgement("valid_unlisted", keyids, (), tuple(problems))
    counting: dict[str, TrustKey] = {}
    for keyid in keyids:
        refusal = _refusal(trust, keyid, now, where)
        if refusal:
            problems.append(refusal)
        else:
            counting[keyid] = trust.content.keys[keyid]
    thresholds = trust.content.rules.submission if thresholds is None else thresholds
    missing = unmet(thresholds, {keyid: key.roles for keyid, key in counting.items()})
    if missing:
        demanded = _named(thresholds)
        message = f"{trust.name} asks for signatures of {demanded}; {missing} of them are not met"
        problems.append(Problem("below-threshold", message, "untrusted", where))
        return Judgement("valid_unlisted", keyids, (), tuple(problems))
    owners = tuple(sorted({key.owner for key in counting.values()}))
    return Judgement("valid_trusted", keyids, owners, tuple(problems))


def unmet(thresholds: Mapping[str, int], roles: Mapping[str, Sequence[str]]) -> int:
    """Return how many demanded signatures stay without a key when each key serves one role only.

    A maximum matching of demands and keys by augmenting paths.

    Args:
        thresholds: number of distinct keys by role.
        roles: what each key that counts may vouch for, by keyid.
    """
    demands = [role for role, number in sorted(thresholds.items()) for _ in range(number)]
    serves: dict[str, int] = {}

    def assign(demand: int, tried: set[str]) -> bool:
        for keyid, own in sorted(roles.items()):
            if demands[demand] in own and keyid not in tried:
                tried.add(keyid)
                if keyid not in serves or assign(serves[keyid], tried):
                    serves[keyid] = demand
                    return True
        return False

    return sum(not assign(demand, set()) for demand in range(len(demands)))


def _check_one(
    envelope: Envelope, signature: Signature, trust: Trust | None, where: str
) -> tuple[bytes | None, list[Problem]]:
    """Return the key that made a signature, or what is wrong with it."""
    name = signature.keyid[:16] or "(no keyid)"
    candidates = [] if trust is None else trust.candidates(signature.keyid)
    if not candidates and signature.public_raw is not None:
        flaw = key_flaw(signature.public_raw)
        if flaw is not None:
            return None, [Problem("key-unsafe", f"the signature of {name} is worthless: {flaw}", "broken", where)]
        candidates = [signature.public_raw]
    if not candidates:
        message = f"the signature of {name} cannot be checked: neither a trust file nor the envelope holds this key"
        return None, [Problem("key-unknown", message, "untrusted", where)]
    for public_raw in candidates:
        if verifies(envelope, signature, public_raw):
            return public_raw, []
    message = f"the signature of {name} does not fit: the signed bytes, their type or the signature were changed"
    return None, [Problem("signature-invalid", message, "broken", where)]


def _refusal(trust: Trust, keyid: str, now: datetime, where: str) -> Problem | None:
    """Return why a genuine signature of this key does not count."""
    key = trust.content.keys.get(keyid)
    name = keyid[:16]
    if key is None:
        message = f"the signature is genuine, but {trust.name} does not list its key {name}: nobody you trust signed"
        return Problem("key-unlisted", message, "untrusted", where)
    whose = f"the key {name} of {key.owner}"
    if key.revoked_at is not None:
        when = f"{key.revoked_at} ({key.revocation_reason})"
        message = f"{whose} was revoked at {when}; nothing independent shows that it signed before"
        return Problem("key-revoked", message, "untrusted", where)
    if now >= instant(key.not_after):
        message = f"{whose} expired at {key.not_after}; nothing independent shows that it signed before"
        return Problem("key-expired", message, "untrusted", where)
    if now < instant(key.not_before):
        return Problem("key-not-yet-valid", f"{whose} is valid from {key.not_before} on", "untrusted", where)
    return None


def _named(thresholds: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {role}" for role, number in sorted(thresholds.items()))
