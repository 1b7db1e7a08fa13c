"""Where the numbers of a draft stand in the file of results that it was read from, for lint to look them up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...rules.facts.document.results import Results, agrees, stands_at
from ...schemas.errors import UserError
from ...schemas.evidence import NumberAt
from ...schemas.model import escape
from ..importers.draft import Draft, Origin
from ..importers.report_file import ReportFile
from ..lint.result_files import result_file

Value = dict[str, Any]
Place = Callable[[str, str], Value | None]


def with_places(arms: Value, named: str, path: str, draft: Draft) -> Value:
    """Return the arms of a draft, with the place of each number that stands in the file as it is stated.

    One that was converted to another unit, or put together from several, has none.

    Args:
        arms: by name.
        named: path of the file from the folder of the submission.
        path: the file as the user named it.
        draft: what an importer read of it.
    """
    file = draft.files(path)
    text = result_file(file.raw).text if isinstance(file, ReportFile) else None
    if text is None:
        return arms
    place = _places(Results(named, text), path, draft)
    return {name: _placed(arm, f"/arms/{escape(name)}", place) for name, arm in arms.items()}


def _places(results: Results, path: str, draft: Draft) -> Place:
    def place(value: str, pointer: str) -> Value | None:
        origin = draft.origins.get(f"{pointer}/value") or draft.origins.get(pointer)
        if origin is None or origin.file != path:
            return None
        said = _place(results.name, origin)
        try:
            found = stands_at(results, NumberAt(line=said.get("line"), pointer=said.get("at")))
        except UserError:
            return None
        return said if any(agrees(value, number) for number in found.numbers) else None

    return place


def _place(name: str, origin: Origin) -> Value:
    return {"file": name, **({"at": origin.pointer} if origin.pointer else {"line": origin.line})}


def _placed(arm: Value, at: str, place: Place) -> Value:
    found = dict(arm)
    for kind in ("performance", "quality"):
        if kind in arm:
            found[kind] = {
                name: {**number, "printed_at": said}
                if "value" in number and (said := place(number["value"], f"{at}/{kind}/{escape(name)}")) is not None
                else number
                for name, number in arm[kind].items()
            }
    return found
