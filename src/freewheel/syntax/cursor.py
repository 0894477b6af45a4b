"""Where the parser stands in the tokens, and what it says when they are not what it wants.

In: `Tokens`. Out: small pieces every grammar rule needs (an identifier, a dotted name, a
description), and a `GrammarError` that the nearest list of items catches to go on after the next
semicolon. `Cursor(source, tokens).ident("a name")` returns the identifier under the cursor.

The grammar rules are plain functions of a cursor in the `parse_*.py` files. They read `texts[at]`
directly: a method call per token would double the time of parsing.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import TypeVar

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.source import Source, Span
from freewheel.syntax.expression_nodes import RefPart, TypeName
from freewheel.syntax.lexer import ANNOTATION, DOTTED, END_OF_FILE, IDENT, KEYWORD, STRING, Tokens
from freewheel.syntax.slips import Around, cure_of
from freewheel.syntax.text_nodes import Annotation, Description

# What `TypeName(...)` does, at half the cost: the class itself is called through Python code.
make = tuple.__new__


Item = TypeVar("Item")

# Deep enough for anything written by hand, and safely below Python's limit on nested calls.
MAX_NESTING = 100
MAX_PROBLEMS = 20

_BLOCKS = frozenset(("if", "for", "when", "while"))
_SECTION_STARTS = frozenset(("", "public", "protected", "equation", "algorithm"))


class GrammarError(Exception):
    """Leaves the rules of one item; caught where the next item can begin."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


MOST_REMEMBERED = 200_000  # a bound for processes that read many libraries


class _Names(dict[str, tuple[str, ...]]):
    """The identifiers of a dotted name, so that each name is in memory only once."""

    def __missing__(self, text: str) -> tuple[str, ...]:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        names = (text,) if text[0] == "'" else tuple(map(intern, text.split(".")))
        self[text] = names
        return names


class _Parts(dict[str, tuple[RefPart, ...]]):
    """The parts of a reference without subscripts, each in memory only once."""

    def __missing__(self, text: str) -> tuple[RefPart, ...]:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        self[text] = parts = tuple([RefPart(name) for name in _names[text]])
        return parts


_names = _Names()
_parts = _Parts()


