"""The command line: a group that imports a command only when it is called."""

from __future__ import annotations

import importlib
import os
import sys

import click

from .. import __version__
from ..schemas.errors import DlauditError
from .terminal import safe

COMMANDS = {
    "compare": "Compare studies: better, worse, equivalent, or cannot tell.",
    "doctor": "Say what this machine can control, and what is wrong with it.",
    "explain": "Explain a rule.",
    "import": "Write what a report of another tool says as a submission to complete.",
    "init": "Write a starter for a submission or a spec.",
    "keygen": "Make a signing key.",
    "ledger": "Show and check the ledger of planned and started trials.",
    "lint": "Check claims against their evidence and give a verdict.",
    "plan": "Say how many trials a comparison needs, from a pilot.",
    "report": "Write the verdict with its evidence as one HTML file.",
    "rules": "List the rules.",
    "run": "Measure a spec into a signed manifest.",
    "schema": "Print the JSON Schema of a document.",
    "sign": "Sign a study's manifest.",
    "trust": "Make and change a trust file.",
    "verify": "Check a study's signature, raw files and ledger.",
    "waive": "Draft a waiver for one finding.",
}


class LazyGroup(click.Group):
    """A group whose commands live in `dlaudit.audit.commands.<name>` as the object `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the table."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command, or None where there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"dlaudit.audit.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dlaudit")
def cli() -> None:
    """Make performance claims about deep learning checkable."""


def main() -> None:
    """Run the command line and exit; a crash or Ctrl-C never looks like a verdict."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line.

    Returns:
        the exit code: the command's own, 2 for usage or unreadable input, 4 for a refused environment, 5 for a failed
        verification, 70 for a defect of dlaudit, 130 when interrupted, 141 when whoever reads the output went away.
    """
    try:
        # not cli.main(), which ends with 1, a verdict, when the reader of a pipe goes away
        with cli.make_context("dlaudit", list(arguments)) as context:
            result = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.exceptions.Abort:
        click.echo("dlaudit: interrupted", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    except DlauditError as error:
        click.echo("\n".join(safe(line) for line in f"dlaudit: {error}".split("\n")), err=True)
        return error.exit_code
    except KeyboardInterrupt:
        click.echo("dlaudit: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # what is still buffered would fail again when the interpreter ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"dlaudit: {safe(where)}{error.strerror or error}", err=True)
        return 2
    except Exception as error:
        _tell_defect(error)
        return 70
    return result if isinstance(result, int) else 0


def _tell_defect(error: Exception) -> None:
    """Say in one line where the program failed; with DLAUDIT_DEBUG=1 how it came there."""
    if os.environ.get("DLAUDIT_DEBUG") == "1":
        import traceback

        told = "".join(traceback.format_exception(error)).rstrip("\n")
        click.echo("\n".join(safe(line) for line in told.split("\n")), err=True)
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    line = f"{place.tb_frame.f_globals.get('__name__')}:{place.tb_lineno}" if place else "?"
    what = f"internal error ({type(error).__name__} at {line})"
    click.echo(f"dlaudit: {what}: please report it with what DLAUDIT_DEBUG=1 shows", err=True)
