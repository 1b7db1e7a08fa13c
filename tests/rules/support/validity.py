"""Whether a document is valid, for tests that try many of them."""

from dlaudit.schemas.validation import _decider


def valid(value, kind="submission"):
    """Whether a value is a valid document; `validate` would look for words for each problem, which takes long."""
    return _decider(kind).is_valid(value)
