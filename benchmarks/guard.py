"""What does the guard cost? Compares lint with its own --no-history, in one run and in CPU time, git's included.

    python benchmarks/guard.py [--cells 10000] [--commits 5000] [--repeat 7]

First a file of many cells of which 20 changed since the commit. Then a repository with many commits, in which one cell
is new: whether its ID was in use before is asked of all of them, once without what was kept (``first``), then with it
(``again``). Each figure is the median of whole processes; the two programs take turns.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from generate import TODAY, memory
from lint import cpu

CHANGED = 20
FILE = "project.mneme"


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cells", type=int, default=10_000)
    arguments.add_argument("--commits", type=int, default=5_000)
    arguments.add_argument("--repeat", type=int, default=7)
    options = arguments.parse_args()
    print("                                             without s  with s  ratio")
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.repeat)
        bench.changed_cells(options.cells)
        bench.long_history(options.commits)


class Bench:
    """A folder for repositories, with a home and caches of its own."""

    def __init__(self, folder: Path, repeat: int) -> None:
        self.folder = folder
        self.repeat = repeat
        self.cache = folder / "cache"
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "HOME": str(folder), "MNEME_CACHE_DIR": str(self.cache), "MNEME_TODAY": TODAY.isoformat(),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@example.invalid",
            "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@example.invalid",
        }  # fmt: skip

    def git(self, repository: Path, *arguments: str, stdin: bytes = b"") -> None:
        """Run git quietly."""
        subprocess.run(
            ["git", "-C", str(repository), *arguments], env=self.env, input=stdin, check=True, capture_output=True
        )

    def lint(self, repository: Path, *options: str) -> float:
        """Return the CPU seconds of one lint."""
        return cpu([sys.executable, "-m", "mneme", "-C", str(repository), "lint", *options], self.env)[0]

    def row(self, title: str, without: list[float], with_: list[float]) -> None:
        """Print the medians, and the median of the ratios."""
        ratio = statistics.median(b / a for a, b in zip(without, with_, strict=True))
        print(
            f"{title:<45}{statistics.median(without):>9.3f} {statistics.median(with_):>7.3f} {ratio:>5.2f}x", flush=True
        )

    def changed_cells(self, cells: int) -> None:
        """A big file, 20 cells of it changed legally."""
        repository = self.folder / "big"
        repository.mkdir()
        self.git(repository, "init", "-q")
        text = memory(cells)
        (repository / FILE).write_text(text, encoding="utf-8", newline="")
        self.git(repository, "add", ".")
        self.git(repository, "commit", "-q", "-m", "memory")
        (repository / FILE).write_text(confirmed(text, CHANGED), encoding="utf-8", newline="")
        for name, options in (("cold", ["--no-cache"]), ("warm", [])):
            self.lint(repository, *options)
            without, with_ = [], []
            for _ in range(self.repeat):
                without.append(self.lint(repository, "--no-history", *options))
                with_.append(self.lint(repository, *options))
            self.row(f"{cells:,} cells, {CHANGED} changed, {name}", without, with_)

    def long_history(self, commits: int) -> None:
        """A file of a fifth as many cells as there are commits, each of which added or confirmed one."""
        repository = self.folder / "long"
        repository.mkdir()
        self.git(repository, "init", "-q", "-b", "main")
        cells = max(2, commits // 5)
        text = memory(cells, seed=2)
        self.git(repository, "fast-import", "--quiet", stdin=history(text, commits))
        self.git(repository, "reset", "-q", "--hard")
        title = f"{commits:,} commits, {cells:,} cells"
        without = [self.lint(repository, "--no-history") for _ in range(self.repeat)]
        self.row(f"{title}, nothing new", without, [self.lint(repository) for _ in range(self.repeat)])
        with (repository / FILE).open("a", encoding="utf-8", newline="") as stream:
            stream.write(NEW)
        without, first, again = [], [], []
        for _ in range(self.repeat):
            without.append(self.lint(repository, "--no-history"))
            for kept in self.cache.glob("*.held"):
                kept.unlink()
            first.append(self.lint(repository))
            again.append(self.lint(repository))
        self.row(f"{title}, one new cell, first", without, first)
        self.row(f"{title}, one new cell, again", without, again)
        shutil.rmtree(repository)


NEW = """
@ DEC-9999  some/topic
gist  A cell that no commit holds yet
state live   conf high   since 2026-11-24   seen 2026-11-24
cue   new
"""


def confirmed(text: str, count: int) -> str:
    """Return ``text`` with ``count`` cells, spread evenly, seen today."""
    parts = text.split("\n@ ")
    for number in range(count):
        at = 1 + number * (len(parts) - 1) // count
        parts[at] = re.sub(r"seen \d{4}-\d\d-\d\d", f"seen {TODAY.isoformat()}", parts[at])
    return "\n@ ".join(parts)


def history(text: str, commits: int) -> bytes:
    """Return a stream for git fast-import: every fifth commit adds a cell, the others confirm one."""
    parts = text.split("\n@ ")
    shown = [parts[0]]
    stream: list[bytes] = []
    for number in range(commits):
        if number % 5 == 0 and len(shown) < len(parts):
            shown.append(parts[len(shown)])
        else:
            at = 1 + number * 7919 % (len(shown) - 1)
            day = f"2026-11-{1 + number % 25:02d}"
            shown[at] = re.sub(r"seen \d{4}-\d\d-\d\d", f"seen {day}", shown[at])
        data = ("\n@ ".join(shown) + "\n").encode()
        parent = f"from :{number}\n" if number else ""
        stream.append(
            f"commit refs/heads/main\nmark :{number + 1}\n"
            f"committer b <b@example.invalid> {1_700_000_000 + number * 3600} +0000\ndata 1\nx\n{parent}"
            f"M 100644 inline {FILE}\ndata {len(data)}\n".encode()
        )
        stream += [data, b"\n"]
    return b"".join(stream)


if __name__ == "__main__":
    main()
