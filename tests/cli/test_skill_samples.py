"""The skill's text: valid for hosts, short, and true: its cells are clean and its commands run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from mneme.cli.main import COMMANDS, LazyGroup
from tests.conftest import ROOT, Runner, cell

SKILL = ROOT / "skills" / "mneme"
TEXTS = {"en": SKILL / "SKILL.md", "zh-CN": SKILL / "reference" / "SKILL.zh-CN.md"}

languages = pytest.mark.parametrize("language", TEXTS)


def text(language: str) -> str:
    return TEXTS[language].read_text(encoding="utf-8")


def blocks(language: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text(language), re.MULTILINE | re.DOTALL)


def command_lines(language: str) -> list[list[str]]:
    lines = [line for block in blocks(language, "sh") for line in block.splitlines()]
    assert all(line.startswith("mneme ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


def front_matter() -> dict[str, str]:
    head = re.match(r"---\n(.*?)\n---\n", text("en"), re.DOTALL)
    assert head is not None
    return dict(line.split(": ", 1) for line in head[1].splitlines())


def test_the_front_matter_is_what_hosts_want() -> None:
    fields = front_matter()
    assert fields["name"] == SKILL.name == "mneme"
    assert 1 <= len(fields["description"]) <= 1024
    # A plain YAML scalar: no host needs to know more of YAML to read it.
    assert re.fullmatch(r"[A-Z](?:(?!: | #).)*", fields["description"])
    assert "what did we decide" in fields["description"]
    assert "之前怎么定的" in fields["description"]
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata"}


def test_it_is_short_enough_to_be_loaded_always() -> None:
    assert len(text("en").splitlines()) < 120
    assert len(text("en").encode()) < 6 * 1024


@languages
def test_the_sample_cells_are_clean(mneme: Runner, tmp_path: Path, language: str) -> None:
    samples = blocks(language, "mneme")
    assert samples
    for number, sample in enumerate(samples):
        (tmp_path / f"{number}.mneme").write_text(sample, encoding="utf-8")
        result = mneme("lint", "--strict", "--format", "json", f"{number}.mneme")
        assert (result.code, json.loads(result.out)["findings"]) == (0, [])


@languages
def test_the_commands_run_as_written(mneme: Runner, tmp_path: Path, language: str) -> None:
    others = (
        cell("GOTCHA-0007", gist="Staging loses uploads over 2 GB") + "\n" + cell("FACT-0003", gist="Tests need 4 GB")
    )
    (tmp_path / "project.mneme").write_text("\n".join([*blocks(language, "mneme"), others]), encoding="utf-8")
    for arguments in command_lines(language):
        result = mneme(*arguments)
        assert result.code == 0, (arguments, result.err)
        if arguments[0] in ("find", "show", "spine"):
            assert "DEC-0042" in result.out
    spine = mneme("spine", "--all").out
    states = {line.split()[0]: line.split()[1] for line in spine.splitlines()}
    assert states == {
        "DEC-0042": "superseded", "GOTCHA-0007": "retired", "FACT-0003": "stale", "DEC-0043": "live",
        "DEC-0044": "live", "DEC-0045": "live",
    }  # fmt: skip


@languages
def test_commands_named_in_the_text_exist(language: str) -> None:
    group = LazyGroup()
    named = re.findall(r"`mneme ([^`]+)`", text(language))
    assert named
    for words in named:
        name, *rest = words.split()
        command = group.get_command(click.Context(group), name)
        assert command is not None, name
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= options


def test_every_command_of_the_protocol_is_taught() -> None:
    taught = {arguments[0] for arguments in command_lines("en")} | set(re.findall(r"`mneme ([a-z-]+)", text("en")))
    assert taught == {
        "add", "supersede", "seen", "set", "accept", "retire", "find", "show", "spine", "lint", "new-id", "rule", "why",
        "conflicts", "resolve",
    }  # fmt: skip
    assert taught <= COMMANDS.keys()


def test_both_languages_teach_the_same() -> None:
    def shape(language: str) -> list[tuple[str, set[str]]]:
        return [
            (arguments[0], {word for word in arguments if word.startswith("--")})
            for arguments in command_lines(language)
        ]

    assert shape("en") == shape("zh-CN")
    headings = [len(re.findall(r"^## ", text(language), re.MULTILINE)) for language in TEXTS]
    assert headings[0] == headings[1]
    rows = [len(re.findall(r"^[|-] ", text(language), re.MULTILINE)) for language in TEXTS]
    assert rows[0] == rows[1]


@languages
def test_links_lead_somewhere(language: str) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", text(language))
    assert targets
    for target in targets:
        assert (TEXTS[language].parent / target).is_file(), target
