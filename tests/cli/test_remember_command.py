"""``mneme remember``: a text becomes a cell, and is compiled (engine's facts, 1.4, 3, 8.12)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mneme.format.parser import parse
from mneme.graph.model import Insight
from mneme.graph.store import StoreBusy, open_store
from tests import peer_store
from tests.conftest import TODAY, Result, Runner, cell

KEYS = [
    "id", "content", "category", "importance", "tags", "entities", "action", "diff_suggestion", "created_at",
    "edges_created", "semantic_candidates", "causal_candidates", "embedded", "effective_importance", "auto_pruned",
    "auto_pruned_ids",
]  # fmt: skip
"""Of a receipt (3.10), in order."""

OURS = ["path", "line", "state", "personal", "resembles", "notes"]

CHINESE = "cue   缓存使用 / SQLite / 并发写入 / 丢数据"

LONG = "We keep the queue in one table. " + "It is read by many workers at once, and each takes a row. " * 3


@pytest.fixture(autouse=True)
def _somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEME_USER", "t")


@pytest.fixture
def remember(mneme: Runner) -> Callable[..., dict[str, Any]]:
    """Remember something and return the receipt."""

    def runner(*arguments: str | Path) -> dict[str, Any]:
        done = mneme("remember", *arguments, "--format", "json")
        assert done.code == 0, done.err
        found = json.loads(done.out)
        assert isinstance(found, dict)
        return found

    return runner


Remember = Callable[..., dict[str, Any]]


def stored(folder: Path, cell_id: str, store: str = "default") -> tuple[Any, ...]:
    with closing(sqlite3.connect(folder / ".mnemon" / "data" / store / "mnemon.db")) as connection:
        return tuple(
            connection.execute("SELECT content, category, importance, source FROM insights WHERE id = ?", (cell_id,))
        )


class TestTheCell:
    def test_one_line_is_the_gist(self, tmp_path: Path, mneme: Runner) -> None:
        done = mneme(
            "remember", "Sessions", "end after 30 minutes", "--cat", "decision", "--imp", "4", "--tags",
            "auth, user sessions,", "--entities", "JWT,Token Store", "--topic", "auth/sessions", "--cue", "log out",
            "--source", "stand up",
        )  # fmt: skip
        assert done == Result(0, "DEC-0001 added: project.mneme:1\n", "")
        assert (tmp_path / "project.mneme").read_text() == (
            "@ DEC-0001  auth/sessions\n"
            "gist  Sessions end after 30 minutes\n"
            f"state live   conf med   since {TODAY}   seen {TODAY}   imp 4\n"
            "cue   auth / user sessions / log out\n"
            "origin user=t source=stand%20up entity=JWT entity=Token%20Store\n"
        )
        assert mneme("lint").code == 0
        assert mneme("compile", "--check").code == 0

    def test_a_longer_text_is_the_body(self, tmp_path: Path, remember: Remember) -> None:
        text = f"{LONG.strip()}\n\n  indented, with `code`\n"
        receipt = remember(text, "--cat", "fact")
        (read,) = parse((tmp_path / "project.mneme").read_text()).cells
        assert read.gist == "We keep the queue in one table."
        assert read.body_text == receipt["content"] == text.rstrip("\n")
        assert stored(tmp_path, "FACT-0001") == ((f"{read.gist}\n{read.body_text}", "fact", 3, "user"),)

    @pytest.mark.parametrize(
        ("category", "prefix", "origin"),
        [
            ("decision", "DEC", ""), ("preference", "PREF", ""), ("fact", "FACT", ""), ("insight", "GOTCHA", ""),
            ("general", "NOTE", ""), ("context", "NOTE", " category=context"),
        ],
    )  # fmt: skip
    def test_the_category_survives(
        self, category: str, prefix: str, origin: str, tmp_path: Path, remember: Remember
    ) -> None:
        """1.1: each category comes out as it went in."""
        receipt = remember("A thought", "--cat", category, "--tags", "a")
        assert receipt["id"] == f"{prefix}-0001"
        assert f"origin user=t{origin}\n" in (tmp_path / "project.mneme").read_text()
        assert receipt["category"] == stored(tmp_path, receipt["id"])[0][1] == category

    def test_a_project_has_prefixes_of_its_own(self, tmp_path: Path, remember: Remember) -> None:
        (tmp_path / "mneme.toml").write_text(
            '[prefixes]\nCTX = { category = "context" }\nFACT = { category = "insight" }\n'
        )
        assert remember("Where we stand", "--cat", "context")["id"] == "CTX-0001"
        assert remember("A fact", "--cat", "fact")["category"] == "fact"
        assert "category=fact" in (tmp_path / "project.mneme").read_text()

    def test_cues_are_derived_where_none_are_given(self, tmp_path: Path, mneme: Runner) -> None:
        mneme("remember", "SQLite keeps the queue because files lost concurrent writes")
        mneme("remember", "缓存使用SQLite，因为并发写入会丢数据")
        lines = [line for line in (tmp_path / "project.mneme").read_text().splitlines() if line.startswith("cue")]
        assert lines == [
            "cue   SQLite / keeps / concurrent / writes",
            "cue   缓存使用 / SQLite / 并发写入 / 丢数据",
        ]

    @pytest.mark.parametrize(
        ("mode", "entities"),
        [("merge", ["Page Store", "storage", "SQLite"]), ("provided", ["Page Store"]), ("auto", ["SQLite"])],
    )
    def test_entity_modes(self, mode: str, entities: list[str], remember: Remember) -> None:
        """4.4: joined, as given, as found."""
        receipt = remember(
            "SQLite keeps it", "--tags", "storage", "--entities", "Page Store", "--entity-mode", mode
        )  # fmt: skip
        assert receipt["entities"] == entities

    def test_a_tag_that_is_no_cue_is_a_tag_all_the_same(self, tmp_path: Path, remember: Remember) -> None:
        receipt = remember("A thought", "--tags", "either / or,plain")
        assert receipt["tags"] == ["either / or", "plain"]
        assert "tag=either%20/%20or" in (tmp_path / "project.mneme").read_text()

    def test_who_writes(self, tmp_path: Path, remember: Remember, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CLAUDECODE", "1")
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "7 f")
        assert remember("A thought", "--tags", "a")["state"] == "live"
        assert "origin agent=claude-code user=t session=7%20f\n" in (tmp_path / "project.mneme").read_text()
        assert stored(tmp_path, "NOTE-0001")[0][3] == "agent"
        (tmp_path / "mneme.toml").write_text('agent-state = "proposed"\n')
        assert remember("Another", "--tags", "b", "--source", "user")["state"] == "proposed"
        assert stored(tmp_path, "NOTE-0002")[0][3] == "user"
        monkeypatch.delenv("CLAUDECODE")
        monkeypatch.setenv("MNEME_AGENT", "house agent")
        monkeypatch.setenv("MNEME_USER", "Ann")
        assert remember("A third", "--tags", "c")["state"] == "proposed"
        assert "agent=house%20agent user=Ann session=7%20f" in (tmp_path / "project.mneme").read_text()

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ([" \n"], "nothing to remember"),
            (["\u200b"], "nothing to remember"),
            (["x" * 8001], "the text has 8,001 characters, and a memory at most 8,000"),
            (["x", "--cat", "thought"], "'thought' is not one of"),
            (["x", "--imp", "0"], "0 is not in the range 1<=x<=5"),
            (["x", "--imp", "6"], "6 is not in the range 1<=x<=5"),
            (["x", "--entity-mode", "all"], "'all' is not one of"),
            (["x", "--tags", ",".join(map(str, range(21)))], "21 of tag, and at most 20 are kept"),
            (["x", "--tags", "y" * 101], "has 101 bytes, and at most 100 are kept"),
            (["x", "--entities", ",".join(map(str, range(51)))], "51 of entity, and at most 50 are kept"),
            (["x", "--entities", "存" * 67], "has 201 bytes, and at most 200 are kept"),
            (["a\x1b[31mb"], "the gist holds the control character U+001B"),
            (["x", "--readonly"], "remember is unavailable with --readonly"),
            (["x", "--store", "a/b"], "no name for a store"),
            (["x", "--store", "nowhere"], "there is no store nowhere"),
        ],
    )
    def test_what_is_refused(self, arguments: list[str], says: str, tmp_path: Path, mneme: Runner) -> None:
        """1.4, 8.12 and 8.13: with the limit and what there was; nothing is written."""
        done = mneme("remember", *arguments)
        assert done.code == 2
        assert says in done.err
        assert list(tmp_path.iterdir()) == []

    def test_the_limits_hold_to_the_last(self, remember: Remember) -> None:
        """1.4: exactly as much is allowed; a character of any script counts one."""
        tags = [f"tag {number}" for number in range(20)]
        entities = [f"Name {number}" for number in range(50)]
        receipt = remember(
            "汉" * 8000, "--tags", ",".join(tags), "--entities", ",".join(entities), "--topic", "a/b", "--cue", "more"
        )
        assert set(tags) <= set(receipt["tags"])
        assert receipt["entities"][:50] == entities


class TestTheReceipt:
    def test_keys(self, remember: Remember) -> None:
        receipt = remember("A thought", "--tags", "a")
        assert list(receipt) == [*KEYS, *OURS]
        assert receipt | {"effective_importance": 0} == {
            "id": "NOTE-0001", "content": "A thought", "category": "general", "importance": 3, "tags": ["a"],
            "entities": ["a"], "action": "added", "diff_suggestion": "ADD", "created_at": f"{TODAY}T00:00:00Z",
            "edges_created": {"temporal": 0, "entity": 0, "causal": 0, "semantic": 0}, "semantic_candidates": [],
            "causal_candidates": [], "embedded": False, "effective_importance": 0, "auto_pruned": 0,
            "auto_pruned_ids": [], "path": "project.mneme", "line": 1, "state": "live", "personal": False,
            "resembles": [], "notes": [],
        }  # fmt: skip

    def test_9_3_too_many_insights_of_others(
        self, tmp_path: Path, remember: Remember, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remember("A first thought")
        with closing(sqlite3.connect(tmp_path / ".mnemon/data/default/mnemon.db")) as database, database:
            database.executemany(
                "INSERT INTO insights (id, content, created_at, updated_at) VALUES (?, 'x', '2026-01-01', '')",
                [("k1",), ("k2",)],
            )
        monkeypatch.setenv("MNEMON_MAX_INSIGHTS", "1")
        monkeypatch.setenv("MNEMON_AUTO_PRUNE_MIN_AGE", "0")
        receipt = remember("A second thought")
        assert (receipt["auto_pruned"], receipt["auto_pruned_ids"]) == (1, ["k1"])
        assert remember("A third thought")["auto_pruned"] == 0

    def test_edges_and_candidates(self, tmp_path: Path, remember: Remember) -> None:
        """3.5 to 3.9: rows are counted, also where two cells share several entities (11.3)."""
        remember("Redis and SQLite hold the queue", "--tags", "a,b")
        receipt = remember("Redis and SQLite hold the queue because workers wait", "--tags", "a,b")
        assert receipt["edges_created"] == {"temporal": 2, "entity": 2, "causal": 1, "semantic": 0}
        assert receipt["diff_suggestion"] == "UPDATE"
        (near,) = receipt["semantic_candidates"]
        assert (near["id"], near["similarity"], near["auto_linked"]) == ("NOTE-0001", 1, False)
        (cause,) = receipt["causal_candidates"]
        assert (cause["id"], cause["hop"], cause["causal_signal"]) == ("NOTE-0001", 1, "because")
        assert cause["suggested_sub_type"] == "causes"
        with closing(sqlite3.connect(tmp_path / ".mnemon/data/default/mnemon.db")) as connection:
            assert connection.execute("SELECT count(*) FROM edges").fetchone() == (5,)
            (effective,) = connection.execute(
                "SELECT effective_importance FROM insights WHERE id = 'NOTE-0002'"
            ).fetchone()
        assert receipt["effective_importance"] == effective == pytest.approx(0.75)  # 9.1: fresh, five rows

    def test_without_a_comparison(self, remember: Remember) -> None:
        """3.1: then the suggestion is ADD."""
        remember("alpha beta gamma")
        receipt = remember("alpha beta gamma delta", "--no-diff")
        assert (receipt["diff_suggestion"], receipt["resembles"]) == ("ADD", [])

    @pytest.mark.parametrize(
        ("text", "kind", "command"),
        [
            ("Alpha, beta, gamma!", "DUPLICATE", "mneme forget NOTE-0002"),
            ("alpha beta gamma delta", "UPDATE", "mneme link NOTE-0002 NOTE-0001 --type supersedes"),
            ("never alpha beta gamma", "CONFLICT", "mneme link NOTE-0002 NOTE-0001 --type supersedes"),
        ],
    )
    def test_nothing_is_replaced(
        self, text: str, kind: str, command: str, tmp_path: Path, mneme: Runner, remember: Remember
    ) -> None:
        """3.3, newest: whatever it resembles, it is added; what settles it is said."""
        remember("alpha beta gamma")
        done = mneme("remember", text)
        assert command in done.out
        receipt = remember(f"{text} x y z u v w k l m n o p")
        assert receipt["action"] == "added"
        assert (tmp_path / "project.mneme").read_text().count("state live") == 3
        (tmp_path / "project.mneme").unlink()
        remember("alpha beta gamma")
        assert remember(text)["resembles"][0]["kind"] == kind


class TestTheSameAgain:
    @pytest.mark.parametrize("text", ["One short line", LONG], ids=["gist", "body"])
    def test_is_skipped(self, text: str, tmp_path: Path, mneme: Runner, remember: Remember) -> None:
        """3.3, newest: byte for byte the same is not written again, and exit code 0."""
        remember(text, "--cat", "fact")
        before = (tmp_path / "project.mneme").read_bytes()
        receipt = remember(f"{text}\n")
        kept = ("id", "content", "action", "diff_suggestion", "replaced_id")
        assert {key: receipt[key] for key in kept} == {
            "id": "NOTE-0001", "content": text.strip(), "action": "skipped", "diff_suggestion": "DUPLICATE",
            "replaced_id": "FACT-0001",
        }  # fmt: skip
        assert mneme("remember", text).out == "FACT-0001 says that already (project.mneme:1); nothing was written\n"
        assert (tmp_path / "project.mneme").read_bytes() == before
        assert "diff-skip" in mneme("log").out

    def test_is_written_when_nothing_is_compared(self, remember: Remember) -> None:
        """3.3: --no-diff inserts even an exact repeat."""
        remember("One short line")
        receipt = remember("One short line", "--no-diff")
        assert (receipt["id"], receipt["action"], receipt["diff_suggestion"]) == ("NOTE-0002", "added", "ADD")

    def test_is_written_when_the_first_is_over(self, mneme: Runner, remember: Remember) -> None:
        """1.5: what is deleted does not count; and a belief that was given up may come back."""
        remember("One short line")
        assert mneme("forget", "NOTE-0001").code == 0
        assert remember("One short line")["action"] == "added"
        mneme("supersede", "NOTE-0002", "Another line")
        assert remember("One short line")["action"] == "added"

    def test_of_another_program_is_skipped_too(self, tmp_path: Path, remember: Remember) -> None:
        remember("Mine")
        with open_store(tmp_path / ".mnemon/data/default/mnemon.db") as store, store.transaction():
            store.put_insights([Insight("u-1", "Theirs", created_at="2026-11-01T00:00:00Z")])
        receipt = remember("Theirs")
        assert (receipt["action"], receipt["replaced_id"], receipt["path"]) == ("skipped", "u-1", "")


class TestWhere:
    def test_personal(self, tmp_path: Path, remember: Remember, mneme: Runner) -> None:
        """A layer of its own: file, ID and store; the same text in the other layer is not the same."""
        remember("I like tabs", "--cat", "preference")
        receipt = remember("I like tabs", "--cat", "preference", "--personal")
        assert (receipt["action"], receipt["personal"], receipt["path"]) == ("added", True, "project.local.mneme")
        assert stored(tmp_path, receipt["id"], "personal")
        assert not stored(tmp_path, receipt["id"])
        again = remember("I like tabs", "--store", "personal")
        assert (again["action"], again["replaced_id"]) == ("skipped", receipt["id"])
        done = mneme("remember", "x", "--personal", "--db", "x.db")
        assert (done.code, "personal cells never enter the store" in done.err) == (2, True)

    @pytest.mark.parametrize(
        ("patterns", "there", "path"),
        [
            (["ops.mneme", "b.mneme"], ["b.mneme"], "ops.mneme"),
            (["/notes/*.mneme", "b.mneme"], ["b.mneme", "notes/z.mneme", "notes/a.mneme"], "notes/a.mneme"),
            (["notes/*.mneme", "b.mneme"], ["project.mneme"], "b.mneme"),
        ],
        ids=["a name", "the first match", "a later name"],
    )
    def test_a_store_has_its_first_file(
        self, patterns: list[str], there: list[str], path: str, tmp_path: Path, remember: Remember
    ) -> None:
        (tmp_path / "mneme.toml").write_text(f"[stores.ops]\nfiles = {json.dumps(patterns)}\n")
        for number, name in enumerate(there, 1):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(cell(f"DEC-{number:04d}"))
        receipt = remember("A thought", "--store", "ops")
        assert receipt["path"] == path
        assert stored(tmp_path, receipt["id"], "ops")

    def test_a_store_whose_patterns_name_no_file(self, tmp_path: Path, mneme: Runner) -> None:
        (tmp_path / "mneme.toml").write_text('[stores.ops]\nfiles = ["notes/*.mneme"]\n')
        done = mneme("remember", "A thought", "--store", "ops")
        assert (done.code, "has no file yet" in done.err) == (2, True)

    def test_a_store_named_by_its_file(self, tmp_path: Path, mneme: Runner, remember: Remember) -> None:
        """The text is that which it was compiled from; nothing lies beside it."""
        (tmp_path / "project.mneme").write_text(cell("DEC-0001"))
        (tmp_path / "notes.mneme").write_text(cell("FACT-0001", gist="Noted"))
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        database = folder / "my #1 100%?.db"
        assert mneme("compile", "--db", database, "notes.mneme").code == 0
        receipt = remember("A thought", "--db", database)
        assert (receipt["path"], receipt["line"]) == ("notes.mneme", 6)
        assert [entry.name for entry in folder.iterdir()] == [database.name]
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("SELECT id FROM insights ORDER BY id").fetchall() == [
                ("FACT-0001",), (receipt["id"],),
            ]  # fmt: skip

    def test_a_store_that_is_new(self, tmp_path: Path, mneme: Runner, remember: Remember) -> None:
        assert remember("A thought", "--db", "new.db")["path"] == "project.mneme"
        assert remember("Another", "--db", "new.db")["edges_created"]["temporal"] == 2
        assert mneme("compile", "--db", "new.db", "--check").code == 0
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["new.db", "project.mneme"]

    def test_a_peers_store_is_refused(self, tmp_path: Path, mneme: Runner) -> None:
        """A store without text is read and converted, not written."""
        database = tmp_path / "peer.db"
        peer_store.write(database, new=True)
        before = database.read_bytes()
        done = mneme("remember", "A thought", "--db", database)
        assert (done.code, "has no text" in done.err, "mneme from-store" in done.err) == (2, True, True)
        assert database.read_bytes() == before
        assert not (tmp_path / "project.mneme").exists()

    def test_a_file_a_topic(self, tmp_path: Path, remember: Remember) -> None:
        (tmp_path / "mneme.toml").write_text('file-per = "topic"\n')
        receipt = remember("A thought", "--topic", "ops/logs")
        assert receipt["path"] == str(Path("memory/ops.mneme"))
        assert stored(tmp_path, receipt["id"])


class TestWhenTheStoreCannotFollow:
    def test_a_file_with_errors_elsewhere(self, tmp_path: Path, mneme: Runner) -> None:
        """The cell is written, and the receipt is that of the text; why nothing was compiled is said."""
        (tmp_path / "project.mneme").write_text(cell("DEC-0001", gist="A thought of mine"))
        (tmp_path / "z.mneme").write_text("<<<<<<< ours\n" + cell("DEC-0002"))
        done = mneme("remember", "A thought of mine and yours", "--format", "json")
        receipt = json.loads(done.out)
        assert (done.code, receipt["action"]) == (0, "added")
        assert receipt["resembles"][0]["id"] == "DEC-0001"
        assert "nothing was compiled: z.mneme:1" in done.err
        assert not (tmp_path / ".mnemon/data/default/mnemon.db").exists()

    def test_content_edited_by_hand(self, tmp_path: Path, mneme: Runner) -> None:
        path = tmp_path / "project.mneme"
        path.write_text(cell("DEC-0001"))
        mneme("compile")
        path.write_text(cell("DEC-0001", gist="Edited by hand"))
        done = mneme("remember", "A thought")
        assert (done.code, done.out) == (0, "NOTE-0001 added: project.mneme:6\n")
        assert "nothing was compiled: the content of DEC-0001 was edited" in done.err

    def test_a_store_that_cannot_be_written(
        self, tmp_path: Path, mneme: Runner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The text is written first: exit 2, and what is said tells where the cell is; the next compile has it."""

        def refuse(*_arguments: object, **_options: object) -> None:
            raise StoreBusy("in use by another program")

        with monkeypatch.context() as patched:
            patched.setattr("mneme.memory.through.compile_store", refuse)
            done = mneme("remember", "A thought")
        assert done.code == 2
        said = "NOTE-0001 is written in project.mneme:1; the store is not up to date: in use by another program"
        assert said in done.err
        assert mneme("compile").code == 0
        assert stored(tmp_path, "NOTE-0001")

    def test_a_damaged_store(self, tmp_path: Path, mneme: Runner) -> None:
        """Refused before anything is written; rebuilding is offered, not done."""
        mneme("remember", "A thought")
        database = tmp_path / ".mnemon/data/default/mnemon.db"
        database.write_bytes(b"no database at all, and long enough to be none" * 20)
        before = (tmp_path / "project.mneme").read_bytes()
        done = mneme("remember", "Another thought")
        assert done.code == 2
        assert (tmp_path / "project.mneme").read_bytes() == before


def test_a_secret_is_told_of(mneme: Runner) -> None:
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    assert "secret: it holds what looks like this" in mneme("remember", f"The token is {token}").err
