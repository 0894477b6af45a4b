within ;
operator record Complex "Complex number"
  replaceable Real re "Real part";
  replaceable Real im "Imaginary part";

  encapsulated operator 'constructor' "How complex numbers are made"
    function fromReal "From real and imaginary part"
      import Complex;
      input Real re "Real part";
      input Real im=0 "Imaginary part";
      output Complex result(re=re, im=im);
    algorithm
      annotation(Inline=true);
    end fromReal;
  end 'constructor';

  encapsulated operator function '0' "Neutral element of addition"
    import Complex;
    output Complex result;
  algorithm
    result := Complex(0, 0);
    annotation(Inline=true);
  end '0';

  encapsulated operator function '+' "Sum"
    import Complex;
    input Complex c1;
    input Complex c2;
    output Complex c3;
  algorithm
    c3 := Complex(c1.re + c2.re, c1.im + c2.im);
    annotation(Inline=true);
  end '+';

  encapsulated operator '-' "Difference and opposite"
    function negate "Opposite"
      import Complex;
      input Complex c1;
      output Complex c2;
    algorithm
      c2 := Complex(-c1.re, -c1.im);
      annotation(Inline=true);
    end negate;

    function subtract "Difference"
      import Complex;
      input Complex c1;
      input Complex c2;
      output Complex c3;
    algorithm
      c3 := Complex(c1.re - c2.re, c1.im - c2.im);
      annotation(Inline=true);
    end subtract;
  end '-';

  encapsulated operator '*' "Products"
    function multiply "Product of two numbers"
      import Complex;
      input Complex c1;
      input Complex c2;
      output Complex c3;
    algorithm
      c3 := Complex(c1.re*c2.re - c1.im*c2.im, c1.re*c2.im + c1.im*c2.re);
      annotation(Inline=true);
    end multiply;

    function scalarProduct "Sum over conj(c1[k])*c2[k]"
      import Complex;
      input Complex c1[:];
      input Complex c2[size(c1, 1)];
      output Complex c3;
    algorithm
      c3 := Complex(
        sum(c1[k].re*c2[k].re + c1[k].im*c2[k].im for k in 1:size(c1, 1)),
        sum(c1[k].re*c2[k].im - c1[k].im*c2[k].re for k in 1:size(c1, 1)));
      annotation(Inline=true);
    end scalarProduct;
  end '*';

  encapsulated operator function '/' "Quotient"
    import Complex;
    input Complex c1;
    input Complex c2;
    output Complex c3;
  algorithm
    c3 := Complex(
      (c1.re*c2.re + c1.im*c2.im)/(c2.re^2 + c2.im^2),
      (c1.im*c2.re - c1.re*c2.im)/(c2.re^2 + c2.im^2));
    annotation(Inline=true);
  end '/';

  encapsulated operator '^' "Powers"
    function complexPower "Complex exponent"
      import Complex;
      input Complex c1 "Base, not zero";
      input Complex c2 "Exponent";
      output Complex c3;
    protected
      Real modulus=0.5*log(c1.re^2 + c1.im^2) "Logarithm of the modulus of the base";
      Real angle=atan2(c1.im, c1.re) "Angle of the base";
      Real re=modulus*c2.re - angle*c2.im;
      Real im=modulus*c2.im + angle*c2.re;
    algorithm
      c3 := Complex(exp(re)*cos(im), exp(re)*sin(im));
      annotation(Inline=true);
    end complexPower;

    function integerPower "Integer exponent"
      import Complex;
      input Complex c1 "Base";
      input Integer c2 "Exponent";
      output Complex c3;
    algorithm
      c3 := if c2 == 0 then Complex(1) else Complex.'^'.complexPower(c1, Complex(c2));
      annotation(Inline=true);
    end integerPower;
  end '^';

  encapsulated operator function '==' "Both parts are equal"
    import Complex;
    input Complex c1;
    input Complex c2;
    output Boolean result;
  algorithm
    result := c1.re == c2.re and c1.im == c2.im;
    annotation(Inline=true);
  end '==';

  encapsulated operator function '<>' "Some part differs"
    import Complex;
    input Complex c1;
    input Complex c2;
    output Boolean result;
  algorithm
    result := c1.re <> c2.re or c1.im <> c2.im;
    annotation(Inline=true);
  end '<>';

  encapsulated operator function 'String' "Text such as 1 + 2*j"
    import Complex;
    input Complex c;
    input String name="j" "Name of the imaginary unit";
    input Integer significantDigits=6 "Digits of each part";
    output String s="";
  algorithm
    s := String(c.re, significantDigits=significantDigits);
    if c.im <> 0 then
      s := s + (if c.im > 0 then " + " else " - ")
        + String(abs(c.im), significantDigits=significantDigits) + "*" + name;
    end if;
  end 'String';
  annotation(version="4.1.0");
end Complex;
