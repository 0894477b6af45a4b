"""Attacks on the terminal: no control character of a model, a file or a name is ever printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from freewheel.base.printable import printable, printable_json
from freewheel.tools.cli import execute

CLEAR, CSI, TURN = "\x1b[2J\x1b]0;title\x07", "\x9b31m", "\u202e"
EVIL = f"{CLEAR}{CSI}{TURN}\r\b\x7f"
FORBIDDEN = set("\x1b\x07\x08\r\x7f\x9b\u202e")


def output(capsys: pytest.CaptureFixture[str]) -> str:
    told = capsys.readouterr()
    return told.out + told.err


def test_pictures_for_what_cannot_be_seen() -> None:
    assert printable(f"a{CLEAR}b\tc\n") == "a␛[2J␛]0;title␇b\tc\n"
    assert printable(CSI + TURN) == "�31m�"
    assert len(printable(EVIL)) == len(EVIL)
    assert printable("größe → 日本") == "größe → 日本"
    assert printable(b"\xff.mo".decode("utf-8", "surrogateescape")) == "�.mo"
    assert json.loads(printable_json(json.dumps(EVIL, ensure_ascii=False))) == EVIL


CASES = {
    "comment": (f"model M /* {EVIL} */ Real x = ; end M;", ["check"]),
    "string": (f'model M Real x = "{EVIL}"; end M;', ["check"]),
    "quoted name": (f"model M Real '{EVIL}' = 1 + true; end M;", ["check"]),
    "wrong character": (f"model M Real x = 1; {EVIL} end M;", ["check"]),
    "assertion": (f'model M Real x = time; equation assert(x > 1, "{EVIL}"); end M;', ["run"]),
    "warning": (
        f'model M Real x = time; equation assert(x > 1, "{EVIL}", AssertionLevel.warning); end M;',
        ["run"],
    ),
    "end": (f'model M Real x = time; equation when x > 0.5 then terminate("{EVIL}"); end when; end M;',
            ["run"]),
    "flat text": (f'model M "{EVIL}" parameter String s = "{EVIL}"; Real x = time; end M;',
                  ["flatten"]),
    "unit": (f'model M Real x(unit = "{EVIL}") = time; end M;', ["check"]),
    "print": (
        f'model M impure function p input String s; external "C" ModelicaInternal_print(s, ""); end p;'
        f' Real x = time; equation when x > 0.5 then p("{EVIL}"); end when; end M;',
        ["run"],
    ),
    "function": (
        f'model M function f output Integer n; algorithm assert(false, "{EVIL}"); n := 1; end f;'
        " Real x[f()]; end M;",
        ["check"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_a_model_prints_no_control_characters(
    case: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, command = CASES[case]
    path = tmp_path / "M.mo"
    path.write_bytes(text.encode())
    execute([*command, str(path), *more])
    told = output(capsys)
    assert told
    assert not FORBIDDEN.intersection(told)


@pytest.mark.parametrize("command", ["check", "run", "flatten", "explain"])
def test_file_names_print_no_control_characters(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = EVIL.replace("\0", "")
    path = tmp_path / f"{name}.mo"
    path.write_text("model M Real x = 1 + true; end M;")
    assert execute([command, str(path)]) == 1
    assert execute([command, str(tmp_path / f"no{name}.mo")]) == 2
    assert not FORBIDDEN.intersection(output(capsys))


def test_arguments_print_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "M.mo"
    path.write_text("model M Real x = time; end M;")
    for words in (["--param", f"{EVIL}=1"], ["-m", EVIL], ["--library", EVIL], [f"--{EVIL}"]):
        assert execute(["run", str(path), *words]) != 0
    assert not FORBIDDEN.intersection(output(capsys))


def test_commands_print_through_one_door() -> None:
    """`tools.terminal.echo` is the only caller of `click.echo`."""
    tools = Path(__file__).parents[2] / "src" / "freewheel" / "tools"
    callers = [path.name for path in tools.rglob("*.py") if "click.echo" in path.read_text("utf-8")]
    assert callers == ["terminal.py"]
