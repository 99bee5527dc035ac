"""How fast is the linter? Compares it, in one run and in CPU time, with a plain parser that makes the classic checks.

    python benchmarks/lint.py [--sizes 100,1000,10000,100000] [--repeat 5] [--secrets]

Each figure is a whole process (start-up, imports and all), the median over the repeats; the two programs take turns.
``cold`` is the first run there ever was (no cache of any kind), ``warm`` the run after one cell has changed.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from generate import TODAY, memory

HERE = Path(__file__).resolve().parent


def cpu(command: list[str], env: dict[str, str], most: int = 1) -> tuple[float, float]:
    """Run ``command``; return its CPU seconds (user and system) and the largest peak memory so far, in MB.

    An exit code above ``most`` ends the measurement.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode > most:
        raise SystemExit(f"{command}: exit {done.returncode}: {done.stderr.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default="100,1000,10000,100000")
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--secrets", action="store_true", help="measure with the detector of mneme[secrets] too")
    options = arguments.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    print("  cells baseline s  cold s  ratio  warm s  ratio  secrets  peak MB")
    cold_by_size: dict[int, float] = {}
    for size in sizes:
        row = measure(size, options.repeat if size < 100_000 else min(options.repeat, 3), options.secrets)
        cold_by_size[size] = row["cold"]
        secrets = f"{row['secrets'] / row['base']:7.2f}x" if "secrets" in row else "-"
        print(
            f"{size:>7} {row['base']:>10.3f} {row['cold']:>7.3f} {row['cold_ratio']:>5.2f}x {row['warm']:>7.3f} "
            f"{row['warm_ratio']:>5.2f}x {secrets:>8} {row['peak']:>8.0f}",
            flush=True,
        )
    if {10_000, 100_000} <= cold_by_size.keys():
        print(f"growth: 100,000 cells cost {cold_by_size[100_000] / cold_by_size[10_000]:.1f} times 10,000")


def measure(size: int, repeat: int, secrets: bool) -> dict[str, float]:
    """Return the medians for a file of ``size`` cells."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memory.mneme")
        text = memory(size)
        path.write_text(text, encoding="utf-8", newline="")
        env = {**os.environ, "HOME": folder, "MNEME_CACHE_DIR": f"{folder}/cache", "MNEME_TODAY": TODAY.isoformat()}
        base = [sys.executable, str(HERE / "classic_baseline.py"), str(path), TODAY.isoformat()]
        lint = [sys.executable, "-m", "mneme", "-C", folder, "lint", "memory.mneme"]
        core = [*lint, "--ignore", "MN604"]
        cpu(base, env), cpu(core, env)  # warm the disk, fill the cache
        rows: dict[str, list[float]] = {name: [] for name in ("base", "cold", "warm", "cold_ratio", "warm_ratio")}
        for turn in range(repeat):
            rows["base"].append(cpu(base, env)[0])
            rows["cold"].append(cpu(core, {**env, "MNEME_CACHE_DIR": f"{folder}/none{turn}"})[0])
            path.write_text(text.replace("gist  ", f"gist  changed{turn} ", 1), encoding="utf-8", newline="")
            rows["warm"].append(cpu(core, env)[0])
            rows["cold_ratio"].append(rows["cold"][-1] / rows["base"][-1])
            rows["warm_ratio"].append(rows["warm"][-1] / rows["base"][-1])
        result = {name: statistics.median(values) for name, values in rows.items()}
        result["peak"] = cpu(base, env)[1]
        if secrets:
            fresh = [{**env, "MNEME_CACHE_DIR": f"{folder}/secrets{turn}"} for turn in range(repeat)]
            result["secrets"] = statistics.median([cpu(lint, own)[0] for own in fresh])
        return result


if __name__ == "__main__":
    main()
