"""Tokens to classes: the elements and sections of a long class, and whole files.

In: a `Cursor` at the first word of a class. Out: a `ClassDef`. `model M Real x; end M` becomes
`ClassDef(kind="model", name="M", body=LongBody(elements=(Component("x"),)))`.

Grammar: Modelica 3.6, "Stored Definition" to "Component Clause" in the appendix "Modelica Concrete
Syntax".
"""

from __future__ import annotations

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.syntax.cursor import Cursor, GrammarError, make
from freewheel.syntax.expression_nodes import Expr, TypeName
from freewheel.syntax.lexer import DOTTED, IDENT
from freewheel.syntax.nodes import (
    NO_PREFIXES,
    AlgorithmSection,
    ClassDef,
    Component,
    Element,
    EquationSection,
    Extends,
    External,
    Import,
    LongBody,
    Modification,
    NestedClass,
    Prefixes,
    Section,
)
from freewheel.syntax.parse_equations import equation, statement
from freewheel.syntax.parse_expressions import (
    component_reference,
    expression,
    output_list,
    subscripts,
)
from freewheel.syntax.parse_modifications import (
    CLASS_WORDS,
    PREFIX_WORDS,
    class_head,
    class_modification,
    constraining,
    modification,
    read_prefixes,
    short_body,
)
from freewheel.syntax.text_nodes import Annotation, Description

_SECTION_STOPS = frozenset(
    ("", "public", "protected", "equation", "algorithm", "initial", "external", "end", "annotation")
)
_MODIFIES = frozenset(("(", "=", ":="))
_BLOCKS = frozenset(("if", "for", "when", "while"))


# ---------------------------------------------------------------- files


def within_clause(c: Cursor) -> TypeName | None:
    if c.texts[c.at] != "within":
        return None
    begin = c.at
    c.at += 1
    name = make(TypeName, (c.starts[begin], c.ends[begin], (), False))
    if c.kinds[c.at] <= DOTTED:
        name = c.type_name("the name of a package")
    if c.texts[c.at] == ";":
        c.at += 1
    else:
        c.missing_semicolon()
    return name


def top_class(c: Cursor) -> ClassDef:
    """A class at the top of a file, `final` allowed."""
    final = c.texts[c.at] == "final"
    if final:
        c.at += 1
    return class_definition(c)._replace(final=final) if final else class_definition(c)


# ---------------------------------------------------------------- classes


def class_definition(c: Cursor) -> ClassDef:
    begin = c.at
    encapsulated, partial, kind = class_head(c)
    is_extension = c.texts[c.at] == "extends"
    if is_extension:
        c.at += 1
    named = c.at
    name = c.ident("a name of the class")
    if c.texts[c.at] == "=" and not is_extension:
        short = short_body(c)
        description = c.description()
        return ClassDef(
            c.starts[begin], c.ends[c.at - 1], c.starts[named], False, encapsulated, partial, kind,
            name, short, description,
        )  # fmt: skip
    c.enter()
    change = class_modification(c) if is_extension else None
    c.open_classes.append(name)
    try:
        body, description = _Composition(c).read(change, is_extension, name, named)
    finally:
        c.open_classes.pop()
    c.depth -= 1
    return ClassDef(
        c.starts[begin], c.ends[c.at - 1], c.starts[named], False, encapsulated, partial, kind,
        name, body, description,
    )  # fmt: skip


