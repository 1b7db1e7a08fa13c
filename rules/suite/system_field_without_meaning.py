"""Q21: a field of the system description that says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.runs import Description
from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import described, quoted
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain

DASHES = frozenset("-–—_.?")
UNSAID = frozenset({"tbd", "tba", "todo", "unknown", "tobedetermined", "xxx"})
OF_INFERENCE = frozenset({"system_type", "host_network_card_count"})
"""Fields that descriptions of training have no need of: few of the published ones have them."""
FIRST_ROUND = "4.0"
"""First round of inference in which published descriptions leave no such field empty."""
MEASUREMENT = ("retraining", "starting_weights_filename", "weight_transformations")
"""Fields of the measurement file that say which model ran; number formats are another rule's finding."""
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
    dashes, empty = [], [name for name in MEASUREMENT if described(claim, case, name) == ""]
    result = quoted(claim)
    early = result.part == "inference" and result.round is not None and not mlperf.since(result.round, FIRST_ROUND)
    for name in mlperf.inference().system_fields.meaningful:
        if (bare and name.startswith("accelerator")) or (claim.suite != "inference" and name in OF_INFERENCE):
            continue
        text = described(claim, case, name) or _of_parts(description, name)
        if not text:
            empty += [] if early else [name]
        elif set(text) <= DASHES or plain(text) in {plain(name), *UNSAID}:
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
