"""`dlaudit serve`: what its pages show, and what no document and no other site can make of them."""

import http.client
import json
import re
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import html5lib
import pytest
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.serve import form, pages
from dlaudit.audit.serve.library import Point
from dlaudit.audit.serve.reader import Given, answer_of, read_apart
from dlaudit.audit.serve.server import Server, Shelf, is_loopback
from dlaudit.schemas.errors import UserError

ROOT = Path(__file__).parents[3]
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b[31m'
TABLE = b"| method | images/s |\n|---|---|\n| a | 1200 |\n| b | 3100 |\n\nOur method b trains 2.6x faster than a.\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A folder with an honest study, a flawed submission, a hostile one and a comparison."""
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(ROOT / "examples" / "honest" / "study", folder / "honest")
    shutil.copy(ROOT / "examples" / "named" / "mixed-option-sets" / "submission.yaml", folder / "mixed.yaml")
    text = json.loads((folder / "honest" / "submission.json").read_text())
    claim = text["claims"]["digits-rate"] | {"statement": HOSTILE, "measured": {"arm": "a", "metric": "rate"}}
    arm = {"label": HOSTILE, "performance": {"rate": {"quantity": "rate", "value": "1", "unit": "samples/s"}}}
    hostile = {"dlaudit": "submission/1", "title": HOSTILE, "claims": {"c": claim}, "arms": {"a": arm}}
    (folder / "hostile.json").write_text(json.dumps(hostile))
    row = {"old": HOSTILE, "new": "b", "outcome": "worse", "metrics": {HOSTILE: {"outcome": "worse", "change": 0.9}}}
    (folder / "nights.json").write_text(json.dumps({"dlaudit": "comparison/1", "comparisons": [row]}))
    (folder / "odd.json").write_text('{"dlaudit": "comparison/1", "comparisons": [{"old": []}]}')
    (folder / "secret.txt").write_text("not for the browser")
    return folder


@pytest.fixture(scope="module")
def servers(library):
    """A server without uploads and one with."""
    made = [
        Server("127.0.0.1", 0, Shelf(library, Settings()), "library", "reviewer", upload) for upload in (False, True)
    ]
    for server in made:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield made
    for server in made:
        server.shutdown()
        server.server_close()


def ask(server, path, method="GET", body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=500)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Host": server.address.removeprefix("http://"), **(headers or {})}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    return answer.status, dict(answer.headers), answer.read().decode()


def links(text):
    return re.findall(r'href="(/[^"]*)"', text)


def crawled(server):
    """Return every page that links lead to, by its address."""
    seen, waiting = {}, ["/", "/questions"]
    while waiting:
        path = waiting.pop()
        if path in seen or len(seen) > 200:
            continue
        seen[path] = ask(server, path.replace("&amp;", "&"))
        waiting += links(seen[path][2])
    return seen


@pytest.fixture(scope="module")
def seen(servers):
    return crawled(servers[0])


def test_every_link_leads_to_a_page_under_a_policy_that_runs_nothing(seen):
    kinds = {path.split("/")[1].split("?")[0] for path in seen}
    assert {"document", "claim", "trial", "report", "comparison", "trends", "questions"} <= kinds
    for path, (status, headers, text) in seen.items():
        assert status == 200, path
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "script-src" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Set-Cookie" not in headers
        tree = html5lib.parse(text, namespaceHTMLElements=False) if path != "/style.css" else []
        assert not [node for node in getattr(tree, "iter", list)() if node.tag in ("script", "img", "iframe", "object")]


def test_what_a_document_says_is_text_and_shows_what_would_hide(seen):
    text = seen["/"][2]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "\\u202e\\x1b[31m" in text
    assert not any("\u202e" in page or "\x1b" in page for _, _, page in seen.values())


def test_a_claim_is_followed_to_its_raw_samples(servers, seen):
    claim = next(path for path in seen if path.startswith("/claim/") and path.endswith("digits-rate"))
    trial = next(path for path in links(seen[claim][2]) if path.startswith("/trial/") and path.endswith("digits-t1"))
    raw = json.loads((ROOT / "examples/honest/study/trials/digits-t1.samples.json").read_text())["columns"]
    page = seen[trial][2]
    assert f"{raw['step_time_s'][10]:.9g}" in page
    assert "<svg" in page
    assert f"{len(raw['step_time_s'])} values" in page


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("verdict=FAIL", "Quail", "digits-cnn"),
        ("verdict=PASS", "digits-cnn", "Quail"),
        ("way=W08", "Quail", "digits-cnn"),
        ("tier=T2", "digits-cnn", "Quail"),
        ("from=2026-11-01&to=2026-12-01", "digits-cnn", "Quail"),
        ("to=2020-01-01", "No claim is like that", "Quail classifies"),
        ("verdict=%3Cscript%3E&way=..%2F&page=-7", "Quail", "<script>"),
    ],
)
def test_the_list_is_filtered(servers, query, shown, hidden):
    status, _, text = ask(servers[0], f"/?{query}")
    assert status == 200
    listed = text.split("</form>")[1]
    assert (shown in listed, hidden in listed) == (True, False)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/secret.txt",
        "/document/..%2f..%2fsecret.txt",
        "/document/",
        "/trial/a/b/../../secret.txt",
        "/claim/0/%00",
        "//etc/passwd",
        "/trends?metric=nothing",
        "/style.css/x",
        "/report/0000000000000000",
    ],
)
def test_no_address_leads_out_of_the_dictionaries(servers, path):
    status, _, text = ask(servers[0], path)
    assert status == 404
    assert "not for the browser" not in text


