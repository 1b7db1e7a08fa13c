"""F58, names-look-alike: names that look alike, or plain, and are spelt in other characters."""

import pytest
from dlaudit.rules.language.text import disguised, seen
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import effect

CLAIM = "speedup"
A, E, BIG_O = "\u0430", "\u0435", "\u041e"


def arm(name="ours", **options):
    return {"arms": {name: {"options": options}}}


@pytest.mark.parametrize(
    ("changes", "branch"),
    [
        (arm(dataset=f"openw{E}btext 2019"), "a"),
        (arm(dataset="openwebtext 201\uff19"), "a"),
        (arm(dataset="openwebtext\u200b 2019"), "a"),
        (arm(extra={"kernel": "v2", f"k{E}rnel": "v3"}), "a"),
        (arm(extra={"kernel": "v\uff12", "other": "v2"}), "a"),
        ({"arms": {"ours": {"label": f"F{A}stLM 0.9"}}}, "b"),
        ({"systems": {"ours": {"device": f"A1{A}00"}}}, "b"),
        ({"claims": {"speedup": {"metric": f"ppl {A}ccuracy"}}}, "b"),
    ],
)
def test_a_name_that_is_not_what_it_looks_like_is_said(judged, changes, branch):
    result = judged("comparison", "F58", CLAIM, changes)
    assert (result.outcome, effect(result)) == (Outcome.VIOLATION, CAVEAT)
    assert branch in {item.branch for item in (result.branch, *result.others)}
    assert "U+" in result.branch.message


@pytest.mark.parametrize(
    "changes",
    [
        {},
        arm(extra={"Kernel": "v2", "other": "V2", "third": "v\u00a02"}),
        arm(extra={"note": "\u5bf9\u6bd4 \uff11\uff10", "loss": "R\u00b2, \u0394t, 5 \u00b5s, Intel\u00ae"}),
        arm(extra={"label": "\u043c\u043e\u0434\u0435\u043b\u044c \u0430"}),
        {"arms": {"ours": {"label": "\u03b2-VAE \u00e9t\u00e9"}}},
    ],
)
def test_other_scripts_and_typography_are_no_disguise(judged, changes):
    assert judged("comparison", "F58", CLAIM, changes).outcome is Outcome.PASS


def test_how_a_name_looks():
    assert seen(f"C{BIG_O}C{BIG_O} \uff12\u2010\u0430") == "COCO 2-a"
    assert disguised(f"C{BIG_O}CO") == BIG_O
    assert not disguised("\u043c\u043e\u0434\u0435\u043b\u044c")
    assert disguised("a\u200bb") == "\u200b"
