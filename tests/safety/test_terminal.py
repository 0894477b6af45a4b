"""Attacks on the terminal: no control character of a model, a file or a name is ever printed."""

from __future__ import annotations

import json
import os
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


# Direction marks may stand in a quoted name, control characters may not.
QUOTED = f"'x{TURN}y'"


@pytest.mark.parametrize(
    "command",
    [
        ["run", "--event-log", "--stats"],
        ["run", "--json"],
        ["flatten"],
        ["equations"],
        ["blocks"],
        ["explain"],
        ["bondgraph"],
        ["compare"],
        ["devs"],
        ["export", "--to", "c"],
        ["run", "--plot", QUOTED],
        ["run", "--param", f"{QUOTED}=1"],
    ],
    ids=" ".join,
)
def test_every_command_prints_names_harmlessly(
    command: list[str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "M.mo"
    path.write_text(
        f'model {QUOTED} "{EVIL}" Real {QUOTED}(start = 1, fixed = true, unit = "{EVIL}");'
        f" Boolean b = {QUOTED} > 0.5; equation der({QUOTED}) = -{QUOTED}; end {QUOTED};"
    )
    execute([command[0], str(path), *command[1:]])
    assert not FORBIDDEN.intersection(output(capfd))


def test_libraries_are_listed_harmlessly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "A.mo").write_text(f'package A annotation(version = "{EVIL}"); end A;')
    (tmp_path / f"'q{EVIL}'.mo").write_text("package Q end Q;")
    (tmp_path / f"B 1{EVIL}").mkdir()
    (tmp_path / f"B 1{EVIL}" / "package.mo").write_text("package B end B;")
    for words in ([], ["--json"]):
        assert execute(["library", "list", "--library", str(tmp_path), *words]) == 0
    assert not FORBIDDEN.intersection(output(capsys))


def test_a_table_on_a_terminal_is_harmless(tmp_path: Path) -> None:
    """`--out /dev/stdout`: in a file the names are as they are, on a terminal they are shown."""
    path = tmp_path / "M.mo"
    path.write_text(f"model M Real {QUOTED} = time; end M;")
    assert execute(["run", str(path), "--out", str(tmp_path / "r.csv")]) == 0
    assert TURN in (tmp_path / "r.csv").read_text()
    master, slave = os.openpty()
    try:
        assert execute(["run", str(path), "--out", os.ttyname(slave), "--interval", "1"]) == 0
        assert TURN not in os.read(master, 10_000).decode()
    finally:
        os.close(master)
        os.close(slave)


def test_labels_of_pictures_are_no_formulas(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_text(
        "model '$\\\\frac{$' Real '$\\\\bad{$'(unit = \"$\\\\bad\") = time; end '$\\\\frac{$';"
    )
    file = str(tmp_path / "p.png")
    assert execute(["run", str(path), "--plot", "'$\\\\bad{$'", "--plot-file", file]) == 0


def test_messages_have_an_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "M.mo"
    path.write_text(
        'model M function f output String s; algorithm s := "x"; for i in 1:19 loop s := s + s; end for;'
        " end f; Real x = time; equation assert(x < 0.5, f()); end M;"
    )
    assert execute(["run", str(path)]) == 3
    assert len(capsys.readouterr().err) < 20_000