class _Composition:
    """The inside of one long class while it is read."""

    __slots__ = ("annotation", "c", "elements", "external", "protected", "sections")

    def __init__(self, c: Cursor) -> None:
        self.c = c
        self.elements: list[Element] = []
        self.sections: list[Section] = []
        self.external: External | None = None
        self.annotation: Annotation | None = None
        self.protected = False

    def read(
        self, change: Modification | None, is_extension: bool, name: str, named: int
    ) -> tuple[LongBody, Description | None]:
        c = self.c
        start_of_body = c.ends[c.at - 1]
        text = c.string()
        texts = c.texts
        depth = c.depth
        while True:
            word = texts[c.at]
            if word == "end" and texts[c.at + 1] not in _BLOCKS:
                break
            if word == "":
                raise _open_class(c, name, named)
            start = c.at
            try:
                if word in _SECTION_STOPS:
                    self._section(word)
                else:
                    self._element()
                    if texts[c.at] == ";":
                        c.at += 1
                    else:
                        c.missing_semicolon()
            except GrammarError as problem:
                c.recover(problem, start, depth)
        end = c.starts[c.at]
        _close_class(c, name, named)
        body = LongBody(
            start_of_body, end, is_extension, change, tuple(self.elements), tuple(self.sections),
            self.external,
        )  # fmt: skip
        if text is None and self.annotation is None:
            return body, None
        return body, make(Description, (start_of_body, end, text, self.annotation))

    # -------------------------------------------------------- sections

    def _section(self, word: str) -> None:
        c = self.c
        begin = c.at
        c.at += 1
        if word in ("public", "protected"):
            self.protected = word == "protected"
        elif word == "external":
            self.external = _external(c)
        elif word in ("equation", "algorithm", "initial"):
            self._equations_or_statements(word, begin)
        elif word == "end":
            c.at += 1
            raise c.fail("S007", f"there is no open `{c.texts[begin + 1]}` to end", at=begin + 1)
        else:
            c.at = begin
            if self._belongs_to_external():
                self.external = _annotated(c, self.external)
                return
            found, first = c.annotation(), self.annotation
            if first is not None and found is not None:
                found = first._replace(more=(*first.more, found))
            self.annotation = found
            c.expect(";", "the annotation of the class")

    def _belongs_to_external(self) -> bool:
        """Up to version 3.0 of the language the annotation of `external` stood behind its semicolon."""
        if self.external is None or self.external.annotation is not None:
            return False
        return self.annotation is not None and self.c.texts[self.c.at] == "annotation"

    def _equations_or_statements(self, word: str, begin: int) -> None:
        c = self.c
        initial = word == "initial"
        if initial:
            word = c.texts[c.at]
            if word not in ("equation", "algorithm"):
                raise c.expected("`equation` or `algorithm` after `initial`")
            c.at += 1
        if word == "equation":
            equations = c.items(equation, _SECTION_STOPS)
            self.sections.append(
                EquationSection(c.starts[begin], c.ends[c.at - 1], initial, equations)
            )
        else:
            statements = c.items(statement, _SECTION_STOPS)
            self.sections.append(
                AlgorithmSection(c.starts[begin], c.ends[c.at - 1], initial, statements)
            )

    # -------------------------------------------------------- elements

    def _element(self) -> None:
        c = self.c
        begin = c.at
        if c.kinds[begin] <= DOTTED:
            self._components(NO_PREFIXES)
            return
        word = c.texts[begin]
        if word == "import":
            self.elements.append(_import(c, self.protected))
        elif word == "extends":
            self.elements.append(_extends(c, self.protected))
        else:
            prefixes = read_prefixes(c, PREFIX_WORDS)
            if c.texts[c.at] in CLASS_WORDS:
                self._nested_class(prefixes, begin)
            else:
                self._components(prefixes)

    def _nested_class(self, prefixes: Prefixes, begin: int) -> None:
        c = self.c
        definition = class_definition(c)
        constraint = constraining(c)
        self.elements.append(
            NestedClass(
                c.starts[begin], c.ends[c.at - 1], self.protected, prefixes, definition, constraint
            )
        )

    def _components(self, prefixes: Prefixes) -> None:
        """`Type[n] a, b[m](...) = x if cond "text"`: one node for each name."""
        c = self.c
        type_name = c.type_name("a declaration")
        type_subscripts = subscripts(c) if c.texts[c.at] == "[" else ()
        first = len(self.elements)
        while True:
            self.elements.append(self._component(prefixes, type_name, type_subscripts))
            if c.texts[c.at] != ",":
                break
            c.at += 1
        constraint = constraining(c)
        if constraint is not None:  # written once, it holds for every name of the list
            for i in range(first, len(self.elements)):
                component = self.elements[i]
                assert isinstance(component, Component)
                self.elements[i] = component._replace(constraining=constraint)

    def _component(
        self, prefixes: Prefixes, type_name: TypeName, type_subscripts: tuple[Expr, ...]
    ) -> Component:
        c = self.c
        begin = c.at
        if c.kinds[begin] != IDENT:
            raise _no_component_name(c)
        name = c.texts[begin]
        c.at = begin + 1
        dimensions: tuple[Expr, ...] = ()
        change = condition = description = None
        if c.texts[c.at] == "[":
            dimensions = subscripts(c)
        if c.texts[c.at] in _MODIFIES:
            change = modification(c)
        if c.texts[c.at] == "if":
            c.at += 1
            condition = expression(c)
        if c.texts[c.at] != ";":
            description = c.description()
        return make(Component, (
            c.starts[begin], c.ends[c.at - 1], self.protected, prefixes, type_name,
            type_subscripts, name, dimensions, change, condition, None, description,
        ))  # fmt: skip


