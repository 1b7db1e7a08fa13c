"""Paths without the name of their user."""

from __future__ import annotations

import re
from pathlib import Path

HOME = re.compile(r"/(?:home|Users)/[^/:;,\s]+")


def reduced(text: str) -> str:
    """Return text in which the user's home, and any other user's, is written as `~`."""
    home = str(Path.home())
    if len(home) > 1:
        text = re.sub(rf"{re.escape(home)}(?=/|:|;|,|\s|$)", "~", text)
    return HOME.sub("~", text)
