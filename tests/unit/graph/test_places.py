"""Where stores lie and which one is meant (facts 2.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mneme.errors import MnemeError, UsageError
from mneme.graph.places import Places, base_folder, valid
from mneme.graph.store import NoSuchStore, open_store, read, set_aside
from tests import peer_store

NAMES = [
    ("a", True), ("Z", True), ("0", True), ("work-2026_b", True), ("a" * 200, True), ("", False), ("-a", False),
    ("_a", False), ("a.b", False), ("a/b", False), ("..", False), ("a b", False), ("é", False), ("a\n", False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "allowed"), NAMES)
def test_names_of_stores_2_7(tmp_path: Path, name: str, allowed: bool) -> None:
    assert valid(name) == allowed
    if allowed:
        assert Places(tmp_path).path(name) == tmp_path / "data" / name / "mnemon.db"
    else:
        with pytest.raises(UsageError, match="no name for a store"):
            Places(tmp_path).path(name)


BASES = [
    ("flag", {"MNEMON_DATA_DIR": "env"}, "flag"),
    ("", {"MNEMON_DATA_DIR": "env"}, "env"),
    ("", {"MNEMON_DATA_DIR": ""}, "work/.mnemon"),
    ("", {}, "work/.mnemon"),
]


@pytest.mark.parametrize(("named", "environ", "base"), BASES)
def test_the_base_2_7(named: str, environ: dict[str, str], base: str) -> None:
    assert base_folder(named, environ, Path("work")) == Path(base)


def test_a_base_in_the_home_folder_2_7() -> None:
    assert base_folder("~/memory", {}, Path()) == Path.home() / "memory"


STORES = [
    ("flag", {"MNEMON_STORE": "env"}, b"active\n", "flag"),
    ("", {"MNEMON_STORE": "env"}, b"active\n", "env"),
    ("", {"MNEMON_STORE": ""}, b"active\n", "active"),
    ("", {}, b"active", "active"),
    ("", {}, b"", "default"),
    ("", {}, b"no name\n", "default"),
    ("", {}, b"../..\n", "default"),
    ("", {}, b"\xff\xfe", "default"),
    ("", {}, None, "default"),
]


@pytest.mark.parametrize(("named", "environ", "active", "chosen"), STORES)
def test_which_store_is_meant_2_7(
    tmp_path: Path, named: str, environ: dict[str, str], active: bytes | None, chosen: str
) -> None:
    if active is not None:
        (tmp_path / "active").write_bytes(active)
    assert Places(tmp_path).chosen(named, environ) == chosen


@pytest.mark.parametrize(("named", "environ"), [("../x", {}), ("", {"MNEMON_STORE": "a b"})])
def test_what_is_named_must_be_a_name(tmp_path: Path, named: str, environ: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Places(tmp_path).chosen(named, environ)


def test_stores_are_made_listed_chosen_and_removed(tmp_path: Path) -> None:
    places = Places(tmp_path)
    assert places.names() == []
    for name in ("work", "default"):
        open_store(places.new(name)).close()
    (tmp_path / "data" / "not a store").mkdir()
    (tmp_path / "data" / "a-file").touch()
    assert places.names() == ["default", "work"]
    with pytest.raises(UsageError, match="exists already"):
        places.new("work")
    with pytest.raises(UsageError, match="no store is called none") as caught:
        places.set_active("none")
    assert "store create none" in caught.value.hint
    places.set_active("work")
    assert (tmp_path / "active").read_bytes() == b"work\n"
    with pytest.raises(UsageError, match="active"):
        places.remove("work")
    places.remove("default")
    assert places.names() == ["work"]
    with pytest.raises(UsageError, match="no store is called default"):
        places.remove("default")


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    open_store(Places(tmp_path).path("work")).close()
    (tmp_path / "active").mkdir()
    with pytest.raises(MnemeError, match="active: "):
        Places(tmp_path).set_active("work")


def test_the_store_of_old_moves_2_6(tmp_path: Path) -> None:
    peer_store.write(tmp_path / "mnemon.db", new=False)
    for side in ("-wal", "-shm"):
        (tmp_path / f"mnemon.db{side}").touch()
    places = Places(tmp_path)
    assert places.move_legacy() == places.path("default")
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "mnemon.db", "mnemon.db-shm", "mnemon.db-wal",
    ]  # fmt: skip
    assert len(read(places.path("default"), lambda reader: reader.insights())) == len(peer_store.ROWS)
    assert places.move_legacy() is None


def test_the_store_of_old_stays_where_there_is_another_2_6(tmp_path: Path) -> None:
    places = Places(tmp_path)
    assert places.move_legacy() is None
    open_store(places.path("default")).close()
    peer_store.write(tmp_path / "mnemon.db", new=False)
    assert places.move_legacy() is None
    assert (tmp_path / "mnemon.db").exists()


def test_a_move_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    peer_store.write(tmp_path / "mnemon.db", new=False)
    places = Places(tmp_path)
    places.path("default").parent.mkdir(parents=True)
    places.path("default").with_name("mnemon.db-wal").touch()
    assert places.move_legacy() == places.path("default")


def test_a_damaged_store_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "mnemon.db"
    for number in (1, 2):
        path.write_text(f"damaged {number}")
        path.with_name("mnemon.db-wal").write_text(f"log {number}")
        path.with_name("mnemon.db-shm").touch()
        set_aside(path)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "mnemon.db.corrupt": "damaged 1", "mnemon.db.corrupt-wal": "log 1",
        "mnemon.db.corrupt-2": "damaged 2", "mnemon.db.corrupt-2-wal": "log 2",
    }  # fmt: skip
    with pytest.raises(NoSuchStore):
        set_aside(path)
