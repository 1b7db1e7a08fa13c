"""What holds for every text: places lie in it, nothing crashes, and what keeps the meaning changes nothing."""

from itertools import pairwise

import pytest
from dlaudit.rules.language import lexicon
from dlaudit.rules.language.annotations import annotated
from dlaudit.rules.language.cells import printed
from dlaudit.rules.language.reading import Reading
from hypothesis import example, given, settings
from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        "8", "x", "A100", "GPUs", " ", "-", "2.1x", "faster", "than", "30", "%", "(", ")", ",", ".", "ms", "/",
        "s", "from", "to", "±", "0.4", "~", "$", "\n\n", "*", "**", "`", "µs", "TP=8", "k", "M", "1,200",
        "1:23:45", "not", "half", "twice", "of", "the", "batch size", "per", "GPU", "[", "]", "→", "<b>",
        "&times;", "\\times", "^", "2^16", "e", "10", "½", "\u00a0", "as fast as", "Llama", "3.1", "70B", "DGX-2",
        "order of magnitude", "one", "p99", "https://a.b/c", "|", "#", "…", "ﬁ", "\u00ad",
    ]
)  # fmt: skip
CARDS = lexicon.words("devices", "bare")
"""Numbers that are names of cards by themselves: "trained on 4090 GPUs"."""
SOUPS = st.lists(PIECES, max_size=24).map("".join) | st.lists(PIECES, max_size=24).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(SOUPS | st.text(max_size=200))
@example("1e999999")
@example("9" * 500 + "." + "9" * 500)
@example("2^300^300")
@example("10^-300 GB")
@example("a\ud800b 3 GB")
def test_any_text_is_read_and_every_place_lies_in_it(text):
    reading = Reading(text)
    found = annotated(text)
    for layer in ("quantities", "counts", "names", "comparisons"):
        for item in found[layer]:
            start, end = item["span"]
            assert 0 <= start < end <= len(text)
    places = [(t.start, t.end) for t in reading.tokens]
    assert all(a[1] <= b[0] or b[0] < a[1] <= b[1] for a, b in pairwise(places))
    assert reading.stance is not None
    reading.has("projection")
    printed(text)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 999_999).filter(lambda n: str(n) not in CARDS), st.sampled_from(["GPUs", "TPUs", "accelerators"]))
def test_devices_count_alike_whatever_they_are_called(number, noun):
    (count,) = Reading(f"trained on {number} {noun}").counts()
    assert (count.of, count.value) == ("devices", number)


@pytest.mark.parametrize("spelled", ["1,000", "1000", "1k", "10^3", "1\u2009000", "1e3", "one thousand"])
def test_a_number_is_the_same_however_it_is_written(spelled):
    (found,) = Reading(f"it takes {spelled} seconds").quantities()
    assert (found.value, found.unit) == (1000, "s")


@pytest.mark.parametrize("unit", ["s", "sec", "secs", "seconds", "second"])
def test_a_unit_is_the_same_however_it_is_written(unit):
    (found,) = Reading(f"each step needs 12 {unit}").quantities()
    assert (found.value, found.unit, found.dimension) == (12, "s", "time")


ASIDE = (", as shown in the appendix,", " (see the supplement)", " in our tests")


@pytest.mark.parametrize("aside", ASIDE)
@pytest.mark.parametrize("statement", ["The kernel{} is 2x faster than cuBLAS.", "It{} cuts memory by 30%."])
def test_an_irrelevant_clause_leaves_the_frames_unchanged(statement, aside):
    def frames(text):
        return [(c.degree, c.form, c.sense, c.dimension) for c in Reading(text).comparisons()]

    assert frames(statement.format(aside)) == frames(statement.format(""))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2x faster", "3x faster"),
        ("2x faster", "2x slower"),
        ("8 GPUs", "80 GPUs"),
        ("30% less memory", "30% more memory"),
    ],
)
def test_a_change_of_meaning_changes_what_is_read(before, after):
    assert annotated(before) != annotated(after)
