"""What a knob of the machine is: one small module with four verbs, `read`, `apply`, `verify` and `restore`.

A knob is set once, before the first trial of a session, and put back after the last. Who turns knobs keeps the
originals on disk before the first change, so that a killed runner's machine is put back by the next start:

    read    before anything changes: the original
    apply   set what the spec asks for
    read    at the start and the end of every trial, and while it runs where the knob is SAMPLED
    verify  after every trial: what do these readings show
    restore after the last trial, or by a later process that has nothing but the original

A target says on what: the UUID of a GPU, or, for a knob of the host, the root of its file tree (`/`). All state is in
the machine: a module keeps none between calls, because the process that restores need not be the one that applied.

A verb that cannot be done raises `Refused`: for want of permission, or because the machine has no such thing. The
study goes on and says so, unless the spec requires the knob.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ...trial.events import Restored, Scalar, Verified

Scope = Literal["gpu", "amd", "host"]
"""GPUs of NVIDIA, GPUs of AMD, or the host."""
Refusal = Literal["not_permitted", "unverifiable", "contradicted"]
Reading = Any
"""What `read` returns: a JSON value, with which `restore` can put the state back."""


class Refused(Exception):
    """A verb cannot be done here.

    Args:
        state: `not_permitted` where somebody could permit it, `unverifiable` where there is no such thing or nobody can
            tell, `contradicted` where it is seen to stand otherwise and cannot be changed.
        evidence: who refused what, in one clause.
        todo: how to get it, in one clause: a line for sudoers, an option of the container.
    """

    def __init__(self, state: Refusal, evidence: str, todo: str = "") -> None:
        self.state, self.evidence, self.todo = state, evidence, todo
        super().__init__(evidence + (f"; {todo}" if todo else ""))


@dataclass(frozen=True, slots=True)
class Verification:
    """What readings show of a knob's effect."""

    verified: Verified
    evidence: str
    """How it is known, or why it is not, in one clause."""
    found: Scalar | None = None
    """What the knob stood at, in the unit of the request."""
    measured: Mapping[str, float] = field(default_factory=dict)
    """The numbers behind the evidence, by name with unit, for rules to read."""


@dataclass(frozen=True, slots=True)
class Restoration:
    """What became of the original state."""

    restored: Restored
    """`restored`: read back and as it was; `reset`: set to the default, the original being unknowable; `failed`."""
    evidence: str


class Knob(Protocol):
    """The module of a knob."""

    NAME: str
    """Its key under `controls` in a spec and in a manifest, with its unit where it has one."""
    SCOPE: Scope
    SAMPLED: bool
    """Whether it is read while a trial runs, some ten times a second: only where that is needed and costs little."""

    def read(self, target: str) -> Reading:
        """Return the state as it is.

        Raises:
            Refused: it cannot be seen.
        """

    def apply(self, target: str, requested: Any) -> Scalar:
        """Set what is requested, and return what was set: the nearest that the machine supports.

        Raises:
            Refused: it cannot be set.
        """

    def verify(self, target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
        """Judge the readings of one trial, in their order; the first was taken before it and the last after it.

        No trial runs now, so that a probe may use the machine.

        Raises:
            Refused: it cannot be seen.
        """

    def restore(self, target: str, original: Reading) -> Restoration:
        """Put the original back, and look at it where it can be read.

        Raises:
            Refused: it cannot be set.
        """
