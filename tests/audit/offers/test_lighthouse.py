"""Lighthouse finds nothing to mend for people who see, hear or steer a page otherwise: 100 of 100."""

import functools
import http.server
import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.serve.server import Server, Shelf

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PROGRAM = os.environ.get("DLAUDIT_LIGHTHOUSE") or shutil.which("lighthouse")
CATEGORIES = ("accessibility", "best-practices")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that writes no log."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tender, tmp_path_factory):
    """The address of a server with the report of a submission, that of a study, and the sheet of a tender."""
    if PROGRAM is None or CHROMIUM is None:
        pytest.skip("no Lighthouse or no Chromium is installed")
    folder = tmp_path_factory.mktemp("pages")
    for name, path in (("claim", "examples/fooling/way08/submission.yaml"), ("study", "examples/honest/study")):
        run(["lint", str(ROOT / path), "--format", f"html:{folder / name}.html", "--fail-on", "never", "--no-config"])
    issued, hand, trust = tender
    run(["offers", str(hand), "--tender", str(issued.path), "--trust", str(trust), "--out", str(folder / "decision")])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def found(tmp_path):
    """Return a function that lets Lighthouse look at a page: the score of each category, and what lowers it."""

    def look(url, *, desktop, dark):
        flags = "--headless=new --no-sandbox --disable-gpu" + (" --force-dark-mode" if dark else "")
        line = [PROGRAM, url, "--quiet", f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={flags}"]
        line += [
            "--output=json",
            f"--output-path={tmp_path / 'found.json'}",
            *(["--preset=desktop"] if desktop else []),
        ]
        environment = os.environ | {"CHROME_PATH": CHROMIUM}
        done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        report = json.loads((tmp_path / "found.json").read_text())
        lower = [one["title"] for one in report["audits"].values() if one["score"] not in {None, 1}]
        return {name: report["categories"][name]["score"] for name in CATEGORIES}, lower

    return look


@pytest.mark.parametrize(
    ("page", "desktop", "dark"),
    [
        ("claim.html", False, False),
        ("claim.html", True, True),
        ("study.html", False, True),
        ("decision/offers.html", True, False),
    ],
)
def test_a_written_page(address, found, page, desktop, dark):
    assert found(f"{address}/{page}", desktop=desktop, dark=dark) == (dict.fromkeys(CATEGORIES, 1), [])


@pytest.mark.parametrize("path", ["/", "/questions"])
def test_a_page_of_serve(address, found, path):
    shelf = Shelf(ROOT / "examples" / "honest", Settings())
    server = Server("127.0.0.1", 0, shelf, "honest", "reviewer", True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        assert found(f"{server.address}{path}", desktop=False, dark=False) == (dict.fromkeys(CATEGORIES, 1), [])
    finally:
        server.shutdown()
        server.server_close()
