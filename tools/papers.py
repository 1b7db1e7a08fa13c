"""Build the PDFs of examples/papers: LaTeX by pdflatex, HTML by a browser. `python tools/papers.py`; needs both."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAPERS = Path(__file__).parent.parent / "examples" / "papers"
BROWSERS = ("chromium", "google-chrome", "chromium-browser")
SAME = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "FORCE_SOURCE_DATE": "1"}


def by_latex(source: Path, target: Path) -> None:
    """Write the PDF of a LaTeX source; a second run resolves its references."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(source)]
        for _ in range(2):
            subprocess.run(command, check=True, env=SAME, stdout=subprocess.DEVNULL, cwd=folder)
        shutil.copy(Path(folder) / target.name, target)


def by_browser(source: Path, target: Path) -> None:
    """Write the PDF that a browser prints of a page."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit(f"none of {', '.join(BROWSERS)} is installed")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run([*command, f"--print-to-pdf={target}", source.as_uri()], check=True, stderr=subprocess.DEVNULL)


def main() -> None:
    """Build every paper beside its source."""
    for source in sorted(PAPERS.glob("*.tex")):
        by_latex(source, source.with_suffix(".pdf"))
    for source in sorted(PAPERS.glob("*.html")):
        by_browser(source, source.with_suffix(".pdf"))


if __name__ == "__main__":
    main()
