"""How fast is recall? Whole processes and warm calls, in CPU time, at several sizes in one run.

    python benchmarks/recall_speed.py [--sizes 1000,10000,100000] [--questions 12]

``process`` is a whole ``mneme recall`` with start-up and imports, and its ratio to ``mneme --version``, which only
starts; the same questions go to every size. ``behind`` is a recall after one cell of the text changed, which is laid
over the store in memory. ``warm`` is a call in a process that has answered before: it looks at the files, opens the
store and answers; ``ranked`` is the part of that which finds and orders, in a store that is open. Each figure is the
median over the questions, in milliseconds, with the largest behind it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from generate import TODAY, questions, workspace
from process import cost, environment

RANKERS = ("mneme", "magma")


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default="1000,10000,100000")
    arguments.add_argument("--questions", type=int, default=12)
    options = arguments.parse_args()
    print("  cells ranker    process ms (max) of a start  behind ms   warm ms (max)  ranked ms (max)")
    whole: dict[str, dict[int, float]] = {ranker: {} for ranker in RANKERS}
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(Path(folder), size, options.questions)
            for ranker in RANKERS:
                whole[ranker][size] = bench.run(ranker)
    for ranker, by_size in whole.items():
        least, most = min(by_size), max(by_size)
        if least < most:
            print(f"growth, {ranker}: {most:,} cells cost {by_size[most] / by_size[least]:.2f} times {least:,}")


class Bench:
    """A compiled workspace, and questions to it."""

    def __init__(self, folder: Path, size: int, count: int) -> None:
        self.size = size
        self.folder = folder / "workspace"
        self.env = environment(folder)
        self.asked = questions(count, 1000)
        self.files: list[Path] = []
        for name, text in workspace(size).items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
            self.files.append(path)
        self.command = [sys.executable, "-m", "mneme", "-C", str(self.folder)]
        cost([*self.command, "compile"], self.env)

    def run(self, ranker: str) -> float:
        """Measure one ranker, print its row, and return the median of the whole processes."""
        recall = [*self.command, "recall", "--ranker", ranker, "--"]
        cost([*recall, "once"], self.env)
        start = statistics.median([cost([*self.command, "--version"], self.env).cpu for _ in range(5)])
        process = [cost([*recall, question], self.env).cpu for question in self.asked]
        warm, ranked = self._warm(ranker)
        text = self.files[0].read_text(encoding="utf-8")
        new = "@ DEC-7000001  storage/cache\ngist  Something else\nstate live   since 2026-11-20   seen 2026-11-20\n\n"
        self.files[0].write_text(text + new, encoding="utf-8", newline="")
        behind = [cost([*recall, question], self.env).cpu for question in self.asked[:5]]
        self.files[0].write_text(text, encoding="utf-8", newline="")
        median = statistics.median(process)
        print(
            f"{self.size:>7} {ranker:<8}{_shown(process):>18}{median / start:>10.1f}x"
            f"{statistics.median(behind) * 1000:>11.0f}{_shown(warm):>16}{_shown(ranked):>17}",
            flush=True,
        )
        return median

    def _warm(self, ranker: str) -> tuple[list[float], list[float]]:
        from mneme.bridge.bound import BoundStore
        from mneme.graph.store import Reader, read
        from mneme.graph.view import Scope
        from mneme.memory.recalling import Asking, Moment, recall
        from mneme.recall.pipeline import recall as ask
        from mneme.workspace import Workspace

        moment = Moment(TODAY, datetime(2026, 11, 25, tzinfo=UTC))
        workspace = Workspace.find(self.folder, home=self.folder.parent, near=self.folder)
        bound = BoundStore.chosen(workspace, {})

        def asking(reader: Reader) -> list[float]:
            view = reader.view(Scope())
            return self._timed(lambda question: ask(view, question, ranker=ranker))

        warm = self._timed(lambda question: recall(bound, [question], Asking(ranker=ranker), moment))
        return warm, read(bound.path, asking)

    def _timed(self, answer: Callable[[str], object]) -> list[float]:
        answer("once")
        found = []
        for question in self.asked:
            before = time.process_time()
            answer(question)
            found.append(time.process_time() - before)
        return found


def _shown(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f} ({max(seconds) * 1000:.0f})"


if __name__ == "__main__":
    os.environ.pop("MNEME_TODAY", None)
    main()
