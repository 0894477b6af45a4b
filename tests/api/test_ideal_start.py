"""The start of models with ideal switches: wishes, jumps, conditions that hold and that cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel import CompileError, SimulationError, load
from freewheel.api.model import Model

BASE = """
package P
  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  import Modelica.Electrical.Analog.Sources.*;
  partial model Charger "10 V, diode, inductor, 5 Ohm"
    ConstantVoltage u(V=10);
    IdealDiode D(Ron=0, Goff=0, Vknee=0);
    Resistor R(R=5);
    Inductor L(L=0.1);
    Ground g;
  equation
    connect(u.n, g.p); connect(u.p, D.p); connect(R.n, g.p);
    connect(D.n, L.p); connect(L.n, R.p);
  end Charger;
  model Agrees
    extends Charger(L(i(start=1, fixed=true), v(start=5, fixed=true)));
  end Agrees;
  model Contradicts
    extends Charger(L(i(start=1, fixed=true), v(start=7, fixed=true)));
  end Contradicts;
  model Steady
    extends Charger;
  initial equation
    der(L.i) = 0;
  end Steady;
  model Moving
    extends Charger;
  initial equation
    der(L.i) = 1;
  end Moving;
  model Behind "The condition speaks of something computed from the state"
    parameter Real k = 3;
    Real twice = 2*L.i;
    extends Charger;
  initial equation
    twice = k;
  end Behind;
  model Wrong "Against the diode"
    extends Charger(L(i(start=-1, fixed=true)));
  end Wrong;
  model Filtered "Outside the core a steady state is asked for, and a parameter is found"
    Capacitor C1(C=1e-3, v(start=10, fixed=true)), C2(C=3e-3, v(start=2, fixed=true));
    IdealClosingSwitch S(Ron=0, Goff=0);
    Resistor R(R=100);
    Ground g;
    parameter Real p(fixed=false);
    Real y;
  initial equation
    der(y) = 0;
    p = 2*y;
  equation
    connect(C1.p, S.p); connect(S.n, C2.p); connect(C2.p, R.p);
    connect(C1.n, g.p); connect(C2.n, g.p); connect(R.n, g.p);
    S.control = time < 0.5;
    der(y) = C1.v - y;
  end Filtered;
  model Star "Three currents that add up to zero, all with a start of their own"
    SineVoltage u[3](each V=10, each f=50, phase={0, 2, 4});
    Inductor L[3](each L=1e-3, each i(start=0, fixed=true));
    IdealDiode D[3](each Ron=0, each Goff=0, each Vknee=0);
    IdealDiode E[3](each Ron=0, each Goff=0, each Vknee=0);
    Resistor R(R=10);
    Ground g;
  equation
    for k in 1:3 loop
      connect(u[k].p, L[k].p); connect(L[k].n, D[k].p); connect(L[k].n, E[k].n);
      connect(D[k].n, R.p); connect(E[k].p, R.n); connect(u[k].n, g.p);
    end for;
  end Star;
end P;
"""


@pytest.fixture(scope="module")
def of(tmp_path_factory: pytest.TempPathFactory):
    path: Path = tmp_path_factory.mktemp("start") / "p.mo"
    path.write_text(BASE)

    def model(name: str) -> Model:
        return load(path, model=f"P.{name}")

    return model


def test_a_condition_that_holds_in_the_right_position(of) -> None:
    result = of("Agrees").simulate(stop=0.01)

    assert (result["L.i"][0], result["L.v"][0]) == pytest.approx((1.0, 5.0))


def test_a_condition_that_does_not_hold(of) -> None:
    with pytest.raises(SimulationError) as caught:
        of("Contradicts").simulate(stop=0.01)

    assert caught.value.diagnostics[0].code == "R125"
    assert "L.v = 7" in caught.value.diagnostics[0].message


def test_a_steady_state_of_the_core_is_found(of) -> None:
    result = of("Steady").simulate(stop=0.01)

    assert result["L.v"][0] == pytest.approx(0.0, abs=1e-9)


def test_another_condition_on_a_rate_is_refused(of) -> None:
    with pytest.raises(CompileError) as caught:
        of("Moving").compiled()

    assert caught.value.diagnostics[0].code == "E011"
    assert "der(L.i) = 1" in caught.value.diagnostics[0].message


def test_a_condition_behind_the_core_gives_its_state(of) -> None:
    assert of("Behind").simulate(stop=0.01)["L.i"][0] == pytest.approx(1.5)
    assert of("Behind").simulate(stop=0.01, params={"k": 5})["L.i"][0] == pytest.approx(2.5)


def test_a_start_against_a_diode_jumps_and_the_impulse_is_told(of) -> None:
    result = of("Wrong").simulate(stop=0.01)

    assert result["L.i"][0] == pytest.approx(0.0, abs=1e-9)
    assert [impulse.time for impulse in result.impulses] == [0.0]
    assert abs(result.impulses[0].strength) == pytest.approx(0.1)


def test_the_rest_of_the_model_starts_with_what_the_core_has_settled(of) -> None:
    """10 V on 1 mF and 2 V on 3 mF make 4 V."""
    result = of("Filtered").simulate(stop=0.01)

    found = [result[name][0] for name in ("C1.v", "C2.v", "y", "p")]
    assert found == pytest.approx([4.0, 4.0, 4.0, 8.0])


def test_a_redundant_start_is_no_obstacle(of) -> None:
    result = of("Star").simulate(stop=0.002)

    assert [result[f"L[{k}].i"][0] for k in (1, 2, 3)] == pytest.approx([0.0] * 3, abs=1e-9)
