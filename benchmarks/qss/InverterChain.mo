model InverterChain "A pulse through N logical inverters"
  parameter Integer N = 501;
  parameter Real supply = 5, gain = 100, threshold = 1;
  Real u "input: up, hold, down";
  Real x[N](start = {if i == N then 0 elseif mod(i, 2) == 1 then 5.0 else 0.006247 for i in 1:N}, each fixed = true);
equation
  u = if time < 5 then 0 elseif time < 10 then time - 5 elseif time < 15 then 5
    elseif time < 17 then 5 - 2.5*(time - 15) else 0;
  der(x[1]) = supply - x[1] - gain*((if u > threshold then (u - threshold)^2 else 0)
    - (if u - x[1] > threshold then (u - x[1] - threshold)^2 else 0));
  for i in 2:N loop
    der(x[i]) = supply - x[i]
      - gain*((if x[i - 1] > threshold then (x[i - 1] - threshold)^2 else 0)
      - (if x[i - 1] - x[i] > threshold then (x[i - 1] - x[i] - threshold)^2 else 0));
  end for;
  annotation(experiment(StopTime = 200, Tolerance = 1e-3));
end InverterChain;
