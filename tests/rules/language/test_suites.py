"""The MLPerf suites in words: part and rounds beside their name, and who submits."""

import pytest
from dlaudit.rules.language.reading import read
from dlaudit.rules.language.suites import organisations, rounds_alone, suite_names


@pytest.mark.parametrize(
    ("text", "part", "rounds"),
    [
        ("MLPerf® Inference v5.1, closed division", "inference", ("5.1",)),
        ("MLPerf(TM) Training v4.1 and v5.0 results", "training", ("4.1", "5.0")),
        ("MLPerf Inference: Datacenter v4.0", "inference", ("4.0",)),
        ("MLPerf v3.1 Training", "training", ("3.1",)),
        ("MLPerf HPC, round 2.0", "training", ("2.0",)),
        ("our MLPerf scores", "", ()),
        ("MLPerf entry 5.1-0042", "", ()),
    ],
)
def test_the_suite_with_its_part_and_rounds(text, part, rounds):
    (name,) = suite_names(read(text))
    assert (name.part, name.rounds) == (part, rounds)


def test_a_heading_names_rounds_with_a_v_and_entries_name_none():
    assert rounds_alone(read("v4.0 (entry 4.0-0033)")) == {"4.0"}
    assert rounds_alone(read("PyTorch 2.1")) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Submitter: Acme Labs (verified)", "Acme Labs"),
        ("closed division, submitter Example Lab, one box", "Example Lab"),
        ("Results: Fjord & Sons, in v4.1", "Fjord & Sons"),
        ("Fjord Compute submitted two systems.", "Fjord Compute"),
        ("These are Acme's own MLPerf results", "Acme"),
        ("The results are Tarn Works' own.", "Tarn Works"),
    ],
)
def test_who_submits(text, name):
    assert organisations(read(text)) == {name}


@pytest.mark.parametrize("text", ["We submitted nothing.", "The submitter measured power.", "Results of MLPerf v5.0"])
def test_no_organisation(text):
    assert organisations(read(text)) == set()
