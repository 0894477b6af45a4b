"""Assemblies of joints against the same mechanisms made of elementary joints.

An assembly solves its loop in closed form; elementary joints leave the loop to the choice of states.
Both must move alike, and the assembly must neither store nor create energy.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import freewheel as fw

BODIES = Path(__file__).with_name("bodies.mo")

# The joints of each mechanism, in place of the assembly `j` of `Bodies.<name>`.
HINGE = """
  Joints.Revolute drive(n=N, useAxisFlange=true, phi(start=PHI));
  Parts.FixedTranslation second(r=SECOND);
equation
  connect(f.frame_b, drive.frame_a);
  connect(drive.frame_b, second.frame_a);
  connect(drive.frame_b, b2.frame_a);
  connect(second.frame_b, b3.frame_a);
  connect(drive.support, sd.flange_a);
  connect(sd.flange_b, drive.axis);
"""
SLIDE = """
  Joints.Prismatic drive(n=N, useAxisFlange=true, s(start=PHI));
  Parts.FixedTranslation second(r=SECOND);
equation
  connect(f.frame_b, drive.frame_a);
  connect(drive.frame_b, second.frame_a);
  connect(drive.frame_b, b2.frame_a);
  connect(second.frame_b, b3.frame_a);
  connect(drive.support, sd.flange_a);
  connect(sd.flange_b, drive.axis);
"""
BALLS = """
  Joints.SphericalSpherical rod(rodLength=1.1, m=0.4);
equation
  connect(bar.frame_b, rod.frame_a);
  connect(rod.frame_b, second.frame_b);
"""
UNIVERSAL = """
  Joints.UniversalSpherical rod(n1_a={0,0.2,1}, rRod_ia={1,0.1,0.2});
  Parts.Body b1(r_CM={0.4,0.05,0.1}, m=0.7, I_11=0.02, I_22=0.04, I_33=0.03);
equation
  connect(bar.frame_b, rod.frame_a);
  connect(rod.frame_b, second.frame_b);
  connect(rod.frame_ia, b1.frame_a);
"""
PLANAR = """
  Joints.Revolute first(phi(start=FIRST));
  Parts.FixedTranslation rod(r={1,0.1,0});
  Joints.RevolutePlanarLoopConstraint last;
  Parts.Body b1(r_CM={0.4,0.05,0}, m=0.7, I_33=0.03);
equation
  connect(bar.frame_b, first.frame_a);
  connect(first.frame_b, rod.frame_a);
  connect(first.frame_b, b1.frame_a);
  connect(rod.frame_b, last.frame_a);
  connect(second.frame_b, last.frame_b);
