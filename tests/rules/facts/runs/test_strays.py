"""The one run of a system in the time of another result's."""

from dlaudit.rules.case import Case
from dlaudit.rules.facts.runs.strays import strays
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

HOUR = 3600


def stamp(seconds):
    return f"2025-04-{1 + int(seconds) // 86_400:02}T{int(seconds) // HOUR % 24:02}:{int(seconds) // 60 % 60:02}:00Z"


def case(first, second, system="box"):
    """Two results of one system, by the hours at which their runs of half an hour began."""
    arms = {
        name: {
            "label": name,
            "system": system if name == "bert" else "box",
            "folder": f"lab/results/box/{name}",
            "trials": {
                f"result_{number}": {
                    "kind": "convergence",
                    "outcome": "completed",
                    "started": stamp(hour * HOUR),
                    "ended": stamp(hour * HOUR + HOUR // 2),
                }
                for number, hour in enumerate(hours)
            },
        }
        for name, hours in (("bert", first), ("retinanet", second))
    }
    systems = {name: {"name": name} for name in {"box", system}}
    value = {"dlaudit": "submission/1", "title": "x", "claims": {}, "arms": arms, "systems": systems}
    return Case(to_model(value, Submission))


def found(*given, **fields):
    return {name: (item.run.name, item.other.name) for name, item in strays(case(*given, **fields), 5).items()}


def test_one_run_within_the_time_of_another_results():
    assert found([0, 1, 2, 3, 4], [10, 11, 12, 13, 14]) == {}
    assert found([0, 1, 2, 3, 12.25], [10, 11, 12, 13, 14]) != {}


def test_results_that_run_at_once_are_no_strays():
    assert found([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]) == {}
    assert found([0, 1, 2, 11, 12], [10, 11, 12, 13, 14]) == {}


def test_few_runs_and_other_systems_show_nothing():
    assert found([0, 1], [1, 2]) == {}
    assert found([0, 1, 2, 3, 12.25], [10, 11, 12, 13, 14], system="other") == {}
    assert found([0, 1, 2, 3, 3.25], [10, 11, 12, 13, 14]) == {}
