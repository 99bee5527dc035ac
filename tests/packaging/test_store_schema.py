"""The store's schema is found wherever the program runs from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.conftest import Environment

pytestmark = pytest.mark.install

CODE = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:]
from mneme.graph.store import open_store
with open_store(Path("mnemon.db")) as store:
    print(store.totals()["insights"])
"""


@pytest.mark.parametrize("what", ["wheel", "pyz"])
def test_a_store_is_made(what: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    environment: Environment = request.getfixturevalue("wheel_environment" if what == "wheel" else "bare_environment")
    more = [request.getfixturevalue("pyz")] if what == "pyz" else []
    done = environment.run("-c", CODE, *more, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("0\n", "")
    assert [path.name for path in tmp_path.iterdir()] == ["mnemon.db"]
