"""Text of a `.dym` file to the classic tree: the door of this room's front half.

    read(Source.from_text("model M local x x = 1 end")).models[0].name.text == "M"

Grammar, with `[...]` for what may be left out and `{...}` for what may come again:

    file      = {model | function | table}
    model     = "model" ["type" | "class"] ["(" name ")"] name {item} "end" [name]
    item      = ("local" | "terminal" | "input" | "output" | "node") name {[","] name}
              | ("parameter" | "constant") name ["=" expression] {[","] ...}
              | ["main"] "cut" name ("(" {variable} ["/" {variable}] ")" | "[" {name} "]") {[","] ...}
              | ["main"] "path" name "<" name "-" name ">" {[","] ...}
              | "submodel" ["(" class ")"] name ["(" name "=" expression {"," ...} ")"] {[","] ...}
              | "init" name "=" expression {[","] ...}
              | "connect" connection {"," connection}
              | "when" expression "then" {equation} "endwhen"
              | expression "=" expression
    function  = "function" name "(" name {"," name} ")" "=" expression
    table     = "table" name "(" name ")" "=" point {"," point}
    point     = "(" number "," number ")"

Names of one list stand on one line, or have a comma between them. Errors are collected: after one, the
next line is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.source import Source, Span
from freewheel.dymola.cursor import Cursor, GrammarError
from freewheel.dymola.lexer import END_OF_FILE, SYMBOL, TIME
from freewheel.dymola.nodes import (
    Argument,
    ClassicFile,
    Connection,
    Cut,
    CutVariable,
    FunctionDef,
    Init,
    Model,
    Path,
    Submodel,
    Variable,
    Word,
)
from freewheel.dymola.parse_equations import connections, equation, when
from freewheel.dymola.parse_expressions import expression
from freewheel.dymola.tables import TABLE, is_table, table
from freewheel.syntax.equation_nodes import Equation, WhenEquation
from freewheel.syntax.expression_nodes import Expr

Item = TypeVar("Item")
MAX_PROBLEMS = 20
_DECLARING = ("local", "terminal", "input", "output", "parameter", "constant")
_VALUED = ("parameter", "constant")


def read(source: Source) -> ClassicFile:
    """The tree of a file, or a `CompileError` with every error of grammar found."""
    c = Cursor(source)
    problems: list[Diagnostic] = []
    models: list[Model] = []
    functions: list[FunctionDef] = []
    while c.here.kind != END_OF_FILE and len(problems) < MAX_PROBLEMS:
        try:
            if c.here.text == "function":
                functions.append(_function(c))
            elif is_table(c):
                functions += table(c)
            elif c.here.text == "model":
                models.append(_model(c, problems))
            else:
                raise c.expected("`model`")
        except GrammarError as problem:
            problems.append(problem.diagnostic)
            _skip(c, ("model", "function", TABLE))
        except RecursionError:
            problems.append(c.fail("S009", "nested too deep", "split the expression").diagnostic)
            break
    if not models and not functions and not problems:
        place = Label(Span(source, 0, 0))
        cure = "a file holds at least one model: `model M ... end`"
        problems.append(Diagnostic("S010", "there is no model in this file", (place,), cure))
    if problems:
        raise CompileError(*problems[:MAX_PROBLEMS])
    return ClassicFile(tuple(models), tuple(_written_first(functions)))


def _written_first(functions: list[FunctionDef]) -> list[FunctionDef]:
    """Without slopes of tables that the file has a function for."""
    written = {function.name for function in functions if not function.is_slope_of_table}
    return [f for f in functions if not (f.is_slope_of_table and f.name in written)]


def read_expression(source: Source) -> Expr:
    """One expression, for values given in a session."""
    c = Cursor(source)
    try:
        found = expression(c)
        if c.here.kind != END_OF_FILE:
            raise c.expected("the end of the formula")
    except GrammarError as problem:
        raise CompileError(problem.diagnostic) from None
    return found


def _skip(c: Cursor, words: tuple[str, ...]) -> None:
    """To one of the words, at the beginning of a line."""
    c.brackets = c.depth = 0
    c.ends_at_sign = False
    while c.here.kind != END_OF_FILE and not (c.here.is_first and c.here.text in words):
        c.at += 1


# ---------------------------------------------------------------- models


class _Items:
    """What a model holds, kind by kind, in the order written."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self.cuts: list[Cut] = []
        self.paths: list[Path] = []
        self.submodels: list[Submodel] = []
        self.nodes: list[Word] = []
        self.inits: list[Init] = []
        self.connections: list[Connection] = []
        self.equations: list[Equation | WhenEquation] = []


