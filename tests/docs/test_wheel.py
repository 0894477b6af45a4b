"""The README and the tour, followed word for word in an empty folder with the built wheel and no checkout.

The wheel is built and installed offline. The new environment finds numpy and the other dependencies in the
one that runs the tests; the editable installation there is left out, since files `*.pth` of a folder that is
itself named by one are not read.
"""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from pages import ROOT, page_id, steps_of

PAGES = (ROOT / "README.md", ROOT / "docs" / "tour.md")


def call(*words, cwd, given=""):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MODELICAPATH")}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        input=given,
        env=clean,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """An environment with the wheel in it."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    call(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=home)
    site = next(home.rglob("site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_the_wheel_holds_the_examples_once(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    files = [
        path for path in (ROOT / "examples").rglob("*") if path.suffix in (".mo", ".dym", ".py")
    ]

    inside = sorted(name for name in names if name.startswith("freewheel/examples/"))
    assert inside == sorted(f"freewheel/{path.relative_to(ROOT).as_posix()}" for path in files)
    assert len(names) == len(set(names))
    assert wheel.name in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_page_works_with_the_wheel_alone(page, python, tmp_path):
    steps = list(steps_of(page))
    given = [(step.kind, step.words if step.kind == "command" else step.text) for step in steps]

    driver = Path(__file__).with_name("follow_page.py")
    told = json.loads(call(python, driver, cwd=tmp_path, given=json.dumps(given)))

    assert Path(told["home"]).is_relative_to(python.parent.parent)
    assert len(steps) >= 5
    for step, printed in zip(steps, told["printed"], strict=True):
        step.require(printed)
