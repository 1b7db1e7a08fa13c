"""R01: a result without the code that produced it."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.conditions import Code
from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case, Side
from ..outcome import C3, CAVEAT, Branch, NotShown, Violation
from ..registry import rule

ITEM = "code"
PROVIDE = """\
arms:
  fast:
    software:
      code: {url: "https://git.example.org/project", commit: "77aa9c2ab17d02c5d0a3f2b1e04c5d9f2a7b8c1d"}
"""
FIXED = Pattern(
    r"[0-9a-f]{40}|doi[.]org/|swh:1:|zenodo[.]org/records?/[0-9]|/releases/tag/|/refs/tags/|/(?:tree|tag)/v?[0-9]|sha256"
)
MOVING = frozenset({"main", "master", "head", "latest", "trunk", "develop", "dev"})


@rule("R01", "code-missing", effect=CAVEAT, confidence=C3, applies="any", origin="S4")
def code_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result whose code is not given, or only as a place that can change.

    ## What it does
    Looks for the code of the arm behind the claim: an address with a commit, or one that fixes a version itself (a
    commit, a tag, an archive with an identifier). A workload that comes with dlaudit is given by the version in the
    study's record, and a program of the reader's own, such as that of a tender, by its digest there.

    ## Why it misleads
    Without the code nobody can look what was measured; with the head of a branch, nobody can tell next year.

    ## Branches
    - (a) caveat, C3: the reference can change: a branch, "latest", a page.
    - not shown: no code is given, or a commit without an address. Required (code) from the publication profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"software": {"code": {"commit": null}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with address and commit.

    ## How to fix
    Publish the code and give its commit, or escrow it and give the hash of the archive.

    ## References
    ACM artifact review and badging; reproducibility checklist of the benchmarking chapter.
    """
    side = case.subject(claim)
    sides = (side,) if side is not None else tuple(case.sides())
    codes = [item.arm.software.code for item in sides if item.arm.software is not None]
    addressed = [code for code in codes if code is not None and code.url is not None]
    if not addressed and not (sides and all(_is_held(side, case) for side in sides)):
        yield NotShown("the code is not given with an address", claim.at, ITEM, PROVIDE)
    for code in addressed:
        if not _fixed(code):
            message = f"{code.url} is a place that can change: no commit is given"
            yield Violation("a", CAVEAT, C3, message, code.place("url"), code.url)


def _is_held(side: Side, case: Case) -> bool:
    """Whether a study says that an arm ran what the reader has: a workload of dlaudit, or files of the reader's own."""
    ran = side.arm.workload if side.study is not None else None
    if ran is None:
        return False
    return ran.name is not None or (bool(ran.files) and case.code.issuperset(ran.files.values()))


def _fixed(code: Code) -> bool:
    pinned = code.commit is not None and code.commit.casefold() not in MOVING
    return pinned or (code.url is not None and FIXED.search(code.url) is not None)
