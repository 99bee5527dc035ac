"""``mneme runtime``, ``maintain`` and ``sync`` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner

USER = ("--target", "user")


def test_a_session(mneme: Runner, tmp_path: Path) -> None:
    assert mneme("runtime", "add", "Likes tea", *USER).out == ("PREF-0001 added: user has 1 entry, 21 of 4096 bytes\n")
    assert mneme("runtime", "add", "Likes tea", *USER).out.startswith("PREF-0001 already exists: ")
    done = mneme("runtime", "replace", "tea", "Likes coffee", *USER, "--format", "json")
    assert json.loads(done.out)["replaced"]["to"] == "[PREF-0002] Likes coffee"
    shown = json.loads(mneme("runtime", "show", "--format", "json").out)
    assert [one["content"] for one in shown["entries"]] == ["[PREF-0002] Likes coffee"]
    assert mneme("runtime", "show").out.splitlines()[:2] == [
        "user: 24 of 4096 bytes", "  normal    [PREF-0002] Likes coffee",
    ]  # fmt: skip
    assert mneme("sync").err == "mneme: cells and hot memory agree\n"
    assert mneme("runtime", "remove", "coffee", *USER).code == 0
    assert (tmp_path / ".mnemon/runtime/USER.md").read_bytes() == b""


def test_the_protocol_is_the_same_at_every_turn(mneme: Runner) -> None:
    before = mneme("runtime", "context", "--format", "json")
    mneme("runtime", "add", "Likes tea", *USER)
    after = mneme("runtime", "context", "--format", "json")
    first, second = json.loads(before.out), json.loads(after.out)
    assert first["protocol"] == second["protocol"]
    assert first["state"] != second["state"]
    assert second["state_bytes"] == len(second["state"].encode())
    assert mneme("runtime", "context").out == f"{second['protocol']}\n{second['state']}"
    assert mneme("runtime", "context", "--part", "state").out == second["state"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("runtime", "add", "x" * 5000, *USER), 10),
        (("runtime", "replace", "Likes", "x", *USER), 12),
        (("runtime", "remove", "nothing", *USER), 13),
        (("runtime", "add", "a § b", *USER), 2),
        (("maintain", "apply", "plan.json", "bad.json"), 14),
        (("maintain", "apply", "old.json", "good.json"), 11),
    ],
)
def test_exit_codes(mneme: Runner, tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    mneme("runtime", "add", "Likes tea", *USER)
    mneme("runtime", "add", "Likes cake", *USER)
    plan = mneme("maintain", "plan", *USER).out
    (tmp_path / "plan.json").write_text(plan, encoding="utf-8")
    (tmp_path / "old.json").write_text(json.dumps({**json.loads(plan), "revision": "0" * 64}), encoding="utf-8")
    good = {
        "summary": "", "action": "compacted",
        "compactedEntries": [{"content": "Likes both", "importance": "normal", "sourceIndexes": [1, 2]}],
    }  # fmt: skip
    (tmp_path / "good.json").write_text(json.dumps(good), encoding="utf-8")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    done = mneme(*arguments)
    assert done.code == code
    assert "nothing was" in done.err or code in (2, 13)


def test_a_full_target_prints_the_request_and_the_answer_is_applied(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "mneme.toml").write_text("[projections]\nuser-limit = 60\n", encoding="utf-8")
    mneme("runtime", "add", "Likes tea in the morning", *USER)
    full = mneme("runtime", "add", "Likes cake", *USER)
    assert full.code == 10
    plan = json.loads(full.out)
    assert plan["pending"]["content"] == "Likes cake"
    plan["answer"] = {
        "summary": "", "action": "compacted",
        "compactedEntries": [{"content": "Likes tea", "importance": "normal", "sourceIndexes": [1]}],
    }  # fmt: skip
    done = mneme("maintain", "apply", "-", stdin=json.dumps(plan).encode())
    assert done.code == 0, done.err
    assert (tmp_path / ".mnemon/runtime/USER.md").read_text(encoding="utf-8") == (
        "[PREF-0002] Likes tea\n§\n[PREF-0003] Likes cake\n"
    )


def test_a_dry_run_writes_nothing(mneme: Runner, tmp_path: Path) -> None:
    mneme("runtime", "add", "Likes tea", *USER)
    file = tmp_path / ".mnemon/runtime/USER.md"
    file.write_text(file.read_text(encoding="utf-8") + "\nWritten by hand\n", encoding="utf-8")
    text = (tmp_path / "project.mneme").read_bytes()
    plan = mneme("sync", "--dry-run")
    assert plan.out.startswith("USER.md: a new cell says what was added: 'Written by hand'")
    assert (tmp_path / "project.mneme").read_bytes() == text
    assert "Written by hand" in file.read_text(encoding="utf-8")
    assert json.loads(mneme("sync", "--format", "json").out)["changes"][0]["kind"] == "added"
    assert b"Written by hand" in (tmp_path / "project.mneme").read_bytes()
