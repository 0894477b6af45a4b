"""Classes on disk: which file a name means, that only needed files are read, and what is told."""

from pathlib import Path

import pytest

from freewheel.base.access import looking
from freewheel.base.diagnostics import CompileError, UsageError
from freewheel.base.source import Source
from freewheel.flat.flatten import flatten
from freewheel.instance import library as room
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library

PACKAGE = "within {within};\npackage {name}\n  {inside}\n  annotation({annotation});\nend {name};\n"


def package(folder: Path, name, within="", inside="", annotation='version="1.0"'):
    folder.mkdir(parents=True, exist_ok=True)
    text = PACKAGE.format(within=within, name=name, inside=inside, annotation=annotation)
    (folder / "package.mo").write_text(text.replace("within ;", "within;"))


def model(folder: Path, name, within, inside="Real x;"):
    (folder / f"{name}.mo").write_text(f"within {within};\nmodel {name}\n  {inside}\nend {name};\n")


@pytest.fixture
def lib(tmp_path, monkeypatch):
    """A directory with `Lib`: Sub.A and Sub.B in files, C in a file, D and k in `package.mo`."""
    monkeypatch.delenv("MODELICAPATH", raising=False)
    root = tmp_path / "libs" / "Lib"
    package(root, "Lib", inside="model D Real d; end D; constant Real k = 1;")
    package(root / "Sub", "Sub", "Lib")
    model(root / "Sub", "B", "Lib.Sub")
    model(root / "Sub", "A", "Lib.Sub")
    model(root, "C", "Lib", "model Inner Real y; end Inner;")
    (root / "package.order").write_text("k\nSub\nC\nD\n")
    return root


def only(path):
    return Library([path], embedded=False, use_modelicapath=False)


def test_find_reads_directories_files_and_nested_classes(lib):
    library = only(lib.parent)

    for name in (
        ("Lib",),
        ("Lib", "Sub"),
        ("Lib", "Sub", "A"),
        ("Lib", "C"),
        ("Lib", "C", "Inner"),
        ("Lib", "D"),
    ):
        entry = library.find(name)
        assert entry is not None
        assert entry.name == name
        assert entry.tree.name == name[-1]


def test_what_is_not_there_is_none(lib):
    library = only(lib.parent)

    assert library.top("Other") is None
    assert library.find(("Lib", "X")) is None
    assert library.find(("Lib", "X", "Y")) is None
    assert library.find(("Lib", "k")) is None
    assert library.find(()) is None


def test_entries_are_made_once_and_know_their_parents(lib):
    library = only(lib.parent)
    inner = library.find(("Lib", "C", "Inner"))

    assert inner is library.find(("Lib", "C", "Inner"))
    assert inner.parent is library.find(("Lib", "C"))
    assert inner.parent.parent is library.top("Lib")
    assert inner.source.path == str(lib / "C.mo")


def test_only_files_on_the_way_are_read(lib, monkeypatch):
    read = []
    load = room.load

    def spy(path):
        read.append(path.relative_to(lib).as_posix())
        return load(path)

    monkeypatch.setattr(room, "load", spy)
    library = only(lib.parent)
    assert read == []
    library.find(("Lib", "Sub", "A"))

    assert read == ["package.mo", "Sub/package.mo", "Sub/A.mo"]


def test_order_of_names(lib):
    library = only(lib.parent)

    assert library.top("Lib").nested_names() == ("Sub", "C", "D")
    assert library.find(("Lib", "Sub")).nested_names() == ("A", "B")
    assert library.find(("Lib", "C")).nested_names() == ("Inner",)


def test_a_place_is_a_directory_a_package_or_a_file(lib):
    assert only(lib.parent).top("Lib") is not None
    assert only(lib).top("Lib") is not None
    assert only(lib.parent.parent).top("Lib") is not None
    (lib.parent / "Single.mo").write_text("package Single model M end M; end Single;")
    assert only(lib.parent / "Single.mo").find(("Single", "M")) is not None
    assert only(lib.parent).find(("Single", "M")) is not None


def test_neighbours_of_a_package_are_found(lib):
    (lib.parent / "Friend.mo").write_text("package Friend end Friend;")

    assert only(lib).top("Friend") is not None


def test_newest_version_or_the_one_without(lib):
    for version in ("1.2.0", "1.10.0"):
        package(lib.parent / f"Ver {version}", "Ver", annotation=f'version="{version}"')
    assert only(lib.parent).top("Ver").version() == "1.10.0"
    package(lib.parent / "Ver", "Ver", annotation='version="0.1"')

    assert only(lib.parent).top("Ver").version() == "0.1"


def test_a_file_may_ask_for_a_version(lib):
    for version in ("1.2.0", "1.10.0"):
        package(lib.parent / f"Ver {version}", "Ver", annotation=f'version="{version}"')
    library = only(lib.parent)
    library.add_file(
        Source.from_text('model M annotation(uses(Ver(version="1.2.0"))); end M;', "m.mo")
    )

    assert library.top("Ver").version() == "1.2.0"


def test_a_broken_file_is_listed_all_the_same(lib):
    (lib.parent / "Broken.mo").write_text("package Broken")
    names = [info.name for info in only(lib.parent).packages()]

    assert names == ["Broken", "Lib"]


def test_a_checkout_with_another_name(lib):
    renamed = lib.rename(lib.parent / "lib-master")

    assert only(renamed).find(("Lib", "Sub", "A")) is not None


def test_modelicapath(lib, monkeypatch):
    monkeypatch.setenv("MODELICAPATH", f"/nowhere{room.os.pathsep}{lib.parent}")
    library = Library([], embedded=False)

    assert library.top("Lib") is not None
    (info,) = [info for info in library.packages() if info.name == "Lib"]
    assert (info.version, info.origin, info.path) == ("1.0", "MODELICAPATH", lib / "package.mo")
    assert info.used


