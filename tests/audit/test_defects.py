"""A defect of dlaudit is one line that says how to report it; its traceback is shown where it is asked for."""

import sys
from types import ModuleType

import click
import pytest
from dlaudit.audit.cli import COMMANDS, run


@pytest.fixture(autouse=True)
def broken(monkeypatch):
    """A command with a defect, whose message tries to colour the terminal."""
    module = ModuleType("dlaudit.audit.commands.broken")

    @click.command()
    def command():
        raise KeyError("\x1b[31mred\nnext")

    module.command = command
    monkeypatch.setitem(COMMANDS, "broken", "It breaks.")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delenv("DLAUDIT_DEBUG", raising=False)


def test_a_defect_is_one_line_that_says_how_to_see_more(capsys):
    assert run(["broken"]) == 70
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("dlaudit: internal error (KeyError at ")
    assert told.err.endswith("please report it with what DLAUDIT_DEBUG=1 shows\n")
    assert told.err.count("\n") == 1


def test_the_traceback_of_a_defect_is_shown_where_it_is_asked_for(capsys, monkeypatch):
    monkeypatch.setenv("DLAUDIT_DEBUG", "1")
    assert run(["broken"]) == 70
    told = capsys.readouterr().err
    assert told.startswith("Traceback (most recent call last):\n")
    assert "in command\n" in told
    assert "\x1b" not in told
    assert told.split("\n")[-2].startswith("dlaudit: internal error (KeyError at ")


@pytest.mark.parametrize("asked", ["0", ""])
def test_no_traceback_where_it_is_not_asked_for(capsys, monkeypatch, asked):
    monkeypatch.setenv("DLAUDIT_DEBUG", asked)
    assert run(["broken"]) == 70
    assert "Traceback" not in capsys.readouterr().err
