within Modelica.Blocks;
package Routing "Collecting, splitting and copying signals"
  extends Modelica.Icons.Package;

  block Replicator "Copies of a signal"
    extends Modelica.Blocks.Interfaces.SIMO;
  equation
    y = fill(u, nout);
  end Replicator;

  block IntegerReplicator "Copies of a signal"
    extends Modelica.Blocks.Icons.IntegerBlock;
    parameter Integer nout=1 "Number of copies";
    Modelica.Blocks.Interfaces.IntegerInput u "Input";
    Modelica.Blocks.Interfaces.IntegerOutput y[nout] "Outputs";
  equation
    y = fill(u, nout);
  end IntegerReplicator;

  block BooleanReplicator "Copies of a signal"
    extends Modelica.Blocks.Icons.BooleanBlock;
    parameter Integer nout=1 "Number of copies";
    Modelica.Blocks.Interfaces.BooleanInput u "Input";
    Modelica.Blocks.Interfaces.BooleanOutput y[nout] "Outputs";
  equation
    y = fill(u, nout);
  end BooleanReplicator;

  block ExtractSignal "Chosen elements of a vector"
    extends Modelica.Blocks.Interfaces.MIMO;
    parameter Integer extract[nout]=1:nout "Indices of the chosen elements";
  equation
    for k in 1:nout loop
      y[k] = u[extract[k]];
    end for;
  end ExtractSignal;

  block Extractor "Element of a vector at an index given by signal"
    extends Modelica.Blocks.Interfaces.MISO;
    parameter Boolean allowOutOfRange=false "Indices outside the vector are allowed";
    parameter Real outOfRangeValue=1e10 "Output for such an index";
    Modelica.Blocks.Interfaces.IntegerInput index "Index";
  protected
    Real k[nin] "1 at the index, 0 elsewhere";
  equation
    when {initial(), change(index)} then
      for j in 1:nin loop
        k[j] = if index == j then 1 else 0;
      end for;
    end when;
    y = if not allowOutOfRange or index >= 1 and index <= nin then k*u else outOfRangeValue;
    if not allowOutOfRange then
      assert(index >= 1 and index <= nin, "the index is outside the vector");
    end if;
  end Extractor;

  block Multiplex "Collects the connected inputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n(min=0) = 0 "Number of inputs" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealVectorInput u[n] "Inputs";
    Modelica.Blocks.Interfaces.RealOutput y[n + 0] "Vector";
  equation
    y = u;
  end Multiplex;

  block Multiplex2 "Joins two vectors"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of u1";
    parameter Integer n2=1 "Size of u2";
    Modelica.Blocks.Interfaces.RealInput u1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealInput u2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealOutput y[n1 + n2] "All parts";
  equation
    y = cat(1, u1, u2);
  end Multiplex2;

  block Multiplex3 "Joins three vectors"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of u1";
    parameter Integer n2=1 "Size of u2";
    parameter Integer n3=1 "Size of u3";
    Modelica.Blocks.Interfaces.RealInput u1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealInput u2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealInput u3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealOutput y[n1 + n2 + n3] "All parts";
  equation
    y = cat(1, u1, u2, u3);
  end Multiplex3;

  block Multiplex4 "Joins four vectors"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of u1";
    parameter Integer n2=1 "Size of u2";
    parameter Integer n3=1 "Size of u3";
    parameter Integer n4=1 "Size of u4";
    Modelica.Blocks.Interfaces.RealInput u1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealInput u2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealInput u3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealInput u4[n4] "Part 4";
    Modelica.Blocks.Interfaces.RealOutput y[n1 + n2 + n3 + n4] "All parts";
  equation
    y = cat(1, u1, u2, u3, u4);
  end Multiplex4;

  block Multiplex5 "Joins five vectors"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of u1";
    parameter Integer n2=1 "Size of u2";
    parameter Integer n3=1 "Size of u3";
    parameter Integer n4=1 "Size of u4";
    parameter Integer n5=1 "Size of u5";
    Modelica.Blocks.Interfaces.RealInput u1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealInput u2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealInput u3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealInput u4[n4] "Part 4";
    Modelica.Blocks.Interfaces.RealInput u5[n5] "Part 5";
    Modelica.Blocks.Interfaces.RealOutput y[n1 + n2 + n3 + n4 + n5] "All parts";
  equation
    y = cat(1, u1, u2, u3, u4, u5);
  end Multiplex5;

  block Multiplex6 "Joins six vectors"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of u1";
    parameter Integer n2=1 "Size of u2";
    parameter Integer n3=1 "Size of u3";
    parameter Integer n4=1 "Size of u4";
    parameter Integer n5=1 "Size of u5";
    parameter Integer n6=1 "Size of u6";
    Modelica.Blocks.Interfaces.RealInput u1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealInput u2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealInput u3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealInput u4[n4] "Part 4";
    Modelica.Blocks.Interfaces.RealInput u5[n5] "Part 5";
    Modelica.Blocks.Interfaces.RealInput u6[n6] "Part 6";
    Modelica.Blocks.Interfaces.RealOutput y[n1 + n2 + n3 + n4 + n5 + n6] "All parts";
  equation
    y = cat(1, u1, u2, u3, u4, u5, u6);
  end Multiplex6;

  block DeMultiplex "Spreads a vector over the connected outputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n(min=0) = 0 "Number of outputs" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealInput u[n + 0] "Vector";
    Modelica.Blocks.Interfaces.RealVectorOutput y[n] "Outputs";
  equation
    y = u;
  end DeMultiplex;

  block DeMultiplex2 "Splits a vector into two"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of y1";
    parameter Integer n2=1 "Size of y2";
    Modelica.Blocks.Interfaces.RealInput u[n1 + n2] "All parts";
    Modelica.Blocks.Interfaces.RealOutput y1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealOutput y2[n2] "Part 2";
  equation
    y1 = u[1:n1];
    y2 = u[n1 + 1:n1 + n2];
  end DeMultiplex2;

  block DeMultiplex3 "Splits a vector into three"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of y1";
    parameter Integer n2=1 "Size of y2";
    parameter Integer n3=1 "Size of y3";
    Modelica.Blocks.Interfaces.RealInput u[n1 + n2 + n3] "All parts";
    Modelica.Blocks.Interfaces.RealOutput y1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealOutput y2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealOutput y3[n3] "Part 3";
  equation
    y1 = u[1:n1];
    y2 = u[n1 + 1:n1 + n2];
    y3 = u[n1 + n2 + 1:n1 + n2 + n3];
  end DeMultiplex3;

  block DeMultiplex4 "Splits a vector into four"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of y1";
    parameter Integer n2=1 "Size of y2";
    parameter Integer n3=1 "Size of y3";
    parameter Integer n4=1 "Size of y4";
    Modelica.Blocks.Interfaces.RealInput u[n1 + n2 + n3 + n4] "All parts";
    Modelica.Blocks.Interfaces.RealOutput y1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealOutput y2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealOutput y3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealOutput y4[n4] "Part 4";
  equation
    y1 = u[1:n1];
    y2 = u[n1 + 1:n1 + n2];
    y3 = u[n1 + n2 + 1:n1 + n2 + n3];
    y4 = u[n1 + n2 + n3 + 1:n1 + n2 + n3 + n4];
  end DeMultiplex4;

  block DeMultiplex5 "Splits a vector into five"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of y1";
    parameter Integer n2=1 "Size of y2";
    parameter Integer n3=1 "Size of y3";
    parameter Integer n4=1 "Size of y4";
    parameter Integer n5=1 "Size of y5";
    Modelica.Blocks.Interfaces.RealInput u[n1 + n2 + n3 + n4 + n5] "All parts";
    Modelica.Blocks.Interfaces.RealOutput y1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealOutput y2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealOutput y3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealOutput y4[n4] "Part 4";
    Modelica.Blocks.Interfaces.RealOutput y5[n5] "Part 5";
  equation
    y1 = u[1:n1];
    y2 = u[n1 + 1:n1 + n2];
    y3 = u[n1 + n2 + 1:n1 + n2 + n3];
    y4 = u[n1 + n2 + n3 + 1:n1 + n2 + n3 + n4];
    y5 = u[n1 + n2 + n3 + n4 + 1:n1 + n2 + n3 + n4 + n5];
  end DeMultiplex5;

  block DeMultiplex6 "Splits a vector into six"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1=1 "Size of y1";
    parameter Integer n2=1 "Size of y2";
    parameter Integer n3=1 "Size of y3";
    parameter Integer n4=1 "Size of y4";
    parameter Integer n5=1 "Size of y5";
    parameter Integer n6=1 "Size of y6";
    Modelica.Blocks.Interfaces.RealInput u[n1 + n2 + n3 + n4 + n5 + n6] "All parts";
    Modelica.Blocks.Interfaces.RealOutput y1[n1] "Part 1";
    Modelica.Blocks.Interfaces.RealOutput y2[n2] "Part 2";
    Modelica.Blocks.Interfaces.RealOutput y3[n3] "Part 3";
    Modelica.Blocks.Interfaces.RealOutput y4[n4] "Part 4";
    Modelica.Blocks.Interfaces.RealOutput y5[n5] "Part 5";
    Modelica.Blocks.Interfaces.RealOutput y6[n6] "Part 6";
  equation
    y1 = u[1:n1];
    y2 = u[n1 + 1:n1 + n2];
    y3 = u[n1 + n2 + 1:n1 + n2 + n3];
    y4 = u[n1 + n2 + n3 + 1:n1 + n2 + n3 + n4];
    y5 = u[n1 + n2 + n3 + n4 + 1:n1 + n2 + n3 + n4 + n5];
    y6 = u[n1 + n2 + n3 + n4 + n5 + 1:n1 + n2 + n3 + n4 + n5 + n6];
  end DeMultiplex6;

  model RealPassThrough "The input itself"
    extends Modelica.Blocks.Interfaces.SISO;
  equation
    y = u;
  end RealPassThrough;

  model IntegerPassThrough "The input itself"
    extends Modelica.Blocks.Icons.IntegerBlock;
    Modelica.Blocks.Interfaces.IntegerInput u "Input";
    Modelica.Blocks.Interfaces.IntegerOutput y "Output";
  equation
    y = u;
  end IntegerPassThrough;

  model BooleanPassThrough "The input itself"
    extends Modelica.Blocks.Interfaces.BooleanSISO;
  equation
    y = u;
  end BooleanPassThrough;
end Routing;
