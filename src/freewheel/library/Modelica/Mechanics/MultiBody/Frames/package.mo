within Modelica.Mechanics.MultiBody;
package Frames "Rotations: from the axes of frame 1 to the axes of frame 2"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  record Orientation "Rotation matrix with the angular velocity of frame 2 against frame 1"
    extends Modelica.Icons.Record;
    Real T[3, 3] "v2 = T*v1 for a vector with components v1 in frame 1 and v2 in frame 2";
    SI.AngularVelocity w[3] "Angular velocity, along axes of frame 2";

    encapsulated function equalityConstraint
      "Three numbers that are zero where two orientations agree"
      import Modelica;
      import Modelica.Mechanics.MultiBody.Frames;
      extends Modelica.Icons.Function;
      input Frames.Orientation R1 "First orientation";
      input Frames.Orientation R2 "Second orientation";
      output Real residue[3] "Angles about the three axes, for small differences";
    protected
      Real x[3]=R1.T*R2.T[1, :] "x axis of the second along axes of the first";
      Real y[3]=R1.T*R2.T[2, :] "y axis";
      Real z[3]=R1.T*R2.T[3, :] "z axis";
    algorithm
      // The quadrant matters: half a turn about an axis must not pass as agreement.
      residue := {Modelica.Math.atan2(y[3], y[2]), Modelica.Math.atan2(z[1], z[3]),
        Modelica.Math.atan2(x[2], x[1])};
      annotation(Inline=true);
    end equalityConstraint;
  end Orientation;

  function orientationConstraint "Six numbers that are zero for a rotation matrix"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output Real residue[6] "Lengths of the columns less one, then products of two columns";
  algorithm
    residue := TransformationMatrices.orientationConstraint(R.T);
    annotation(Inline=true);
  end orientationConstraint;

  function angularVelocity1 "Angular velocity along axes of frame 1"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output SI.AngularVelocity w[3] "Angular velocity";
  algorithm
    w := resolve1(R, R.w);
    annotation(Inline=true);
  end angularVelocity1;

  function angularVelocity2 "Angular velocity along axes of frame 2"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output SI.AngularVelocity w[3] "Angular velocity";
  algorithm
    w := R.w;
    annotation(Inline=true);
  end angularVelocity2;

  function resolve1 "Components in frame 1 of a vector given in frame 2"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Real v2[3] "Components in frame 2";
    output Real v1[3] "Components in frame 1";
  algorithm
    v1 := transpose(R.T)*v2;
    annotation(derivative(noDerivative=R)=Internal.resolve1_der, InlineAfterIndexReduction=true);
  end resolve1;

  function resolve2 "Components in frame 2 of a vector given in frame 1"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Real v1[3] "Components in frame 1";
    output Real v2[3] "Components in frame 2";
  algorithm
    v2 := R.T*v1;
    annotation(derivative(noDerivative=R)=Internal.resolve2_der, InlineAfterIndexReduction=true);
  end resolve2;

  function resolveRelative "Components in frame 2 of a vector given in frame 1, both against world"
    extends Modelica.Icons.Function;
    input Real v1[3] "Components in frame 1";
    input Orientation R1 "Orientation of frame 1";
    input Orientation R2 "Orientation of frame 2";
    output Real v2[3] "Components in frame 2";
  algorithm
    v2 := resolve2(R2, resolve1(R1, v1));
    annotation(
      derivative(noDerivative=R1, noDerivative=R2)=Internal.resolveRelative_der,
      InlineAfterIndexReduction=true);
  end resolveRelative;

  function resolveDyade1 "Components in frame 1 of a tensor given in frame 2"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Real D2[3, 3] "Components in frame 2";
    output Real D1[3, 3] "Components in frame 1";
  algorithm
    D1 := transpose(R.T)*D2*R.T;
    annotation(Inline=true);
  end resolveDyade1;

  function resolveDyade2 "Components in frame 2 of a tensor given in frame 1"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Real D1[3, 3] "Components in frame 1";
    output Real D2[3, 3] "Components in frame 2";
  algorithm
    D2 := R.T*D1*transpose(R.T);
    annotation(Inline=true);
  end resolveDyade2;

  function nullRotation "Frames with the same axes at rest"
    extends Modelica.Icons.Function;
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=identity(3), w=zeros(3));
    annotation(Inline=true);
  end nullRotation;

  function inverseRotation "Rotation from frame 2 to frame 1"
    extends Modelica.Icons.Function;
    input Orientation R "From frame 1 to frame 2";
    output Orientation R_inv "From frame 2 to frame 1";
  algorithm
    R_inv := Orientation(T=transpose(R.T), w=-resolve1(R, R.w));
    annotation(Inline=true);
  end inverseRotation;

  function relativeRotation "Rotation from frame 1 to frame 2, both given against frame 0"
    extends Modelica.Icons.Function;
    input Orientation R1 "From frame 0 to frame 1";
    input Orientation R2 "From frame 0 to frame 2";
    output Orientation R_rel "From frame 1 to frame 2";
  algorithm
    R_rel := Orientation(T=R2.T*transpose(R1.T), w=R2.w - resolve2(R2, resolve1(R1, R1.w)));
    annotation(Inline=true);
  end relativeRotation;

  function absoluteRotation "Rotation from frame 0 to frame 2, by way of frame 1"
    extends Modelica.Icons.Function;
    input Orientation R1 "From frame 0 to frame 1";
    input Orientation R_rel "From frame 1 to frame 2";
    output Orientation R2 "From frame 0 to frame 2";
  algorithm
    R2 := Orientation(T=R_rel.T*R1.T, w=resolve2(R_rel, R1.w) + R_rel.w);
    annotation(Inline=true);
  end absoluteRotation;

  function planarRotation "Rotation about an axis"
    extends Modelica.Icons.Function;
    input Real e[3](each final unit="1") "Axis, of length 1";
    input SI.Angle angle "Angle";
    input SI.AngularVelocity der_angle "Derivative of the angle";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=TransformationMatrices.planarRotation(e, angle), w=e*der_angle);
    annotation(Inline=true);
  end planarRotation;

  function planarRotationAngle "Angle about an axis that turns v1 into v2"
    extends Modelica.Icons.Function;
    input Real e[3](each final unit="1") "Axis, of length 1";
    input Real v1[3] "Components in frame 1, not along the axis";
    input Real v2[3] "Components of the same vector in frame 2";
    output SI.Angle angle "Angle";
  algorithm
    angle := TransformationMatrices.planarRotationAngle(e, v1, v2);
    annotation(Inline=true);
  end planarRotationAngle;

  function axisRotation "Rotation about a coordinate axis"
    extends Modelica.Icons.Function;
    input Integer axis(min=1, max=3) "Number of the axis";
    input SI.Angle angle "Angle";
    input SI.AngularVelocity der_angle "Derivative of the angle";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(
      T=TransformationMatrices.axisRotation(axis, angle), w=Frames.axis(axis)*der_angle);
    annotation(Inline=true);
  end axisRotation;

  function axesRotations "Three rotations about coordinate axes, one after the other"
    extends Modelica.Icons.Function;
    input Integer sequence[3](min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Numbers of the axes";
    input SI.Angle angles[3] "Angles";
    input SI.AngularVelocity der_angles[3] "Derivatives of the angles";
    output Orientation R "Orientation";
  algorithm
    R := absoluteRotation(
      absoluteRotation(
        axisRotation(sequence[1], angles[1], der_angles[1]),
        axisRotation(sequence[2], angles[2], der_angles[2])),
      axisRotation(sequence[3], angles[3], der_angles[3]));
    annotation(Inline=true);
  end axesRotations;

  function axesRotationsAngles "Angles of three rotations about coordinate axes that give R"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Integer sequence[3](min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Numbers of the axes";
    input SI.Angle guessAngle1=0 "The solution with the first angle closest to this is taken";
    output SI.Angle angles[3] "Angles";
  algorithm
    angles := TransformationMatrices.axesRotationsAngles(R.T, sequence, guessAngle1);
  end axesRotationsAngles;

  function smallRotation "Angles about the three axes of a small rotation"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Boolean withResidues=false "Append three numbers that are zero for no rotation";
    output SI.Angle phi[if withResidues then 6 else 3] "Angles";
  algorithm
    phi := TransformationMatrices.smallRotation(R.T, withResidues);
    annotation(Inline=true);
  end smallRotation;

  function from_nxy "Orientation at rest by its x axis and a vector in its x-y plane"
    extends Modelica.Icons.Function;
    input Real n_x[3] "Direction of the x axis";
    input Real n_y[3] "Direction on the side of the y axis";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=TransformationMatrices.from_nxy(n_x, n_y), w=zeros(3));
  end from_nxy;

  function from_nxz "Orientation at rest by its x axis and a vector in its x-z plane"
    extends Modelica.Icons.Function;
    input Real n_x[3](each final unit="1") "Direction of the x axis";
    input Real n_z[3](each final unit="1") "Direction on the side of the z axis";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=TransformationMatrices.from_nxz(n_x, n_z), w=zeros(3));
  end from_nxz;

  function from_T "Orientation by matrix and angular velocity"
    extends Modelica.Icons.Function;
    input Real T[3, 3] "Rotation matrix";
    input SI.AngularVelocity w[3] "Angular velocity, along axes of frame 2";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=T, w=w);
    annotation(Inline=true);
  end from_T;

  function from_T2 "Orientation by matrix and its derivative"
    extends Modelica.Icons.Function;
    input Real T[3, 3] "Rotation matrix";
    input Real der_T[3, 3] "Its derivative";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=T, w=TransformationMatrices.angularVelocity2(T, der_T));
    annotation(Inline=true);
  end from_T2;

  function from_T_inv "Orientation by the transposed matrix and angular velocity"
    extends Modelica.Icons.Function;
    input Real T_inv[3, 3] "Rotation matrix from frame 2 to frame 1";
    input SI.AngularVelocity w[3] "Angular velocity, along axes of frame 1";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=transpose(T_inv), w=-w);
    annotation(Inline=true);
  end from_T_inv;

  function from_Q "Orientation by quaternion and angular velocity"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input SI.AngularVelocity w[3] "Angular velocity, along axes of frame 2";
    output Orientation R "Orientation";
  algorithm
    R := Orientation(T=Quaternions.to_T(Q), w=w);
    annotation(Inline=true);
  end from_Q;

  function to_T "Rotation matrix"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output Real T[3, 3] "Rotation matrix";
  algorithm
    T := R.T;
    annotation(Inline=true);
  end to_T;

  function to_T_inv "Rotation matrix from frame 2 to frame 1"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output Real T_inv[3, 3] "Transposed rotation matrix";
  algorithm
    T_inv := transpose(R.T);
    annotation(Inline=true);
  end to_T_inv;

  function to_Q "Quaternion; of both the one closer to a guess"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Quaternions.Orientation Q_guess=Quaternions.nullRotation() "Guess";
    output Quaternions.Orientation Q "Quaternion";
  algorithm
    Q := Quaternions.from_T(R.T, Q_guess);
  end to_Q;

  function to_vector "Elements of the matrix, row after row"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output Real vec[9] "Elements";
  algorithm
    vec := TransformationMatrices.to_vector(R.T);
    annotation(Inline=true);
  end to_vector;

  function to_exy "x and y axes of frame 2 as columns, along axes of frame 1"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    output Real exy[3, 2] "Axes";
  algorithm
    exy := [R.T[1, :], R.T[2, :]];
    annotation(Inline=true);
  end to_exy;

  function axis "Unit vector along a coordinate axis"
    extends Modelica.Icons.Function;
    input Integer axis(min=1, max=3) "Number of the axis";
    output Real e[3](each final unit="1") "Unit vector";
  algorithm
    e := if axis == 1 then {1, 0, 0} else if axis == 2 then {0, 1, 0} else {0, 0, 1};
    annotation(Inline=true);
  end axis;
end Frames;
