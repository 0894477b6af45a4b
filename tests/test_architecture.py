"""What import-linter cannot say: node files are data only, and there is one way to compile."""

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "freewheel"
# `types.py` holds the types that nodes carry: data as well.
DATA_FILES = sorted([*SOURCE.rglob("*nodes.py"), *SOURCE.rglob("types.py")])
DATA_MODULES = {
    ".".join(("freewheel", *path.relative_to(SOURCE).with_suffix("").parts)) for path in DATA_FILES
}


def imported_modules(path: Path) -> list[str]:
    """Every module an import statement in the file names, wherever it stands."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
    return found


def is_data_import(module: str) -> bool:
    top = module.split(".")[0]
    if top != "freewheel":
        return top in sys.stdlib_module_names
    return module.startswith("freewheel.base") or module in DATA_MODULES


@pytest.mark.parametrize("path", DATA_FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_node_files_import_only_data(path: Path):
    foreign = [module for module in imported_modules(path) if not is_data_import(module)]

    assert foreign == []


def test_there_is_exactly_one_public_way_to_compile():
    defined = [
        (path.relative_to(SOURCE).as_posix(), node.name)
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("compile_model")
    ]

    assert defined == [("pipeline.py", "compile_model")]


def test_only_the_pipeline_calls_a_backend():
    callers = [
        path.relative_to(SOURCE).as_posix()
        for path in sorted(SOURCE.rglob("*.py"))
        if any(m.startswith("freewheel.backend") for m in imported_modules(path))
        and "backend" not in path.relative_to(SOURCE).parts
    ]

    assert callers == ["pipeline.py"]


def test_no_file_is_a_drawer_for_odds_and_ends():
    forbidden = {"utils.py", "helpers.py", "misc.py", "common.py"}

    assert [str(p) for p in SOURCE.rglob("*.py") if p.name in forbidden] == []
