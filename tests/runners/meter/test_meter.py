"""The meter on loops of its own, with the traps that trainers fall into; its clock follows a script."""

import pytest
from dlaudit.runners.meter import clock as clocks
from dlaudit.runners.meter import meter, report, work
from dlaudit.runners.meter.meter import Meter
from dlaudit.runners.meter.order import Asked, asked
from dlaudit.runners.record import felt
from dlaudit.runners.record.events import Events
from dlaudit.runners.study.orders import Convergence, Target, Throughput

NAP_S = 0.004


@pytest.fixture(autouse=True)
def clock(scripted_time):
    return scripted_time(clocks, meter, report)


class Batch:
    """A batch of so many rows, as a tensor looks to the meter."""

    def __init__(self, rows):
        self.shape = (rows, 3)


class Mask:
    def __init__(self, rows):
        self.rows = rows
        self.shape = (len(rows), len(rows[0]))

    def numel(self):
        return self.shape[0] * self.shape[1]

    def sum(self):
        return sum(map(sum, self.rows))


def metered(*, iterations=None, warmup=0, max_samples=None, target=2.0, every=64, **more):
    told = []
    timed = Throughput(warmup=warmup, iterations=iterations) if iterations else None
    trained = None
    if max_samples:
        trained = Convergence(
            evaluate_every_samples=every,
            max_samples=max_samples,
            target=Target(metric="accuracy", value=target, direction="higher"),
            stop_at_target=True,
        )
    kind = "throughput" if timed else "convergence"
    request = Asked(kind=kind, seed=1, device="cpu", throughput=timed, convergence=trained, options={})
    return Meter(request=request, report=lambda event, **fields: told.append({"event": event, **fields}), **more), told


def only(told, event):
    (found,) = [one for one in told if one["event"] == event]
    return found


def test_a_loop_is_timed_and_ends_with_the_last_planned_step(clock):
    m, told = metered(warmup=2, iterations=5)
    taken = 0
    with m:
        for _ in m.steps(Batch(8) for _ in range(100)):
            clock.sleep(NAP_S)
            taken += 1
    assert (taken, m.over) == (7, True)
    assert [one["event"] for one in told] == ["options", "timer", "warmup", "iterations"]
    steps = only(told, "iterations")
    assert len(steps["step_time_s"]) == len(steps["data_wait_s"]) == 5
    assert all(step >= NAP_S for step in steps["step_time_s"])
    assert sum(steps["step_time_s"]) == pytest.approx(steps["ended_s"] - steps["began_s"], abs=1e-4)
    assert only(told, "options")["work_per_iteration"] == 8


def test_epochs_follow_each_other(clock):
    m, told = metered(iterations=7)
    with m:
        while not m.over:
            for _ in m.steps([Batch(8)] * 3):
                pass
            clock.sleep(0.2)  # what lies between epochs belongs to no step
    assert max(only(told, "iterations")["step_time_s"]) < 0.2


def test_the_wait_for_data_is_part_of_a_step(clock):
    def slow():
        while True:
            clock.sleep(NAP_S)
            yield Batch(8)

    m, told = metered(iterations=4)
    with m:
        for _ in m.steps(slow()):
            clock.sleep(NAP_S)
    steps = only(told, "iterations")
    assert all(wait >= NAP_S for wait in steps["data_wait_s"])
    assert all(step >= 2 * NAP_S for step in steps["step_time_s"])


def test_micro_batches_are_no_steps(clock):
    m, told = metered(iterations=4, accumulate=3)
    with m:
        for _ in m.steps(Batch(8) for _ in range(100)):
            clock.sleep(NAP_S)
    steps, options = only(told, "iterations"), only(told, "options")
    assert len(steps["step_time_s"]) == 4
    assert min(steps["step_time_s"]) >= 3 * NAP_S
    assert (options["work_per_iteration"], options["effective"]["accumulation"]) == (24, 3)


def test_an_accelerator_says_where_a_step_ends():
    class Accelerator:
        sync_gradients = False

    accelerator, m_told = Accelerator(), metered(iterations=3)
    m, told = m_told
    with m:
        for number, _ in enumerate(m.steps((Batch(8) for _ in range(100)), accelerator=accelerator), 1):
            accelerator.sync_gradients = number % 2 == 0
    assert only(told, "options")["effective"]["global_batch"] == 16


def test_a_short_last_batch_counts_as_what_it_is(clock):
    m, told = metered(iterations=6)
    with m:
        while not m.over:
            for _ in m.steps([Batch(32), Batch(32), Batch(5)]):
                clock.sleep(NAP_S)
    steps, options = only(told, "iterations"), only(told, "options")
    assert steps["work"] == [32, 32, 5, 32, 32, 5]
    assert options["work_per_iteration"] == 32
    events = Events(columns={"step_time_s": steps["step_time_s"], "work": steps["work"]})
    rate = {
        "quantity": "rate",
        "unit": "samples/s",
        "column": "step_time_s",
        "work_per_iteration": 32,
        "n": {},
        "trials": 1,
    }
    found = felt.sustained([events], rate)["sustained_rate"]
    assert float(found["value"]) == pytest.approx(138 / sum(steps["step_time_s"]), rel=1e-5)


