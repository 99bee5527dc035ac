"""kill -9 at every step of ``mneme project``: each file is old or new, and the next run completes it."""

from __future__ import annotations

from pathlib import Path

from mneme.bridge.projection.blocks import BEGIN, END
from tests.conftest import Runner, cell
from tests.faults.test_writers_killed import run_and_die

CONFIG = '[projections]\nout = "rt"\nblocks = ["CLAUDE.md"]\nclaude-memory = "memory"\n'
OLD = {"rt/MEMORY.md": "mine\n", "CLAUDE.md": f"# Ours\n{BEGIN}\nold\n{END}\n", "memory/MEMORY.md": "own\n"}


def made(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for part in ("rt", "memory", "CLAUDE.md")
        for path in ([folder / part] if part.endswith(".md") else (folder / part).rglob("*"))
        if path.is_file()
    }


def test_whole_files_and_completed_by_the_next(mneme: Runner, tmp_path: Path) -> None:
    def fresh(name: str) -> Path:
        folder = tmp_path / name
        for file, text in {**OLD, "mneme.toml": CONFIG, "project.mneme": MEMORY}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        return folder

    wanted = fresh("wanted")
    assert mneme("project", cwd=wanted).code == 0
    new = made(wanted)
    at, step = 1, 3
    while run_and_die(["project"], folder := fresh(f"at{at}"), at):
        for name, text in made(folder).items():
            if not name.endswith(".tmp"):
                assert text in (OLD.get(name), new.get(name)), (at, name)
        assert mneme("project", cwd=folder).code == 0
        assert made(folder) == new, at
        at += step
    assert at > 20


MEMORY = f"{cell('DEC-0001')}\n{cell('PREF-0001', gist='Short sentences', topic='style')}"
