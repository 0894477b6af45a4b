"""Text to tree: the public door of this room.

In: a `Source`. Out: a `StoredFile`, or a `CompileError` with every syntax error found.
`parse(Source.from_text("model M end M;")).classes[0].name == "M"`.

The rules are in `parse_classes.py`, `parse_modifications.py`, `parse_equations.py` and
`parse_expressions.py`, each importing only the ones after it in this list.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.files import read_regular
from freewheel.base.garbage import no_garbage_collection
from freewheel.base.source import Source, Span
from freewheel.syntax.cursor import Cursor, GiveUpError, GrammarError
from freewheel.syntax.expression_nodes import Expr
from freewheel.syntax.lexer import END_OF_FILE, Tokens, lex
from freewheel.syntax.nodes import ClassDef, Modification, StoredFile
from freewheel.syntax.parse_classes import top_class, within_clause
from freewheel.syntax.parse_expressions import expression
from freewheel.syntax.parse_modifications import CLASS_WORDS, class_modification
from freewheel.syntax.text_nodes import Annotation, Comment

Node = TypeVar("Node")


def parse(source: Source, annotations: bool = False) -> StoredFile:
    """The tree of a file. With `annotations` their insides are checked too."""
    with no_garbage_collection():
        tokens = lex(source)
        c = Cursor(source, tokens)
        within, classes = _guarded(c, lambda: (within_clause(c), _classes(c))) or (None, ())
        if not classes and not c.problems:
            c.problems.append(_no_class(source))
        if annotations:
            _check_annotations(c)
    if c.problems:
        raise CompileError(*sorted(c.problems, key=lambda d: d.labels[0].span.start))
    return StoredFile(0, len(source.text), within, classes, _outside_annotations(c, tokens))


def parse_annotation(source: Source, annotation: Annotation) -> Modification:
    """The inside of an annotation that a tree holds by place only."""
    modification, c = _read_annotation(source, annotation)
    if modification is None:
        raise CompileError(*c.problems)
    others = [arg for more in annotation.more for arg in parse_annotation(source, more).args]
    return modification._replace(args=(*modification.args, *others)) if others else modification


def _read_annotation(source: Source, annotation: Annotation) -> tuple[Modification | None, Cursor]:
    start = annotation.start + len("annotation")
    c = Cursor(source, lex(source, start, annotation.end))
    return _guarded(c, lambda: _whole(c, class_modification)), c


def parse_expression(text: str, path: str = "<expression>") -> Expr:
    """One expression, for values given on a command line: `parse_expression("sin(time)")`."""
    source = Source.from_text(text, path)
    c = Cursor(source, lex(source))
    node = _guarded(c, lambda: _whole(c, expression))
    if node is None or c.problems:
        raise CompileError(*c.problems)
    return node


def read_source(path: Path, *, is_library: bool = False) -> Source:
    """The text of a file; unreadable files and bytes that are not UTF-8 are told as such.

    Files of libraries may be Latin-1: their reader cannot mend them.
    """
    try:
        data = read_regular(path)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise CompileError(
            Diagnostic(
                "S012",
                f"cannot read {path}: {reason.lower()}",
                help="check the path and its permissions",
                file=str(path),
            )
        ) from None
    if is_library:
        return Source.of_library(path, data)
    try:
        return Source.from_bytes(path, data)
    except UnicodeDecodeError as problem:
        raise CompileError(_not_utf8(path, data, problem)) from None


def _classes(c: Cursor) -> tuple[ClassDef, ...]:
    """Classes to the end of the file. After one without a proper head its inside is skipped."""
    found: list[ClassDef] = []
    while c.kinds[c.at] != END_OF_FILE:
        begin = c.at
        try:
            found.append(top_class(c))
            if c.texts[c.at] == ";":
                c.at += 1
            else:
                c.missing_semicolon()
        except GrammarError as problem:
            c.recover(problem, begin, 0)
            while c.texts[c.at] not in _CLASS_STARTS:
                c.at += 1
    return tuple(found)


_CLASS_STARTS = CLASS_WORDS | {"", "final"}


def _whole(c: Cursor, rule: Callable[[Cursor], Node]) -> Node:
    """All the text must belong to the rule."""
    node = rule(c)
    if c.kinds[c.at] != END_OF_FILE:
        raise c.expected("the end of the text")
    return node


def _guarded(c: Cursor, rule: Callable[[], Node]) -> Node | None:
    """Run a rule; whatever stops it becomes a diagnostic."""
    try:
        return rule()
    except GrammarError as problem:
        if len(c.problems) == 0:
            c.problems.append(problem.diagnostic)
    except GiveUpError:
        pass
    except RecursionError:
        # Rules count their nesting, but the caller's own stack may leave less room than that.
        label = Label(c.span(min(c.at, len(c.starts) - 1)))
        c.problems.append(Diagnostic("S009", "nested too deep", (label,), "split the expression"))
    return None


def _outside_annotations(c: Cursor, tokens: Tokens) -> tuple[Comment, ...]:
    """Comments, but not those inside annotations too deep to be one token: they are kept there."""
    if not c.deep_annotations:
        return tokens.comments
    return tuple(
        comment
        for comment in tokens.comments
        if not any(deep.start < comment.start < deep.end for deep in c.deep_annotations)
    )


def _check_annotations(c: Cursor) -> None:
    """Parse the inside of every annotation met, and those inside them."""
    pending = list(c.annotations)
    while pending:
        _, inner = _read_annotation(c.source, pending.pop())
        c.problems.extend(inner.problems)
        pending.extend(inner.annotations)


def _no_class(source: Source) -> Diagnostic:
    return Diagnostic(
        "S010",
        "there is no class in this file",
        (Label(Span(source, 0, 0)),),
        help="a file holds at least one class: `model M ... end M;`",
    )


def _not_utf8(path: Path, data: bytes, problem: UnicodeDecodeError) -> Diagnostic:
    source = Source(str(path), data.decode("utf-8", errors="replace"))
    start = len(data[: problem.start].decode("utf-8"))
    is_utf16 = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    cure = "it is UTF-16" if is_utf16 else "older tools may have written Latin-1"
    return Diagnostic(
        "S011",
        f"the byte 0x{data[problem.start]:02X} is not UTF-8 text",
        (Label(Span(source, start, start + 1)),),
        help=f"save the file as UTF-8; {cure}",
        rule='Modelica 3.6, "Mapping Package/Class Structures to a Hierarchical File System"',
    )
