#!/usr/bin/env python3
"""Fill a folder with every wheel that building and installing this project needs, so that tests install offline.

    python scripts/build_wheelhouse.py            fill .wheelhouse/ (needs a package index once; fast when present)
    python scripts/build_wheelhouse.py --check    exit 1 unless the folder is what pyproject.toml asks for

Point pip at the folder with PIP_NO_INDEX=1 and PIP_FIND_LINKS=<folder>. What is needed is read from pyproject.toml:
the runtime dependencies, the build system's requirements, and wheel. Changing those rebuilds the folder.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELHOUSE = ROOT / ".wheelhouse"
STAMP = "wheelhouse.json"


def wanted() -> dict[str, object]:
    """Return what the folder must hold, and for which interpreter: the content of its stamp."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = {*data["project"]["dependencies"], *data["build-system"]["requires"], "wheel"}
    return {
        "requirements": sorted(requirements),
        "python": sysconfig.get_python_version(),
        "platform": sysconfig.get_platform(),
    }


def is_current(folder: Path) -> bool:
    """Whether ``folder`` holds all that is wanted."""
    try:
        stamp = json.loads((folder / STAMP).read_bytes())
    except (OSError, ValueError):
        return False
    files = stamp.pop("files", [])
    return bool(files) and stamp == wanted() and all((folder / name).is_file() for name in files)


def build(folder: Path) -> int:
    """Fill ``folder`` in one step: nobody sees it half full. Returns pip's exit code."""
    stamp = wanted()
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "-w", str(fresh)]
        code = subprocess.run([*command, *map(str, stamp["requirements"])], check=False).returncode  # type: ignore[call-overload]
        if code:
            print(f"{Path(__file__).name}: pip could not get the wheels (exit {code}), see above", file=sys.stderr)
            return code
        stamp["files"] = sorted(path.name for path in fresh.glob("*.whl"))
        (fresh / STAMP).write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
        fresh.chmod(0o755)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            fresh.replace(folder)
        except OSError:
            if not is_current(folder):  # else another process was faster
                raise
        print(f"{folder}: {len(stamp['files'])} wheels")  # type: ignore[arg-type]
        return 0
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fill a folder with the wheels that tests install from.")
    parser.add_argument("folder", nargs="?", type=Path, default=WHEELHOUSE, help="default: .wheelhouse in the checkout")
    parser.add_argument("--check", action="store_true", help="only say whether it is complete")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.absolute()
    if is_current(folder):
        return 0
    if arguments.check:
        print(f"{folder} is missing or out of date: run python scripts/build_wheelhouse.py", file=sys.stderr)
        return 1
    return build(folder)


if __name__ == "__main__":
    sys.exit(main())