def _model(c: Cursor, problems: list[Diagnostic]) -> Model:
    begin = c.take()
    is_class = c.here.text in ("type", "class")
    if is_class:
        c.take()
    base = None
    if c.here.text == "(":
        opened = c.open("(", "`model class`")
        base = c.word("the name of a class in brackets")
        c.close(")", opened)
    name = c.word("the name of the model")
    items = _Items()
    while c.here.text != "end":
        if c.here.kind == END_OF_FILE or c.here.text in ("model", "function"):
            raise c.expected(f"`end` of the model `{name.text}`")
        start = c.at
        try:
            _item(c, items)
        except GrammarError as problem:
            problems.append(problem.diagnostic)
            if len(problems) >= MAX_PROBLEMS:
                raise
            is_when = c.tokens[start].text == "when"
            c.at = max(c.at, start + 1)
            _next_line(c)
            while is_when and c.before.text != "endwhen" and c.here.text not in ("end", ""):
                c.at += 1
    _end(c, name)
    return Model(
        begin.start, c.before.end, name, is_class, base,
        tuple(items.variables), tuple(items.cuts), tuple(items.paths), tuple(items.submodels),
        tuple(items.nodes), tuple(items.inits),
        tuple(items.connections), tuple(items.equations),
    )  # fmt: skip


def _next_line(c: Cursor) -> None:
    """To the first token of a line that can begin an item."""
    c.brackets = c.depth = 0
    c.ends_at_sign = False
    while c.here.kind != END_OF_FILE:
        if c.here.is_first and c.here.kind != SYMBOL and c.here.text not in ("else", "then"):
            return
        c.at += 1


def _end(c: Cursor, name: Word) -> None:
    c.take()
    if c.is_name() and c.goes_on():
        closing = c.here
        if closing.text != name.text:
            raise GrammarError(
                Diagnostic(
                    "S006",
                    f"`end {closing.text}` closes the model `{name.text}`",
                    (
                        Label(c.span(closing)),
                        Label(Span(c.source, name.start, name.end), "it began here"),
                    ),
                    help=f"write `end` or `end {name.text}`",
                )
            )
        c.take()


def _item(c: Cursor, items: _Items) -> None:
    text = c.here.text
    if text in _DECLARING:
        c.take()
        items.variables += _list(c, lambda: _variable(c, text))
    elif text == "node":
        c.take()
        items.nodes += _list(c, lambda: c.word("the name of a node"))
    elif text in ("main", "cut", "path"):
        _cuts_or_paths(c, items)
    elif text == "submodel":
        items.submodels += _submodels(c)
    elif text == "init":
        c.take()
        items.inits += _list(c, lambda: _init(c))
    elif text == "connect":
        items.connections += connections(c)
    elif text == "when":
        items.equations.append(when(c))
    elif text == ";":
        c.take()
    else:
        items.equations.append(equation(c))


def _list(c: Cursor, rule: Callable[[], Item]) -> list[Item]:
    """One or more; a comma or just a blank between them, a comma at the end of a line."""
    found = [rule()]
    while c.takes(",") or (c.is_name() and c.goes_on()):
        found.append(rule())
    return found


