"""Asking a person what a draft leaves open: at most six plain questions about a claim, each with an empty answer."""

from __future__ import annotations

import sys

import click

from ..terminal import safe
from .decisions import Alike, Judge, answered, decisions, groups
from .questions import Answer, Question
from .submission import Value

MOST_DIGITS = 9


def asked(value: Value, judge: Judge) -> Value:
    """Return a submission with the answers of a person, who may leave each question open.

    Questions go to standard error, so that standard output holds the submission alone. Where the answers end, because
    they are read from a file or a pipe, the rest stays open.
    """
    for alike in groups(value):
        questions = decisions(value, alike, judge)
        if questions:
            _say(value, alike)
        for number, question in enumerate(questions, 1):
            try:
                answer = _answer(question, number, len(questions))
            except _Ended:
                click.echo("\nno more answers: the rest is left open", err=True)
                return value
            value = answered(value, alike.claims, answer)
    return value


class _Ended(Exception):
    """The answers have ended."""


def _say(value: Value, alike: Alike) -> None:
    first, *more = alike.claims
    others = f" (and {len(more)} more like it)" if more else ""
    click.echo(f"\n{safe(' '.join(value['claims'][first]['statement'].split()))}{others}", err=True)


def _answer(question: Question, number: int, of: int) -> Answer:
    """Return the answer of a person to one question; one that changes nothing where it is left open."""
    now = f" [{question.now}]" if question.now else " [not stated]"
    lines = [f"{number} of {of}: {question.ask}"]
    lines += [f"  {at}  {choice.words}" for at, choice in enumerate(question.choices, 1)]
    while True:
        for line in lines:
            click.echo(safe(line), err=True)
        click.echo(safe(f"  number{now}: "), err=True, nl=False)
        line = sys.stdin.readline()
        said = line.strip()
        if not line:
            raise _Ended
        if not said:
            return Answer("")
        if said.isascii() and said.isdecimal() and len(said) <= MOST_DIGITS:
            if question.counted is not None and int(said) > 0:
                return Answer(said, question.counted(int(said)))
            if question.counted is None and 1 <= int(said) <= len(question.choices):
                return question.choices[int(said) - 1]
        lines = ["  write one of the numbers, or nothing to leave it open"]
