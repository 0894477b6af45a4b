model SpikingNeurons "N cells after Izhikevich (2003), each with a current of its own"
  parameter Integer N = 100;
  parameter Real a = 0.02, b = 0.2;
  parameter Real chance[N] = {abs(sin(12.9898*i + 78.233)) for i in 1:N};
  parameter Real c[N] = {-65 + 15*chance[i]^2 for i in 1:N} "after a spike";
  parameter Real d[N] = {8 - 6*chance[i]^2 for i in 1:N};
  parameter Real I[N] = {10*mod(17*chance[i], 1) for i in 1:N} "current";
  Real v[N](each start = -60, each fixed = true);
  Real u[N](each start = 0, each fixed = true);
equation
  for i in 1:N loop
    der(v[i]) = 0.04*v[i]^2 + 5*v[i] + 140 - u[i] + I[i];
    der(u[i]) = a*(b*v[i] - u[i]);
    when v[i] > 30 then
      reinit(v[i], c[i]);
      reinit(u[i], u[i] + d[i]);
    end when;
  end for;
  annotation(experiment(StopTime = 1000, Tolerance = 1e-3));
end SpikingNeurons;
