"""What imports what, and what the scripts and pages say of modules and their options."""

import ast
import importlib
import re
import sys

import pytest

from tilelens_training.paths import ROOT, TRAINING

PACKAGE = TRAINING / "tilelens_training"
ORDER = ["", "render", "data", "train", "export", "measure"]  # "": the modules beside the subpackages
# What a machine without these cannot run, it skips; anything else that is missing is a mistake.
OPTIONAL = {"torch", "numba", "cairosvg"}


def name_of(path) -> str:
    return ".".join(path.relative_to(TRAINING).with_suffix("").parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py"}


def imported(path) -> set[str]:
    """Names of all modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative"
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= inner or {node.module}
    return found


IMPORTS = {name: imported(path) for name, path in MODULES.items()}


def subpackage(name: str) -> str:
    return name.split(".")[1] if name.count(".") == 2 else ""


def reached(name: str) -> set[str]:
    """All that a module imports, and all that those import."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = IMPORTS.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def test_subpackages_import_one_way():
    assert {subpackage(name) for name in MODULES} == set(ORDER)
    for name in MODULES:
        for other in IMPORTS[name] & MODULES.keys():
            assert ORDER.index(subpackage(other)) <= ORDER.index(subpackage(name)), f"{name} imports {other}"


def test_no_module_imports_itself_by_others():
    assert not [name for name in MODULES if name in reached(name)]


def test_only_training_and_export_need_torch():
    for name in MODULES:
        if subpackage(name) not in ("train", "export"):
            assert not {other for other in reached(name) if other.split(".")[0] == "torch"}, name


def test_accuracy_needs_the_standard_library_alone():
    others = {name.split(".")[0] for name in reached("tilelens_training.measure.accuracy")} - {"tilelens_training"}
    assert others and not others - sys.stdlib_module_names


@pytest.mark.parametrize("name", MODULES)
def test_can_be_imported(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in OPTIONAL:
            raise
        pytest.skip(f"needs {missing.name}")


def test_train_sh_gives_options_that_there_are():
    lines = re.sub(r"^ *#.*$", "", (TRAINING / "train.sh").read_text(), flags=re.MULTILINE).splitlines()
    arrays: dict[str, str] = {}
    checked = 0
    for line in lines:
        found = re.search(r"(?:step |=\()(?:((?:%s)\.\w+)|\"\$\{(\w+)\[@\]\}\")" % "|".join(ORDER[1:]), line)
        if not found:
            continue
        module = found[1] or arrays[found[2]]
        if array := re.match(r"(\w+)=\(", line):
            arrays[array[1]] = module
        source = MODULES[f"tilelens_training.{module}"].read_text()
        for option in re.findall(r" (--[a-z-]+)", line):
            assert f'"{option}"' in source, f"{module} {option}"
            checked += 1
    assert checked > 80


def test_pages_name_modules_that_there_are():
    files = [ROOT / "CONTRIBUTING.md", ROOT / "Makefile", *TRAINING.glob("*.sh"), *TRAINING.glob("runs/*.toml")]
    for folder, kind in (("docs", "md"), ("models", "md"), ("datasets", "md"), ("src", "rs"), ("crates", "rs"), ("tests", "rs"), ("calibration", "toml")):
        files += (ROOT / folder).rglob(f"*.{kind}")
    named = 0
    for file in files:
        text = file.read_text()
        for module in re.findall(r"tilelens_training\.(\w+\.\w+)", text):
            assert f"tilelens_training.{module}" in MODULES, f"{file}: {module}"
            named += 1
        for path in re.findall(r"\b((?:%s)/\w+\.py)" % "|".join(ORDER[1:]), text):
            assert (PACKAGE / path).exists(), f"{file}: {path}"
            named += 1
    assert named > 20
