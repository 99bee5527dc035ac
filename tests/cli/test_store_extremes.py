"""Numbers and JSON at the ends of what can be said to the store's commands: an answer or exit 2, never a crash."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
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


def made(path: Path) -> bool:
    """Make a folder; False where the file system takes names of Unicode alone."""
    try:
        path.mkdir()
    except OSError:
        if sys.platform == "linux":
            raise
    return path.is_dir()


def run(folder: Path, *call: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "mneme", *call], cwd=folder, capture_output=True, check=False)


def test_a_folder_whose_name_is_no_utf8(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9 \xff"))
    if made(folder):
        (folder / "project.mneme").write_text(cell("DEC-0001", gist="Sessions end at noon"), encoding="utf-8")
        for call in (["compile"], ["remember", "Tokens live an hour"], ["compile", "--check"], ["recall", "tokens"]):
            done = run(folder, *call)
            assert done.returncode == 0, done.stderr
        assert b"Tokens live an hour" in done.stdout


def test_a_file_whose_name_is_no_utf8_is_refused_and_the_others_are_recalled(project: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(project) + b"/\xff"))
    if made(folder):
        (folder / "more.mneme").write_text(cell("DEC-0003", gist="Three"), encoding="utf-8")
        done = run(project, "compile")
        assert (done.returncode, b"it is no UTF-8" in done.stderr + done.stdout) == (2, True), done.stderr
        found = run(project, "recall", "two")
        assert (found.returncode, b"DEC-0002" in found.stdout) == (2, True), "as with any file that cannot be read"
