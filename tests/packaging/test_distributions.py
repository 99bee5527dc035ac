"""What is in wheel and sdist, and that both run where nothing else is."""

from __future__ import annotations

import email.parser
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, TODAY, cell
from tests.packaging.conftest import BUILD, Distributions, Environment

pytestmark = pytest.mark.install

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel_names(distributions: Distributions) -> set[str]:
    with zipfile.ZipFile(distributions.wheel) as archive:
        return set(archive.namelist())


def test_wheel_holds_every_module_and_nothing_else(checkout: Path, wheel_names: set[str]) -> None:
    """Every module of the package is there (none is forgotten in pyproject's list), and only the data it declares."""
    code = {path.relative_to(checkout).as_posix() for path in (checkout / "mneme").rglob("*.py")}
    inside = {name for name in wheel_names if name.startswith("mneme/")}
    assert code <= inside
    mapped = {f"mneme/{name.removeprefix('mneme.')}/" for name in PROJECT["tool"]["setuptools"]["package-dir"]} - {
        "mneme/mneme/"
    }
    extra = {name for name in inside - code if not name.startswith(tuple(mapped))}
    tool = PROJECT["tool"]["setuptools"]
    declared = {
        path.relative_to(checkout).as_posix()
        for package, globs in tool["package-data"].items()
        if package == "mneme" or package not in tool["package-dir"]
        for glob in globs
        for path in checkout.joinpath(*package.split(".")).glob(glob)
    }
    assert extra == declared
    assert {"mneme/py.typed", "mneme/graph/schema.sql"} <= extra
    assert {"mneme/grammar/__init__.py", "mneme/grammar/mneme.lark"} <= inside
    info = f"mneme_cells-{version(checkout)}.dist-info"
    about = {f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt")}
    assert wheel_names - inside == {*about, f"{info}/licenses/LICENSE"}


def test_no_junk_in_the_wheel(wheel_names: set[str]) -> None:
    assert not [name for name in wheel_names if "__pycache__" in name or name.endswith((".pyc", ".orig", ".rej", "~"))]
    assert not [name for name in wheel_names if {"tests", "conftest.py"} & set(name.split("/"))]


def test_data_is_the_checkouts(checkout: Path, distributions: Distributions) -> None:
    with zipfile.ZipFile(distributions.wheel) as archive:
        assert archive.read("mneme/grammar/mneme.lark") == (checkout / "grammar" / "mneme.lark").read_bytes()


def test_metadata(checkout: Path, distributions: Distributions) -> None:
    with zipfile.ZipFile(distributions.wheel) as archive:
        info = f"mneme_cells-{version(checkout)}.dist-info"
        metadata = email.parser.BytesParser().parsebytes(archive.read(f"{info}/METADATA"))
        entry_points = archive.read(f"{info}/entry_points.txt").decode()
    assert metadata["Name"] == "mneme-cells"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    shown = metadata.get_payload(decode=True)
    assert isinstance(shown, bytes)
    assert shown.decode("utf-8").strip() == readme.strip()
    assert entry_points.split() == [
        "[console_scripts]", "mneme", "=", "mneme.cli.start:mneme", "mneme_tool", "=", "mneme.cli.start:mneme_tool",
    ]  # fmt: skip


def test_wheel_of_the_sdist_is_the_wheel(tmp_path: Path, distributions: Distributions) -> None:
    """The same bytes for a fixed SOURCE_DATE_EPOCH, and nothing but sources in the sdist."""
    with tarfile.open(distributions.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(path for path in tmp_path.iterdir() if path.is_dir())
    names = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    assert {"LICENSE", "pyproject.toml", "mneme/py.typed", "grammar/mneme.lark", "mneme/cli/main.py"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".", "build/", "dist/"))]
    (tmp_path / "again").mkdir()
    done = distributions.builder.run("-c", BUILD, tmp_path / "again", cwd=source)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "again" / distributions.wheel.name).read_bytes() == distributions.wheel.read_bytes()


def version(checkout: Path) -> str:
    line = (checkout / "mneme" / "__init__.py").read_text(encoding="utf-8")
    return line.partition('__version__ = "')[2].partition('"')[0]


@pytest.fixture(scope="module")
def editable_environment(checkout: Path, new_environment: Callable[..., Environment]) -> Environment:
    return new_environment("--editable", checkout)


