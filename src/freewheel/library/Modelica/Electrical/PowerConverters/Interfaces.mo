within Modelica.Electrical.PowerConverters;
package Interfaces "Pins, plugs and fire signals"
  extends Modelica.Icons.InterfacesPackage;

  package ACDC "Of rectifiers"
    extends Modelica.Icons.InterfacesPackage;

    partial model ACtwoPin "Two AC pins"
      Modelica.Electrical.Analog.Interfaces.PositivePin ac_p "Positive pin";
      Modelica.Electrical.Analog.Interfaces.NegativePin ac_n "Negative pin";
      SI.Voltage vAC=ac_p.v - ac_n.v "AC voltage";
      SI.Current iAC=ac_p.i "AC current";
      SI.Power powerAC=vAC*iAC "AC power";
    end ACtwoPin;

    partial model ACplug "AC plug"
      parameter Integer m(final min=3) = 3 "Number of phases" annotation(Evaluate=true);
      Modelica.Electrical.Polyphase.Interfaces.PositivePlug ac(final m=m) "Plug";
      SI.Voltage vAC[m]=ac.pin.v "AC potentials";
      SI.Current iAC[m]=ac.pin.i "AC currents";
      SI.Power powerAC[m]=vAC.*iAC "AC powers";
      SI.Power powerTotalAC=sum(powerAC) "AC power of all phases";
    end ACplug;

    partial model ACtwoPlug "Two AC plugs"
      parameter Integer m(final min=3) = 3 "Number of phases" annotation(Evaluate=true);
      Modelica.Electrical.Polyphase.Interfaces.PositivePlug ac_p(final m=m) "Positive plug";
      Modelica.Electrical.Polyphase.Interfaces.NegativePlug ac_n(final m=m) "Negative plug";
      SI.Voltage vAC[m]=ac_p.pin.v - ac_n.pin.v "AC voltages";
      SI.Current iAC[m]=ac_p.pin.i "AC currents";
      SI.Power powerAC[m]=vAC.*iAC "AC powers";
      SI.Power powerTotalAC=sum(powerAC) "AC power of all phases";
    end ACtwoPlug;

    partial model DCpin "One DC pin"
      Modelica.Electrical.Analog.Interfaces.PositivePin dc_p "Pin";
      SI.Voltage vDC=dc_p.v "DC potential";
      SI.Current iDC=dc_p.i "DC current";
      SI.Power powerDC=vDC*iDC "DC power";
    end DCpin;

    partial model DCtwoPin "Two DC pins"
      Modelica.Electrical.Analog.Interfaces.PositivePin dc_p "Positive pin";
      Modelica.Electrical.Analog.Interfaces.NegativePin dc_n "Negative pin";
      SI.Voltage vDC=dc_p.v - dc_n.v "DC voltage";
      SI.Current iDC=dc_p.i "DC current";
      SI.Power powerDC=vDC*iDC "DC power";
    end DCtwoPin;
  end ACDC;

  package DCAC "Of inverters"
    extends Modelica.Icons.InterfacesPackage;

    partial model DCtwoPin "Two DC pins"
      Modelica.Electrical.Analog.Interfaces.PositivePin dc_p "Positive pin";
      Modelica.Electrical.Analog.Interfaces.NegativePin dc_n "Negative pin";
      SI.Voltage vDC=dc_p.v - dc_n.v "DC voltage";
      SI.Current iDC=dc_p.i "DC current";
      SI.Power powerDC=vDC*iDC "DC power";
    end DCtwoPin;

    partial model ACpin "One AC pin"
      Modelica.Electrical.Analog.Interfaces.PositivePin ac "Pin";
      SI.Voltage vAC=ac.v "AC potential";
      SI.Current iAC=ac.i "AC current";
      SI.Power powerAC=vAC*iAC "AC power";
    end ACpin;

    partial model ACplug "AC plug"
      parameter Integer m(final min=3) = 3 "Number of phases" annotation(Evaluate=true);
      Modelica.Electrical.Polyphase.Interfaces.PositivePlug ac(final m=m) "Plug";
      SI.Voltage vAC[m]=ac.pin.v "AC potentials";
      SI.Current iAC[m]=ac.pin.i "AC currents";
      SI.Power powerAC[m]=vAC.*iAC "AC powers";
      SI.Power powerTotalAC=sum(powerAC) "AC power of all phases";
    end ACplug;
  end DCAC;

  package DCDC "Of choppers"
    extends Modelica.Icons.InterfacesPackage;

    partial model DCtwoPin1 "Two pins of the first side"
      Modelica.Electrical.Analog.Interfaces.PositivePin dc_p1 "Positive pin";
      Modelica.Electrical.Analog.Interfaces.NegativePin dc_n1 "Negative pin";
      SI.Voltage vDC1=dc_p1.v - dc_n1.v "First voltage";
      SI.Current iDC1=dc_p1.i "First current";
      SI.Power powerDC1=vDC1*iDC1 "First power";
    end DCtwoPin1;

    partial model DCtwoPin2 "Two pins of the second side"
      Modelica.Electrical.Analog.Interfaces.PositivePin dc_p2 "Positive pin";
      Modelica.Electrical.Analog.Interfaces.NegativePin dc_n2 "Negative pin";
      SI.Voltage vDC2=dc_p2.v - dc_n2.v "Second voltage";
      SI.Current iDC2=dc_p2.i "Second current";
      SI.Power powerDC2=vDC2*iDC2 "Second power";
    end DCtwoPin2;
  end DCDC;

  package Enable "Fire signals that can be blocked"
    extends Modelica.Icons.InterfacesPackage;

    partial model Enable "Parameter or input that lets fire signals pass"
      parameter Boolean useConstantEnable=true "Use constantEnable, not the input"
        annotation(Evaluate=true);
      parameter Boolean constantEnable=true "Fire signals pass";
      Modelica.Blocks.Interfaces.BooleanInput enable if not useConstantEnable "Fire signals pass";
    protected
      Modelica.Blocks.Interfaces.BooleanInput enabled "Fire signals pass";
    equation
      connect(enable, enabled);
      if useConstantEnable then
        enabled = constantEnable;
      end if;
    end Enable;

    partial model Enable1 "One fire signal"
      extends Enable;
      Modelica.Blocks.Interfaces.BooleanInput fire_p "Fires the positive side";
    protected
      Boolean on_p=enabled and fire_p;
    end Enable1;

    partial model Enable2 "Two fire signals"
      extends Enable1;
      Modelica.Blocks.Interfaces.BooleanInput fire_n "Fires the negative side";
    protected
      Boolean on_n=enabled and fire_n;
    end Enable2;

    partial model Enable1m "A fire signal for each phase"
      extends Enable;
      parameter Integer m(final min=3) = 3 "Number of phases" annotation(Evaluate=true);
      Modelica.Blocks.Interfaces.BooleanInput fire_p[m] "Fires the positive side";
    protected
      Boolean on_p[m]={enabled and fire_p[k] for k in 1:m};
    end Enable1m;

    partial model Enable2m "Two fire signals for each phase"
      extends Enable1m;
      Modelica.Blocks.Interfaces.BooleanInput fire_n[m] "Fires the negative side";
    protected
      Boolean on_n[m]={enabled and fire_n[k] for k in 1:m};
    end Enable2m;
  end Enable;
end Interfaces;
