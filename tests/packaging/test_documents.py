"""Documents name the right package, and give every dependency its reason."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# --- nobody is told to install somebody else's program -----------------------------------------------------------

FOREIGN = re.compile(r"mneme(?:[-_]cells)?(?:\[[\w, -]*\])?(?:\s*[=<>~!]=?.*|@[\d.v].*|@latest)?")
"""On an index ``mneme`` is another program, and ``mneme-cells``, ours, is on none. Paths and URLs do not match."""
INSTALLERS = re.compile(
    r"\b(?:(?:pip[\d.]*|pipx|uv\s+pip|uv\s+tool|conda|mamba|brew)\s+(?:install|download|wheel|upgrade|inject)"
    r"|(?:uv|poetry|pdm|rye|hatch|pipenv)\s+(?:add|install)|easy_install)\b"
)
RUNNERS = re.compile(r"\b(?:uvx|pipx\s+run|uv\s+tool\s+run|uv\s+run|hatch\s+run|rye\s+run)\b")
SOURCES = ("--from", "--spec", "--with", "--with-editable", "--from-spec")
LISTS = re.compile(
    r"\b(?:additional_dependencies|additional-dependencies|dependencies|requires|deps)\b[\"']?\s*[:=]\s*"
    r"(?:\[(?P<inline>(?:\[[^\[\]]*\]|[^\[\]])*)\]|(?P<block>(?:\s*\n[ \t]*-[ \t]+[^\n]+)+))"
)


def index_installs(text: str) -> Iterator[str]:
    """Yield every command or list in ``text`` that would fetch mneme by its bare name from a package index."""
    joined = text.replace("\\\n", " ")
    for line in joined.splitlines():
        for match in INSTALLERS.finditer(line):
            words = command_words(line[match.end() :])
            named = [word for word in words if not word.startswith("-")]
            if any(FOREIGN.fullmatch(word) and (*words, "")[words.index(word) + 1] != "@" for word in named):
                yield line.strip()
        for match in RUNNERS.finditer(line):
            words = command_words(line[match.end() :])
            given = [words[at + 1] for at, word in enumerate(words[:-1]) if word in SOURCES]
            given += [word.partition("=")[2] for word in words if word.partition("=")[0] in SOURCES]
            fetched = given or (
                [] if match[0].endswith(" run") and "pipx" not in match[0] and "tool" not in match[0] else words[:1]
            )
            if any(FOREIGN.fullmatch(word) for word in fetched):
                yield line.strip()
    for match in LISTS.finditer(joined):
        entries = re.split(r"[,\n]", match["inline"] if match["inline"] is not None else match["block"])
        if any(FOREIGN.fullmatch(entry.strip().removeprefix("- ").strip(" \t'\"#")) for entry in entries):
            yield match[0].strip()


def command_words(rest: str) -> list[str]:
    """Return the words of a command after its verb, up to where prose, a comment or the next command begins."""
    rest = re.split(r"`|;|&&|\|| #|</|[，。；、）]|[.,:!?)](?:\s|$)", rest, maxsplit=1)[0]
    try:
        return shlex.split(rest)
    except ValueError:
        return rest.replace('"', " ").replace("'", " ").split()


@pytest.mark.parametrize(
    "text",
    [
        "pip install mneme",
        "    $ python3 -m pip install --user mneme",
        "Install it with `pip install mneme`, then …",
        "用 `pip install mneme` 安装。",
        "pip install 'mneme[secrets]'",
        'pip install "mneme>=0.1"',
        "pip3 install -U mneme==0.1.0",
        "pip install lark \\\n  mneme",
        "uv pip install mneme",
        "uv tool install mneme",
        "uv add --dev mneme",
        "pipx install mneme && mneme lint",
        "pipx inject pre-commit mneme",
        "uvx mneme lint",
        "uvx mneme@latest lint",
        "uvx --from mneme mneme lint",
        "uvx --from=mneme mneme_tool lint",
        "pipx run mneme lint",
        "pipx run --spec mneme mneme lint",
        "uv run --with mneme python",
        "poetry add mneme",
        "pip install mneme-cells",
        "uv tool install 'mneme-cells[secrets]'",
        "additional_dependencies: [mneme]",
        "additional_dependencies: ['lark', 'mneme[secrets]>=0.1']",
        "additional_dependencies:\n      - lark\n      - mneme\n",
        '# dependencies = ["mneme"]',
        'dependencies = [\n  "mneme>=1",\n]',
    ],
)
def test_an_install_from_an_index_is_found(text: str) -> None:
    assert list(index_installs(text))


@pytest.mark.parametrize(
    "text",
    [
        "pip install .",
        "pip install --editable '.[dev]'",
        "pip install ./mneme",
        "pip install git+https://example.org/mneme.git",
        "pip install 'mneme-cells[secrets] @ git+https://example.org/mneme.git'",
        "uv tool install git+https://example.org/mneme",
        "uvx --from git+https://example.org/mneme mneme lint",
        "pipx run --spec git+https://example.org/mneme mneme lint",
        "pip install dist/mneme_cells-0.1.0-py3-none-any.whl",
        "pip install lark click python-dateutil  # what mneme imports",
        "pip install lark. Then mneme works.",
        "Run pip install once; mneme lint then works.",
        "uv run mneme lint",
        "uv run --with-editable . mneme lint",
        "pip uninstall mneme-cells",
        'dependencies = ["lark", "mneme @ file:///checkout"]',
        "additional_dependencies: [lark]",
        "mneme install-hook",
    ],
)
def test_other_installs_pass(text: str) -> None:
    assert list(index_installs(text)) == []


def documents() -> list[Path]:
    """Return every text of this repository that people or agents read, or copy from, except the tests."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    kinds = (".md", ".txt", ".rst", ".yaml", ".yml", ".toml", ".py", ".sh", ".mneme", ".json")
    found = [ROOT / name for name in listed.split("\0") if name and not name.startswith("tests/")]
    return [path for path in found if path.is_file() and (path.suffix in kinds or path.parent.name == ".ci")]


