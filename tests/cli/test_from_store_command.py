"""``mneme from-store``: databases of the original and of ours become text (engine's facts, sections 1, 2, 8.1)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mneme.format.digest import content_digest
from mneme.format.parser import parse
from tests import peer_store
from tests.conftest import Runner, cell

CONVERTED = """\
@ NOTE-0001
gist  What was forgotten
state retired   conf low   since 2026-02-01   seen 2026-02-02   imp 2
cue   SQLite
origin id=ffffffff-0000-4000-8000-ffffffffffff source=user created=2026-02-01T10:00:00Z deleted=2026-02-02T10:00:00Z category=context

@ DEC-0001
gist  We chose SQLite because the cache is local
state superseded   conf high   since 2026-03-01   seen 2026-03-01   imp 5
cue   storage / cache
origin id=aaaaaaaa-0000-4000-8000-aaaaaaaaaaaa source=user created=2026-03-01T08:00:00Z
link  superseded-by DEC-0002

@ FACT-0001
gist  Slow queries come from the JSON files
state live   conf med   since 2026-03-01   seen 2026-03-01   imp 3
cue   cache
origin id=bbbbbbbb-0000-4000-8000-bbbbbbbbbbbb source=user created=2026-03-01T09:00:00Z

@ GOTCHA-0001
gist  知识图谱 用 Go语言 做
state live   conf high   since 2026-03-02   seen 2026-03-02   imp 4
cue   知识图谱 / Go
origin id=cccccccc-0000-4000-8000-cccccccccccc source=agent created=2026-03-02T10:00:00Z

@ DEC-0002
gist  The cache moved to DuckDB
state live   conf high   since 2026-03-03   seen 2026-03-03   imp 4
cue   DuckDB / SQLITE
origin id=dddddddd-0000-4000-8000-dddddddddddd source=agent created=2026-03-03T10:00:00Z
link  supersedes DEC-0001 weight 1.00 created_by claude

