model Interleaved "Step-down converter of N branches that take turns"
  parameter Integer N = 4 "branches";
  parameter Real C = 1e-4, L = 1e-4, R = 10, U = 24;
  parameter Real T = 1e-4 "period";
  parameter Real duty = 0.5 "of the share of a branch in the period";
  parameter Real on = 1e-5, off = 1e5;
  parameter Real first = 1e-8 "when the first period begins";
  parameter Real begin = 0.01*T "of the first branch, after each period has begun";
  Real uC(start = 0, fixed = true);
  Real iL[N](each start = 0, each fixed = true);
  discrete Real since(start = 0, fixed = true) "beginning of the present period";
  Boolean closed[N] "switches";
  Boolean conducts[N](each start = false, each fixed = true) "diodes";
  Real Rs[N], Rd[N];
equation
  when sample(first, T) then
    since = time;
  end when;
  C*der(uC) = sum(iL) - uC/R;
  for k in 1:N loop
    closed[k] = time >= since + begin + T*(k - 1)/N
      and time < since + begin + T*(k - 1)/N + duty*T/N;
    conducts[k] = not closed[k] and (pre(closed[k]) or pre(conducts[k])) and iL[k] > 0;
    Rs[k] = if closed[k] then on else off;
    Rd[k] = if conducts[k] then on else off;
    L*der(iL[k]) = (U/Rs[k] - iL[k])*(Rs[k]*Rd[k]/(Rs[k] + Rd[k])) - uC;
  end for;
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-3));
end Interleaved;