def test_no_document_installs_from_an_index() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): commands
        for path in documents()
        if (commands := list(index_installs(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_documents_are_found() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in documents()}
    assert {"docs/dependencies.md", "docs/releasing.md", "pyproject.toml", "mneme/cli/main.py"} <= names


# --- every dependency has its reason -------------------------------------------------------------------------------


def name_of(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def rows(heading: str) -> dict[str, list[str]]:
    """Return the rows of the table under ``heading`` in docs/dependencies.md by package, without the package."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("| ").split(" | ")]
        for line in section.splitlines()
        if line.startswith("| `")
    ]
    return {first.strip("`"): rest for first, *rest in cells}


DECLARED = {
    "At run time": PROJECT["project"]["dependencies"],
    "Optional": [
        *PROJECT["project"]["optional-dependencies"]["secrets"],
        *PROJECT["project"]["optional-dependencies"]["embed"],
    ],
    "For development": [
        *PROJECT["project"]["optional-dependencies"]["dev"],
        *PROJECT["build-system"]["requires"],
    ],
}


@pytest.mark.parametrize("heading", DECLARED)
def test_every_dependency_is_explained(heading: str) -> None:
    explained = rows(heading)
    declared = {name_of(requirement) for requirement in DECLARED[heading]}
    optional = {name_of(requirement) for requirement in DECLARED["Optional"]}
    assert set(explained) == (declared if heading == "Optional" else declared - optional)
    for package, columns in explained.items():
        assert len(columns) == 4, package
        assert all(columns), package


def test_every_extra_is_explained() -> None:
    assert set(PROJECT["project"]["optional-dependencies"]) == {"secrets", "embed", "dev"}


def test_the_scripts_metadata_names_the_projects_ranges() -> None:
    script = (ROOT / "scripts" / "mneme_tool.py").read_text(encoding="utf-8")
    listed = re.search(r"^# dependencies = (\[.*\])$", script, re.MULTILINE)
    assert listed
    assert set(tomllib.loads(f"x = {listed[1]}")["x"]) <= set(PROJECT["project"]["dependencies"])


def test_the_skills_script_is_ours() -> None:
    """The skill's folder is copied as it is, so it holds the script itself."""
    copy = ROOT / "skills" / "mneme" / "scripts" / "mneme_tool.py"
    assert copy.read_bytes() == (ROOT / "scripts" / "mneme_tool.py").read_bytes()