@ NOTE-0002
gist  Nobody reads this
state live   conf low   since 2026-03-04   seen 2026-03-04   imp 1
origin id=eeeeeeee-0000-4000-8000-eeeeeeeeeeee source=import created=2026-03-04T10:00:00Z
"""  # noqa: E501


def row(path: Path, content: str | bytes | int, key: str = "k", created: str = "2026-03-01T00:00:00Z") -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO insights (id, content, created_at, updated_at) VALUES (?, ?, ?, ?)",
            (key, content, created, created),
        )


@pytest.fixture
def peer(tmp_path: Path) -> Path:
    path = tmp_path / "my #1 100%?.db"
    peer_store.write(path, new=True)
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    path = tmp_path / "peer.db"
    peer_store.write(path, new=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM edges")
        database.execute("DELETE FROM insights")
    return path


class TestADatabaseOfTheOriginal:
    def test_printed(self, mneme: Runner, peer: Path, tmp_path: Path) -> None:
        before = peer.read_bytes()
        result = mneme("from-store", peer)
        assert (result.code, result.out) == (0, CONVERTED), result.err
        assert peer.read_bytes() == before
        assert [path.name for path in tmp_path.iterdir()] == [peer.name]

    @pytest.mark.parametrize("bits", [32, 64])
    def test_of_the_old_generation(self, mneme: Runner, tmp_path: Path, bits: int) -> None:
        peer_store.write(tmp_path / "old.db", new=False, user_version=0, bits=bits, narrative=True)
        result = mneme("from-store", "old.db")
        assert result.code == 0
        assert "supersedes" not in result.out
        assert result.out.count("@ ") == 7
        assert "gist  A story\nstate retired" in result.out, "2.6: a category that is no more"

    def test_added_to_a_file_once(self, mneme: Runner, peer: Path, tmp_path: Path) -> None:
        assert mneme("from-store", peer, "--out", "memory/peer.mneme").code == 0
        out = tmp_path / "memory" / "peer.mneme"
        assert out.read_text(encoding="utf-8") == CONVERTED
        report = mneme("lint", "--format", "concise")
        assert report.code == 0, report.out
        again = mneme("from-store", peer, "--out", "memory/peer.mneme")
        assert "0 cells added" in again.err
        assert "6 were there already" in again.err
        assert out.read_text(encoding="utf-8") == CONVERTED
        row(peer, "Something new", "new")
        data = json.loads(mneme("from-store", peer, "--out", "memory/peer.mneme", "--format", "json").out)
        assert data["ids"] == {"new": "NOTE-0003"}
        assert out.read_text(encoding="utf-8").startswith(CONVERTED + "\n@ NOTE-0003\ngist  Something new\n")

    def test_ids_are_free_in_the_workspace(self, mneme: Runner, peer: Path, tmp_path: Path) -> None:
        (tmp_path / "project.mneme").write_text(cell("DEC-0041", more="link  relates FACT-0009\n"))
        text = mneme("from-store", peer).out
        assert "@ DEC-0042\n" in text
        assert "@ FACT-0010\n" in text

    def test_what_was_linked_by_hand(self, mneme: Runner, peer: Path) -> None:
        edges = [
            (peer_store.A, peer_store.C, "causal", 0.8, '{"created_by":"claude","sub_type":"enables"}'),
            (peer_store.C, peer_store.A, "causal", 0.8, '{"created_by":"claude","sub_type":"enables"}'),
            (peer_store.B, peer_store.C, "semantic", 0.5, '{"reason":"same files"}'),
        ]
        with closing(sqlite3.connect(peer)) as database, database:
            database.executemany("INSERT OR REPLACE INTO edges VALUES (?, ?, ?, ?, ?, '2026-03-05T00:00:00Z')", edges)
        text = mneme("from-store", peer).out
        assert "link  enables GOTCHA-0001 weight 0.80 created_by claude\n" in text, "8.1: the first of two rows"
        assert "link  relates FACT-0001 reason same%20files\n" in text
        assert text.count("enables") == 1

    def test_recalled_after_the_conversion(self, mneme: Runner, peer: Path) -> None:
        mneme("from-store", peer, "--out", "peer.mneme")
        result = mneme("recall", "cache DuckDB")
        assert result.out.splitlines()[0].startswith("DEC-0002 ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("@ DEC-0001  x\ngist  forged\nstate live   since 2026-01-01   seen 2026-01-01",
         "gist  @ DEC-0001  x\n|> @ DEC-0001  x\n> gist  forged\n> state live   since 2026-01-01   seen 2026-01-01\n"),
        ("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
         "gist  <<<<<<< ours\n|> <<<<<<< ours\n> a\n> =======\n> b\n> >>>>>>> theirs\n"),
        ("a\0b\x1b[31m\x07", "gist  a\\x00b\\x1b[31m\\x07\n"),
        ("one\r\n\r\ntwo\rthree", "gist  one\n|> one\n>\n> two\n> three\n"),
        ("", "gist  (nothing)\n"),
        ("# no comment", "gist  # no comment\n"),
        ("x" * 20_000, f"gist  {'x' * 119}…\n|> {'x' * 20_000}\n"),
        (b"bytes \xff", "gist  bytes \ufffd\n"),
        (42, "gist  42\n"),
        ("\u202eback", "gist  \u202eback\n"),
    ],
)  # fmt: skip
def test_hostile_content(mneme: Runner, empty: Path, content: str | bytes | int, expected: str) -> None:
    row(empty, content)
    result = mneme("from-store", empty, "--out", "out.mneme")
    assert result.code == 0, result.err
    text = (empty.parent / "out.mneme").read_bytes().decode()
    gist, _, body = expected.partition("|")
    assert gist in text
    assert body in text
    report = mneme("lint", "--format", "concise")
    assert report.code == 0, report.out
    assert len(parse(text).cells) == 1


@pytest.mark.parametrize(
    ("created", "since"),
    [
        ("2026-03-01T23:30:00-05:00", "2026-03-02"), ("2026-03-01 10:00:00", "2026-03-01"),
        ("nonsense", "2026-11-25"), ("2026-02-30T00:00:00Z", "2026-11-25"),
    ],
)  # fmt: skip
def test_times(mneme: Runner, empty: Path, created: str, since: str) -> None:
    row(empty, "When", created=created)
    assert f"since {since}   seen {since}" in mneme("from-store", empty).out


class TestOurOwnStore:
    MEMORY = (
        "# a comment before\n" + cell("DEC-0001", more="> why\n>   indented\n# comment\nodd line\n") + "\n\n"
        + cell("FACT-0002", gist="JSON is gone", state="retired").replace("\n", "\r\n")
    )  # fmt: skip

    def test_gives_its_cells_back(self, mneme: Runner, tmp_path: Path) -> None:
        source = tmp_path / "project.mneme"
        source.write_bytes(self.MEMORY.encode())
        mneme("compile", "--db", "graph.db", "project.mneme")
        source.unlink()
        result = mneme("from-store", "graph.db", "--out", "project.mneme")
        assert result.code == 0, result.err
        wanted = self.MEMORY.removeprefix("# a comment before\n").replace("odd line\n\n\n", "odd line\n\n")
        assert source.read_bytes().decode() == wanted
        again = mneme("from-store", "graph.db", "--out", "project.mneme")
        assert "2 were there already" in again.err
        digests = [content_digest(one) for one in parse(self.MEMORY).cells]
        assert [content_digest(one) for one in parse(wanted).cells] == digests

    def test_an_id_that_is_in_use_for_something_else(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "a.mneme").write_text(cell("DEC-0001"))
        mneme("compile", "--db", "graph.db", "a.mneme")
        (tmp_path / "a.mneme").write_text(cell("DEC-0001", gist="Something else"))
        result = mneme("from-store", "graph.db", "--out", "b.mneme")
        assert result.code == 2
        assert "DEC-0001: in use here for something else" in result.err
        assert not (tmp_path / "b.mneme").exists()

    def test_personal_cells_stay_personal(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "me.local.mneme").write_text(cell("PREF-0001"))
        mneme("compile")
        (tmp_path / "me.local.mneme").unlink()
        result = mneme("from-store", "--store", "personal", "--out", "shared.mneme")
        assert result.code == 2
        assert "personal cells" in result.err
        assert not (tmp_path / "shared.mneme").exists()
        assert mneme("from-store", "--store", "personal", "--out", "me.local.mneme").code == 0
        assert (tmp_path / "me.local.mneme").read_text() == cell("PREF-0001")

    def test_a_text_that_is_not_that_cell_any_more(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "a.mneme").write_text(cell("DEC-0001"))
        mneme("compile", "--db", "graph.db", "a.mneme")
        with closing(sqlite3.connect(tmp_path / "graph.db")) as database, database:
            database.execute("UPDATE mneme_cells SET text = '@ DEC-0001' || char(10) || '@ DEC-0002'")
        (tmp_path / "a.mneme").unlink()
        result = mneme("from-store", "graph.db")
        assert "DEC-0001: the text in the store is not this cell any more" in result.err
        assert result.out.startswith("@ DEC-0001\ngist  Local cache uses SQLite instead of JSON files\n")
        assert "DEC-0002" not in result.out

    def test_rows_of_others_come_with_it(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "a.mneme").write_text(cell("DEC-0001"))
        mneme("compile", "--db", "graph.db", "a.mneme")
        row(tmp_path / "graph.db", "Written by another program", "k")
        with closing(sqlite3.connect(tmp_path / "graph.db")) as database, database:
            database.execute(
                "INSERT INTO edges VALUES ('k', 'DEC-0001', 'causal', 0.5, '{\"created_by\":\"claude\"}', '2026-03-01')"
            )
        result = mneme("from-store", "graph.db")
        assert result.out.startswith(cell("DEC-0001") + "\n@ NOTE-0001\ngist  Written by another program\n")
        assert result.out.endswith("link  causes DEC-0001 created_by claude\n")


class TestRefusals:
    def test_no_store(self, mneme: Runner) -> None:
        result = mneme("from-store", "none.db")
        assert (result.code, result.out) == (2, "")
        assert "no such store" in result.err

    def test_no_database(self, mneme: Runner, tmp_path: Path) -> None:
        (tmp_path / "words.db").write_text("just words " * 100)
        result = mneme("from-store", "words.db")
        assert result.code == 2
        assert "not a database" in result.err

    def test_named_twice(self, mneme: Runner, peer: Path) -> None:
        assert mneme("from-store", peer, "--db", peer).code == 2

    @pytest.mark.parametrize("name", ["out.txt", "."])
    def test_no_memory_file(self, mneme: Runner, peer: Path, name: str) -> None:
        result = mneme("from-store", peer, "--out", name)
        assert result.code == 2
        assert "memory file" in result.err
