"""How well the default ranker does on the graded questions in benchmarks/cellbench-dev: no figure falls below these."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_recall", ROOT / "benchmarks/recall.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def results(benchmark: ModuleType) -> Any:
    data = benchmark.load(ROOT / "benchmarks/cellbench-dev")
    views = {name: benchmark.compiled(text, name) for name, text in data.texts.items()}
    return benchmark.run(data, views, benchmark.asking("mneme"))


@pytest.mark.parametrize(
    ("metric", "least"), [("recall@5", 0.78), ("nDCG@10", 0.76), ("abstention", 0.82), ("MRR", 0.78)]
)
def test_at_least(benchmark: ModuleType, results: Any, metric: str, least: float) -> None:
    assert benchmark.mean(results, metric) >= least


@pytest.mark.parametrize(("metric", "most"), [("old first", 0.02), ("twin first", 0.10)])
def test_at_most(benchmark: ModuleType, results: Any, metric: str, most: float) -> None:
    assert benchmark.mean(results, metric) <= most


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("keyword", 0.94), ("identifier", 0.94), ("error", 0.94), ("when", 0.94), ("superseded", 0.94), ("why", 0.86),
        ("multihop", 0.84),
    ],
)  # fmt: skip
def test_by_kind(benchmark: ModuleType, results: Any, kind: str, least: float) -> None:
    assert benchmark.mean([one for one in results if one.query.kind == kind], "recall@5") >= least


def test_asked_again_it_answers_the_same(benchmark: ModuleType) -> None:
    data = benchmark.load(ROOT / "benchmarks/cellbench-dev")
    views = {name: benchmark.compiled(text, name) for name, text in data.texts.items()}
    ask = benchmark.asking("mneme")
    for query in data.queries[::25]:
        assert len({str(ask(views[query.store], query.text)) for _ in range(32)}) == 1
