"""How ACSL writes formulas and statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from freewheel.base.names import Name, show
from freewheel.export.events import follow_one
from freewheel.export.formula import Dialect, FormulaText
from freewheel.export.nodes import Choose, Linear, Repeat, Set, Statement, local
from freewheel.export.writer import StatementWriter
from freewheel.formula import build
from freewheel.formula.intrinsics import spellings
from freewheel.formula.nodes import Expr, Integer, Var
from freewheel.program.nodes import Program, SolveLinear, SolveNonlinear

WIDTH = 72  # of a line; `...` continues it


def real_text(value: float) -> str:
    """`1.0E-07`; whole numbers keep a point, so that no division is one of integers."""
    text = repr(value).upper()
    mantissa, mark, exponent = text.partition("E")
    return (mantissa if "." in mantissa else mantissa + ".0") + mark + exponent


ACSL = Dialect(
    name="acsl",
    real=real_text,
    relations={
        "<": ".LT.", "<=": ".LE.", ">": ".GT.", ">=": ".GE.", "==": ".EQ.", "<>": ".NE.",
    },
    words={"and": ".AND.", "or": ".OR."},
    negation=".NOT. {0}",
    true=".TRUE.",
    false=".FALSE.",
    to_number="RSW({0}, 1.0, 0.0)",
    to_condition="{0} .GT. 0.5",
    has_logicals=True,
    differs="{0} .NEQV. {1}",
    same="{0} .EQV. {1}",
    functions={
        **spellings("acsl"),
        "Integer": "{0}",
    },
)  # fmt: skip

_WORDS = (
    "program initial dynamic derivative discrete terminal end constant variable integ procedural "
    "schedule termt if then else elseif endif goto go to do continue call logical integer real "
    "dimension sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs min max mod "
    "aint rsw cinterval maxterval minterval nsteps algorithm interval t cint failed event dgefa "
    "dgesl qrel qm qp qn qzp qzn qband qsize qinfo handleevent table macro type print stop return set"
)
RESERVED = frozenset(_WORDS.split())


HANDLE_EVENT = ("z", "status", "band", "size", "rounds", "changed")


class AcslWriter(StatementWriter):
    """Sections are written out where they run; labels and counters are numbered through."""

    def __init__(
        self,
        formulas: FormulaText,
        routines: Mapping[str, tuple[Statement, ...]],
        model: str,
        logical: set[Var],
        relations: int,
        counted: tuple[str, str],
    ) -> None:
        super().__init__(formulas)
        self.relations, self.counted = relations, counted  # names of `rounds` and `changed`
        self.routines, self.model = routines, model
        self.labels = 0
        self.ends: list[str] = []
        self.systems: list[int] = []
        self.logical, self.logical_used = logical, set[Var]()
        self.slots_used: set[int] = set()
        self.can_fail = False

    def plain(self, value: Expr) -> str:
        """`0` stays `0` where it stands alone."""
        return str(value.value) if isinstance(value, Integer) else self.formulas.number(value)

    def remark(self, text: str) -> None:
        self.lines.append(f"!{text}")

    def write_by_component(self, statements: Iterable[Statement]) -> None:
        """Each group under the name of the component that brought its equations."""
        before: Name | None = None
        for statement in statements:
            origin = _origin(statement)
            if origin is not None and origin != before:
                self.lines.append(f"!   {show(origin) or self.model}.")
                before = origin
            self.write([statement])

    def assign(self, statement: Set) -> None:
        target = statement.target
        if target.name[0] == "local" and self.formulas.is_condition(statement.value):
            self.logical.add(target)
        if isinstance(target.name[0], int):
            self.slots_used.add(target.name[0])
        elif target in self.logical:
            self.logical_used.add(target)
        name = self.formulas.piece(target)
        text = (
            self.formulas.condition(statement.value)
            if name.is_condition
            else self.plain(statement.value)
        )
        self.line(f"{name.text} = {text}")

    def open_branch(self, condition: str, is_first: bool) -> None:
        self.line(f"{'IF' if is_first else 'ELSE IF'} ({condition}) THEN")

    def open_else(self) -> None:
        self.line("ELSE")

    def close_branches(self) -> None:
        self.line("END IF")

    def repeat(self, statement: Repeat) -> None:
        self.labels += 1
        label, end = f"L{self.labels}", f"M{self.labels}"
        self.line(f"DO {label} i{self.labels} = 1, {statement.limit}")
        self.ends.append(end)
        self._indented(statement.body)
        self.ends.pop()
        self.line(f"{label}: CONTINUE")
        self.can_fail = True
        self.line(f"Failed = .TRUE. ! {statement.failure}")
        self.line(f"{end}: CONTINUE")

    def leave(self, condition: str) -> None:
        self.line(f"IF ({condition}) GO TO {self.ends[-1]}")

    def run(self, section: str) -> None:
        if section == "follow":
            self.follow()
        else:
            self.write(self.routines[section])

    def follow(self) -> None:
        """As Elmqvist, Cellier and Otter (1993) do it: a subroutine looks at each relation."""
        rounds, changed = self.counted
        self.line(f"{changed} = .FALSE.")
        for k in range(1, self.relations + 1):
            places = ", ".join(f"{word}({k})" for word in ("QRel", "QM", "QBand", "QSize"))
            self.line(f"CALL HandleEvent({places}, {rounds}, {changed})")

    def handle_event(self) -> None:
        """The subroutine, behind the program."""
        places = [local(name) for name in HANDLE_EVENT]
        self.logical.add(places[-1])
        self.lines.append("")
        self.line(f"SUBROUTINE HandleEvent({', '.join(HANDLE_EVENT)})")
        self.lines.append("! The status QM of a relation takes the sign of its residual QRel.")
        self.depth += 1
        self.line(f"REAL {', '.join(HANDLE_EVENT[:-1])}")
        self.line(f"LOGICAL {HANDLE_EVENT[-1]}")
        self.write(follow_one(*places))
        self.line("RETURN")
        self.depth -= 1
        self.line("END")

    def linear(self, statement: Linear) -> None:
        size = len(statement.targets)
        self.systems.append(size)
        number = len(self.systems)
        self._clear(number, size)
        for row, column, entry in statement.matrix:
            self.line(f"QA{number}({row + 1},{column + 1}) = {self.formulas.number(entry)}")
        for row, right in enumerate(statement.right):
            if not build.is_zero(right):
                self.line(f"Qb{number}({row + 1}) = {self.formulas.number(right)}")
        self.line(f"CALL DGEFA(QA{number}, {size}, {size}, QPiv{number}, QInfo)")
        self.line(f"CALL DGESL(QA{number}, {size}, {size}, QPiv{number}, Qb{number}, 0)")
        for row, target in enumerate(statement.targets):
            self.line(f"{self.formulas.number(target)} = Qb{number}({row + 1})")

    def _clear(self, number: int, size: int) -> None:
        """Matrix and right side, as the entries that are not zero expect it."""
        row, column = self.labels + 1, self.labels + 2
        self.labels += 2
        self.line(f"DO L{row} i{row} = 1, {size}")
        self.line(f"  Qb{number}(i{row}) = 0.0")
        self.line(f"  DO L{column} i{column} = 1, {size}")
        self.line(f"    QA{number}(i{row},i{column}) = 0.0")
        self.line(f"  L{column}: CONTINUE")
        self.line(f"L{row}: CONTINUE")

    @staticmethod
    def may_fail(routines: Mapping[str, tuple[Statement, ...]]) -> bool:
        return any(_repeats(body) for body in routines.values())

    @staticmethod
    def guesses(program: Program) -> set[int]:
        """Unknowns of loops: an iteration begins with what they hold."""
        return {
            slot
            for steps in program.sections.values()
            for step in steps
            if isinstance(step, SolveNonlinear | SolveLinear)
            for slot in step.slots
        }


def _repeats(body: Iterable[Statement]) -> bool:
    for statement in body:
        if isinstance(statement, Repeat):
            return True
        if isinstance(statement, Choose):
            parts = (*(part for _, part in statement.branches), statement.otherwise)
            if any(_repeats(part) for part in parts):
                return True
    return False


def _origin(statement: Statement) -> Name | None:
    if isinstance(statement, Set):
        return statement.origin
    if isinstance(statement, Choose) and statement.branches[0][1]:
        return _origin(statement.branches[0][1][0])
    return None


def wrapped(line: str) -> Iterator[str]:
    """Continued with `...` where it is too long, at a blank or behind an operator; remarks stay whole."""
    if line.lstrip().startswith("!"):
        yield line
        return
    margin = " " * (len(line) - len(line.lstrip()) + 4)
    while len(line) > WIDTH:
        first, last = len(margin) + 1, WIDTH - 4
        at = line.rfind(" ", first, last)
        if at < 0:
            at = max(line.rfind(sign, first, last) for sign in "*/+(,") + 1
        if at <= 0:
            break
        yield f"{line[:at].rstrip()} ..."
        line = margin + line[at:].lstrip()
    yield line
