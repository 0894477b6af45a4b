"""How Fortran 77 writes formulas and statements: fixed form, the slots in one array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from freewheel.export.formula import Dialect, FormulaText
from freewheel.export.hoist import is_logical_local
from freewheel.export.nodes import Choose, Linear, Repeat, Set, Statement
from freewheel.export.writer import StatementWriter, locals_of
from freewheel.formula import build
from freewheel.formula.intrinsics import spellings
from freewheel.formula.nodes import Var

WIDTH = 72
RESIDUAL = "residual"


def real_text(value: float) -> str:
    text = repr(value).upper()
    mantissa, _, exponent = text.partition("E")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}D{exponent or '0'}"


FORTRAN = Dialect(
    name="dsblock-f77",
    real=real_text,
    relations={
        "<": ".LT.", "<=": ".LE.", ">": ".GT.", ">=": ".GE.", "==": ".EQ.", "<>": ".NE.",
    },
    words={"and": ".AND.", "or": ".OR."},
    negation=".NOT. {0}",
    true=".TRUE.",
    false=".FALSE.",
    to_number="FWNUM({0})",
    to_condition="{0} .GT. 0.5D0",
    has_logicals=True,
    differs="{0} .NEQV. {1}",
    same="{0} .EQV. {1}",
    functions={
        **spellings("fortran"),
        "Integer": "{0}",
    },
)  # fmt: skip

SMALL_FUNCTIONS = """\
C     Small functions that the language lacks.
      DOUBLE PRECISION FUNCTION FWNUM(L)
      LOGICAL L
      FWNUM = 0.0D0
      IF (L) FWNUM = 1.0D0
      END

      DOUBLE PRECISION FUNCTION FWFLR(X)
      DOUBLE PRECISION X
      FWFLR = DINT(X)
      IF (FWFLR .GT. X) FWFLR = FWFLR - 1.0D0
      END

      DOUBLE PRECISION FUNCTION FWSIGN(X)
      DOUBLE PRECISION X
      FWSIGN = 0.0D0
      IF (X .GT. 0.0D0) FWSIGN = 1.0D0
      IF (X .LT. 0.0D0) FWSIGN = -1.0D0
      END

      SUBROUTINE FWZERO(N, A)
      INTEGER N, I
      DOUBLE PRECISION A(N)
      DO 10 I = 1, N
        A(I) = 0.0D0
   10 CONTINUE
      END

C     A*X = B by elimination with partial pivoting; X comes in B.
      SUBROUTINE FWLIN(N, A, B, IERR)
      INTEGER N, IERR, I, J, K, IBEST
      DOUBLE PRECISION A(N, N), B(N), FACTOR, SWAP
      DO 50 K = 1, N
        IBEST = K
        DO 10 I = K + 1, N
          IF (ABS(A(I, K)) .GT. ABS(A(IBEST, K))) IBEST = I
   10   CONTINUE
        IF (A(IBEST, K) .EQ. 0.0D0) THEN
          IERR = 1
          RETURN
        END IF
        DO 20 J = 1, N
          SWAP = A(K, J)
          A(K, J) = A(IBEST, J)
          A(IBEST, J) = SWAP
   20   CONTINUE
        SWAP = B(K)
        B(K) = B(IBEST)
        B(IBEST) = SWAP
        DO 40 I = K + 1, N
          FACTOR = A(I, K)/A(K, K)
          DO 30 J = K, N
            A(I, J) = A(I, J) - FACTOR*A(K, J)
   30     CONTINUE
          B(I) = B(I) - FACTOR*B(K)
   40   CONTINUE
   50 CONTINUE
      DO 70 K = N, 1, -1
        DO 60 J = K + 1, N
          B(K) = B(K) - A(K, J)*B(J)
   60   CONTINUE
        B(K) = B(K)/A(K, K)
   70 CONTINUE
      END
