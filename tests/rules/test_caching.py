"""What is remembered, and how much of it."""

from dlaudit.rules.caching import PLACE, parts_forgotten, remembered, remembered_of_parts


def counted(decorate):
    """Return a function that is remembered, and the list of what it was really called with."""
    calls = []

    @decorate
    def function(value):
        calls.append(value)
        return value

    return function, calls


def asked(function, *values):
    for value in values:
        function(value)


def test_an_answer_is_computed_once():
    function, calls = counted(remembered(2))
    asked(function, "a", "b", "a", "b")
    assert calls == ["a", "b"]


def test_all_answers_are_forgotten_beyond_their_number():
    function, calls = counted(remembered(2))
    asked(function, "a", "b", "c", "c", "a")
    assert calls == ["a", "b", "c", "a"]


def test_a_long_text_takes_the_place_of_several():
    function, calls = counted(remembered(4))
    long = "l" * (3 * PLACE)
    asked(function, long, long, "a", "a")
    assert calls == [long, "a"]
    asked(function, long)
    assert len(calls) == 3


def test_what_is_said_of_the_parts_of_a_document_is_forgotten_with_it():
    function, calls = counted(remembered_of_parts(9))
    with parts_forgotten():
        asked(function, "a", "a")
    asked(function, "a")
    assert calls == ["a", "a"]
