"""F44: a log that names another device than the system description."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.device_words import device_words
from ..outcome import C1, C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Event, Logged
from ._descriptors import forms_named
from ._handed_in import PLATFORMS, handed_in

PROBES = ("device_name", "gpu_name", "accelerator_name", "accelerator_model", "gpu_model", "device_model", "device")


@rule(
    "F44",
    "device-differs-from-description",
    effect=REFUTES,
    confidence=C3,
    applies="has(description) and has(trace)",
    origin="MEAS",
)
def device_differs_from_description(claim: Claim, case: Case) -> Iterator[Branch]:
    """Logs of another device than the one that the system is described with.

    ## What it does
    Looks for known models of devices in what the logs call their platform, in what they probed and in the name of the
    result's folder, and for those in the description's device and name. One model in common is enough; a superchip is
    its accelerator. A name that holds none of the device's models is that of another machine, and does not speak for
    the description.

    ## Why it misleads
    The number of one device is published as that of another, or the description is that of an older machine.

    ## Branches
    - (a) refutes, C3: the models differ, and the log's was probed.
    - (b) undermines, C1: the models differ, and both are free text: the log's name of its platform, or the folder's.
    - (b) undermines, C1: the description as handed in gives the device another form (SXM, PCIe, NVL, OAM) than the
      system that the result is stated for.
    - not applicable: a log or the description names no known model.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {
      "11": {"key": "gpu_name", "value": "NVIDIA A100-SXM4-80GB", "kind": "identity"}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where logs and description name the H100.

    ## How to fix
    Correct the log's label or the description, whichever is stale.

    ## References
    Measured on 538 published results: 14 labels name another device, each a stale one.
    """
    side = case.subject(claim)
    stated = _described(side, case) if side is not None else None
    if side is None or stated is None:
        yield Inapplicable("no known device is named in the description")
        return
    at, words, models = stated
    yield from _form(side, at, words)
    yield from _folder(side, case, stated)
    runs = [run for run in case.runs_of(side) if run.trace.events]
    named: set[str] = set()
    for keys, probed in ((PROBES, True), (PLATFORMS, False)):
        found = [(run, event, names) for run in runs for event, names in _named(run, keys, case)]
        named |= {run.id for run, _, _ in found}
        odd = [item for item in found if item[2].isdisjoint(models)]
        if odd:
            run, event, _ = odd[0]
            many = f" in {len(odd)} logs" if len(odd) > 1 else ""
            message = f"{run.name} names {str(event.value)[:80]!r}{many}; the system is described with {words[:80]!r}"
            related = (Related(at, words[:80]),)
            shown = str(event.value)[:80], words[:80]
            place = run.trace.place(event)
            if probed:
                yield Violation("a", REFUTES, C3, message, place, *shown, related)
            else:
                yield Violation("b", UNDERMINES, C1, message, place, *shown, related)
    if len(named) < len(runs) or not runs:
        yield Inapplicable("a log names no known device")


def _folder(side: Side, case: Case, stated: tuple[str, str, frozenset[str]]) -> Iterator[Violation]:
    """Hold the models that the path of the result names below `results/` against those of the description."""
    at, words, models = stated
    path = f"/{side.arm.folder or ''}".partition("/results/")[2]
    others = device_words(case, path)
    if others and others.isdisjoint(models):
        message = f"the folder {path[:80]!r} names another device; the system is described with {words[:80]!r}"
        related = (Related(at, words[:80]),)
        yield Violation("b", UNDERMINES, C1, message, side.arm.place("folder"), path[:80], words[:80], related)


def _form(side: Side, at: str, words: str) -> Iterator[Violation]:
    """Hold the form of the device in the description as handed in against that of the system of the document."""
    if side.arm.description is None or side.system is None:
        return
    stated = side.system.device_variant or side.system.name
    forms = forms_named(words)
    others = forms_named(stated if isinstance(stated, str) else "")
    if len(forms) == 1 and len(others) == 1 and forms != others:
        message = f"the system is of {stated[:60]!r}; the description handed in has {words[:80]!r}"
        yield Violation("b", UNDERMINES, C1, message, at, str(stated)[:60], words[:80])


def _described(side: Side, case: Case) -> tuple[str, str, frozenset[str]] | None:
    """Return place, words and models of a described system: of all its names, where its device is known."""
    if side.arm.description is not None:
        device, name = handed_in(side, "accelerator_model_name"), handed_in(side, "system_name")
        own = device_words(case, device.words) if device is not None else frozenset()
        if device is None or not own:
            return None
        named = device_words(case, name.words) if name is not None else frozenset()
        return device.at, device.words, own | (named if named & own else own)
    system = side.system
    if system is None or not isinstance(system.device, str) or not device_words(case, system.device):
        return None
    return system.place("device"), system.device, device_words(case, system.device) | device_words(case, system.name)


def _named(run: Logged, keys: tuple[str, ...], case: Case) -> Iterator[tuple[Event, frozenset[str]]]:
    """Yield the first event of a log under each key that names a known model."""
    for key in keys:
        for event in run.trace.of(key)[:1]:
            models = device_words(case, event.value) if isinstance(event.value, str) else frozenset()
            if models:
                yield event, models
