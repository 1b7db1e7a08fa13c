"""The fact `comparison.points`."""

from dlaudit.rules.facts.comparison.points import Point, by_problem, largest


def point(name, devices=None, batch=None, model="m"):
    options = {"model": model} | ({"global_batch": batch} if batch is not None else {})
    return Point(name, f"/{name}", devices, options)


def test_the_largest_point_has_most_devices_then_the_largest_batch():
    found = (point("a", 8, 99), point("b", 64, 1), point("c", 64, 2), point("d"))
    assert largest(found).id == "c"
    assert largest((point("x"), point("y"))).id == "y"
    assert largest(()) is None


def test_series_of_one_problem():
    found = (point("a", 8), point("b", 8, model="n"), point("c", 64), point("d", 64, model="n"))
    assert [[item.id for item in group] for group in by_problem(found)] == [["a", "c"], ["b", "d"]]
