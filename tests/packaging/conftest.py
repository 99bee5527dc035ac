"""Builds once what the packaging tests look at: a copy of the checkout, wheel and sdist, the one-file archive."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT, TODAY

BARE_ENVIRONMENT = {"MNEME_TODAY": TODAY, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "PATH": os.defpath}
BUILD = """\
import os, sys, setuptools.build_meta as backend
os.environ["SOURCE_DATE_EPOCH"] = "1750000000"
output = sys.argv[1]
backend.build_wheel(output)
backend.build_sdist(output)
"""


@dataclass
class Environment:
    """A virtual environment of its own."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def run(self, *arguments: str | Path, cwd: Path, home: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run its interpreter with nothing of this process's environment but what every test fixes."""
        return subprocess.run(
            [self.python, *arguments], cwd=cwd, capture_output=True, encoding="utf-8", check=False,
            env={**BARE_ENVIRONMENT, "HOME": str(home or self.folder)},
        )  # fmt: skip


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the files that git knows or would add: building in it leaves nothing in ours."""
    folder = tmp_path_factory.mktemp("checkout") / "mneme"
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    for name in os.fsdecode(listed).split("\0"):
        source = ROOT / name
        if name and source.is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
            target.chmod(source.stat().st_mode)
    return folder


@pytest.fixture(scope="session")
def new_environment(
    tmp_path_factory: pytest.TempPathFactory, offline_pip: dict[str, str]
) -> Callable[..., Environment]:
    """Make virtual environments that hold what pip is told to install from the wheelhouse, and nothing else."""

    def make(*install: str | Path) -> Environment:
        folder = tmp_path_factory.mktemp("environment") / "venv"
        venv.create(folder, symlinks=True)
        environment = Environment(folder)
        if install:
            pip_install(environment, *install)
        return environment

    def pip_install(environment: Environment, *arguments: str | Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "--python", environment.python, "install", "--quiet", *arguments],
            capture_output=True, text=True, check=False, env={**os.environ, **offline_pip},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    return make


@dataclass
class Distributions:
    """What a release consists of, and the environment that made it."""

    wheel: Path
    sdist: Path
    builder: Environment


@pytest.fixture(scope="session")
def distributions(
    tmp_path_factory: pytest.TempPathFactory, checkout: Path, new_environment: Callable[..., Environment]
) -> Distributions:
    """Return wheel and sdist built from the copy."""
    builder = new_environment("setuptools>=77", "wheel")
    output = tmp_path_factory.mktemp("dist")
    done = builder.run("-c", BUILD, output, cwd=checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    return Distributions(next(output.glob("*.whl")), next(output.glob("*.tar.gz")), builder)


@pytest.fixture(scope="session")
def wheel_environment(distributions: Distributions, new_environment: Callable[..., Environment]) -> Environment:
    """Return an environment with the wheel and what it needs."""
    return new_environment(distributions.wheel)


@pytest.fixture(scope="session")
def pyz(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """Return the one-file archive made of the copy."""
    output = tmp_path_factory.mktemp("pyz") / "mneme.pyz"
    done = subprocess.run(
        [sys.executable, checkout / "scripts" / "build_zipapp.py", "--output", output],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return output


@pytest.fixture(scope="session")
def bare_environment(new_environment: Callable[..., Environment]) -> Environment:
    """Return an environment with nothing installed, pip neither."""
    environment = new_environment()
    listed = environment.run(
        "-c", "import importlib.metadata as m; print(list(m.distributions()))", cwd=environment.folder
    )
    assert listed.stdout == "[]\n"
    return environment
