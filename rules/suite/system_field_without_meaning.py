"""Q21: a field of the system description that says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.runs import Description
from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import described, quoted
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain

DASHES = frozenset("-–—_.?")
PROVIDE = """\
arms:
  server:
    description: {fields: {cooling: air, host_networking: "2 x 200 GbE"}}
"""


@rule(
    "Q21",
    "system-field-without-meaning",
    effect=CAVEAT,
    confidence=C3,
    applies="suite and has(description)",
    origin="POL, MEAS",
    also=("R02",),
)
def system_field_without_meaning(claim: Claim, case: Case) -> Iterator[Branch]:
    """A field of the description that needs a meaning and holds a dash, its own name, or nothing.

    ## What it does
    Reads the fields that the suite wants filled with a meaning; the kind of system and the number of network cards of
    results of inference only. An object stands for what its parts say. Fields about accelerators are left out where the
    system has none. Early rounds of inference let fields be empty; the file that goes with a measurement has to say
    from which weights the model came, and what was done to them.

    ## Why it misleads
    Nobody can rebuild, or price, a system whose description has holes.

    ## Branches
    - (a) caveat, C3: such a field is a dash or repeats its own name.
    - not shown: such a field is empty or missing, or one of the measurement file is empty.
    - not applicable: no description was handed in, or none that can be read.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"description": {"fields": {"cooling": "-"}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"description": {"fields": {"host_memory_configuration": "32 x 64 GB", "host_networking":
       "InfiniBand", "host_network_card_count": "8", "host_networking_topology": "fat tree",
       "accelerator_host_interconnect": "PCIe Gen5", "accelerator_memory_configuration": "HBM3",
       "accelerator_interconnect": "NVLink 4"}}}, "server": {"description": {"fields": {"host_memory_configuration":
       "32 x 64 GB", "host_networking": "InfiniBand", "host_network_card_count": "8", "host_networking_topology":
       "fat tree", "accelerator_host_interconnect": "PCIe Gen5", "accelerator_memory_configuration": "HBM3",
       "accelerator_interconnect": "NVLink 4"}}}}}
    ```

    ## How to fix
    Fill in the field.

    ## References
    Submission rules of the suites, table of the system description; measured on 72 published descriptions of training.
    """
    side = case.subject(claim)
    description = side.arm.description if side is not None else None
    if description is None:
        yield Inapplicable("no system description was handed in")
        return
    if description.malformed:
        yield Inapplicable("the system description cannot be read")
        return
    bare = described(claim, case, "accelerators_per_node") == "0"
    result, policy = quoted(claim), mlperf.inference().system_fields
    dashes, empty = [], [name for name in policy.of_measurement if described(claim, case, name) == ""]
    of_inference = result.part == "inference"
    early = of_inference and result.round is not None and not mlperf.since(result.round, policy.filled_from_round)
    for name in policy.meaningful:
        if (bare and name.startswith("accelerator")) or (not of_inference and name in policy.of_inference):
            continue
        text = described(claim, case, name) or _of_parts(description, name)
        if not text:
            empty += [] if early else [name]
        elif set(text) <= DASHES or plain(text) in {plain(name), *_unsaid(text)}:
            dashes.append((name, text))
    if dashes:
        name, text = dashes[0]
        more = f", and {len(dashes) - 1} more" if len(dashes) > 1 else ""
        related = tuple(Related(description.place("fields", other), "likewise") for other, _ in dashes[1:5])
        message = f'{name} is "{text}"{more}: a field that needs a meaning'
        yield Violation("a", CAVEAT, C3, message, description.place("fields", name), text, None, related)
    elif empty:
        place = description.place("fields", empty[0])
        yield NotShown(f"empty or missing in the description: {', '.join(empty)}", place, provide=PROVIDE)


def _of_parts(description: Description, name: str) -> str:
    """Return the first text in an object that a field is given as; empty where there is none."""
    parts = (value for key, value in description.fields.items() if key.startswith(f"{name}."))
    return next((text for value in parts if value is not None and (text := str(value).strip())), "")


def _unsaid(text: str) -> set[str]:
    """Return the words of a text that say that something is not said yet."""
    return {plain(mention.text) for mention in read(text).mentions("suite.unsaid")}
