% Integrate an S-function with the classic formula of Runge and Kutta; look for events with flag 5.
%   run_sfunction(name, stop, interval, parts) prints rows `t y1 y2 ...` on the grid.
function run_sfunction(name, stop, interval, parts)
  [sizes, x] = feval(name, 0, [], [], 0);
  n = sizes(1);
  u = zeros(sizes(4), 1);
  outputs = numel(feval(name, 0, x, u, 3)) - numel(feval(name, 0, x, u, 5));
  t = 0;
  before = sign(feval(name, t, x, u, 5));
  show(name, t, x, u, outputs);
  for point = 1:round(stop/interval)
    target = point*interval;
    while t < target - 1e-12*interval
      next = feval(name, t, x, u, 4);
      h = min([interval/parts, target - t, next - t]);
      x_new = rk(name, t, h, x, u, n);
      if any(sign(feval(name, t + h, x_new, u, 5)) ~= before)
        low = 0; high = h;
        while high - low > 1e-12*h + 4e-16*abs(t)
          middle = (low + high)/2;
          x_new = rk(name, t, middle, x, u, n);
          if any(sign(feval(name, t + middle, x_new, u, 5)) ~= before)
            high = middle;
          else
            low = middle;
          end
        end
        h = max(high, 1e-15*(abs(t) + interval));
        x_new = rk(name, t, h, x, u, n);
        x = event(name, t + h, x_new, u, n);
        before = sign(feval(name, t + h, x, u, 5));
      elseif t + h >= next - 1e-12*(1 + abs(t))
        x = event(name, t + h, x_new, u, n);
        before = sign(feval(name, t + h, x, u, 5));
      else
        x = x_new;
      end
      t = t + h;
    end
    show(name, t, x, u, outputs);
  end
end

function x = event(name, t, x, u, n)
  x(n + 1:end) = feval(name, t, x, u, 2);
end

function x_new = rk(name, t, h, x, u, n)
  k1 = feval(name, t, x, u, 1);
  k2 = feval(name, t + h/2, moved(x, h/2*k1, n), u, 1);
  k3 = feval(name, t + h/2, moved(x, h/2*k2, n), u, 1);
  k4 = feval(name, t + h, moved(x, h*k3, n), u, 1);
  x_new = moved(x, h/6*(k1 + 2*k2 + 2*k3 + k4), n);
end

function x = moved(x, step, n)
  x(1:n) = x(1:n) + step(:);
end

function show(name, t, x, u, outputs)
  y = feval(name, t, x, u, 3);
  printf('%.17g', t);
  printf(' %.17g', y(1:outputs));
  printf('\n');
end
