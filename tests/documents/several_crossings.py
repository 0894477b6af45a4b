"""A model with several crossings in one step, for the tests of root solvers."""

SEVERAL = """
model Several "four conditions of one step, in an order that is not that of their names"
  parameter Real at[4] = {0.61, 0.23, 0.87, 0.42};
  Real x(start = 0, fixed = true);
  Real seen[4](each start = -1, each fixed = true);
equation
  der(x) = 1 + x;
  for i in 1:4 loop
    when x > exp(at[i]) - 1 then
      seen[i] = time;
    end when;
  end for;
end Several;
"""
