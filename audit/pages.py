"""The generated pages of docs/: rules from their docstrings, documents from schema and example, required evidence.

`python -P -m dlaudit.audit.pages [FOLDER]` writes them; a test holds them to what is written in the code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..rules.bases import base
from ..rules.book import book
from ..rules.documentation import example, sections
from ..rules.registry import FAMILIES, Rule
from ..rules.required import LEAST_TIER, PROFILES, SUITE_PROFILE, table
from ..schemas.files import write_atomic
from ..schemas.validation import BASE, kinds, local_schema
from .commands.explain import page as rule_page
from .commands.rules import grade
from .first_sight_page import first_sight_page
from .importers.page import index as importer_index
from .importers.page import page as importer_page
from .importers.registry import built_in
from .measured_pages import detection_page, gaming_page, measured
from .table_pages import datasets_page, devices_page

LONGEST_BEFORE = 600
"""Characters of what an example changes that are shown as they are before."""


def pages(folder: Path = Path("docs")) -> dict[str, str]:
    """Return every generated page by its path beneath docs/.

    Args:
        folder: docs/, whose detection, suite_results, gaming and first_sight .json hold what the benches measured.
    """
    detection = _read(folder / "detection.json", {"bases": 0, "faults": 0, "rules": {}})
    results = _read(folder / "suite_results.json", {"lists": {}})
    world = _read(folder / "first_sight.json", {})
    found = {f"rules/{rule.code}.md": linked(rule) + measured(rule.code, detection, world) for rule in book()}
    found["first-sight.md"] = first_sight_page(world)
    found["rules/index.md"] = rules_index()
    found["detection.md"] = detection_page(detection, results)
    found["gaming.md"] = gaming_page(_read(folder / "gaming.json", {}))
    found["required-evidence.md"] = required_evidence()
    found["devices.md"], found["datasets.md"] = devices_page(), datasets_page()
    for kind in (*kinds(), "common"):
        found[f"documents/{kind}.md"] = document_page(kind)
    found["importers/index.md"] = importer_index(built_in())
    return found | {f"importers/{importer.name}.md": importer_page(importer) for importer in built_in()}


def _read(path: Path, without: Mapping[str, Any]) -> Mapping[str, Any]:
    if not path.exists():
        return without
    read: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def linked(rule: Rule) -> str:
    """Return the page of a rule with links to its family and to the words that it uses, and what an example changes."""
    text = rule_page(rule)
    title = FAMILIES[rule.family]
    family = f"[{title}](index.md#{slugify(title, '-')})"
    told = f"Effect: {grade(rule)}."
    text = text.replace(told, f"Family: {family}. Effect: [{grade(rule)}](../glossary.md#what-is-said).", 1)
    found = example(sections(rule.doc)["Flagged"]) if rule.check or rule.check_document else None
    before = _before(base(found.base), found.patch) if found is not None else {}
    shown = ",\n ".join(f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}" for key, item in before.items())
    if not before or len(shown) > LONGEST_BEFORE:
        return text
    kept = f"In the honest document these fields read:\n\n```json\n{{{shown}}}\n```\n\n"
    return text.replace("## Accepted\n", f"{kept}## Accepted\n", 1)


def _before(value: Any, patch: Any) -> Any:
    """Return what of a document a merge patch changes, as it is before."""
    if not (isinstance(value, dict) and isinstance(patch, dict)):
        return value
    kept = {key: _before(value[key], item) for key, item in patch.items() if key in value}
    return {key: item for key, item in kept.items() if item != {}}


def slugify(title: str, separator: str) -> str:
    """Return the anchor of a heading, as the site makes it."""
    plain = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return separator.join(plain.split())


def rules_index() -> str:
    """Return the list of rules by family."""
    lines = ["# Rules", "", "Each page is the rule's own documentation; its examples are executed by the tests.", ""]
    for family, title in FAMILIES.items():
        members = [rule for rule in book() if rule.family == family]
        if members:
            lines += [f"## {title}", "", "| code | flaw | strongest finding |", "|---|---|---|"]
            lines += [f"| [{rule.code}]({rule.code}.md) | {rule.name} | {grade(rule)} |" for rule in members]
            lines.append("")
    return "\n".join(lines)


def required_evidence() -> str:
    """Return the table of required evidence, by profile."""
    codes = {rule.code for rule in book()}
    lines = ["# Required evidence", ""]
    lines += [
        "What a claim must carry. A profile asks for its own rows and for those of the profiles above it. The second"
    ]
    lines += ["column is a predicate over the claim's fields. A row whose rule has no link is not checked yet.", ""]
    for profile in PROFILES:
        lines += [f"## {profile}", "", f"Least evidence tier: {LEAST_TIER[profile].name}.", ""]
        lines += ["| item | applies to | rule |", "|---|---|---|"]
        for row in table():
            if row.profile == profile:
                rule = f"[{row.rule}](rules/{row.rule}.md)" if row.rule in codes else row.rule
                lines.append(f"| {_cell(row.item)} | `{row.applies}` | {rule} |")
        lines.append("")
    lines += [f"## {SUITE_PROFILE}", "", f"Least evidence tier: {LEAST_TIER[SUITE_PROFILE].name}.", ""]
    lines += [f"The rows of {PROFILES[0]}, and those of the suite rules (Q01 to Q33) under any profile.", ""]
    return "\n".join(lines)


def document_page(kind: str) -> str:
    """Return the page of a document: its fields with meaning and unit, then its complete example."""
    schema = local_schema(f"{BASE}{kind}.schema.json")
    lines = [f"# {schema['title']}", "", schema["description"], ""]
    if kind != "common":
        lines += ["Types that several documents share are described under [shared definitions](common.md).", ""]
        lines += _fields(schema)
    for name, definition in schema.get("$defs", {}).items():
        lines += [f"## {name}", "", definition.get("description", ""), ""]
        lines += _fields(definition) if "properties" in definition else _constraints(definition)
    example = next(
        (e for e in files("dlaudit.schemas").joinpath("examples").iterdir() if e.name.split(".")[0] == kind), None
    )
    if example is not None:
        language = "yaml" if example.name.endswith(".yaml") else "json"
        lines += ["## Example", "", f"```{language}", example.read_text(encoding="utf-8").rstrip("\n"), "```", ""]
    return "\n".join(lines)


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    yield from ("| field | type | meaning |", "|---|---|---|")
    yield from _rows(schema, "")
    yield ""


def _rows(schema: dict[str, Any], inside: str) -> Iterator[str]:
    """Yield a row for each field of an object, and below it one for each field of the object that it holds."""
    required = set(schema.get("required", ()))
    for name, field in schema.get("properties", {}).items():
        mark = " (required)" if name in required else ""
        yield f"| `{inside}{name}`{mark} | {_type(field)} | {_cell(field.get('description', ''))} |"
        yield from _rows(field, f"{inside}{name}.")


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        file, _, name = field["$ref"].rpartition("#/$defs/")
        return f"[{name}]({'common.md' if file else ''}#{name})"
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "then" in field and "else" in field:
        return f"{_type(field['else'])} or [not_applicable](common.md#not_applicable)"
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    if isinstance(field.get("additionalProperties"), dict):
        return f"{_type(field['additionalProperties'])} by name"
    kind = field.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _constraints(schema: dict[str, Any]) -> Iterator[str]:
    shown = {key: value for key, value in schema.items() if key not in {"description", "additionalProperties"}}
    if "enum" in shown:
        yield "One of: " + ", ".join(f"`{value}`" for value in shown["enum"]) + "."
    else:
        yield ", ".join(f"{key}: `{value}`" for key, value in shown.items()) + "."
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def write(folder: Path) -> None:
    """Write the generated pages that changed, and delete those of rules and documents that are no more."""
    wanted = pages(folder)
    for name, text in wanted.items():
        target = folder / name
        if not target.exists() or target.read_bytes() != text.encode():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, text.encode())
    for part in ("rules", "documents"):
        for path in (folder / part).glob("*.md"):
            if f"{part}/{path.name}" not in wanted:
                path.unlink()


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