"""
HINGED = "Modelica.Mechanics.Rotational.Components.SpringDamper sd(c=10, d=0.3, phi_rel0=OFFSET);"
SLIDING = "Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100, d=3, s_rel0=OFFSET);"
MECHANISMS = {
    "RRR": (HINGED, HINGE + PLANAR, {"N": "{0,0,1}", "SECOND": "{-0.1,0.7,0}"}),
    "RRP": (SLIDING, SLIDE + PLANAR, {"N": "{1,0.1,0}", "SECOND": "{-0.1,0.1,0}"}),
    "SSR": (HINGED, HINGE + BALLS, {"N": "{0.1,0,1}", "SECOND": "{-0.1,0.6,0.1}"}),
    "HeavySSP": (SLIDING, SLIDE + BALLS, {"N": "{1,0.1,0.2}", "SECOND": "{-0.1,0.2,0.1}"}),
    "USR": (HINGED, HINGE + UNIVERSAL, {"N": "{0.1,0,1}", "SECOND": "{-0.1,0.6,0.1}"}),
    "USP": (SLIDING, SLIDE + UNIVERSAL, {"N": "{1,0.1,0.2}", "SECOND": "{-0.1,0.2,0.1}"}),
}


def elementary(name: str, start: float, offset: float, first: float) -> str:
    """The mechanism `Bodies.<name>` without an assembly; the spring measures phi or s alike."""
    spring, joints, words = MECHANISMS[name]
    declared, equations = [], []
    for part in joints.split("\n"):
        (equations if part.strip().startswith("connect") else declared).append(part)
    text = "\n".join(part for part in declared if part != "equation")
    planar = name.startswith("RR")
    place = "{1.2,0.1,0}" if name == "RRR" else "{0.4,0.1,0}" if planar else None
    place = place or ("{1.1,0.1,0.2}" if name.endswith("R") else "{0.3,0.1,0.2}")
    axis = "{0,0,1}" if planar else "{0,0.6,0.8}"
    body = f"""model M
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  Joints.Revolute crank(n={axis}, phi(start=0.2, fixed=true), w(start=4, fixed=true),
    stateSelect=StateSelect.always);
  Parts.BodyShape bar(r={{0,0.3,0}}, r_CM={{0,0.15,0}}, m=1, I_11=0.02, I_22=0.03, I_33=0.04);
  Parts.Fixed f(r={place});
  Parts.Body b2(r_CM={{0,0.3,0}}, m=0.5, I_33=0.02);
  Parts.Body b3(r_CM={{0,0,0}}, m=0.2);
  {spring}
{text}
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, bar.frame_a);
"""
    words = {"FIRST": first, "PHI": start, "OFFSET": offset, **words}
    body += "\n".join(equations) + "\nend M;\n"
    for word in ("SECOND", "FIRST", "OFFSET", "PHI", "N"):
        body = body.replace(f"={word})", f"={words[word]})").replace(
            f"={word},", f"={words[word]},"
        )
    return body


LONG = [pytest.param(n, marks=pytest.mark.long) for n in ("RRP", "SSR", "USR", "USP")]


@pytest.mark.parametrize("name", ["RRR", "HeavySSP", *LONG])
def test_an_assembly_moves_like_elementary_joints(name, tmp_path):
    whole = fw.load(BODIES, model=f"Bodies.{name}").simulate(stop=0.5, tol=1e-9, interval=0.01)
    angle = "angle" if name.endswith("R") else "distance"
    inner = f"jointUS{name[-1]}." if name.startswith("RR") else ""
    joint = f"j.{inner}{'revolute' if name.endswith('R') else 'prismatic'}"
    start = whole[f"{joint}.{angle}"][0]
    offset = start - whole[f"{joint}.{'phi' if name.endswith('R') else 's'}"][0]
    rest = 0.0 if name.endswith("R") else 0.5
    # the first rod, seen from the crank, where the hinge of a planar loop begins
    first = np.arctan2(
        whole["b3.frame_a.r_0[2]"][0] - whole["bar.frame_b.r_0[2]"][0],
        whole["b3.frame_a.r_0[1]"][0] - whole["bar.frame_b.r_0[1]"][0],
    ) - np.arctan2(0.1, 1)
    path = tmp_path / "M.mo"
    path.write_text(elementary(name, start, rest + offset, first - 0.2))
    parts = fw.load(path).simulate(stop=0.5, tol=1e-9, interval=0.01)
    assert np.max(abs(whole["j.totalPower"])) < 1e-10
    assert np.ptp(whole["crank.phi"]) > 1
    at = [int(np.argmin(abs(whole.time - t))) for t in np.linspace(0, 0.5, 51)]
    to = [int(np.argmin(abs(parts.time - t))) for t in np.linspace(0, 0.5, 51)]
    names = ["crank.phi", "crank.w"]
    names += [f"{b}.frame_a.{x}[{k}]" for b in ("b2", "bar") for x in ("r_0", "f") for k in (1, 2)]
    for same in names:
        assert whole[same][at] == pytest.approx(parts[same][to], rel=1e-6, abs=1e-6), same


TELESCOPE = """model M "Bodies.UPS with joints in place of the assembly"
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  Joints.Revolute crank(n={0,0.6,0.8}, phi(start=0.2, fixed=true), w(start=4, fixed=true),
    stateSelect=StateSelect.always);
  Parts.BodyShape bar(r={0,0.3,0}, r_CM={0,0.15,0}, m=1, I_11=0.02, I_22=0.03, I_33=0.04);
  Parts.Fixed f(r={1.1,0.1,0.2});
  parameter Real axis[3]=cross({0,0.2,1}, {1,0.1,0.2});
  Joints.Universal universal(n_a={0,0.2,1}, n_b=axis, phi_a(start=-3));
  Joints.Prismatic drive(n={1,0.1,0.2}, useAxisFlange=true, s(start=1.1));
  Joints.Spherical ball;
  Parts.Body b1(r_CM={0.4,0.05,0.1}, m=0.7, I_11=0.02, I_22=0.04, I_33=0.03);
  Parts.Body b2(r_CM={-0.1,0.3,0}, m=0.5, I_33=0.02);
  Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100, d=3, s_rel0=0.6);
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, bar.frame_a);
  connect(f.frame_b, universal.frame_a);
  connect(universal.frame_b, drive.frame_a);
  connect(universal.frame_b, b1.frame_a);
  connect(drive.frame_b, b2.frame_a);
  connect(drive.frame_b, ball.frame_a);
  connect(ball.frame_b, bar.frame_b);
  connect(drive.support, sd.flange_a);
  connect(sd.flange_b, drive.axis);
end M;
"""


@pytest.mark.long
def test_a_telescope_moves_like_elementary_joints(tmp_path):
    whole = fw.load(BODIES, model="Bodies.UPS").simulate(stop=0.5, tol=1e-9, interval=0.01)
    path = tmp_path / "M.mo"
    path.write_text(TELESCOPE)
    parts = fw.load(path).simulate(stop=0.5, tol=1e-9, interval=0.01)
    assert np.max(abs(whole["j.totalPower"])) < 1e-10
    at = [int(np.argmin(abs(whole.time - t))) for t in np.linspace(0, 0.5, 51)]
    to = [int(np.argmin(abs(parts.time - t))) for t in np.linspace(0, 0.5, 51)]
    for same in (
        "crank.phi",
        "b1.frame_a.R.T[1,2]",
        "b2.r_0[1]",
        "b2.frame_a.f[2]",
        "bar.frame_b.f[3]",
    ):
        assert whole[same][at] == pytest.approx(parts[same][to], rel=1e-6, abs=1e-6), same
