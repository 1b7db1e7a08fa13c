"""Whether 32 bytes are an Ed25519 public key that can bind its owner to a message.

RFC 8032 verification accepts public keys outside the prime-order subgroup. With the identity point as key one fixed
signature verifies every message, and a key with a low-order component lets verifiers disagree. Such keys are refused
here, before any signature is looked at.

The curve is edwards25519: -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo p = 2^255 - 19, with the base point of
prime order L (RFC 8032, section 5.1). Points are in extended coordinates (X, Y, Z, T), x = X/Z, y = Y/Z, xy = T/Z.
Public keys are no secret: nothing is constant-time.
"""

from __future__ import annotations

from typing import TypeAlias

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point: TypeAlias = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)


def key_flaw(public_raw: bytes) -> str | None:
    """Say why these bytes must not be used as a public key.

    Returns:
        None for a canonical encoding of a point of order L; else one clause for the user.
    """
    if len(public_raw) != 32:
        return f"an Ed25519 public key has 32 bytes, this one has {len(public_raw)}"
    encoded = int.from_bytes(public_raw, "little")
    sign, y = encoded >> 255, encoded & (2**255 - 1)
    if y >= P:
        return "the key is not canonical: its y coordinate is not reduced modulo 2^255 - 19"
    x = _recover_x(y)
    if x is None:
        return "the key is no point of the curve edwards25519"
    if x == 0 and sign:
        return "the key is not canonical: it has x = 0 with the sign bit set"
    if x & 1 != sign:
        x = P - x
    point = (x, y, 1, x * y % P)
    if _is_identity(_multiply(8, point)):
        return "the key is of low order: one signature made for it can verify for any message"
    if not _is_identity(_multiply(L, point)):
        return (
            "the key is of mixed order, outside the prime-order subgroup: verifiers may disagree about its signatures"
        )
    return None


def _recover_x(y: int) -> int | None:
    """Return a square root of (y^2 - 1) / (d y^2 + 1), or None where there is none (RFC 8032, section 5.1.3)."""
    numerator, denominator = y * y - 1, D * y * y + 1
    square = numerator * pow(denominator, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if (root * root - square) % P:
        root = root * SQRT_MINUS_ONE % P
    return root if (root * root - square) % P == 0 else None


def _add(left: Point, right: Point) -> Point:
    """Add two points; complete for this curve, so it doubles as well (RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _multiply(scalar: int, point: Point) -> Point:
    total = IDENTITY
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _is_identity(point: Point) -> bool:
    x, y, z, _ = point
    return x % P == 0 and (y - z) % P == 0
