"""``mneme set``, ``seen``, ``accept``, ``retire``: state changes, content does not, all or none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mneme.format.vocabulary import STATES, TRANSITIONS
from tests.conftest import TODAY, Runner, cell


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one cell a state, in two files."""
    successor = "link  superseded-by DEC-0002\n"
    (tmp_path / "project.mneme").write_text(
        "\n".join([
            cell("DEC-0001", state="proposed"),
            cell("DEC-0002", state="live", more="link  supersedes DEC-0004\n"),
            cell("DEC-0003", state="stale"),
        ])
    )  # fmt: skip
    (tmp_path / "old.mneme").write_text(
        cell("DEC-0004", state="superseded", more=successor) + "\n" + cell("DEC-0005", state="retired")
    )
    return tmp_path


BY_STATE = dict(zip(STATES, ("DEC-0001", "DEC-0002", "DEC-0003", "DEC-0004", "DEC-0005"), strict=True))


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


class TestSet:
    """Fields, one or several; the changes of state that the table allows, and no others."""

    def test_fields(self, mneme: Runner, project: Path) -> None:
        before = texts(project)
        result = mneme("set", "DEC-0002", "--conf", "low", "--imp", "4", "--hot", "no")
        assert (result.code, result.out) == (0, "")
        assert "DEC-0002: conf low, imp 4, hot no: project.mneme:6" in result.err
        line = "state live   conf high   since 2026-11-01   seen 2026-11-20"
        after = "state live   conf low   since 2026-11-01   seen 2026-11-20   imp 4   hot no"
        assert texts(project) == {**before, "project.mneme": before["project.mneme"].replace(line, after)}

    def test_hot_yes_is_what_no_hot_says(self, mneme: Runner, project: Path) -> None:
        before = texts(project)
        assert "nothing to change" in mneme("set", "DEC-0002", "--hot", "yes").err
        assert texts(project) == before
        mneme("set", "DEC-0002", "--hot", "no")
        assert "hot yes" in mneme("set", "DEC-0002", "--hot", "yes").err

    @pytest.mark.parametrize("now", STATES)
    @pytest.mark.parametrize("then", STATES)
    def test_states(self, mneme: Runner, project: Path, now: str, then: str) -> None:
        before = texts(project)
        result = mneme("set", BY_STATE[now], "--state", then)
        allowed = then == now or (then in TRANSITIONS[now] and then != "superseded")
        assert result.code == (0 if allowed else 2)
        if not allowed or now == then:
            assert texts(project) == before
            if not allowed and then != "superseded":
                assert all(state in result.err for state in TRANSITIONS[now])
            return
        assert f"{BY_STATE[now]}: state {then}" in result.err
        assert (f"seen {TODAY}" in result.err) == (then == "live"), "what becomes live was verified"

    def test_superseded_needs_a_successor(self, mneme: Runner, project: Path) -> None:
        result = mneme("set", "DEC-0003", "--state", "superseded")
        assert result.code == 2
        assert 'mneme supersede DEC-0003 "new gist"' in result.err
        path = project / "project.mneme"
        text = path.read_text()
        path.write_text(text + "\n" + cell("DEC-0006", more="link  supersedes DEC-0003\n"))
        assert "DEC-0006 says it supersedes DEC-0003" in mneme("set", "DEC-0003", "--state", "superseded").err
        path.write_text(text + "link  superseded-by DEC-0002\n")
        assert mneme("set", "DEC-0003", "--state", "superseded").code == 0

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ([], "nothing to set"), (["--state", "alive"], "proposed, live"), (["--conf", "sure"], "high, med, low"),
            (["--imp", "0"], "1, 2, 3, 4, 5"), (["--hot", "maybe"], "yes, no"),
        ],
    )  # fmt: skip
    def test_values(self, mneme: Runner, project: Path, arguments: list[str], says: str) -> None:
        before = texts(project)
        result = mneme("set", "DEC-0002", *arguments)
        assert result.code == 2
        assert says in result.err
        assert texts(project) == before

    def test_a_state_that_is_none_is_repaired_by_hand(self, mneme: Runner, project: Path) -> None:
        (project / "bad.mneme").write_text(cell("DEC-0008", state="alive"))
        for arguments in (("set", "DEC-0008", "--state", "live"), ("seen", "DEC-0008"), ("retire", "DEC-0008")):
            result = mneme(*arguments)
            assert result.code == 2
            assert "mneme lint" in result.err

    def test_two_states_are_settled_by_hand(self, mneme: Runner, project: Path) -> None:
        (project / "merged.mneme").write_text(cell("DEC-0008", more="state stale\n"))
        result = mneme("seen", "DEC-0008")
        assert result.code == 2
        assert "two values for state" in result.err


