"""Papers as a reviewer holds them, made by LaTeX and by a browser, end in the right questions without any typing."""

import time
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from support import pace

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
MOST_S = 10


@pytest.fixture
def asked(capsys):
    def questions(name):
        begun = time.process_time()
        assert run(["lint", str(PAPERS / name), "--no-config", "--fail-on", "never", "--format", "questions"]) == 0
        assert time.process_time() - begun < pace.seconds(MOST_S)
        text = " ".join(capsys.readouterr().out.split())
        head, _, rest = text.partition(" What holds ")
        holds, _, numbered = rest.partition(" Questions ")
        return head, holds, numbered

    return questions


def test_every_paper_is_built_from_its_source():
    assert {path.stem for path in PAPERS.glob("*.pdf")} == {
        path.stem for path in PAPERS.iterdir() if path.suffix in {".tex", ".html"}
    }
    assert all(path.stat().st_size < 150_000 for path in PAPERS.glob("*.pdf"))


def test_an_honest_paper_is_accused_of_nothing(asked):
    head, holds, questions = asked("prefetch.pdf")
    assert ", 0 violations, " in head
    for words in (
        "the ratio follows from the two numbers it relates",
        "a quality on held-out data is given",
        "the uncertainty is stated",
        "the number of repetitions is stated",
    ):
        assert words in holds
    for asked_for in ("How often was each number measured", "What is the quality of this model", "which batch size"):
        assert asked_for not in questions


def test_speed_of_one_format_and_accuracy_of_another_are_asked_about_first(asked):
    head, _, questions = asked("lowbit.pdf")
    assert ", 2 violations, " in head
    assert questions.startswith("1. Were performance and quality obtained with the same options")
    assert "FP8 against BF16 (compute)" in questions
    assert "2. Which is right: the ratio, or the two numbers it relates?" in questions
    assert "2.1 is stated; its own numbers give 1.80" in questions


def test_scaling_that_its_own_table_contradicts_and_a_rate_above_the_peak_are_asked_about(asked):
    head, holds, questions = asked("hyperscale.pdf")
    assert ", 2 violations, " in head
    assert "31.6 is stated; its own numbers give 21.05" in questions
    assert "341 TFLOP/s/GPU is 1.093 times the table's bound" in questions
    assert "What is the quality of this model" in questions
    assert "What is held constant as the devices grow" in questions
    assert "the number of repetitions is stated" not in holds
