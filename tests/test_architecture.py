"""What import-linter cannot say: node files are data only, and there is one way to compile."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "freewheel"
# `types.py` holds the types that nodes carry, `*_names.py` names only: data as well.
DATA_FILES = sorted(
    path for kind in ("*nodes.py", "types.py", "*_names.py") for path in SOURCE.rglob(kind)
)
DATA_MODULES = {
    ".".join(("freewheel", *path.relative_to(SOURCE).with_suffix("").parts)) for path in DATA_FILES
}


def is_for_types_only(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:`: such imports never run."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def names_in(node: ast.Import | ast.ImportFrom) -> list[str]:
    """`from freewheel.formula import nodes` names the module `freewheel.formula.nodes`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, "relative import"
    inner = [f"{node.module}.{alias.name}" for alias in node.names]
    modules = [name for name in inner if is_our_module(name)]
    return modules if len(modules) == len(inner) else [node.module or "", *modules]


def is_our_module(name: str) -> bool:
    path = SOURCE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def imported_modules(path: Path) -> list[str]:
    """Every module that an import statement in the file names, wherever it stands."""
    found: list[str] = []
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.extend(names_in(node))
        elif not is_for_types_only(node):
            waiting.extend(ast.iter_child_nodes(node))
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


# What takes a model from one room to the next, and where it is defined.
HAND_OVERS = {
    "instantiate": "freewheel.instance.instantiate",
    "flatten": "freewheel.flat.flatten",
    "analyse": "freewheel.structure.analyse",
    "lower": "freewheel.program.lower",
    "build": "freewheel.backend.load",
}


def used_names(tree: ast.AST) -> set[tuple[str, str]]:
    """(module, name in it) of whatever the file uses of others, by whatever name."""
    own: dict[str, tuple[str, str]] = {}  # local name -> (module, name there)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                own[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                own[alias.asname or alias.name] = (alias.name, "")
    found: set[tuple[str, str]] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        local, _, last = ast.unparse(node).rpartition(".")
        module, name = own.get(local or last, ("", ""))
        if local:  # `analysis.analyse`, from `import .. as analysis` or `from .. import analysis`
            module, name = f"{module}.{name}".rstrip("."), last
        found.add((module, name))
    return found


def hand_overs_in(text: str) -> list[str]:
    used = used_names(ast.parse(text))
    return [name for name, module in HAND_OVERS.items() if (module, name) in used]


def test_only_the_pipeline_takes_a_model_from_room_to_room():
    users: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        room = f"freewheel.{path.relative_to(SOURCE).parts[0]}."  # it may call what is its own
        for name in hand_overs_in(path.read_text(encoding="utf-8")):
            if not HAND_OVERS[name].startswith(room):
                users.setdefault(path.relative_to(SOURCE).as_posix(), []).append(name)

    assert users == {"pipeline.py": list(HAND_OVERS)}


@pytest.mark.parametrize(
    "text",
    [
        "from freewheel.structure.analyse import analyse\nanalyse(flat)",
        "from freewheel.structure.analyse import analyse as order\norder(flat)",
        "from freewheel.structure import analyse as room\nroom.analyse(flat)",
        "import freewheel.structure.analyse\nfreewheel.structure.analyse.analyse(flat)",
        "from freewheel.structure.analyse import analyse\nmap(analyse, models)",
    ],
)
def test_a_caller_is_found_however_it_imports(text):
    assert hand_overs_in(text) == ["analyse"]


def test_no_file_is_a_drawer_for_odds_and_ends():
    forbidden = {"utils.py", "helpers.py", "misc.py", "common.py"}

    assert [str(p) for p in SOURCE.rglob("*.py") if p.name in forbidden] == []


TABLES = sorted(SOURCE.rglob("thresholds.py"))
# What users see and change, and seconds.
NO_THRESHOLDS = {"tolerance", "chatter_window", "SOON"}


@pytest.mark.parametrize("room", ["runtime", "structure"])
def test_thresholds_stand_in_the_table_of_their_subject(room: str) -> None:
    """A number below one by powers of ten decides what counts as zero, as near, as at once, and so do units
    in the last place: wherever it is written, also within a function."""
    found = [
        f"{path.relative_to(SOURCE)}: {place}"
        for path in sorted((SOURCE / room).rglob("*.py"))
        if path not in TABLES
        for place in thresholds_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def thresholds_in(text: str) -> Iterator[str]:
    lines = text.encode().split(b"\n")
    tree = ast.parse(text)
    excepted: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(ast.unparse(target) in NO_THRESHOLDS for target in targets):
                excepted.update(ast.walk(node))
    for node in ast.walk(tree):
        if node in excepted:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            written = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
            if re.fullmatch(r"[\d._]+e-\d+", written):
                yield written
        elif isinstance(node, ast.Attribute) and node.attr == "eps":
            yield ast.unparse(node)


@pytest.mark.parametrize(
    "text",
    [
        "NEAR = 1e-9",
        "NEAR: Final = 4 * 1e-9",
        "def is_near(x):\n    return x < 1e-9",
        "NEAR = 16.0 * float(np.finfo(np.float64).eps)",
        "class Near(NamedTuple):\n    near: float = 1e-9",
    ],
)
def test_a_threshold_is_found_wherever_it_is_written(text: str) -> None:
    assert len(list(thresholds_in(text))) == 1


def test_what_users_see_and_change_is_no_threshold_of_a_table() -> None:
    assert list(thresholds_in("class Settings:\n    tolerance: float = 1e-6")) == []


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.parent.name)
def test_each_threshold_has_its_reason(table: Path) -> None:
    """Beside it, or in the lines above; a number may share those with its neighbour."""
    lines = table.read_text(encoding="utf-8").split("\n")
    bare = [
        line.strip()
        for before, line in zip(["", *lines], lines, strict=False)
        if re.match(r" {4}\w+: (float|int)\b", line)
        and "#" not in line
        and not re.match(r" {4}(#|\w+: (float|int)\b)", before)
    ]
    assert bare == []
