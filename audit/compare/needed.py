"""What comparing and planning need beside the base installation."""

from __future__ import annotations

from ...schemas.errors import UserError


def check_statsmodels(command: str) -> None:
    """Make sure that statsmodels is there before anything is read.

    Raises:
        UserError: it is not installed.
    """
    from importlib.util import find_spec

    if find_spec("statsmodels") is None:
        raise UserError(
            f"dlaudit {command} needs statsmodels, which is not installed", "pip install '.[run]' in the checkout"
        )