class Cursor:
    """A position in the tokens of one file, with the problems met so far."""

    __slots__ = (
        "annotations",
        "at",
        "cut_short",
        "deep_annotations",
        "depth",
        "ends",
        "kinds",
        "names",
        "open_classes",
        "parts",
        "problems",
        "source",
        "starts",
        "subscript_depth",
        "texts",
    )

    def __init__(self, source: Source, tokens: Tokens) -> None:
        self.source = source
        self.texts = tokens.texts
        self.kinds = tokens.kinds
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.problems: list[Diagnostic] = list(tokens.problems)
        self.cut_short = tokens.cut_short
        self.annotations: list[Annotation] = []
        self.deep_annotations: list[Annotation] = []  # too deep for the lexer: many tokens
        self.open_classes: list[str] = []
        self.names = _names
        self.parts = _parts
        self.at = 0
        self.depth = 0
        self.subscript_depth = 0  # `end` is an expression only inside subscripts

    # ------------------------------------------------------------ pieces of the grammar

    def expect(self, text: str, after: str = "") -> None:
        if self.texts[self.at] != text:
            raise self.expected(f"`{text}`" + (f" after {after}" if after else ""))
        self.at += 1

    def expect_word(self, text: str, after: str) -> None:
        """A word such as `then`. Where it is missing, it is reported and the parser goes on as if it were
        there, so that the rest of the block is understood."""
        if self.texts[self.at] == text:
            self.at += 1
        else:
            self.note(self.expected(f"`{text}` after {after}").diagnostic)

    def close(self, text: str, opened: int) -> None:
        """A closing bracket; `opened` is the token that opened it."""
        if self.texts[self.at] != text:
            place = Label(self.span(opened), "opened here")
            raise self.expected(f"`{text}` to close `{self.texts[opened]}`", place)
        self.at += 1

    def ident(self, what: str) -> str:
        at = self.at
        if self.kinds[at] != IDENT:
            raise self.expected(what)
        self.at = at + 1
        return self.texts[at]

    def type_name(self, what: str) -> TypeName:
        """`["."] IDENT {"." IDENT}`"""
        texts = self.texts
        begin = self.at
        absolute = texts[begin] == "."
        at = begin + 1 if absolute else begin
        if self.kinds[at] > DOTTED:
            self.at = at
            raise self.expected(what)
        parts = self.names[texts[at]]
        while texts[at + 1] == "." and self.kinds[at + 2] <= DOTTED:  # blanks around the dot
            at += 2
            parts += self.names[texts[at]]
        self.at = at + 1
        return make(TypeName, (self.starts[begin], self.ends[at], parts, absolute))

    def string(self) -> str | None:
        """`[STRING {"+" STRING}]` without quotes; the pieces are joined."""
        at = self.at
        if self.kinds[at] != STRING:
            return None
        text = self.texts[at][1:-1]
        at += 1
        while self.texts[at] == "+" and self.kinds[at + 1] == STRING:
            text += self.texts[at + 1][1:-1]
            at += 2
        self.at = at
        return text

    def description(self) -> Description | None:
        """A string and an annotation, each optional."""
        begin = self.at
        if self.texts[begin] == ";":  # the common case, first
            return None
        text = self.string() if self.kinds[begin] == STRING else None
        annotation = None
        if self.texts[self.at] == "annotation":
            annotation = self.annotation()
        elif text is None:
            return None
        return make(Description, (self.starts[begin], self.ends[self.at - 1], text, annotation))

    def annotation(self) -> Annotation | None:
        """An annotation's place, if there is one; its inside is parsed when somebody asks."""
        begin = self.at
        if self.kinds[begin] == ANNOTATION:
            self.at = begin + 1
        elif self.texts[begin] == "annotation":
            self.at = begin + 1
            self._skip_brackets()
            self.deep_annotations.append(
                make(Annotation, (self.starts[begin], self.ends[self.at - 1], ()))
            )
        else:
            return None
        annotation = make(Annotation, (self.starts[begin], self.ends[self.at - 1], ()))
        self.annotations.append(annotation)
        return annotation

    def _skip_brackets(self) -> None:
        opened = self.at
        self.expect("(", "`annotation`")
        depth = 1
        while depth:
            text = self.texts[self.at]
            if text == "":
                self.close(")", opened)
            depth += (text == "(") - (text == ")")
            self.at += 1

    # ------------------------------------------------------------ lists that survive errors

    def items(self, rule: Callable[[Cursor], Item], stops: frozenset[str]) -> tuple[Item, ...]:
        """`{item ";"}` up to a word in `stops`; an item with an error is noted and left out."""
        found: list[Item] = []
        texts = self.texts
        depth = self.depth
        while texts[self.at] not in stops or (
            texts[self.at] == "initial" and texts[self.at + 1] == "("
        ):
            begin = self.at
            try:
                found.append(rule(self))
                if texts[self.at] == ";":
                    self.at += 1
                else:
                    self.missing_semicolon()
            except GrammarError as problem:
                self.recover(problem, begin, depth)
        return tuple(found)

    def missing_semicolon(self) -> None:
        """Note it and go on if a new line begins; otherwise something else is wrong."""
        at = self.at
        end = self.ends[at - 1]
        new_line = "\n" in self.source.text[end : self.starts[at]]
        if not new_line and self.kinds[at] != END_OF_FILE:
            raise self.expected("`;`")
        self.note(
            Diagnostic(
                "S005",
                "a `;` is missing here",
                (Label(Span(self.source, end, end + 1), "before the next line"),),
                help="end each declaration, equation and statement with `;`",
            )
        )

    def note(self, diagnostic: Diagnostic) -> None:
        """Keep a problem, unless it is the echo of one already told: same line, or cut off."""
        span = diagnostic.labels[0].span
        if self._has_problem_on(span.line):
            return
        if self.cut_short and span.start >= self.ends[max(0, len(self.ends) - 4)]:
            return
        if len(self.problems) >= MAX_PROBLEMS:
            raise GiveUpError
        self.problems.append(diagnostic)

    def _has_problem_on(self, line: int) -> bool:
        return any(line == earlier.labels[0].span.line for earlier in self.problems)

    def _has_problem_at(self, begin: int) -> bool:
        """Whether an item began on a line with a problem; its own is then a consequence."""
        return bool(self.problems) and self._has_problem_on(self.span(begin).line)

    def recover(self, problem: GrammarError, begin: int, depth: int) -> None:
        """Note the problem and move behind the next `;`, or to where a section or class ends."""
        if not self._has_problem_at(begin):
            self.note(problem.diagnostic)
        self.depth = depth
        self.subscript_depth = 0
        texts = self.texts
        at = self.at
        while texts[at] != ";" and texts[at] not in _SECTION_STARTS and not self.ends_something(at):
            at += 1
        if texts[at] == ";" or (at == begin and texts[at]):
            at += 1  # never stand still
        self.at = at

    def ends_something(self, at: int) -> bool:
        """Whether `end` here closes a class or block, rather than being a last index."""
        return self.texts[at] == "end" and (
            self.kinds[at + 1] == IDENT or self.texts[at + 1] in _BLOCKS
        )

    def enter(self) -> None:
        """One level deeper; the caller subtracts it again."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail(
                "S009",
                f"nested too deep: more than {MAX_NESTING} levels",
                help="give the inner parts names of their own, or split the class",
            )

    # ------------------------------------------------------------ complaints

    def span(self, at: int) -> Span:
        return Span(self.source, self.starts[at], max(self.ends[at], self.starts[at] + 1))

    def found(self, at: int) -> str:
        text, kind = self.texts[at], self.kinds[at]
        if kind == END_OF_FILE:
            return "the end of the text"
        if kind == STRING:
            return "a string"
        if kind == ANNOTATION:
            return "`annotation`"
        shown = text if len(text) <= 40 else text[:37] + "..."
        return f"the keyword `{shown}`" if kind == KEYWORD else f"`{shown}`"

    def fail(
        self, code: str, message: str, text: str = "", help: str = "", at: int = -1
    ) -> GrammarError:
        place = self.at if at < 0 else at
        return GrammarError(Diagnostic(code, message, (Label(self.span(place), text),), help))

    def expected(self, what: str, *more: Label) -> GrammarError:
        """The token here is none of those the grammar allows."""
        at = self.at
        if self.kinds[at] == KEYWORD and what.startswith(("a name", "the name")):
            return self.fail(
                "S008",
                f"`{self.texts[at]}` is a keyword and cannot be a name",
                help=f"choose another name, or quote it: `'{self.texts[at]}'`",
            )
        message = f"expected {what}, found {self.found(at)}"
        return GrammarError(
            Diagnostic(
                "S004", message, (Label(self.span(at), "unexpected"), *more), self._cure(at, what)
            )
        )

    def _cure(self, at: int, what: str) -> str:
        if self.kinds[at] == END_OF_FILE:
            return "something is left open: look for a missing `)` or `end`"
        around = Around(
            what,
            self.texts[at],
            self.texts[at - 1] if at else "",
            self.texts[at - 2] if at > 1 else "",
            self.texts[at + 1],
            is_touching=at > 0 and self.ends[at - 1] == self.starts[at],
        )
        return cure_of(around)


class GiveUpError(Exception):
    """Stops the parser: more messages would not help."""
