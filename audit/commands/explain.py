"""`dlaudit explain`: one rule, from its documentation."""

from __future__ import annotations

import difflib

import click

from ...rules.documentation import HEADINGS, sections
from ...rules.registry import Rule
from ...schemas.errors import UserError
from .rules import grade, in_force


@click.command()
@click.argument("code")
def command(code: str) -> None:
    """Explain a rule, given its CODE or its name."""
    click.echo(explained(code), nl=False)


def explained(code: str) -> str:
    """Return the documentation of the rule with a code or a name, as Markdown.

    Raises:
        UserError: there is no such rule.
    """
    rules = in_force()
    rule = next((rule for rule in rules if code in {rule.code, rule.code.lower(), rule.name}), None)
    if rule is None:
        names = [name for rule in rules for name in (rule.code, rule.name)]
        near = difflib.get_close_matches(code, names, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`dlaudit rules` lists them"
        raise UserError(f"there is no rule {code!r}", hint)
    return page(rule.load())


def page(rule: Rule) -> str:
    """Return the documentation of a rule as Markdown."""
    parts = sections(rule.doc)
    lines = [f"# {rule.code} {rule.name}", "", parts[""], ""]
    lines += [f"Effect: {grade(rule)}. Applies to: `{rule.applies}`.", ""]
    if rule.also:
        lines += [f"Speaks for: {', '.join(rule.also)}.", ""]
    for heading in HEADINGS:
        lines += [f"## {heading}", "", parts[heading], ""]
    if rule.thresholds:
        lines += ["## Thresholds", "", "| option | default | unit | by profile | origin |", "|---|---|---|---|---|"]
        for name, threshold in rule.thresholds.items():
            by_profile = ", ".join(f"{profile} {value:g}" for profile, value in threshold.by_profile.items())
            row = (f"`{name}`", f"{threshold.default:g}", threshold.unit, by_profile or "-", threshold.origin)
            lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    return "\n".join(lines)
