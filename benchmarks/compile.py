"""What does a compile cost? Whole processes in CPU time, held against parsing and loading alone, in one run.

    python benchmarks/compile.py [--sizes 10000,100000] [--repeat 5]

The base is what no compile can do without: a process that parses the same files, and one that puts the same insights
and edges into an empty SQLite file with the same indexes, by nothing but SQL. ``nothing`` is a compile where there is
no store yet; the others find one of all the cells: nothing changed, a cell confirmed, added, superseded by a new one,
and the oldest cell retired, which touches the graph most. Each figure is the median over the repeats; commands take
turns. Without ``--repeat``, 100,000 cells are measured twice.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from generate import TODAY, workspace
from process import Cost, cost, environment

PARSE = """
import sys
from pathlib import Path
from mneme.format.parser import parse
print(sum(len(parse(path.read_text(encoding="utf-8")).cells) for path in Path(sys.argv[1]).rglob("*.mneme")))
"""

LOAD = """
import sqlite3, sys
source, target = (sqlite3.connect(name, isolation_level=None) for name in sys.argv[1:])
later = []
made = "SELECT sql FROM sqlite_master WHERE tbl_name IN ('insights', 'edges') AND type != 'trigger' AND sql != ''"
for (sql,) in source.execute(made):
    (later.append if sql.startswith("CREATE INDEX") else target.execute)(sql)
target.execute("PRAGMA journal_mode = WAL")
target.execute("BEGIN")
for table in ("insights", "edges"):
    found = source.execute(f"SELECT * FROM {table}").fetchall()
    target.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(found[0]))})", found)
for sql in later:
    target.execute(sql)
target.execute("COMMIT")
target.close()
"""


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default="10000,100000")
    arguments.add_argument("--repeat", type=int, default=0)
    options = arguments.parse_args()
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            Bench(Path(folder), size).run(options.repeat or (5 if size < 50_000 else 2))


class Bench:
    """A workspace of many cells, and the commands on it."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        self.folder = folder / "workspace"
        self.env = environment(folder)
        self.store = self.folder / ".mnemon" / "data" / "default" / "mnemon.db"
        self.first = ""
        for name, text in workspace(size).items():
            path = self.folder / name
            self.first = self.first or name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        self.compile = [sys.executable, "-m", "mneme", "-C", str(self.folder), "compile"]

    def run(self, repeat: int) -> None:
        """Measure, and print."""
        cost(self.compile, self.env)  # warms the disk and keeps what Python compiled
        rows: dict[str, list[Cost]] = {}
        bare = self.folder.parent / "bare.db"
        for turn in range(repeat):
            for path in (self.store, bare):
                path.unlink(missing_ok=True)
            self._take(rows, "nothing", self.compile)
            self._take(rows, "parse", [sys.executable, "-c", PARSE, self.folder])
            self._take(rows, "load", [sys.executable, "-c", LOAD, self.store, bare])
            self._take(rows, "no change", self.compile)
            for name, change in self._changes(turn):
                change()
                self._take(rows, name, self.compile)
        base = [parse.cpu + load.cpu for parse, load in zip(rows["parse"], rows["load"], strict=True)]
        with closing(sqlite3.connect(self.store)) as database:
            (edges,) = database.execute("SELECT count(*) FROM edges").fetchone()
        sizes = [path.stat().st_size for path in self.folder.rglob("*.mneme")]
        print(
            f"{self.size:,} cells in {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB of text; {edges:,} edges; store"
            f" {self.store.stat().st_size / 1e6:.0f} MB, bare {bare.stat().st_size / 1e6:.0f} MB"
        )
        for name, costs in rows.items():
            seconds = statistics.median(one.cpu for one in costs)
            ratio = statistics.median(one.cpu / whole for one, whole in zip(costs, base, strict=True))
            peak = max(one.peak for one in costs)
            print(f"  {name:<12}{seconds:>8.3f} s {ratio:>7.2f} of parse and load {peak:>7.0f} MB", flush=True)

    def _take(self, rows: dict[str, list[Cost]], name: str, command: list[str | Path]) -> None:
        rows.setdefault(name, []).append(cost(command, self.env))

    def _changes(self, turn: int) -> Iterator[tuple[str, Callable[[], object]]]:
        path = self.folder / self.first
        number = 5_000_000 + turn

        def edit(change: Callable[[str], str]) -> None:
            path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", newline="")

        def confirmed(text: str) -> str:
            parts = text.split("\n@ ")
            parts[len(parts) // 2] = re.sub(
                r"seen [\d-]+", f"seen {TODAY.replace(day=1 + turn)}", parts[len(parts) // 2]
            )
            return "\n@ ".join(parts)

        def added(text: str, link: str = "") -> str:
            return (
                f"{text}@ DEC-{number + bool(link) * 1000}  storage/cache\n"
                "gist  Redis replaces the cache because writes fail\n"
                f"state live   conf high   since {TODAY}   seen {TODAY}\ncue   slow writes / {turn}\n{link}\n"
            )

        def superseded(text: str) -> str:
            head, mark, last = text.rpartition("state live")
            old = head.rpartition("\n@ ")[2].split()[0]
            text = f"{head}{mark.replace('live', 'superseded')}{last}"
            return added(text, f"link  supersedes {old}\n")

        yield "confirmed", lambda: edit(confirmed)
        yield "added", lambda: edit(added)
        yield "superseded", lambda: edit(superseded)
        yield "oldest gone", lambda: edit(lambda text: text.replace("state live", "state retired", 1))


if __name__ == "__main__":
    main()
