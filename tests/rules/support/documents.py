"""What a rule says of a whole document, and documents that cite a study."""

from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate


def of_document(code, name, patch):
    """The answer of a rule about the whole document."""
    value = merge_patch(base(name), patch)
    assert not validate("submission", value), validate("submission", value)
    (result,) = [item for item in judge(Case(to_model(value, Submission)), [by_code(code)]) if item.claim is None]
    return result


REFERENCE = {"manifest": "s"}
CITED = {"manifests": {"s": {"path": "s/manifest.json", "sha256": "0" * 64}}}


def signed(*claims, **references):
    return {
        **CITED,
        "claims": {name: dict.fromkeys(references or ["measured"], REFERENCE) for name in claims},
    }


def document(name, code, patch=None, **settings):
    """Return what a rule says of a whole document."""
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value), validate("submission", value)
    results = judge(Case(to_model(value, Submission), **settings), [by_code(code)])
    (result,) = [item for item in results if item.claim is None]
    return result
