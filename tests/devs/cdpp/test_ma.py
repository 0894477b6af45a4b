"""`.ma` files: what is read, what is refused and where."""

import random
import re
from time import process_time

import pytest

from freewheel.base.diagnostics import CompileError, UsageError
from freewheel.base.source import Source
from freewheel.devs import Atomic, Coupled, simulate
from freewheel.devs.cdpp.ma_build import as_ma, build
from freewheel.devs.cdpp.ma_read import read_ma
from freewheel.devs.cdpp.ma_write import write_ma
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.compiled import simulate_compiled


class Clock(Atomic):
    outputs = ("tick",)

    def __init__(self, period):
        self.period = period

    def start(self):
        return 0

    def time_advance(self, state):
        return self.period

    def output(self, state):
        return (("tick", state),)

    def internal(self, state):
        return state + 1

    def description(self):
        return "Clock", {"period": repr(self.period)}


CLASSES = {"clock": lambda given: Clock(given.number("period", 1.0))}

NESTED = """\
% two clocks, one of them inside
[top]
components : Quick@Clock sub
out : o p
link : tick@quick o
link : away@sub p
[sub]
components: slow@Clock
out: away
link: tick@slow away
[SLOW]
Period : 2.5 % seconds
"""


def read(text):
    return read_ma(Source.from_text(text, "m.ma"))


def test_coupled_models_inside_each_other_are_read_and_run():
    model = build(read(NESTED), CLASSES)

    outcome = simulate(model, 5.0)

    assert [time for time, _ in outcome.at("o")] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert [time for time, _ in outcome.at("p")] == [2.5, 5.0]


def test_a_file_and_a_model_can_be_turned_into_each_other():
    file = read(NESTED)

    again = as_ma(build(file, CLASSES))

    assert again.coupled == file.coupled
    assert read(write_ma(again)) == again


def test_several_statements_may_stand_on_a_line():
    text = "[top] components : a@Clock out : o link : tick@a o [a] period : 2"

    assert [t for t, _ in simulate(build(read(text), CLASSES), 4.0).at("o")] == [2.0, 4.0]


def test_equal_names_in_different_models_are_written_with_their_paths():
    inner = Coupled({"clock": Clock(2.0)}, ("clock.tick -> o",), outputs=("o",))
    couplings = ("clock.tick -> o", "inner.o -> o")
    model = Coupled({"clock": Clock(1.0), "inner": inner}, couplings, outputs=("o",))

    file = read(write_ma(as_ma(model)))

    assert sorted(file.parameters) == ["clock", "inner_clock"]
    assert simulate(build(file, CLASSES), 4.0).outputs == simulate(model, 4.0).outputs


def test_names_that_differ_in_case_only_cannot_be_written():
    with pytest.raises(UsageError) as failure:
        as_ma(Coupled({"a": Clock(1.0), "A": Clock(1.0)}))

    assert failure.value.diagnostics[0].code == "U082"
    assert "have one name in a `.ma` file" in failure.value.diagnostics[0].message
    assert "rename one of them" in failure.value.diagnostics[0].help


def test_a_model_without_a_description_cannot_be_written():
    class Plain(Atomic):
        def start(self):
            return 0

        def time_advance(self, state):
            return 1.0

    with pytest.raises(UsageError) as failure:
        as_ma(Coupled({"plain": Plain()}))

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == ("U081", "`plain` cannot be written into a `.ma` file")
    assert "a method `description`" in told.help


