"""Files that a process has read are not read again while they are as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mneme.bridge import text
from mneme.bridge.text import Text, remembered
from mneme.workspace import Workspace
from tests.conftest import cell


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(text, "_remembered", {})
    monkeypatch.setattr(text, "_RACY_NS", -1)
    file = tmp_path / "project.mneme"
    file.write_text(cell())
    return file


def digests(path: Path) -> dict[str, str]:
    return Text.read(Workspace.find(path.parent), [path]).digests


def test_digests_are_remembered(path: Path) -> None:
    assert remembered(path.parent, [path]) is None
    assert remembered(path.parent, [path]) is None, "asking is not reading"
    known = digests(path)
    assert remembered(path.parent, [path]) == known
    assert list(known) == ["project.mneme"]
    assert remembered(path.parent, [path, path.with_name("other.mneme")]) is None


def test_a_change_that_keeps_size_and_time_shows(path: Path) -> None:
    before, facts = digests(path), path.stat()
    path.write_text(cell().replace("SQLite", "sqlite"))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert path.stat().st_size == facts.st_size
    assert remembered(path.parent, [path]) is None
    assert digests(path) != before


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.rename(path.with_suffix(".old"))])
def test_a_file_that_went_is_not_remembered(path: Path, change: object) -> None:
    digests(path)
    assert callable(change)
    change(path)
    assert remembered(path.parent, [path]) is None


def test_a_file_written_a_moment_ago_is_read_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a step of the file system's clock, two versions may look the same."""
    monkeypatch.setattr(text, "_RACY_NS", 3_600_000_000_000)
    digests(path)
    assert remembered(path.parent, [path]) is None
