"""Documentation is executed: console blocks are run and compared, Python blocks run, links checked.

- A `console` block holds `$ freewheel ...` lines, each followed by the output expected of it.
- A `python` block is executed; pages share one namespace. A `text` block right after it is its
  expected output.
- A line `...` in expected output stands for any number of lines, `...` inside a line for anything.
"""

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

from freewheel.tools.cli import execute

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def matches(actual: str, expected: str) -> bool:
    """Compare line by line, trailing blanks aside, with `...` as a wildcard."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pieces = [re.escape(piece) for piece in line.rstrip().split("...")]
            pattern += ".*".join(pieces) + r"[ \t]*\n"
    return re.fullmatch(pattern, actual.rstrip() + "\n" if actual.strip() else "") is not None


def run_command(line: str) -> str:
    words = shlex.split(line)
    assert words[0] == "freewheel", f"only freewheel commands are executed: {line}"
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        execute(words[1:])
    return output.getvalue()


def check_console(block: str) -> None:
    steps = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not steps[0].strip(), "a console block begins with `$ `"
    for step in steps[1:]:
        command, _, expected = step.partition("\n")
        actual = run_command(command)
        assert matches(actual, expected), f"$ {command}\nprinted\n{actual}\ninstead of\n{expected}"


def check_python(code: str, expected: str | None, names: dict[str, object]) -> None:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "<documentation>", "exec"), names)
    if expected is not None:
        assert matches(output.getvalue(), expected), f"{code}\nprinted\n{output.getvalue()}"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_examples_of_the_page_do_what_it_says(page, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "docs" / "rc.mo", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MODELICAPATH", raising=False)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for index, (language, body) in enumerate(blocks):
        if language == "console":
            check_console(body)
        elif language == "python":
            following = blocks[index + 1] if index + 1 < len(blocks) else ("", "")
            check_python(body, following[1] if following[0] == "text" else None, names)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_of_the_page_lead_somewhere(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    dead = [t for t in targets if "://" not in t and not (page.parent / t).exists()]

    assert dead == []


def test_every_room_has_its_page():
    folders = (ROOT / "src" / "freewheel").iterdir()
    rooms = {path.name for path in folders if path.is_dir() and path.name != "__pycache__"}
    pages = {page.stem for page in (ROOT / "docs" / "rooms").glob("*.md")}

    assert pages == rooms


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        ("a\nb\n", "a\nb", True),
        ("a\nx\ny\nb\n", "a\n...\nb", True),
        ("took 0.31 s\n", "took ... s", True),
        ("a\n", "b", False),
        ("a\nb\n", "a", False),
    ],
)
def test_the_comparison_itself(actual, expected, same):
    assert matches(actual, expected) is same


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "rooms").glob("*.md")), ids=page_id)
def test_files_named_in_the_table_of_a_room_exist(page):
    rows = re.findall(r"^\| (`.*?) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`([\w*]+(?:\.py|/))`", row)]
    room = ROOT / "src" / "freewheel" / page.stem

    assert [name for name in names if not list(room.glob(name.rstrip("/")))] == []
