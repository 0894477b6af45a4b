"""Every diagnostic code in the source is explained and tested, and every explained code exists."""

import ast
import re
from pathlib import Path

import pytest

from freewheel.base.diagnostics import STAGE_OF_CODE
from freewheel.tools.cli import execute
from freewheel.tools.explain import read_entries

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "freewheel"
CODE = re.compile(r'"([A-Z]\d{3})"')


def codes_in_source() -> set[str]:
    return {
        code
        for path in SOURCE.rglob("*.py")
        for code in CODE.findall(path.read_text(encoding="utf-8"))
        if code[0] in STAGE_OF_CODE
    }


def test_every_code_is_explained():
    assert sorted(codes_in_source() - set(read_entries())) == []


def test_every_explained_code_exists():
    assert sorted(set(read_entries()) - codes_in_source()) == []


TESTS = ROOT / "tests"
EXPECTED = re.compile(r"^--- \w+ ([A-Z]\d{3}) ", re.MULTILINE)  # in a file of broken models
TOLD = re.compile(r"^([A-Z]\d{3})\b|\b(?:error|warning|note)\[([A-Z]\d{3})\]")


def codes_in_tests() -> set[str]:
    """Codes that a test expects: of the broken models, and the strings of test code that begin with one
    (`"N080 3"`) or hold one as it is printed (`"error[R009]: ..."`). A comment or a docstring is none."""
    found = {
        code
        for path in TESTS.rglob("*.txt")
        for code in EXPECTED.findall(path.read_text(encoding="utf-8"))
    }
    for path in sorted(set(TESTS.rglob("*.py")) - {Path(__file__).resolve()}):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in told
            ):
                found.update(code for pair in TOLD.findall(node.value) for code in pair if code)
    return found


def test_every_code_is_expected_by_a_test():
    assert sorted(set(read_entries()) - codes_in_tests()) == []


def test_codes_are_in_order_and_once():
    page = (SOURCE / "tools" / "errors.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## ([A-Z])(\d{3})", page, re.MULTILINE)
    letters = list(STAGE_OF_CODE)

    assert headings == sorted(set(headings), key=lambda h: (letters.index(h[0]), h[1]))


def test_no_entry_is_empty():
    assert [code for code, (title, text) in read_entries().items() if not title or not text] == []


def test_the_page_of_the_documentation_is_the_same():
    ours = (SOURCE / "tools" / "errors.md").read_text(encoding="utf-8")

    assert (ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == ours


@pytest.mark.parametrize("form", ["S005", "s005"])
def test_explain_prints_an_entry(form, capsys):
    assert execute(["explain", form]) == 0
    assert capsys.readouterr().out.startswith("S005: a semicolon is missing\n\nEvery declaration")
