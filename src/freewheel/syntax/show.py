"""Trees to text: the printer of this room.

In: a `StoredFile` and the source it was read from (annotations are kept there, by place).
Out: Modelica text, indented by two blanks, that parses back to the same tree.
`show(parse(source), source)` of `model M Real x;end M;` is `model M\\n  Real x;\\nend M;\\n`.

Comments keep their place: one that ends a line stays behind its item, all others stand on lines of
their own before the next item. Annotations are printed as written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from freewheel.base.source import Source
from freewheel.syntax.equation_nodes import (
    Assign,
    Break,
    CallEquation,
    CallStatement,
    Connect,
    Equation,
    ForEquation,
    ForStatement,
    IfEquation,
    IfStatement,
    Return,
    TupleAssign,
    WhenEquation,
    WhenStatement,
    WhileStatement,
)
from freewheel.syntax.nodes import (
    AlgorithmSection,
    Argument,
    BreakConnect,
    BreakElement,
    ClassDef,
    Component,
    Constraining,
    DerBody,
    Element,
    ElementMod,
    EnumerationBody,
    EquationSection,
    Extends,
    External,
    Import,
    LongBody,
    Modification,
    NestedClass,
    Prefixes,
    Redeclaration,
    Section,
    ShortBody,
    StoredFile,
)
from freewheel.syntax.show_expressions import (
    show_expression,
    show_iterators,
    show_list,
    show_name,
    show_outputs,
    show_subscripts,
)
from freewheel.syntax.text_nodes import Annotation, Comment, Description

_SHORT_ANNOTATION = 50  # longer ones begin on a line of their own


def show(tree: StoredFile, source: Source) -> str:
    """The text of a whole file."""
    printer = _Printer(source, tree.comments)
    if tree.within is not None:
        name = show_name(tree.within)
        printer.item(f"within {name}" if name else "within", tree.within.start, tree.within.end)
    for definition in tree.classes:
        printer.class_item("final " if definition.final else "", definition, definition.start)
    return printer.finish()


def show_class(definition: ClassDef, source: Source) -> str:
    """The text of one class, without the comments around and inside it."""
    printer = _Printer(source, ())
    printer.class_item("", definition, definition.start)
    return printer.finish()


class _Block(NamedTuple):
    """A line that opens a block, and the items inside it."""

    head: str
    start: int
    body: Sequence[Any]


class _Printer:
    """Lines so far, the indentation, and the comments still to come."""

    def __init__(self, source: Source, comments: tuple[Comment, ...]) -> None:
        self.text = source.text
        self.lines: list[str] = []
        self.depth = 0
        self.comments = comments
        self.next_comment = 0

    def finish(self) -> str:
        self.comments_before(len(self.text) + 1)
        return "\n".join(self.lines) + "\n"

    # ------------------------------------------------------------ lines and comments

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def item(self, text: str, start: int, end: int) -> None:
        """One item with its semicolon, and the comments before and behind it."""
        self.comments_before(start)
        self.line(text + ";")
        self.comments_behind(end)

    def comments_before(self, offset: int) -> None:
        while self.next_comment < len(self.comments):
            comment = self.comments[self.next_comment]
            if comment.start >= offset:
                return
            self.line(comment.text)
            self.next_comment += 1

    def comments_behind(self, end: int) -> None:
        """Keep on the line what stood behind the item on the same line."""
        if self.next_comment == len(self.comments):
            return
        comment = self.comments[self.next_comment]
        gap = self.text[end : comment.start]
        if comment.start >= end and "\n" not in gap and gap.strip() in ("", ";", ","):
            self.lines[-1] += " " + comment.text
            self.next_comment += 1

    def block(self, blocks: Sequence[_Block], closing: str, end: int) -> None:
        """`if ... then` items `else` items `end if;`"""
        for i, block in enumerate(blocks):
            self.depth += i > 0  # a comment before `elseif` belongs to the branch above
            self.comments_before(block.start)
            self.depth -= i > 0
            self.line(block.head)
            self.depth += 1
            for node in block.body:
                _ITEMS[type(node)](self, node)
            self.depth -= 1
        self.depth += 1
        self.comments_before(end)
        self.depth -= 1
        self.line(closing + ";")
        self.comments_behind(end)

    # ------------------------------------------------------------ small parts

    def annotation(self, annotation: Annotation | None) -> str:
        if annotation is None:
            return ""
        text = self.text[annotation.start : annotation.end]
        if len(text) <= _SHORT_ANNOTATION and "\n" not in text:
            return " " + text
        return "\n" + "  " * (self.depth + 1) + text

    def description(self, description: Description | None) -> str:
        if description is None:
            return ""
        text = "" if description.text is None else f' "{description.text}"'
        return text + self.annotation(description.annotation)

    def modification(self, modification: Modification | None) -> str:
        if modification is None:
            return ""
        binding = modification.binding
        value = "" if binding is None else f" = {show_expression(binding)}"
        if not modification.args and binding is not None:
            return value
        return f"({', '.join([self.argument(a) for a in modification.args])}){value}"

    def argument(self, argument: Argument) -> str:
        if isinstance(argument, ElementMod):
            words = ("each " if argument.each else "") + ("final " if argument.final else "")
            text = "" if argument.text is None else f' "{argument.text}"'
            change = self.modification(argument.modification).replace(" = ", "=", 1)
            if argument.modification is not None and argument.modification.args:
                change = self.modification(argument.modification)
            return words + ".".join(argument.name) + change + text
        if isinstance(argument, BreakElement):
            return f"break {argument.name}"
        if isinstance(argument, BreakConnect):
            return f"break {self.connect(argument.connect)}"
        assert isinstance(argument, Redeclaration)
        if isinstance(argument.element, Component):
            return self.component(argument.element)
        element = argument.element
        definition = self.short_class(element.definition)
        return (
            show_prefixes(element.prefixes) + definition + self.constraining(element.constraining)
        )

    def constraining(self, constraint: Constraining | None) -> str:
        if constraint is None:
            return ""
        change = self.modification(constraint.modification)
        description = self.description(constraint.description)
        return f" constrainedby {show_name(constraint.type)}{change}{description}"

    def component(self, node: Component) -> str:
        type_text = show_name(node.type) + show_subscripts(node.type_subscripts)
        condition = "" if node.condition is None else f" if {show_expression(node.condition)}"
        return "".join((
            show_prefixes(node.prefixes), type_text, " ", node.name,
            show_subscripts(node.subscripts), self.modification(node.modification), condition,
            self.description(node.description), self.constraining(node.constraining),
        ))  # fmt: skip

    def connect(self, node: Connect) -> str:
        left, right = show_expression(node.left), show_expression(node.right)
        return f"connect({left}, {right}){self.description(node.description)}"

    # ------------------------------------------------------------ classes

    def class_item(self, words: str, node: ClassDef, start: int, tail: str = "") -> None:
        if isinstance(node.body, LongBody):
            self.comments_before(start)
            self.long_class(words, node, node.body)
            self.lines[-1] += tail + ";"
            self.comments_behind(node.end)
        else:
            self.item(words + self.short_class(node) + tail, start, node.end)

    def short_class(self, node: ClassDef) -> str:
        return f"{_head(node)} = {self.short_body(node)}{self.description(node.description)}"

    def short_body(self, node: ClassDef) -> str:
        body = node.body
        if isinstance(body, ShortBody):
            base = show_name(body.type) + show_subscripts(body.subscripts)
            return show_prefixes(body.prefixes) + base + self.modification(body.modification)
        if isinstance(body, DerBody):
            return f"der({', '.join([show_name(body.function), *body.variables])})"
        assert isinstance(body, EnumerationBody)
        if body.literals is None:
            return "enumeration(:)"
        literals = [item.name + self.description(item.description) for item in body.literals]
        return f"enumeration({', '.join(literals)})"

    def long_class(self, words: str, node: ClassDef, body: LongBody) -> None:
        description = node.description
        text = "" if description is None or description.text is None else f' "{description.text}"'
        change = self.modification(body.modification)
        self.line(words + _head(node) + change + text)
        self.depth += 1
        self.composition(body)
        if body.external is not None:
            self.item(self.external(body.external), body.external.start, body.external.end)
        self.comments_before(body.end)
        if description is not None and description.annotation is not None:
            for one in (description.annotation, *description.annotation.more):
                self.depth -= 1
                annotation = self.annotation(one).lstrip()
                self.depth += 1
                self.line(annotation + ";")
        self.depth -= 1
        self.line(f"end {node.name}")

    def composition(self, body: LongBody) -> None:
        """Elements and sections as they were mixed: `public` may follow an `equation` section."""
        items: list[Element | Section] = sorted(
            [*body.elements, *body.sections], key=lambda item: item.start
        )
        protected: bool | None = False
        for item in items:
            if isinstance(item, EquationSection | AlgorithmSection):
                self.section(item)
                protected = None
                continue
            if item.protected is not protected:
                protected = item.protected
                self.depth -= 1
                self.line("protected" if protected else "public")
                self.depth += 1
            _ITEMS[type(item)](self, item)

    def section(self, section: Section) -> None:
        word = "algorithm" if isinstance(section, AlgorithmSection) else "equation"
        self.comments_before(section.start)
        self.depth -= 1
        self.line("initial " + word if section.initial else word)
        self.depth += 1
        items: tuple[Any, ...] = (
            section.statements if isinstance(section, AlgorithmSection) else section.equations
        )
        for node in items:
            _ITEMS[type(node)](self, node)

    def external(self, node: External) -> str:
        language = "" if node.language is None else f' "{node.language}"'
        result = "" if node.result is None else f"{show_expression(node.result)} = "
        call = "" if node.function is None else f" {result}{node.function}({show_list(node.args)})"
        return f"external{language}{call}{self.annotation(node.annotation)}"


def show_prefixes(prefixes: Prefixes) -> str:
    """The words, each followed by a blank."""
    words = [
        "redeclare" if prefixes.redeclare else "",
        "each" if prefixes.each else "",
        "final" if prefixes.final else "",
        "inner" if prefixes.inner else "",
        "outer" if prefixes.outer else "",
        "replaceable" if prefixes.replaceable else "",
        prefixes.flow,
        prefixes.variability,
        prefixes.causality,
    ]
    return "".join([word + " " for word in words if word])


def _head(node: ClassDef) -> str:
    words = ("encapsulated " if node.encapsulated else "") + ("partial " if node.partial else "")
    extends = "extends " if isinstance(node.body, LongBody) and node.body.is_extension else ""
    return f"{words}{node.kind} {extends}{node.name}"


# ---------------------------------------------------------------- one function per kind of item


def _import(p: _Printer, node: Import) -> None:
    name = show_name(node.name)
    if node.alias is not None:
        name = f"{node.alias} = {name}"
    if node.everything:
        name += ".*"
    if node.names:
        name += ".{" + ", ".join(node.names) + "}"
    p.item(f"import {name}{p.description(node.description)}", node.start, node.end)


def _extends(p: _Printer, node: Extends) -> None:
    change = p.modification(node.modification)
    p.item(
        f"extends {show_name(node.type)}{change}{p.annotation(node.annotation)}",
        node.start,
        node.end,
    )


def _component(p: _Printer, node: Component) -> None:
    end = node.end if node.constraining is None else max(node.end, node.constraining.end)
    p.item(p.component(node), node.start, end)


def _nested_class(p: _Printer, node: NestedClass) -> None:
    tail = p.constraining(node.constraining)
    p.class_item(show_prefixes(node.prefixes), node.definition, node.start, tail)


def _equation(p: _Printer, node: Equation) -> None:
    left, right = show_expression(node.left, 1), show_expression(node.right)
    p.item(f"{left} = {right}{p.description(node.description)}", node.start, node.end)


def _connect(p: _Printer, node: Connect) -> None:
    p.item(p.connect(node), node.start, node.end)


def _call(p: _Printer, node: CallEquation | CallStatement) -> None:
    text = show_expression(node.call) + p.description(node.description)
    p.item(text, node.start, node.end)


def _if(p: _Printer, node: IfEquation | IfStatement) -> None:
    blocks = _branches("if", "elseif", node.branches)
    if node.otherwise:
        blocks.append(_Block("else", 0, node.otherwise))  # its comments stand below `else`
    p.block(blocks, "end if" + p.description(node.description), node.end)


def _when(p: _Printer, node: WhenEquation | WhenStatement) -> None:
    blocks = _branches("when", "elsewhen", node.branches)
    p.block(blocks, "end when" + p.description(node.description), node.end)


def _branches(first: str, other: str, branches: Sequence[Any]) -> list[_Block]:
    return [
        _Block(
            f"{other if i else first} {show_expression(branch.condition)} then",
            branch.start,
            branch.body,
        )
        for i, branch in enumerate(branches)
    ]


def _for(p: _Printer, node: ForEquation | ForStatement) -> None:
    head = f"for {show_iterators(node.iterators)} loop"
    block = _Block(head, node.start, node.body)
    p.block([block], "end for" + p.description(node.description), node.end)


def _while(p: _Printer, node: WhileStatement) -> None:
    block = _Block(f"while {show_expression(node.condition)} loop", node.start, node.body)
    p.block([block], "end while" + p.description(node.description), node.end)


def _assign(p: _Printer, node: Assign) -> None:
    text = f"{show_expression(node.target)} := {show_expression(node.value)}"
    p.item(text + p.description(node.description), node.start, node.end)


def _tuple_assign(p: _Printer, node: TupleAssign) -> None:
    text = f"{show_outputs(node.targets)} := {show_expression(node.call)}"
    p.item(text + p.description(node.description), node.start, node.end)


def _word(p: _Printer, node: Break | Return) -> None:
    word = "break" if isinstance(node, Break) else "return"
    p.item(word + p.description(node.description), node.start, node.end)


_ITEMS: dict[type, Callable[[_Printer, Any], None]] = {
    Import: _import,
    Extends: _extends,
    Component: _component,
    NestedClass: _nested_class,
    Equation: _equation,
    Connect: _connect,
    CallEquation: _call,
    IfEquation: _if,
    WhenEquation: _when,
    ForEquation: _for,
    Assign: _assign,
    TupleAssign: _tuple_assign,
    CallStatement: _call,
    IfStatement: _if,
    WhenStatement: _when,
    ForStatement: _for,
    WhileStatement: _while,
    Break: _word,
    Return: _word,
}