@pytest.fixture(params=["wheel", "editable"])
def installed(request: pytest.FixtureRequest) -> Environment:
    """Return an environment with the wheel, then one with an editable install of the copied checkout."""
    environment = request.getfixturevalue(f"{request.param}_environment")
    assert isinstance(environment, Environment)
    return environment


def test_installed_commands_run(installed: Environment, tmp_path: Path) -> None:
    """``mneme`` and ``mneme_tool`` do their work, the grammar read from where it was installed."""
    (tmp_path / "project.mneme").write_text(cell("DEC-0041", more="\n"), encoding="utf-8")
    line = "DEC-0041       live   Local cache uses SQLite instead of JSON files  [storage/cache]\n"
    for name, arguments, out in (
        ("mneme", ("spine",), line),
        ("mneme", ("new-id", "DEC"), "DEC-0042\n"),
        ("mneme_tool", ("spine",), line),
        ("mneme_tool", ("new-id", "DEC"), "DEC-0042\n"),
        ("mneme_tool", (), "\nlint: 1 cells, 0 error, 0 warn\n"),
        ("mneme", ("lint", "--format", "compat"), "\nlint: 1 cells, 0 error, 0 warn\n"),
        ("mneme", ("--today", TODAY, "lint"), "1 cell in 1 file: all clear\n"),
    ):
        done = installed.run(installed.folder / "bin" / name, *arguments, cwd=tmp_path)
        assert (done.stdout, done.stderr, done.returncode) == (out, "", 0), (name, arguments)
    module = installed.run("-m", "mneme", "spine", cwd=tmp_path)
    assert module.stdout == line


def test_module_runs_in_a_checkout(installed: Environment, checkout: Path) -> None:
    """There the folder mneme/ hides the installed package, and grammar and skill lie beside it."""
    found = installed.run("-c", "import mneme; print(mneme.__file__)", cwd=checkout)
    assert Path(found.stdout.strip()).parent == checkout / "mneme"
    for arguments in (("lint", "--exit-zero", "project.mneme"), ("spine", "project.mneme"), ("skill", "show")):
        done = installed.run("-m", "mneme", *arguments, cwd=checkout)
        assert (done.returncode, done.stderr) == (0, ""), arguments
        assert done.stdout
    assert done.stdout == (installed.run("-m", "mneme", "skill", "show", cwd=installed.folder)).stdout


def test_grammar_is_found_beside_the_installed_package(installed: Environment, tmp_path: Path, checkout: Path) -> None:
    """One definition: the wheel's own copy when installed, the checkout's file when editable."""
    done = installed.run(
        "-c", "import mneme.grammar as g, mneme as m; print(g.__file__); print(m.__file__)", cwd=tmp_path
    )
    grammar, package = done.stdout.splitlines()
    if str(checkout) in package:
        assert Path(grammar).parent == checkout / "grammar"
    else:
        assert Path(grammar).parent.parent == Path(package).parent


def test_the_skill_is_installed_from_any_installation(
    installed: Environment, tmp_path: Path, checkout: Path, distributions: Distributions
) -> None:
    """Its files are the checkout's; the one-file tool, made of what is installed, holds what the wheel holds."""
    done = installed.run("-m", "mneme", "skill", "install", "skills", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    folder = tmp_path / "skills" / "mneme"
    tool = folder / "scripts" / "mneme.pyz"
    texts = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("[!.]*.*") if path != tool}
    source = checkout / "skills" / "mneme"
    assert texts == {path.relative_to(source): path.read_bytes() for path in source.rglob("*.*") if path.is_file()}
    with zipfile.ZipFile(distributions.wheel) as wheel, zipfile.ZipFile(tool) as archive:
        of_wheel = {name: wheel.read(name) for name in wheel.namelist() if name.startswith("mneme/")}
        assert {name: archive.read(name) for name in archive.namelist() if name.startswith("mneme/")} == of_wheel
        assert {"click", "lark", "dateutil", "pathspec"} <= {name.split("/")[0] for name in archive.namelist()}
        assert any(name.startswith("mneme_cells-") and "licenses" in name for name in archive.namelist())


def test_types_ship(wheel_environment: Environment) -> None:
    found = list(wheel_environment.folder.glob("lib/python*/site-packages/mneme/py.typed"))
    assert len(found) == 1
