"""Rules of installed packages: entry points of the group `dlaudit.rules`, read only where a configuration says so.

An entry point names a rule made by the decorator. Its code is an X with two to four digits, so that it never meets a
built-in one; its documentation has the same headings, and its predicate the same vocabulary.
"""

from __future__ import annotations

from functools import cache

from ..schemas.errors import UserError
from ..schemas.pattern import Pattern
from .book import entries
from .documentation import sections
from .predicate import predicate
from .registry import Listed, Rule

GROUP = "dlaudit.rules"
_CODE = Pattern(r"X[0-9]{2,4}")


def rules_in_force(plugins: bool) -> tuple[Listed, ...]:
    """Return the built-in rules, followed by those of installed packages where `plugins` says so.

    Raises:
        UserError: an installed package offers something that is no sound rule.
    """
    return (*entries(), *installed()) if plugins else entries()


@cache
def installed() -> tuple[Rule, ...]:
    """Return the rules of installed packages, by code.

    Raises:
        UserError: an entry point cannot be loaded, or is no sound rule.
    """
    from importlib.metadata import entry_points

    found: dict[str, Rule] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        whose = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
        try:
            rule = point.load()
        except Exception as error:
            raise UserError(f"its rule {point.name} cannot be loaded: {error}", "update or remove it", whose) from None
        problem = _flaw(rule, found)
        if problem:
            raise UserError(f"its rule {point.name} cannot be used: {problem}", "update or remove it", whose)
        found[rule.code] = rule
    return tuple(found[code] for code in sorted(found))


def _flaw(rule: object, others: dict[str, Rule]) -> str:
    if not isinstance(rule, Rule):
        return "it is no rule made by the decorator"
    if not _CODE.fullmatch(rule.code):
        return f"its code {rule.code[:20]!r} is no X with two to four digits"
    if rule.code in others:
        return f"its code {rule.code} is taken"
    try:
        sections(rule.doc)
        predicate(rule.applies)
    except ValueError as error:
        return str(error)
    return ""
