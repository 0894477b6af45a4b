model LcLine "A line of coils and capacitors, open at its end; a pulse goes in"
  parameter Integer N = 200 "elements";
  Real x[N](each start = 0, each fixed = true);
  Real u = if time < 1 then 1 else 0;
equation
  der(x[1]) = u - x[2];
  for i in 2:N - 1 loop
    der(x[i]) = x[i - 1] - x[i + 1];
  end for;
  der(x[N]) = x[N - 1];
  annotation(experiment(StopTime = 200, Tolerance = 1e-3));
end LcLine;
