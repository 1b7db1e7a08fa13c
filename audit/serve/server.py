"""The server: the standard library's, on the loopback interface, read-only but for the form of questions.

Defences, each at one place: an address is looked up in dictionaries and never becomes a path; the Host header must name
this server, so that no other site's name leads here; a form must come from a page of this server (its token, and what
the browser says of its origin); bodies, times and connections are bounded; a policy lets pages run nothing and load
nothing but their own style.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import sys
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import AF_INET6
from time import monotonic
from urllib.parse import parse_qsl, unquote, urlsplit

from ...schemas.errors import UserError
from ..lint.settings import Settings
from . import form, pages
from .library import Library, fingerprint, read_library
from .reader import read_apart

TIMEOUT_S = 30
LOOK_AGAIN_S = 2.0
MOST_CONNECTIONS = 32
MOST_READERS = 2
LONGEST_ADDRESS = 4_000
POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of a full report, which says in its head which one style it holds."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Shelf:
    """The library, read anew where the folder changed."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Take a folder; it is read when a page first asks."""
        self._folder, self._settings = folder, settings
        self._lock = threading.Lock()
        self._looked, self._mark = float("-inf"), ""
        self._library = Library({}, {}, "")

    def library(self) -> Library:
        """Return what the folder holds now."""
        with self._lock:
            if monotonic() - self._looked > LOOK_AGAIN_S:
                mark = fingerprint(self._folder)
                if mark != self._mark:
                    self._library = read_library(self._folder, self._settings)
                    self._mark = mark
                self._looked = monotonic()
            return self._library


