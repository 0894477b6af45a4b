within Modelica.Math;
package Vectors "Functions of vectors"
  extends Modelica.Icons.Package;

  function isEqual "Two vectors agree within eps"
    extends Modelica.Icons.Function;
    input Real v1[:] "First vector";
    input Real v2[:] "Second vector, perhaps of another size";
    input Real eps(min=0) = 0 "Allowed difference of each element";
    output Boolean result "They agree";
  algorithm
    result := size(v1, 1) == size(v2, 1);
    if result then
      for k in 1:size(v1, 1) loop
        result := result and abs(v1[k] - v2[k]) <= eps;
      end for;
    end if;
  end isEqual;

  function norm "The p-norm of a vector"
    extends Modelica.Icons.Function;
    input Real v[:] "Vector";
    input Real p(min=1) = 2 "Kind of norm: 1, 2, any number above 1, or Modelica.Constants.inf";
    output Real result=0.0 "Norm";
  algorithm
    assert(p >= 1, "a norm needs p >= 1");
    if size(v, 1) == 0 then
      result := 0;
    elseif p >= Modelica.Constants.inf then
      result := max(abs(v));
    elseif abs(p - 2) <= 10*Modelica.Constants.eps then
      result := sqrt(v*v);
    elseif abs(p - 1) <= 10*Modelica.Constants.eps then
      result := sum(abs(v));
    else
      result := sum(abs(v[k])^p for k in 1:size(v, 1))^(1/p);
    end if;
  end norm;

  function length "Euclidean length"
    extends Modelica.Icons.Function;
    input Real v[:] "Vector";
    output Real result "Length";
  algorithm
    result := sqrt(v*v);
    annotation(Inline=true);
  end length;

  function normalize "Vector of length 1 in the same direction; short vectors stay short"
    extends Modelica.Icons.Function;
    input Real v[:] "Vector";
    input Real eps(min=0.0) = 100*Modelica.Constants.eps "Vectors shorter than this are v/eps";
    output Real result[size(v, 1)](each final unit="1") "Normalised vector";
  algorithm
    result := smooth(0, if length(v) >= eps then v/length(v) else v/eps);
    annotation(Inline=true);
  end normalize;

  function normalizeWithAssert "Vector of length 1 in the same direction"
    extends Modelica.Icons.Function;
    input Real v[:] "Vector, not zero";
    output Real result[size(v, 1)] "Normalised vector";
  algorithm
    assert(length(v) > 0.0, "a vector of length zero has no direction");
    result := v/length(v);
    annotation(Inline=true);
  end normalizeWithAssert;

  function reverse "Elements in opposite order"
    extends Modelica.Icons.Function;
    input Real v[:] "Vector";
    output Real result[size(v, 1)] "Reversed vector";
  algorithm
    result := {v[end - k + 1] for k in 1:size(v, 1)};
    annotation(Inline=true);
  end reverse;

  function sort "Elements in ascending or descending order"
    extends Modelica.Icons.Function;
    input Real v[:] "Vector";
    input Boolean ascending=true "Smallest first";
    output Real sorted_v[size(v, 1)]=v "Sorted vector";
    output Integer indices[size(v, 1)]=1:size(v, 1) "sorted_v = v[indices]";
  protected
    Integer place;
    Real value;
    Integer index;
  algorithm
    // Insertion sort: stable, and vectors are short here.
    for k in 2:size(v, 1) loop
      value := sorted_v[k];
      index := indices[k];
      place := k;
      while place > 1 and (if place > 1 then
          (if ascending then sorted_v[place - 1] > value else sorted_v[place - 1] < value)
          else false) loop
        sorted_v[place] := sorted_v[place - 1];
        indices[place] := indices[place - 1];
        place := place - 1;
      end while;
      sorted_v[place] := value;
      indices[place] := index;
    end for;
  end sort;

  function find "Index of the first element that agrees within eps, 0 if none does"
    extends Modelica.Icons.Function;
    input Real e "Wanted element";
    input Real v[:] "Vector";
    input Real eps(min=0) = 0 "Allowed difference";
    output Integer result "Index";
  algorithm
    result := 0;
    for k in size(v, 1):-1:1 loop
      if abs(v[k] - e) <= eps then
        result := k;
      end if;
    end for;
  end find;

  function interpolate "Value on the line through points; outside on the outermost pieces"
    extends Modelica.Icons.Function;
    input Real x[:] "Abscissae, ascending";
    input Real y[size(x, 1)] "Ordinates";
    input Real xi "Wanted abscissa";
    input Integer iLast=1 "Piece to begin the search at";
    output Real yi "Ordinate at xi";
    output Integer iNew=1 "Piece that contains xi";
  protected
    Integer n=size(x, 1);
  algorithm
    assert(n > 0, "interpolation needs at least one point");
    if n == 1 then
      yi := y[1];
    else
      iNew := min(max(iLast, 1), n - 1);
      while iNew < n - 1 and xi >= x[iNew + 1] loop
        iNew := iNew + 1;
      end while;
      while iNew > 1 and xi < x[iNew] loop
        iNew := iNew - 1;
      end while;
      assert(x[iNew + 1] > x[iNew], "abscissae must ascend");
      yi := y[iNew] + (y[iNew + 1] - y[iNew])*(xi - x[iNew])/(x[iNew + 1] - x[iNew]);
    end if;
  end interpolate;

  function relNodePositions "Middles of equal cells between 0 and 1, with both ends"
    extends Modelica.Icons.Function;
    input Integer nNodes "Number of positions";
    output Real xsi[nNodes] "Positions";
  algorithm
    for k in 1:nNodes loop
      xsi[k] := if k == 1 then 0 elseif k == nNodes then 1 else (k - 1.5)/(nNodes - 2);
    end for;
  end relNodePositions;
end Vectors;
