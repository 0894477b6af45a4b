"""Impulses of library components are changes of momentum, told by the component that has it."""

from __future__ import annotations

import pytest

import freewheel as fw

TEXT = """package P
  model Dog
    Modelica.Mechanics.Rotational.Interfaces.Flange_a a;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b b;
  equation
    a.tau + b.tau = 0;
    0 = if time > 1 then der(b.phi) - der(a.phi) else a.tau;
  end Dog;

  model M
    Modelica.Mechanics.Rotational.Components.Inertia J1(J=1, w(start=3, fixed=true), phi(fixed=true));
    Modelica.Mechanics.Rotational.Components.Inertia J2(J=2, w(start=0, fixed=true), phi(fixed=true));
    Dog dog;
  equation
    connect(J1.flange_b, dog.a);
    connect(dog.b, J2.flange_a);
  end M;
end P;
"""


def test_an_impulse_has_the_size_of_the_momentum(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text(TEXT)

    result = fw.load(path, model="P.M").simulate(stop=2)

    found = {impulse.element: impulse.strength for impulse in result.impulses}
    assert found == pytest.approx({"J1": -2.0, "J2": 2.0})
    assert "`J1`, `J2`" in result.warnings[0].message
