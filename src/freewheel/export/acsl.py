"""ACSL: the program of Cellier and Elmqvist (1993), with `SCHEDULE` and a `DISCRETE` section for events.

Assignments stand in one PROCEDURAL block in the order of evaluation, states are INTEG of their derivatives.
For each relation i the names are those of Elmqvist, Cellier and Otter (1993): QRel(i) the residual, QM(i) its
status, which only the section `Event` changes, QZp(i) and QZn(i) the crossing functions that are scheduled.
Linear systems call Linpack, nonlinear loops are written out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from freewheel.base.slots import Info
from freewheel.export.acsl_text import ACSL, RESERVED, AcslWriter, wrapped
from freewheel.export.draft import Exportable, make_draft
from freewheel.export.events import has_events
from freewheel.export.formula import FormulaText, alias_text
from freewheel.export.hoist import hoist, is_logical_local
from freewheel.export.naming import NameRules, fresh_name, names_for
from freewheel.export.nodes import Draft, Linear, Set, Statement
from freewheel.export.options import ExportOptions
from freewheel.export.reads import last_copies
from freewheel.export.writer import locals_of
from freewheel.formula.nodes import Integer, Real, Var

RULES = NameRules(dot="z", is_short=True, ignores_case=True, longest=31, reserved=RESERVED)
MOST_LABELS = 200
WATCHED = ("QRel", "QM", "Qp", "Qn", "QZp", "QZn", "QBand", "QSize")
SMALLEST = "1.0E-38"  # the eps of Elmqvist, Cellier and Otter (1993)


def write_acsl(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    draft = make_draft(model, "acsl", options, is_evaluated=True)
    name = re.sub(r"\W", "_", draft.title, flags=re.ASCII)[: RULES.longest]
    return {f"{name}.csl": _Acsl(draft, name).text()}


def acsl_names(
    model: Exportable, options: ExportOptions | None = None
) -> dict[str, tuple[str, float, float]]:
    """Variable of the model -> name in the program, sign and offset."""
    draft = make_draft(model, "acsl", options or ExportOptions(), is_evaluated=True)
    names = _Acsl(draft, draft.title).names
    return {
        info.name: (names[info.slot], info.sign, info.offset)
        for info in draft.program.variables
        if info.slot >= 0
    }


class _Acsl:
    def __init__(self, draft: Draft, name: str) -> None:
        self.draft, self.program, self.name = draft, draft.program, name
        self.routines = {key: hoist(body, f"h{key[0]}") for key, body in draft.routines.items()}
        self.names = list(names_for(draft.names, RULES, taken=self._taken()))
        self.names[self.program.time] = "Time"
        for number, relation in enumerate(self.program.relations, start=1):
            self.names[relation.status] = f"QM({number})"
            self.names[relation.residual] = f"QRel({number})"
            self.names[draft.extras.bands[number - 1]] = f"QBand({number})"
            self.names[draft.extras.sizes[number - 1]] = f"QSize({number})"
        self.logical_temporaries: set[Var] = set()
        formulas = FormulaText(ACSL, self._name, self._is_logical)
        count = len(self.program.relations)
        counted = self.names[draft.extras.rounds], self.names[draft.extras.changed]
        self.out = AcslWriter(
            formulas, self.routines, name, self.logical_temporaries, count, counted
        )
        self.outputs = [v for v in self.program.variables if v.causality == "output"]
        self.copies = self._copies()

    def _taken(self) -> list[str]:
        """Names that are not of slots: of the frame, of labels and counters, of locals."""
        found = ["Time", "StartTime", "StopTime"]
        found += [f"{letter}{k}" for letter in "iLM" for k in range(1, MOST_LABELS)]
        found += [str(var.name[1]) for body in self.routines.values() for var in locals_of(body)]
        return found

    def _name(self, var: Var) -> str:
        head = var.name[0]
        return self.names[head] if isinstance(head, int) else str(var.name[1])

    def _is_logical(self, var: Var) -> bool:
        if var.name[0] in self.draft.logical:
            return True
        return is_logical_local(var) or var in self.logical_temporaries

    def _copies(self) -> list[tuple[str, str]]:
        """Outputs of the model that are another name for something."""
        found: list[tuple[str, str]] = []
        for info in self.outputs:
            if info.slot >= 0 and self.draft.names[info.slot] == info.name:
                continue
            text = self._alias(info)
            found.append((names_for([info.name], RULES, taken=self.names)[0], text))
        return found

    def _alias(self, info: Info) -> str:
        return alias_text(info, self.names[info.slot], ACSL.real)

    # ------------------------------------------------------------ the program

    def text(self) -> str:
        out = self.out
        body = self._body()  # first: it finds which temporaries are logical
        out.lines, out.depth = ["!ACSL model generated by Freewheel.", ""], 0
        out.line(f"PROGRAM {self.name}")
        out.depth += 1
        out.line("VARIABLE Time, StartTime = 0.0")
        out.line(f"CONSTANT StopTime = {ACSL.real(self.draft.stop)}")
        if self.draft.interval > 0.0:
            out.line(f"CINTERVAL Cint = {ACSL.real(self.draft.interval)}")
        self._declarations()
        out.lines += body
        out.depth -= 1
        out.line("END ! of PROGRAM")
        if self.program.relations:
            out.handle_event()
        return "\n".join(line for long in out.lines for line in wrapped(long)) + "\n"

    def _declarations(self) -> None:
        out, count = self.out, len(self.program.relations)
        if count:
            arrays = ", ".join(f"{word}({count})" for word in WATCHED)
            out.line(f"DIMENSION {arrays}")
        for number, size in enumerate(out.systems, start=1):
            out.line(
                f"DIMENSION QA{number}({size},{size}), Qb{number}({size}), QPiv{number}({size})"
            )
            out.line(f"INTEGER QPiv{number}" + (", QInfo" if number == 1 else ""))
        logical = [self.names[slot] for slot in sorted(self.draft.logical) if self._is_used(slot)]
        logical += sorted(self._name(var) for var in out.logical_used)
        if out.can_fail:
            logical.append("Failed")
        if logical:
            out.line(f"LOGICAL {', '.join(logical)}")
        counters = [f"i{k}" for k in range(1, out.labels + 1)]
        if counters:
            out.line(f"INTEGER {', '.join(counters)}")
        for info in self.program.inputs:
            out.line(f"! {self.names[info.slot]} is an input: give it a value.")

    def _is_used(self, slot: int) -> bool:
        is_handed_over = slot == self.draft.extras.changed and bool(self.program.relations)
        return is_handed_over or slot in self.out.slots_used

    def _body(self) -> list[str]:
        out = self.out
        out.depth = 1
        self._initial()
        out.line("DYNAMIC")
        out.depth += 1
        self._derivative()
        if has_events(self.program):
            self._event()
        out.line("TERMT (Time .GE. StopTime)")
        if out.can_fail:
            out.line("TERMT (Failed, 'the equations cannot be solved')")
        if self.draft.extras.ended >= 0:
            out.line(f"TERMT ({self.names[self.draft.extras.ended]}, 'the model ends the run')")
        out.depth -= 1
        out.line("END ! of DYNAMIC")
        return out.lines

    # ------------------------------------------------------------ INITIAL

    def _initial(self) -> None:
        out = self.out
        out.line("INITIAL")
        out.depth += 1
        dependent = {
            s.target.name[0] for s in self.draft.routines["parameters"] if isinstance(s, Set)
        }
        for slot in sorted(self.program.parameters.values()):
            if slot not in dependent:
                out.line(f"CONSTANT {self.names[slot]} = {self._start(slot)}")
        for info in self.program.variables:
            if (
                info.kind in ("parameter", "constant")
                and info.slot >= 0
                and (
                    info.name == self.draft.names[info.slot]
                    and info.slot not in dependent
                    and info.name not in self.program.parameters
                )
            ):
                out.line(f"CONSTANT {self.names[info.slot]} = {self._start(info.slot)}")
        if self._needs_start():
            out.line("PROCEDURAL")
            out.depth += 1
            out.line("Time = StartTime")
            if out.may_fail(self.routines):
                out.line("Failed = .FALSE.")
            for slot in self._guessed():
                value = self._start(slot)
                if slot in self.draft.logical:
                    value = ".TRUE." if self.draft.memory[slot] > 0.5 else ".FALSE."
                out.line(f"{self.names[slot]} = {value}")
            out.write(self.routines["start"])
            self._intervals()
            for state in self.program.state_slots:
                out.line(f"{self._init(state.slot)} = {self.names[state.slot]}")
            out.depth -= 1
            out.line("END ! of PROCEDURAL")
        else:
            out.write(self.routines["parameters"])
        if has_events(self.program):
            out.line("SCHEDULE Event .AT. StartTime")
        out.depth -= 1
        out.line("END ! of INITIAL")

    def _start(self, slot: int) -> str:
        return ACSL.real(self.draft.memory[slot])

    def _init(self, slot: int) -> str:
        return fresh_name(f"init{self.names[slot]}", RULES, self.names)

    def _needs_start(self) -> bool:
        """Whether more than numbers is known of the initial states."""
        if has_events(self.program):
            return True
        states = {state.slot for state in self.program.state_slots}
        for statement in self.draft.routines["initial"]:
            if isinstance(statement, Linear) and states.isdisjoint(
                target.name[0] for target in statement.targets
            ):
                continue
            if not isinstance(statement, Set):
                return True
            if statement.target.name[0] in states and not isinstance(
                statement.value, Real | Integer
            ):
                return True
        return False

    def _guessed(self) -> list[int]:
        """Slots that are read before they are written for the first time."""
        program = self.program
        found = {slot for pair in program.discrete for slot in pair}
        found |= {relation.status for relation in program.relations}
        found |= {*self.draft.extras.bands, *self.draft.extras.sizes}
        found |= {slot for new in program.reinits for slot in new[1:]}
        found |= {sample[2] for sample in program.samples}
        single = (program.terminal_flag, program.awake, self.draft.extras.ended)
        found |= {slot for slot in single if slot >= 0}
        found |= {*self.draft.extras.counts} if program.samples else set()
        found |= self.out.guesses(program)
        return sorted(found)

    def _intervals(self) -> None:
        """Around what is zero: a smallest number, or what rounding may amount to."""
        relations = zip(self.program.relations, self.draft.extras.bands, strict=True)
        for number, (relation, band) in enumerate(relations, start=1):
            self.out.lines.append(f"!   {relation.text}")
            self.out.line(f"IF (QRel({number}) .EQ. 0.0) THEN")
            self.out.line(f"  Qp({number}) = -{SMALLEST}")
            self.out.line(f"  Qn({number}) = {SMALLEST}")
            self.out.line("ELSE")
            self.out.line(f"  Qp({number}) = -{self.names[band]}")
            self.out.line(f"  Qn({number}) = {self.names[band]}")
            self.out.line("END IF")

    # ------------------------------------------------------------ DERIVATIVE

    def _derivative(self) -> None:
        out = self.out
        out.line("DERIVATIVE")
        out.depth += 1
        out.line("PROCEDURAL")
        out.depth += 1
        out.remark("SORTED AND SOLVED EQUATIONS")
        main = [
            *self.routines["derivatives"],
            *self.routines["relations"],
            *self.routines["outputs"],
        ]
        ends = self._ends(main)
        out.write_by_component(s for s in main if s not in ends)
        for number in range(1, len(self.program.relations) + 1):
            out.line(f"QZp({number}) = QRel({number}) - Qp({number})")
            out.line(f"QZn({number}) = QRel({number}) - Qn({number})")
        out.remark("END OF SORTED AND SOLVED EQUATIONS")
        if ends or self.copies:
            out.remark("ELIMINATED STATE DERIVATIVES AND OUTPUTS")
            out.write(ends)
            for name, text in self.copies:
                out.line(f"{name} = {text}")
        out.depth -= 1
        out.line("END ! of PROCEDURAL")
        self._integrals()
        for number in range(1, len(self.program.relations) + 1):
            out.line(f"SCHEDULE Event .XZ. QZp({number})")
            out.line(f"SCHEDULE Event .XZ. QZn({number})")
        out.depth -= 1
        out.line("END ! of DERIVATIVE")

    def _ends(self, main: Sequence[Statement]) -> list[Set]:
        """Outputs of the model that copy a variable, and that nothing else reads: the paper puts them
        last."""
        slots = {info.slot for info in self.outputs}
        copies = [
            s
            for s in self.routines["outputs"]
            if isinstance(s, Set) and s.target.name[0] in slots and isinstance(s.value, Var)
        ]
        return last_copies(main, copies)

    def _integrals(self) -> None:
        states = {state.slot: state for state in self.program.state_slots}
        values = {
            statement.target.name[0]: statement.value
            for statement in self.draft.routines["initial"]
            if isinstance(statement, Set) and statement.target.name[0] in states
        }
        is_computed = self._needs_start()
        for slot, state in states.items():
            if not is_computed:
                value = values.get(slot)
                text = self._start(slot) if value is None else self.out.plain(value)
                self.out.line(f"CONSTANT {self._init(slot)} = {text}")
            rate = self.names[state.derivative]
            self.out.line(f"{self.names[slot]} = INTEG({rate}, {self._init(slot)})")

    # ------------------------------------------------------------ events

    def _event(self) -> None:
        out = self.out
        out.line("DISCRETE Event")
        out.depth += 1
        out.line("PROCEDURAL")
        out.depth += 1
        if self.program.samples:
            out.write(self.routines["due"])
        out.write(self.routines["event"])
        self._intervals()
        out.depth -= 1
        out.line("END ! of PROCEDURAL")
        if self.program.samples:
            out.line(f"SCHEDULE Event .AT. {self.names[self.draft.extras.next_time]}")
        out.depth -= 1
        out.line("END ! of DISCRETE Event")