def _import(c: Cursor, protected: bool) -> Import:
    begin = c.at
    c.at += 1
    alias = None
    everything = False
    names: tuple[str, ...] = ()
    if c.texts[c.at + 1] == "=":
        alias = c.ident("a name for the import")
        c.at += 1
    name = c.type_name("the name of a class to import")
    if c.texts[c.at] == ".*" and alias is None:
        c.at += 1
        everything = True
    elif c.texts[c.at] == "." and alias is None:
        c.at += 1
        if c.texts[c.at] == "*":
            c.at += 1
            everything = True
        else:
            names = _import_list(c)
    description = c.description()
    return Import(
        c.starts[begin], c.ends[c.at - 1], protected, name, alias, everything, names, description
    )


def _import_list(c: Cursor) -> tuple[str, ...]:
    opened = c.at
    c.expect("{", "the package")
    names = [c.ident("a name to import")]
    while c.texts[c.at] == ",":
        c.at += 1
        names.append(c.ident("a name to import"))
    c.close("}", opened)
    return tuple(names)


def _extends(c: Cursor, protected: bool) -> Extends:
    begin = c.at
    c.at += 1
    base = c.type_name("the name of a class to extend")
    change = class_modification(c)
    annotation = c.annotation()
    return Extends(c.starts[begin], c.ends[c.at - 1], protected, base, change, annotation)


def _external(c: Cursor) -> External:
    """Everything after the word `external`, with the semicolon."""
    begin = c.at - 1
    language = c.string()
    result = None
    function = None
    args: tuple[Expr, ...] = ()
    if c.kinds[c.at] <= DOTTED:
        reference = component_reference(c)
        if c.texts[c.at] == "=":
            c.at += 1
            result = reference
            function = c.ident("a name of the external function")
        elif len(reference.parts) == 1:
            function = reference.parts[0].name
        if c.texts[c.at] != "(" or function is None:
            raise c.expected("`(` and the arguments of the external function")
        args = tuple([arg for arg in output_list(c) if arg is not None])
    annotation = c.annotation()
    end = c.ends[c.at - 1]
    if c.texts[c.at] == ";":
        c.at += 1
    else:
        c.missing_semicolon()
    return External(c.starts[begin], end, language, result, function, args, annotation)


def _annotated(c: Cursor, external: External | None) -> External:
    assert external is not None
    annotation = c.annotation()
    end = c.ends[c.at - 1]
    c.expect(";", "the annotation of the external function")
    return external._replace(end=end, annotation=annotation)


# ---------------------------------------------------------------- the end of a class


def _close_class(c: Cursor, name: str, named: int) -> None:
    """`end Name`. A wrong name is told, then taken as meant."""
    found = c.texts[c.at + 1]
    if found == name:
        c.at += 2
        return
    place = Label(c.span(named), f"`{name}` begins here")
    if c.kinds[c.at + 1] != IDENT:
        c.at += 1
        raise c.expected(f"`{name}` after `end`", place)
    diagnostic = Diagnostic(
        "S006",
        f"expected `end {name}`, found `end {found}`",
        (Label(c.span(c.at + 1), "this name differs"), place),
        help=f"write `end {name};`, or look for a block or class left open before it",
    )
    if found in c.open_classes:  # more likely the end of that outer class: leave it there
        raise GrammarError(diagnostic)
    c.note(diagnostic)
    c.at += 2


def _open_class(c: Cursor, name: str, named: int) -> GrammarError:
    line, _ = c.source.line_and_column(c.starts[named])
    return c.fail(
        "S007",
        f"class `{name}` of line {line} is never closed",
        "the text ends here",
        help=f"add `end {name};`",
    )


def _no_component_name(c: Cursor) -> GrammarError:
    if c.texts[c.at] in ("=", ":=", "("):
        return c.fail(
            "S016",
            "an equation or statement stands among the declarations",
            help="put the word `equation` or `algorithm` before it, or a type where it declares a "
            "variable: `Real x = 1;`",
        )
    return c.expected("a name of the component")
