"""What authors are asked: a question for every rule, in words that accuse nobody."""

import re

import pytest
from dlaudit.rules.book import entries
from dlaudit.rules.questions import causes, holding

ACCUSING = re.compile(
    r"\b(wrong|false|cheat|hid(e|es|ing)|flaw|mislead\w*|fail to|violat\w*|invalid|unfair|cherry\w*)\b", re.I
)
CAUSES = sorted(set(causes().values()), key=lambda cause: cause.topic)


def test_every_rule_about_claims_has_a_question():
    asked_of = {rule.code for rule in entries() if rule.family != "D" or rule.about != "lint"}
    assert set(causes()) == asked_of, "rules/questions.json: one cause for each rule"
    assert set(holding()) <= asked_of


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.topic)
def test_the_words_are_plain(cause):
    assert cause.ask.endswith("?")
    assert len(cause.ask) <= 110
    assert re.fullmatch(r"[^.]+\.", cause.why), "one sentence"
    assert len(cause.why) <= 130
    assert re.fullmatch(r"[^.]+\.", cause.settle)
    assert len(cause.settle) <= 150
    text = " ".join((cause.topic, cause.ask, cause.why, cause.settle))
    assert not ACCUSING.search(text), text


def test_no_topic_is_the_name_of_a_flaw():
    names = {rule.name.replace("-", " ") for rule in entries()}
    assert not names & {cause.topic for cause in CAUSES}
    assert len({cause.topic for cause in CAUSES}) == len(CAUSES)
