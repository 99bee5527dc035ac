"""Servers for vectors, asked over a real socket: both protocols, keys, proxies, and everything that can go wrong."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

from mneme.graph.embed import web
from mneme.graph.embed.ollama import Ollama
from mneme.graph.embed.openai import OpenAI
from mneme.graph.embed.provider import EmbeddingError, Settings
from mneme.graph.vectors import pack
from tests.embedding import Server, served, vector

TEXTS = ["a car", "电话"]
WANTED = [pack(vector(text)) for text in TEXTS]


@pytest.fixture
def server() -> Iterator[Server]:
    with served() as told:
        yield told


def test_ollama(server: Server) -> None:
    provider = Ollama(Settings(server.endpoint, "m", 0, "a key"))
    assert provider.available()
    assert provider.embed(TEXTS) == WANTED
    assert server.paths == ["GET /api/tags", "POST /api/embed"]
    assert server.seen[1][3] == {"model": "m", "input": TEXTS}
    assert all("Authorization" not in headers for _, _, headers, _ in server.seen)


def test_openai_by_index_whatever_the_order_with_the_key(server: Server) -> None:
    provider = OpenAI(Settings(f"{server.endpoint}/v1", "m", 32, "a key"))
    assert provider.available()
    assert provider.embed(TEXTS) == WANTED
    assert server.paths == ["GET /v1/models", "POST /v1/embeddings"]
    assert server.seen[1][3] == {"model": "m", "input": TEXTS, "dimensions": 32}
    assert [headers.get("Authorization") for _, _, headers, _ in server.seen] == ["Bearer a key"] * 2


def test_without_a_key_none_is_sent(server: Server) -> None:
    assert OpenAI(Settings(f"{server.endpoint}/v1")).available()
    assert "Authorization" not in server.seen[0][2]


@pytest.mark.parametrize("status", [404, 405, 501])
def test_who_has_no_list_of_models_is_asked_for_a_vector(server: Server, status: int) -> None:
    server.answers["/v1/models"] = status, ""
    assert OpenAI(Settings(f"{server.endpoint}/v1")).available()
    assert server.paths == ["GET /v1/models", "POST /v1/embeddings"]
    server.answers["/v1/embeddings"] = 404, "no such model"
    assert not OpenAI(Settings(f"{server.endpoint}/v1")).available()


@pytest.mark.parametrize("status", [401, 403, 500])
def test_who_refuses_is_not_available(server: Server, status: int) -> None:
    server.answers = {"/v1/models": (status, ""), "/api/tags": (status, "")}
    assert not OpenAI(Settings(f"{server.endpoint}/v1")).available()
    assert not Ollama(Settings(server.endpoint)).available()
    assert server.paths == ["GET /v1/models", "GET /api/tags"]


ANSWERS = [
    (404, "model not found", "answered 404: model not found"),
    (200, "<html>", "not JSON"),
    (200, "[]", "did not answer with 2 vectors"),
    (200, "{}", "did not answer with 2 vectors"),
    (200, '{"embeddings": [[1, 2]], "data": [{"embedding": [1, 2]}]}', "did not answer with 2 vectors"),
    (200, '{"embeddings": [[1], [1, 2]], "data": [{"embedding": [1]}, {"embedding": [1, 2]}]}', "of one dimension"),
    (200, '{"embeddings": [[], []], "data": [{"embedding": []}, {"embedding": []}]}', "of one dimension"),
    (200, '{"embeddings": [["a"], ["b"]], "data": [{"embedding": "a"}, {"embedding": "b"}]}', "of one dimension"),
    (200, '{"embeddings": [[NaN], [1]], "data": [{"embedding": [NaN]}, {"embedding": [1]}]}', "of one dimension"),
    (200, '{"embeddings": [null, null], "data": [1, 2]}', "did not answer with 2 vectors"),
]


@pytest.mark.parametrize(("status", "body", "said"), ANSWERS)
def test_what_is_no_answer_says_so(server: Server, status: int, body: str, said: str) -> None:
    server.answers = dict.fromkeys(("/api/embed", "/v1/embeddings"), (status, body))
    for provider in (Ollama(Settings(server.endpoint)), OpenAI(Settings(f"{server.endpoint}/v1", key="a key"))):
        with pytest.raises(EmbeddingError, match=said) as caught:
            provider.embed(TEXTS)
        assert "a key" not in str(caught.value)


def test_nothing_is_asked_for_nothing(server: Server) -> None:
    assert Ollama(Settings(server.endpoint)).embed([]) == []
    assert OpenAI(Settings(server.endpoint)).embed([]) == []
    assert server.seen == []


def test_proxies_and_netrc_of_the_environment_are_ignored(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert Ollama(Settings(server.endpoint)).embed(TEXTS) == WANTED


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:1", "http://[::1", "nonsense", "ftp://h", "http://"])
def test_who_is_not_there_is_not_available(endpoint: str) -> None:
    assert not Ollama(Settings(endpoint)).available()
    assert not OpenAI(Settings(endpoint)).available()
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        Ollama(Settings(endpoint)).embed(TEXTS)


def test_who_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "PROBE_SECONDS", 0.05)
    monkeypatch.setattr(web, "ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection, says nothing
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert not Ollama(Settings(endpoint)).available()
        with pytest.raises(EmbeddingError, match="did not answer in time"):
            Ollama(Settings(endpoint)).embed(TEXTS)


def test_time_limits_are_the_originals() -> None:
    with web.client(True, {}) as probing, web.client(False, {}) as asking:
        assert probing.timeout == httpx.Timeout(2.0)
        assert asking.timeout == httpx.Timeout(30.0, connect=5.0)
