"""Attacks through files, commands and the environment: docs/safety.md, "What is promised"."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.safety.process import freewheel

import freewheel as fw
from freewheel.tools.cli import execute

FUNCTIONS = """
  impure function write input String text; input String file;
    external "C" ModelicaInternal_print(text, file); end write;
  impure function remove input String file; external "C" ModelicaInternal_removeFile(file); end remove;
  impure function line input String file; input Integer number; output String text; output Boolean ended;
    external "C" text = ModelicaInternal_readLine(file, number, ended); end line;
  impure function length input String file; output Real y; protected String text; Boolean ended;
    algorithm (text, ended) := line(file, 1); y := Modelica.Utilities.Strings.length(text); end length;
  impure function files input String folder; output Integer n;
    external "C" n = ModelicaInternal_getNumberOfFiles(folder); end files;
  impure function command input String text; output Integer status;
    external "C" status = system(text); end command;
  impure function variable input String name; input Boolean slash = true; output String text;
    output Boolean exists; external "C" ModelicaInternal_getenv(name, slash, text, exists); end variable;
  impure function known input String name; output Real y; protected String text; Boolean exists;
    algorithm (text, exists) := variable(name); y := if exists then 1 else 0; end known;
  impure function written input String file; input Real x; output Real y;
    algorithm write("pwned", file); y := x; end written;
  impure function address input String uri; output String name;
    external "C" name = ModelicaInternal_fullPathName(uri); end address;
"""
RUNNING = "  Real y(start = 0, fixed = true); equation when time > 0.5 then {} end when;"

# The same deeds without `impure`: such functions may stand for constants.
TRANSLATED = """
  function write input String text; input String file;
    external "C" ModelicaInternal_print(text, file); end write;
  function print output Integer n; algorithm write("pwned", "victim.txt"); n := 2; end print;
  function matrix input String file; input String name; input Real a[:, :]; input Boolean append;
    input String version; output Boolean done; external "C" done = ModelicaIO_writeRealMatrix(
      file, name, a, size(a, 1), size(a, 2), append, version); end matrix;
  function store output Integer n; protected Boolean done;
    algorithm done := matrix("victim.mat", "A", [1.0, 2.0], false, "4"); n := 2; end store;
  function erase input String file; external "C" ModelicaInternal_removeFile(file); end erase;
  function remove output Integer n; algorithm erase("precious.txt"); n := 2; end remove;
  function system input String text; output Integer status; external "C" status = system(text);
    end system;
  function command output Integer n; algorithm n := 2 + system("touch victim.txt"); end command;
