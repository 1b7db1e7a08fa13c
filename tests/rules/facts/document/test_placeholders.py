"""The fact `document.placeholders`."""

import pytest
from dlaudit.rules.facts.document.placeholders import is_blank


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("SUBMITTER_NAME_HERE", True),
        ("2xSUBMISSION_PLATFORM_PLACEHOLDER", True),
        ("YOUR_COMPANY", True),
        ("TODO", True),
        ("THERE", False),
        ("EL_R8_HERETIC", False),
        ("placeholder", False),
        ("GLOBAL_BATCH", False),
        (8, False),
    ],
)
def test_names_of_blanks(text, blank):
    assert is_blank(text) is blank
