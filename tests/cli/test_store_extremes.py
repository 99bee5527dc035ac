"""Numbers and JSON at the ends of what can be said to the store's commands: an answer or exit 2, never a crash."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests import peer_store
from tests.conftest import Runner, cell

HUGE = str(2**70)
DEEP = "[" * 60_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    text = f"{cell('DEC-0001', gist='One')}\n{cell('DEC-0002', gist='Two', more='link  causes DEC-0001')}"
    (tmp_path / "project.mneme").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_a_threshold_is_a_finite_number(mneme: Runner, project: Path, value: str) -> None:
    done = mneme("gc", "--threshold", value, "--format", "json")
    assert (done.code, done.out) == (2, ""), project


@pytest.mark.parametrize("command", ["log", "receipt"])
def test_a_limit_larger_than_sqlite_counts(mneme: Runner, project: Path, command: str) -> None:
    mneme("compile")
    mneme("forget", "DEC-0001")
    found = json.loads(mneme(command, "--limit", HUGE, "--format", "json").out)
    assert found == json.loads(mneme(command, "--format", "json", "--limit", "1000").out) or found["count"] == 1, (
        project
    )


def test_a_depth_beyond_the_last_insight_ends_there(mneme: Runner, project: Path) -> None:
    far = mneme("related", "DEC-0002", "--depth", HUGE)
    assert (far.code, far.out) == (0, mneme("related", "DEC-0002", "--depth", "9").out), project


def test_metadata_nested_too_deeply(mneme: Runner, project: Path) -> None:
    before = (project / "project.mneme").read_bytes()
    done = mneme("link", "DEC-0001", "DEC-0002", "--meta", '{"a":' + DEEP)
    assert (done.code, "--meta is not an object of texts" in done.err) == (2, True)
    assert (project / "project.mneme").read_bytes() == before


@pytest.mark.parametrize("said", [DEEP, '{"a":' + DEEP], ids=["list", "object"])
def test_another_programs_json_nested_too_deeply_counts_as_none(mneme: Runner, tmp_path: Path, said: str) -> None:
    peer_store.write(tmp_path / "peer.db", new=True)
    with closing(sqlite3.connect(tmp_path / "peer.db")) as database, database:
        database.execute("UPDATE insights SET tags = ?, entities = ?", (said, said))
        database.execute("UPDATE edges SET metadata = ?", (said,))
    for call in (["recall", "why cache"], ["related", peer_store.A], ["gc"], ["brief"]):
        done = mneme(*call, "--db", "peer.db", "--format", "json")
        assert done.code == 0, (call, done.err)
        json.loads(done.out)
    assert mneme("from-store", "peer.db").code == 0
