"""Relations as the code that watches them, for listings of programs in ACSL and DSblock.

    QRel(1) = Diode.u                                    the residual of `Diode.u <= 0`
    If (Init .OR. Event) Then
      Call HandleEvent('Diode.u', QM(1), ...)            its status QM(1) in {-1, 0, 1}
    End If
    QZp(1) = QRel(1) - Qp(1)                             crossing functions
    QZn(1) = QRel(1) - Qn(1)
    QL(1) = QM(1).LE.0                                   the relation

As printed by Elmqvist, Cellier and Otter (1993) for the rectifier, where the names are explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freewheel.formula import build
from freewheel.formula.nodes import Var
from freewheel.structure.show_lines import Line, Writer, heading

_SIGNS = {"<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "==": "EQ", "<>": "NE"}


class RelationCode:
    """Tells of each relation once, right before the lines that read it first."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.told = 0

    def before(self, lines: Sequence[Line]) -> Iterator[Line]:
        """The relations that writing these lines has numbered, then the lines."""
        new = list(self.writer.numbers.items())[self.told :]
        self.told += len(new)
        for (status, sign), number in new:
            yield from self._relation(status, sign, number)
        yield from lines

    def _relation(self, status: Var, sign: str, number: int) -> Iterator[Line]:
        crossing = self.writer.crossings[status]
        residual = self.writer.text(build.minus(crossing.left, crossing.right))
        given = f"'{residual}', QM({number}), Qp({number}), Qn({number}), QRel({number})"
        yield heading(f"  QRel({number}) = {residual}")
        yield heading("  If (Init .OR. Event) Then")
        yield heading(f"    Call HandleEvent({given}, Init, PrintEvent, Time, AnyEvent)")
        yield heading("  End If")
        yield heading(f"  QZp({number}) = QRel({number}) - Qp({number})")
        yield heading(f"  QZn({number}) = QRel({number}) - Qn({number})")
        yield heading(f"  QL({number}) = QM({number}).{_SIGNS[sign]}.0")
