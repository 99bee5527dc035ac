"""What the model of the extra ``embed`` adds on the graded questions: no figure falls below these."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import pytest

from mneme.graph.embed.package import Package, installed
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_vectors", ROOT / "benchmarks/recall.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def results(benchmark: ModuleType) -> Any:
    assert installed()
    provider = Package()
    data = benchmark.load(ROOT / "benchmarks/cellbench-dev")
    views = {
        name: benchmark.embedded(benchmark.compiled(text, name), text, provider) for name, text in data.texts.items()
    }
    return benchmark.run(data, views, benchmark.asking("mneme", provider))


@pytest.mark.parametrize(("metric", "least"), [("recall@5", 0.88), ("nDCG@10", 0.86), ("abstention", 0.90)])
def test_at_least(benchmark: ModuleType, results: Any, metric: str, least: float) -> None:
    assert benchmark.mean(results, metric) >= least


@pytest.mark.parametrize(("metric", "most"), [("old first", 0.02), ("twin first", 0.10)])
def test_at_most(benchmark: ModuleType, results: Any, metric: str, most: float) -> None:
    assert benchmark.mean(results, metric) <= most


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("natural", 0.85), ("paraphrase", 0.66), ("cross", 0.88), ("keyword", 0.94), ("identifier", 0.94),
        ("superseded", 0.94), ("why", 0.88), ("multihop", 0.81), ("when", 0.92), ("error", 0.87), ("task", 0.50),
    ],
)  # fmt: skip
def test_by_kind(benchmark: ModuleType, results: Any, kind: str, least: float) -> None:
    assert benchmark.mean([one for one in results if one.query.kind == kind], "recall@5") >= least
