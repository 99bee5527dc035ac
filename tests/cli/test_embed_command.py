"""``mneme embed``, and what compile and recall make of vectors: by a server that runs here, and without one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mneme import Memory
from tests.conftest import Runner
from tests.embedding import DIMENSION, Server, served

CELL = """\
@ FACT-{number:04d}  ops/fleet
gist  {gist}
state live   conf high   since 2026-11-05   seen 2026-11-22
cue   fleet
"""

GISTS = ("vehicle oil", "handset battery", "trains run late", "ships sail north", "planes land at noon", "maps age")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with served() as told:
        monkeypatch.delenv("MNEME_EMBED")
        monkeypatch.setenv("MNEMON_EMBED_ENDPOINT", told.endpoint)
        monkeypatch.setenv("MNEMON_EMBED_MODEL", "words")
        yield told


@pytest.fixture(autouse=True)
def memory(tmp_path: Path) -> Path:
    (tmp_path / "mneme.toml").touch()
    text = "\n".join(CELL.format(number=number, gist=gist) for number, gist in enumerate(GISTS, 1))
    (tmp_path / "notes.mneme").write_text(text, "utf-8")
    return tmp_path


def said(mneme: Runner, *arguments: str, code: int = 0) -> Any:
    result = mneme(*arguments)
    assert result.code == code, result.err
    return json.loads(result.out)


def test_status_has_the_originals_keys(mneme: Runner, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    mneme("compile")
    assert said(mneme, "embed", "--status") == {
        "total_insights": 6, "embedded": 6, "coverage": "100%", "ollama_available": True, "embedding_available": True,
        "model": "words", "protocol": "ollama", "stored_model": "words", "dimension": DIMENSION,
    }  # fmt: skip
    monkeypatch.setenv("MNEMON_EMBED_ENDPOINT", "http://127.0.0.1:1/v1")
    away = said(mneme, "embed", "--status")
    assert (away["ollama_available"], away["embedding_available"], away["protocol"]) == (False, False, "openai")
    monkeypatch.setenv("MNEME_EMBED", "off")
    assert said(mneme, "embed", "--status")["embedding_available"] is False


def test_status_before_there_is_a_store(mneme: Runner, server: Server) -> None:
    assert said(mneme, "embed", "--status")["total_insights"] == 0
    assert mneme("embed", "--status", "--db", "none.db").code == 2


def test_compile_embeds_what_came_and_says_nothing_when_there_is_nobody(
    mneme: Runner, server: Server, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMON_EMBED_ENDPOINT", "http://127.0.0.1:1")
    result = mneme("compile")
    assert (result.code, result.err.count("\n")) == (0, 1)
    monkeypatch.setenv("MNEMON_EMBED_ENDPOINT", server.endpoint)
    mneme("compile")
    assert said(mneme, "embed", "--status")["embedded"] == 6
    asked = len(server.seen)
    mneme("compile")
    mneme("compile", "--check")
    assert len(server.seen) == asked  # nothing to embed, so nobody is probed


def test_all_and_one(mneme: Runner, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEME_EMBED", "off")
    mneme("compile")
    monkeypatch.delenv("MNEME_EMBED")
    assert said(mneme, "embed", "FACT-0003") == {
        "status": "embedded", "id": "FACT-0003", "dimension": DIMENSION, "model": "words"
    }  # fmt: skip
    assert said(mneme, "embed", "--all") == {
        "status": "backfill_complete", "succeeded": 5, "failed": 0, "model": "words"
    }  # fmt: skip
    assert said(mneme, "embed", "--all")["status"] == "complete"
    assert said(mneme, "embed", "FACT-0003")["status"] == "embedded"


def test_a_server_that_fails_is_said(mneme: Runner, server: Server) -> None:
    server.answers["/api/embed"] = 404, "model not found"
    assert mneme("compile").code == 0
    assert said(mneme, "embed", "--all", code=1)["failed"] == 6
    result = mneme("embed", "FACT-0001")
    assert (result.code, "answered 404: model not found" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "one of ID, --all and --status"),
        (("FACT-0001", "--all"), "one of ID, --all and --status"),
        (("FACT-0099",), "FACT-0099 not found"),
    ],
)
def test_what_cannot_be_done(mneme: Runner, server: Server, arguments: tuple[str, ...], why: str) -> None:
    mneme("compile")
    result = mneme("embed", *arguments)
    assert (result.code, result.out) == (2, "")
    assert why in result.err


@pytest.mark.parametrize(
    ("variables", "why"),
    [({"MNEME_EMBED": "off"}, "no model for vectors"), ({"MNEMON_EMBED_ENDPOINT": "http://127.0.0.1:1"}, "not answer")],
)
def test_nobody_to_ask(
    mneme: Runner, server: Server, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], why: str
) -> None:
    mneme("compile")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for arguments in ("--all", "FACT-0001"):
        result = mneme("embed", arguments)
        assert (result.code, result.out) == (2, "")
        assert why in result.err


def test_recall_finds_other_words_and_says_how(mneme: Runner, server: Server, memory: Path) -> None:
    without = mneme("recall", "automobile oil", "--format", "json", "--min-confidence", "0")
    assert [hit["matched_words"] for hit in json.loads(without.out)["results"]] == [["oil"]]
    mneme("compile")
    for question in ("电话", "phone"):
        first = said(mneme, "recall", question, "--format", "json")["results"][0]
        assert first["id"] == "FACT-0002"
        assert first["matched_words"] == []
        assert first["matched_via"] == "vector"


def test_the_api_uses_vectors_too(mneme: Runner, server: Server, memory: Path) -> None:
    mneme("compile")
    asking = Memory(memory, environ=os.environ, today=date(2026, 11, 25))
    assert asking.recall("电话").answer.hits[0].id == "FACT-0002"


def test_without_the_server_recall_goes_by_words(
    mneme: Runner, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mneme("compile")
    monkeypatch.setenv("MNEMON_EMBED_ENDPOINT", "http://127.0.0.1:1")
    result = mneme("recall", "trains late", "--format", "json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["results"][0]["id"] == "FACT-0003"


def test_the_engines_arithmetic_has_vectors_too(mneme: Runner, server: Server) -> None:
    mneme("compile")
    found = said(mneme, "recall", "电话", "--ranker", "magma", "--verbose")["results"]
    best = max(found, key=lambda hit: hit["signals"]["similarity"])
    assert best["insight"]["id"] == "FACT-0002"
