"""What two readers of a text saw differently goes to a third, who is not told who saw it."""

from dlaudit.benchmarks.reading.pool import pool, questions, settled

TEXT = {"id": "a", "text": "2x faster on 8 GPUs with k=3", "path": "o/n/c/README.md"}
RATIO = {"quote": "2x faster", "degree": 2, "form": "ratio", "sense": "better"}
DEVICES = {"quote": "8", "value": 8, "of": "devices"}
K = {"quote": "3", "value": 3, "of": "other"}


def seen(*counts, comparisons=(RATIO,)):
    return {"id": "a", "counts": list(counts), "comparisons": list(comparisons)}


def test_what_both_saw_holds_and_what_one_saw_or_doubted_is_asked():
    found = pool(TEXT, seen(DEVICES, K), seen({**DEVICES, "unsure": True}))
    asked = questions(TEXT, found)["asked"]
    # the reader of words sees the factor, which neither noted
    assert {(each["layer"], each["quote"]) for each in asked} == {
        ("counts", "8"),
        ("counts", "3"),
        ("quantities", "2x"),
    }
    assert not any("unsure" in each for each in asked)


def test_the_third_readers_answers_settle_the_annotation():
    found = pool(TEXT, seen(DEVICES, K), seen(DEVICES))
    asked = questions(TEXT, found)["asked"]
    says = {"3": "either", "2x": "wrong"}
    answers = [{"n": each["n"], "answer": says[each["quote"]]} for each in asked]
    made = settled(TEXT, found, {"id": "a", "answers": answers})
    assert made["quantities"] == []
    assert made["counts"] == [
        {"value": 8, "of": "devices", "span": [13, 14]},
        {"value": 3, "of": "other", "span": [27, 28], "unsure": True},
    ]
    assert made["comparisons"] == [{"degree": 2, "form": "ratio", "sense": "better", "span": [0, 9]}]
    assert "text" not in made
