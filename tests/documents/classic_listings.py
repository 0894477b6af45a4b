"""Listings of documents 003 and 000 that the session is to print; loops of the latter in our order."""

DIVIDER = """
U0     V = Va - Vb
R1     u = Va - Vb
       u = R * i
R2     u = Va - Vb
       u = R * i
Common V = 0
divider U0.V = u
       y = R2.u
       R1.Va = U0.Va
       R1.i = U0.i
       R2.Va = R1.Vb
       R2.i = R1.i
       Common.V = R2.Vb
       U0.Vb = Common.V
"""
PARCAP = """
C1     u = Va - Vb
       C*der(u) = i
C2     u = Va - Vb
       C*der(u) = i
I0     V = Va - Vb
       i = II
Common V = 0
parcap I0.II = i
       y = C1.u
       C2.Vb = C1.Vb
       Common.V = C2.Vb
       I0.Vb = Common.V
       C1.Va = I0.Va
       C2.Va = C1.Va
       C1.i + C2.i = I0.i
"""
BY_HAND = """
Common C1.Vb = 0
C1     I0.Va = u + Vb
C2     u = I0.Va - C1.Vb
       i = C*der(u)
parcap C1.i = i - C2.i
C1     der(u) = i/C
I0     V = Va - C1.Vb
parcap y = C1.u
"""
DIVIDER_LOOP = """
Common R2.Vb = 0
U0     Va = divider.u + R2.Vb
SYSTEM OF 4 SIMULTANEOUS EQUATIONS
UNKNOWN VARIABLES
R1.Vb
R2.u
U0.i
R1.u
EQUATIONS
R2     u = [R1.Vb] - Vb
       [u] = R * U0.i
R1     u = R * [U0.i]
       [u] = U0.Va - Vb
{}
END OF SYSTEM OF SIMULTANEOUS EQUATIONS
divider y = R2.u
"""
DIVIDER_SOLVED = """
SOLVED SYSTEM OF EQUATIONS
Q101 = R1.R + R2.R
R1.Vb = (R1.R * R2.Vb + R2.R * U0.Va)/Q101
R2.u = (R2.R * U0.Va - R2.R * R2.Vb)/Q101
U0.i = (U0.Va - R2.Vb)/Q101
R1.u = (R1.R * U0.Va - R1.R * R2.Vb)/Q101
"""
DIVIDER_MATRIX = """
A(1,1) = -1
A(1,2) = 1
b(1) = -R2.Vb
A(2,2) = 1
A(2,3) = -R2.R
A(3,3) = -R1.R
A(3,4) = 1
A(4,1) = 1
A(4,4) = 1
b(4) = U0.Va
"""
PARCAP_SOLVED = """
SYSTEM OF 5 SIMULTANEOUS EQUATIONS
UNKNOWN VARIABLES
  C1.i
  C2.i
  C2.deru
  C1.derVa
  C1.deru
EQUATIONS
parcap [C1.i] + C2.i = i
C2     C * deru = [i]
       [deru] = C1.derVa - C1.derVb
C1     deru = [derVa] - derVb
       C * [deru] = i
SOLVED SYSTEM OF EQUATIONS
C1.i = C1.C * i/(C1.C + C2.C)
C2.i = C2.C * i/(C1.C + C2.C)
C2.deru = i/(C1.C + C2.C)
C1.derVa = i/(C1.C + C2.C)
C1.deru = i/(C1.C + C2.C)
END OF SYSTEM OF SIMULTANEOUS EQUATIONS
parcap y = C1.u
"""
SWITCH_AROUND = """
Common [V] = 0
C      u = [Va] - Common.V
R2     [u] = C.Va - Common.V
       R * [i] = u
Circuit [C.i] + R2.i = Sw.i
C      C * [deru] = i
I0     [u] = Sw.Va - Common.V
"""
SWITCH_LOOP = """
R * [i] = u
[u] = Sw.Va - Common.V
u = [Va] - C.Va
0 = OpenSw * i + (1 - OpenSw) * [u]
[Sw.i] + R1.i = i
"""
SWITCH_SOLVED = """
Q105 = OpenSw - 1
Q106 = R1.R * Q105
Q107 = Q106 + OpenSw
Q108 = R1.R * OpenSw
R1.u = (Q106 * C.Va - Q106 * C.Vb + Q108 * i)/Q107
R1.i = (Q105 * C.Va - Q105 * C.Vb + OpenSw * i)/Q107
Sw.i = (Q105 * C.Vb + Q106 * i - Q105 * C.Va)/Q107
Sw.u = (OpenSw * C.Vb + Q108 * i - OpenSw * C.Va)/Q107
Sw.Va = (OpenSw * C.Vb + Q108 * i + Q106 * C.Va)/Q107
"""
NONLINEAR = """
SYSTEM OF 5 SIMULTANEOUS EQUATIONS
UNKNOWN VARIABLES
Diode.OpenSw
Diode.u
Ri.Vb
Ri.u
U0.i
EQUATIONS
Diode  [OpenSw] = if u <= 0 and not U0.i > 0 then 1 else 0
       [u] = Ri.Vb - Vb
Ri     u = U0.Vb - [Vb]
       R * U0.i = [u]
Diode  0 = OpenSw * [U0.i] + (1 - OpenSw) * u
"""
RECTIFIER = """
model class (TwoPort) VSource
  terminal u0
  u = u0
end
model circuit
  submodel (VSource) U0
  submodel (Resistor) Ri(R = 10), RL(R = 50)
  submodel (Capacitor) C(C = 0.001)
  submodel (Diode) Diode
  submodel (Common) common
  output y
  parameter f = 50
  connect ((U0 - Ri - Diode)//C//RL) - common
  U0.u0 = -sin(2 * 3.14159 * f * Time)
  y = C.u
end
"""
RECTIFIER_LOOP = """
Q101 = if Diode.OpenSwitch then 1 else 0
Q102 = if Diode.OpenSwitch then 0 else 1
Q103 = Ri.R * Q102 - Q101
Q104 = Ri.R * Q102
Diode.u = (Q101 * Diode.Vb - Q101 * U0.Vb)/Q103
Ri.Vb = (Q104 * Diode.Vb - Q101 * U0.Vb)/Q103
Ri.u = (Q104 * U0.Vb - Q104 * Diode.Vb)/Q103
U0.i = (Q102 * U0.Vb - Q102 * Diode.Vb)/Q103
"""
RECTIFIER_SOLVED = f"""
SORTED AND SOLVED EQUATIONS
common Diode.Vb = 0
C      U0.Va = u + Diode.Vb
circuit U0.u0 = -sin(2 * 3.14159 * f * Time)
U0     Vb = Va - u0
SYSTEM OF 4 SIMULTANEOUS EQUATIONS
UNKNOWN VARIABLES
Diode.u
Ri.Vb
Ri.u
U0.i
EQUATIONS
Diode  [u] = Ri.Vb - Vb
Ri     u = U0.Vb - [Vb]
       R * U0.i = [u]
Diode  0 = if OpenSwitch then [U0.i] else u
SOLVED SYSTEM OF EQUATIONS
{RECTIFIER_LOOP}
END OF SYSTEM OF SIMULTANEOUS EQUATIONS
RL     u = U0.Va - Diode.Vb
       i = u/R
circuit C.i = -(U0.i + RL.i)
C      deru = i/C
QRel(1) = Diode.u
If (Init .OR. Event) Then
Call HandleEvent('Diode.u', QM(1), Qp(1), Qn(1), QRel(1), Init, PrintEvent, Time, AnyEvent)
End If
QZp(1) = QRel(1) - Qp(1)
QZn(1) = QRel(1) - Qn(1)
QL(1) = QM(1).LE.0
QRel(2) = U0.i
If (Init .OR. Event) Then
Call HandleEvent('U0.i', QM(2), Qp(2), Qn(2), QRel(2), Init, PrintEvent, Time, AnyEvent)
End If
QZp(2) = QRel(2) - Qp(2)
QZn(2) = QRel(2) - Qn(2)
QL(2) = QM(2).GT.0
Diode  newOpenSwitch = QL(1).AND.(.NOT.QL(2))
END OF SORTED AND SOLVED EQUATIONS
ELIMINATED STATE DERIVATIVES AND OUTPUTS
circuit y = C.u
"""
