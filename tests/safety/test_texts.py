"""Attacks by what is written in a file: a table of texts, what is said of each, and nothing else happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from freewheel.tools.cli import execute

DEEP = 20_000
CONTROL = "\x1b[2J"


def nested(opening: str, closing: str) -> bytes:
    return f"model M Real x = {opening * DEEP}1{closing * DEEP}; end M;".encode()


def model(text: str) -> bytes:
    return f"model M {text} end M;".encode()


def doubled(kind: str, first: str, count: int = 40) -> str:
    chain = "".join(f"{kind} s{i} = s{i - 1} + s{i - 1};" for i in range(1, count))
    return f"{kind} s0 = {first}; {chain}"


ATTACKS: dict[str, tuple[bytes, str]] = {
    # nesting
    "brackets": (nested("(", ")"), "S009"),
    "braces": (nested("{", "}"), "S009"),
    "calls": (nested("sin(", ")"), "S009"),
    "signs": (nested("-", ""), "S013"),
    "branches": (nested("if time > 0 then 1 elseif time > 1 then 2 else ", ""), "N050"),
    "many branches": (model("Real x = if time > 0 then 1 " + "elseif time > 1 then 2 " * DEEP + "else 3;"),
                      "N050"),
    "sums": (model("Real x = time" + " + 1" * DEEP + ";"), "N050"),
    "classes": ("".join(f"model M{i} " for i in range(DEEP)).encode(), "S009"),
    "modifiers": (model("Real x(" + "a(" * DEEP + ")" * DEEP + ");"), "S009"),
    "equations": (model("Real x; equation " + "if time > 0 then " * DEEP), "S009"),
    "loops": (model("Real x; algorithm " + "while true loop " * DEEP), "S009"),
    "comments": (b"/*" * DEEP, "S003"),
    # lengths
    "digits": (model("Real x = " + "9" * DEEP + ";"), "N049"),
    "Integer": (model("parameter Integer n = " + "9" * 400 + "; Real x = n;"), "N049"),
    "power": (model("constant Real c = 10^(10^10); Real x = c*time;"), "N906"),
    "unknown name": (model("Real x = " + "y" * 1_000_000 + ";"), "N001"),
    "String": (model("parameter String s = String(1.0, minimumLength = 1000000000); Real x = time;"),
               "N911"),
    "format": (model('parameter String s = String(1.0, format = ".999999999f"); Real x = time;'),
               "N911"),
    "constant texts": (model(doubled("constant String", '"xxxxxxxxxx"') + "Real x = time;"), "N911"),
    "changing texts": (model(doubled("String", "String(time)")
                             + "Real x = time; equation assert(x < 2, s39);"), "N911"),
    "many errors": (model("Real x = ;" * 1000), "S004"),
    # bytes
    "nothing": (b"", "S010"),
    "null": (b"model M Real x = 1;\0 end M;", "S001"),
    "null in a name": (b"model M Real 'a\0b' = 1; end M;", "S001"),
    "escape in a name": (model(f"Real 'a{CONTROL}b' = 1;"), "S001"),
    "line end in a name": (model("Real 'a\rb' = 1;"), "S001"),
    "UTF-16": ("model M end M;".encode("utf-16"), "S011"),
    "machine code": (bytes(range(256)) * 10, "S011"),
    "open string": (b'model M "text', "S002"),
    "open name": (b"model M Real 'text", "S001"),
    # circles
    "extends itself": (model("extends M;"), "N006"),
    "extends in a circle": (b"model A extends M; end A; model M extends A; end M;", "N006"),
    "contains itself": (model("M m[2];"), "N007"),
    "contains itself by redeclaration": (model("replaceable model X = M; X x;"), "N007"),
    "short classes": (b"model A = B; model B = A; model M A a; end M;", "N006"),
    "types": (b"type A = B; type B = A; model M A a; end M;", "N006"),
    "constants": (model("constant Integer a = b; constant Integer b = a; Real x[a];"), "N032"),
    "parameters": (model("parameter Real a = b; parameter Real b = a; Real x = a;"), "E004"),
    "sizes": (model("Real x[size(y, 1)]; Real y[size(x, 1)];"), "N030"),
    "inner and outer": (b"model A inner outer A a; end A; model M inner A a; end M;", "N007"),
    # sizes
    "negative size": (model("Real x[-5];"), "N036"),
    "endless size": (model("Real x[integer(1e300)];"), "U111"),
    "fine range": (model("Real x = sum(1:1e-9:1e9);"), "N911"),
    "text that nobody may read": (
        model('function f input String s; input Integer n; output String t; output Boolean e;'
              ' external "C" t = ModelicaInternal_readLine(s, n, e); end f;'
              ' parameter String s = f("/etc/hostname", 1); Real x = time;'), "U101"),
    "text that a run would find": (
        model("parameter Integer n(fixed = false); parameter String s = String(n);"
              " Real x = time; initial equation n = 3;"), "E074"),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_a_text_is_refused_with_words(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, code = ATTACKS[name]
    path = tmp_path / "M.mo"
    path.write_bytes(text)
    assert execute(["check", str(path)]) == 1
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert len(told) < 50_000
    assert [entry.name for entry in tmp_path.iterdir()] == ["M.mo"]


HARMLESS = {
    "byte order marks": b"\xef\xbb\xbf\xef\xbb\xbfmodel M Real x = time; end M;",
    "long name": model("Real " + "x" * 1_000_000 + " = time;"),
    "long string": model('parameter String s = "' + "x" * 1_000_000 + '"; Real x = time;'),
    "long line": model(" " * 1_000_000 + "Real x = time;"),
    "tiny number": model("Real x = 1e-999999999999*time;"),
    "many digits": model("Real x = 1." + "9" * 100_000 + ";"),
    "line ends of old": b"model M\rReal x = time;\rend M;\r",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_only_long_or_odd_is_right(name: str, tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_bytes(HARMLESS[name])
    assert execute(["check", str(path)]) == 0


# Names that would be code in Python, C or LLVM; a run by either backend and every exported program.
NAMES = (
    "'*/ evil(); /*'",
    '\'""" evil() """\'',
    "'x\\'\\\"'",
    "'1: evil() #'",
    "'%s %n {0}'",
    "'$(evil)'",
)


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize("name", NAMES)
def test_names_are_no_code(name: str, backend: str, tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_text(
        f"model {name} function f input Real {name}; output Real y; algorithm y := 0;"
        f" for {name} in 1:3 loop y := y + {name}; end for; end f; record R Real {name}; end R;"
        f" R r({name} = f(time)); Real z = sum({name}*time for {name} in 1:3);"
        f" Real {name}(start = 1, fixed = true); equation der({name}) = -{name};"
        f" end {name};"
    )
    assert execute(["run", str(path), "--backend", backend]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_names_end_no_comment_of_an_exported_program(name: str, tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_text(
        f"model {name} Real {name}(start = 1, fixed = true); equation der({name}) = -{name};"
        f" end {name};"
    )
    for kind in ("c", "casadi"):
        assert execute(["export", str(path), "--to", kind, "--out", str(tmp_path / kind)]) == 0
    (python,) = (tmp_path / "casadi").iterdir()
    compile(python.read_text(), "exported", "exec")
    (c,) = (tmp_path / "c").iterdir()
    plain = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', "", c.read_text(), flags=re.DOTALL)
    assert "main" in plain
    assert "evil(" not in plain
