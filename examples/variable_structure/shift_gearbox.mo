// A car is shifted through its gears. Each gear is a pair of wheels behind an ideal dog clutch: engaged it
// ties the speeds, disengaged it passes no torque. In gear, engine and car are one state, in between they are
// two. The speeds do not fit when a dog falls in: momentum decides, by the ratio of the gear, and the impulse
// is reported.
package ShiftGearbox "Inertias, ideal gears and ideal dog clutches"
  import Modelica.Units.SI;

  model DogClutch "Ties two shafts, or lets them go"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    input Boolean engaged;
    SI.AngularVelocity w_rel "speed of flange_b beside flange_a";
    SI.Torque tau "torque that goes through";
  equation
    w_rel = der(flange_b.phi) - der(flange_a.phi);
    flange_a.tau = tau;
    flange_b.tau = -tau;
    if engaged then
      w_rel = 0;
    else
      tau = 0;
    end if;
  end DogClutch;

  model Gearbox "Any number of gears, one of them engaged or none"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    parameter Real ratio[:] = {3.6, 2.1, 1.4, 1.0, 0.8};
    final parameter Integer n = size(ratio, 1);
    input Integer gear "0: neutral";
    DogClutch dog[n];
    Modelica.Mechanics.Rotational.Components.IdealGear wheels[n](ratio=ratio);
  equation
    for k in 1:n loop
      dog[k].engaged = gear == k;
      connect(flange_a, dog[k].flange_a);
      connect(dog[k].flange_b, wheels[k].flange_a);
      connect(wheels[k].flange_b, flange_b);
    end for;
  end Gearbox;

  model Engine "Constant torque, drag while the clutch pedal is down"
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange;
    parameter SI.Inertia J = 0.2;
    parameter SI.Torque torque = 120, drag = 40;
    input Boolean drives;
    SI.Angle phi(start=0, fixed=true);
    SI.AngularVelocity w(start=150, fixed=true);
  equation
    phi = flange.phi;
    w = der(phi);
    J*der(w) = (if drives then torque else -drag) + flange.tau;
  end Engine;

  model Car "Seen from the shaft behind the gearbox: inertia, slope and a resistance that grows with speed"
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
    parameter SI.Inertia J = 10;
    parameter SI.Torque slope = 20;
    parameter SI.RotationalDampingConstant resistance = 0.3;
    SI.Angle phi(start=0, fixed=true);
    SI.AngularVelocity w(start=0, fixed=true);
  equation
    phi = flange.phi;
    w = der(phi);
    J*der(w) = flange.tau - slope - resistance*w;
  end Car;

  model Drive "Each gear for a while, with a pause before the next"
    parameter Real ratio[:] = {3.6, 2.1, 1.4, 1.0, 0.8};
    parameter SI.Time period = 2, pause = 0.25;
    Integer turn = integer(time/period) "periods that have passed";
    Boolean in_gear = time < (turn + 1)*period - pause;
    Gearbox box(ratio=ratio, gear = if in_gear then min(turn + 1, size(ratio, 1)) else 0);
    Engine engine(drives=in_gear);
    Car car;
  equation
    connect(engine.flange, box.flange_a);
    connect(box.flange_b, car.flange);
    annotation(experiment(StopTime=10, Interval=0.01, Tolerance=1e-8));
  end Drive;
end ShiftGearbox;
