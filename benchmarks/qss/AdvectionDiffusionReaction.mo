model AdvectionDiffusionReaction "A front that is carried, spreads and reacts"
  parameter Integer N = 1000 "cells";
  parameter Real a = 1 "speed";
  parameter Real d = 0.001 "diffusion";
  parameter Real r = 1000 "reaction";
  parameter Real dx = 10/N;
  Real u[N](start = {if i <= N/5 then 1.0 else 0.0 for i in 1:N}, each fixed = true);
equation
  der(u[1]) = -a*(u[1] - 1)/dx + d*(u[2] - 2*u[1] + 1)/dx^2 + r*u[1]^2*(1 - u[1]);
  for i in 2:N - 1 loop
    der(u[i]) = -a*(u[i] - u[i - 1])/dx + d*(u[i + 1] - 2*u[i] + u[i - 1])/dx^2
      + r*u[i]^2*(1 - u[i]);
  end for;
  der(u[N]) = -a*(u[N] - u[N - 1])/dx + 2*d*(u[N - 1] - u[N])/dx^2 + r*u[N]^2*(1 - u[N]);
  annotation(experiment(StopTime = 10, Tolerance = 1e-3));
end AdvectionDiffusionReaction;