def test_another_name_for_this_server_is_refused(servers):
    assert ask(servers[0], "/", headers={"Host": "evil.example"})[0] == 421
    assert ask(servers[0], "/", headers={"Host": f"localhost:{servers[0].server_address[1]}"})[0] == 200
    assert ask(servers[0], "/" + "x" * 5000)[0] == 414
    assert ask(servers[0], "/", "DELETE")[0] == 501
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")


def handed_over(server, parts, **headers):
    """Send the form with fields of (file name, bytes)."""
    body = b""
    for name, (file, data) in parts.items():
        named = f'; filename="{file}"' if file else ""
        body += f'--b\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode() + data + b"\r\n"
    body += b"--b--\r\n"
    usual = {
        "Content-Type": "multipart/form-data; boundary=b",
        "Content-Length": str(len(body)),
        "Origin": server.address,
    }
    return ask(server, "/questions", "POST", body, {**usual, **headers})


def test_a_table_is_pasted_and_its_questions_come_back(servers, library):
    server = servers[1]
    before = sorted(path for path in library.rglob("*"))
    status, headers, text = handed_over(server, {"token": ("", server.token.encode()), "text": ("", TABLE)})
    assert status == 200
    assert "Questions about what you pasted" in text
    assert "How often was each number measured" in text
    assert headers["Cache-Control"] == "no-store"
    assert sorted(path for path in library.rglob("*")) == before


