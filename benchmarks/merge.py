"""What does a merge by cell cost? Compares the driver with git's merge by lines of the same bytes, in one run.

    python benchmarks/merge.py [--cells 10000] [--changes 500] [--repeat 7]

Two branches of one file, each with many changes: cells confirmed, doubted, linked, superseded, some of them the same
cells on both branches, and new cells at the end. In the last two rows both branches took the same numbers for their new
cells, so that the driver asks the repository whose they are. Whole processes, CPU time, the children's included; the
two programs take turns, and each figure is a median. Git leaves conflicts, the driver none.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from generate import TODAY, memory
from lint import cpu

FILE = "project.mneme"
NEW = 0.2
"""Which part of a branch's changes are new cells."""
SHARED = 0.2
"""Which part of the others is made to cells that the other branch changes too."""


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cells", type=int, default=10_000)
    arguments.add_argument("--changes", type=int, default=500)
    arguments.add_argument("--repeat", type=int, default=7)
    options = arguments.parse_args()
    print("                                                       git s  mneme s   ratio  conflicts of git, mneme")
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.repeat)
        text = memory(options.cells)
        title = f"{options.cells:,} cells, 2 x {options.changes} changes"
        for taken_twice in (False, True):
            texts = text, branch(text, options.changes, 1, 0), branch(text, options.changes, 2, 1 - taken_twice)
            what = "numbers taken twice" if taken_twice else "numbers of their own"
            bench.as_driver(f"{title}, {what}", texts)
            if taken_twice:
                bench.in_git(f"{title}, git merge as a whole", texts)


def branch(text: str, changes: int, seed: int, first: int) -> str:
    """Return ``text`` with ``changes`` changes; new cells are numbered from after the last, and ``first`` times on."""
    rng = random.Random(seed)
    parts = text.rstrip("\n").split("\n@ ")
    new = round(changes * NEW)
    places = random.Random(0).sample(range(1, len(parts)), 2 * changes)  # the first ones are both branches'
    shared = round((changes - new) * SHARED)
    own = places[shared:][seed - 1 :: 2]
    for at in [*places[:shared], *own][: changes - new]:
        parts[at] = rng.choice((confirmed, doubted, linked, superseded))(parts[at], rng)
    number = len(parts) + first * new
    parts += [
        f"DEC-{number + at:04d}  some/topic\ngist  The branch {seed} adds its cell {at}\n"
        f"state live   conf high   since {TODAY}   seen {TODAY}\ncue   new / cell {at}\n"
        f"link  relates DEC-{number:04d}\n"
        for at in range(new)
    ]
    return "\n@ ".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def confirmed(cell: str, rng: random.Random) -> str:
    """Return the cell seen a few days later."""
    return re.sub(r"seen \d{4}-\d\d-\d\d", f"seen 2026-11-{rng.randint(25, 27)}", cell)


def doubted(cell: str, _rng: random.Random) -> str:
    """Return the cell stale and unsure."""
    return re.sub(r"conf \w+", "conf low", cell.replace("state live", "state stale"))


def linked(cell: str, rng: random.Random) -> str:
    """Return the cell with one link more."""
    return f"{cell.rstrip()}\nlink  refines FACT-{rng.randint(1, 999):04d}\n"


def superseded(cell: str, rng: random.Random) -> str:
    """Return the cell superseded."""
    link = f"link  superseded-by FACT-{rng.randint(1, 999):04d}"
    return f"{cell.rstrip()}\n{link}\n".replace("state live", "state superseded")


class Bench:
    """A folder for the texts, with a home and caches of its own."""

    def __init__(self, folder: Path, repeat: int) -> None:
        self.folder = folder
        self.repeat = repeat
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "HOME": str(folder), "MNEME_CACHE_DIR": str(folder / "cache"), "MNEME_TODAY": TODAY.isoformat(),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@example.invalid",
            "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@example.invalid",
        }  # fmt: skip

    def git(self, *arguments: str, check: bool = True) -> bytes:
        """Run git quietly."""
        command = ["git", "-C", str(self.folder / "repository"), *arguments]
        return subprocess.run(command, env=self.env, check=check, capture_output=True).stdout

    def as_driver(self, title: str, texts: tuple[str, str, str]) -> None:
        """Run the driver itself as git runs it, and ``git merge-file``."""
        repository = self.repository(texts)
        versions = [repository / f".{name}" for name in ("base", "ours", "theirs")]

        def merge(*command: str, most: int = 0) -> float:
            for path, text in zip(versions, texts, strict=True):
                path.write_text(text, encoding="utf-8", newline="")
            return cpu([*command], self.env, most)[0]

        base, ours, theirs = map(str, versions)
        by_lines, by_cell, left = [], [], [0, 0]
        for _ in range(self.repeat):
            by_lines.append(merge("git", "merge-file", "-q", ours, base, theirs, most=127))  # a number of conflicts
            left[0] = conflicts(versions[1])
            by_cell.append(
                merge(sys.executable, "-m", "mneme", "-C", str(repository), "merge-driver", base, ours, theirs, FILE)
            )
            left[1] = conflicts(versions[1])
        self.row(title, by_lines, by_cell, left)

    def in_git(self, title: str, texts: tuple[str, str, str]) -> None:
        """Run ``git merge`` without the driver, then with it as ``mneme install-git`` sets it."""
        repository = self.repository(texts)
        subprocess.run(
            [sys.executable, "-m", "mneme", "-C", str(repository), "install-git"],
            env=self.env, check=True, capture_output=True,
        )  # fmt: skip
        by_lines, by_cell, left = [], [], [0, 0]
        for _ in range(self.repeat):
            for at, (figures, driver) in enumerate(((by_lines, "text"), (by_cell, "mneme"))):
                (repository / ".gitattributes").write_text(f"*.mneme merge={driver}\n", encoding="utf-8")
                merge = ["git", "-C", str(repository), "merge", "-q", "--no-commit", "theirs"]
                figures.append(cpu(merge, self.env)[0])
                left[at] = conflicts(repository / FILE)
                self.git("merge", "--abort")
        self.row(title, by_lines, by_cell, left)

    def repository(self, texts: tuple[str, str, str]) -> Path:
        """Make a repository with the three versions."""
        path = self.folder / "repository"
        if path.exists():
            shutil.rmtree(path)
        path.mkdir()
        self.git("init", "-q", "-b", "main")
        for name, text in zip(("", "ours", "theirs"), texts, strict=True):
            if name:
                self.git("switch", "-q", "-c", name, "main")
            (path / FILE).write_text(text, encoding="utf-8", newline="")
            self.git("add", FILE)
            self.git("commit", "-q", "-m", name or "base")
        self.git("switch", "-q", "ours")
        return path

    def row(self, title: str, by_lines: list[float], by_cell: list[float], left: list[int]) -> None:
        """Print the medians, and the median of the ratios."""
        ratio = statistics.median(b / a for a, b in zip(by_lines, by_cell, strict=True))
        print(
            f"{title:<52}{statistics.median(by_lines):>8.3f} {statistics.median(by_cell):>8.3f} {ratio:>6.1f}x"
            f"  {left[0]}, {left[1]}", flush=True,
        )  # fmt: skip


def conflicts(path: Path) -> int:
    """Return how many conflicts a merge left."""
    return path.read_text(encoding="utf-8").count("\n<<<<<<< ")


if __name__ == "__main__":
    main()