def test_the_sustained_rate_is_total_over_total_and_no_mean_of_rates():
    events = Events(columns={"step_time_s": [0.1, 0.1, 1.0]})
    rate = {
        "quantity": "rate",
        "unit": "samples/s",
        "column": "step_time_s",
        "work_per_iteration": 10,
        "n": {},
        "trials": 1,
    }
    assert float(felt.sustained([events], rate)["sustained_rate"]["value"]) == pytest.approx(30 / 1.2)
    assert felt.stall_share([events]) == pytest.approx(0.9 / 1.2)
    summary = felt.step_time([events], rate)["step_time"]["summary"]
    assert float(summary["max"]) == 1.0
    assert 0.1 < float(summary["percentiles"]["99"]) < 1.0


def test_padded_tokens_stand_beside_the_tokens_and_are_no_work():
    rows = [[1, 1, 1, 0], [1, 0, 0, 0]]
    m, told = metered(iterations=2, work_unit="tokens")
    with m:
        for _ in m.steps({"input_ids": Mask(rows), "attention_mask": Mask(rows)} for _ in range(9)):
            pass
    options = only(told, "options")
    assert (options["work_per_iteration"], options["work_unit"], options["samples_per_iteration"]) == (4, "tokens", 2)
    assert options["observed"]["extra"] == {"tokens_per_step": 4.0, "padded_share": 0.5}
    assert work.of_batch({"input_ids": Mask(rows)}).tokens == 8


def test_evaluations_inside_the_loop_are_timed_apart(clock):
    m, told = metered(max_samples=320, every=64)
    with m:
        while not m.over:
            for _ in m.steps([Batch(32)] * 5):
                clock.sleep(NAP_S)
                if m.evaluation_due:
                    with m.evaluation(examples=100) as found:
                        clock.sleep(0.2)
                        found["accuracy"] = 0.5
    evaluations = [one for one in told if one["event"] == "evaluation"]
    assert [one["samples"] for one in evaluations] == [64, 128, 192, 256, 320]
    assert [one["step"] for one in evaluations] == [2, 4, 6, 8, 10]
    assert all(one["evaluation_s"] >= 0.2 for one in evaluations)
    times = [step for one in told if one["event"] == "iterations" for step in one["step_time_s"]]
    assert len(times) == 10
    assert max(times) < 0.2
    assert evaluations[-1]["time_s"] == pytest.approx(sum(times))


def test_the_loop_ends_at_the_target():
    m, told = metered(max_samples=6400, every=64, target=0.9)
    with m:
        while not m.over:
            for _ in m.steps([Batch(32)] * 5):
                if m.evaluation_due:
                    with m.evaluation(examples=100) as found:
                        found["accuracy"] = 0.3 * (len(told) + 1)
                        found.correct = 30
    assert [one["correct"] for one in told if one["event"] == "evaluation"][-1] == 30
    assert sum(one["event"] == "evaluation" for one in told) < 5


def test_a_checkpoint_inside_the_loop_is_part_of_its_step(clock):
    m, told = metered(iterations=4)
    with m:
        for number, _ in enumerate(m.steps(Batch(8) for _ in range(9))):
            clock.sleep(0.2 if number == 2 else NAP_S)
    assert only(told, "iterations")["step_time_s"][2] >= 0.2


def test_each_of_several_ranks_reports_and_counts_once(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setattr("dlaudit.runners.meter.meter.leave_without_destructors", lambda: None)
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        m, told = metered(iterations=3)
        with m:
            assert len(list(m.steps(Batch(8) for _ in range(9)))) == 3
        assert len(told) == 3
        assert only(told, "options")["work_per_iteration"] == 32
        assert only(told, "options")["effective"]["data_parallel"] == 4


def test_without_a_request_nothing_happens():
    m = Meter(request=asked({}))
    with m:
        assert len(list(m.steps(range(9)))) == 9
        with m.evaluation(examples=3) as found:
            found["accuracy"] = 1.0
    assert (m.over, m.evaluation_due) == (False, False)


def test_a_request_that_is_none_is_one_clear_error():
    with pytest.raises(ValueError, match="DLAUDIT_REQUEST"):
        asked({"DLAUDIT_REQUEST": "{}"})


def test_after_an_error_nothing_is_reported():
    m, told = metered(iterations=3)

    def loop():
        with m:
            for _ in m.steps(Batch(8) for _ in range(9)):
                raise RuntimeError

    with pytest.raises(RuntimeError):
        loop()
    assert told == []