"""


class FortranWriter(StatementWriter):
    """One subroutine after the other; `names` are the slots, for remarks."""

    def __init__(
        self,
        formulas: FormulaText,
        names: Sequence[str],
        routines: Mapping[str, str],
        calls_linpack: bool = False,
    ) -> None:
        super().__init__(formulas)
        self.names, self.routines, self.calls_linpack = names, routines, calls_linpack
        self.label, self.ends = 0, list[int]()

    def labelled(self, label: int, text: str) -> None:
        self.lines.append(f"{label:>5} {text}")

    def subroutine(
        self, name: str, statements: Sequence[Statement], arguments: str = "M, IERR"
    ) -> None:
        self.line(f"SUBROUTINE {name}({arguments})")
        self.line("DOUBLE PRECISION M(*)" + (", F(*)" if "F" in arguments.split(", ") else ""))
        if "IERR" in arguments:
            self.line("INTEGER IERR")
        self.line("DOUBLE PRECISION FWNUM, FWFLR, FWSIGN")
        for var in locals_of(statements):
            if var.name[0] == "local":
                kind = "LOGICAL" if is_logical_local(var) else "DOUBLE PRECISION"
                self.line(f"{kind} {self.formulas.name_text(var)}")
        self.label = 0
        sizes = sorted(systems_in(statements))
        for size in sizes:
            self.line(f"DOUBLE PRECISION A{size}({size}, {size}), B{size}({size})")
            if self.calls_linpack:
                self.line(f"INTEGER IP{size}({size})")
        for number in range(1, loops_in(statements) + 1):
            self.line(f"INTEGER K{number}")
        self.write(statements)
        self.line("END")
        self.lines.append("")

    def assign(self, statement: Set) -> None:
        slot = statement.target.name[0]
        if isinstance(slot, int):
            self.lines.append(f"C     {self.names[slot]}")
        self.line(f"{self.formulas.piece(statement.target).text} = {self.value(statement)}")

    def open_branch(self, condition: str, is_first: bool) -> None:
        self.line(f"{'IF' if is_first else 'ELSE IF'} ({condition}) THEN")

    def open_else(self) -> None:
        self.line("ELSE")

    def close_branches(self) -> None:
        self.line("END IF")

    def repeat(self, statement: Repeat) -> None:
        self.label += 1
        number, last, after = self.label, 2 * self.label * 10, 2 * self.label * 10 + 10
        self.line(f"DO {last} K{number} = 1, {statement.limit}")
        self.ends.append(after)
        self._indented(statement.body)
        self.ends.pop()
        self.labelled(last, "CONTINUE")
        self.lines.append(f"C     {statement.failure}")
        self.line("IERR = 1")
        self.line("RETURN")
        self.labelled(after, "CONTINUE")

    def leave(self, condition: str) -> None:
        self.line(f"IF ({condition}) GOTO {self.ends[-1]}")

    def run(self, section: str) -> None:
        self.line(f"CALL {self.routines[section]}(M, IERR)")
        self.line("IF (IERR .NE. 0) RETURN")

    def linear(self, statement: Linear) -> None:
        size, number = len(statement.targets), self.formulas.number
        self.line(f"CALL FWZERO({size * size}, A{size})")
        self.line(f"CALL FWZERO({size}, B{size})")
        for row, column, entry in statement.matrix:
            self.line(f"A{size}({row + 1}, {column + 1}) = {number(entry)}")
        for row, right in enumerate(statement.right):
            if not build.is_zero(right):
                self.line(f"B{size}({row + 1}) = {number(right)}")
        if self.calls_linpack:
            self.line(f"CALL DGEFA(A{size}, {size}, {size}, IP{size}, IERR)")
            self.line("IF (IERR .NE. 0) RETURN")
            self.line(f"CALL DGESL(A{size}, {size}, {size}, IP{size}, B{size}, 0)")
        else:
            self.line(f"CALL FWLIN({size}, A{size}, B{size}, IERR)")
            self.line("IF (IERR .NE. 0) RETURN")
        for row, target in enumerate(statement.targets):
            self.line(f"{number(target)} = B{size}({row + 1})")


def name_of(var: Var) -> str:
    head = var.name[0]
    if head == RESIDUAL:
        number = var.name[1]
        assert isinstance(number, int)
        return f"F({number + 1})"
    return f"M({head + 1})" if isinstance(head, int) else f"Z{str(var.name[1]).upper()}"


def fixed_lines(lines: Iterable[str]) -> Iterator[str]:
    """Remarks and lines with a label are in form already."""
    for line in lines:
        is_ready = (
            not line or line == "C" or line.startswith("C     ") or line[:5].strip().isdigit()
        )
        yield from [line] if is_ready else fixed_form(line)


def fixed_form(text: str) -> Iterator[str]:
    """Columns 7 to 72; continued by a mark in column 6, at a blank where there is one."""
    room = WIDTH - 6
    first = True
    while text:
        piece, text = text, ""
        if len(piece) > room:
            at = piece.rfind(" ", room // 2, room)
            at = at if at > 0 else room
            piece, text = piece[:at], piece[at:]
        yield ("      " if first else "     &") + piece
        first = False


def systems_in(statements: Sequence[Statement]) -> set[int]:
    found: set[int] = set()
    for statement in statements:
        if isinstance(statement, Linear):
            found.add(len(statement.targets))
        for part in _parts(statement):
            found |= systems_in(part)
    return found


def loops_in(statements: Sequence[Statement]) -> int:
    count = 0
    for statement in statements:
        count += isinstance(statement, Repeat)
        count += sum(loops_in(part) for part in _parts(statement))
    return count


def _parts(statement: Statement) -> Iterator[Sequence[Statement]]:
    if isinstance(statement, Choose):
        yield from (body for _, body in statement.branches)
        yield statement.otherwise
    elif isinstance(statement, Repeat):
        yield statement.body
