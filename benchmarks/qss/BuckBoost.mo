model BuckBoost "Inverting converter: switch and diode as resistors of two values"
  parameter Real C = 1e-4, L = 1e-4, R = 10, U = 24;
  parameter Real T = 1e-4 "period of the switch";
  parameter Real duty = 0.25 "share of the period in which the switch is closed";
  parameter Real on = 1e-5 "resistance of a closed switch, of a conducting diode";
  parameter Real off = 1e5;
  Real uC(start = 0, fixed = true), iL(start = 0, fixed = true);
  Real iD "current of the diode";
  Real Rs = if closed then on else off;
  Real Rd = if conducts then on else off;
  discrete Real since(start = 0, fixed = true) "beginning of the present period";
  Boolean closed = time < since + duty*T;
  Boolean conducts(start = false, fixed = true);
equation
  when sample(T, T) then
    since = time;
  end when;
  conducts = (if pre(conducts) then iD else iD*off) > 0;
  iD*(Rs + Rd) = iL*Rs - uC - U;
  L*der(iL) = -iD*Rd - uC;
  C*der(uC) = iD - uC/R;
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-3));
end BuckBoost;
