"""The session as a program: commands, scripts, files, completion, mistakes."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path
from time import sleep

import pytest
from tests.quickest import quickest

from freewheel.base.diagnostics import FreewheelError
from freewheel.tools.classic.complete import complete
from freewheel.tools.classic.entered import Entry
from freewheel.tools.classic.session import COMMANDS, Session
from freewheel.tools.cli import execute

EXAMPLES = Path(__file__).parents[2] / "examples" / "dymola"
DECAY = "model decay\n  local x\n  init x = 1\n  der(x) = -x\nend\n"


@pytest.fixture
def session():
    answers: list[str] = []
    made = Session(answers.append, folder=EXAMPLES)
    made.answers = answers
    return made


def ask(session: Session, *lines: str) -> str:
    session.answers.clear()
    for line in lines:
        session.feed(line)
    return "\n".join(session.answers)


def test_a_model_is_typed_line_by_line(session):
    lines = ["enter model", *DECAY.splitlines()]
    prompts = []
    for line in lines:
        prompts.append(session.prompt)
        session.feed(line)

    assert prompts == ["> ", "- ", "- ", "- ", "- ", "- "]
    assert session.prompt == "> "
    assert ask(session, "output equations") == "decay  der(x) = -x"


def test_a_model_may_begin_on_the_line_of_the_command(session):
    assert ask(session, "enter model; model M", "local x; x = 1", "end", "output eq") == "M  x = 1"


def test_a_file_may_be_named_without_a_sign(session):
    with_sign = ask(session, "enter model @divider.dym", "output equations")

    assert ask(session, "enter model divider.dym", "output equations") == with_sign
    assert "R1" in with_sign


def test_a_system_may_be_left_unsolved(session):
    told = ask(session, "enter model @divider.dym", "set SolveLinearSyst off", "output solved eq")

    assert "SYSTEM OF" in told
    assert "SOLVED SYSTEM OF EQUATIONS" not in told
    assert "Q101" not in told


def test_classes_may_be_typed_before_the_model(session):
    ask(session, "enter model", "model class A", "local x", "x = 1", "end", "model M", "submodel A")
    assert session.prompt == "- "

    assert ask(session, "end", "output equations") == "A  x = 1"


def test_commands_may_be_shortened_and_joined(session):
    assert ask(session, "ent model @divider.dym; part; outp sol eq").startswith("SORTED AND SOLVED")


def test_a_run_can_be_printed_and_drawn(session, tmp_path):
    session.folder = tmp_path
    (tmp_path / "d.dym").write_text(DECAY)

    told = ask(
        session, "enter model @d.dym", "simulate stop=2 tol=1E-10", "print x", "plot x d.svg"
    )

    assert told.splitlines()[0] == "decay: 0 s to 2 s, 501 points, 0 events"
    assert told.splitlines()[1].startswith("x  1  0.1353352")
    assert (tmp_path / "d.svg").read_text().count("<svg") == 1


def test_inputs_and_parameters_are_given_by_name(session):
    told = ask(session, "enter model @divider.dym", "simulate u=6*Time, R1.R=40 stop=2", "print y")

    assert told.splitlines()[1] == "y  0  4"


def test_an_output_file_gathers_until_the_next(session, tmp_path):
    session.folder = tmp_path
    (tmp_path / "d.dym").write_text(DECAY)

    told = ask(session, "enter model @d.dym", "outfile eqs.txt", "output equations",
               "output solved equations", "outfile", "output equations")  # fmt: skip

    assert told == "decay  der(x) = -x"
    assert (tmp_path / "eqs.txt").read_text() == (
        "decay  der(x) = -x\n"
        "SORTED AND SOLVED EQUATIONS\ndecay  der(x) = -x\nEND OF SORTED AND SOLVED EQUATIONS\n"
    )


def test_settings_and_variables_can_be_asked_for(session):
    told = ask(session, "set eliminate ON", "set", "enter model @parcap.dym",
               "variable state C1.u", "variable known der(C2.u)", "variable", "language")  # fmt: skip

    assert "Eliminate        on   remove equations a = b" in told
    assert "state    C1.u\nknown    C2.u (derivative)" in told
    assert "acsl" in told


def test_the_program_in_modelica_is_the_classes(session):
    told = ask(session, "enter model @divider.dym", "output model")

    assert "model divider" in told
    assert "connect(R1.WireB, R2.WireA);" in told


@pytest.mark.parametrize(
    ("language", "sign"),
    [
        ("acsl", "PROGRAM divider"),
        ("desire", "drun"),
        ("dsblock", "SUBROUTINE DIVIDER"),
        ("simnon", "continuous system divider"),
        ("simulink", "function "),
        ("c", "#include"),
        ("flat", "model 'divider'"),
    ],
)
def test_the_program_in_other_languages(language, sign, session):
    told = ask(session, "enter model @divider.dym", f"language {language}", "output model")

    assert sign in told


def test_differentiated_equations_are_listed_before_partitioning(session):
    """`differentiate` augments the set of equations; which variable each gives is another question."""
    ask(session, "enter model @parcap.dym", "differentiate", "variable state C1.u")
    before = ask(session, "output equations").splitlines()
    marked = ask(session, "partition", "output equations").splitlines()

    assert len(before) == 15 + 6
    assert [re.sub(r"[][]", "", line) for line in marked] == before


@pytest.mark.parametrize("language", ["acsl", "simnon", "desire", "simulink", "modelica", "c"])
def test_only_a_dsblock_has_residuals(language, session):
    ask(session, "enter model @divider.dym")
    with pytest.raises(FreewheelError) as caught:
        ask(session, f"language {language} dae")

    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("U091", f"`{language}` has no form `dae`")


@pytest.mark.parametrize(
    "line", ["output equations twice", "output solved", "partition now", "differentiate C1.u"]
)
def test_words_behind_a_command_are_understood_or_told(line, session):
    ask(session, "enter model @parcap.dym")
    if line == "output solved":
        assert "SOLVED EQUATIONS" in ask(session, line)
        return
    with pytest.raises(FreewheelError) as caught:
        ask(session, line)

    assert caught.value.diagnostics[0].code == "U072"


def test_a_dsblock_has_two_forms(session):
    ask(session, "enter model @divider.dym", "language dsblock-c dae")
    dae = ask(session, "output model")
    ode = ask(session, "language dsblock-c", "output model")

    assert "#define IS_IMPLICIT 1" in dae
    assert "#define IS_IMPLICIT 0" in ode


def test_help_tells_every_command(session):
    told = ask(session, "help")

    assert all(f"\n{name} " in f"\n{told} " or f"\n{name}\n" in told for name in COMMANDS)
    assert "SolveLinearSyst" in ask(session, "help set")


def test_an_entered_model_forgets_what_was_said_of_the_one_before(session):
    ask(session, "enter model @parcap.dym", "variable state C1.u", "differentiate")

    assert ask(session, "enter model @divider.dym", "variable") == ""
    assert not session.settings.is_differentiated


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("outpt equations", "U070", "there is no command `outpt`"),
        ("set Elimnate on", "U070", "there is no switch `Elimnate`"),
        ("set Eliminate", "U072", "`set Eliminate` is not of the form `set Eliminate on`"),
        ("output", "U072", "what should be printed?"),
        ("output matrices", "U070", "there is no output `matrices`"),
        ("enter modul", "U072", "`enter modul` is not understood"),
        ("enter model @nothing.dym", "U002", f"cannot read `{EXAMPLES}/nothing.dym`: there is no such"
         " file"),
        ("@nothing.txt", "U002", f"cannot read `{EXAMPLES}/nothing.txt`: No such file or directory"),
        ("language cobol", "U070", "there is no language `cobol`"),
        ("language dsblock pde", "U070", "there is no form `pde`"),
        ("variable state", "U072", "`variable state` names no variable"),
        ("variable state C9.u", "U070", "there is no variable `C9.u`"),
        ("variable known C2.u", "U072", "`variable known C2.u`: it is said of a derivative, such as"
         " `C2.deru`"),
        ("variable state C2.deru", "U072", "`variable state C2.deru`: it is said of no derivative"),
        ("plot y", "U071", "nothing has been simulated yet"),
        ("simulate stop=soon", "U005", "`stop=soon` is not a number"),
        ("simulate 1", "U005", "`simulate 1` is not of the form name=value"),
        ("variable unknown C2.u; variable known C2.deru; simulate", "U073",
         "nothing gives the derivative of C2.u"),
        ("simulate stop=1; print", "U072", "which variables?"),
        ("simulate stop=1; print C9.u", "U030", "there is no variable `C9.u`"),
    ],
)  # fmt: skip
def test_mistakes_are_told_and_change_nothing(line, code, message, session):
    ask(session, "enter model @parcap.dym")

    with pytest.raises(FreewheelError) as caught:
        ask(session, line)

    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == (code, message) or code == "U030" == found.code
    assert ask(session, "output equations").startswith("C1 ")


def test_without_a_model_there_is_nothing_to_put_out(session):
    with pytest.raises(FreewheelError, match="there is no model yet"):
        ask(session, "output equations")


def test_classes_entered_are_known_to_the_models_behind_them(session, tmp_path):
    path = tmp_path / "c.dym"
    path.write_text("model class A\n  local x\n  x = g(1)\nend\n")

    told = ask(session, "function g(h) = 2*h", f"enter model @{path}", "enter model",
               "model M submodel A end", "output equations")  # fmt: skip

    assert told == "-- Classes: g\n-- Classes: A\nA  x = 2"
    assert "model A" in ask(session, "language modelica", "output model")


def test_a_command_ends_a_text_of_classes(session):
    told = ask(session, "enter model", "model class A", "local x", "x = 3", "end", "", "{ no more }",
               "enter model; model M submodel A end; output equations")  # fmt: skip

    assert told == "-- Classes: A\nA  x = 3"


def test_nothing_entered_is_told_at_the_next_command(session):
    with pytest.raises(FreewheelError, match="there is no model in this file"):
        ask(session, "enter model", "output equations")

    assert session.prompt == "> "


def test_transcripts_can_be_given_with_their_prompts(session):
    told = ask(session, "> enter model @divider.dym", "> output equations")

    assert "U0.Vb = Common.V" in told


def test_a_model_needs_no_command_before_it(session):
    assert ask(session, *DECAY.splitlines(), "output equations") == "decay  der(x) = -x"


def test_a_model_and_commands_on_one_line(session):
    told = ask(session, "enter model; model M; local x; x = 1; end; output equations; output eq")

    assert told == "M  x = 1\nM  x = 1"


def test_a_long_text_is_read_in_time_proportional_to_it(session):
    lines = [f"  x{i} = {i}" for i in range(4000)]

    def read() -> None:
        entry = Entry()
        for line in ["model M", *(f"  local x{i}" for i in range(4000)), *lines]:
            entry.add(line)
        assert not entry.is_whole

    assert quickest(read) < 1.0


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ou", ["output", "outfile"]),
        ("output s", ["sorted equations", "solved equations"]),
        ("set Sub", ["SubExpr"]),
        ("set SubExpr o", ["on", "off"]),
        ("variable state C1.u", ["C1.u"]),
        ("language ac", ["acsl"]),
        ("enter model @divi", ["@divider.dym"]),
        ("plot C1.V", ["C1.Va", "C1.Vb"]),
    ],
)
def test_the_tab_key_offers_words(line, offered, session):
    ask(session, "enter model @parcap.dym")

    assert complete(line, session) == offered


def test_commands_of_the_command_line(capsys, monkeypatch):
    monkeypatch.chdir(EXAMPLES)

    assert (
        execute(["dymola", "-c", "enter model @divider.dym", "-c", "output equations; stop"]) == 0
    )
    assert "U0.Vb = Common.V" in capsys.readouterr().out


def test_the_commands_of_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    (tmp_path / "s.txt").write_text("enter model @divider.dym\noutput equations\n")

    assert execute(["dymola", "-c", str(tmp_path / "s.txt")]) == 0
    assert "U0.Vb = Common.V" in capsys.readouterr().out


def test_a_script_stops_at_the_first_mistake(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.dym").write_text(DECAY)
    (tmp_path / "s.txt").write_text(
        "{ a comment }\nenter model\n@d.dym\noutput solved equations\nfly\nhelp\n"
    )

    assert execute(["dymola", "s.txt"]) == 2

    out, err = capsys.readouterr()
    assert out.startswith("SORTED AND SOLVED EQUATIONS\n")
    assert "help [COMMAND]" not in out
    assert "error[U070]: there is no command `fly`" in err


def test_a_script_finds_files_beside_it(tmp_path, capsys):
    (tmp_path / "d.dym").write_text(DECAY)
    (tmp_path / "inner.txt").write_text("enter model @d.dym\n")
    (tmp_path / "s.txt").write_text("@inner.txt\noutput equations\n")

    assert execute(["dymola", str(tmp_path / "s.txt")]) == 0
    assert capsys.readouterr().out == "decay  der(x) = -x\n"


def test_a_script_that_reads_itself_is_stopped(tmp_path, capsys):
    (tmp_path / "s.txt").write_text("@s.txt\n")

    assert execute(["dymola", str(tmp_path / "s.txt")]) == 2
    assert "reads itself, directly or through other files" in capsys.readouterr().err


def test_commands_may_come_through_a_pipe(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("enter model\n" + DECAY + "output equations\n"))

    assert execute(["dymola"]) == 0
    assert capsys.readouterr().out == "decay  der(x) = -x\n"


def test_a_model_that_is_left_open_is_told(capsys):
    assert execute(["dymola", "-c", "enter model\nmodel M\n  local x"]) == 1
    assert "expected `end` of the model `M`" in capsys.readouterr().err


def test_a_mistake_at_the_keyboard_does_not_end_the_session(tmp_path):
    """At a terminal, with a history of its own."""
    main, side = pty.openpty()
    environment = {**os.environ, "HOME": str(tmp_path), "TERM": "dumb"}
    process = subprocess.Popen(
        [sys.executable, "-m", "freewheel", "dymola"],
        stdin=side, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, cwd=EXAMPLES,
    )  # fmt: skip
    os.close(side)
    os.write(main, b"fly\nenter model\n@divider.dym\noutput equations\nstop\n")
    told, _ = process.communicate(timeout=60)
    os.close(main)
    text = told.decode()

    assert process.returncode == 0
    assert "error[U070]: there is no command `fly`" in text
    assert "U0.Vb = Common.V" in text
    assert (tmp_path / ".freewheel_dymola_history").exists()


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where tests run in the background


def test_an_interrupt_forgets_the_model_that_is_typed(tmp_path):
    """Also the end of input; a second one leaves."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "freewheel", "dymola"],
        stdin=side, stdout=side, stderr=side, cwd=EXAMPLES,
        env={**os.environ, "HOME": str(tmp_path), "TERM": "dumb"}, start_new_session=True,
        preexec_fn=_take_terminal,
    )  # fmt: skip
    os.close(side)
    told = b""
    for answer, keys in [
        (b"> ", b"model M\n"), (b"- ", b"\x03"), (b"> ", b"model M\n"), (b"- ", b"\x04"),
        (b"> ", b"enter model @divider.dym; output eq\n"), (b"U0.Vb = Common.V\r\n> ", b"\x04"),
    ]:  # fmt: skip
        heard = b""
        while not heard.endswith(answer) and select.select([main], [], [], 20)[0]:
            heard += os.read(main, 4096)
        told += heard
        sleep(0.5)  # an interrupt between prompt and wait is seen with the next key only
        os.write(main, keys)
    assert process.wait(timeout=60) == 0
    os.close(main)

    assert told.count(b"the model was not entered; `stop` leaves") == 2
