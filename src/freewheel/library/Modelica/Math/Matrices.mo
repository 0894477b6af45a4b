within Modelica.Math;
package Matrices "Functions of matrices, in plain Modelica"
  extends Modelica.Icons.Package;

  function isEqual "Two matrices agree within eps"
    extends Modelica.Icons.Function;
    input Real M1[:, :] "First matrix";
    input Real M2[:, :] "Second matrix, perhaps of another size";
    input Real eps(min=0) = 0 "Allowed difference of each element";
    output Boolean result "They agree";
  algorithm
    result := size(M1, 1) == size(M2, 1) and size(M1, 2) == size(M2, 2);
    if result then
      for row in 1:size(M1, 1) loop
        for column in 1:size(M1, 2) loop
          result := result and abs(M1[row, column] - M2[row, column]) <= eps;
        end for;
      end for;
    end if;
  end isEqual;

  function solve "Solution of A*x = b"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Square matrix, not singular";
    input Real b[size(A, 1)] "Right side";
    output Real x[size(b, 1)] "Solution";
  protected
    Real X[size(b, 1), 1];
  algorithm
    X := solve2(A, matrix(b));
    x := X[:, 1];
  end solve;

  function solve2 "Solution of A*X = B by Gaussian elimination with row pivoting"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Square matrix, not singular";
    input Real B[size(A, 1), :] "Right sides";
    output Real X[size(B, 1), size(B, 2)]=B "Solutions";
  protected
    Real U[size(A, 1), size(A, 1)]=A "Becomes upper triangular";
    Integer n=size(A, 1);
    Integer pivot;
    Real factor;
    Real rowU[size(A, 1)];
    Real rowX[size(B, 2)];
  algorithm
    for k in 1:n loop
      pivot := k;
      for row in k + 1:n loop
        if abs(U[row, k]) > abs(U[pivot, k]) then
          pivot := row;
        end if;
      end for;
      assert(U[pivot, k] <> 0, "the matrix of a linear system is singular");
      rowU := U[k, :];
      U[k, :] := U[pivot, :];
      U[pivot, :] := rowU;
      rowX := X[k, :];
      X[k, :] := X[pivot, :];
      X[pivot, :] := rowX;
      for row in k + 1:n loop
        factor := U[row, k]/U[k, k];
        U[row, :] := U[row, :] - factor*U[k, :];
        X[row, :] := X[row, :] - factor*X[k, :];
      end for;
    end for;
    for k in n:-1:1 loop
      for column in k + 1:n loop
        X[k, :] := X[k, :] - U[k, column]*X[column, :];
      end for;
      X[k, :] := X[k, :]/U[k, k];
    end for;
  end solve2;

  function equalityLeastSquares "x with B*x = b that makes |A*x - a| smallest"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix of the sum of squares";
    input Real a[size(A, 1)] "Vector of the sum of squares";
    input Real B[:, size(A, 2)] "Matrix of the constraint";
    input Real b[size(B, 1)] "Vector of the constraint";
    output Real x[size(A, 2)] "Solution";
  protected
    Integer n=size(A, 2);
    Integer m=size(B, 1);
    Real y[size(A, 2) + size(B, 1)] "Solution and Lagrange multipliers";
  algorithm
    y := solve(
      [transpose(A)*A, transpose(B); B, zeros(m, m)],
      cat(1, transpose(A)*a, b));
    x := y[1:n];
  end equalityLeastSquares;

  function inv "Inverse"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Square matrix, not singular";
    output Real invA[size(A, 1), size(A, 2)] "Inverse of A";
  algorithm
    invA := solve2(A, identity(size(A, 1)));
  end inv;

  function trace "Sum of the diagonal"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Square matrix";
    output Real result "Trace";
  algorithm
    result := sum(A[k, k] for k in 1:size(A, 1));
  end trace;

  function det "Determinant by Gaussian elimination"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Square matrix";
    output Real result "Determinant";
  protected
    Real U[size(A, 1), size(A, 1)]=A;
    Integer n=size(A, 1);
    Integer pivot;
    Real row[size(A, 1)];
  algorithm
    result := 1;
    for k in 1:n loop
      pivot := k;
      for j in k + 1:n loop
        if abs(U[j, k]) > abs(U[pivot, k]) then
          pivot := j;
        end if;
      end for;
      if U[pivot, k] == 0 then
        result := 0;
        return;
      end if;
      if pivot <> k then
        row := U[k, :];
        U[k, :] := U[pivot, :];
        U[pivot, :] := row;
        result := -result;
      end if;
      result := result*U[k, k];
      for j in k + 1:n loop
        U[j, :] := U[j, :] - U[j, k]/U[k, k]*U[k, :];
      end for;
    end for;
  end det;

  function norm "Norm of a matrix: largest column sum (1), row sum (inf) or singular value (2)"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    input Real p(min=1) = 2 "Kind of norm: 1, 2 or Modelica.Constants.inf";
    output Real result=0.0 "Norm";
  protected
    Real v[size(A, 2)];
    Real w[size(A, 2)];
    Real previous;
  algorithm
    if min(size(A)) == 0 then
      return;
    end if;
    if p == 1 then
      result := max(sum(abs(A[:, k])) for k in 1:size(A, 2));
    elseif p == Modelica.Constants.inf then
      result := max(sum(abs(A[k, :])) for k in 1:size(A, 1));
    else
      assert(p == 2, "the norm of a matrix needs p = 1, 2 or inf");
      // Power iteration on A'*A from a vector without symmetry.
      v := {1 + 0.1*k for k in 1:size(A, 2)};
      v := v/sqrt(v*v);
      previous := -1;
      for k in 1:10000 loop
        w := transpose(A)*(A*v);
        result := sqrt(sqrt(w*w));
        if result == 0 or abs(result - previous) <= 1e-15*result then
          return;
        end if;
        previous := result;
        v := w/sqrt(w*w);
      end for;
    end if;
  end norm;

  function frobeniusNorm "Root of the sum of squares of all elements"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    output Real result "Norm";
  algorithm
    result := if min(size(A)) > 0 then sqrt(sum(A.*A)) else 0.0;
  end frobeniusNorm;

  function exp "Matrix exponential of A*T by scaling, Taylor series and squaring"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Square matrix";
    input Real T=1 "Factor, usually a time";
    output Real phi[size(A, 1), size(A, 1)] "exp(A*T)";
  protected
    Real M[size(A, 1), size(A, 1)] "A*T scaled";
    Real term[size(A, 1), size(A, 1)];
    Integer squarings=0;
    Real scale;
  algorithm
    scale := norm(A*T, 1);
    while scale > 0.5 loop
      scale := scale/2;
      squarings := squarings + 1;
    end while;
    M := A*T/2^squarings;
    phi := identity(size(A, 1));
    term := identity(size(A, 1));
    for k in 1:16 loop
      term := term*M/k;
      phi := phi + term;
    end for;
    for k in 1:squarings loop
      phi := phi*phi;
    end for;
  end exp;

  function flipLeftRight "Columns in opposite order"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    output Real Aflip[size(A, 1), size(A, 2)] "Flipped matrix";
  algorithm
    Aflip := A[:, {k for k in size(A, 2):-1:1}];
    annotation(Inline=true);
  end flipLeftRight;

  function flipUpDown "Rows in opposite order"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    output Real Aflip[size(A, 1), size(A, 2)] "Flipped matrix";
  algorithm
    Aflip := A[{k for k in size(A, 1):-1:1}, :];
    annotation(Inline=true);
  end flipUpDown;
end Matrices;
