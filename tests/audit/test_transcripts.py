"""Command-line sessions as a person would have them: transcripts/*.md are run and compared (see tests/conftest.py)."""

from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parent / "transcripts").glob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_transcript(path, replay):
    replay(path)


def test_there_are_transcripts():
    assert len(PAGES) >= 3
