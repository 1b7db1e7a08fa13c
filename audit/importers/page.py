"""The documentation page of an importer, from its docstring and its field map."""

from __future__ import annotations

from .interface import Importer, Signature

_FORMS = {
    "json": "one JSON document that holds",
    "json lines": "a JSON object a line, the first with",
    "table": "a CSV or TSV table with the columns",
    "lines": "a text that begins with lines of",
}


def page(importer: Importer) -> str:
    """Return the page in Markdown."""
    summary, _, rest = importer.doc.strip().partition("\n")
    known = "\n".join(f"- {_known(signature)}" for signature in importer.signatures)
    rows = "\n".join(
        f"| {_cell(f'`{field.source}`')} | {_cell(f'`{field.target}`')} | {_cell(field.note)} |"
        for field in importer.fields
    )
    return (
        f"# {importer.name}\n\n{summary}\n\n{rest.strip()}\n\n"
        f"## Known by\n\n{known or '- what its page says above'}\n\n"
        f"## Field map\n\nWhat the report does not state, the submission does not state either. Fields that are not "
        f"listed are named by `dlaudit draft` and `dlaudit lint`.\n\n"
        f"| report | submission | |\n|---|---|---|\n{rows}\n"
    )


def index(importers: tuple[Importer, ...]) -> str:
    """Return the page that lists all importers."""
    rows = "\n".join(f"| [{each.name}]({each.name}.md) | {each.title} |" for each in importers)
    return (
        "# Reports of other tools\n\n"
        "`dlaudit lint REPORT` reads these reports as they are, and its findings quote their lines; "
        "`dlaudit draft REPORT submission.yaml` writes the draft for a person to complete. A format is known by what "
        "stands in the file, never by its name; `--from NAME` chooses an importer.\n\n"
        f"| importer | reads |\n|---|---|\n{rows}\n\n"
        "Another format: `make importer KIND=harness NAME=some-tool` starts one; an installed package offers one as an "
        "entry point of the group `dlaudit.importers`, which counts where `plugins = true` stands in the "
        "configuration.\n"
    )


def _known(signature: Signature) -> str:
    needs = ", ".join(" or ".join(f"`{word}`" for word in need.split("|")) for need in signature.needs)
    without = " or ".join(f"`{word}`" for word in signature.without)
    return f"{_FORMS[signature.form]} {needs}" + (f", without {without}" if without else "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
