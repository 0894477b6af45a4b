within Modelica.Mechanics.MultiBody.Frames;
package TransformationMatrices "Rotations as matrices: v2 = T*v1"
  extends Modelica.Icons.FunctionsPackage;
  import Modelica.Units.SI;

  type Orientation "Rotation matrix"
    extends Internal.TransformationMatrix;

    encapsulated function equalityConstraint
      "Three numbers that are zero where two matrices agree"
      import Modelica;
      import Modelica.Mechanics.MultiBody.Frames.TransformationMatrices;
      extends Modelica.Icons.Function;
      input TransformationMatrices.Orientation T1 "First matrix";
      input TransformationMatrices.Orientation T2 "Second matrix";
      output Real residue[3] "Angles about the three axes, for small differences";
    algorithm
      residue := {T2[2, :]*T1[3, :], T2[3, :]*T1[1, :], T2[1, :]*T1[2, :]};
      annotation(Inline=true);
    end equalityConstraint;
  end Orientation;

  type der_Orientation = Real[3, 3](each unit="1/s") "Derivative of a rotation matrix";

  function orientationConstraint "Six numbers that are zero for a rotation matrix"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Matrix";
    output Real residue[6] "Lengths of the columns less one, then products of two columns";
  algorithm
    residue := {T[:, 1]*T[:, 1] - 1, T[:, 2]*T[:, 2] - 1, T[:, 3]*T[:, 3] - 1,
      T[:, 1]*T[:, 2], T[:, 1]*T[:, 3], T[:, 2]*T[:, 3]};
    annotation(Inline=true);
  end orientationConstraint;

  function angularVelocity1 "Angular velocity along axes of frame 1"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input der_Orientation der_T "Its derivative";
    output SI.AngularVelocity w[3] "Angular velocity";
  algorithm
    w := {T[:, 3]*der_T[:, 2], T[:, 1]*der_T[:, 3], T[:, 2]*der_T[:, 1]};
    annotation(Inline=true);
  end angularVelocity1;

  function angularVelocity2 "Angular velocity along axes of frame 2"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input der_Orientation der_T "Its derivative";
    output SI.AngularVelocity w[3] "Angular velocity";
  algorithm
    w := {T[3, :]*der_T[2, :], T[1, :]*der_T[3, :], T[2, :]*der_T[1, :]};
    annotation(Inline=true);
  end angularVelocity2;

  function resolve1 "Components in frame 1 of a vector given in frame 2"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Real v2[3] "Components in frame 2";
    output Real v1[3] "Components in frame 1";
  algorithm
    v1 := transpose(T)*v2;
    annotation(Inline=true);
  end resolve1;

  function resolve2 "Components in frame 2 of a vector given in frame 1"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Real v1[3] "Components in frame 1";
    output Real v2[3] "Components in frame 2";
  algorithm
    v2 := T*v1;
    annotation(Inline=true);
  end resolve2;

  function multipleResolve1 "Components in frame 1 of vectors given in frame 2, as columns"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Real v2[3, :] "Components in frame 2";
    output Real v1[3, size(v2, 2)] "Components in frame 1";
  algorithm
    v1 := transpose(T)*v2;
    annotation(Inline=true);
  end multipleResolve1;

  function multipleResolve2 "Components in frame 2 of vectors given in frame 1, as columns"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Real v1[3, :] "Components in frame 1";
    output Real v2[3, size(v1, 2)] "Components in frame 2";
  algorithm
    v2 := T*v1;
    annotation(Inline=true);
  end multipleResolve2;

  function resolveDyade1 "Components in frame 1 of a tensor given in frame 2"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Real D2[3, 3] "Components in frame 2";
    output Real D1[3, 3] "Components in frame 1";
  algorithm
    D1 := transpose(T)*D2*T;
    annotation(Inline=true);
  end resolveDyade1;

  function resolveDyade2 "Components in frame 2 of a tensor given in frame 1"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Real D1[3, 3] "Components in frame 1";
    output Real D2[3, 3] "Components in frame 2";
  algorithm
    D2 := T*D1*transpose(T);
    annotation(Inline=true);
  end resolveDyade2;

  function nullRotation "Matrix of no rotation"
    extends Modelica.Icons.Function;
    output TransformationMatrices.Orientation T "Rotation matrix";
  algorithm
    T := identity(3);
    annotation(Inline=true);
  end nullRotation;

  function inverseRotation "Matrix from frame 2 to frame 1"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "From frame 1 to frame 2";
    output TransformationMatrices.Orientation T_inv "From frame 2 to frame 1";
  algorithm
    T_inv := transpose(T);
    annotation(Inline=true);
  end inverseRotation;

  function relativeRotation "Matrix from frame 1 to frame 2, both given against frame 0"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T1 "From frame 0 to frame 1";
    input TransformationMatrices.Orientation T2 "From frame 0 to frame 2";
    output TransformationMatrices.Orientation T_rel "From frame 1 to frame 2";
  algorithm
    T_rel := T2*transpose(T1);
    annotation(Inline=true);
  end relativeRotation;

  function absoluteRotation "Matrix from frame 0 to frame 2, by way of frame 1"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T1 "From frame 0 to frame 1";
    input TransformationMatrices.Orientation T_rel "From frame 1 to frame 2";
    output TransformationMatrices.Orientation T2 "From frame 0 to frame 2";
  algorithm
    T2 := T_rel*T1;
    annotation(Inline=true);
  end absoluteRotation;

  function planarRotation "Matrix of a rotation about an axis"
    extends Modelica.Icons.Function;
    input Real e[3](each final unit="1") "Axis, of length 1";
    input SI.Angle angle "Angle";
    output TransformationMatrices.Orientation T "Rotation matrix";
  protected
    // The part along the axis stays, the part across it turns.
    Real along[3, 3]=matrix(e)*transpose(matrix(e)) "Projection on the axis";
  algorithm
    T := along + (identity(3) - along)*cos(angle) - skew(e)*sin(angle);
    annotation(Inline=true);
  end planarRotation;

  function planarRotationAngle "Angle about an axis that turns v1 into v2"
    extends Modelica.Icons.Function;
    input Real e[3](each final unit="1") "Axis, of length 1";
    input Real v1[3] "Components in frame 1, not along the axis";
    input Real v2[3] "Components of the same vector in frame 2";
    output SI.Angle angle "Angle";
  algorithm
    angle := Modelica.Math.atan2(-cross(e, v1)*v2, v1*v2 - (e*v1)*(e*v2));
    annotation(Inline=true);
  end planarRotationAngle;

  function axisRotation "Matrix of a rotation about a coordinate axis"
    extends Modelica.Icons.Function;
    input Integer axis(min=1, max=3) "Number of the axis";
    input SI.Angle angle "Angle";
    output TransformationMatrices.Orientation T "Rotation matrix";
  algorithm
    T := if axis == 1 then
        [1, 0, 0; 0, cos(angle), sin(angle); 0, -sin(angle), cos(angle)]
      else if axis == 2 then
        [cos(angle), 0, -sin(angle); 0, 1, 0; sin(angle), 0, cos(angle)]
      else
        [cos(angle), sin(angle), 0; -sin(angle), cos(angle), 0; 0, 0, 1];
    annotation(Inline=true);
  end axisRotation;

  function axesRotations "Matrix of three rotations about coordinate axes"
    extends Modelica.Icons.Function;
    input Integer sequence[3](min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Numbers of the axes";
    input SI.Angle angles[3]={0, 0, 0} "Angles";
    output TransformationMatrices.Orientation T "Rotation matrix";
  algorithm
    T := axisRotation(sequence[3], angles[3])*axisRotation(sequence[2], angles[2])
      *axisRotation(sequence[1], angles[1]);
    annotation(Inline=true);
  end axesRotations;

  function axesRotationsAngles "Angles of three rotations about coordinate axes that give T"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Integer sequence[3](min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Numbers of the axes";
    input SI.Angle guessAngle1=0 "The solution with the first angle closest to this is taken";
    output SI.Angle angles[3] "Angles";
  protected
    Real e1[3]=Frames.axis(sequence[1]) "First axis";
    Real e2[3]=Frames.axis(sequence[2]) "Second axis, in the frame after the first rotation";
    Real e3[3]=Frames.axis(sequence[3]) "Third axis, in frame 2";
    Real third[3]=transpose(T)*e3 "Third axis, in frame 1";
    // The second axis is at right angles to the third: cos(angle 1)*a + sin(angle 1)*b = 0.
    Real a=e2*third;
    Real b=cross(e1, e2)*third;
    Real T1[3, 3] "First rotation";
    SI.Angle other "The second solution for the first angle";
  algorithm
    assert(sequence[1] <> sequence[2] and sequence[2] <> sequence[3],
      "neighbours in sequence must be different axes");
    // First and third axis are parallel: only the sum of both angles counts.
    if abs(a) <= 1e-12 and abs(b) <= 1e-12 then
      angles[1] := guessAngle1;
    else
      angles[1] := Modelica.Math.atan2(a, -b);
      other := if angles[1] > 0 then angles[1] - Modelica.Constants.pi
        else angles[1] + Modelica.Constants.pi;
      if abs(other - guessAngle1) < abs(angles[1] - guessAngle1) then
        angles[1] := other;
      end if;
    end if;
    T1 := planarRotation(e1, angles[1]);
    angles[2] := planarRotationAngle(e2, T1*third, e3);
    angles[3] := planarRotationAngle(e3, e2, T*(transpose(T1)*e2));
    // Half a turn has two names: rounding must not choose between them.
    for k in 2:3 loop
      if angles[k] < 1e-12 - Modelica.Constants.pi then
        angles[k] := angles[k] + 2*Modelica.Constants.pi;
      end if;
    end for;
  end axesRotationsAngles;

  function smallRotation "Angles about the three axes of a small rotation"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Boolean withResidues=false "Append three numbers that are zero for no rotation";
    output SI.Angle phi[if withResidues then 6 else 3] "Angles";
  algorithm
    phi := if withResidues then
        {T[2, 3], T[3, 1], T[1, 2], T[1, 1] - 1, T[2, 2] - 1, T[3, 3] - 1}
      else {T[2, 3], T[3, 1], T[1, 2]};
    annotation(Inline=true);
  end smallRotation;

  function from_nxy "Matrix by the x axis and a vector in the x-y plane"
    extends Modelica.Icons.Function;
    input Real n_x[3] "Direction of the x axis";
    input Real n_y[3] "Direction on the side of the y axis";
    output TransformationMatrices.Orientation T "Rotation matrix";
  protected
    // Directions that say nothing are replaced, so that shapes of no length do no harm.
    Real x[3]=if n_x*n_x < 1e-20 then {1, 0, 0} else Modelica.Math.Vectors.normalize(n_x);
    Real y[3]=if n_y*n_y < 1e-20 then {0, 1, 0} else Modelica.Math.Vectors.normalize(n_y);
    Real z[3]=cross(x, y);
  algorithm
    if z*z <= 1e-6 then
      z := cross(x, if abs(x[1]) > 1e-6 then {0, 1, 0} else {1, 0, 0});
    end if;
    z := Modelica.Math.Vectors.normalize(z);
    y := cross(z, x);
    T := transpose([x, y, z]);
  end from_nxy;

  function from_nxz "Matrix by the x axis and a vector in the x-z plane"
    extends Modelica.Icons.Function;
    input Real n_x[3](each final unit="1") "Direction of the x axis";
    input Real n_z[3](each final unit="1") "Direction on the side of the z axis";
    output TransformationMatrices.Orientation T "Rotation matrix";
  protected
    Real x[3]=if n_x*n_x < 1e-20 then {1, 0, 0} else Modelica.Math.Vectors.normalize(n_x);
    Real z[3]=if n_z*n_z < 1e-20 then {0, 0, 1} else Modelica.Math.Vectors.normalize(n_z);
    Real y[3]=cross(z, x);
  algorithm
    if y*y <= 1e-6 then
      y := cross(if abs(x[1]) > 1e-6 then {0, 0, 1} else {1, 0, 0}, x);
    end if;
    y := Modelica.Math.Vectors.normalize(y);
    z := cross(x, y);
    T := transpose([x, y, z]);
  end from_nxz;

  function from_T "The matrix itself"
    extends Modelica.Icons.Function;
    input Real T[3, 3] "Rotation matrix";
    output TransformationMatrices.Orientation R "Orientation";
  algorithm
    R := T;
    annotation(Inline=true);
  end from_T;

  function from_T_inv "The transposed matrix"
    extends Modelica.Icons.Function;
    input Real T_inv[3, 3] "Rotation matrix from frame 2 to frame 1";
    output TransformationMatrices.Orientation R "Orientation";
  algorithm
    R := transpose(T_inv);
    annotation(Inline=true);
  end from_T_inv;

  function from_Q "Matrix of a quaternion"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    output TransformationMatrices.Orientation T "Rotation matrix";
  algorithm
    T := Quaternions.to_T(Q);
    annotation(Inline=true);
  end from_Q;

  function to_T "The matrix itself"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation R "Orientation";
    output Real T[3, 3] "Rotation matrix";
  algorithm
    T := R;
    annotation(Inline=true);
  end to_T;

  function to_T_inv "The transposed matrix"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation R "Orientation";
    output Real T_inv[3, 3] "Rotation matrix from frame 2 to frame 1";
  algorithm
    T_inv := transpose(R);
    annotation(Inline=true);
  end to_T_inv;

  function to_Q "Quaternion; of both the one closer to a guess"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    input Quaternions.Orientation Q_guess=Quaternions.nullRotation() "Guess";
    output Quaternions.Orientation Q "Quaternion";
  algorithm
    Q := Quaternions.from_T(T, Q_guess);
    annotation(Inline=true);
  end to_Q;

  function to_vector "Elements of the matrix, row after row"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    output Real vec[9] "Elements";
  algorithm
    vec := {T[1, 1], T[1, 2], T[1, 3], T[2, 1], T[2, 2], T[2, 3], T[3, 1], T[3, 2], T[3, 3]};
    annotation(Inline=true);
  end to_vector;

  function to_exy "x and y axes of frame 2 as columns, along axes of frame 1"
    extends Modelica.Icons.Function;
    input TransformationMatrices.Orientation T "Rotation matrix";
    output Real exy[3, 2] "Axes";
  algorithm
    exy := [T[1, :], T[2, :]];
    annotation(Inline=true);
  end to_exy;
end TransformationMatrices;
