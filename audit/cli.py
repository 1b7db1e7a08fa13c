"""The command line: a group that imports a command only when it is called."""

from __future__ import annotations

import importlib
import os
import re
import sys

import click

from .. import __version__
from ..schemas.errors import DlauditError
from .terminal import safe

COMMANDS = {
    "compare": "Compare studies: better, worse, equivalent, or cannot tell.",
    "doctor": "Show what this machine can control, and what is wrong with it.",
    "draft": "Write what a document says as a submission to complete.",
    "explain": "Explain a rule.",
    "export": "Export the samples of a study as tables, or to an experiment tracker.",
    "init": "Write a starter spec.",
    "keygen": "Make a signing key.",
    "ledger": "Show and check the ledger of planned and started trials.",
    "lint": "Check claims against their evidence and give a verdict.",
    "mcp": "Offer drafts, verdicts and questions to an assistant program.",
    "offers": "Put the offers of a tender side by side.",
    "plan": "Estimate how many trials a comparison needs, from a pilot.",
    "report": "Write the verdict with its evidence as one HTML file.",
    "reproduce": "Measure a study again, and say which claims hold here.",
    "rules": "List the rules.",
    "run": "Measure a spec into a signed manifest.",
    "schema": "Print the JSON Schema of a document.",
    "serve": "Show studies and verdicts of a folder in the browser.",
    "sign": "Sign a study's manifest.",
    "tender": "Begin a procurement.",
    "trust": "Make and change a trust file.",
    "verify": "Check a study's signature, raw files and ledger.",
    "waive": "Draft a waiver for one finding.",
}


COMPLETING = "_DLAUDIT_COMPLETE"
"""Set by a shell that completes a command line: `eval "$(_DLAUDIT_COMPLETE=bash_source dlaudit)"`, or zsh, or fish."""


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that arguments name; a mistyped one is asked about."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from .nearest import nearest

            asked = nearest(args[0], COMMANDS)
            raise click.UsageError(f"there is no command {args[0]!r}" + (f"; {asked}" if asked else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dlaudit")
def cli() -> None:
    """Make performance claims about deep learning checkable.

    Shell completion: eval "$(_DLAUDIT_COMPLETE=bash_source dlaudit)", or zsh_source, or fish_source. NO_COLOR turns
    colours off.
    """


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
        if COMPLETING in os.environ:
            from click.shell_completion import shell_complete

            return shell_complete(cli, {}, "dlaudit", COMPLETING, os.environ[COMPLETING])
        with cli.make_context("dlaudit", list(arguments)) as context:
            if os.environ.get("NO_COLOR"):
                context.color = False
            result = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.exceptions.Abort:
        click.echo("dlaudit: interrupted", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        _ask(error)
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


def _ask(error: click.ClickException) -> None:
    """Ask about a mistyped choice what was meant."""
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param is not None else None
    typed = re.match(r"'(.*)' is not one of ", error.message)
    if isinstance(kind, click.Choice) and typed is not None:
        from .nearest import nearest

        asked = nearest(typed[1], map(str, kind.choices))
        if asked:
            click.echo(f"{asked[:1].upper()}{asked[1:]}", err=True)


def _tell_defect(error: Exception) -> None:
    """Say in one line where the program failed; with DLAUDIT_DEBUG=1, show the traceback."""
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
