"""W1202, sota-reference-missing-or-stale: A superlative whose reference is not given, or is old."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, Outcome


def reference(**fields):
    return {"claims": {"best": {"reference": fields}}}


@pytest.mark.parametrize(
    ("date", "outcome"),
    [("2024-03-14", Outcome.PASS), ("2024-03-13", Outcome.VIOLATION), ("2026-05-01", Outcome.PASS),
     (None, Outcome.NOT_SHOWN)],
)  # fmt: skip
def test_the_age_of_a_reference(judged, date, outcome):
    result = judged("comparison", "W1202", "best", reference(date=date))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C1)
        assert "24 months" in result.branch.message


def test_a_reference_without_name_value_and_citation(judged):
    result = judged("comparison", "W1202", "best", reference(name=None, value=None, citation=None))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "reference of a superlative")


@pytest.mark.parametrize("kept", ["name", "value", "citation"])
def test_one_of_the_three_identifies_it(judged, kept):
    gone = {name: None for name in ("name", "value", "citation") if name != kept}
    assert judged("comparison", "W1202", "best", reference(**gone)).outcome is Outcome.PASS


def test_the_other_system_is_the_reference_where_none_is_named(judged):
    patch = {"claims": {"best": {"reference": None}}}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.PASS
    patch["claims"]["best"]["comparator"] = {"date": "2021-01-20"}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.VIOLATION
    patch["claims"]["best"]["comparator"] = None
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.NOT_SHOWN


def test_without_a_day_of_publication_the_day_of_judgement_counts(judged):
    patch = reference(date="2021-01-20") | {"publication": {"date": None}}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.NOT_SHOWN
    assert judged("comparison", "W1202", "best", patch, today="2026-03-14").outcome is Outcome.VIOLATION


AMONG_VARIANTS = {"compares": "own_variants", "comparator": None, "reference": None, "row": None}


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"superlative": "the greatest acceleration"}, Outcome.NOT_APPLICABLE),
        ({"superlative": "unprecedented"}, Outcome.NOT_SHOWN),
        ({"superlative": "the greatest", "compares": "other_system"}, Outcome.NOT_SHOWN),
    ],
)
def test_the_rows_and_variants_of_a_document_are_the_reference_among_themselves(judged, fields, outcome):
    statement = "INT8 gives the greatest acceleration."
    patch = {"claims": {"best": {"statement": statement, **AMONG_VARIANTS, **fields}}}
    assert judged("comparison", "W1202", "best", patch).outcome is outcome


def test_a_rank_in_a_table_is_among_its_rows(judged):
    patch = {"claims": {"best": {"statement": "It has the lowest loss.", "superlative": "the lowest"}}}
    patch["claims"]["best"] |= {"comparator": None, "reference": None}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(("name", "item"), [("OtherLM", ""), (None, "reference of a superlative")])
def test_only_a_value_alone_owes_its_date(judged, name, item):
    patch = reference(name=name, citation=None, date=None)
    assert judged("comparison", "W1202", "best", patch).branch.item == item