def test_directories_given_win_over_modelicapath(lib, tmp_path, monkeypatch):
    package(tmp_path / "mine" / "Lib", "Lib", annotation='version="9"')
    monkeypatch.setenv("MODELICAPATH", str(lib.parent))

    assert Library([tmp_path / "mine"]).top("Lib").version() == "9"


def test_the_embedded_library_comes_last(tmp_path, monkeypatch):
    monkeypatch.delenv("MODELICAPATH", raising=False)
    embedded = Library([])
    (info,) = [info for info in embedded.packages() if info.name == "Modelica"]
    assert info.origin == "embedded"
    package(tmp_path / "Modelica", "Modelica", annotation='version="9.9"')
    (info,) = [info for info in Library([tmp_path]).packages() if info.name == "Modelica"]

    assert (info.origin, info.version) == ("library", "9.9")


def test_uses(lib):
    package(
        lib.parent / "User",
        "User",
        annotation='uses(Lib(version="1.0"), Other(version="2"), Plain)',
    )
    entry = only(lib.parent).top("User")

    assert entry.uses() == {"Lib": "1.0", "Other": "2", "Plain": ""}
    assert entry.version() == ""


# ---------------------------------------------------------------- users' files


def test_a_users_file_wins(lib):
    library = only(lib.parent)
    source = Source.from_text("package Lib model X end X; end Lib; model M end M;", "mine.mo")
    added = library.add_file(source)

    assert [entry.name for entry in added] == [("Lib",), ("M",)]
    assert library.top("Lib") is added[0]
    assert library.find(("Lib", "X")) is not None
    assert library.find(("Lib", "Sub")) is None


def test_a_users_file_goes_within(lib):
    library = only(lib.parent)
    (entry,) = library.add_file(Source.from_text("within Lib.Sub; model New end New;"))

    assert entry.name == ("Lib", "Sub", "New")
    assert library.find(entry.name) is entry
    assert entry.parent is library.find(("Lib", "Sub"))
    assert "New" in entry.parent.nested_names()


def test_a_file_of_a_package_brings_the_package(lib):
    library = Library([], embedded=False, use_modelicapath=False)
    path = lib / "Sub" / "A.mo"
    (entry,) = library.add_file(Source.from_bytes(path, path.read_bytes()))

    assert entry.name == ("Lib", "Sub", "A")
    assert library.find(("Lib", "C")) is not None


def told(call):
    with pytest.raises((CompileError, UsageError)) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_within_of_an_unknown_package(lib):
    source = Source.from_text("within No.Such; model M end M;", "m.mo")
    diagnostic = told(lambda: only(lib.parent).add_file(source))

    assert diagnostic.code == "N920"
    assert "`No.Such`" in diagnostic.message
    assert diagnostic.labels[0].span.column == 8


def test_a_file_that_defines_another_class(lib):
    (lib / "E.mo").write_text("within Lib;\nmodel F end F;\n")
    diagnostic = told(lambda: only(lib.parent).find(("Lib", "E")))

    assert diagnostic.code == "N921"
    assert (diagnostic.labels[0].span.line, diagnostic.labels[0].span.column) == (2, 7)


def test_a_class_twice_in_one_file(lib):
    source = Source.from_text("model M end M;\nmodel M end M;", "m.mo")
    diagnostic = told(lambda: only(lib.parent).add_file(source))

    assert diagnostic.code == "N922"
    assert [label.span.line for label in diagnostic.labels] == [2, 1]


def test_a_file_in_the_wrong_directory(lib):
    model(lib, "E", "Lib.Sub")
    diagnostic = told(lambda: only(lib.parent).find(("Lib", "E")))

    assert diagnostic.code == "N923"
    assert "this file says `within " in diagnostic.message
    assert "or move the file" in diagnostic.help
    assert "within Lib;" in diagnostic.help


def test_a_directory_that_does_not_exist(tmp_path):
    diagnostic = told(lambda: Library([tmp_path / "no"]))

    assert diagnostic.code == "U011"
    assert "no" in diagnostic.message


def test_syntax_errors_name_the_library_file(lib):
    (lib / "E.mo").write_text("within Lib;\nmodel E\n  Real ;\nend E;\n")
    diagnostic = told(lambda: only(lib.parent).find(("Lib", "E")))

    assert diagnostic.code == "S004"
    assert diagnostic.labels[0].span.source.path == str(lib / "E.mo")


def test_resources_are_found_beside_their_package(lib):
    (lib / "note.txt").write_text("one\ntwo\n")
    text = """
function path input String name; output String full;
  external "C" full = ModelicaInternal_fullPathName(name); end path;
function count input String name; output Integer n;
  external "C" n = ModelicaInternal_countLines(name); end count;
model M Real x[count(path("modelica://Lib/note.txt"))]; equation x = fill(1, size(x, 1)); end M;
"""
    library = only(lib.parent)
    library.add_file(Source.from_text(text, "m.mo"))

    with looking(library.readable):
        assert flatten(instantiate(library, ("M",), {})).variables[0].dims == (2,)


def test_a_library_in_latin_1_is_read(lib):
    """The standard library was, up to version 3.1; a file of the user is refused all the same."""
    (lib / "Old.mo").write_bytes(
        'within Lib;\nmodel Old "in °C, für alle" Real x; end Old;\n'.encode("latin-1")
    )

    entry = Library([lib.parent]).find(("Lib", "Old"))

    assert entry is not None
    assert "°C, für" in entry.source.text