"""


class Place:
    """A working folder, a folder of models, and one that belongs to neither."""

    def __init__(self, root: Path) -> None:
        self.work, self.models, self.other = root / "work", root / "models", root / "other"
        for folder in (self.work, self.models, self.other):
            folder.mkdir()
        (self.other / "secret.txt").write_text("secret\n")
        (self.work / "precious.txt").write_text("mine\n")

    def model(self, text: str, functions: str = FUNCTIONS) -> str:
        path = self.models / "M.mo"
        path.write_text(f"model M{functions}{text}\nend M;\n")
        return str(path)

    def event(self, action: str) -> str:
        return self.model(RUNNING.format(action))

    def everything(self) -> list[str]:
        root = self.work.parent
        return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path)
    monkeypatch.chdir(made.work)
    return made


# ---------------------------------------------------------------- nothing that only looks writes

USES = {
    "constant": "constant Integer n = {}(); Real x[n] = fill(time, n);",
    "size": "Real x[{}()] = fill(time, 2);",
    "condition": "Real x if {}() == 2; Real z = time;",
    "loop": "Real x[2]; equation for i in 1:{}() loop x[i] = time; end for;",
}


@pytest.mark.parametrize("deed", ["print", "store", "remove", "command"])
@pytest.mark.parametrize("use", USES)
def test_checking_changes_nothing(
    place: Place, deed: str, use: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = place.model(USES[use].format(deed), TRANSLATED)
    before = place.everything()
    words = ["--allow", "files", "--allow", "commands"] if use == "constant" else []
    assert execute(["check", target, *words]) == 1
    assert "U100" in capsys.readouterr().err
    assert place.everything() == before


@pytest.mark.parametrize("command", ["flatten", "equations", "blocks", "explain", "run"])
def test_no_command_translates_with_effects(
    place: Place, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = place.model(USES["constant"].format("print"), TRANSLATED)
    before = place.everything()
    status = execute([command, target])
    told = capsys.readouterr()
    assert "U100" in told.err + told.out
    assert status == 1
    assert place.everything() == before


def test_messages_wait_for_the_run(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'function say output Integer n; algorithm write("psst", ""); n := 2; end say;'
    target = place.model(f"{text} {USES['constant'].format('say')}", TRANSLATED)
    assert execute(["check", target]) == 0
    assert "psst" not in capsys.readouterr().err


def test_parameters_with_effects_are_left_to_the_run(place: Place) -> None:
    target = place.model('parameter Real p = written("log.txt", 2); Real x = p * time;')
    assert execute(["check", target]) == 0
    assert not (place.work / "log.txt").exists()
    assert execute(["run", target]) == 0
    assert (place.work / "log.txt").read_text() == "pwned\n"


def test_data_are_not_read_elsewhere(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    functions = FUNCTIONS.replace("impure ", "")
    file = place.other / "secret.txt"
    target = place.model(f'constant Real n = length("{file}"); Real x = n * time;', functions)
    assert execute(["check", target]) == 1
    assert "U101" in capsys.readouterr().err
    assert execute(["check", target, "--allow", "files"]) == 0


# ---------------------------------------------------------------- a run stays in its folders


def names(place: Place) -> dict[str, str]:
    (place.work / "link").symlink_to(place.other)
    (place.work / "file").symlink_to(place.other / "secret.txt")
    os.link(place.other / "secret.txt", place.work / "second.txt")
    os.mkfifo(place.work / "pipe")
    (place.work / ".git").mkdir()
    return {
        "absolute": f"{place.other}/new.txt",
        "upwards": "../other/new.txt",
        "winding": "a/../../other/new.txt",
        "through a link": "link/new.txt",
        "onto a link": "file",
        "hard link": "second.txt",
        "hidden": ".bashrc",
        "in a hidden folder": ".git/config",
        "pipe": "pipe",
        "device": "/dev/null",
        "model's folder": str(place.models / "M.mo"),
    }


WAYS = ("absolute", "upwards", "winding", "through a link", "onto a link", "hard link", "hidden")
WAYS += ("in a hidden folder", "pipe", "device", "model's folder")


@pytest.mark.parametrize("verb", ["write", "remove"])
@pytest.mark.parametrize("way", WAYS)
def test_a_run_changes_nothing_elsewhere(
    place: Place, verb: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = names(place)[way]
    call = f'write("pwned", "{name}");' if verb == "write" else f'remove("{name}");'
    target = place.event(f"{call} y = 1;")
    before, secret = place.everything(), (place.other / "secret.txt").read_text()
    assert execute(["run", target, "--backend", "python"]) == 3
    assert "R160" in capsys.readouterr().err
    assert place.everything() == before
    assert (place.other / "secret.txt").read_text() == secret


@pytest.mark.parametrize("name", ["~/x.txt", "$HOME/x.txt", "file:///tmp/x.txt", "a\0b"])
def test_no_name_is_expanded(place: Place, name: str) -> None:
    """There is no such folder in the working folder, so that nothing can be written."""
    target = place.event(f'write("pwned", "{name}"); y = 1;')
    before = place.everything()
    assert execute(["run", target, "--backend", "python"]) == 3
    assert place.everything() == before


@pytest.mark.parametrize(
    "where",
    [
        'der(y) = written("{}", 1.0);',
        'y = 1; initial algorithm write("pwned", "{}");',
        'y = written("{}", 1.0);',
    ],
    ids=["derivative", "start", "output"],
)
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_refusals_are_final_wherever_they_happen(
    place: Place, where: str, backend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = place.other / "new.txt"
    target = place.model(f"Real y; equation {where.format(file)}")
    assert execute(["run", target, "--backend", backend]) == 3
    assert "R160" in capsys.readouterr().err
    assert not file.exists()


def test_a_run_reads_only_in_its_folders(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    (place.models / "data.txt").write_text("12345\n")
    (place.models / "link.txt").symlink_to(place.other / "secret.txt")
    good = place.event(f'y = length("{place.models}/data.txt");')
    assert execute(["run", good]) == 0
    for name in (f"{place.other}/secret.txt", f"{place.models}/link.txt", "precious.txt"):
        assert execute(["run", place.event(f'y = length("{name}");')]) == 3
        assert "R160" in capsys.readouterr().err
    address = f'length(address("file://{place.other}/secret.txt"))'
    assert execute(["run", place.event(f"y = {address};")]) == 3
    assert execute(["run", place.event(f'y = files("{place.other}");')]) == 3


def test_what_a_run_has_written_it_may_read(place: Place) -> None:
    text = """impure function both input String file; output Real y;
      algorithm write("hello", file); y := length(file); end both;"""
    target = place.model(text + RUNNING.format('y = both("own.txt");'))
    assert fw.load(target).simulate()["y"][-1] == 5


def test_files_may_be_allowed(place: Place) -> None:
    target = place.event(f'write("hello", "{place.other}/new.txt"); y = 1;')
    with pytest.raises(fw.SimulationError):
        fw.load(target).simulate()
    fw.load(target).simulate(allow=["files"])
    assert (place.other / "new.txt").read_text() == "hello\n"
    with pytest.raises(fw.SimulationError):  # what was allowed once is not allowed for ever
        fw.load(target).simulate()


def test_commands_need_their_word(place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    target = place.event('y = command("touch made.txt");')
    assert execute(["run", target, "--allow", "files"]) == 3
    assert "`--allow commands`" in capfd.readouterr().err
    assert not (place.work / "made.txt").exists()
    assert execute(["run", target, "--allow", "commands"]) == 0
    assert (place.work / "made.txt").exists()


def test_the_environment_needs_its_word(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    target = place.event('y = known("PATH");')
    assert execute(["run", target]) == 3
    assert "`--allow external`" in capsys.readouterr().err
    assert fw.load(target).simulate(allow=["external"])["y"][-1] == 1


def test_unknown_words_are_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(fw.UsageError) as caught:
        fw.load(place.event("y = 1;")).simulate(allow=["everything"])
    (told,) = caught.value.diagnostics
    assert (told.code, told.message) == (
        "U102",
        "`everything` cannot be allowed: there is no such word",
    )
    assert told.help == "the words are `files`, `commands`, `external`"
    assert execute(["run", place.event("y = 1;"), "--allow", "everything"]) == 2


def test_foreign_libraries_are_not_loaded(place: Place) -> None:
    text = """function f input Real x; output Real y;
      external "C" y = puts(x) annotation(Library = "c"); end f; Real y = f(time);"""
    assert execute(["run", place.model(text)]) in (1, 3)


def test_a_model_name_is_no_path(place: Place) -> None:
    path = place.models / "M.mo"
    path.write_text("model 'x/../../other/evil' Real x = time; end 'x/../../other/evil';")
    assert execute(["run", str(path), "--plot", "x"]) == 0
    assert not list(place.other.glob("evil*"))
    assert list(place.work.glob("*.png"))


# ---------------------------------------------------------------- ways around


def test_what_is_appended_to_does_not_become_readable(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """impure function both input String file; output Real y;
      algorithm write("", file); y := length(file); end both;"""
    target = place.model(text + RUNNING.format('y = both("precious.txt");'))
    assert execute(["run", target]) == 3
    assert "may not read `precious.txt`" in capsys.readouterr().err


def test_a_file_removed_and_made_anew_is_read(place: Place) -> None:
    text = """impure function both input String file; output Real y;
      algorithm remove(file); write("hello", file); y := length(file); end both;"""
    target = place.model(text + RUNNING.format('y = both("precious.txt");'))
    assert fw.load(target).simulate()["y"][-1] == 5


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize(
    "text",
    [
        "Real z; equation\n  z = length(HERE);",
        "equation\n  when time > 0.5 then write(TEXT, HERE); end when;",
        "Real y(start = 0, fixed = true); equation\n  when time > 0.5 then y = length(HERE); end when;",
        "initial algorithm\n  write(TEXT, HERE);",
    ],
    ids=["equation", "effect", "event", "start"],
)
def test_what_is_refused_has_a_place(
    place: Place, backend: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    written = text.replace("HERE", '"../other/secret.txt"').replace("TEXT", '"pwned"')
    target = place.model(written)
    assert execute(["run", target, "--backend", backend]) == 3
    told = capsys.readouterr().err
    assert "error[R160]: the model may not" in told
    line = next(
        n for n, row in enumerate(Path(target).read_text().split("\n"), 1) if "../other" in row
    )
    assert f"M.mo:{line}:" in told
    assert "`$" not in told


@pytest.mark.parametrize("name", ["/dev/zero", "pipe"])
def test_pipes_and_devices_are_not_read_with_permission_either(
    place: Place, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(place.work / "pipe")
    target = place.event(f'y = length("{name}");')
    assert execute(["run", target, "--allow", "files"]) == 3
    told = capsys.readouterr().err
    assert "no regular file" in told
    assert "pipes and devices are never read" in told
    assert "--allow" not in told


@pytest.mark.parametrize("command", ["compare", "devs"])
@pytest.mark.parametrize("words", [[], ["--allow", "files"]], ids=["plain", "allowed"])
def test_commands_that_run_to_look_change_nothing(
    place: Place, command: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    functions = FUNCTIONS.replace("impure ", "")
    target = place.model(
        """ parameter Real p = written("log.txt", 2); Modelica.Electrical.Analog.Basic.Capacitor c(C = p, v(
        start = 1, fixed = true)); Modelica.Electrical.Analog.Basic.Resistor r(R = 1);
        Modelica.Electrical.Analog.Ideal.IdealDiode d(Ron = 0, Goff = 0, Vknee = 0);
        Modelica.Electrical.Analog.Basic.Ground g; equation connect(c.p, d.p); connect(d.n, r.p);
        connect(r.n, c.n); connect(c.n, g.p);""",
        functions,
    )
    before = place.everything()
    assert execute([command, target, *words]) != 0
    assert place.everything() == before
    told = capsys.readouterr().err
    assert "X001" not in told
    assert command == "devs" or "this command only looks" in told


def test_a_script_writes_where_a_run_may(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    script = place.models / "script.txt"
    for name in (place.other / "new.txt", "../other/new.txt", ".bashrc", "/dev/null"):
        script.write_text(f"outfile {name}\nset\n")
        assert execute(["dymola", str(script)]) == 3
        assert "R160" in capsys.readouterr().err
    assert not (place.other / "new.txt").exists()
    assert execute(["dymola", str(script), "--allow", "files"]) == 0
    script.write_text("outfile new.txt\nset\n")
    assert execute(["dymola", str(script)]) == 0
    assert (place.work / "new.txt").exists()
    assert execute(["dymola", "-c", f"outfile {place.other}/typed.txt; set"]) == 0


def test_a_picture_of_a_script_stays_in_its_folder(place: Place) -> None:
    (place.models / "m.dym").write_text("model m\n local x\n der(x) = -x\nend\n")
    script = place.models / "script.txt"
    script.write_text(f"enter model @m.dym\nsimulate stop=1\nplot x {place.other}/x.png\n")
    assert execute(["dymola", str(script)]) == 3
    assert not (place.other / "x.png").exists()


def test_a_file_beside_a_package_opens_no_folder(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--library home/P` lets classes of `home/Q.mo` be found, but not all of `home` be read."""
    (place.other / "P").mkdir()
    (place.other / "P" / "package.mo").write_text("package P constant Real one = 1; end P;")
    (place.other / "P" / "data.txt").write_text("abc\n")
    (place.other / "Q.mo").write_text("package Q constant Real two = 2; end Q;")
    library = ["--library", str(place.other / "P")]
    inside = place.event(f'y = P.one*Q.two*length("{place.other}/P/data.txt");')
    assert execute(["run", inside, *library]) == 0
    beside = place.event(f'y = P.one*Q.two*length("{place.other}/secret.txt");')
    assert execute(["run", beside, *library]) == 3
    assert "R160" in capsys.readouterr().err


