"""``mneme link``: a line in the text, and the edges it stands for (engine's facts, 1.2, 1.3, 8.1)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mneme.graph.model import Edge, Insight
from mneme.graph.store import open_store
from tests.conftest import Runner, cell

Link = Callable[..., dict[str, Any]]

A, B = "DEC-0001", "FACT-0002"


@pytest.fixture(autouse=True)
def _two_cells(tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(f"{cell(A)}\n{cell(B, gist='Unlike', cue='other', since='2026-11-03')}")


@pytest.fixture
def link(mneme: Runner) -> Link:
    """Link two cells and return the receipt."""

    def runner(*arguments: str) -> dict[str, Any]:
        done = mneme("link", *arguments, "--format", "json")
        assert done.code == 0, done.err
        found = json.loads(done.out)
        assert isinstance(found, dict)
        return found

    return runner


def links(folder: Path) -> list[str]:
    lines = (folder / "project.mneme").read_text().splitlines()
    return [line.removeprefix("link  ") for line in lines if line.startswith("link")]


def rows(folder: Path, kind: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / ".mnemon/data/default/mnemon.db")) as connection:
        found = connection.execute(
            "SELECT source_id, target_id, weight, metadata FROM edges WHERE edge_type = ? ORDER BY 1, 2", (kind,)
        )
        return [(*row[:3], json.loads(row[3])) for row in found]


KINDS = {
    "8.1 the defaults": ([], "relates FACT-0002", "semantic", 2, 0.5, {}),
    "8.1 semantic": (
        ["--type", "semantic", "--weight", "0.9", "--meta", '{"reason": "both cache"}'],
        "relates FACT-0002 weight 0.90 reason both%20cache", "semantic", 2, 0.9, {"reason": "both cache"},
    ),
    "8.1 temporal": (["--type", "temporal"], "relates FACT-0002 edge temporal", "temporal", 2, 0.5, {}),
    "8.1 entity": (
        ["--type", "entity", "--meta", '{"entity": "Page Store"}'],
        "relates FACT-0002 edge entity entity Page%20Store", "entity", 2, 0.5, {"entity": "Page Store"},
    ),
    "11.3 causal is one row, cause to effect": (
        ["--type", "causal"], "causes FACT-0002", "causal", 1, 0.5, {"sub_type": "causes"},
    ),
    "3.7 enables": (
        ["--type", "causal", "--meta", '{"sub_type": "enables"}'],
        "enables FACT-0002", "causal", 1, 0.5, {"sub_type": "enables"},
    ),
    "3.7 prevents": (
        ["--type", "causal", "--meta", '{"sub_type": "prevents"}', "--weight", "1"],
        "prevents FACT-0002 weight 1.00", "causal", 1, 1.0, {"sub_type": "prevents"},
    ),
    "8.1 a sub-type that is no relation": (
        ["--type", "causal", "--meta", '{"sub_type": "hints at"}'],
        "causes FACT-0002 sub_type hints%20at", "causal", 1, 0.5, {"sub_type": "hints at"},
    ),
    "8.1 created_by is not the caller's to say": (
        ["--meta", '{"created_by": "me", "state": "link"}'],
        "relates FACT-0002 %73tate %6Cink", "semantic", 2, 0.5, {"state": "link"},
    ),
    "1.3 supersedes is one row": (["--type", "supersedes"], "supersedes FACT-0002", "supersedes", 1, 0.5, {}),
    "8.1 the ends of the weight": (["--weight", "0"], "relates FACT-0002 weight 0.00", "semantic", 2, 0.0, {}),
    "8.1 a weight of many digits": (
        ["--weight", "0.123456"], "relates FACT-0002 weight 0.123456", "semantic", 2, 0.123456, {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("check", KINDS)
def test_kinds(check: str, tmp_path: Path, mneme: Runner, link: Link) -> None:
    options, line, kind, count, weight, metadata = KINDS[check]
    receipt = link(A, B, *options)
    assert links(tmp_path)[0] == line
    said = {"created_by": "mneme", **metadata}
    assert receipt == {
        "status": "linked", "source_id": A, "target_id": B, "edge_type": kind, "weight": weight, "metadata": said,
        "action": "added", "rows": count, "path": "project.mneme", "line": 1, "notes": [],
    }  # fmt: skip
    assert list(receipt)[:6] == ["status", "source_id", "target_id", "edge_type", "weight", "metadata"]
    there = [row for row in rows(tmp_path, kind) if row[2:] == (weight, said)]
    assert [row[:2] for row in there] == [(A, B), (B, A)][:count]
    assert mneme("compile", "--check").code == 0
    assert mneme("lint").code == 0


@pytest.mark.parametrize("kind", ["semantic", "temporal", "entity", "causal", "supersedes"])
def test_the_same_pair_again(kind: str, tmp_path: Path, mneme: Runner, link: Link) -> None:
    """1.2: one row a triple; what is said last counts, and without a weight nothing changes."""
    link(A, B, "--type", kind, "--weight", "0.3")
    before = (tmp_path / "project.mneme").read_text()
    again = link(A, B, "--type", kind)
    assert (again["action"], again["weight"]) == ("unchanged", 0.3)
    assert (tmp_path / "project.mneme").read_text() == before
    receipt = link(A, B, "--type", kind, "--weight", "0.8")
    assert (receipt["action"], receipt["weight"]) == ("updated", 0.8)
    assert (tmp_path / "project.mneme").read_text() == before.replace("weight 0.30", "weight 0.80")
    assert {row[2] for row in rows(tmp_path, kind) if "sub_type" not in row[3] or kind == "causal"} >= {0.8}
    done = mneme("link", A, B, "--type", kind, "--weight", "0.8")
    assert done.out == f"{A} linked already with {B}: {kind} 0.8: project.mneme:1\n"


def test_a_mutual_link_is_the_same_from_the_other_end(tmp_path: Path, link: Link) -> None:
    link(A, B)
    receipt = link(B, A, "--weight", "0.7")
    assert (receipt["action"], receipt["line"]) == ("updated", 1)
    assert links(tmp_path) == ["relates FACT-0002 weight 0.70"]
    assert [row[2] for row in rows(tmp_path, "semantic")] == [0.7, 0.7]


def test_other_metadata_is_a_further_line_and_counts(tmp_path: Path, link: Link) -> None:
    """8.1: the row is replaced; the text never loses a link."""
    link(A, B, "--meta", '{"reason": "one"}')
    receipt = link(B, A, "--meta", '{"reason": "two"}')
    assert (receipt["action"], receipt["metadata"]["reason"]) == ("updated", "two")
    assert links(tmp_path) == ["relates FACT-0002 reason one", "relates FACT-0002 reason two"]
    assert link(A, B, "--type", "causal")["action"] == "added"
    assert link(A, B, "--type", "causal", "--weight", "0.6", "--meta", '{"sub_type": "prevents"}')["rows"] == 1
    assert [row[3]["sub_type"] for row in rows(tmp_path, "causal")] == ["prevents"]


def test_superseding_marks_the_old_cell(tmp_path: Path, mneme: Runner, link: Link) -> None:
    link(A, B, "--type", "supersedes", "--weight", "0.9")
    assert links(tmp_path) == ["supersedes FACT-0002 weight 0.90", "superseded-by DEC-0001 weight 0.90"]
    assert "state superseded" in (tmp_path / "project.mneme").read_text()
    done = mneme("link", B, A, "--type", "supersedes")
    assert (done.code, "is superseded: it replaces nothing" in done.err) == (2, True)


def test_what_another_program_wrote_gives_way(tmp_path: Path, mneme: Runner, link: Link) -> None:
    """8.1: an existing row is replaced."""
    mneme("compile")
    with open_store(tmp_path / ".mnemon/data/default/mnemon.db") as store, store.transaction():
        store.put_edges([Edge(A, B, "semantic", 0.1, {"created_by": "claude"}, "2026-11-20T00:00:00Z")], ours=False)
    assert link(A, B, "--weight", "0.6")["weight"] == 0.6
    assert [row[2] for row in rows(tmp_path, "semantic")] == [0.6, 0.6]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["DEC-9999", B], "source insight DEC-9999 not found"),
        ([A, "FACT-9999"], "target insight FACT-9999 not found"),
        (["DEC-1", B], "did you mean DEC-0001?"),
        ([A, "TODO-0003"], "target insight TODO-0003 not found: it is retired"),
        ([A, A], "cannot be linked with itself"),
        ([A, B, "--type", "narrative"], "'narrative' is not one of"),
        ([A, B, "--weight", "1.005"], "the weight is 1.00"),
        ([A, B, "--weight", "-1"], "the weight is -1.00"),
        ([A, B, "--weight", "nan"], "the weight is nan"),
        ([A, B, "--meta", "[]"], "invalid metadata JSON"),
        ([A, B, "--meta", "{"], "invalid metadata JSON"),
        ([A, B, "--meta", '{"a": 1}'], "invalid metadata JSON"),
        ([A, B, "--meta", '{"weight": "1"}'], "weight is no metadata"),
        ([A, B, "--meta", '{"a": ""}'], "the metadata 'a' is empty"),
        ([A, B, "--readonly"], "link is unavailable with --readonly"),
        ([A, B, "--store", "nowhere"], "there is no store nowhere"),
    ],
)
def test_what_is_refused(arguments: list[str], says: str, tmp_path: Path, mneme: Runner) -> None:
    """8.1, 8.12, 8.13; nothing is written."""
    path = tmp_path / "project.mneme"
    path.write_text(f"{path.read_text()}\n{cell('TODO-0003', gist='Done', state='retired')}")
    before = path.read_text()
    done = mneme("link", *arguments)
    assert done.code == 2
    assert says in done.err
    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["project.mneme"]


def test_layers(tmp_path: Path, mneme: Runner, link: Link) -> None:
    """A personal cell may link to a shared one, never the reverse; each store holds its own layer."""
    (tmp_path / "me.local.mneme").write_text(f"{cell('PREF-a1', gist='Mine')}\n{cell('PREF-b2', gist='Also mine')}")
    done = mneme("link", A, "PREF-a1")
    assert (done.code, "PREF-a1 is personal: a shared cell must not link to it" in done.err) == (2, True)
    receipt = link("PREF-a1", A)
    assert (receipt["rows"], receipt["path"]) == (0, "me.local.mneme")
    assert receipt["notes"] == [f"no edge: {A} is in another store than PREF-a1"]
    assert link("PREF-a1", "PREF-b2")["rows"] == 2


def test_a_named_store_knows_its_own_cells(tmp_path: Path, mneme: Runner) -> None:
    (tmp_path / "mneme.toml").write_text('[stores.ops]\nfiles = ["ops.mneme"]\n')
    (tmp_path / "ops.mneme").write_text(f"{cell('TODO-0001', gist='One')}\n{cell('TODO-0002', gist='Two')}")
    assert mneme("link", "TODO-0001", "TODO-0002", "--store", "ops").code == 0
    done = mneme("link", "TODO-0001", A, "--store", "ops")
    assert (done.code, "it stands in project.mneme:1, and this store is not compiled from" in done.err) == (2, True)


def test_a_row_of_another_program_is_no_cell(tmp_path: Path, mneme: Runner) -> None:
    mneme("compile")
    with open_store(tmp_path / ".mnemon/data/default/mnemon.db") as store, store.transaction():
        store.put_insights([Insight("u-1", "Theirs", created_at="2026-11-01T00:00:00Z")])
    done = mneme("link", A, "u-1")
    assert (done.code, "target insight u-1 not found" in done.err) == (2, True)
