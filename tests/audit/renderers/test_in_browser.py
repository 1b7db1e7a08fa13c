"""The HTML report in Chromium: it loads nothing, reports no error, is accessible, prints, and opens quickly."""

import json
import os
import re
import shutil
from copy import deepcopy
from pathlib import Path

import pytest
from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import Linted, lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.html import render
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse, read
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import FOLDER

pytestmark = pytest.mark.slow
EXAMPLES = FOLDER.parent.parent / "examples" / "fooling"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
RATE = {"quantity": "rate", "form": "absolute", "scope": "step", "mode": "training", "compares": "none"}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Seen:
    """A page in the browser, with what it told and asked for."""

    def __init__(self, browser, path, width=1280, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
        self.page, self.told, self.asked = context.new_page(), [], []
        self.page.on("console", lambda message: self.told.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.on("dialog", lambda dialog: self.told.append(dialog.message) or dialog.dismiss())
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())

    def first_paint_s(self):
        """Return how long after the navigation began the browser showed the first of the page."""
        name = "performance.getEntriesByName('first-contentful-paint')"
        self.page.wait_for_function(f"{name}.length")
        return self.page.evaluate(f"{name}[0].startTime") / 1000

    def is_quiet(self, path):
        return not self.told and self.asked == [path.as_uri()]


def written(tmp_path, *items):
    path = tmp_path / "report.html"
    path.write_text(render(items), encoding="utf-8")
    return path


def example(name):
    path = EXAMPLES / name / "submission.yaml"
    return lint(Document(read(path), "submission", path.parent), Settings())


@pytest.mark.parametrize("name", ["way08", "cautionary-tale"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_is_quiet_fits_and_is_accessible(browser, tmp_path, name, width, scheme):
    path = written(tmp_path, example(name))
    seen = Seen(browser, path, width, scheme)
    assert seen.is_quiet(path)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed").Axe()
    assert [found["id"] for found in axe.run(seen.page).response["violations"]] == []


def test_a_link_on_a_code_opens_the_text_of_the_rule(browser, tmp_path):
    seen = Seen(browser, written(tmp_path, example("way08")))
    seen.page.locator("a", has_text="W0801").first.click()
    assert seen.page.url.endswith("#rule-W0801")
    assert seen.page.locator("#rule-W0801 summary").is_visible()


@pytest.mark.parametrize("name", ["way08", "way11", "cautionary-tale"])
def test_a_usual_report_prints_on_three_pages(browser, tmp_path, name):
    seen = Seen(browser, written(tmp_path, example(name)))
    printed = seen.page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= 3


def test_two_hundred_claims_and_a_million_samples_open_at_once(browser, tmp_path):
    value = {
        "dlaudit": "submission/1",
        "title": "Many",
        "claims": {f"c{n}": {**RATE, "statement": f"Row {n} runs at {n} images/s."} for n in range(200)},
    }
    item = lint(Document(parse(json.dumps(value).encode(), "submission.json"), "submission", Path()), Settings())
    trial = {"kind": "throughput", "outcome": "completed"}
    samples = {
        f"t{n}": {**trial, "samples": {"step_time_s": [1 + k % 977 / 9770 for k in range(100_000)]}} for n in range(10)
    }
    case = Case(to_model({**value, "arms": {"a": {"trials": samples}}}, Submission))
    path = written(tmp_path, Linted(item.report, case))
    assert path.stat().st_size < 3_000_000
    seen = Seen(browser, path)
    assert seen.page.locator("h1").is_visible()
    assert seen.first_paint_s() < 1 + float(os.environ.get("DLAUDIT_SLACK_S", "1"))
    assert seen.is_quiet(path)


@pytest.mark.skipif("DLAUDIT_CONFORMANCE" not in os.environ, reason="DLAUDIT_CONFORMANCE is not set")
def test_naughty_strings_run_nothing(browser, tmp_path):
    names = Path(os.environ["DLAUDIT_CONFORMANCE"]) / "naughty-strings" / "blns.json"
    strings = [text for text in json.loads(names.read_bytes()) if text.strip()]
    value = deepcopy(base("rate"))
    claim = next(iter(value["claims"].values()))
    value["title"] = "".join(strings)[:2000]
    value["disclosures"] = [{"topic": "timing", "quote": text[:500]} for text in strings]
    claim["statement"] = " ".join(text for text in strings if "<" in text)[:2000]
    item = lint(Document(parse(json.dumps(value).encode(), "submission.json"), "submission", Path()), Settings())
    path = written(tmp_path, item)
    seen = Seen(browser, path)
    seen.page.wait_for_timeout(300)
    assert seen.is_quiet(path)
