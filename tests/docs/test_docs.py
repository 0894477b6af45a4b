"""Documentation is executed: console blocks are run and compared, Python blocks run, links checked."""

import contextlib
import io
import re
import shutil
from pathlib import Path

import pytest
from pages import ROOT, matches, page_id, steps_of

from freewheel.tools.cli import execute

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# These say themselves how to get the files that they use; the others need the folder `examples`.
FROM_NOTHING = (ROOT / "README.md", ROOT / "docs" / "tour.md")


def run_command(words: list[str]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        execute(words)
    return output.getvalue()


def run_python(code: str, names: dict[str, object]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "<documentation>", "exec"), names)
    return output.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_examples_of_the_page_do_what_it_says(page: Path, tmp_path, monkeypatch):
    if page not in FROM_NOTHING:
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MODELICAPATH", raising=False)
    names: dict[str, object] = {}
    for step in steps_of(page):
        if step.kind == "command":
            step.require(run_command(step.words))
        else:
            step.require(run_python(step.text, names))


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
