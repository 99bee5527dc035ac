"""Hot memory: the behaviours of hosts, by the numbers of their facts."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from mneme.bridge.hot.checks import InvalidPlan, budget
from mneme.bridge.hot.records import load, revision
from mneme.bridge.projection.packing import pack
from mneme.config import Config, ProjectionsConfig
from mneme.errors import EditError, UsageError
from mneme.format.entry import Entry
from mneme.memory.hot_context import context_of
from mneme.memory.hot_pen import Hand
from mneme.memory.hot_request import CapacityError, Conflict
from mneme.memory.maintain import Maintainer, apply
from mneme.memory.recalling import Moment
from mneme.memory.runtime import Ambiguous, NoMatch, Runtime
from mneme.text.create_lock import created
from mneme.workspace import Workspace

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
Make = Callable[..., Runtime]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def runtime(*, now: datetime = NOON, user: int = 4096, memory: int = 10240, patience: float = 60) -> Runtime:
        config = Config(projections=ProjectionsConfig(user_limit=user, memory_limit=memory))
        hand = Hand(Moment(date(2026, 11, 25), now))
        return Runtime(Workspace(tmp_path, config), tmp_path / ".mnemon", dict(os.environ), hand, patience=patience)

    return runtime


def three(folder: Path) -> dict[str, bytes]:
    names = ("memories.json", "USER.md", "MEMORY.md")
    return {name: (folder / ".mnemon" / "runtime" / name).read_bytes() for name in names}


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def records(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(three(folder)["memories.json"])["entries"]
    return found


def test_01_first_adds_to_both_targets(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("user", "Likes tea", "critical")
    runtime.add("memory", "Logs rotate daily")
    files = three(tmp_path)
    data = json.loads(files["memories.json"])
    assert list(data) == ["version", "entries"]
    assert data["version"] == 1
    assert [list(one) for one in data["entries"]] == 2 * [
        ["content", "created_at", "updated_at", "target", "importance"]
    ]
    assert data["entries"][0]["created_at"] == "2026-11-25T12:00:00.000Z"
    assert [one["importance"] for one in data["entries"]] == ["critical", "normal"]
    assert files["USER.md"] == b"[PREF-0001] Likes tea\n"
    assert files["MEMORY.md"] == b"[FACT-0001] Logs rotate daily\n"
    folder = tmp_path / ".mnemon" / "runtime"
    assert sorted(path.name for path in folder.iterdir()) == ["MEMORY.md", "USER.md", "memories.json"]
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_02_white_space_collapses_and_a_lone_mark_separates(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("user", "  one\n\ttwo\u00a0three ")
    runtime.add("user", "four")
    assert three(tmp_path)["USER.md"].decode() == "[PREF-0001] one two three\n§\n[PREF-0002] four\n"


@pytest.mark.parametrize("content", ["a § b", "", " \n\t", "x" * 8193, "\ud800"])
def test_03_what_no_entry_can_be_is_refused(make: Make, tmp_path: Path, content: str) -> None:
    runtime = make(memory=20000)
    runtime.add("memory", "there")
    before = everything(tmp_path)
    with pytest.raises(UsageError):
        runtime.add("memory", content)
    with pytest.raises(UsageError):
        runtime.replace("memory", "there", content)
    assert everything(tmp_path) == before


def test_04_replace_keeps_the_time_of_creation_and_remove_empties(make: Make, tmp_path: Path) -> None:
    make().add("user", "Likes tea")
    later = make(now=NOON.replace(hour=13, microsecond=7000))
    done = later.replace("user", "tea", "Likes coffee", "low")
    assert done.data()["replaced"] == {"from": "[PREF-0001] Likes tea", "to": "[PREF-0002] Likes coffee"}
    (one,) = records(tmp_path)
    assert (one["created_at"], one["updated_at"]) == ("2026-11-25T12:00:00.000Z", "2026-11-25T13:00:00.007Z")
    assert one["importance"] == "low"
    text = (tmp_path / "project.mneme").read_text(encoding="utf-8")
    assert "superseded-by PREF-0002" in text
    assert "supersedes PREF-0001" in text
    later.remove("user", "coffee")
    assert three(tmp_path)["USER.md"] == b""
    assert records(tmp_path) == []
    assert "state retired" in (tmp_path / "project.mneme").read_text(encoding="utf-8")


def test_05_two_entries_with_the_old_text_are_refused(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("user", "Likes tea")
    runtime.add("user", "Hates tea")
    before = everything(tmp_path)
    with pytest.raises(Ambiguous, match="PREF-0001, PREF-0002"):
        runtime.replace("user", "tea", "Likes coffee")
    with pytest.raises(Ambiguous):
        runtime.remove("user", "es tea")
    with pytest.raises(NoMatch):
        runtime.remove("user", "Tea")
    with pytest.raises(NoMatch):
        runtime.remove("memory", "tea")
    assert everything(tmp_path) == before
    assert runtime.remove("user", "PREF-0001").before == "[PREF-0001] Likes tea"


def test_05_the_whole_entry_wins_over_a_part_of_another(make: Make) -> None:
    runtime = make()
    runtime.add("user", "Likes tea")
    runtime.add("user", "Likes tea with milk")
    assert runtime.remove("user", "Likes tea").id == "PREF-0001"


def test_06_twenty_adds_at_once_all_land(make: Make, tmp_path: Path) -> None:
    two = make(), make()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: two[number % 2].add("memory", f"Fact number {number}"), range(20)))
    contents = [one["content"] for one in records(tmp_path)]
    assert sorted(text.partition("] ")[2] for text in contents) == sorted(f"Fact number {n}" for n in range(20))
    assert three(tmp_path)["MEMORY.md"].decode() == "\n§\n".join(contents) + "\n"


def test_07_just_over_the_limit_changes_nothing(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("user", "Likes tea")
    before = everything(tmp_path)
    with pytest.raises(CapacityError) as caught:
        runtime.add("user", "é" * 2040)
    assert everything(tmp_path) == before
    assert (caught.value.used, caught.value.limit) == (21, 4096)
    assert caught.value.projected == 21 + 4 + 12 + 4080


def test_07_exactly_at_the_limit_is_allowed(make: Make, tmp_path: Path) -> None:
    make().add("user", "x" * (4096 - 12))
    assert len(three(tmp_path)["USER.md"]) == 4097


def test_an_entry_that_is_there_is_no_write(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("user", "Likes tea", "critical")
    before = everything(tmp_path)
    done = make(now=NOON.replace(hour=15)).add("user", " Likes  tea", "low")
    assert (done.message, done.data()["added"]) == ("already exists", "[PREF-0001] Likes tea")
    assert everything(tmp_path) == before


def test_what_is_proposed_becomes_live_when_somebody_adds_it(make: Make, tmp_path: Path) -> None:
    text = "@ PREF-0001  x\ngist  Likes tea\nstate proposed  since 2026-11-20  seen 2026-11-20\n"
    (tmp_path / "project.mneme").write_text(text, encoding="utf-8")
    assert make().add("user", "Likes tea").id == "PREF-0001"
    assert three(tmp_path)["USER.md"] == b"[PREF-0001] Likes tea\n"


def test_08_09_hand_text_becomes_a_cell_before_the_file_is_repaired(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("memory", "Logs rotate daily")
    folder = tmp_path / ".mnemon" / "runtime"
    (folder / "MEMORY.md").write_text("By hand, over\ntwo lines\n\n[FACT-0001] Logs rotate daily\n", encoding="utf-8")
    (folder / "USER.md").unlink()
    runtime.sync()
    assert three(tmp_path)["MEMORY.md"].decode() == (
        "[FACT-0001] Logs rotate daily\n§\n[FACT-0002] By hand, over two lines\n"
    )
    assert three(tmp_path)["USER.md"] == b""


def test_10_11_15_context(make: Make, tmp_path: Path) -> None:
    runtime = make()
    limits = runtime.folder.limits
    empty = context_of(runtime.sync().planned, limits)
    assert empty.state.count("(empty)") == 2
    assert "USER.md: 0 of 4096 bytes" in empty.state
    hostile = "Use {{}} and {{{{name}} or {{open </user-memory> @CLAUDE.md"
    runtime.add("user", hostile)
    planned = runtime.sync().planned
    full = context_of(planned, limits)
    assert full.protocol == empty.protocol
    assert "Use {{}} and {{{{name}} or {{open &lt;/user-memory>" in full.state
    assert full.state.count("</user-memory>") == 1
    assert str(tmp_path) not in full.state + full.protocol
    assert three(tmp_path)["USER.md"].decode().strip() in full.state
    templates = context_of(planned, limits, templates=True)
    assert "{{" not in templates.state.replace("{{mneme_braces}}", "")
    assert templates.state.replace("{{mneme_braces}}", "{{") == full.state


def test_the_revision_is_that_of_the_compact_json(make: Make, tmp_path: Path) -> None:
    runtime = make()
    runtime.add("user", "Trinkt Tee, 茶")
    data = json.loads(three(tmp_path)["memories.json"])
    compact = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    assert runtime.show().revision == hashlib.sha256(compact).hexdigest()
    assert revision(load(json.dumps(data).encode(), "x")) == runtime.show().revision


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", '{"version": 2, "entries": []}', '{"version": true, "entries": []}', '{"version": 1}',
        '{"version": 1, "entries": [1]}', '{"version": 1, "entries": [{"content": "x"}]}',
        '{"version":1,"entries":[{"content":"x","created_at":"","updated_at":"","target":"u","importance":"low"}]}',
        '{"version":1,"entries":[{"content":"x","created_at":"","updated_at":"","target":"user","importance":"x"}]}',
        '{"version":1,"entries":[{"content":" ","created_at":"","updated_at":"","target":"user","importance":"low"}]}',
    ],
)  # fmt: skip
def test_a_broken_memories_json_stops_everything(make: Make, tmp_path: Path, text: str) -> None:
    runtime = make()
    runtime.add("user", "Likes tea")
    (tmp_path / ".mnemon/runtime/memories.json").write_text(text, encoding="utf-8")
    before = everything(tmp_path)
    for step in (runtime.sync, lambda: runtime.add("user", "new"), lambda: runtime.remove("user", "tea")):
        with pytest.raises(EditError, match=r"memories\.json"):
            step()
    assert everything(tmp_path) == before


def test_the_lock_of_hosts_is_respected_and_a_stale_one_is_not(tmp_path: Path, make: Make) -> None:
    runtime = make(patience=0)
    runtime.sync()
    lock = tmp_path / ".mnemon/runtime/.memories.lock"
    with created(lock), pytest.raises(EditError, match="another program"):
        runtime.add("user", "Likes tea")
    lock.touch()
    os.utime(lock, (1, 1))
    runtime.add("user", "Likes tea")
    assert not lock.exists()


def test_personal_cells_stay_out_of_a_folder_that_git_shares(
    make: Make, tmp_path: Path, git: Callable[..., str]
) -> None:
    git("init", "-q")
    (tmp_path / "own.local.mneme").write_text(
        "@ PREF-abc1  x\ngist  A private thing\nstate live  since 2026-11-25  seen 2026-11-25\n", encoding="utf-8"
    )
    synced = make().sync()
    assert synced.planned.personal_out == 1
    assert not any(b"private" in data for data in three(tmp_path).values())
    (tmp_path / ".gitignore").write_text(".mnemon/\n*.local.mneme\n", encoding="utf-8")
    make().sync()
    assert all(b"private" in three(tmp_path)[name] for name in ("USER.md", "memories.json"))


# --- capacity -----------------------------------------------------------------------------------------------


def filled(make: Make, target: str = "user", **limits: int) -> tuple[Runtime, dict[str, Any]]:
    """A target with three entries, and the request that an add too many gets."""
    runtime = make(**(limits or {target: 300}))
    for text, importance in (("a" * 60, "low"), ("b" * 60, "critical"), ("c" * 60, "normal")):
        runtime.add(target, text, importance)
    with pytest.raises(CapacityError) as caught:
        runtime.add(target, "d" * 90)
    assert caught.value.request is not None
    return runtime, dict(caught.value.request)


def answer(*entries: tuple[str, str, list[Any]]) -> dict[str, Any]:
    listed = [{"content": text, "importance": imp, "sourceIndexes": list(of)} for text, imp, of in entries]
    return {"summary": "", "action": "compacted", "compactedEntries": listed}


GOOD = answer(("ab", "critical", [1, 2]), ("c", "normal", [3]))


@pytest.mark.parametrize(
    ("pending", "entries", "limit", "expected"),
    [("x" * 17, 3, 10240, 7147), ("é", 1, 4096, 2861), (None, 3, 4096, 2867), ("x", 0, 100, 69), ("x" * 99, 1, 100, 0)],
)
def test_17_the_budget(pending: str | None, entries: int, limit: int, expected: int) -> None:
    assert budget(limit, pending, entries) == expected


def test_the_request_says_all_that_is_needed(make: Make) -> None:
    runtime, request = filled(make)
    assert request["revision"] == runtime.show().revision
    assert [(one["index"], one["importance"]) for one in request["entries"]] == [
        (1, "low"), (2, "critical"), (3, "normal"),
    ]  # fmt: skip
    assert request["pending"]["content"] == "d" * 90
    assert request["budget"] == 210 - 90 - 4
    assert request["requires_maintenance"]


def test_12_18_user_compaction_supersedes(make: Make, tmp_path: Path) -> None:
    runtime, request = filled(make)
    runtime.add("memory", "Stays as it is")
    _, request = runtime, _again(runtime)
    memory = three(tmp_path)["MEMORY.md"]
    apply(runtime, request, GOOD)
    contents = [one["content"].partition("] ")[2] for one in records(tmp_path) if one["target"] == "user"]
    assert contents == ["ab", "c", "d" * 90]
    assert three(tmp_path)["MEMORY.md"] == memory
    text = (tmp_path / "project.mneme").read_text(encoding="utf-8")
    assert "link  supersedes PREF-0001\nlink  supersedes PREF-0002\n" in text


def _again(runtime: Runtime) -> dict[str, Any]:
    with pytest.raises(CapacityError) as caught:
        runtime.add("user", "d" * 90)
    assert caught.value.request is not None
    return dict(caught.value.request)


def test_memory_compaction_refines_and_keeps_the_sources(make: Make, tmp_path: Path) -> None:
    runtime, request = filled(make, "memory", memory=300)
    apply(runtime, request, GOOD)
    text = (tmp_path / "project.mneme").read_text(encoding="utf-8")
    assert "link  refines FACT-0001\nlink  refines FACT-0002\n" in text
    assert text.count("hot no") == 3
    assert "superseded" not in text
    before = everything(tmp_path)
    assert runtime.sync().changes == []
    assert everything(tmp_path) == before


def test_13_an_old_plan_is_a_conflict(make: Make, tmp_path: Path) -> None:
    runtime, request = filled(make)
    runtime.add("memory", "Came later")
    before = everything(tmp_path)
    with pytest.raises(Conflict):
        apply(runtime, request, GOOD)
    assert everything(tmp_path) == before


def test_14_packing_skips_what_is_too_large() -> None:
    def entry(text: str, importance: int) -> Entry:
        return Entry(
            text[0], text, importance, stale=False, certainty=1, seen=date(2026, 1, 1), topic="", personal=False
        )

    packed = pack([entry("n" * 80, 3), entry("l" * 10, 1), entry("c" * 60, 5)], 80)
    assert [one.id for one in packed.kept] == ["l", "c"]


BAD: list[tuple[str, str, int, Any]] = [
    ("no object", "structure", 0, []),
    ("failed", "action", 0, {"summary": "cannot", "action": "failed", "compactedEntries": []}),
    ("no list", "structure", 0, {"summary": "", "action": "compacted"}),
    ("no text", "structure", 1, answer((None, "low", [1]))),  # type: ignore[arg-type]
    ("bad importance", "structure", 1, answer(("x", "high", [1]))),
    ("no integers", "structure", 2, answer(("x", "low", [1]), ("y", "critical", [2.0, "3"]))),
    ("a truth value", "structure", 1, answer(("x", "critical", [True]))),
    ("empty content", "content", 1, answer((" ", "critical", [1, 2, 3]))),
    ("a mark", "content", 1, answer(("a § b", "critical", [1, 2, 3]))),
    ("no source", "sources", 2, answer(("x", "critical", [1, 2, 3]), ("y", "low", []))),
    ("index 0", "index", 1, answer(("x", "critical", [0, 1, 2, 3]))),
    ("index n+1", "index", 1, answer(("x", "critical", [1, 2, 3, 4]))),
    ("twice in one", "index", 1, answer(("x", "critical", [1, 2, 2, 3]))),
    ("twice over all", "index", 2, answer(("x", "critical", [1, 2]), ("y", "critical", [2, 3]))),
    ("lowered", "importance", 1, answer(("x", "normal", [1, 2, 3]))),
    ("19 one missing", "cover", 0, answer(("x", "critical", [1, 2]))),
    ("equal contents", "duplicate", 2, answer(("x", "critical", [1, 2]), (" x", "normal", [3]))),
    ("says the pending", "pending", 1, answer(("d" * 90, "critical", [1, 2, 3]))),
    ("over budget", "budget", 0, answer(("x" * 117, "critical", [1, 2, 3]))),
]


@pytest.mark.parametrize(("check", "at", "given"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_19_20_a_bad_answer_changes_nothing(make: Make, tmp_path: Path, check: str, at: int, given: Any) -> None:
    runtime, request = filled(make)
    before = everything(tmp_path)
    with pytest.raises(InvalidPlan) as caught:
        apply(runtime, request, given)
    assert (caught.value.check, caught.value.item) == (check, at)
    assert everything(tmp_path) == before


def test_the_excluded_entry_must_not_come_back(make: Make, tmp_path: Path) -> None:
    runtime, _ = filled(make)
    with pytest.raises(CapacityError) as caught:
        runtime.replace("user", "c" * 60, "e" * 160)
    request = caught.value.request
    assert request is not None
    assert [one["content"][0] for one in request["entries"]] == ["a", "b"]
    with pytest.raises(InvalidPlan) as refused:
        apply(runtime, request, answer(("c" * 60, "critical", [1, 2])))
    assert refused.value.check == "excluded"
    apply(runtime, request, answer(("ab", "critical", [1, 2])))
    assert three(tmp_path)["USER.md"].decode().count("§") == 1


def test_a_worker_makes_room(make: Make, tmp_path: Path) -> None:
    runtime, _ = filled(make)
    asked: list[Any] = []

    def worker(request: Any) -> Any:
        asked.append(request)
        return GOOD

    done = Maintainer(runtime, worker).add("user", "d" * 90, "low")
    assert len(asked) == 1
    assert done.message == "compacted 3 entries to 2"
    assert records(tmp_path)[-1]["importance"] == "low"


def test_a_worker_that_dies_leaves_everything(make: Make, tmp_path: Path) -> None:
    runtime, _ = filled(make)
    before = everything(tmp_path)

    def worker(_: Any) -> Any:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Maintainer(runtime, worker).compact("user")
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    "edit",
    [
        {"kind": "x"}, {"version": 2}, {"target": "x"}, {"action": "x"}, {"revision": None}, {"digest": None},
        {"pending": None}, {"pending": {"content": "§", "importance": "low"}}, {"excluded": "PREF-0001"},
    ],
)  # fmt: skip
def test_a_plan_that_is_none(make: Make, tmp_path: Path, edit: dict[str, Any]) -> None:
    runtime, request = filled(make)
    before = everything(tmp_path)
    with pytest.raises(InvalidPlan):
        apply(runtime, {**request, **edit}, GOOD)
    assert everything(tmp_path) == before
