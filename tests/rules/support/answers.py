"""What a test reads off the result of a rule."""

from dlaudit.rules.outcome import Outcome

VIOLATION = Outcome.VIOLATION


def found(result):
    """The outcome in a word, and of a violation its branch and the word of its effect."""
    if result.outcome is VIOLATION:
        return result.branch.branch, result.branch.effect.word
    return result.outcome.value


def outcome_and_effect(result):
    return result.outcome, getattr(result.branch, "effect", None)


def effect(result):
    return getattr(result.branch, "effect", None)


def answer(result):
    """The outcome, and of a violation its branch and effect."""
    if result.outcome is VIOLATION:
        return result.branch.branch, result.branch.effect
    return result.outcome


def in_words(result):
    return (result.branch.branch, result.branch.effect.word) if result.outcome is VIOLATION else result.outcome


def in_full(result):
    branch = result.branch
    return result.outcome, getattr(branch, "branch", None), getattr(branch, "effect", None)


def nothing(result):
    return result.outcome in {Outcome.PASS, Outcome.NOT_APPLICABLE}


def strength(result):
    assert result.outcome is VIOLATION, result
    return result.branch.branch, result.branch.effect
