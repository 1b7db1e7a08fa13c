"""What a target takes, and the first epoch apart from the others, from the events of trials."""

import pytest
from dlaudit.runners.record import epochs, to_target
from dlaudit.runners.record.consumption import Timed
from dlaudit.runners.record.events import Events, Span
from dlaudit.runners.telemetry.readings import Header, Readings
from dlaudit.runners.trial.events import Crossing, Options
from dlaudit.schemas.conditions import Price

OPTIONS = Options(
    effective={},
    observed={},
    work_per_iteration=10,
    work_unit="samples",
    samples_per_iteration=10,
    splits={"train": {"examples": 25}},
)


def trained(steps=60, power_w=100.0):
    """A run of steps of a tenth of a second, with an evaluation's pause of 2 s after the 30th; power all the while."""
    spans = (
        Span(first=0, count=30, began_s=1.0, ended_s=4.0),
        Span(first=30, count=steps - 30, began_s=6.0, ended_s=6.0 + (steps - 30) / 10),
    )
    events = Events(options=OPTIONS, columns={"step_time_s": [0.1] * steps}, spans=spans)
    rows = tuple((number / 10, power_w) for number in range(120))
    header = Header(dlaudit="telemetry/1", columns=("time_s", "power_w"), period_s=0.1)
    return Timed(events=events, readings=Readings(header=header, rows=rows))


def reached(step=60):
    return Crossing(reached=True, samples=10 * step, step=step, time_s=step / 10)


def test_the_energy_to_the_target_holds_the_evaluations_between():
    found = to_target.performance([(trained(), reached())] * 3, 3, None)
    assert float(found["energy_to_target"]["value"]) == pytest.approx(100 * 8.0, rel=0.03)  # 3 s, 2 s evaluated, 3 s
    assert "cost_to_target" not in found


def test_a_run_that_missed_leaves_no_energy_and_costs_what_the_median_run_takes():
    runs = [(trained(), reached())] * 2 + [(trained(), Crossing(reached=False))]
    found = to_target.performance(runs, 3, Price(at="", amount=36.0, currency="EUR"))
    assert "energy_to_target" not in found
    assert (found["cost_to_target"]["value"], found["cost_to_target"]["unit"]) == ("0.0600000", "EUR")
    assert found["time_to_target"]["n"]["failed"] == 1


def test_the_first_epoch_stands_apart():
    times = [0.9, 0.5, 0.5, *[0.1] * 9]
    found = epochs.performance([Events(options=OPTIONS, columns={"step_time_s": times})])
    assert float(found["first_epoch_time"]["value"]) == pytest.approx(1.9)
    assert float(found["steady_epoch_time"]["value"]) == pytest.approx(0.3)
    assert epochs.performance([Events(options=OPTIONS, columns={"step_time_s": times[:5]})]) == {}
