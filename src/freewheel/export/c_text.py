"""How C writes a draft: named slots of one array, one function per routine.

    static int derivatives(double *m)
    {
        m[v_der_C_v] = m[v_C_i]/m[v_C_C];
        return 0;
    }

Each function returns 0, or 1 where it has no result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from textwrap import wrap

from freewheel.base.slots import Info
from freewheel.export.events import has_events
from freewheel.export.formula import Dialect, FormulaText
from freewheel.export.naming import NameRules, names_for
from freewheel.export.nodes import Draft, Linear, Repeat, Set, Statement
from freewheel.export.writer import StatementWriter, locals_of
from freewheel.formula.intrinsics import spellings
from freewheel.formula.nodes import Var
from freewheel.program.nodes import SECTIONS, SIMPLIFIED, Program

# Headers declare more names, and other ones on other systems, than a list could hold.
RULES = NameRules(longest=63, prefix="v_")


def real_text(value: float) -> str:
    text = repr(value)
    return text if "." in text or "e" in text or "n" in text else text + ".0"


C = Dialect(
    name="c",
    real=real_text,
    relations={"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "<>": "!="},
    words={"and": "&&", "or": "||"},
    negation="!{0}",
    true="1",
    false="0",
    power="pow({0}, {1})",
    to_number="({0} ? 1.0 : 0.0)",
    to_condition="{0} > 0.5",
    choice="({0} ? {1} : {2})",
    functions={
        **spellings("c"),
        "history": "history",
        "history/5": "history_ahead",
        "Integer": "{0}",
    },
)

AHEAD = """/* Where the delay is shorter than the step: on the way from what is remembered to the present. */
static double history_ahead(double unused, double line, double t, double value, double now)
{
    double end = past_steps ? past[(past_steps - 1)*(2 + POINTS*DELAYS)]
        + past[(past_steps - 1)*(2 + POINTS*DELAYS) + 1] : now;
    double last;
    if (t <= end || now <= end)
        return t >= now ? value : history(unused, line, t);
    last = history(unused, line, end);
    return last + (value - last)*(t - end)/(now - end);
}

"""
TYPE = "Variable"

SMALL_FUNCTIONS = {
    "sign": """static double sign(double x)
{
    return (x > 0.0) - (x < 0.0);
}

""",
    "modulo": """static double modulo(double x, double y)
{
    return x - floor(x/y)*y;
}

