model Advection "A front carried along a pipe of N cells, made steep by a reaction"
  parameter Integer N = 1000;
  parameter Real mu = 1000 "reaction rate";
  parameter Real alpha = 0.5 "unstable level";
  Real u[N](start = {if i <= N/3 then 1.0 else 0.0 for i in 1:N}, each fixed = true);
equation
  der(u[1]) = (1 - u[1])*N - mu*u[1]*(u[1] - alpha)*(u[1] - 1);
  for i in 2:N loop
    der(u[i]) = (u[i-1] - u[i])*N - mu*u[i]*(u[i] - alpha)*(u[i] - 1);
  end for;
  annotation(experiment(StopTime = 1.0));
end Advection;
