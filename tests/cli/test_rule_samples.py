"""Every rule's own documentation, run: the bad sample is found, the good one is silent, the page is current."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import subprocess
from pathlib import Path

import pytest

import mneme.lint.rules
from mneme.lint.rule import Rule
from mneme.lint.rules import RULES
from tests.conftest import ROOT, TODAY, Runner

EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])


def findings(mneme: Runner, folder: Path, files: dict[str, bytes]) -> list[dict[str, str]]:
    """Lint ``files`` with every rule there is; those named ``HEAD:NAME`` are committed first.

    Those named ``MERGE_HEAD:NAME`` are on a branch that is being merged.
    """
    heads = {
        head: {name.removeprefix(head): data for name, data in files.items() if name.startswith(head)}
        for head in ("HEAD:", "MERGE_HEAD:")
    }
    if heads["HEAD:"]:
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
        if heads["MERGE_HEAD:"]:
            _commit(folder, {"README": b"x"})
            for arguments in (["switch", "-q", "-f", "-c", "side"], ["switch", "-q", "-f", "main"]):
                subprocess.run(["git", *arguments], cwd=folder, check=True)
                _commit(folder, heads["MERGE_HEAD:" if arguments[-1] == "side" else "HEAD:"])
            subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)
            subprocess.run(["git", "merge", "-q", "-s", "ours", "--no-commit", "side"], cwd=folder, check=True)
        else:
            _commit(folder, heads["HEAD:"])
    for name, data in files.items():
        if name.startswith(tuple(heads)):
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    result = mneme("lint", "--select", "ALL", "--no-cache", "--format", "json", cwd=folder)
    assert not result.err
    found: list[dict[str, str]] = json.loads(result.out)["findings"]
    return found


def _commit(folder: Path, files: dict[str, bytes]) -> None:
    """Commit ``files``, and leave none of them in the work tree."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    moment = f"{TODAY}T08:00:00+00:00"
    subprocess.run(
        ["git", "commit", "-q", "-m", "before"], cwd=folder, check=True,
        env={**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment},
    )  # fmt: skip
    for name in files:
        (folder / name).unlink()


@EVERY_RULE
def test_the_bad_sample_is_found_and_nothing_else(rule: Rule, mneme: Runner, tmp_path: Path) -> None:
    codes = {finding["code"] for finding in findings(mneme, tmp_path, rule.sample("bad"))}
    assert codes == {rule.code}


@EVERY_RULE
def test_the_good_sample_is_silent(rule: Rule, mneme: Runner, tmp_path: Path) -> None:
    assert findings(mneme, tmp_path, rule.sample("good")) == []


@EVERY_RULE
def test_the_documentation_is_whole(rule: Rule) -> None:
    sections = rule.sections
    assert list(sections) == ["what", "why", "bad", "good", "fix"]
    assert all(text.strip() for text in sections.values())
    assert rule.what.endswith(".")
    assert sections["why"].endswith(".")
    assert sections["fix"].endswith(".")


@EVERY_RULE
def test_mneme_rule_explains_it_by_code_and_by_name(rule: Rule, mneme: Runner) -> None:
    by_name, by_code = mneme("rule", rule.name), mneme("rule", rule.code)
    assert by_name == by_code
    assert by_name.code == 0
    assert all(head in by_name.out for head in (rule.code, rule.name, "\nWhy: ", "\nBad:\n", "\nGood:\n", "\nFix: "))


@EVERY_RULE
def test_the_page_is_there(rule: Rule) -> None:
    page = (ROOT / "docs" / "rules" / f"{rule.name}.md").read_text(encoding="utf-8")
    assert f"# {rule.name} ({rule.code})\n" in page


def test_codes_are_sorted_and_names_are_names() -> None:
    codes = [rule.code for rule in RULES]
    names = [rule.name for rule in RULES]
    assert codes == sorted(set(codes))
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"MN[0-9]{3}", code) for code in codes)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)


def test_every_rule_in_the_folder_is_in_the_table() -> None:
    found = set()
    for module in pkgutil.iter_modules(mneme.lint.rules.__path__):
        loaded = importlib.import_module(f"mneme.lint.rules.{module.name}")
        rules = [value for value in vars(loaded).values() if isinstance(value, Rule)]
        assert rules or module.name.startswith("_"), module.name
        found |= {rule.code for rule in rules}
    assert found == {rule.code for rule in RULES}


def test_the_list_and_the_family(mneme: Runner) -> None:
    codes = [line.split()[0] for line in mneme("rule").out.splitlines()]
    assert codes == [rule.code for rule in RULES]
    family = [line.split()[0] for line in mneme("rule", "MN2").out.splitlines()]
    assert family == [code for code in codes if code.startswith("MN2")]


def test_rules_as_json(mneme: Runner) -> None:
    one = json.loads(mneme("rule", "key-slip", "--format", "json").out)
    assert (one["kind"], one["code"], one["severity"]) == ("rule", "MN006", "warning")
    assert set(one) == {"version", "kind", "code", "name", "severity", "default", "what", "why", "bad", "good", "fix"}
    everything = json.loads(mneme("rule", "--format", "json").out)
    assert [entry["code"] for entry in everything["rules"]] == [rule.code for rule in RULES]


def test_an_unknown_rule_names_the_nearest(mneme: Runner) -> None:
    result = mneme("rule", "keyslip")
    assert result.code == 2
    assert "did you mean key-slip?" in result.err


def test_sentences_begin_as_sentences_do(mneme: Runner) -> None:
    text = mneme("rule", "overdue").out
    assert "\nAllow it: in one cell: # mneme: ignore[overdue]" in text
    page = (ROOT / "docs" / "rules" / "overdue.md").read_text(encoding="utf-8")
    for head in ("## Why", "## Fix", "## Allowing it"):
        assert page.partition(f"{head}\n\n")[2][:1].isupper()
