"""What was read from words for a field of a claim or an arm."""

from __future__ import annotations

from msgspec import Struct


class Read(Struct, frozen=True):
    """A value that words give to a field of a claim or an arm.

    Attributes:
        field: the field.
        value: its value, as the field takes it.
        kind: the kind of reading, as the table of measured precision names it.
        at: JSON Pointer of the text.
        quote: the words.
    """

    field: str
    value: str
    kind: str
    at: str
    quote: str

    @property
    def source(self) -> str:
        """What kind of text it is: statement, caption, label or quote."""
        name = self.at.rpartition("/")[2]
        return name if name in {"statement", "caption", "label"} else "unit" if name == "unit" else "quote"

    @property
    def note(self) -> str:
        """What a finding says of it."""
        return f'{self.field} "{self.value.replace("_", " ")}" is read from the {self.source}: "{self.quote}"'
