"""Models that grow beyond any machine, from a few lines each."""

from __future__ import annotations

LEVELS = 30  # 2**30 is about 1e9


def _chain(first: str, step: str, last: str) -> str:
    middle = "".join(step.format(i=i, j=i - 1) for i in range(1, LEVELS + 1))
    return f"model Bomb {first} {middle} {last.format(n=LEVELS)} end Bomb;"


BOMBS = {
    "array": "model Bomb Real x[1000000000]; equation der(x) = -x; end Bomb;",
    "tensor": "model Bomb Real x[1000, 1000, 1000]; equation x = fill(1, 1000, 1000, 1000); end Bomb;",
    "parameter": "model Bomb parameter Integer n = 1000000000; parameter Real p[n] = fill(1.0, n);"
    " Real y = sum(p); end Bomb;",
    "integer": "model Bomb constant Integer n = integer(10^18); parameter Real p[n]; end Bomb;",
    "nested arrays": "model Bomb model A Real x[1000] = fill(time, 1000); end A;"
    " model B A a[1000]; end B; B b[1000]; end Bomb;",
    "records": _chain(
        "record R0 Real x = 1; end R0;", "record R{i} R{j} a; R{j} b; end R{i};", "R{n} r;"
    ),
    "redeclarations": _chain(
        "model X0 Real x = time; end X0; model D replaceable model X = X0; X a; X b; end D;",
        "model X{i} = D(redeclare model X = X{j});",
        "X{n} t;",
    ),
    "redeclared through": _chain(
        "model L Real x = time; end L; model T0 replaceable model X = L; X a; X b; end T0;",
        "model T{i} replaceable model X = L; T{j} a(redeclare model X = X); "
        "T{j} b(redeclare model X = X); end T{i};",
        "T{n} t;",
    ),
    "base classes": _chain(
        "model E0 Real x = time; end E0;",
        "model E{i} extends E{j}; extends E{j}; end E{i};",
        "extends E{n};",
    ),
    "conditions": "model Bomb model A parameter Integer n; A a(n = n - 1) if n > 0;"
    " A b(n = n - 1) if n > 0; end A; A a(n = 60); end Bomb;",
    "components": "model Bomb model A Real x = time; end A; A a[1000, 1000, 1000]; end Bomb;",
    "behind small ones": "model Bomb model Z Real z = time; end Z; model A Real x[1000] = fill(time, 1000);"
    " end A; model B Z z, zs[300]; A a[1000]; end B; B b[1000]; end Bomb;",
    "two classes by turns": _chain(
        "model A0 Real x = time; end A0; model B0 Real x = time; end B0;",
        "model A{i} A{j} a; B{j} b; end A{i}; model B{i} B{j} b; A{j} a; end B{i};",
        "A{n} a;",
    ),
    "recursive arrays": "model Bomb model A parameter Integer n = 50;"
    " A a[if n > 0 then 2 else 0](each n = n - 1); Real x = time; end A; A a; end Bomb;",
    "comprehension": "model Bomb Real x[1000, 1000, 1000] ="
    " {i * j * k * time for i in 1:1000, j in 1:1000, k in 1:1000}; end Bomb;",
    "reduction": "model Bomb parameter Real s ="
    " sum(i * j * k for i in 1:1000, j in 1:1000, k in 1:1000); Real x = s * time; end Bomb;",
    "connections": "model Bomb connector P Real v; flow Real i; end P; P p[3000]; equation"
    " for i in 1:3000 loop for j in 1:3000 loop connect(p[i], p[j]); end for; end for; end Bomb;",
    "matrices": "model Bomb Real A[300, 300] = fill(time, 300, 300); Real B[300, 300] = A*A*A; end Bomb;",
    "outer product": "model Bomb Real a[3000] = fill(time, 3000);"
    " Real y = sum(outerProduct(a, a)); end Bomb;",
    "loops": "model Bomb Real x = time; equation for i in 1:3000, j in 1:3000 loop"
    ' assert(i > 0, "a"); end for; end Bomb;',
}
