within Modelica.Blocks;
package Noise "Random signals, sampled: they do not depend on the steps of the solver"
  extends Modelica.Icons.Package;

  model GlobalSeed "Settings for all noise blocks of a model"
    parameter Boolean enableNoise=true "Noise blocks make noise, else they are constant";
    parameter Boolean useAutomaticSeed=false "Choose the seed by itself, else fixedSeed";
    parameter Integer fixedSeed=67867967 "Seed";
    final parameter Integer seed(fixed=false) "Seed in use";
    final parameter Integer id_impure(fixed=false) "For functions that draw impure numbers";
  initial equation
    seed = if useAutomaticSeed then Modelica.Math.Random.Utilities.automaticGlobalSeed()
           else fixedSeed;
    id_impure = Modelica.Math.Random.Utilities.initializeImpureRandom(seed);
    annotation(
      defaultComponentName="globalSeed",
      defaultComponentPrefixes="inner",
      missingInnerMessage="Put a GlobalSeed on the top level of the model");
  end GlobalSeed;

  block UniformNoise "All numbers between two limits are alike"
    extends Modelica.Blocks.Interfaces.PartialNoise;
    parameter Real y_min(start=0) "Lower limit";
    parameter Real y_max(start=1) "Upper limit";
  initial equation
    r = Modelica.Math.Distributions.Uniform.quantile(r_raw, y_min, y_max);
  equation
    when generateNoise and sample(startTime, samplePeriod) then
      r = Modelica.Math.Distributions.Uniform.quantile(r_raw, y_min, y_max);
    end when;
  end UniformNoise;

  block NormalNoise "Bell curve"
    extends Modelica.Blocks.Interfaces.PartialNoise;
    parameter Real mu=0 "Mean";
    parameter Real sigma(start=1) "Standard deviation";
  initial equation
    r = Modelica.Math.Distributions.Normal.quantile(r_raw, mu, sigma);
  equation
    when generateNoise and sample(startTime, samplePeriod) then
      r = Modelica.Math.Distributions.Normal.quantile(r_raw, mu, sigma);
    end when;
  end NormalNoise;

  block TruncatedNormalNoise "Bell curve between two limits"
    extends Modelica.Blocks.Interfaces.PartialNoise;
    parameter Real y_min(start=0) "Lower limit";
    parameter Real y_max(start=1) "Upper limit";
    parameter Real mu=(y_max + y_min)/2 "Mean of the whole curve";
    parameter Real sigma=(y_max - y_min)/6 "Standard deviation of the whole curve";
  initial equation
    r = Modelica.Math.Distributions.TruncatedNormal.quantile(r_raw, y_min, y_max, mu, sigma);
  equation
    when generateNoise and sample(startTime, samplePeriod) then
      r = Modelica.Math.Distributions.TruncatedNormal.quantile(r_raw, y_min, y_max, mu, sigma);
    end when;
  end TruncatedNormalNoise;

  block BandLimitedWhiteNoise "White noise up to the frequency that the samples can carry"
    extends Modelica.Blocks.Interfaces.PartialNoise;
    parameter Real noisePower=1 "Power";
  protected
    parameter Real sigma=sqrt(noisePower/samplePeriod);
  initial equation
    r = Modelica.Math.Distributions.Normal.quantile(r_raw, 0, sigma);
  equation
    when generateNoise and sample(startTime, samplePeriod) then
      r = Modelica.Math.Distributions.Normal.quantile(r_raw, 0, sigma);
    end when;
  end BandLimitedWhiteNoise;
end Noise;
