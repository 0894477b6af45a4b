"""Attacks on memory, time and patience: everything ends, with words."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.safety.bombs import BOMBS
from tests.safety.process import freewheel

from freewheel.base import kept
from freewheel.base.limits import sized
from freewheel.instance.places import Place
from freewheel.tools.cli import execute
from freewheel.tools.report import guarded

SECONDS, MEGABYTES = 2.0, 500.0  # of the processor and of memory, for any of these models
BUSY = 4.0  # times as much at most on a machine that does other things
GOOD = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;"
STUCK = """model M function f input Real x; output Real y; algorithm y := x;
  for i in 1:1000000 loop for j in 1:1000000 loop y := y + sin(y); end for; end for; end f;
  Real x(start = 1, fixed = true); equation der(x) = -f(x); end M;"""


def model(folder: Path, text: str) -> str:
    path = folder / "M.mo"
    path.write_text(text)
    return str(path)


# ---------------------------------------------------------------- size


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    began = time.process_time()
    assert execute(["check", model(tmp_path, BOMBS[name])]) == 1
    assert "U111" in capsys.readouterr().err
    assert time.process_time() - began < BUSY * SECONDS


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_little_memory(name: str, tmp_path: Path) -> None:
    code = "import resource, sys; from freewheel.tools.cli import execute; execute(sys.argv[1:]);"
    code += "u = resource.getrusage(resource.RUSAGE_SELF);"
    # Not `u.ru_maxrss`, which a process has from the one that made it.
    code += "s = dict(line.split(':') for line in open('/proc/self/status'));"
    code += "print(u.ru_utime + u.ru_stime, int(s['VmHWM'].split()[0]) / 1024)"
    words = [sys.executable, "-c", code, "check", model(tmp_path, BOMBS[name])]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    seconds, megabytes = map(float, done.stdout.splitlines()[-1].split())
    assert seconds < SECONDS
    assert megabytes < MEGABYTES


def test_the_limit_can_be_moved(tmp_path: Path) -> None:
    target = model(tmp_path, "model M Real x[200] = fill(time, 200); end M;")
    assert execute(["check", target]) == 0
    assert execute(["check", target, "--max-size", "100"]) == 1
    assert execute(["check", target]) == 0


def test_an_uneven_model_is_no_bomb(tmp_path: Path) -> None:
    """The large part comes first and lies deep: an early estimate is far too high."""
    text = """model M
      model Leaf Real x = time; end Leaf;
      model Large Leaf a[1500]; Leaf b, c, d, e, f, g; end Large;
      model Deep Large a; Leaf b, c, d, e, f, g, h; end Deep;
      model Deeper Deep a; Leaf b, c, d, e, f, g, h; end Deeper;
      Deeper a; Leaf b, c, d, e, f, g, h; end M;"""
    with sized(20_000):
        assert execute(["flatten", model(tmp_path, text)]) == 0


FUNCTIONS = {
    "endless loop": (
        "while true loop y := y + 1; if y > 9 then y := 0; end if; end while;",
        "N902",
    ),
    "recursion": ("y := f(n + 1);", "N901"),
    "strings": ("", "N911"),
    "array": ("y := sum(fill(1, 100000, 100000));", "N911"),
    "range": ("y := sum(1:1000000000);", "N911"),
    "rounds": ("y := sum(i * j for i in 1:100000, j in 1:100000);", "N911"),
    "arrays in a loop": (
        "a := fill(0, 100000); for i in 1:10000 loop a := a + a; end for;",
        "N902",
    ),
    "sums in a loop": ("a := fill(0, 100000); for i in 1:10000 loop y := sum(a); end for;", "N902"),
    "elements in a loop": (
        "a := fill(0, 100000); for i in 1:100000 loop a[i] := i; end for;",
        "N902",
    ),
    "slices in a loop": (
        "a := fill(0, 100000); for i in 1:10000 loop a[2:90000] := a[1:89999]; end for;",
        "N902",
    ),
    "product": ("y := sum(fill(1, 1000, 1000) * fill(1, 1000, 1000));", "N911"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_end_at_translation(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, code = FUNCTIONS[name]
    local = "protected Integer a[100000];" if "a :=" in body or "a[" in body else ""
    function = (
        f"function f input Integer n; output Integer y; {local} algorithm y := 0; {body} end f;"
    )
    text = f"model M {function} constant Integer n = f(1); Real x[n] = fill(1, n); end M;"
    if name == "strings":
        doubled = "".join(f"constant String s{i} = s{i - 1} + s{i - 1};" for i in range(1, 40))
        text = f'model M constant String s0 = "xxxxxxxxxx"; {doubled} Real x = time; end M;'
    assert execute(["check", model(tmp_path, text)]) == 1
    assert code in capsys.readouterr().err


def test_inlined_functions_do_not_double_for_ever(tmp_path: Path) -> None:
    chain = "".join(
        f"function f{i} input Real x; output Real y; algorithm y := f{i - 1}(x) + f{i - 1}({i} * x);"
        f" annotation(Inline = true); end f{i};"
        for i in range(1, 40)
    )
    first = "function f0 input Real x; output Real y; algorithm y := x * x; end f0;"
    began = time.process_time()
    assert (
        execute(["check", model(tmp_path, f"model M {first} {chain} Real z = f39(time); end M;")])
        == 0
    )
    assert time.process_time() - began < 20.0


RUNS = {
    "texts that double": (
        'function f output String s; algorithm s := "x"; for i in 1:60 loop s := s + s; end for; end f;'
        " Real x = time; equation assert(x < 0.5, f());",
        "R126",
    ),
    "a long text": (
        "Real x = time; equation assert(x < 0.5, String(x, minimumLength = 1000000000));",
        "R126",
    ),
    "a local array": (
        "function f input Real n; output Real y; protected Real a[integer(n)];"
        " algorithm a := fill(1, integer(n)); y := sum(a); end f; Real x = f(1e9 * time);",
        "R126",
    ),
    "points": ("Real x = time; annotation(experiment(StopTime = 1e9, Interval = 1e-9));", "U023"),
    "tolerance": ("Real x = time; annotation(experiment(Tolerance = 1e-300));", "U022"),
    "samples": (
        "discrete Real x; equation when sample(0, 1e-12) then x = time; end when;",
        "R011",
    ),
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_runs_do_not_grow_without_end(
    name: str, backend: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, code = RUNS[name]
    target = model(tmp_path, f"model M {body} end M;")
    assert execute(["run", target, "--backend", backend]) in (2, 3)
    assert f"[{code}]" in capsys.readouterr().err


# ---------------------------------------------------------------- memory, time, Ctrl-C


def test_time_has_a_limit(tmp_path: Path) -> None:
    done = freewheel("run", model(tmp_path, STUCK), "--max-seconds", "3", cwd=tmp_path)
    assert done.returncode == 3
    assert "error[R161]: stopped after 3 s" in done.stderr


def test_memory_has_a_limit(tmp_path: Path) -> None:
    names = ", ".join(f"x{i}" for i in range(60_000))
    target = model(tmp_path, f"model M Real {names}; equation x0 = time; end M;")
    done = freewheel("check", target, "--max-memory", "60")
    assert done.returncode == 1
    assert "R162" in done.stderr
    assert "X001" not in done.stderr


def test_lack_of_memory_is_no_internal_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    for place, code, status in (
        ("freewheel.flat.flatten._Flattener.run", "U112", 1),
        ("freewheel.runtime.simulate.Simulation.run", "R162", 3),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(place, no_memory)
            patch.setenv("FREEWHEEL_CACHE", "off")
            assert execute(["run", model(tmp_path, GOOD)]) == status
        assert code in capsys.readouterr().err


def stopped(arguments: list[str], folder: Path, wait: float) -> tuple[float, int, str]:
    """Seconds from Ctrl-C to the end, exit code and what was said."""
    with subprocess.Popen(
        [sys.executable, "-m", "freewheel", *arguments],
        cwd=folder,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        time.sleep(wait)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[1]
        return time.monotonic() - began, process.returncode, told


def test_ctrl_c_ends_machine_code(tmp_path: Path) -> None:
    """One evaluation of the model would take hours. A busy machine adds to the half second."""
    seconds, status, told = stopped(["run", model(tmp_path, STUCK)], tmp_path, 4.0)
    assert status == 130, told
    assert "Traceback" not in told
    assert seconds < 3.0


@pytest.mark.long
@pytest.mark.parametrize("wait", [0.7, 1.5, 3.0, 5.0])
def test_ctrl_c_ends_the_parser_and_what_follows(tmp_path: Path, wait: float) -> None:
    classes = "".join(f"model M{i} Real x = {i} * sin(time); end M{i};\n" for i in range(60_000))
    target = model(tmp_path, f"package M {classes} end M;")
    seconds, status, told = stopped(["check", target], tmp_path, wait)
    assert status == 130, told
    assert "Traceback" not in told
    assert seconds < 3.0


# ---------------------------------------------------------------- files that are none, homes, locales


@pytest.mark.parametrize("kind", ["pipe", "device", "directory", "link to a device"])
def test_only_files_are_models(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "M.mo"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "link to a device":
        path.symlink_to("/dev/zero")
    else:
        path = Path("/dev/zero")
    assert execute(["check", str(path)]) in ((0, 2) if kind == "directory" else (2,))
    assert "X001" not in capsys.readouterr().err


def test_pipes_in_packages_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = tmp_path / "P"
    package.mkdir()
    (package / "package.mo").write_text("package P end P;")
    os.mkfifo(package / "A.mo")
    os.mkfifo(package / "package.order")
    assert execute(["check", str(package)]) == 1
    assert "no regular file" in capsys.readouterr().err


def test_directories_that_link_to_themselves_are_walked_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model(tmp_path, GOOD)
    (tmp_path / "a").symlink_to(".")
    (tmp_path / "b").symlink_to(".")
    assert execute(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("M: ") == 1


ENVIRONMENTS = {
    "no home": {},
    "empty home": {"HOME": ""},
    "no such home": {"HOME": "/nonexistent/home"},
    "home is a file": {"HOME": "/etc/hostname"},
    "ASCII": {"HOME": "/nonexistent", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "ASCII streams": {"HOME": "/nonexistent", "PYTHONIOENCODING": "ascii:strict"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_strange_homes_and_locales(name: str, tmp_path: Path) -> None:
    text = """model M "größe →" Real 'x→' = time; equation
      assert(time < 2, "größe", AssertionLevel.warning); annotation(experiment(StopTime = 3)); end M;"""
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    target = model(tmp_path, text)
    done = freewheel(
        "run", target, "--out", "r.csv", env={**kept, **ENVIRONMENTS[name]}, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "X001" not in done.stderr


def test_an_unreadable_home_is_no_internal_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a user who may not look there: the superuser may look everywhere."""

    def refused(path: str) -> os.stat_result:
        raise PermissionError(13, "Permission denied", str(path))

    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("FREEWHEEL_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "mkdir", lambda self, *_, **__: refused(str(self)))
    assert execute(["run", model(tmp_path, GOOD)]) == 0
    assert "X001" not in capsys.readouterr().err


STREAMS = {
    "no stdout": (">&-", 0),
    "no stdin": ("<&-", 0),
    "nothing": ("<&- >&- 2>&-", 0),
    "full disk": (">/dev/full", 2),
    "full disk for messages": ("2>/dev/full", 0),
    "full disk for all": (">/dev/full 2>/dev/full", 2),
    "a reader that has left": ("| true", 141),
}


@pytest.mark.parametrize("name", STREAMS)
def test_streams_that_are_none(name: str, tmp_path: Path) -> None:
    redirection, code = STREAMS[name]
    target = model(tmp_path, GOOD)
    command = f"{sys.executable} -m freewheel flatten {target} {redirection}"
    words = ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.split()[-1] == str(code), done.stderr
    assert "X001" not in done.stderr
    assert "Traceback" not in done.stderr


def test_what_cannot_be_loaded_is_no_internal_error(capsys: pytest.CaptureFixture[str]) -> None:
    """`ulimit -v` refuses libraries; other packages say so in a page of advice."""

    def load() -> None:
        try:
            raise ImportError("libblas.so: failed to map segment")
        except ImportError as reason:
            raise ImportError("IMPORTANT: please read this " * 100) from reason

    assert guarded(load, as_json=False) == 2
    told = capsys.readouterr().err
    assert "error[U113]" in told
    assert "failed to map segment" in told
    assert "IMPORTANT" not in told


def test_a_command_that_is_done_stays_done(tmp_path: Path) -> None:
    """The watch neither stops nor delays what has succeeded."""
    code = """import sys, time
from freewheel.tools import watch
from freewheel.tools.cli import execute
watch.begin(lambda reason: 3)
watch.limit(seconds=float(sys.argv[2]))
status = execute(["check", sys.argv[1]])
watch.end()
time.sleep(max(0.0, watch._watches[0].deadline - time.monotonic()) + 0.5)
sys.exit(status)"""
    words = [sys.executable, "-c", code, model(tmp_path, GOOD), "10"]
    assert subprocess.run(words, check=False, timeout=120).returncode == 0


# ---------------------------------------------------------------- folders


def test_packages_that_link_to_themselves_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three links in one folder would be 3**40 packages."""
    package = tmp_path / "P"
    package.mkdir()
    (package / "package.mo").write_text("package P end P; package Q end Q; package R end R;")
    for name in "PQR":
        (package / name).symlink_to(".")
    assert execute(["check", str(package)]) == 0
    assert execute(["check", "P", "--library", str(tmp_path)]) in (0, 1)
    assert "X001" not in capsys.readouterr().err


FOLDERS = {
    "Foo-bar": (b"package X end X;", 0, ""),
    "a b": (b"package X end X;", 1, "N921"),
    "'q r'": (b"package X end X;", 1, "N921"),
    "Empty": (b"", 1, "S010"),
    "Garbage": (bytes(range(256)), 1, "S"),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_folders_with_odd_names(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, status, code = FOLDERS[name]
    folder = tmp_path / name
    folder.mkdir()
    (folder / "package.mo").write_bytes(content)
    assert execute(["check", str(folder)]) == status
    told = capsys.readouterr().err
    assert f"[{code}" in told if code else not told


@pytest.mark.parametrize("kind", ["directory", "pipe", "link to itself", "socket"])
def test_a_package_file_is_a_file(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "P"
    folder.mkdir()
    file = folder / "package.mo"
    if kind == "directory":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "socket":
        os.mknod(file, stat.S_IFSOCK | 0o600)
    else:
        file.symlink_to(file)
    assert execute(["check", str(folder)]) in (1, 2)
    assert execute(["library", "list", "--library", str(tmp_path)]) == 0
    assert "X001" not in capsys.readouterr().err


def test_a_folder_that_may_not_be_seen_holds_no_library(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `lost+found` beside libraries; the superuser may look everywhere, so the system is asked for it."""

    def refused(self: Path, *_: object, **__: object) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    (tmp_path / "locked").mkdir()
    for question in ("is_file", "is_dir", "exists"):
        monkeypatch.setattr(Path, question, refused)
    place = Place(tmp_path, "library")
    assert place.all() == ()
    assert not place.is_package


# ---------------------------------------------------------------- what is kept


def test_a_cache_that_came_with_the_models_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a relative path the cache would lie in the working folder."""
    monkeypatch.setattr(kept, "_refused", [])  # told once more at the end of every command
    monkeypatch.chdir(tmp_path)
    for variables in ({"HOME": "."}, {"HOME": "home", "XDG_CACHE_HOME": "cache"}):
        with monkeypatch.context() as patch:
            patch.delenv("FREEWHEEL_CACHE", raising=False)
            patch.delenv("XDG_CACHE_HOME", raising=False)
            for name, value in variables.items():
                patch.setenv(name, value)
            assert kept.cache_root() is None
    monkeypatch.setenv("FREEWHEEL_CACHE", "cache")
    assert kept.cache_root() is None
    told = kept.refusal()
    assert told is not None
    assert "relative path" in told.message
    assert list(tmp_path.iterdir()) == []


def owned_by_another(place: Path) -> Callable[[Any], os.stat_result]:
    plain = os.lstat

    def asked(path: Any) -> os.stat_result:
        found = list(plain(path))
        if Path(path) == place:
            found[stat.ST_UID] += 1
        return os.stat_result(found)

    return asked


def test_a_link_of_somebody_else_leads_to_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/tmp/cache`, a link by another user into my home."""
    monkeypatch.setattr(kept, "_refused", [])  # told once more at the end of every command
    (tmp_path / "home").mkdir(mode=0o700)
    link = tmp_path / "cache"
    link.symlink_to(tmp_path / "home")
    monkeypatch.setattr(os, "lstat", owned_by_another(link))
    monkeypatch.setenv("FREEWHEEL_CACHE", str(link))
    assert kept.cache_root() is None
    assert list((tmp_path / "home").iterdir()) == []


def test_an_entry_under_another_name_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path / "cache"))
    assert kept.cache_root() is not None
    data = kept.sealed("one", b"code")
    assert kept.unsealed("one", data) == b"code"
    for name, content in (("two", data), ("one", data[:-1]), ("one", data[:20]), ("one", b"")):
        assert kept.unsealed(name, content) is None


