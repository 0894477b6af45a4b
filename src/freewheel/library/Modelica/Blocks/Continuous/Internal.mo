within Modelica.Blocks.Continuous;
package Internal "Functions of filters"
  extends Modelica.Icons.InternalPackage;

  package Filter "Prototypes with a cut-off frequency of 1 rad/s, and what is made of them"
    extends Modelica.Icons.InternalPackage;
    import Modelica.Blocks.Types.{AnalogFilter, FilterType};

    constant Real drop=10^0.3 "Square of the gain at zero over that at the cut-off frequency: 3 dB";

    package base "Factors s + cr and s^2 + c1*s + c0 of the prototypes"
      extends Modelica.Icons.InternalPackage;

      function CriticalDamping "Equal real poles"
        extends Modelica.Icons.Function;
        input Integer order(min=1) "Order";
        input Boolean normalized=true "The gain at 1 rad/s is -3 dB";
        output Real cr[order] "Factors s + cr";
      algorithm
        cr := fill(if normalized then 1/sqrt(drop^(1/order) - 1) else 1, order);
      end CriticalDamping;

      function Butterworth "Poles on half a circle; at 1 rad/s half of the power passes"
        extends Modelica.Icons.Function;
        input Integer order(min=1) "Order";
        input Boolean normalized=true "Not used";
        output Real cr[mod(order, 2)] "Factor s + cr";
        output Real c0[div(order, 2)] "Factors s^2 + c1*s + c0";
        output Real c1[div(order, 2)] "Factors s^2 + c1*s + c0";
      algorithm
        cr := ones(mod(order, 2));
        c0 := ones(div(order, 2));
        c1 := {2*sin((i - 0.5)*Modelica.Constants.pi/order) for i in 1:div(order, 2)};
      end Butterworth;

      function ChebyshevI "Poles on half an ellipse; ripple in the pass band"
        extends Modelica.Icons.Function;
        input Integer order(min=1) "Order";
        input Real A_ripple=0.5 "Ripple in dB";
        input Boolean normalized=true "The gain at 1 rad/s is -3 dB";
        output Real cr[mod(order, 2)] "Factor s + cr";
        output Real c0[div(order, 2)] "Factors s^2 + c1*s + c0";
        output Real c1[div(order, 2)] "Factors s^2 + c1*s + c0";
      protected
        Real epsilon=sqrt(10^(A_ripple/10) - 1);
        Real v=Modelica.Math.asinh(1/epsilon)/order;
        Real T "Chebyshev polynomial at the cut-off frequency";
        Real w=1 "Cut-off frequency";
        Real angle;
      algorithm
        if normalized then
          // The gain is 1 at frequency zero, which lies in a valley of the ripple if the order is even.
          T := sqrt((if mod(order, 2) == 0 then 1 + epsilon^2 else 1)*drop - 1)/epsilon;
          w := if T >= 1 then cosh(Modelica.Math.acosh(T)/order) else cos(acos(T)/order);
        end if;
        cr := fill(sinh(v)/w, mod(order, 2));
        for i in 1:div(order, 2) loop
          angle := (if mod(order, 2) == 0 then i - 0.5 else i)*Modelica.Constants.pi/order;
          c0[i] := (cosh(v)^2 - cos(angle)^2)/w^2;
          c1[i] := 2*sinh(v)*cos(angle)/w;
        end for;
      end ChebyshevI;

      function Bessel "Poles of the reverse Bessel polynomial"
        extends Modelica.Icons.Function;
        input Integer order(min=1) "Order, at most 15";
        input Boolean normalized=true "The gain at 1 rad/s is -3 dB";
        output Real cr[mod(order, 2)] "Factor s + cr";
        output Real c0[div(order, 2)] "Factors s^2 + c1*s + c0";
        output Real c1[div(order, 2)] "Factors s^2 + c1*s + c0";
      protected
        Integer before=div((order - 1)^2, 4) "Factors of lower orders";
        Real w=1 "Cut-off frequency";
      algorithm
        assert(order <= 15, "Bessel filters are offered up to order 15");
        cr := fill(BesselPolynomials.reals[div(order + 1, 2)], mod(order, 2));
        for i in 1:div(order, 2) loop
          c1[i] := BesselPolynomials.factors[before + i, 1];
          c0[i] := BesselPolynomials.factors[before + i, 2];
        end for;
        if normalized then
          w := cutOff(cr, c0, c1);
        end if;
        cr := cr/w;
        c0 := c0/w^2;
        c1 := c1/w;
      end Bessel;
    end base;

    package BesselPolynomials "Roots of y[n] = (2*n - 1)*y[n - 1] + s^2*y[n - 2], y[0] = 1, y[1] = s + 1"
      extends Modelica.Icons.InternalPackage;
      constant Real reals[8]={
        1.0, 2.3221853546260856, 3.6467385953296433, 4.9717868585279357,
        6.2970191817149685, 7.6223398457964295, 8.947709674391791, 10.273109666322478}
        "Real poles of odd orders, with the sign turned";
      constant Real factors[56, 2]=[
        3.0, 3.0;
        3.6778146453739144, 6.4594326934833653;
        5.7924212056407443, 9.140130890277931; 4.2075787943592557, 11.4878004768712;
        6.7039127983070663, 14.272480513279948; 4.6493486063632905, 18.156315313452237;
        8.4967187917267279, 18.801130589570517; 7.4714167126516293, 20.852823177396348;
        5.0318644956216428, 26.514025344068052;
        9.5165810563092579, 25.666444752769034; 8.1402783272762749, 28.936546093263966;
        5.3713537578865315, 36.596785156877451;
        11.17577208652617, 31.977225258279201; 10.409681581273764, 33.934740085181714;
        8.7365784344048048, 38.569253275096192; 5.677967897795261, 48.432018652637096;
        12.258735808548546, 40.589267909914638; 11.208843639015563, 43.646645753129245;
        9.2768797743607806, 49.788502657376288; 5.9585215963601425, 62.041437621985133;
        13.844089810854492, 48.667548564148699; 13.230581930953741, 50.582361562872007;
        11.935056657175572, 54.839156202307485; 9.7724391337179992, 62.625585912537519;
        6.2178324672981964, 77.442700531277434;
        14.968459721463878, 59.031222818141048; 14.115784775339906, 61.987067161952405;
        12.602674909742617, 67.545053036417963; 10.231296567816558, 77.106922677528567;
        6.459444179840612, 94.650481522644015;
        16.506844022824162, 68.871867033368512; 15.994541199202868, 70.763565237459822;
        14.931142480703541, 74.833136219448277; 13.222008499912704, 81.793221363223985;
        10.659417181751658, 93.255102628053651; 6.6860466156050668, 113.67719067761765;
        17.660504168289808, 80.989362055502887; 16.941183542954369, 83.888264340528016;
        15.688760554125192, 89.148311743990656; 13.80074565229332, 97.60915612880409;
        11.061361966688073, 111.08966227831134; 6.8997344412574463, 134.53347741955767;
        19.166342787293933, 92.590096389626206; 18.726291703219104, 94.467834578007048;
        17.822001110750089, 98.429521906079714; 16.397693939976949, 104.95804524306627;
        14.344791924343635, 115.01545881525494; 11.440704767655038, 130.62766983497087;
        7.102173766761252, 157.22859327373085;
        20.341827992880136, 106.4625380025708; 19.719134456792558, 109.32613801336273;
        18.647198641217939, 114.41078261595796; 17.064918104596681, 122.28555115786274;
        14.858793985884308, 134.03227206491582; 11.800303427329295, 151.88417158524795;
        7.2947137249766045, 181.77066012821139]
        "Factors s^2 + [1]*s + [2], order by order";
    end BesselPolynomials;

    function times "Product of two complex numbers"
      extends Modelica.Icons.Function;
      input Real a[2];
      input Real b[2];
      output Real c[2]={a[1]*b[1] - a[2]*b[2], a[1]*b[2] + a[2]*b[1]};
    algorithm
      annotation(Inline=true);
    end times;

    function cutOff "Frequency at which the gain of a low pass with falling gain is -3 dB"
      extends Modelica.Icons.Function;
      input Real cr[:] "Factors s + cr";
      input Real c0[:] "Factors s^2 + c1*s + c0";
      input Real c1[:] "Factors s^2 + c1*s + c0";
      output Real w "Frequency";
    protected
      Real low=0;
      Real high=1;
    algorithm
      while loss(cr, c0, c1, high) < drop loop
        high := 2*high;
      end while;
      // Each round halves the interval: as many rounds as a number has bits, and some for its size.
      for i in 1:60 loop
        w := (low + high)/2;
        if loss(cr, c0, c1, w) < drop then
          low := w;
        else
          high := w;
        end if;
      end for;
    end cutOff;

    function loss "Square of the gain at frequency zero over that at another one"
      extends Modelica.Icons.Function;
      input Real cr[:] "Factors s + cr";
      input Real c0[:] "Factors s^2 + c1*s + c0";
      input Real c1[:] "Factors s^2 + c1*s + c0";
      input Real w "Frequency";
      output Real ratio=1;
    algorithm
      for i in 1:size(cr, 1) loop
        ratio := ratio*(1 + (w/cr[i])^2);
      end for;
      for i in 1:size(c0, 1) loop
        ratio := ratio*((1 - w^2/c0[i])^2 + (w*c1[i]/c0[i])^2);
      end for;
    end loss;

    function realFactors "Factors s + cr of a prototype"
      extends Modelica.Icons.Function;
      input AnalogFilter analogFilter;
      input Integer order;
      input Integer n "Number of such factors";
      input Real A_ripple;
      input Boolean normalized;
      output Real cr[n];
    protected
      Real c0[div(order, 2)];
      Real c1[div(order, 2)];
    algorithm
      if analogFilter == AnalogFilter.CriticalDamping then
        cr := base.CriticalDamping(order, normalized);
      elseif analogFilter == AnalogFilter.Bessel then
        (cr, c0, c1) := base.Bessel(order, normalized);
      elseif analogFilter == AnalogFilter.Butterworth then
        (cr, c0, c1) := base.Butterworth(order, normalized);
      else
        (cr, c0, c1) := base.ChebyshevI(order, A_ripple, normalized);
      end if;
    end realFactors;

    function quadraticFactors "Factors s^2 + c[1]*s + c[2] of a prototype"
      extends Modelica.Icons.Function;
      input AnalogFilter analogFilter;
      input Integer order;
      input Integer n "Number of such factors";
      input Real A_ripple;
      input Boolean normalized;
      output Real c[n, 2];
    protected
      Real cr[mod(order, 2)];
      Real c0[div(order, 2)];
      Real c1[div(order, 2)];
    algorithm
      if analogFilter == AnalogFilter.CriticalDamping then
        return;
      elseif analogFilter == AnalogFilter.Bessel then
        (cr, c0, c1) := base.Bessel(order, normalized);
      elseif analogFilter == AnalogFilter.Butterworth then
        (cr, c0, c1) := base.Butterworth(order, normalized);
      else
        (cr, c0, c1) := base.ChebyshevI(order, A_ripple, normalized);
      end if;
      for i in 1:n loop
        c[i, :] := {c1[i], c0[i]};
      end for;
    end quadraticFactors;

    function realStages "Real poles of a low pass or a high pass"
      extends Modelica.Icons.Function;
      input FilterType filterType;
      input Real cr[:] "Factors s + cr of the prototype";
      input SI.Frequency f_cut "Cut-off frequency";
      output Real r[size(cr, 1)] "Poles";
    protected
      Real w=2*Modelica.Constants.pi*f_cut;
    algorithm
      for i in 1:size(cr, 1) loop
        r[i] := if filterType == FilterType.HighPass then -w/cr[i] else -w*cr[i];
      end for;
    end realStages;

    function quadraticStages "Factors s^2 + e[1]*s + e[2] of a filter"
      extends Modelica.Icons.Function;
      input FilterType filterType;
      input Integer n "Number of such factors";
      input Real cr[:] "Factors s + cr of the prototype";
      input Real c[:, 2] "Factors s^2 + c[1]*s + c[2] of the prototype";
      input SI.Frequency f_min "Lower cut-off frequency of a band";
      input SI.Frequency f_cut "Cut-off frequency";
      output Real e[n, 2];
    protected
      Boolean isBand=filterType == FilterType.BandPass or filterType == FilterType.BandStop;
      Real w=2*Modelica.Constants.pi*(if isBand then sqrt(f_min*f_cut) else f_cut);
      Real band=if isBand then (f_cut - f_min)/sqrt(f_min*f_cut) else 1 "Relative bandwidth";
      Integer nr=size(cr, 1);
      Real two[2, 2];
    algorithm
      // A high pass has 1/s in place of s, a band pass (s + 1/s)/band, a band stop band/(s + 1/s).
      if filterType == FilterType.LowPass then
        for i in 1:n loop
          e[i, :] := {w*c[i, 1], w^2*c[i, 2]};
        end for;
      elseif filterType == FilterType.HighPass then
        for i in 1:n loop
          e[i, :] := {w*c[i, 1]/c[i, 2], w^2/c[i, 2]};
        end for;
      else
        for i in 1:nr loop
          e[i, :] := {w*band*(if filterType == FilterType.BandPass then cr[i] else 1/cr[i]), w^2};
        end for;
        for i in 1:size(c, 1) loop
          two := if filterType == FilterType.BandPass
            then bandFactors(band*c[i, 1], band^2*c[i, 2])
            else bandFactors(band*c[i, 1]/c[i, 2], band^2/c[i, 2]);
          e[nr + 2*i - 1, :] := {w*two[1, 1], w^2*two[1, 2]};
          e[nr + 2*i, :] := {w*two[2, 1], w^2*two[2, 2]};
        end for;
        for i in 1:n loop
          assert(e[i, 2] > (e[i, 1]/2)^2, "the poles of this band are not complex: choose a"
            + " narrower band or another family of filters");
        end for;
      end if;
    end quadraticStages;

    function bandFactors "Factors of u^2 + c1*u + c0 with u = s + 1/s"
      extends Modelica.Icons.Function;
      input Real c1;
      input Real c0;
      output Real e[2, 2] "s^2 + e[1]*s + e[2], the higher frequency first";
    protected
      Real u[2]={-c1/2, sqrt(c0 - c1^2/4)} "A root";
      Real q[2]=times(u, u) - {4, 0};
      Real size_=sqrt(q*q);
      Real root[2] "Square root of q";
      Real s[2];
    algorithm
      // With the sign of the imaginary part of u, so that |u + root| is the larger one.
      root := {-sqrt((size_ + q[1])/2), sqrt((size_ - q[1])/2)};
      s := (u + root)/2;
      e[1, :] := {-2*s[1], s*s};
      // The roots of the other factor are the inverse ones.
      e[2, :] := {e[1, 1]/e[1, 2], 1/e[1, 2]};
    end bandFactors;
  end Filter;
end Internal;