class Server(ThreadingHTTPServer):
    """A server that answers a bounded number of connections at once."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, host: str, port: int, shelf: Shelf, folder: str, profile: str, upload: bool) -> None:
        """Listen on a host and a port; port 0 takes a free one."""
        if ":" in host:
            self.address_family = AF_INET6
        self.shelf, self.upload, self.secret = shelf, upload, secrets.token_bytes(32)
        self.token = hmac.new(self.secret, b"questions", "sha256").hexdigest()
        self.site = pages.Site(folder, profile, upload, self.token)
        self.places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self.readers = threading.BoundedSemaphore(MOST_READERS)
        super().__init__((host, port), Handler)
        shown = f"[{host}]" if ":" in host else host
        port = self.server_address[1]
        self.address = f"http://{shown}:{port}"
        self.names = {f"{name}:{port}" for name in (shown, *(("localhost",) if is_loopback(host) else ()))}

    def process_request(self, request: object, client_address: object) -> None:
        """Take a connection, or close it where there are too many."""
        if not self.places.acquire(blocking=False):
            self.shutdown_request(request)  # type: ignore[arg-type]
            return
        super().process_request(request, client_address)  # type: ignore[arg-type]

    def process_request_thread(self, request: object, client_address: object) -> None:
        """Answer a connection and give its place back."""
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type]
        finally:
            self.places.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Tell nothing of a connection that broke; a defect is told by the handler."""


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Refused(Exception):
    """A request that is not answered: status and words."""

    def __init__(self, status: int, words: str) -> None:
        """Take a status and what the page says."""
        self.status, self.words = status, words
        super().__init__(words)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    timeout = TIMEOUT_S
    server_version, sys_version = "dlaudit", ""
    protocol_version = "HTTP/1.0"

    def log_message(self, format: str, *args: object) -> None:
        """Keep no log: an address may hold what somebody searched for."""

    def do_GET(self) -> None:
        """Answer with a page."""
        self._answer(self._page)

    def do_HEAD(self) -> None:
        """Answer with the head of a page."""
        self._answer(self._page, body=False)

    def do_POST(self) -> None:
        """Answer a form with questions."""
        self._answer(self._form)

    def _answer(self, make: Callable[[], tuple[str, str]], *, body: bool = True) -> None:
        status, kind = 200, "text/html"
        try:
            self._check_host()
            kind, text = make()
        except pages.NotThere:
            status, text = 404, pages.failure(self.server.site, "Not there", "There is no such page here.")
        except Refused as refused:
            status, text = refused.status, pages.failure(self.server.site, "Refused", refused.words)
        except UserError as error:
            status, text = 400, pages.questions(self.server.site, problem=f"{error.what}; {error.todo}".rstrip("; "))
        except (ConnectionError, TimeoutError):
            return
        except Exception as error:
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            line = f"{place.tb_frame.f_globals.get('__name__')}:{place.tb_lineno}" if place is not None else "?"
            sys.stderr.write(f"dlaudit: a page could not be made ({type(error).__name__} at {line})\n")
            status, text = 500, pages.failure(self.server.site, "A defect", "This page could not be made.")
        data = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        policy = REPORT_POLICY if self.path.startswith("/report/") and status == 200 else POLICY
        for name, value in {"Content-Security-Policy": policy, **HEADERS}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _check_host(self) -> None:
        """Refuse a request that was meant for another name: a site elsewhere may have made its name lead here."""
        if self.headers.get("Host", "").lower() not in self.server.names:
            raise Refused(421, "This server answers to its own address alone.")

    def _page(self) -> tuple[str, str]:
        if len(self.path) > LONGEST_ADDRESS:
            raise Refused(414, "This address is too long.")
        address = urlsplit(self.path)
        steps = [unquote(step) for step in address.path.split("/")[1:]]
        query = dict(parse_qsl(address.query, max_num_fields=20))
        if steps == ["style.css"]:
            return "text/css", pages.style()
        return "text/html", self._made(steps, query)

    def _made(self, steps: list[str], query: dict[str, str]) -> str:
        site = self.server.site
        if steps == ["questions"]:
            return pages.questions(site)
        library = self.server.shelf.library()
        made: dict[tuple[str, int], Callable[..., str]] = {
            ("", 0): partial(pages.index, site, library, query),
            ("trends", 0): partial(pages.trends, site, library, query),
            ("document", 1): partial(pages.document, site, library),
            ("report", 1): partial(pages.report, library),
            ("comparison", 1): partial(pages.comparison, site, library),
            ("claim", 2): partial(pages.claim, site, library),
            ("trial", 3): partial(pages.trial, site, library, query=query),
        }
        page = made.get((steps[0], len(steps) - 1))
        if page is None:
            raise pages.NotThere
        return page(*steps[1:])

    def _form(self) -> tuple[str, str]:
        if not self.server.upload or urlsplit(self.path).path != "/questions":
            raise Refused(405, "Uploads are off; dlaudit serve --upload allows them.")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or len(length) > 12:
            raise Refused(411, "The form does not say how long it is.")
        if int(length) > form.LIMIT_BYTES:
            raise Refused(413, f"This is larger than {form.LIMIT_BYTES >> 20} MiB.")
        self._check_origin()
        found = form.fields(self.headers.get("Content-Type", ""), self.rfile.read(int(length)))
        token = found.get("token", ("", b""))[1]
        if not hmac.compare_digest(token, self.server.token.encode()):
            raise Refused(403, "This form has expired; load the page again.")
        given = form.given(found)
        if not self.server.readers.acquire(blocking=False):
            raise Refused(503, "Two documents are being read already; try again in a minute.")
        try:
            answer = read_apart(given)
        finally:
            self.server.readers.release()
        return "text/html", pages.questions(self.server.site, answer)

    def _check_origin(self) -> None:
        """Refuse a form that a page of another site sends."""
        origin = self.headers.get("Origin")
        allowed = {f"http://{name}" for name in self.server.names}
        site = self.headers.get("Sec-Fetch-Site", "same-origin")
        if (origin is not None and origin.lower() not in allowed) or site not in ("same-origin", "none"):
            raise Refused(403, "This form comes from another site.")