def test_code_of_others_is_not_executed(tmp_path: Path) -> None:
    """A second run with the same cache, after somebody has exchanged every file in it."""
    folder = tmp_path / "cache"
    env = {**os.environ, "FREEWHEEL_CACHE": str(folder)}
    target = model(tmp_path, GOOD)
    assert freewheel("run", target, "--out", "a.csv", env=env, cwd=tmp_path).returncode == 0
    for entry in folder.rglob("*"):
        if entry.is_file() and entry.name != "key":
            data = entry.read_bytes()
            entry.write_bytes(data[:32] + bytes(reversed(data[32:])))
    done = freewheel("run", target, "--out", "b.csv", env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_cache_that_others_may_write_is_told_and_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    env = {**os.environ, "FREEWHEEL_CACHE": str(folder)}
    done = freewheel("check", model(tmp_path, GOOD + " " * 2000), env=env)
    assert done.returncode == 0
    assert "warning[U110]" in done.stderr
    assert list(folder.iterdir()) == []


def test_pipes_in_the_cache_are_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    env = {**os.environ, "FREEWHEEL_CACHE": str(folder)}
    target = model(tmp_path, GOOD)
    assert freewheel("run", target, env=env, cwd=tmp_path).returncode == 0
    for entry in [e for e in folder.rglob("*") if e.is_file() and e.name != "key"]:
        entry.unlink()
        os.mkfifo(entry)
    assert freewheel("run", target, env=env, cwd=tmp_path).returncode == 0


def test_names_of_files_need_be_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path / "cache"))
    place = tmp_path / os.fsdecode(b"odd \xff.mo")
    place.write_text(GOOD)
    result = tmp_path / os.fsdecode(b"r \xff.csv")
    assert execute(["run", str(place), "--out", str(result)]) == 0
    assert result.exists()
    assert "X001" not in capsys.readouterr().err


def _chain_of(levels: int, step: str) -> str:
    first = "model A0 Real x = time; end A0; "
    return first + "".join(step.format(i=i, j=i - 1) for i in range(1, levels + 1))


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("model A{i} extends A{j}; end A{i}; ", "is extended more than 200 levels deep"),
        ("model A{i} A{j} a; end A{i}; ", "is used more than 120 levels deep"),
    ],
    ids=["bases", "components"],
)
def test_what_is_only_deep_is_no_circle(
    step: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "M.mo").write_text(_chain_of(250, step))
    assert execute(["check", str(tmp_path / "M.mo"), "-m", "A250"]) == 1
    told = capsys.readouterr().err
    assert "error[N050]" in told
    assert words in told
