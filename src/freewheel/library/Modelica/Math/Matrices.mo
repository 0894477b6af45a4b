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

  function leastSquares "x that makes |A*x - b| smallest; of several the shortest"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    input Real b[size(A, 1)] "Right side";
    input Real rcond=100*Modelica.Constants.eps "Reciprocal condition number that decides the rank";
    output Real x[size(A, 2)]=zeros(size(A, 2)) "Solution";
    output Integer rank=0 "Rank of A";
  protected
    Real longer[max(size(A, 1), size(A, 2))];
    Integer info;
  algorithm
    if min(size(A, 1), size(A, 2)) > 0 then
      (longer, info, rank) := LAPACK.dgelsy_vec(A, b, rcond);
      assert(info == 0, "the least squares problem was not solved");
      x := longer[1:size(A, 2)];
    end if;
  end leastSquares;

  function LU "Triangular factors of a matrix with rows exchanged, packed into one"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    output Real LU[size(A, 1), size(A, 2)]=A "U, and below its diagonal L without its ones";
    output Integer pivots[min(size(A, 1), size(A, 2))] "Row k was exchanged with row pivots[k]";
    output Integer info=0 "0, or the first k with U[k, k] = 0";
  protected
    Real row[size(A, 2)];
    Integer pivot;
  algorithm
    for k in 1:min(size(A, 1), size(A, 2)) loop
      pivot := k;
      for j in k + 1:size(A, 1) loop
        if abs(LU[j, k]) > abs(LU[pivot, k]) then
          pivot := j;
        end if;
      end for;
      pivots[k] := pivot;
      row := LU[k, :];
      LU[k, :] := LU[pivot, :];
      LU[pivot, :] := row;
      if LU[k, k] == 0 then
        info := if info == 0 then k else info;
      else
        for j in k + 1:size(A, 1) loop
          LU[j, k] := LU[j, k]/LU[k, k];
          for l in k + 1:size(A, 2) loop
            LU[j, l] := LU[j, l] - LU[j, k]*LU[k, l];
          end for;
        end for;
      end if;
    end for;
  end LU;

  function LU_solve "Solution of A*x = b with the factors of A"
    extends Modelica.Icons.Function;
    input Real LU[:, size(LU, 1)] "Factors, see LU";
    input Integer pivots[size(LU, 1)] "Exchanged rows, see LU";
    input Real b[size(LU, 1)] "Right side";
    output Real x[size(b, 1)] "Solution";
  protected
    Real X[size(b, 1), 1];
  algorithm
    X := LU_solve2(LU, pivots, matrix(b));
    x := X[:, 1];
  end LU_solve;

  function LU_solve2 "Solution of A*X = B with the factors of A"
    extends Modelica.Icons.Function;
    input Real LU[:, size(LU, 1)] "Factors, see LU";
    input Integer pivots[size(LU, 1)] "Exchanged rows, see LU";
    input Real B[size(LU, 1), :] "Right sides";
    output Real X[size(B, 1), size(B, 2)]=B "Solutions";
  protected
    Real row[size(B, 2)];
    Integer n=size(LU, 1);
  algorithm
    for k in 1:n loop
      assert(LU[k, k] <> 0, "the matrix of a linear system is singular");
      row := X[k, :];
      X[k, :] := X[pivots[k], :];
      X[pivots[k], :] := row;
      for j in 1:k - 1 loop
        X[k, :] := X[k, :] - LU[k, j]*X[j, :];
      end for;
    end for;
    for k in n:-1:1 loop
      for j in k + 1:n loop
        X[k, :] := X[k, :] - LU[k, j]*X[j, :];
      end for;
      X[k, :] := X[k, :]/LU[k, k];
    end for;
  end LU_solve2;

  function cholesky "Triangular H with H'*H = A, or H*H' = A"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Symmetric positive definite matrix";
    input Boolean upper=true "H is upper triangular, otherwise lower";
    output Real H[size(A, 1), size(A, 2)]=zeros(size(A, 1), size(A, 2)) "Factor";
  protected
    Real L[size(A, 1), size(A, 1)]=zeros(size(A, 1), size(A, 1)) "Lower factor";
    Real rest;
  algorithm
    for k in 1:size(A, 1) loop
      for j in k:size(A, 1) loop
        rest := if upper then A[k, j] else A[j, k];
        for l in 1:k - 1 loop
          rest := rest - L[j, l]*L[k, l];
        end for;
        if j == k then
          assert(rest > 0, "the matrix is not positive definite");
          L[k, k] := sqrt(rest);
        else
          L[j, k] := rest/L[k, k];
        end if;
      end for;
    end for;
    H := if upper then transpose(L) else L;
  end cholesky;

  function eigenValues "Eigenvalues and eigenvectors"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)] "Matrix";
    output Real eigenvalues[size(A, 1), 2] "Real and imaginary parts";
    output Real eigenvectors[size(A, 1), size(A, 2)]
      "Columns; of a pair of complex ones the real and then the imaginary part";
  protected
    Integer info;
  algorithm
    if size(A, 1) > 0 then
      (eigenvalues[:, 1], eigenvalues[:, 2], eigenvectors, info) := LAPACK.dgeev(A);
      assert(info == 0, "the eigenvalues were not found");
    end if;
  end eigenValues;

  function eigenValueMatrix "Real block diagonal matrix of given eigenvalues"
    extends Modelica.Icons.Function;
    input Real eigenValues[:, 2] "Real and imaginary parts, pairs side by side";
    output Real J[size(eigenValues, 1), size(eigenValues, 1)] "Blocks along the diagonal";
  algorithm
    J := diagonal(eigenValues[:, 1]);
    for k in 1:size(eigenValues, 1) loop
      if eigenValues[k, 2] > 0 then
        J[k, k + 1] := eigenValues[k, 2];
        J[k + 1, k] := -eigenValues[k, 2];
      end if;
    end for;
  end eigenValueMatrix;

  function singularValues "Singular values, and A = U*diagonal(sigma)*VT"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    output Real sigma[min(size(A, 1), size(A, 2))] "Singular values, the largest first";
    output Real U[size(A, 1), size(A, 1)]=identity(size(A, 1)) "Left orthogonal matrix";
    output Real VT[size(A, 2), size(A, 2)]=identity(size(A, 2)) "Right orthogonal matrix, transposed";
  protected
    Integer info;
  algorithm
    if min(size(A, 1), size(A, 2)) > 0 then
      (sigma, U, VT, info) := LAPACK.dgesvd(A);
      assert(info == 0, "the singular values were not found");
    end if;
  end singularValues;

  function rank "Number of singular values that are not zero"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    input Real eps=0 "Smaller values count as zero; 0 for a tolerance by size and rounding";
    output Integer result=0 "Rank";
  protected
    Real sigma[min(size(A, 1), size(A, 2))];
    Real least;
  algorithm
    if min(size(A, 1), size(A, 2)) > 0 then
      sigma := singularValues(A);
      least := if eps > 0 then eps
        else max(size(A, 1), size(A, 2))*sigma[1]*Modelica.Constants.eps;
      for k in 1:size(sigma, 1) loop
        result := if sigma[k] > least then k else result;
      end for;
    end if;
  end rank;

  function conditionNumber "Norm of a matrix times the norm of its inverse"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix";
    input Real p(min=1) = 2 "Norm: 1, 2 or Modelica.Constants.inf";
    output Real result=0 "Condition number";
  protected
    Real sigma[min(size(A, 1), size(A, 2))];
  algorithm
    if min(size(A, 1), size(A, 2)) > 0 then
      if abs(p - 2) <= 10*Modelica.Constants.eps then
        sigma := singularValues(A);
        result := if min(sigma) < 1e-25 then Modelica.Constants.inf else max(sigma)/min(sigma);
      else
        result := norm(A, p)*norm(inv(A), p);
      end if;
    end if;
  end conditionNumber;

  function QR "A[:, p] = Q*R with orthonormal Q and upper triangular R"
    extends Modelica.Icons.Function;
    input Real A[:, :] "Matrix with at least as many rows as columns";
    input Boolean pivoting=true "Columns may be exchanged";
    output Real Q[size(A, 1), size(A, 2)] "Orthonormal columns";
    output Real R[size(A, 2), size(A, 2)]=zeros(size(A, 2), size(A, 2)) "Upper triangular matrix";
    output Integer p[size(A, 2)] "Order of the columns";
  protected
    Real tau[size(A, 2)];
  algorithm
    assert(size(A, 1) >= size(A, 2), "QR needs at least as many rows as columns");
    if pivoting then
      (Q, tau, p) := LAPACK.dgeqp3(A);
    else
      (Q, tau) := LAPACK.dgeqrf(A);
      p := 1:size(A, 2);
    end if;
    for j in 1:size(A, 2) loop
      for k in j:size(A, 2) loop
        R[j, k] := Q[j, k];
      end for;
    end for;
    Q := LAPACK.dorgqr(Q, tau);
  end QR;

  package LAPACK "Functions of LAPACK"
    extends Modelica.Icons.FunctionsPackage;

    pure function dgeev "Eigenvalues and right eigenvectors"
      extends Modelica.Icons.Function;
      input Real A[:, size(A, 1)] "Matrix";
      output Real eigenReal[size(A, 1)] "Real parts";
      output Real eigenImag[size(A, 1)] "Imaginary parts";
      output Real eigenVectors[size(A, 1), size(A, 1)] "Right eigenvectors";
      output Integer info "0: found";
    protected
      Integer n=size(A, 1);
      Real a[size(A, 1), size(A, 1)]=A;
      Real left[1, 1];
      Integer one=1;
      Integer length=12*size(A, 1);
      Real work[12*size(A, 1)];
    external "FORTRAN 77" dgeev(
        "N", "V", n, a, n, eigenReal, eigenImag, left, one, eigenVectors, n, work, length, info);
    end dgeev;

    pure function dgelsy_vec "Least squares, the shortest solution"
      extends Modelica.Icons.Function;
      input Real A[:, :] "Matrix";
      input Real b[size(A, 1)] "Right side";
      input Real rcond=0.0 "Reciprocal condition number that decides the rank";
      output Real x[max(size(A, 1), size(A, 2))]=cat(
        1, b, zeros(max(size(A, 1), size(A, 2)) - size(A, 1))) "Solution in the first elements";
      output Integer info "0: found";
      output Integer rank "Rank of A";
    protected
      Integer m=size(A, 1);
      Integer n=size(A, 2);
      Integer one=1;
      Integer longer=max(size(A, 1), size(A, 2));
      Real a[size(A, 1), size(A, 2)]=A;
      Integer order[size(A, 2)]=zeros(size(A, 2));
      Integer length=5*(size(A, 1) + size(A, 2)) + 1;
      Real work[5*(size(A, 1) + size(A, 2)) + 1];
    external "FORTRAN 77" dgelsy(
        m, n, one, a, m, x, longer, order, rcond, rank, work, length, info);
    end dgelsy_vec;

    pure function dgesvd "Singular values and both orthogonal matrices"
      extends Modelica.Icons.Function;
      input Real A[:, :] "Matrix";
      output Real sigma[min(size(A, 1), size(A, 2))] "Singular values";
      output Real U[size(A, 1), size(A, 1)] "Left orthogonal matrix";
      output Real VT[size(A, 2), size(A, 2)] "Right orthogonal matrix, transposed";
      output Integer info "0: found";
    protected
      Integer m=size(A, 1);
      Integer n=size(A, 2);
      Real a[size(A, 1), size(A, 2)]=A;
      Integer length=5*(size(A, 1) + size(A, 2));
      Real work[5*(size(A, 1) + size(A, 2))];
    external "FORTRAN 77" dgesvd(
        "A", "A", m, n, a, m, sigma, U, m, VT, n, work, length, info);
    end dgesvd;

    pure function dgeqp3 "QR factors with exchanged columns, packed"
      extends Modelica.Icons.Function;
      input Real A[:, :] "Matrix";
      input Integer lwork=3*size(A, 2) + 1 "Length of the work array";
      output Real QR[size(A, 1), size(A, 2)]=A "Packed factors";
      output Real tau[min(size(A, 1), size(A, 2))] "Factors of the reflectors";
      output Integer p[size(A, 2)]=zeros(size(A, 2)) "Order of the columns";
      output Integer info "0: found";
    protected
      Integer m=size(A, 1);
      Integer n=size(A, 2);
      Real work[lwork];
    external "FORTRAN 77" dgeqp3(m, n, QR, m, p, tau, work, lwork, info);
    end dgeqp3;

    pure function dgeqrf "QR factors, packed"
      extends Modelica.Icons.Function;
      input Real A[:, :] "Matrix";
      input Integer lwork=3*size(A, 2) + 1 "Length of the work array";
      output Real Aout[size(A, 1), size(A, 2)]=A "Packed factors";
      output Real tau[min(size(A, 1), size(A, 2))] "Factors of the reflectors";
      output Integer info "0: found";
    protected
      Integer m=size(A, 1);
      Integer n=size(A, 2);
      Real work[lwork];
    external "FORTRAN 77" dgeqrf(m, n, Aout, m, tau, work, lwork, info);
    end dgeqrf;

    pure function dorgqr "Orthonormal columns of packed QR factors"
      extends Modelica.Icons.Function;
      input Real QR[:, :] "Packed factors";
      input Real tau[min(size(QR, 1), size(QR, 2))] "Factors of the reflectors";
      output Real Q[size(QR, 1), size(QR, 2)]=QR "Orthonormal columns";
      output Integer info "0: found";
    protected
      Integer m=size(QR, 1);
      Integer n=size(QR, 2);
      Integer k=size(tau, 1);
      Integer length=10*size(QR, 2) + 1;
      Real work[10*size(QR, 2) + 1];
    external "FORTRAN 77" dorgqr(m, n, k, Q, m, tau, work, length, info);
    end dorgqr;
  end LAPACK;
end Matrices;
