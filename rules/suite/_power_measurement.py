"""What the records of a power measurement say against the power of a result, and against each other."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.energy import Energy, MeterReadings, MeterSession
from ..facts.quantities.numbers import short
from ..outcome import C3, REFUTES, UNDERMINES, Violation
from ..registry import Threshold


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    printed: float = Threshold(0.01, "share between a log and what its meter prints of it", "judgement")
    contradictory: float = Threshold(
        0.01, "share of readings whose power is not that of voltage and current", "judgement"
    )
    repeat: float = Threshold(120, "readings in a row that are alike", "judgement: mains voltage moves")
    copied: float = Threshold(60, "readings that two logs share in stretches", "judgement")


def contradictions(energy: Energy, thresholds: Thresholds) -> Iterator[Violation]:
    """Yield what contradicts that the suite measured this power in this run.

    Args:
        energy: the energy of an arm.
        thresholds: those of the rule.
    """
    if energy.readings is not None:
        yield from _of_readings(energy.readings, thresholds)
    if energy.session is not None:
        yield from _of_session(energy.session)
        yield from _printed(energy.session, energy.readings, thresholds)


def _of_readings(readings: MeterReadings, thresholds: Thresholds) -> Iterator[Violation]:
    if readings.copied is not None and readings.copied >= thresholds.copied:
        message = (
            f"{readings.copied} readings of the run stand in the log of the run that set the meter's range, or earlier "
            "in their own"
        )
        yield Violation("b", REFUTES, C3, message, readings.place("copied"))
    if readings.longest_repeat is not None and readings.longest_repeat >= thresholds.repeat:
        message = f"{readings.longest_repeat} readings in a row are alike in power, voltage and current"
        yield Violation("c", UNDERMINES, C3, message, readings.place("longest_repeat"))
    wrong = readings.contradictory
    if wrong and readings.count and wrong > thresholds.contradictory * readings.count:
        message = (
            f"in {wrong} of {readings.count} readings the power is neither the product of voltage, current and power "
            "factor nor the sum of its channels"
        )
        yield Violation("c", UNDERMINES, C3, message, readings.place("contradictory"))


def _of_session(session: MeterSession) -> Iterator[Violation]:
    if len(session.identities) > 1:
        message = f"the power is that of another run: {' beside '.join(session.identities)}"
        at = session.place("identities")
        yield Violation("b", REFUTES, C3, message, at, session.identities[0], session.identities[1])
    for name, file in session.files.items():
        if file.found is not None and file.found != file.recorded:
            message = f"{name} is not the file that the session recorded"
            yield Violation("c", UNDERMINES, C3, message, file.at, file.recorded, file.found)
    if session.in_phase is False:
        message = "the run or its readings do not lie in the phase of the session that they are said to be of"
        yield Violation("c", UNDERMINES, C3, message, session.place("in_phase"))
    if session.debug:
        message = "the session was run to try the tool, in debug mode"
        yield Violation("c", UNDERMINES, C3, message, session.place("debug"))


def _printed(session: MeterSession, readings: MeterReadings | None, thresholds: Thresholds) -> Iterator[Violation]:
    """Compare a power log with what the meter's own program printed of it."""
    if readings is None:
        return
    for name, unit, printed, found in (
        ("mean_power_w", "W on average", session.printed_mean_power_w, readings.mean_power_w),
        ("count", "readings", session.printed_readings, readings.count),
    ):
        if printed is not None and found is not None and abs(found - printed) > thresholds.printed * printed:
            message = f"the power log holds {short(found)} {unit}, the meter's program printed {short(printed)}"
            yield Violation("c", UNDERMINES, C3, message, readings.place(name), short(printed), short(found))
