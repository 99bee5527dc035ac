"""``mneme sync``: what somebody else did to hot memory, as data."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Runner

SCENARIOS: list[dict[str, Any]] = tomllib.loads(
    (ROOT / "tests/cases/sync/scenarios.toml").read_text(encoding="utf-8")
)["scenario"]  # fmt: skip
USER = ["PREF-0001 Likes tea", "PREF-0002 Writes in English"]
MEMORY = ["FACT-0001 Logs rotate daily", "DEC-0001 Cache is SQLite"]
LATER = "2026-11-25T20:00:00.000Z"


def cell(state: str, cell_id: str, gist: str, day: int) -> str:
    word, *more = state.split(" ", 1)
    date = f"2026-11-{day}"
    tail = "".join(f"   {one}" for one in more)
    return f"@ {cell_id}  x\ngist  {gist}\nstate {word}   conf med   since {date}   seen {date}{tail}\ncue   {gist}\n\n"


class Folder:
    """A workspace with hot memory, and what somebody else does there."""

    def __init__(self, root: Path) -> None:
        self.text = root / "project.mneme"
        self.hot = root / ".mnemon" / "runtime"
        entries = [line.split(" ", 1) for line in (*USER, *MEMORY)]
        cells = [cell("live", cell_id, gist, 20 + at) for at, (cell_id, gist) in enumerate(entries)]
        self.text.write_text("".join(cells), encoding="utf-8")

    def do(self, step: list[str]) -> None:
        name, *given = step
        match name:
            case "text":
                self._swap(self.text, *given)
            case "cell":
                with self.text.open("a", encoding="utf-8") as stream:
                    stream.write(cell(*given, 24))  # type: ignore[arg-type]
            case "append":
                with (self.hot / given[0]).open("ab") as stream:
                    stream.write(given[1].encode())
            case "edit":
                self._swap(self.hot / given[0], *given[1:])
            case "write":
                (self.hot / given[0]).write_text(given[1], encoding="utf-8")
            case "delete":
                (self.hot / given[0]).unlink()
            case _:
                self._json(name.removeprefix("json-"), given)

    @staticmethod
    def _swap(path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def _json(self, name: str, given: list[str]) -> None:
        path = self.hot / "memories.json"
        data = json.loads(path.read_text(encoding="utf-8"))
        entries = data["entries"]
        if name == "add":
            fields = {"content": given[1], "created_at": LATER, "updated_at": LATER, "target": given[0]}
            entries.append({**fields, "importance": [*given, "normal"][2]})
        elif name == "empty":
            entries.clear()
        else:
            at = next(at for at, one in enumerate(entries) if one["content"] == given[0])
            if name == "drop":
                del entries[at]
            else:
                entries[at]["updated_at"] = LATER
                entries[at]["content" if name == "replace" else "importance"] = given[1]
        path.write_text(json.dumps(data, indent=2), encoding="utf-8")

    def everything(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.text.parent.rglob("*") if path.is_file()}


def said(changes: list[dict[str, str]]) -> list[str]:
    return [" ".join(filter(None, (one["kind"], one["id"], one["new_id"], one["content"]))) for one in changes]


def entries(lines: list[str]) -> str:
    parts = (line.split(" ", 1) for line in lines)
    return "\n§\n".join(f"[{cell_id}] {gist}" for cell_id, gist in parts) + "\n" if lines else ""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one["name"] for one in SCENARIOS])
def test_scenario(mneme: Runner, tmp_path: Path, scenario: dict[str, Any]) -> None:
    folder = Folder(tmp_path)
    assert mneme("sync").code == 0
    for step in scenario["do"]:
        folder.do(step)
    before = folder.everything()
    plan = json.loads(mneme("sync", "--dry-run", "--format", "json").out)
    assert folder.everything() == before
    done = mneme("sync", "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert said(found["changes"]) == scenario["changes"]
    assert [one["kind"] for one in plan["changes"]] == [one["kind"] for one in found["changes"]]
    assert plan["written"] == found["written"]
    user, memory = scenario.get("user", USER), scenario.get("memory", MEMORY)
    assert (folder.hot / "USER.md").read_text(encoding="utf-8") == entries(user)
    assert (folder.hot / "MEMORY.md").read_text(encoding="utf-8") == entries(memory)
    records = json.loads((folder.hot / "memories.json").read_text(encoding="utf-8"))["entries"]
    assert [one["content"] for one in records] == [
        line for text in (entries(user), entries(memory)) for line in text.splitlines() if line != "§"
    ]
    text = folder.text.read_text(encoding="utf-8")
    for piece in scenario.get("holds", []):
        assert piece.replace("source memories.json", "source=memories.json") in text
    for piece in scenario.get("lacks", []):
        assert piece not in text
    settled = folder.everything()
    again = json.loads(mneme("sync", "--format", "json").out)
    assert (again["changes"], again["written"]) == ([], [])
    assert folder.everything() == settled
    assert mneme("lint", "--no-history").code == 0
