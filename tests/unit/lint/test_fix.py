"""The fix engine keeps its promises whatever a rule proposes: each guard is seen to fire."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.lint.fix import MAX_TRIALS, Relint, fix_all, keeps_content
from mneme.lint.rule import Finding, Fix, Severity
from mneme.text.patch import Patch
from tests.conftest import cell

MEMORY = cell("DEC-0001") + "\n" + cell("DEC-0002", gist="Tokens are valid for one hour")


def finding(document: Document, *patches: Patch, safe: bool = True, repairs: bool = False) -> Finding:
    """Return a warning whose fix is ``patches``."""
    fix = Fix("try", patches, safe, repairs)
    return Finding("p", 0, 0, "MN000", "a-rule", Severity.WARNING, "", "", "", fix, document, 1, 1)


def error(document: Document, code: str) -> Finding:
    """Return an error without a fix."""
    return Finding("p", 0, 0, code, "a-rule", Severity.ERROR, "", "", "", None, document, 1, 1)


def silent(_documents: Sequence[Document]) -> list[Finding]:
    """Find nothing more."""
    return []


def at(document: Document, text: str) -> int:
    return document.text.index(text)


def test_a_fix_that_changes_content_is_refused() -> None:
    document = parse(MEMORY)
    start = at(document, "SQLite")
    bad = finding(document, Patch(start, start + 6, "a server"))
    documents, applied, refused = fix_all([document], [bad], silent)
    assert (documents, applied, refused) == ([document], 0, [bad])


def test_a_repair_may_change_its_own_cell_and_no_other() -> None:
    document = parse(MEMORY)
    start = at(document, "since 2026-11-01") + 6
    good = finding(document, Patch(start, start + 10, "2026-11-02"), repairs=True)
    documents, applied, _ = fix_all([document], [good], silent)
    assert applied == 1
    assert documents[0].cells[0].since == "2026-11-02"
    # A repair in the first cell that swallows the header of the second.
    header = at(document, "\n@ DEC-0002")
    bad = finding(document, Patch(header - 5, header + 1, ""), repairs=True)
    assert fix_all([document], [bad], silent).refused == [bad]


def test_a_fix_that_removes_a_link_is_refused() -> None:
    document = parse(cell("DEC-0001", more="link  relates DEC-0002\n"))
    start = at(document, "DEC-0002")
    bad = finding(document, Patch(start, start + 8, "DEC-0003"))
    assert fix_all([document], [bad], silent).refused == [bad]


def test_a_fix_whose_patches_overlap_is_refused() -> None:
    document = parse(MEMORY)
    bad = finding(document, Patch(0, 3, "@ "), Patch(1, 2, "  "))
    assert fix_all([document], [bad], silent).refused == [bad]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_of_many_fixes_only_those_that_add_an_error_are_left_out(count: int) -> None:
    document = parse("".join([cell(f"DEC-000{number}", conf=f"bad{number}") for number in range(count)]))
    findings = []
    for number in range(count):
        start = at(document, f"bad{number}")
        findings.append(finding(document, Patch(start, start + 4, "evil" if number % 3 == 0 else "high")))

    def relint(documents: Sequence[Document]) -> list[Finding]:
        return [error(documents[0], "MN999")] if "evil" in documents[0].text else []

    documents, applied, refused = fix_all([document], findings, relint)
    expected = [f"bad{number}" if number % 3 == 0 else "high" for number in range(count)]
    assert [entry.status.conf for entry in documents[0].cells] == expected
    assert applied == expected.count("high")
    assert refused == [] or applied == 0


def test_many_bad_fixes_do_not_take_for_ever() -> None:
    count = 4 * MAX_TRIALS
    document = parse("".join([cell(f"DEC-{number:04d}", conf="bad") for number in range(count)]))
    starts = [place.start + place.cell.text.index("bad") for place in document.placed]
    findings = [finding(document, Patch(start, start + 3, "evil")) for start in starts]
    runs = []

    def relint(documents: Sequence[Document]) -> list[Finding]:
        runs.append(1)
        return [error(documents[0], "MN999")]

    documents, applied, refused = fix_all([document], findings, relint)
    assert (documents, applied, len(refused)) == ([document], 0, count)
    assert len(runs) == MAX_TRIALS


def test_an_error_is_not_traded_for_one_of_another_kind() -> None:
    document = parse(cell(conf="bad"))
    start = at(document, "bad")
    findings = [error(document, "MN998"), finding(document, Patch(start, start + 3, "evil"))]

    def relint(documents: Sequence[Document]) -> list[Finding]:
        return [error(documents[0], "MN999")]

    assert fix_all([document], findings, relint).documents == [document]


def test_fixes_that_touch_each_other_wait_for_the_next_round() -> None:
    document = parse(cell(conf="bad"))

    def relint(documents: Sequence[Document]) -> list[Finding]:
        start = documents[0].text.find("conf") + 5
        value = documents[0].cells[0].status.conf
        following = {"bad": "low", "low": "med"}.get(value)
        return [finding(documents[0], Patch(start, start + 3, following))] * 2 if following else []

    documents, applied, refused = fix_all([document], relint([document]), relint)
    assert documents[0].cells[0].status.conf == "med"
    assert (applied, refused) == (2, [])


def test_two_fixes_that_undo_each_other_come_to_an_end() -> None:
    document = parse(cell(conf="low"))

    def relint(documents: Sequence[Document]) -> list[Finding]:
        start = documents[0].text.find("conf") + 5
        other = "med" if documents[0].cells[0].status.conf == "low" else "low"
        return [finding(documents[0], Patch(start, start + 3, other))]

    assert fix_all([document], relint([document]), relint).applied > 0


def test_unsafe_and_unwanted_fixes_wait_to_be_asked_for() -> None:
    document = parse(cell(conf="bad"))
    start = at(document, "bad")
    unsafe = finding(document, Patch(start, start + 3, "low"), safe=False)
    relint: Relint = silent
    assert fix_all([document], [unsafe], relint).applied == 0
    assert fix_all([document], [unsafe], relint, unsafe=True).applied == 1
    assert fix_all([document], [unsafe], relint, unsafe=True, wanted=lambda _finding: False).applied == 0


def test_no_cell_may_go_and_only_repairs_may_make_one() -> None:
    one, two = parse(cell("DEC-0001")), parse(MEMORY)
    assert not keeps_content(two, one, set())
    assert not keeps_content(two, one, {1})
    assert not keeps_content(one, two, set())
    assert keeps_content(one, two, {0})
    assert keeps_content(one, two, {-1})
    assert not keeps_content(parse("# nothing\n" + cell("DEC-0003")), two, {-1})
