"""A repository with a past, for tests: commits by named people on named days."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HOUR = "T12:00:00+00:00"


class Past:
    """A git repository in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, day: str = "2026-11-25", by: str = "Ann", check: bool = True) -> str:
        """Run git as a person on a day (or at a time: ``2026-11-25T09:00:00+00:00``)."""
        moment = day if "T" in day else day + HOUR
        who = {
            f"GIT_{role}_{fact}": value
            for role in ("AUTHOR", "COMMITTER")
            for fact, value in (("NAME", by), ("EMAIL", f"{by.lower()}@example.invalid"), ("DATE", moment))
        }
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env={**os.environ, **who}, capture_output=True, text=True, check=False
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def put(self, files: dict[str, str | None]) -> None:
        """Write files, delete those with None."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="")

    def commit(self, message: str, files: dict[str, str | None], *, day: str = "2026-11-25", by: str = "Ann") -> str:
        """Write files and commit everything; returns the commit."""
        self.put(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, day=day, by=by)
        return self.git("rev-parse", "HEAD").strip()
