"""Energy of a service: tokens per joule, and joules per answered request."""

import pytest
from dlaudit.runners.record.consumption import Timed, performance
from dlaudit.runners.record.events import Events
from dlaudit.runners.record.served import saturated
from dlaudit.runners.telemetry.readings import Header, Readings
from dlaudit.runners.trial.events import Options
from dlaudit.schemas.requests import Requests

TOLD = {"effective": {}, "observed": {}, "work_unit": "tokens", "samples_per_iteration": 0}


def events(count, apart_s, latency_s, *, failed=0):
    due = tuple(index * apart_s for index in range(count))
    requests = Requests(
        scheduled_s=due,
        sent_s=due,
        ended_s=tuple(at + latency_s for at in due),
        content_s=tuple((at + latency_s / 2, at + latency_s) for at in due),
        outcome=("failed",) * failed + ("completed",) * (count - failed),
        output_tokens=(10,) * count,
    )
    options = Options(**TOLD, work_per_iteration=1, load={"loop": "open"})
    return Events(requests=requests, options=options)


def test_tokens_per_joule_and_joules_per_request():
    header = Header(dlaudit="telemetry/1", columns=("monotonic_s", "power_w"), period_s=0.1)
    readings = Readings(header=header, rows=tuple((0.1 * at, 50.0) for at in range(400)))
    served = events(20, 1.0, 0.5, failed=4)
    found = performance([Timed(events=served, readings=readings)], 1)
    # 16 of 20 requests were answered in 19.5 s at 50 W, with ten tokens each
    assert float(found["energy_per_request"]["value"]) == pytest.approx(19.5 * 50 / 16, rel=0.02)
    assert float(found["work_per_joule"]["value"]) == pytest.approx(160 / (19.5 * 50), rel=0.02)
    assert found["work_per_joule"]["unit"] == "tokens/J"


def test_a_load_that_is_not_kept_up_with_is_saturated():
    assert not saturated(events(50, 0.1, 0.2))
    assert saturated(events(50, 0.1, 5.0))
    assert saturated(events(50, 0.1, 0.2, failed=20))
