"""Frames without a root, and planar loops: the message names connectors and joints."""

import pytest

import freewheel as fw

PARTS = """
 import MB = Modelica.Mechanics.MultiBody; inner MB.World world;
"""


def diagnostics(text, tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(f"model M {PARTS} {text} end M;")
    with pytest.raises(fw.FreewheelError) as failure:
        fw.load(path).simulate(stop=0.1)
    return failure.value.diagnostics


@pytest.mark.parametrize("joint", ["Revolute", "Prismatic", "Spherical", "Universal"])
def test_a_joint_that_nothing_fixes_names_its_connectors(joint, tmp_path):
    found = diagnostics(f"MB.Joints.{joint} r;", tmp_path)

    assert {d.code for d in found} == {"E122"}
    named = " ".join(d.message for d in found)
    assert "`r.frame_a`" in named
    assert "`r.frame_b`" in named
    assert "World" in found[0].help


def test_only_the_open_ends_of_a_chain_are_named(tmp_path):
    text = "MB.Joints.Revolute r, q; equation connect(r.frame_b, q.frame_a);"
    found = diagnostics(text, tmp_path)

    assert "nothing fixes `r.frame_a`, `q.frame_b`:" in found[0].message


LOOP = """
 MB.Joints.Revolute j1, j2, j3; MB.Joints.{joint} j4;
 MB.Parts.BodyBox a(r={{1, 0, 0}}), b(r={{0, 1, 0}}), c(r={{-1, 0, 0}});
 MB.Parts.FixedTranslation d(r={{0, 1, 0}});
 equation connect(world.frame_b, j1.frame_a); connect(j1.frame_b, a.frame_a);
 connect(a.frame_b, j2.frame_a); connect(j2.frame_b, b.frame_a); connect(b.frame_b, j3.frame_a);
 connect(j3.frame_b, c.frame_a); connect(c.frame_b, j4.frame_a); connect(j4.frame_b, d.frame_b);
 connect(d.frame_a, world.frame_b);"""


def test_a_planar_loop_of_revolute_joints_names_the_joint_that_cures_it(tmp_path):
    found = diagnostics(LOOP.format(joint="Revolute"), tmp_path)

    assert [d.code for d in found] == ["E123", "E003"]
    assert found[0].message.startswith("`j1`, `j2`, `j3` and `j4` close a loop")
    assert "Joints.RevolutePlanarLoopConstraint" in found[0].help
    assert len(found[0].labels) == 4


def test_the_cure_works(tmp_path):
    path = tmp_path / "m.mo"
    text = LOOP.format(joint="RevolutePlanarLoopConstraint")
    path.write_text(f"model M {PARTS} {text} end M;")

    assert fw.load(path).simulate(stop=0.1)["j1.phi"][-1] != 0.0


def test_the_flow_of_a_protected_part_counts_in_its_class(tmp_path):
    """F040 was said of InternalSupport, which has as many equations as unknowns."""
    path = tmp_path / "m.mo"
    path.write_text(
        """model M
        connector P Real v; flow Real i; end P;
        model Inside P p; input Real k; Real w; equation p.v = w; p.i = k; end Inside;
        model Outside Real x; protected Inside inside(k=x); equation inside.w = x; end Outside;
        Outside o; Real z; end M;"""
    )
    with pytest.raises(fw.FreewheelError) as failure:
        fw.load(path).simulate(stop=0.1)
    assert all("Inside" not in d.message for d in failure.value.diagnostics)
