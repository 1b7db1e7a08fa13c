"""What a target takes, and the first epoch apart from the others, from the events of trials."""

from types import SimpleNamespace

import msgspec
import pytest
from dlaudit.runners.record import epochs, summary, to_target
from dlaudit.runners.record.consumption import Timed
from dlaudit.runners.record.events import Events, Span
from dlaudit.runners.telemetry.readings import Header, Readings
from dlaudit.runners.trial.events import Crossing, Evaluation, Options
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


def reached(step=60, wall_time_s=None):
    return Crossing(reached=True, samples=10 * step, step=step, time_s=step / 10, wall_time_s=wall_time_s)


def values(found):
    return {name: float(metric["value"]) for name, metric in found.items()}


def test_time_and_energy_are_told_with_and_without_evaluations_and_communication():
    """Steps of 3 s, 2 s evaluated, steps of 3 s, and 1 s for the evaluation that met the target."""
    found = values(to_target.performance([(trained(), reached(wall_time_s=9.0))] * 3, 3, None, 0.25))
    assert found["time_to_target"] == 6.0
    assert found["compute_time_to_target"] == 4.5
    assert found["wall_time_to_target"] == 9.0
    assert found["energy_to_target"] == pytest.approx(100 * 9.0, rel=0.03)
    assert found["training_energy_to_target"] == pytest.approx(100 * 6.0, rel=0.03)
    assert "cost_to_target" not in found


def test_the_energy_of_the_steps_leaves_out_what_a_gap_really_took():
    """The machine draws 100 W in steps and 20 W while it evaluates."""
    run = trained()
    rows = tuple((time, 20.0 if 4.0 < time < 6.0 else 100.0) for time, _ in run.readings.rows)
    run = Timed(events=run.events, readings=msgspec.structs.replace(run.readings, rows=rows))
    found = values(to_target.performance([(run, reached())] * 3, 3, None, None))
    assert found["training_energy_to_target"] == pytest.approx(600.0, rel=0.03)
    assert found["energy_to_target"] == pytest.approx(640.0, rel=0.03)


@pytest.mark.parametrize("wraps_at_mj", [None, 700_000])
def test_a_counter_gives_the_energy_of_the_steps_too(wraps_at_mj):
    run = trained()
    rows = tuple((time, power * time * 1e3 % (wraps_at_mj or 1e12)) for time, power in run.readings.rows)
    wraps_at = {"energy_mj": wraps_at_mj} if wraps_at_mj else {}
    header = msgspec.structs.replace(run.readings.header, columns=("time_s", "energy_mj"), wraps_at=wraps_at)
    run = Timed(events=run.events, readings=Readings(header=header, rows=rows))
    found = values(to_target.performance([(run, reached())] * 3, 3, None, None))
    assert found["training_energy_to_target"] == pytest.approx(600.0, rel=0.03)


def test_what_no_pass_and_no_clock_tells_is_not_shown():
    found = to_target.performance([(trained(), reached())] * 3, 3, None, None)
    assert not {"compute_time_to_target", "wall_time_to_target", "wall_cost_to_target"} & set(found)


def test_a_crossing_is_timed_to_the_end_of_its_evaluation():
    evaluations = [
        Evaluation(split="test", samples=300, step=30, time_s=3.0, evaluation_s=2.0, examples=10, metrics={"acc": 0.5}),
        Evaluation(split="test", samples=600, step=60, time_s=6.0, evaluation_s=1.5, examples=10, metrics={"acc": 0.9}),
    ]
    events = msgspec.structs.replace(trained().events, evaluations=tuple(evaluations))
    check = SimpleNamespace(target=SimpleNamespace(metric="acc", value="0.8", direction="higher"))
    assert summary.crossing(check, events) == reached(wall_time_s=9.5)
    blind = msgspec.structs.replace(events, spans=(Span(first=0, count=60, began_s=None, ended_s=None),))
    assert summary.crossing(check, blind).wall_time_s is None


def test_a_run_that_missed_leaves_no_energy_and_costs_what_the_median_run_takes():
    runs = [(trained(), reached())] * 2 + [(trained(), Crossing(reached=False))]
    found = to_target.performance(runs, 3, Price(at="", amount=36.0, currency="EUR"), None)
    assert not {"energy_to_target", "training_energy_to_target"} & set(found)
    assert (found["cost_to_target"]["value"], found["cost_to_target"]["unit"]) == ("0.0600000", "EUR")
    assert found["time_to_target"]["n"]["failed"] == 1


def test_the_first_epoch_stands_apart():
    times = [0.9, 0.5, 0.5, *[0.1] * 9]
    found = epochs.performance([Events(options=OPTIONS, columns={"step_time_s": times})])
    assert float(found["first_epoch_time"]["value"]) == pytest.approx(1.9)
    assert float(found["steady_epoch_time"]["value"]) == pytest.approx(0.3)
    assert epochs.performance([Events(options=OPTIONS, columns={"step_time_s": times[:5]})]) == {}
