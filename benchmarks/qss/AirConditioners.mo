model AirConditioners "N rooms, each with a cooler that switches, and changing sun"
  parameter Integer N = 100 "rooms";
  parameter Real outside = 32;
  // Rooms differ; these numbers look like chance and are the same in each run.
  parameter Real chance[N] = {abs(sin(12.9898*i + 78.233)) for i in 1:N};
  parameter Real capacity[N] = {550 + 100*chance[i] for i in 1:N};
  parameter Real resistance[N] = {1.8 + 0.4*mod(7*chance[i], 1) for i in 1:N};
  parameter Real power[N] = {13 + 2*mod(13*chance[i], 1) for i in 1:N};
  Real th[N](start = {18 + 4*mod(29*chance[i], 1) for i in 1:N}, each fixed = true);
  Boolean cools[N](start = {mod(29*chance[i], 1) > 0.625 for i in 1:N}, each fixed = true);
  Real total = sum(if cools[i] then power[i] else 0 for i in 1:N);
  Real wanted = if time < 1000 then 20 elseif time < 2000 then 20.5 else 20;
  discrete Real sun[N](each start = 0, each fixed = true);
equation
  when sample(10, 10) then
    for i in 1:N loop
      sun[i] = 2*abs(sin(1000*time*chance[i])) - 1;
    end for;
  end when;
  for i in 1:N loop
    cools[i] = if pre(cools[i]) then th[i] > wanted - 0.5 else th[i] > wanted + 0.5;
    der(th[i]) = ((outside + sun[i] - th[i])/resistance[i]
      - (if cools[i] then power[i] else 0))/capacity[i];
  end for;
  annotation(experiment(StopTime = 3000, Tolerance = 1e-3));
end AirConditioners;
