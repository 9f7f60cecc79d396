"""What the tests of the package share."""

import dataclasses
import json
import os
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "datasets" / "photos"


def in_json(answer: Any) -> Any:
    """An answer as the program prints it: amounts as text, nothing where there is nothing."""
    if dataclasses.is_dataclass(answer):
        named = [(field.metadata.get("name", field.name), getattr(answer, field.name)) for field in dataclasses.fields(answer)]
        return {name: in_json(value) for name, value in named if value is not None}
    if isinstance(answer, dict):
        return {name: in_json(value) for name, value in answer.items()}
    if isinstance(answer, (list, tuple)):
        return [in_json(part) for part in answer]
    return str(answer) if isinstance(answer, Fraction) else answer


def less_nothing(printed: Any) -> Any:
    """What the program prints, without `null`."""
    if isinstance(printed, dict):
        return {name: less_nothing(value) for name, value in printed.items() if value is not None}
    return [less_nothing(part) for part in printed] if isinstance(printed, list) else printed


class Program:
    """The program beside the package."""

    def __init__(self, path: Path):
        self.path = path

    def lines(self, *arguments: str, given: str | None = None) -> list[Any]:
        ran = subprocess.run([self.path, *arguments], input=given, capture_output=True, text=True, check=False)
        assert ran.stdout, ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture(scope="session")
def program() -> Program:
    path = Path(os.environ.get("TILELENS", ROOT / "target" / "release" / "tilelens"))
    if not path.is_file():
        pytest.skip(f"there is no program {path}: build it with `make build`, or name another one in TILELENS")
    return Program(path)
