"""`dlaudit rules`: the rule book as a list, and what of the sources it covers."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ...rules.book import entries
from ...rules.coverage import Statement, statements
from ...rules.documentation import sections
from ...rules.registry import FAMILIES, Listed, family_of
from ..renderers.counts import counted

WIDTH = 100


@click.command()
@click.argument("family", required=False)
@click.option("--coverage", is_flag=True, help="List what the sources ask for, and the rules that check it.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(family: str | None, coverage: bool, as_json: bool) -> None:
    """List the rules, all or those of one FAMILY (W01 to W12, M, S, P, E, L, F, R, I, B, Q, D)."""
    family = family.upper() if family is not None else None
    if family is not None and family not in FAMILIES:
        raise click.UsageError(f"there is no family {family!r}; choose one of: {', '.join(FAMILIES)}")
    if coverage:
        told = [row for row in statements() if family is None or family in {family_of(code) for code in row.codes}]
        lines: Iterable[str] = [_json([_statement(row) for row in told])] if as_json else _coverage(told)
    else:
        shown = [rule for rule in in_force() if family is None or rule.family == family]
        lines = [_json([_rule(rule) for rule in shown])] if as_json else _list(shown)
    for line in lines:
        click.echo(line)


def in_force() -> tuple[Listed, ...]:
    """Return the rules that lint would judge by in this folder."""
    from ...rules.plugins import rules_in_force
    from ..config import find

    return rules_in_force(bool(find(Path.cwd()).config.plugins))


def _list(shown: list[Listed]) -> Iterator[str]:
    longest = max((len(rule.name) for rule in shown), default=0)
    for name, title in FAMILIES.items():
        members = [rule for rule in shown if rule.family == name]
        if members:
            yield click.style(title, bold=True)
            yield from (f"  {rule.code:<6}{rule.name:<{longest + 2}}{grade(rule)}" for rule in members)
    yield f"\n{counted(len(shown), 'rule')}, each with the worst that it can say."
    yield "`dlaudit explain CODE` explains one, with examples."


def _coverage(told: list[Statement]) -> Iterator[str]:
    there, source = {rule.code for rule in entries()}, ""
    for row in told:
        if row.source != source:
            source = row.source
            yield click.style(source, bold=True)
        yield from textwrap.wrap(row.statement, WIDTH, initial_indent="  ", subsequent_indent="  ")
        covered = [code for code in row.codes if code in there]
        absent = [code for code in row.codes if code not in there]
        yield from _codes("checked by", covered, "green")
        yield from _codes("not yet implemented", absent, "yellow")
    codes = {code for row in told for code in row.codes}
    whole = sum(set(row.codes) <= there for row in told)
    some = sum(bool(set(row.codes) & there) for row in told) - whole
    yield f"\n{len(told)} statements: {whole} checked by every rule meant for them, {some} by some of the rules."
    yield f"{len(codes & there)} of the {len(codes)} rules that they name are implemented."


def _codes(label: str, codes: list[str], colour: str) -> Iterator[str]:
    if codes:
        yield f"    {click.style(label, fg=colour)}: {', '.join(codes)}"


def _json(value: list[dict[str, Any]]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _statement(row: Statement) -> dict[str, Any]:
    there = {rule.code for rule in entries()}
    return {
        "source": row.source,
        "statement": row.statement,
        "checked_by": [code for code in row.codes if code in there],
        "not_yet_implemented": [code for code in row.codes if code not in there],
    }


def _rule(listed: Listed) -> dict[str, Any]:
    rule = listed.load()
    return {
        "code": rule.code,
        "name": rule.name,
        "family": rule.family,
        "summary": sections(rule.doc)[""],
        "effect": rule.effect.word if rule.effect is not None else None,
        "confidence": rule.confidence.name if rule.confidence is not None else None,
        "applies": rule.applies,
        "origin": rule.origin,
        "also": list(rule.also),
        "thresholds": {
            name: {
                "default": threshold.default,
                "unit": threshold.unit,
                "by_profile": dict(threshold.by_profile),
                "origin": threshold.origin,
            }
            for name, threshold in rule.thresholds.items()
        },
    }


def grade(rule: Listed) -> str:
    """Return the strongest effect of a rule with its confidence, as words."""
    if rule.effect is None or rule.confidence is None:
        return "not shown"
    return f"{rule.effect.word}, {rule.confidence.name}"
