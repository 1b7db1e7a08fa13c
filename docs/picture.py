"""Write docs/images/verdict.svg: what `dlaudit lint` prints for one of the examples, up to the first finding.

`python -P docs/picture.py`; a test holds the picture to the program. It follows the reader's light or dark theme.
"""

from __future__ import annotations

import os
import re
from html import escape
from pathlib import Path

from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.text import render
from dlaudit.schemas.source import parse

ROOT = Path(__file__).parents[1]
CLAIM = "examples/named/mixed-option-sets/submission.yaml"
PICTURE = ROOT / "docs" / "images" / "verdict.svg"
COLUMNS = 108
SHOWN = 3
"""Paragraphs of the output: the document, the claim, the worst finding."""
CHARACTER_PX, LINE_PX, MARGIN_PX = 7.8, 19, 16
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")
COLOURS = {"31": "red", "32": "green", "33": "yellow", "35": "magenta", "1": "bold"}
STYLE = """\
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }
.back { fill: #f6f8fa; stroke: #d0d7de; } text { fill: #1f2328; } .bold { font-weight: bold; }
.red { fill: #b3141d; } .green { fill: #116329; } .yellow { fill: #7d4e00; } .magenta { fill: #8250df; }
@media (prefers-color-scheme: dark) {
.back { fill: #161b22; stroke: #30363d; } text { fill: #e6edf3; }
.red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .magenta { fill: #d2a8ff; }
}"""


def picture() -> str:
    """Return the picture as SVG."""
    path = ROOT / CLAIM
    source = parse(path.read_bytes(), CLAIM)
    before, os.environ["COLUMNS"] = os.environ.get("COLUMNS"), str(COLUMNS)  # whatever the terminal's width
    try:
        parts = (
            render(lint(Document(source, "submission", path.parent), Settings()).report, brief=True)
            .rstrip("\n")
            .split("\n\n")
        )
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    more = ["", "  ..."] if len(parts) > SHOWN else []
    return svg([f"$ dlaudit lint {CLAIM}", *"\n\n".join(parts[:SHOWN]).split("\n"), *more])


def svg(lines: list[str]) -> str:
    """Return lines with ANSI colours as an SVG of monospaced text."""
    widest = max(len(ESCAPE.sub("", line)) for line in lines)
    width, height = round(widest * CHARACTER_PX + 2 * MARGIN_PX), len(lines) * LINE_PX + 2 * MARGIN_PX
    rows = [
        f'<text x="{MARGIN_PX}" y="{MARGIN_PX + LINE_PX * number + 13}" xml:space="preserve">{_spans(line)}</text>'
        for number, line in enumerate(lines)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return "\n".join(
        [
            f'{head} role="img" aria-label="What dlaudit lint prints: the verdict of one claim and its finding">',
            f"<style>{STYLE}</style>",
            f'<rect class="back" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _spans(line: str) -> str:
    """Return one line as escaped text, its colours as classes."""
    parts, shown, classes = ESCAPE.split(line), [], set[str]()
    for index, part in enumerate(parts):
        if index % 2:
            codes = [code for code in part.split(";") if code]
            classes = set() if codes in ([], ["0"]) else classes | {COLOURS[code] for code in codes}
        elif part and classes:
            shown.append(f'<tspan class="{" ".join(sorted(classes))}">{escape(part)}</tspan>')
        else:
            shown.append(escape(part))
    return "".join(shown)


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
