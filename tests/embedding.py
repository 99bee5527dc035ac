"""Vectors without a model: every word has a direction of its own, and a few words of two languages share one."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from mneme.graph.embed.provider import EmbeddingError
from mneme.graph.vectors import pack

DIMENSION = 32
SAME = {"car": "vehicle", "automobile": "vehicle", "汽车": "vehicle", "phone": "handset", "电话": "handset"}


def vector(text: str) -> list[float]:
    """Return the sum of the directions of the words of ``text``."""
    numbers = [0.0] * DIMENSION
    for word in text.lower().replace(",", " ").split():
        digest = hashlib.sha256(SAME.get(word, word).encode()).digest()
        numbers = [number + (byte - 127.5) / 127.5 for number, byte in zip(numbers, digest, strict=True)]
    return numbers


@dataclass
class Fake:
    """A provider that counts what it is asked, and fails when it is told to."""

    model: str = "words-1"
    kind: str = "package"
    up: bool = True
    fails_after: int = 10**6
    asked: list[str] = field(default_factory=list)

    def available(self) -> bool:
        return self.up

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if len(self.asked) >= self.fails_after:
            raise EmbeddingError("the words ran out")
        self.asked += texts
        return [pack(vector(text)) for text in texts]


@dataclass
class Server:
    """A real server on this machine. ``answers`` are what it says instead, by path: status and body."""

    endpoint: str = ""
    answers: dict[str, tuple[int, str]] = field(default_factory=dict)
    seen: list[tuple[str, str, Mapping[str, str], Any]] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [f"{method} {path}" for method, path, _, _ in self.seen]


@contextmanager
def served() -> Iterator[Server]:
    """Run a server that speaks both protocols, Ollama's and OpenAI's."""
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({"models": []})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            vectors = [vector(text) for text in body["input"]]
            rows = [{"index": place, "embedding": numbers} for place, numbers in enumerate(vectors)]
            self._answer({"embeddings": vectors} if self.path == "/api/embed" else {"data": rows[::-1]}, body)

        def _answer(self, value: Any, body: Any = None) -> None:
            told.seen.append((self.command, self.path, dict(self.headers), body))
            status, text = told.answers.get(self.path, (200, json.dumps(value)))
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    told.endpoint = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