R = "[top]\ncomponents : r@QBGResistanceEffortIn\n"
WRONG = {
    "S030 1": ("components : a@b\n[top]\n", "`components` stands before the first section"),
    "S031 1": ("[main]\ncomponents : a@b\n", "the file has no section `[top]`"),
    "S032 3": ("[top]\ncomponents : a@b\n[Top]\n", "there are two sections `[top]`"),
    "S032 6": (f"{R}[r]\nr : 1\n% again\nR : 2\n", "`r` is given twice"),
    "S033 1": ("[top\ncomponents : a@b\n", "a section begins with its name in brackets"),
    "S034 2": ("[top]\ncomponents a@b\n", "`components` is not of the form `name : value`"),
    "S034 3": (f"{R}link : e@r\n", "a link has two ends, this one 1"),
    "S034 03": (f"{R}width : 3\n", "a coupled model has no `width`"),
    "S034 02": ("[top]\ncomponents : a@\n", "`a@` is no component"),
    "S034 1": ("[top]\nin : a\n", "`[top]` has no components"),
    "S034 003": (f"{R}link : @r a\n", "`@r` is no port"),
    "S035 2": ("[top]\ncomponents : a\n", "`a` has neither a class nor a section"),
    "S035 02": ("[top]\ncomponents : a@b A@b\n", "`a` is used twice"),
    "S036 3": (f"{R}[x]\nr : 1\n", "no coupled model has a component `x`"),
    "N080 3": (f"{R}link : e@x e1p@r\n", "`x` is no component of `top`"),
    "N081 3": (f"{R}link : e e1p@r\n", "`top` has no port `e`"),
    "N081 4": (f"{R}in : e\nlink : e e1x@r\n[r]\nr : 1\n", "`e1x` of `r`: a port is named"),
    "N084 2": (R, "`r` needs the parameter `r`"),
    "N084 4": (f"{R}[r]\nq : 1\nr : 1\n", "`r` has no parameter `q`"),
    "N085 4": (f"{R}[r]\nr : one\n", "`r` of `r` is no number: `one`"),
    "N085 04": (f"{R}[r]\nr : 0\n", "`r` of `r`: it is 0"),
    "N086 2": ("[top]\ncomponents : a@b\n", "there is no class `b`"),
}


@pytest.mark.parametrize("place", WRONG)
def test_a_malformed_file_is_told_with_the_line(place):
    code, line = place.split()
    text, message = WRONG[place]

    with pytest.raises(CompileError) as failure:
        build(read(text), QBG_CLASSES)

    told = failure.value.diagnostics[0]
    assert told.message.startswith(message)
    if place != "N081 4":  # told at the component: its bonds are read off all links
        assert (told.code, told.labels[0].span.line) == (code, int(line))


STORAGE = "[top]\ncomponents : c@QBGCapacitorFlowIn\n[c]\nc : 1\n"


@pytest.mark.parametrize(
    ("given", "line", "message"),
    [
        ("quantum : 0\n", 5, "its quantum is 0"),
        ("quantum : -0.5\n", 5, "its quantum is -0.5"),
        ("levels : 1 1\n", 5, "its levels do not ascend"),
        ("quantum : 1\nhystwindow : -1\n", 6, "its window is -1"),
        ("levels : 1 x\n", 5, "no list of numbers"),
        ("", 2, "`c` needs the parameter `quantum`"),
    ],
)
def test_a_quantum_that_cannot_be_is_told_with_the_line(given, line, message):
    with pytest.raises(CompileError) as failure:
        build(read(STORAGE + given), QBG_CLASSES)

    (told,) = failure.value.diagnostics
    assert message in told.message
    assert told.labels[0].span.line == line


def test_sources_check_their_signal():
    text = "[top]\ncomponents : s@QBGSourceEffort_Sine\n[s]\nfrequency : 0\nquantum : 1\n"

    with pytest.raises(CompileError, match="`frequency` is 0, it must be above zero") as failure:
        build(read(text), QBG_CLASSES)
    assert failure.value.diagnostics[0].labels[0].span.line == 4
    with pytest.raises(CompileError, match="the class gives `Sine`"):
        build(read(text + "signal : pulse\n"), QBG_CLASSES)


