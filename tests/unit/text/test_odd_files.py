"""What is no regular file is refused at once, not read for ever."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mneme.errors import UnreadableFile
from mneme.text import cachefile
from mneme.text.source import read_source
from tests.conftest import Runner, cell


def test_a_pipe_a_socket_and_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.mneme")
    (tmp_path / "zero.mneme").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.mneme")
        for name, kind in (("pipe", "a pipe"), ("zero", "a device"), ("socket", "a socket")):
            with pytest.raises(UnreadableFile, match=f"{name}.mneme: {kind}, not a file"):
                read_source(Path(f"{name}.mneme"))


def test_a_workspace_with_odd_files_is_still_read(mneme: Runner, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mneme")
    (tmp_path / "a.mneme").write_text(cell())
    result = mneme("spine")
    assert (result.code, result.out.split()[0]) == (2, "DEC-0001")
    assert "pipe.mneme: a pipe, not a file" in result.err


def test_the_shells_own_pipe_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        stream.write(cell())
    try:
        assert read_source(Path(f"/dev/fd/{reading}")).text == cell()
    finally:
        os.close(reading)


def test_a_pipe_in_the_place_of_a_cache_file_is_no_cache(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cache")
    assert cachefile.read(tmp_path / "cache") == b""
    cachefile.write(tmp_path / "cache", b"new")
    assert cachefile.read(tmp_path / "cache") == b"new"
    os.mkfifo(tmp_path / f".cache.{os.getpid()}.tmp")
    cachefile.write(tmp_path / "cache", b"newer")
    assert cachefile.read(tmp_path / "cache") == b"new", "what cannot be written is left"
