"""The command line: quick help, exit codes, JSON on failure, never a traceback."""

import json
import os
import resource
import subprocess
import sys

import pytest

from freewheel.tools import report
from freewheel.tools.cli import COMMANDS, execute


def run_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "freewheel", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_help_lists_every_command(capsys):
    assert execute(["--help"]) == 0

    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in COMMANDS)


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from freewheel.tools.cli import execute; execute(['--help']);"
        "heavy = {'numpy', 'rich', 'llvmlite', 'freewheel.pipeline'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert done.stdout.splitlines()[-1] == "[]"


def test_help_answers_quickly():
    def once() -> float:
        """CPU seconds of the child: other work on the machine does not count."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run_process("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # The promise is 0.15 s (`make bench`); an import too many costs half a second and more.
    assert min(once() for _ in range(3)) < 0.6


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command, capsys):
    assert execute([command, "--help"]) == 0
    assert "Usage: freewheel " + command in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nonsense"], "U001"),
        (["run"], "U001"),
        (["run", "x.mo", "--stop", "soon"], "U001"),
        (["equations", "x.mo", "--stage", "wrong"], "U001"),
        (["run", "no/such/file.mo"], "U002"),
        (["check", "no/such/folder"], "U002"),
        (["check", "Does.Not.Exist", "--syntax-only"], "U003"),
        (["run", "x.mo", "--param", "R"], "U005"),
        (["run", "x.mo", "--param", "R=1", "--param", "R=2"], "U006"),
        (["explain", "S999"], "U007"),
    ],
)
def test_a_wrong_call_ends_with_two_and_a_code(arguments, code, capsys):
    assert execute(arguments) == 2
    assert f"error[{code}]" in capsys.readouterr().err

    assert execute([*arguments, "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(d["code"], d["stage"], d["severity"]) for d in found] == [(code, "usage", "error")]


def test_our_own_mistakes_are_told_without_a_traceback(capsys, monkeypatch):
    monkeypatch.delenv("FREEWHEEL_DEBUG", raising=False)

    assert report.guarded(lambda: 1 / 0, as_json=False) == 1

    text = capsys.readouterr().err
    assert text.startswith("error[X001]: internal error: ZeroDivisionError")
    assert "Traceback" not in text


def test_debugging_shows_the_traceback(monkeypatch):
    monkeypatch.setenv("FREEWHEEL_DEBUG", "1")

    with pytest.raises(ZeroDivisionError):
        report.guarded(lambda: 1 / 0, as_json=False)


def test_interruption_has_its_own_exit_code(capsys):
    def interrupted():
        raise KeyboardInterrupt

    assert report.guarded(interrupted, as_json=False) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_reader_that_leaves_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m freewheel explain | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_the_version_is_printed(capsys):
    assert execute(["--version"]) == 0
    assert capsys.readouterr().out.startswith("freewheel 0.")
