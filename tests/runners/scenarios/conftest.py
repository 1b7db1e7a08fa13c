"""A small service for the tests of scenarios."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

SLOW_S = 0.1


class Handler(BaseHTTPRequestHandler):
    """Answers a prompt with itself; `.` is slow, `!` refuses, `~` streams by token, `-` ends a stream too early."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        prompt = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["prompt"]
        if prompt.startswith("!"):
            self.send_error(503)
        elif prompt.startswith(("~", "-")):
            self.stream(prompt)
        else:
            time.sleep(SLOW_S if prompt.startswith(".") else 0.0)
            usage = {"prompt_tokens": 3, "completion_tokens": 2}
            data = json.dumps({"choices": [{"text": prompt}], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def stream(self, prompt):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for letter in ["", *prompt]:
            self.wfile.write(f"data: {json.dumps({'choices': [{'text': letter}]})}\n\n".encode())
            self.wfile.flush()
        if prompt.startswith("~"):
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


@pytest.fixture(scope="session")
def service():
    """Return the URL of the service."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/completions"
    server.shutdown()
