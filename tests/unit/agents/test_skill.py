"""The skill's folder: installed, brought up to date, taken away; what is not ours is never touched."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mneme.agents.manifest import MANIFEST, digest
from mneme.agents.place import Place
from mneme.agents.settings import Wanted
from mneme.agents.skill import ARCHIVE, Outcome, Settings, install, skill_files, skill_text, uninstall
from mneme.errors import ConfigError, EditError, UnreadableFile, UsageError

FILES = {"SKILL.md": b"# Skill\n", "reference/cli.md": b"# Commands\n", ARCHIVE: b"PK\0zip"}
WANTED = Wanted("spine-command", ("Bash(mneme find:*)",), "startup", 20)


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_installing_twice_is_installing_once(tmp_path: Path) -> None:
    place = Place.below(tmp_path / "skills")
    first = install(place, FILES)
    assert {path.relative_to(place.folder).as_posix() for path in first.written} == set(FILES)
    assert {name: (place.folder / name).read_bytes() for name in FILES} == FILES
    assert (place.folder / ARCHIVE).stat().st_mode & 0o100
    before = tree(tmp_path)
    assert install(place, FILES) == Outcome()
    assert tree(tmp_path) == before


def test_uninstalling_leaves_nothing_that_was_not_there(tmp_path: Path) -> None:
    place = Place.below(tmp_path / ".agents" / "skills")
    install(place, FILES)
    outcome = uninstall(place)
    assert len(outcome.removed) == len(FILES)
    assert tree(tmp_path) == {}
    assert uninstall(place) == Outcome()


def test_folders_and_files_of_others_stay(tmp_path: Path) -> None:
    skills = tmp_path / "skills"
    (skills / "other").mkdir(parents=True)
    (skills / "mneme").mkdir()
    (skills / "mneme" / "notes.md").write_bytes(b"mine\n")
    before = tree(tmp_path)
    place = Place.below(skills)
    install(place, FILES)
    uninstall(place)
    assert tree(tmp_path) == before


def test_a_newer_version_replaces_what_nobody_changed(tmp_path: Path) -> None:
    place = Place.below(tmp_path)
    install(place, FILES)
    newer = {"SKILL.md": b"# Skill, second edition\n", ARCHIVE: FILES[ARCHIVE], "reference/rules.md": b"# Rules\n"}
    outcome = install(place, newer)
    assert {path.name for path in outcome.written} == {"SKILL.md", "rules.md"}
    assert [path.name for path in outcome.removed] == ["cli.md"]
    uninstall(place)
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("name", ["SKILL.md", ARCHIVE])
def test_a_file_that_we_did_not_write_is_not_replaced(tmp_path: Path, name: str) -> None:
    place = Place.below(tmp_path)
    path = place.folder / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"mine\n")
    before = tree(tmp_path)
    with pytest.raises(UsageError, match=name):
        install(place, FILES)
    assert tree(tmp_path) == before


def test_a_file_that_somebody_changed_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    place = Place.below(tmp_path)
    install(place, FILES)
    (place.folder / "SKILL.md").write_bytes(b"# Skill, with our habits\n")
    with pytest.raises(UsageError, match=r"SKILL\.md"):
        install(place, {**FILES, "SKILL.md": b"# newer\n"})
    outcome = uninstall(place)
    assert outcome.kept == [place.folder / "SKILL.md"]
    assert tree(tmp_path) == {"mneme": None, "mneme/SKILL.md": b"# Skill, with our habits\n"}


def test_a_file_with_our_content_is_ours_whoever_put_it_there(tmp_path: Path) -> None:
    place = Place.below(tmp_path)
    (place.folder / "reference").mkdir(parents=True)
    for name in ("SKILL.md", "reference/cli.md"):
        (place.folder / name).write_bytes(FILES[name])
    assert [path.name for path in install(place, FILES).written] == ["mneme.pyz"]


def test_line_ends_that_git_changed_do_not_make_a_file_foreign(tmp_path: Path) -> None:
    place = Place.below(tmp_path)
    install(place, FILES)
    (place.folder / "SKILL.md").write_bytes(b"# Skill\r\n")
    install(place, {**FILES, "SKILL.md": b"# newer\n"})
    assert (place.folder / "SKILL.md").read_bytes() == b"# newer\n"


def test_a_link_in_place_of_a_file_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "target.md"
    target.write_bytes(b"mine\n")
    place = Place.below(tmp_path / "skills")
    place.folder.mkdir(parents=True)
    (place.folder / "SKILL.md").symlink_to(target)
    with pytest.raises(UsageError):
        install(place, FILES)
    assert target.read_bytes() == b"mine\n"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "skills").write_bytes(b"a file")
    with pytest.raises(EditError, match="nothing was written"):
        install(Place.below(tmp_path / "skills"), FILES)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"version": 1}', b'{"version": 99, "files": {}}', b"\xff", b"[" * 100_000]
)
def test_a_damaged_manifest_stops_everything(tmp_path: Path, content: bytes) -> None:
    place = Place.below(tmp_path)
    install(place, FILES)
    (place.folder / MANIFEST).write_bytes(content)
    before = tree(tmp_path)
    with pytest.raises(ConfigError, match=r"manifest|damaged"):
        install(place, FILES)
    with pytest.raises(ConfigError, match=r"manifest|damaged"):
        uninstall(place)
    assert tree(tmp_path) == before


# --- links to folders ------------------------------------------------------------------------------


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Place, Place]:
    """One skills folder under two names: its own, and a link to it."""
    real = tmp_path / "one" / "skills"
    real.mkdir(parents=True)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "skills").symlink_to(real, target_is_directory=True)
    return Place.below(real), Place.below(tmp_path / "two" / "skills")


def test_a_link_to_the_folder_stays_one(linked: tuple[Place, Place]) -> None:
    own, link = linked
    install(link, FILES)
    assert link.named.parent.is_symlink()
    assert (own.folder / "SKILL.md").is_file()
    uninstall(link)
    assert link.named.parent.is_symlink()
    assert tree(own.folder.parent) == {}


def test_uninstalling_through_a_link_keeps_what_the_other_name_uses(linked: tuple[Place, Place]) -> None:
    own, link = linked
    install(own, FILES)
    with pytest.raises(UsageError, match="nothing was removed"):
        uninstall(link)
    install(link, FILES)
    assert uninstall(link).users == [str(own.folder)]
    assert (own.folder / "SKILL.md").is_file()
    uninstall(own)
    assert tree(own.folder.parent) == {}


def test_a_link_above_all_folders_makes_no_difference(tmp_path: Path) -> None:
    (tmp_path / "private" / "project" / "deep").mkdir(parents=True)
    (tmp_path / "short").symlink_to(tmp_path / "private", target_is_directory=True)
    install(Place.below(tmp_path / "short" / "project" / "deep" / "skills"), FILES)
    uninstall(Place.below(tmp_path / "private" / "project" / "deep" / "skills"))
    assert tree(tmp_path / "private") == {"project": None, "project/deep": None}


@pytest.mark.parametrize("act", ["install", "uninstall"])
def test_what_a_killed_installation_left_is_cleared_away(tmp_path: Path, act: str) -> None:
    settings = Settings(tmp_path / ".claude" / "settings.json", WANTED)
    place = Place.below(tmp_path / ".claude" / "skills")
    install(place, FILES, settings)
    installed = tree(tmp_path)
    for stray in (".settings.json.0123456789ab.tmp", f"skills/mneme/{MANIFEST}", "skills/mneme/scripts/mneme.pyz"):
        path = settings.path.parent / stray
        name = path.name if path.name.endswith(".tmp") else f".{path.name}.0123456789ab.tmp"
        path.with_name(name).write_bytes(b"half")
    foreign = settings.path.with_name(".other.json.0123456789ab.tmp")
    foreign.write_bytes(b"not ours")
    if act == "install":
        install(place, FILES, settings)
        foreign.unlink()
        assert tree(tmp_path) == installed
    else:
        uninstall(place, settings)
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == [foreign]


# --- a manifest that came with a clone --------------------------------------------------------------------


def forge(place: Place, **entries: object) -> None:
    """Change the manifest as somebody could who commits it."""
    path = place.folder / MANIFEST
    data = json.loads(path.read_bytes())
    for key, entry in entries.items():
        data[key] = [*data[key], *entry] if isinstance(entry, list) else {**data[key], **entry}  # type: ignore[dict-item]
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["{}", "../../victim", "reference/../../../victim", "./x", "a\\..\\b", "C:x", "", "\0"]
)
def test_a_manifest_names_no_file_outside_its_folder(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"# Skill\n")
    place = Place.below(tmp_path / "skills")
    install(place, FILES)
    forge(place, files={name.format(victim): digest(b"# Skill\n")})
    before = tree(tmp_path)
    with pytest.raises(ConfigError, match="no installation wrote"):
        install(place, FILES)
    with pytest.raises(ConfigError, match="no installation wrote"):
        uninstall(place)
    assert tree(tmp_path) == before


def test_a_link_to_a_folder_leads_nowhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "empty").mkdir(parents=True)
    (home / "victim").write_bytes(b"# Skill\n")
    place = Place.below(tmp_path / "skills")
    install(place, FILES)
    (place.folder / "linked").symlink_to(home, target_is_directory=True)
    forge(place, files={"linked/victim": digest(b"# Skill\n")}, folders=["linked/empty", str(home / "empty")])
    before = tree(home)
    with pytest.raises(UsageError, match="linked/new"):
        install(place, {**FILES, "linked/new": b"new"})
    install(place, FILES)
    assert tree(home) == before
    forge(place, files={"linked/victim": digest(b"# Skill\n")})
    uninstall(place)
    assert tree(home) == before


def test_a_manifest_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    place = Place.below(tmp_path / "skills")
    install(place, FILES)
    (place.folder / MANIFEST).rename(tmp_path / "elsewhere")
    (place.folder / MANIFEST).symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path)
    with pytest.raises(ConfigError, match="is a link"):
        install(place, {})
    with pytest.raises(ConfigError, match="is a link"):
        uninstall(place)
    assert tree(tmp_path) == before


def test_other_settings_than_the_chosen_ones_are_left_alone(tmp_path: Path) -> None:
    theirs = Settings(tmp_path / "home" / "settings.json", WANTED)
    own = Settings(tmp_path / "project" / "settings.json", WANTED)
    place = Place.below(tmp_path / "project" / "skills")
    install(place, FILES, theirs)
    install(place, FILES, own)
    before = tree(tmp_path / "home")
    outcome = uninstall(place, own)
    assert outcome.elsewhere == [str(theirs.path)]
    assert tree(tmp_path / "home") == before
    assert not own.path.exists()


def test_what_a_manifest_says_of_settings_counts_only_where_it_may(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "home" / "settings.json", replace(WANTED, command="their own"), trusting=False)
    place = Place.below(tmp_path / "project" / "skills")
    install(place, FILES, settings)
    before = settings.path.read_bytes()
    chosen = replace(settings, wanted=WANTED)
    install(place, FILES, chosen)
    assert b"their own" in settings.path.read_bytes(), "not replaced, although the manifest calls it ours"
    settings.path.write_bytes(before)
    uninstall(place, chosen)
    assert b"their own" in settings.path.read_bytes()


# --- with settings -----------------------------------------------------------------------------------


def test_settings_come_and_go_with_the_folder(tmp_path: Path) -> None:
    settings = Settings(tmp_path / ".claude" / "settings.json", WANTED)
    place = Place.below(tmp_path / ".claude" / "skills")
    outcome = install(place, FILES, settings)
    assert settings.path in outcome.written
    assert json.loads(settings.path.read_bytes()) == WANTED.document
    before = tree(tmp_path)
    assert install(place, FILES, settings) == Outcome()
    assert tree(tmp_path) == before
    assert settings.path in uninstall(place, settings).removed
    assert tree(tmp_path) == {}


def test_the_settings_file_keeps_its_link_its_mode_and_its_bytes(tmp_path: Path) -> None:
    text = '\ufeff{\r\n\t// mine\r\n\t"model": "x",\r\n}'.encode()
    dotfile = tmp_path / "dotfiles" / "settings.json"
    dotfile.parent.mkdir()
    dotfile.write_bytes(text)
    dotfile.chmod(0o600)
    (tmp_path / ".claude").mkdir()
    path = tmp_path / ".claude" / "settings.json"
    path.symlink_to(dotfile)
    place = Place.below(tmp_path / ".claude" / "skills")
    outcome = install(place, FILES, Settings(path, WANTED))
    assert outcome.lenient == path
    assert b"spine-command" in dotfile.read_bytes()
    uninstall(place, Settings(path, WANTED))
    assert path.is_symlink()
    assert dotfile.read_bytes() == text
    assert dotfile.stat().st_mode & 0o777 == 0o600


def test_settings_that_do_not_parse_stop_everything(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(b'{"model": }')
    before = tree(tmp_path)
    with pytest.raises(UnreadableFile, match="not valid JSON"):
        install(Place.below(tmp_path / ".claude" / "skills"), FILES, Settings(path, WANTED))
    assert tree(tmp_path) == before


def test_settings_that_broke_since_stop_the_uninstallation(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    place = Place.below(tmp_path / ".claude" / "skills")
    install(place, FILES, Settings(path, WANTED))
    path.write_bytes(b"{")
    before = tree(tmp_path)
    with pytest.raises(UnreadableFile, match="not valid JSON"):
        uninstall(place, Settings(path, WANTED))
    assert tree(tmp_path) == before


def test_settings_that_went_away_do_not_stop_it(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    place = Place.below(tmp_path / ".claude" / "skills")
    install(place, FILES, Settings(path, WANTED))
    path.unlink()
    uninstall(place, Settings(path, WANTED))
    assert tree(tmp_path) == {}


def test_an_interrupted_installation_can_be_repeated_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path / ".claude" / "settings.json", WANTED)
    place = Place.below(tmp_path / ".claude" / "skills")
    with monkeypatch.context() as patched:
        patched.setattr("mneme.agents.skill.write_sources", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            install(place, FILES, settings)
    assert not settings.path.exists()
    install(place, FILES, settings)
    assert settings.path.exists()
    uninstall(place, settings)
    assert tree(tmp_path) == {}


# --- what is installed --------------------------------------------------------------------------------


def test_the_skill_ships_with_the_package() -> None:
    files = skill_files(b"zip")
    assert files[ARCHIVE] == b"zip"
    assert {"SKILL.md", "reference/SKILL.zh-CN.md", "scripts/mneme_tool.py"} <= files.keys()
    assert files["SKILL.md"].decode() == skill_text()
    assert files["reference/SKILL.zh-CN.md"].decode() == skill_text("zh-CN")
