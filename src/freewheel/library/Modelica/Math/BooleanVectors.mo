within Modelica.Math;
package BooleanVectors "Functions of Boolean vectors"
  extends Modelica.Icons.Package;

  function allTrue "All elements are true, and there is at least one"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Boolean result;
  algorithm
    result := size(b, 1) > 0 and countTrue(b) == size(b, 1);
    annotation(Inline=true);
  end allTrue;

  function andTrue "All elements are true; an empty vector counts as true"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Boolean result;
  algorithm
    result := countTrue(b) == size(b, 1);
    annotation(Inline=true);
  end andTrue;

  function anyTrue "At least one element is true"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Boolean result;
  algorithm
    result := countTrue(b) > 0;
    annotation(Inline=true);
  end anyTrue;

  function oneTrue "Exactly one element is true"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Boolean result;
  algorithm
    result := countTrue(b) == 1;
    annotation(Inline=true);
  end oneTrue;

  function countTrue "Number of true elements"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Integer n "Number";
  algorithm
    n := sum(if b[k] then 1 else 0 for k in 1:size(b, 1));
    annotation(Inline=true);
  end countTrue;

  function firstTrueIndex "Index of the first true element, 0 if there is none"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Integer index "Index";
  algorithm
    index := 0;
    for k in size(b, 1):-1:1 loop
      if b[k] then
        index := k;
      end if;
    end for;
  end firstTrueIndex;

  function enumerate "Numbers the true elements; false ones get 0"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Integer enumerated[size(b, 1)] "Numbers";
  protected
    Integer count=0;
  algorithm
    for k in 1:size(b, 1) loop
      count := if b[k] then count + 1 else count;
      enumerated[k] := if b[k] then count else 0;
    end for;
  end enumerate;

  function index "Indices of the true elements"
    extends Modelica.Icons.Function;
    input Boolean b[:] "Vector";
    output Integer indices[countTrue(b)] "Indices";
  protected
    Integer count=0;
  algorithm
    for k in 1:size(b, 1) loop
      if b[k] then
        count := count + 1;
        indices[count] := k;
      end if;
    end for;
  end index;
end BooleanVectors;
