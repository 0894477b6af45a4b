within Modelica.Electrical.Polyphase;
package Functions "Functions of symmetric systems of m phases"
  extends Modelica.Icons.FunctionsPackage;

  // A number m = 2^k*odd of phases has 2^k base systems of an odd number of phases; m = 2^k has base
  // systems of two phases at right angles.

  function numberOfSymmetricBaseSystems "Number of base systems"
    extends Modelica.Icons.Function;
    input Integer m=3 "Number of phases";
    output Integer n "Number of base systems";
  protected
    Integer rest=m "Phases of a base system";
  algorithm
    n := 1;
    while mod(rest, 2) == 0 and rest > 2 loop
      n := 2*n;
      rest := div(rest, 2);
    end while;
  end numberOfSymmetricBaseSystems;

  function symmetricOrientation "Angles of the axes of the phases"
    extends Modelica.Icons.Function;
    input Integer m "Number of phases";
    output SI.Angle orientation[m] "Angles";
  protected
    Integer basic=div(m, numberOfSymmetricBaseSystems(m)) "Phases of a base system";
    Integer filled=basic "Phases that have their angle";
  algorithm
    for k in 1:basic loop
      orientation[k] := (k - 1)*(if basic == 2 then 1/2 else 2/basic)*Modelica.Constants.pi;
    end for;
    // The second half of the phases is turned back by half of the angle between neighbours.
    while filled < m loop
      for k in 1:filled loop
        orientation[filled + k] := orientation[k] - Modelica.Constants.pi/(2*filled);
      end for;
      filled := 2*filled;
    end while;
  end symmetricOrientation;

  function symmetricOrientationMatrix "Angles of the matrix of symmetrical components"
    extends Modelica.Icons.Function;
    input Integer m "Number of phases";
    output SI.Angle oM[m, m]=zeros(m, m) "Angles, base systems along the diagonal";
  protected
    Integer systems=numberOfSymmetricBaseSystems(m);
    Integer basic=div(m, systems);
    SI.Angle o[m]=symmetricOrientation(m);
    SI.Angle turned "First axis of a base system";
    Real factor "Number of the row, or the sign where there are two";
  algorithm
    for s in 0:systems - 1 loop
      turned := if s == 0 then 0 else o[s*basic + 1];
      for j in 1:basic loop
        factor := if basic == 2 then 3 - 2*j else j;
        for k in 1:basic loop
          oM[s*basic + j, s*basic + k] := factor*o[k] + turned;
        end for;
      end for;
    end for;
  end symmetricOrientationMatrix;

  function symmetricTransformationMatrix "Phases to symmetrical components"
    extends Modelica.Icons.Function;
    input Integer m "Number of phases";
    output Complex tM[m, m] "Matrix";
  protected
    Integer basic=div(m, numberOfSymmetricBaseSystems(m));
    SI.Angle oM[m, m]=symmetricOrientationMatrix(m);
    Real size_ "Absolute value";
  algorithm
    for j in 1:m loop
      for k in 1:m loop
        size_ := if div(j - 1, basic) == div(k - 1, basic) then 1/basic else 0;
        tM[j, k] := Modelica.ComplexMath.fromPolar(size_, oM[j, k]);
      end for;
    end for;
  end symmetricTransformationMatrix;

  function symmetricBackTransformationMatrix "Symmetrical components to phases"
    extends Modelica.Icons.Function;
    input Integer m "Number of phases";
    output Complex bTM[m, m] "Matrix";
  protected
    Integer basic=div(m, numberOfSymmetricBaseSystems(m));
    SI.Angle oM[m, m]=symmetricOrientationMatrix(m);
    Real size_ "Absolute value";
  algorithm
    for j in 1:m loop
      for k in 1:m loop
        size_ := if div(j - 1, basic) == div(k - 1, basic) then 1 else 0;
        bTM[j, k] := Modelica.ComplexMath.fromPolar(size_, -oM[k, j]);
      end for;
    end for;
  end symmetricBackTransformationMatrix;

  function indexPositiveSequence "Indices of the positive sequences"
    extends Modelica.Icons.Function;
    input Integer m=3 "Number of phases";
    output Integer ind[numberOfSymmetricBaseSystems(m)] "One index for each base system";
  algorithm
    ind := {(k - 1)*div(m, numberOfSymmetricBaseSystems(m)) + 1
      for k in 1:numberOfSymmetricBaseSystems(m)};
  end indexPositiveSequence;

  function indexNonPositiveSequence "Indices of the other sequences"
    extends Modelica.Icons.Function;
    input Integer m=3 "Number of phases";
    output Integer ind[m - numberOfSymmetricBaseSystems(m)] "Indices";
  protected
    Integer basic=div(m, numberOfSymmetricBaseSystems(m));
    Integer n=0;
  algorithm
    for k in 1:m loop
      if mod(k - 1, basic) <> 0 then
        n := n + 1;
        ind[n] := k;
      end if;
    end for;
  end indexNonPositiveSequence;

  function factorY2D "Voltage of a side of the polygon over that of a phase"
    extends Modelica.Icons.Function;
    input Integer m=3 "Number of phases";
    input Integer kPolygon=1 "Phases from the end of one to the begin of the next";
    output Real y "Ratio";
  protected
    Integer basic=div(m, numberOfSymmetricBaseSystems(m));
    Integer k=if kPolygon < 1 or kPolygon > (basic - 1)/2 then 1 else kPolygon;
  algorithm
    y := if basic == 2 then sqrt(2) else 2*sin(k*Modelica.Constants.pi/basic);
  end factorY2D;

  function factorY2DC "Mean of the rectified voltage over the root mean square of a phase"
    extends Modelica.Icons.Function;
    input Integer m=3 "Number of phases";
    output Real y "Ratio";
  protected
    constant Real pi=Modelica.Constants.pi;
    Integer basic=div(m, numberOfSymmetricBaseSystems(m));
    Real half=pi/(2*m) "Half of the time between commutations, as an angle";
  algorithm
    y := if basic == 2 then 4/pi
      else 2*sqrt(2)*sin((basic - 1)*pi/(2*basic))*sin(half)/half;
  end factorY2DC;

  function quasiRMS "Root of the mean square of the phases"
    extends Modelica.Icons.Function;
    input Real x[:] "Values of the phases";
    output Real y "Root of the mean square";
  algorithm
    y := sqrt(x*x/size(x, 1));
  end quasiRMS;

  function activePower "Power of all phases"
    extends Modelica.Icons.Function;
    input SI.Voltage v[:] "Voltages";
    input SI.Current i[size(v, 1)] "Currents";
    output SI.Power p "Power";
  algorithm
    p := v*i;
  end activePower;
end Functions;
