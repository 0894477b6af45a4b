"""The same models with the embedded library and with the Modelica Standard Library.

`bodies.mo` uses every component of three-dimensional mechanics. Where the environment names the Standard
Library (FREEWHEEL_MSL), all variables that both results hold must agree, its own examples must run with
our classes, and each class must have the same parameters with the same values. Without it the models run
and keep what they must.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.api.model import models_in
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import Var
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.values import ParameterValues

MSL = os.environ.get("FREEWHEEL_MSL")
BODIES = Path(__file__).with_name("bodies.mo")
# JointSSP of the Standard Library forgets the mass of its first rod where it computes the force
# along it: its totalPower is not zero.
NAMES = [m.name[-1] for m in models_in(BODIES) if m.name[-1] not in ("Base", "Crank", "HeavySSP")]
EXAMPLES = Path(MSL or ".") / "Modelica/Mechanics/MultiBody/Examples"

# The others need surfaces or helpers of their package; RevoluteConstraint
# passes a singular point of its angles, BevelGear1D multiplies rounding errors by 1e10.
ELEMENTARY = (
    "DoublePendulum",
    "DoublePendulumInitTip",
    "ForceAndTorque",
    "FreeBody",
    "InitSpringConstant",
    "Pendulum",
    "PendulumWithSpringDamper",
    "PointGravity",
    "PointGravityWithPointMasses",
    "PointGravityWithPointMasses2",
    "RollingWheel",
    "RollingWheelSetDriving",
    "RollingWheelSetPulling",
    "SpringDamperSystem",
    "SpringMassSystem",
    "SpringWithMass",
    "ThreeSprings",
)
OTHERS = (
    "Constraints/PrismaticConstraint",
    "Constraints/SphericalConstraint",
    "Constraints/UniversalConstraint",
    "Loops/Fourbar1",
    "Loops/Fourbar2",
    "Loops/Fourbar_analytic",
    "Loops/PlanarFourbar",
    "Loops/PlanarLoops_analytic",
    "Rotational3DEffects/ActuatedDrive",
    "Rotational3DEffects/GearConstraint",
    "Rotational3DEffects/MovingActuatedDrive",
)


# Values without a use may differ: `Q` where angles are the states, shapes of parts inside others,
# which are not drawn here, and the middle of a rod without mass.
UNUSED = re.compile(r"\.Q\[4\]$|\.revolute_[ab]\.animation$|\.rod1\.r_CM_0\[\d\]$")


def far_apart(ours, theirs, stop: float) -> list[str]:
    """Common variables that differ by more than 1e-5 of their size at points both have stored.

    Angles of an orientation are compared without full turns: where one stays at half a turn, the
    Standard Library gives -pi or pi as rounding has it.
    """
    places = []
    for result in (ours, theirs):
        grid = np.linspace(0, stop, 51)
        places.append([int(np.argmin(abs(result.time - t))) for t in grid])
    common = sorted(set(ours.names()) & set(theirs.names()))
    assert len(common) > 80
    found = []
    for name in common:
        u = np.asarray(ours[name], float)[places[0]]
        v = np.asarray(theirs[name], float)[places[1]]
        if name.endswith(("angles[2]", "angles[3]")):
            u = v + np.angle(np.exp(1j * (u - v)))
        if UNUSED.search(name):
            continue
        if not np.max(np.abs(u - v)) <= 1e-5 * max(1e-3, np.max(np.abs(v))):
            found.append(name)
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_each_component_moves_as_in_the_standard_library(name):
    ours = fw.load(BODIES, model=f"Bodies.{name}").simulate(stop=1.0, tol=1e-9, interval=0.02)
    assert ours.time[-1] == 1.0
    assert all(np.all(np.isfinite(ours[n])) for n in ours.names() if n.endswith(".r_0[1]"))
    if not MSL:
        return
    theirs = fw.load(BODIES, model=f"Bodies.{name}", library=(MSL,)).simulate(
        stop=1.0, tol=1e-9, interval=0.02
    )
    assert far_apart(ours, theirs, 1.0) == []


USER = """package User
  import Modelica.Mechanics.MultiBody;
  import Modelica.Mechanics.MultiBody.*;
  import Modelica.Mechanics.Rotational;
  import Modelica.Mechanics.Translational;
  import Modelica.Blocks;
  import Modelica.Units.SI;
%s
end User;
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [*(f"Elementary/{n}" for n in ELEMENTARY), *OTHERS] if MSL else [None]
)
def test_examples_of_the_standard_library_run_with_our_classes(name, tmp_path):
    if name is None:
        path, model = BODIES, "Bodies.FourPlanar"
    else:
        text = re.sub(r"^within [^;]*;", "", (EXAMPLES / f"{name}.mo").read_text())
        path, model = tmp_path / "User.mo", f"User.{name.split('/')[-1]}"
        path.write_text(USER % text)
    ours = fw.load(path, model=model).simulate(tol=1e-7)
    theirs = fw.load(path, model=model, library=(MSL,) if MSL else ()).simulate(tol=1e-7)
    assert far_apart(ours, theirs, ours.time[-1]) == []


PACKAGES = ("Parts", "Joints", "Joints.Assemblies", "Forces", "Sensors", "Visualizers")
CLASSES = [
    (package, path.stem)
    for package in PACKAGES
    for path in sorted(
        (
            Path(fw.__file__).parent
            / "library/Modelica/Mechanics/MultiBody"
            / package.replace(".", "/")
        ).glob("*.mo")
    )
    if path.stem not in ("package", "Internal", "Constraints", "Advanced")
]


def interface(full: str, library: tuple[str, ...]) -> dict[str, object]:
    """Public names of a class: what kind of quantity each is and, of parameters, the value."""
    scalar = expand(fw.load(full, library=library).flatten())
    values = ParameterValues({v.name: v for v in scalar.variables}, scalar.functions)
    result: dict[str, object] = {}
    for v in scalar.variables:
        if v.is_protected or "world" in v.name:
            continue
        is_own = all(isinstance(part, int) for part in v.name[1:])
        if v.variability == Variability.PARAMETER and is_own:
            found = values.value(Var(v.name))
            value = round(found, 12) if isinstance(found, float) else found
            result[str(Var(v.name).name)] = ("parameter", str(v.type), value)
        elif is_own or not isinstance(v.name[0], int):
            result[str(Var(v.name).name)] = (str(v.causality), v.unit)
    return result


@pytest.mark.long
@pytest.mark.parametrize(("package", "name"), CLASSES)
def test_each_class_has_the_public_names_of_the_standard_library(package, name):
    full = f"Modelica.Mechanics.MultiBody.{package}.{name}"
    ours = interface(full, ())
    assert ours
    theirs = interface(full, (MSL,) if MSL else ())
    missing = {n for n in theirs if n not in ours}
    assert missing == set()
    assert {n: (ours[n], theirs[n]) for n in theirs if ours[n] != theirs[n]} == {}
