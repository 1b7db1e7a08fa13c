"""Controls that were asked for and not had: where the spec requires them, nothing runs, or nothing runs on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...schemas.errors import EnvironmentRefused
from ...schemas.spec import Spec
from ..environment.preview import OF_THE_PROCESS, Foreseen
from ..environment.setting import spelt
from ..record.events import Events
from ..trial.events import ControlRecord


def check_foreseen(spec: Spec, foreseen: Iterable[Foreseen]) -> None:
    """Refuse at once what every trial would be refused.

    Args:
        spec: the spec.
        foreseen: what would become of its requests.

    Raises:
        EnvironmentRefused: a required knob cannot be turned.
    """
    for one in foreseen:
        if one.refused is not None and spec.controls.requires(one.knob):
            raise EnvironmentRefused(f"the spec requires {one.words}: {one.refused}")


def unmet(spec: Spec, events: Events, controls: Sequence[ControlRecord]) -> Iterator[tuple[str, str]]:
    """Yield the knobs that a trial asked for and did not get, each with a line for the user.

    A knob of the machine that could not be set was told before the first trial.
    """
    for record in events.controls.records if events.controls is not None else ():
        if spec.controls.asks(record.knob) and record.verified != "verified" and record.applied is None:
            why = f"is not set, and recorded so: {record.evidence}"
            yield record.knob, f"{record.knob} = {spelt(getattr(spec.controls, record.knob))} {why}"
    for record in (*(events.controls.records if events.controls is not None else ()), *controls):
        if spec.controls.asks(record.knob) and record.verified == "contradicted" and record.applied is not None:
            why = f"is contradicted, and recorded so: {record.evidence}"
            yield record.knob, f"{record.knob} = {spelt(getattr(spec.controls, record.knob))} {why}"


def check(spec: Spec, events: Events, controls: Sequence[ControlRecord]) -> None:
    """Hold a trial's records against what the spec requires.

    Args:
        spec: the spec.
        events: what the events of the trial say, its own knobs among it.
        controls: what became of the machine's knobs.

    Raises:
        EnvironmentRefused: a required knob was not verified.
    """
    wanted = spec.controls
    if events.controls is None and events.ended is not None and any(map(wanted.requires, OF_THE_PROCESS)):
        raise EnvironmentRefused("the spec requires controls, and the trial did not say what became of them")
    own = events.controls.records if events.controls is not None else ()
    for record in (*own, *controls):
        if wanted.requires(record.knob) and record.verified != "verified":
            value = spelt(getattr(wanted, record.knob))
            raise EnvironmentRefused(
                f"the spec requires {record.knob} = {value}, which is {record.verified}: {record.evidence}"
            )
