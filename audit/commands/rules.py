"""`dlaudit rules`: the rule book as a list."""

from __future__ import annotations

import click

from ...rules.book import book
from ...rules.registry import FAMILIES, Rule


@click.command()
@click.argument("family", required=False)
def command(family: str | None) -> None:
    """List the rules, all or those of one FAMILY (W01 to W12, M, S, P, E, L, F, R, I, B, Q, D)."""
    shown = [rule for rule in book() if family is None or rule.family == family.upper()]
    if not shown:
        raise click.UsageError(f"there is no family {family!r}; choose one of: {', '.join(FAMILIES)}")
    for name, title in FAMILIES.items():
        members = [rule for rule in shown if rule.family == name]
        if members:
            click.echo(f"{click.style(title, bold=True)}")
            for rule in members:
                click.echo(f"  {rule.code:<6}{rule.name:<38}{grade(rule)}")
    click.echo(f"\n{len(shown)} rules; `dlaudit explain CODE` tells what one does, with examples.")


def grade(rule: Rule) -> str:
    """Return the strongest effect of a rule with its confidence, as words."""
    if rule.effect is None or rule.confidence is None:
        return "not shown at most"
    return f"{rule.effect.word}, {rule.confidence.name}"
