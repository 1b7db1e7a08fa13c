"""A document with hundreds of claims is shown by kinds, the worst first; one with few is shown claim by claim."""

import warnings
from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.alike import MANY, by_kind, causes
from dlaudit.audit.renderers.charts import Curve, curves_chart
from dlaudit.audit.renderers.html import render as as_page
from dlaudit.audit.renderers.markdown import render as as_comment
from dlaudit.audit.renderers.text import render
from dlaudit.audit.report import Verdict

HEAD = "| GPUs | Throughput - TF32 | Throughput - FP16 | Throughput speedup (TF32 to FP16) |\n|---|---|---|---|\n"


def linted_of(rows):
    return lint(of_file("a.md", (HEAD + "".join(rows)).encode(), Path()), Settings())


def report_of(rows):
    return linted_of(rows).report


def good(number):
    return f"| {number} | {number}00 img/s | {number * 2}00 img/s | 2.00 |\n"


def test_few_claims_are_shown_one_by_one_the_worst_first_and_else_in_their_order():
    report = report_of([good(1), good(2), good(3).replace("2.00", "3.00")])
    first, *others = [claim for (claim,) in by_kind(report.claims)]
    assert first.verdict is Verdict.FAIL
    assert others == [claim for claim in report.claims if claim is not first]
    assert report.claims.index(first) > 0


def test_many_claims_are_shown_by_kinds_and_every_contradiction_with_its_line():
    rows = [good(number) for number in range(1, 40)]
    rows[19] = rows[19].replace("2.00", "3.00")
    rows[29] = rows[29].replace("2.00", "4.00")
    report = report_of(rows)
    assert len(report.claims) > MANY
    groups = by_kind(report.claims)
    assert sorted(claim.id for group in groups for claim in group) == sorted(claim.id for claim in report.claims)
    assert groups[0][0].verdict == max(claim.verdict for claim in report.claims)
    text = render(report)
    assert "3.00 is stated" in text
    assert "4.00 is stated" in text
    assert "a.md:22:" in text
    assert "a.md:32:" in text
    assert text.count("\n") < 250


def test_a_comment_on_many_claims_holds_the_worst():
    rows = [good(number) for number in range(1, 300)]
    rows[150] = rows[150].replace("2.00", "3.00")
    comment = as_comment((linted_of(rows),))
    assert "3.00 is stated" in comment
    assert "similar claim" in comment


def test_a_page_shows_the_worst_claim_first():
    linted = linted_of([good(1), good(3).replace("2.00", "3.00")])
    page = as_page((linted,))
    places = {claim.id: page.index(f">{claim.id}<") for claim in linted.report.claims}
    (failing,) = (claim.id for claim in linted.report.claims if claim.verdict is Verdict.FAIL)
    assert linted.report.claims[0].id != failing
    assert min(places, key=places.get) == failing


@pytest.mark.parametrize("length", [4, 20, 40])
def test_a_legend_of_long_names_leaves_room_for_the_curves(length):
    curves = [Curve(f"{arm}".ljust(length, "x"), "t1", ((0.0, 0.1), (1.0, 0.2))) for arm in "abc"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "<svg" in curves_chart(curves, "training time (s)", "accuracy", 0.2, "k")


def test_findings_of_one_cause_are_one_group_with_the_claims_that_they_are_of():
    rows = [good(number) for number in range(1, 40)]
    rows[19] = rows[19].replace("2.00", "3.00")
    rows[29] = rows[29].replace("2.00", "3.10")
    report = report_of(rows)
    found = causes(report.claims)
    wrong = [cause for cause in found if cause.first.outcome == "violation"]
    assert found[0] == wrong[0]
    assert [len(cause.claims) for cause in wrong if cause.first.code == "F04"] == [2]
    every = [(item.code, claim.id) for claim in report.claims for item in claim.findings]
    assert {(cause.first.code, name) for cause in found for name in cause.claims} == set(every)
    head = "\n".join(render(report).split("\n")[:40])
    assert "claims by verdict: " in head
    assert ": 2 claims: " in head
    assert causes(report_of(rows[:3]).claims) == ()


def test_a_page_folds_the_claims_of_a_cause():
    rows = [good(number) for number in range(1, 40)]
    page = as_page((linted_of(rows),))
    assert "Findings by cause" in page
    assert "Findings by cause" not in as_page((linted_of(rows[:3]),))
