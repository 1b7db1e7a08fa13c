"""What the documentation shows is what the program does: sessions are replayed, generated pages are fresh."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.audit.pages import pages
from dlaudit.rules.book import book
from dlaudit.runners.workloads import BUILT_IN
from dlaudit.schemas.validation import kinds

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
GENERATED = pages()
WRITTEN += sorted(path for path in DOCS.rglob("*.md") if path.relative_to(DOCS).as_posix() not in GENERATED)
ON_CLUSTERS = ("scale.md",)
SESSIONS = [path for path in WRITTEN if "```console" in path.read_text(encoding="utf-8")]


def name(path):
    return path.relative_to(ROOT).as_posix()


def on_its_machine(path):
    """The page, marked where its sessions need a Slurm and a Ray cluster."""
    return pytest.param(path, marks=pytest.mark.alone) if path.name in ON_CLUSTERS else path


EXTRAS = {"docs/scenarios.md": "mlperf_loadgen"}
"""What a page's sessions need, beyond what the tests install."""


@pytest.mark.slow
@pytest.mark.parametrize("path", [on_its_machine(path) for path in SESSIONS], ids=name)
def test_the_sessions_of_a_page_come_out_as_written(path, replay, request, monkeypatch):
    if name(path) in EXTRAS:
        pytest.importorskip(EXTRAS[name(path)])
    if path.name in ON_CLUSTERS:
        monkeypatch.setenv("SLURM_CONF", str(request.getfixturevalue("slurm").conf))
        monkeypatch.setenv("RAY_ADDRESS", request.getfixturevalue("ray_cluster").address)
    replay(path)


def test_the_pages_for_people_have_sessions():
    wanted = {"README.md", "docs/review-a-paper.md", "docs/gate-your-own-claims.md", "docs/buy-on-evidence.md"}
    wanted |= {f"docs/{page}.md" for page in ("measure", "verdicts", "trust", "write-a-submission", "troubleshooting")}
    assert wanted <= {name(path) for path in SESSIONS}


def test_the_help_in_the_readme_is_the_programs(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tool = Path(sys.executable).with_name("dlaudit")
    done = subprocess.run([tool, "--help"], capture_output=True, text=True, cwd=tmp_path, check=True)
    fresh, count = re.subn(r"^(```text help\n).*?^```$", rf"\1{done.stdout}```", text, flags=re.MULTILINE | re.DOTALL)
    assert count == 1
    if os.environ.get("DLAUDIT_UPDATE"):
        (ROOT / "README.md").write_text(fresh, encoding="utf-8")
    else:
        assert fresh == text


def test_generated_pages_are_fresh_and_one_to_one():
    for relative, text in pages(DOCS).items():
        path = DOCS / relative
        assert path.is_file(), f"docs/{relative} is missing: make pages"
        assert path.read_text(encoding="utf-8") == text, f"docs/{relative} is old: make pages"
    rules = {path.stem for path in (DOCS / "rules").glob("*.md")}
    assert rules == {rule.code for rule in book()} | {"index"}
    assert {path.stem for path in (DOCS / "documents").glob("*.md")} == {*kinds(), "common"}


def test_the_picture_is_what_the_program_prints():
    made = runpy.run_path(str(DOCS / "picture.py"))
    assert (DOCS / "images" / "verdict.svg").read_text(encoding="utf-8") == made["picture"](), "make docs"


def test_every_page_can_be_reached_from_the_index():
    seen, open_pages = set(), {DOCS / "index.md"}
    while open_pages:
        page = open_pages.pop()
        seen.add(page)
        linked = {(page.parent / target.split("#")[0]).resolve() for target in links(page.read_text("utf-8"))}
        open_pages |= {path for path in linked if path.suffix == ".md" and path.is_relative_to(DOCS)} - seen
    assert {name(path) for path in DOCS.rglob("*.md")} == {name(path) for path in seen}


def links(text):
    """Return the relative targets of the links and pictures of a page."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)|src(?:set)?=\"([^\"]+)\"", text)
    return [target for pair in targets for target in pair if target and "://" not in target]


def anchors(text):
    """Return the anchors of a page's headings, as GitHub makes them."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


@pytest.mark.parametrize("path", WRITTEN, ids=name)
def test_internal_links_lead_somewhere(path):
    assert broken_links(path, path.read_text(encoding="utf-8")) == []


def test_links_of_generated_pages_lead_somewhere():
    assert [link for page, text in pages(DOCS).items() for link in broken_links(DOCS / page, text)] == []


def broken_links(path, text):
    """Return the links of a page that lead to no file, out of the repository, or to no heading."""
    found = []
    for target in links(text):
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        inside = there.is_relative_to(ROOT) and there.exists()
        if not inside or (anchor and anchor.lower() not in anchors(there.read_text(encoding="utf-8"))):
            found.append(f"{target} in {name(path)}")
    return found


def test_make_targets_that_are_named_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {target for path in WRITTEN for target in re.findall(r"`make ([a-z]+)", path.read_text("utf-8"))}
    assert {"demo", "test"} <= named
    assert named <= targets


def test_commands_that_are_named_exist():
    from dlaudit.audit.cli import COMMANDS

    text = "\n".join(path.read_text(encoding="utf-8") for path in WRITTEN)
    named = set(re.findall(r"(?:`|\$ |run: )dlaudit ([a-z]+)", text))
    assert {"lint", "run", "verify"} <= named
    assert named <= set(COMMANDS)


def test_no_page_names_a_path_of_a_machine():
    home = re.compile(r"(?<![\w.])/(?:home|root|work|tmp|Users|private|mnt)\b(?!/\w*\]\()")
    texts = {name(path): path.read_text(encoding="utf-8") for path in [*WRITTEN, *DOCS.rglob("*.svg")]} | pages(DOCS)
    found = [f"{page}: {line}" for page, text in texts.items() for line in text.splitlines() if home.search(line)]
    assert found == []


def test_benchmarks_that_are_named_exist():
    named = {file for path in WRITTEN for file in re.findall(r"benchmarks/\w+\.py", path.read_text("utf-8"))}
    assert named
    assert all((ROOT / file).is_file() for file in named)


def test_the_bundled_workloads_are_those_of_the_program():
    sentence = re.search(r"The bundled workloads are (.*?)\. ", (DOCS / "measure.md").read_text("utf-8"), re.DOTALL)
    assert sentence is not None
    assert set(re.findall(r"`([a-z-]+)`", sentence[1])) == set(BUILT_IN)
