"""What MkDocs needs to build the documentation as it stands in the repository; mkdocs.yml names this file.

The pages are written for GitHub and for the tests that replay them: a fence may carry a file name or a word for the
tests, and three pages of the project lie in the root.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parents[1]
FROM_ROOT = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md", "security.md": "SECURITY.md"}
FENCE = re.compile(r"^(?P<fence> *`{3,})(?P<language>\w+) (?P<word>[^\n`]+)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie in the root."""
    from mkdocs.structure.files import File

    for name, source in FROM_ROOT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=moved(text)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page as MkDocs reads it: a file's name above its block, links to the root as links to its pages."""
    for name, source in FROM_ROOT.items():
        markdown = markdown.replace(f"](../{source})", f"]({name})").replace(f"](../../{source})", f"](../{name})")
    return FENCE.sub(_fence, markdown)


def on_post_page(output: str, **_: Any) -> str:
    """Return a finished page with a name for its search dialogue, which the theme leaves without one."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def moved(text: str) -> str:
    """Return a page of the root with the links that hold in docs/."""
    for name, source in FROM_ROOT.items():
        text = text.replace(f"]({source})", f"]({name})")
    return text.replace("](docs/", "](")


def _fence(match: re.Match[str]) -> str:
    name = f"`{match['word']}`:\n\n" if "." in match["word"] else ""
    return f"{name}{match['fence']}{match['language']}"