ADDRESSES = {
    "modelica": "modelica://M/../other/secret.txt",
    "other package": "modelica://Modelica/../../../../../../../../etc/passwd",
    "file": "file://{other}/secret.txt",
    "FILE": "FiLe://{other}/secret.txt",
    "winding file": "file://{models}/../other/secret.txt",
    "environment of the process": "file:///proc/self/environ",
    "memory": "/proc/self/mem",
    "root of the process": "/proc/self/root/etc/passwd",
    "open file": "/dev/fd/0",
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_addresses_lead_nowhere_else(
    place: Place, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = ADDRESSES[name].format(other=place.other, models=place.models)
    target = place.event(f'y = length(address("{uri}"));')
    assert execute(["run", target, "--backend", "python"]) == 3
    assert "R160" in capsys.readouterr().err


UNAVAILABLE = {
    "mkdir": 'f("folder")',
    "rename": 'f("precious.txt", "other.txt")',
    "copyFile": 'f("precious.txt", "other.txt")',
    "rmdir": 'f("folder")',
    "chdir": 'f("..")',
    "setenv": 'f("PATH", "x")',
    "exit": 'f("0")',
}


@pytest.mark.parametrize("name", UNAVAILABLE)
def test_what_is_not_there_cannot_be_allowed(place: Place, name: str) -> None:
    inputs = "input String a;" + (" input String b;" if "," in UNAVAILABLE[name] else "")
    arguments = "a, b" if "," in UNAVAILABLE[name] else "a"
    text = f"""impure function f {inputs} output Integer n;
      external "C" n = ModelicaInternal_{name}({arguments}); end f;"""
    target = place.model(text + RUNNING.format(f"y = {UNAVAILABLE[name]};"))
    before = place.everything()
    words = [word for one in ("files", "commands", "external") for word in ("--allow", one)]
    assert execute(["run", target, *words]) == 3
    assert place.everything() == before


FOREIGN = (
    'annotation(Include = "#include <evil.h>")',
    'annotation(Library = "evil", LibraryDirectory = "file:///tmp")',
    'annotation(Include = "int f() { return 0; }", IncludeDirectory = "modelica://M/../..")',
)


@pytest.mark.parametrize("annotation", FOREIGN)
def test_c_code_of_a_model_is_not_looked_at(
    place: Place, annotation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"""class Object extends ExternalObject;
      function constructor input String s; output Object o; external "C" o = make(s) {annotation};
      end constructor;
      function destructor input Object o; external "C" erase(o) {annotation}; end destructor;
      end Object; Object object = Object("x"); Real y = time;"""
    target = place.model(text)
    before = place.everything()
    assert execute(["run", target, "--allow", "external"]) == 3
    assert "`make`, which is not available" in capsys.readouterr().err
    assert place.everything() == before


def test_results_are_those_of_the_program(place: Place) -> None:
    """What the model puts into the file of the results is replaced."""
    target = place.event('write("evil", "r.csv"); y = 1;')
    assert execute(["run", target, "--out", "r.csv"]) == 0
    assert "evil" not in (place.work / "r.csv").read_text()


def test_plots_start_no_program(place: Place) -> None:
    """A `matplotlibrc` in the working folder may ask for TeX."""
    (place.work / "matplotlibrc").write_text("text.usetex: True\n")
    done = freewheel("run", place.event("y = 1;"), "--plot", "y", cwd=place.work)
    assert done.returncode == 0, done.stderr
    assert (place.work / "M.png").exists()


# ---------------------------------------------------------------- threads


def test_permissions_belong_to_a_call_in_every_thread(place: Place) -> None:
    (place.models / "data.txt").write_text("12345\n")
    reading = fw.load(place.event(f'y = length("{place.models}/data.txt");'))
    writing = fw.load(place.event(f'write("hello", "{place.other}/new.txt"); y = 1;'))

    def refused() -> bool:
        try:
            writing.simulate()
        except fw.SimulationError as failure:
            return failure.diagnostics[0].code == "R160"
        return False

    with ThreadPoolExecutor(2) as pool:
        allowed = pool.submit(writing.simulate, allow=["files"])
        answers = [pool.submit(refused) for _ in range(4)]
        assert all(answer.result() for answer in answers)
        assert allowed.result()["y"][-1] == 1
        assert pool.submit(reading.simulate).result()["y"][-1] == 5
        assert pool.submit(reading.check).result().unknowns == 1


def test_calls_leave_signals_and_limits_alone(place: Place) -> None:
    before = signal.getsignal(signal.SIGINT), sys.getrecursionlimit(), threading.active_count()
    assert execute(["run", place.event("y = 1;"), "--max-seconds", "100"]) == 0
    fw.load(place.event("y = 1;")).simulate()
    after = signal.getsignal(signal.SIGINT), sys.getrecursionlimit(), threading.active_count()
    assert before == after
