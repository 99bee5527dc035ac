"""Chains of supersession: which cell stands in the place of an old one."""

from __future__ import annotations

import pytest

from mneme.format.parser import parse
from mneme.memory.links import LinkIndex


def index(*cells: str) -> LinkIndex:
    """Make cells of ``ID state relation ID …`` lines."""
    text = ""
    for row in cells:
        cell_id, state, *links = row.split()
        text += f"@ {cell_id}\nstate {state}\n"
        text += "".join(f"link {relation} {target}\n" for relation, target in zip(links[::2], links[1::2], strict=True))
    return LinkIndex(parse(text).placed)


CHAINS = {
    "nobody": (("A-1 live",), []),
    "one step": (("A-1 superseded superseded-by A-2", "A-2 live supersedes A-1"), ["A-2"]),
    "only the old cell says so": (("A-1 superseded superseded-by A-2", "A-2 live"), ["A-2"]),
    "only the new cell says so": (("A-1 superseded", "A-2 live supersedes A-1"), ["A-2"]),
    "three steps": (
        ("A-1 superseded superseded-by A-2", "A-2 superseded superseded-by A-3", "A-3 stale supersedes A-2"), ["A-3"],
    ),
    "a fork": (("A-1 superseded", "A-2 live supersedes A-1", "A-3 live supersedes A-1"), ["A-2", "A-3"]),
    "a circle": (("A-1 superseded superseded-by A-2", "A-2 superseded superseded-by A-1"), []),
    "itself": (("A-1 superseded superseded-by A-1",), []),
    "missing": (("A-1 superseded superseded-by A-9",), []),
    "a proposal replaces nothing yet": (("A-1 live", "A-2 proposed supersedes A-1"), []),
    "a proposal at the end of a chain": (
        ("A-1 superseded superseded-by A-2", "A-2 live", "A-3 proposed supersedes A-2"), ["A-2"],
    ),
    "a retired end": (("A-1 superseded superseded-by A-2", "A-2 retired"), ["A-2"]),
}  # fmt: skip


@pytest.mark.parametrize(("cells", "current"), CHAINS.values(), ids=CHAINS.keys())
def test_current(cells: tuple[str, ...], current: list[str]) -> None:
    assert [place.cell.id for place in index(*cells).current("A-1")] == current


def test_a_long_chain_is_walked_without_recursion() -> None:
    cells = [f"A-{n} superseded superseded-by A-{n + 1}" for n in range(1, 3000)]
    assert [place.cell.id for place in index(*cells, "A-3000 live").current("A-1")] == ["A-3000"]


def test_incoming() -> None:
    links = index("A-1 live", "A-2 live relates A-1", "A-3 live blocks A-1 relates A-2")
    assert [(back.source.cell.id, back.link.relation) for back in links.incoming("A-1")] == [
        ("A-2", "relates"),
        ("A-3", "blocks"),
    ]
    assert list(links.incoming("A-9")) == []


def test_a_long_chain_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    length = 300
    links = index(*(f"A-{i} superseded superseded-by A-{i + 1}" for i in range(1, length)), f"A-{length} live")
    asked: list[str] = []
    successors = LinkIndex.successors

    def counted(self: LinkIndex, cell_id: str) -> list[str]:
        asked.append(cell_id)
        return successors(self, cell_id)

    monkeypatch.setattr(LinkIndex, "successors", counted)
    for i in range(length, 0, -1):
        current = [place.cell.id for place in links.current(f"A-{i}")]
        assert current == ([f"A-{length}"] if i < length else [])
    assert len(asked) < 3 * length


@pytest.mark.parametrize("order", ["12345", "54321", "31524"])
def test_what_is_remembered_does_not_change_the_answer(order: str) -> None:
    cells = ("A-1 superseded superseded-by A-2", "A-2 superseded superseded-by A-1 superseded-by A-3")
    links = index(*cells, "A-3 superseded superseded-by A-4", "A-4 live", "A-5 superseded superseded-by A-2")
    found = {i: [place.cell.id for place in links.current(f"A-{i}")] for i in order}
    assert found == {"1": ["A-4"], "2": ["A-4"], "3": ["A-4"], "4": [], "5": ["A-4"]}