def test_a_form_counts_with_its_token_from_this_page_alone(servers):
    server, text = servers[1], {"text": ("", TABLE)}
    good = {"token": ("", server.token.encode()), **text}
    assert handed_over(server, text)[0] == 403
    assert handed_over(server, {**good, "token": ("", b"0" * 64)})[0] == 403
    assert handed_over(server, good, Origin="http://evil.example")[0] == 403
    assert handed_over(server, good, Origin="null")[0] == 403
    assert handed_over(server, good, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert handed_over(server, good, **{"Content-Length": str(form.LIMIT_BYTES + 1)})[0] == 413
    assert handed_over(server, good, **{"Content-Length": "-1"})[0] == 411
    assert handed_over(server, {"token": good["token"]})[0] == 400
    assert handed_over(server, {"token": good["token"], "file": ("x.exe", b"MZ")})[0] == 400
    assert handed_over(server, good, **{"Content-Type": "text/plain"})[0] == 400


def test_without_upload_there_is_no_form_and_nothing_is_taken(servers):
    server = servers[0]
    assert "<textarea" not in ask(server, "/questions")[2]
    assert handed_over(server, {"token": ("", server.token.encode()), "text": ("", TABLE)})[0] == 405


def test_what_was_dropped_is_escaped_and_a_citation_in_it_is_not_followed():
    text = b"| <script>alert(1)</script> | images/s |\n|---|---|\n| a | 1200 |\n\nOurs is 2.6x faster <img src=x>.\n"
    answer = answer_of(Given("pasted.md", text))
    page = pages.questions(pages.Site("x", "reviewer", True, "t"), answer)
    assert "<script" not in page
    assert "<img" not in page
    citing = json.dumps(
        {
            "dlaudit": "submission/1",
            "title": "t",
            "claims": {},
            "manifests": {"study": {"path": "manifest.json", "sha256": "0" * 64}},
        }
    )
    assert answer_of(Given("dropped.json", citing.encode())).problem


def test_the_reader_can_write_nothing_and_gives_up_in_time(monkeypatch, tmp_path):
    answer = read_apart(Given("dropped.pdf", b"%PDF-1.4 nothing of the kind"))
    assert answer.problem
    assert not answer.questions
    from dlaudit.audit.serve import reader

    monkeypatch.setattr(reader, "LIMITS", replace(reader.LIMITS, wall_s=0.01))
    assert "cannot be read within" in read_apart(Given("pasted.md", TABLE)).problem


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        (b"a\tb\n1\t2", "tsv"),
        (b"\\begin{tabular}{ll}", "tex"),
        (b"<table><tr>", "html"),
        (b"a,b,c\n1,2,3", "csv"),
        (TABLE, "md"),
    ],
)
def test_the_form_of_a_pasted_text_is_guessed(text, ending):
    assert form.given({"text": ("", text)}).name == f"pasted.{ending}"
    assert form.given({"text": ("", text), "kind": ("", b"csv")}).name == "pasted.csv"
    with pytest.raises(UserError):
        form.given({"text": ("", b"  ")})


def test_a_change_of_level_over_studies_is_found_and_drawn():
    values = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 80.0, 81.0, 79.5, 80.4, 80.2, 79.9]
    points = [
        Point(f"2026-10-{day:02}T00:00:00Z", value, value - 1, value + 1, str(day), None, "node")
        for day, value in enumerate(values, 1)
    ]
    cuts = pages._cuts(points)
    (change,) = pages._changes(points, cuts)
    assert (change.before.date[:10], change.after.date[:10]) == ("2026-10-06", "2026-10-07")
    assert change.new / change.old == pytest.approx(0.8, abs=0.01)
    assert str(pages._course(points, cuts)).count('class="cut"') == 1


def test_two_studies_of_a_folder_make_a_trend_and_a_new_one_is_seen(tmp_path, make, spec_bytes, monkeypatch):
    from dlaudit.audit.serve import server as module

    monkeypatch.setattr(module, "LOOK_AGAIN_S", -1.0)
    make(tmp_path / "one", spec_bytes, None)
    shelf = Shelf(tmp_path, Settings())
    assert {len(points) for points in shelf.library().trends().values()} == {1}
    make(tmp_path / "two", spec_bytes, None, factor=1.1)
    assert {len(points) for points in shelf.library().trends().values()} == {2}
    site = pages.Site("x", "reviewer", False, "t")
    listed = pages.trends(site, shelf.library(), {})
    assert "digits: rate, samples/s" in listed
    page = pages.trends(site, shelf.library(), {"metric": "digits: rate, samples/s"})
    assert "fewer than 6 studies show no change of level" in page