""",
}


def part(name: str) -> str:
    """A piece of program text that is the same for all models."""
    return files("freewheel.export").joinpath("parts", name).read_text(encoding="utf-8")


class CWriter(StatementWriter):
    indent = "    "

    def __init__(self, formulas: FormulaText) -> None:
        super().__init__(formulas)
        self.loops = 0

    def function(self, name: str, statements: Sequence[Statement]) -> None:
        self.line(f"static int {name}(double *m)")
        self.line("{")
        self.depth += 1
        own = [self.formulas.name_text(var) for var in locals_of(statements)]
        if own:
            for text in wrap(f"double {', '.join(own)};", 96, subsequent_indent="    "):
                self.line(text)
        if not statements:
            self.line("(void)m;")
        begin = len(self.lines)
        self.write(statements)
        words = Counter(re.findall(r"\w+", " ".join(self.lines[begin:])))
        given = Counter(line.split(" = ", 1)[0].strip() for line in self.lines[begin:])
        for one in own:
            if words[one] == given[one]:  # a function of the model computes it for nobody
                self.line(f"(void){one};")
        self.line("return 0;")
        self.depth -= 1
        self.line("}")
        self.line("")

    def assign(self, statement: Set) -> None:
        self.line(f"{self.formulas.number(statement.target)} = {self.value(statement)};")

    def open_branch(self, condition: str, is_first: bool) -> None:
        self.line(f"if ({condition}) {{" if is_first else f"}} else if ({condition}) {{")

    def open_else(self) -> None:
        self.line("} else {")

    def close_branches(self) -> None:
        self.line("}")

    def repeat(self, statement: Repeat) -> None:
        self.loops += 1
        counter = f"k{self.loops}_"  # no slot ends with `_`
        self.line("{")
        self.line(f"int {counter};")
        self.line(f"for ({counter} = 0; ; {counter}++) {{")
        self.line(f"    if ({counter} == {statement.limit})")
        self.line(f"        return 1; /* {in_comment(statement.failure)} */")
        self._indented(statement.body)
        self.line("}")
        self.line("}")

    def leave(self, condition: str) -> None:
        self.line(f"if ({condition})")
        self.line("    break;")

    def run(self, section: str) -> None:
        self.line(f"if ({section}(m))")
        self.line("    return 1;")

    def linear(self, statement: Linear) -> None:
        size, number = len(statement.targets), self.formulas.number
        self.line("{")
        self.line(f"double a_[{size * size}] = {{0.0}}, b_[{size}];")
        for row, column, entry in statement.matrix:
            self.line(f"a_[{row * size + column}] = {number(entry)};")
        for row, right in enumerate(statement.right):
            self.line(f"b_[{row}] = {number(right)};")
        self.line(f"if (solve_linear({size}, a_, b_))")
        self.line("    return 1;")
        for row, target in enumerate(statement.targets):
            self.line(f"{number(target)} = b_[{row}];")
        self.line("}")


def in_comment(text: str) -> str:
    """A quoted name may hold the end of a comment."""
    return text.replace("*/", "* /")


def slot_names(draft: Draft) -> tuple[str, ...]:
    """What the enumeration of slots calls them."""
    return names_for(draft.names, RULES)


def c_model(draft: Draft, title: str, rest: str) -> str:
    """The whole text: slots, data, functions and `rest`, a driver or an interface. What nothing uses is
    left out, so that compilers have nothing to say."""
    names = slot_names(draft)

    def name_text(var: Var) -> str:
        head = var.name[0]
        return f"m[{names[head]}]" if isinstance(head, int) else f"{var.name[1]}_"

    head = [f"/* {in_comment(title)}, generated by Freewheel. */", ""]
    head += [f"#include <{name}.h>" for name in ("math", "stdio", "stdlib", "string")]
    head += ["", *_sizes(draft), "", *_slots(draft, names), ""]
    pieces = [*_data(draft).items(), *SMALL_FUNCTIONS.items()]
    pieces += [("solve_linear", part("gauss.c")), ("inputs", _inputs(draft, names))]
    if draft.program.delays:
        pieces += [("next_record", part("history.c")), ("history_ahead", AHEAD)]
    for name in (SIMPLIFIED, *SECTIONS, "follow", "hold", "start", "due", "event"):
        writer = CWriter(FormulaText(C, name_text))
        writer.function(name, draft.routines[name])
        pieces.append((name, writer.text()))
    return "\n".join(head) + "\n" + _used(pieces, rest)


def _used(pieces: Sequence[tuple[str, str]], rest: str) -> str:
    """Pieces that something behind them calls or reads; words of remarks do not count."""
    text = rest
    for name, piece in reversed(pieces):
        sign = r"\(" if f"{name}(" in piece else r"[\[,)]"
        if name == TYPE or re.search(rf"\b{name}{sign}", text):
            text = piece + text
    return text


def _sizes(draft: Draft) -> list[str]:
    program = draft.program
    interval = draft.interval or draft.stop / 500
    numbers = {
        "TIME": program.time,
        "FIRST_STATE": program.states[0],
        "STATES": len(program.state_slots),
        "FIRST_RATE": program.derivatives[0],
        "RELATIONS": len(program.relations),
        "SAMPLES": len(program.samples),
        "INPUTS": len(program.inputs),
        "HAS_EVENTS": int(has_events(program)),
        "NEXT_TIME": draft.extras.next_time,
        "FIRST_BAND": draft.extras.rounds + 1,
        "TERMINAL": program.terminal_flag,
        "ENDED": draft.extras.ended,
        "DELAYS": len(program.delays),
        "SLOTS": len(draft.memory),
        "VARIABLES": len(program.variables),
        "SETTABLE": len(settable_slots(program)),
    }
    texts = [f"#define {name} {value}" for name, value in numbers.items()]
    texts += [f"#define STOP {real_text(draft.stop)}", f"#define INTERVAL {real_text(interval)}"]
    return [*texts, f"#define TOLERANCE {real_text(draft.tolerance)}"]


def _slots(draft: Draft, names: Sequence[str]) -> list[str]:
    """The enumeration of slots, each with the name in the model."""
    found = ["enum {"]
    for slot, (name, meaning) in enumerate(zip(names, draft.names, strict=True)):
        comma = "," if slot < len(names) - 1 else ""
        found.append(f"    {name}{comma} /* {in_comment(meaning)} */")
    return [*found, "};"]


def _data(draft: Draft) -> dict[str, str]:
    """Tables by name."""
    program = draft.program
    nominals = [real_text(state.nominal) for state in program.state_slots] or ["1.0"]
    statuses = [str(r.status) for r in program.relations] or ["0"]
    residuals = [str(r.residual) for r in program.relations] or ["0"]
    found = {
        "start_values": numbers("double start_values[SLOTS]", map(real_text, draft.memory)),
        "nominal": numbers(f"double nominal[{len(nominals)}]", nominals),
        "status_slots": numbers(f"int status_slots[{len(statuses)}]", statuses),
        "residual_slots": numbers(f"int residual_slots[{len(residuals)}]", residuals),
        "Variable": [
            "typedef struct { const char *name; int slot; double sign, offset; } Variable;"
        ],
        "variables": variable_table("variables", program.variables),
        "settable": variable_table(
            "settable",
            [Info(label, slot) for label, slot in settable_slots(program).items()],
        ),
    }
    if program.delays:
        signals = [str(line.signal) for line in program.delays]
        found["delay_signals"] = numbers("int delay_signals[DELAYS]", signals)
        found["delay_lags"] = numbers(
            "int delay_lags[DELAYS]", [str(line.lag) for line in program.delays]
        )
    return {name: "\n".join(lines) + "\n\n" for name, lines in found.items()}


def variable_table(name: str, infos: Sequence[Info]) -> list[str]:
    """C has no empty tables: a row that says nothing stands in one."""
    found = [f"static const Variable {name}[{max(1, len(infos))}] = {{"]
    for info in infos or [Info("", -1)]:
        place = f"{info.slot}, {real_text(info.sign)}, {real_text(info.offset)}"
        found.append(f"    {{{c_string(info.name)}, {place}}},")
    return [*found, "};"]


def settable_slots(program: Program) -> dict[str, int]:
    """What a user of the program may give values: parameters, and inputs by constants."""
    return {**program.parameters, **{info.name: info.slot for info in program.inputs}}


def c_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def numbers(declaration: str, texts: Iterable[str]) -> list[str]:
    joined = ", ".join(texts)
    return [f"static const {declaration} = {{", *(f"    {row}" for row in wrap(joined, 92)), "};"]


def _inputs(draft: Draft, names: Sequence[str]) -> str:
    """Where whoever uses the program says what its inputs are."""
    found = ["/* Inputs keep their start values unless something is said here. */"]
    found += ["static void inputs(double t, double *m)", "{", "    (void)t; (void)m;"]
    for info in draft.program.inputs:
        found.append(f"    /* m[{names[info.slot]}] = ...; */")
    return "\n".join([*found, "}", "", ""])