FUZZED = """\
[top]
components : j@QBGSerialJunction r@QBGResistanceEffortIn v@QBGSourceEffort_Sine c@QBGCapacitorFlowIn
out : c
link : e1n@v e2p@j
link : e1n@j e1p@r
link : f1p@r f1n@j
link : e1p@c e3n@j
link : f3n@j f1p@c
link : e1p@c c
[r]
r : 10
[v]
quantum : 0.1
amplitude : 15
[c]
c : 1.5
quantum : 0.1
hystwindow : 0.1
"""


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_file_is_read_or_refused_with_a_place(seed):
    chance = random.Random(seed)
    words = re.findall(r"\S+|\n", FUZZED)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(words))
        action = chance.randrange(4)
        if action == 0:
            del words[at]
        elif action == 1:
            words.insert(at, chance.choice(words))
        elif action == 2:
            words[at] = words[at][: chance.randint(0, len(words[at]))]
        else:
            words[at] = chance.choice(("@", ":", "[", "]", "%", "-1", "0", "nan", "é", "[x]"))

    told = diagnosed(" ".join(words))

    assert all(each.labels for each in told)


def diagnosed(text):
    try:
        build(read(text), QBG_CLASSES)
    except CompileError as failure:
        return failure.diagnostics
    return ()


# ---------------------------------------------------------------- files that want to be trouble


def nested(depth):
    lines = ["[top]", "components : m0", "out : o", "link : o@m0 o"]
    for k in range(depth):
        lines += [f"[m{k}]", f"components : m{k + 1}", "out : o", f"link : o@m{k + 1} o"]
    return "\n".join([*lines, f"[m{depth}]", "components : a@Clock", "out : o", "link : tick@a o"])


def test_models_may_lie_a_thousand_deep_but_not_without_end():
    model = build(read(nested(1000)), CLASSES)

    assert simulate(model, 2.5).at("o") == [(1.0, 0), (2.0, 1)]
    with pytest.raises(CompileError) as failure:
        read(nested(3000))
    (told,) = failure.value.diagnostics
    assert told.code == "S039"
    assert "models deep" in told.message
    assert told.help == "use fewer levels of coupled models"
    assert told.labels[0].span.line > 2000


def test_couplings_side_by_side_do_not_double_without_end():
    """Two ports, each coupled to both of the next level: an event would go 2^40 ways."""
    lines = ["[top]", "components : m0", "out : a b"]
    couplings = [f"link : {inner}@{{0}} {outer}" for inner in "ab" for outer in "ab"]
    lines += [line.format("m0") for line in couplings]
    for k in range(40):
        lines += [f"[m{k}]", f"components : m{k + 1}", "out : a b"]
        lines += [line.format(f"m{k + 1}") for line in couplings]
    lines += ["[m40]", "components : c@Clock", "out : a b", "link : tick@c a", "link : tick@c b"]

    with pytest.raises(CompileError) as failure:
        simulate(build(read("\n".join(lines)), CLASSES), 1.0)

    assert failure.value.diagnostics[0].code == "N089"
    assert "would go more than" in failure.value.diagnostics[0].message
    assert "parallel couplings double" in failure.value.diagnostics[0].help


def test_a_junction_with_thousands_of_bonds_is_built_at_once():
    """Every component used to ask every link, and every link every port."""
    count = 4000
    lines = ["[top]", "components : j@QBGParallelJunction v@QBGSourceEffort_Constant"]
    lines += [f"components : r{k}@QBGResistanceEffortIn" for k in range(count)]
    lines += ["link : e1n@v e1p@j"]
    for k in range(count):
        lines += [f"link : e{k + 2}n@j e1p@r{k}", f"link : f1p@r{k} f{k + 2}n@j"]
    lines += ["[v]", "k : 1", *(line for k in range(count) for line in (f"[r{k}]", "r : 1"))]
    began = process_time()

    model = build(read("\n".join(lines)), QBG_CLASSES)
    steps = simulate_compiled(model, 1.0)

    assert process_time() - began < 10.0
    assert steps.transitions > 2 * count