def _variable(c: Cursor, kind: str) -> Variable:
    if c.here.text == TIME:
        raise c.fail("S008", "`Time` is the time and cannot be declared", "choose another name")
    name = c.word(f"the name of a {kind}" if kind in _VALUED else "the name of a variable")
    value = None
    if c.here.text == "=" and kind in _VALUED:
        c.take()
        value = expression(c)
    elif c.here.text == "=" and c.goes_on():
        raise c.fail(
            "S004",
            f"a `{kind}` variable has no value here",
            f"write `init {name.text} = ...` for a value at the start,"
            f" or an equation on a line of its own",
        )
    if kind == "constant" and value is None:
        raise c.expected(f"`=` and the value of the constant `{name.text}`")
    return Variable(name.start, name.end, kind, name.text, value)


def _init(c: Cursor) -> Init:
    target = c.reference("the name of a variable")
    c.expect("=", f"`init {'.'.join(target.names)}`")
    value = expression(c)
    return Init(target.start, c.before.end, target, value)


def _function(c: Cursor) -> FunctionDef:
    begin = c.take()
    name = c.word("the name of the function")
    opened = c.open("(", "the name of a function")
    inputs = [c.word("the name of an argument")]
    while c.takes(","):
        inputs.append(c.word("the name of an argument"))
    c.close(")", opened)
    c.expect("=", "the arguments of a function")
    value = expression(c)
    return FunctionDef(begin.start, c.before.end, name.text, tuple(inputs), value)


# ---------------------------------------------------------------- interfaces and parts


def _cuts_or_paths(c: Cursor, items: _Items) -> None:
    is_main = c.takes("main")
    if c.takes("cut"):
        items.cuts += _list(c, lambda: _cut(c, is_main))
    elif c.takes("path"):
        items.paths += _list(c, lambda: _path(c, is_main))
    else:
        raise c.expected("`cut` or `path` after `main`")


def _cut(c: Cursor, is_main: bool) -> Cut:
    name = c.word("the name of a cut")
    if c.here.text == "[":
        opened = c.open("[", "")
        parts = _list(c, lambda: c.word("the name of a cut"))
        c.close("]", opened)
        return Cut(name.start, c.before.end, name.text, is_main, (), (), tuple(parts))
    opened = c.open("(", f"the cut `{name.text}`")
    across = _cut_variables(c)
    through = _cut_variables(c) if c.takes("/") else ()
    c.close(")", opened)
    return Cut(name.start, c.before.end, name.text, is_main, across, through, ())


def _cut_variables(c: Cursor) -> tuple[CutVariable, ...]:
    found: list[CutVariable] = []
    while c.here.text not in (")", "/"):
        start = c.here.start
        is_negative = c.takes("-")
        if c.takes("."):
            found.append(CutVariable(start, c.before.end, "", False))
        else:
            name = c.word("a variable of the cut, `/` or `)`")
            found.append(CutVariable(start, name.end, name.text, is_negative))
        c.takes(",")
    return tuple(found)


def _path(c: Cursor, is_main: bool) -> Path:
    name = c.word("the name of a path")
    c.expect("<", f"the path `{name.text}`")
    first = c.word("the name of a cut")
    c.expect("-", f"the cut `{first.text}`")
    last = c.word("the name of a cut")
    c.expect(">", f"the cut `{last.text}`")
    return Path(name.start, c.before.end, name.text, is_main, first, last)


def _submodels(c: Cursor) -> list[Submodel]:
    c.take()
    class_name = None
    if c.here.text == "(":
        opened = c.open("(", "`submodel`")
        class_name = c.word("the name of a class")
        c.close(")", opened)
    return _list(c, lambda: _submodel(c, class_name))


def _submodel(c: Cursor, class_name: Word | None) -> Submodel:
    name = c.word("the name of a submodel")
    arguments: list[Argument] = []
    if c.here.text == "(" and c.goes_on():
        opened = c.open("(", "")
        if c.here.text != ")":
            arguments.append(_argument(c))
            while c.takes(",") or c.is_name():
                arguments.append(_argument(c))
        c.close(")", opened)
    return Submodel(name.start, c.before.end, class_name or name, name.text, tuple(arguments))


def _argument(c: Cursor) -> Argument:
    name = c.word("the name of a parameter")
    c.expect("=", f"the parameter `{name.text}`")
    value = expression(c)
    return Argument(name.start, c.before.end, name.text, value)
