"""W1106, problem-size-varies-with-scale: A scaling statement over points that solve problems of different size."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

ROWS = ("r1", "r2", "r4", "r8")


def sizes(*parameters, table=None, **claim):
    rows = {name: {"parameters": size} for name, size in zip(ROWS, parameters, strict=True)}
    return {"tables": {"nodes": {"rows": rows, **(table or {})}}, "claims": {"speedup": claim}}


GROWING = (1.7e9, 3.6e9, 7.5e9, 18.4e9)


@pytest.mark.parametrize(
    ("parameters", "outcome"),
    [
        (GROWING, Outcome.VIOLATION),
        ((1.7e9, 1.7e9, 1.7e9, 1.7e9), Outcome.PASS),
        ((1.72e9, 1.7e9, 1.7e9, 1.75e9), Outcome.PASS),
        ((1.7e9, 1.7e9, 1.7e9, None), Outcome.NOT_SHOWN),
        ((1.7e9, None, None, 18.4e9), Outcome.VIOLATION),
        ((None, None, None, None), Outcome.PASS),
    ],
)
def test_parameters(judged, parameters, outcome):
    result = judged("strong-scaling", "W1106", "speedup", sizes(*parameters))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
        assert "`r1`" in result.branch.message
        assert "`r8`" in result.branch.message


@pytest.mark.parametrize(
    "words",
    [
        {"statement": "Growing the model with the machine, eight nodes train 6.62x faster."},
        {"statement": "Throughput rises 6.62x as parameters increase with the nodes."},
        {"said": [{"topic": "problem_size", "quote": "a larger network on every step"}]},
    ],
)
def test_said_that_the_problem_grows(judged, words):
    result = judged("strong-scaling", "W1106", "speedup", sizes(*GROWING, **words))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_series_of_constant_size_beside_it(judged):
    patch = sizes(1.7e9, 18.4e9, 18.4e9, 18.4e9)
    assert judged("strong-scaling", "W1106", "speedup", patch).branch.branch == "b"


def test_superlinear_across_sizes(judged):
    patch = sizes(1.7e9, 1.7e9, 1.7e9, 1.76e9, statement="Superlinear: eight nodes train 8.2x faster.")
    result = judged("strong-scaling", "W1106", "speedup", patch)
    assert result.branch.branch == "b"
    assert "superlinear" in result.branch.message


def test_the_size_of_an_example(judged):
    patch = {"arms": {"n8": {"options": {"input_shape": [3, 448, 448]}}}}
    result = judged("strong-scaling", "W1106", "speedup", patch)
    assert result.branch.branch == "a"
    assert "elements of one example" in result.branch.message


def test_a_whole_table_of_several_complete_series(judged):
    """Two models at the same four device counts: each statement is about one of them."""
    rows = {
        f"l{n}": {"devices": 8 * n, "parameters": 18.4e9, "options": {"model": "larger"}, "values": {"rate": "100"}}
        for n in (1, 2, 4, 8)
    }
    patch = {"tables": {"nodes": {"rows": rows}}, "claims": {"speedup": {"row": {"row": None, "base_row": None}}}}
    assert judged("strong-scaling", "W1106", "speedup", patch).outcome is Outcome.PASS


def test_sizes_that_only_names_tell(judged):
    rows = {name: {"parameters": None, "options": {"model": f"network {name}"}} for name in ROWS}
    patch = {"tables": {"nodes": {"rows": rows}}}
    assert judged("strong-scaling", "W1106", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_sizes_in_the_names_of_models(judged):
    rows = {
        name: {"parameters": None, "options": {"model": f"decoder {size}"}}
        for name, size in zip(ROWS, ("1.7B", "3.6B", "7.5B", "18.4B"), strict=True)
    }
    assert judged("strong-scaling", "W1106", "speedup", {"tables": {"nodes": {"rows": rows}}}).branch.branch == "a"


def test_a_table_of_models_without_a_scaling_statement(judged):
    claim = {"form": "absolute", "label": None, "unit": "images/s", "statement": "It is 6.61 images/s."}
    patch = sizes(*GROWING, table={"varies": ["model"], "label": None, "caption": "Models."}, **claim)
    assert judged("strong-scaling", "W1106", "speedup", patch).outcome is Outcome.NOT_APPLICABLE