class TestSeen:
    """The later of today and what stands there; stale is live again."""

    def test_seen_today(self, mneme: Runner, project: Path) -> None:
        before = texts(project)
        result = mneme("seen", "DEC-0002")
        assert result.code == 0
        assert f"DEC-0002: seen {TODAY}: project.mneme:6" in result.err
        changed = [
            line
            for line, old in zip(
                (project / "project.mneme").read_text().splitlines(), before["project.mneme"].splitlines(), strict=True
            )
            if line != old
        ]
        assert changed == [f"state live   conf high   since 2026-11-01   seen {TODAY}"]

    @pytest.mark.parametrize(
        ("since", "seen", "expected"),
        [
            ("2026-11-01", "2026-11-27", "2026-11-27"), ("2026-11-26", "2026-11-26", "2026-11-26"),
            ("2026-11-27", "2026-11-20", "2026-11-27"), ("2026-11-01", "20261120", TODAY), ("soon", "soon", TODAY),
        ],
    )  # fmt: skip
    def test_never_back_and_never_before_since(
        self, mneme: Runner, tmp_path: Path, since: str, seen: str, expected: str
    ) -> None:
        path = tmp_path / "project.mneme"
        path.write_text(cell("DEC-0001", since=since, seen=seen))
        assert mneme("seen", "DEC-0001").code == 0
        assert path.read_text() == cell("DEC-0001", since=since, seen=expected)

    def test_a_missing_date_is_added(self, mneme: Runner, tmp_path: Path) -> None:
        path = tmp_path / "project.mneme"
        path.write_text("@ DEC-0001\ngist  One\nstate live   since 2026-11-01\n")
        assert mneme("seen", "DEC-0001").code == 0
        assert path.read_text() == f"@ DEC-0001\ngist  One\nstate live   since 2026-11-01   seen {TODAY}\n"

    def test_stale_is_live_again_and_that_is_said(self, mneme: Runner, project: Path) -> None:
        result = mneme("seen", "DEC-0003")
        assert result.code == 0
        assert f"DEC-0003: state live, seen {TODAY} (was stale, is live again)" in result.err

    def test_a_proposal_stays_one(self, mneme: Runner, project: Path) -> None:
        result = mneme("seen", "DEC-0001")
        assert result.code == 0
        assert "still proposed: mneme accept" in result.err
        assert "state proposed" in (project / "project.mneme").read_text()

    @pytest.mark.parametrize(
        ("cell_id", "says"), [("DEC-0004", "confirm DEC-0002 instead"), ("DEC-0005", "add a new cell")]
    )
    def test_what_is_over_is_refused(self, mneme: Runner, project: Path, cell_id: str, says: str) -> None:
        before = texts(project)
        result = mneme("seen", cell_id)
        assert result.code == 2
        assert says in result.err
        assert texts(project) == before

    def test_twice_a_day_changes_nothing_the_second_time(self, mneme: Runner, project: Path) -> None:
        mneme("seen", "DEC-0002")
        before = (project / "project.mneme").stat().st_ino
        assert "nothing to change" in mneme("seen", "DEC-0002").err
        assert (project / "project.mneme").stat().st_ino == before


class TestAcceptAndRetire:
    """Proposals become live; what no longer holds is retired."""

    def test_accept(self, mneme: Runner, project: Path) -> None:
        result = mneme("accept", "DEC-0001", "DEC-0002")
        assert result.code == 0
        assert f"DEC-0001: state live, seen {TODAY}" in result.err
        assert "DEC-0002: nothing to change (was live already)" in result.err

    @pytest.mark.parametrize(
        ("cell_id", "says"), [("DEC-0003", "mneme seen DEC-0003"), ("DEC-0004", "nothing follows"),
                              ("DEC-0005", "nothing follows")],
    )  # fmt: skip
    def test_only_proposals_are_accepted(self, mneme: Runner, project: Path, cell_id: str, says: str) -> None:
        before = texts(project)
        result = mneme("accept", cell_id)
        assert result.code == 2
        assert says in result.err
        assert texts(project) == before

    def test_retire(self, mneme: Runner, project: Path) -> None:
        result = mneme("retire", "DEC-0001", "DEC-0002", "DEC-0003", "DEC-0005")
        assert result.code == 0
        assert result.err.count("state retired") == 3
        assert "DEC-0005: nothing to change (was retired already)" in result.err
        assert mneme("retire", "DEC-0004").code == 2


class TestSeveral:
    """All of the cells named, or none."""

    def test_over_two_files_in_one_step(self, mneme: Runner, project: Path) -> None:
        (project / "more.mneme").write_text(cell("DEC-0007", state="live"))
        result = mneme("seen", "DEC-0002", "DEC-0007", "DEC-0002", "--format", "json")
        data = json.loads(result.out)
        assert data["kind"] == "seen"
        assert [(entry["id"], entry["path"], entry["seen"], entry["changed"]) for entry in data["cells"]] == [
            ("DEC-0002", "project.mneme", TODAY, True), ("DEC-0007", "more.mneme", TODAY, True),
        ]  # fmt: skip
        assert data["cells"][0]["before"] == {"state": "live", "conf": "high", "seen": "2026-11-20"}

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("DEC-0004", "is superseded"), ("DEC-0099", "no cell has the ID 'DEC-0099'"),
            ("dec-2", "did you mean DEC-0002?"), ("ZZZ", "mneme spine --all"),
        ],
    )  # fmt: skip
    def test_one_that_cannot_be_stops_all(self, mneme: Runner, project: Path, wrong: str, says: str) -> None:
        before = texts(project)
        result = mneme("seen", "DEC-0002", "DEC-0003", wrong)
        assert result.code == 2
        assert says in result.err
        assert texts(project) == before

    def test_an_id_that_stands_twice_is_refused_with_both_places(self, mneme: Runner, project: Path) -> None:
        (project / "twice.mneme").write_text("\n" + cell("DEC-0002"))
        for arguments in (("seen", "DEC-0002"), ("set", "DEC-0002", "--conf", "low"), ("retire", "DEC-0002")):
            result = mneme(*arguments)
            assert result.code == 2
            assert "DEC-0002 stands twice: project.mneme:6 and twice.mneme:2" in result.err
            assert "mneme new-id DEC" in result.err

    def test_a_file_that_cannot_be_read_is_named_when_the_cell_is_not_found(self, mneme: Runner, project: Path) -> None:
        (project / "bad.mneme").write_bytes(b"\xff")
        assert mneme("seen", "DEC-0002").code == 0
        assert "not read: bad.mneme" in mneme("seen", "ZZZ").err

    def test_nothing_named(self, mneme: Runner) -> None:
        for verb in ("seen", "set", "accept", "retire"):
            assert mneme(verb).code == 2
