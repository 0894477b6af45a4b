within Modelica.Math;
package Random "Random numbers that are the same in each run"
  extends Modelica.Icons.Package;

  package Generators "Generators without memory: the state goes in and comes out"
    extends Modelica.Icons.Package;

    package Xorshift64star "Vigna's xorshift64*"
      constant Integer nState=2 "Numbers in the state";
      extends Modelica.Icons.Package;

      function initialState "A state from two seeds"
        extends Modelica.Icons.Function;
        input Integer localSeed "Seed of the place";
        input Integer globalSeed "Seed of the model";
        output Integer state[nState] "State";
      protected
        Real unused;
      algorithm
        // A state of zeros would stay there for ever.
        state := {if localSeed == 0 and globalSeed == 0 then 126247697 else localSeed, globalSeed};
        // Seeds with few bits need some rounds to spread.
        for k in 1:10 loop
          (unused, state) := random(state);
        end for;
      end initialState;

      pure function random "The next number"
        extends Modelica.Icons.Function;
        input Integer stateIn[nState] "State";
        output Real result "Number between 0 and 1";
        output Integer stateOut[nState] "State after it";
        external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result);
      end random;
    end Xorshift64star;

    package Xorshift128plus "Vigna's xorshift128+"
      constant Integer nState=4 "Numbers in the state";
      extends Modelica.Icons.Package;

      function initialState "A state from two seeds"
        extends Modelica.Icons.Function;
        input Integer localSeed "Seed of the place";
        input Integer globalSeed "Seed of the model";
        output Integer state[nState] "State";
      algorithm
        state := Utilities.initialStateWithXorshift64star(localSeed, globalSeed, nState);
      end initialState;

      pure function random "The next number"
        extends Modelica.Icons.Function;
        input Integer stateIn[nState] "State";
        output Real result "Number between 0 and 1";
        output Integer stateOut[nState] "State after it";
        external "C" ModelicaRandom_xorshift128plus(stateIn, stateOut, result);
      end random;
    end Xorshift128plus;

    package Xorshift1024star "Vigna's xorshift1024*"
      constant Integer nState=33 "Numbers in the state";
      extends Modelica.Icons.Package;

      function initialState "A state from two seeds"
        extends Modelica.Icons.Function;
        input Integer localSeed "Seed of the place";
        input Integer globalSeed "Seed of the model";
        output Integer state[nState] "State";
      algorithm
        state := Utilities.initialStateWithXorshift64star(localSeed, globalSeed, nState);
      end initialState;

      pure function random "The next number"
        extends Modelica.Icons.Function;
        input Integer stateIn[nState] "State";
        output Real result "Number between 0 and 1";
        output Integer stateOut[nState] "State after it";
        external "C" ModelicaRandom_xorshift1024star(stateIn, stateOut, result);
      end random;
    end Xorshift1024star;
  end Generators;

  package Utilities "Seeds, and a generator with a memory of its own"
    extends Modelica.Icons.UtilitiesPackage;

    function initialStateWithXorshift64star "A state of any size from two seeds"
      extends Modelica.Icons.Function;
      input Integer localSeed "Seed of the place";
      input Integer globalSeed "Seed of the model";
      input Integer nState(min=1) "Numbers in the state";
      output Integer state[nState] "State";
    protected
      Integer pair[2];
      Real unused;
    algorithm
      pair := Generators.Xorshift64star.initialState(localSeed, globalSeed);
      for k in 1:nState loop
        state[k] := pair[2 - mod(k, 2)];
        if mod(k, 2) == 0 then
          (unused, pair) := Generators.Xorshift64star.random(pair);
        end if;
      end for;
    end initialStateWithXorshift64star;

    impure function automaticGlobalSeed "A seed for the whole model"
      extends Modelica.Icons.Function;
      output Integer seed "Seed";
      external "C" seed = ModelicaRandom_automaticGlobalSeed(0.0);
    end automaticGlobalSeed;

    function automaticLocalSeed "A seed from the name of a component"
      extends Modelica.Icons.Function;
      input String path "Name with all its parts";
      output Integer seed "Seed";
    algorithm
      seed := Modelica.Utilities.Strings.hashString(path);
    end automaticLocalSeed;

    impure function initializeImpureRandom "Start the generator with a memory"
      extends Modelica.Icons.Function;
      input Integer seed "Seed";
      output Integer id "Hand it to the functions that draw numbers: it sorts them after this one";
    protected
      constant Integer localSeed=715827883;
      impure function setState "Keep the state"
        extends Modelica.Icons.Function;
        input Integer state[33];
        input Integer id;
        external "C" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id);
      end setState;
    algorithm
      id := localSeed;
      setState(initialStateWithXorshift64star(localSeed, seed, 33), id);
    end initializeImpureRandom;

    impure function impureRandom "The next number of the generator with a memory"
      extends Modelica.Icons.Function;
      input Integer id "From initializeImpureRandom";
      output Real y "Number between 0 and 1";
      external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
    end impureRandom;

    impure function impureRandomInteger "The next whole number of the generator with a memory"
      extends Modelica.Icons.Function;
      input Integer id "From initializeImpureRandom";
      input Integer imin=1 "Smallest number";
      input Integer imax=268435456 "Largest number";
      output Integer y "Number";
    algorithm
      y := min(imax, imin + integer(impureRandom(id)*(imax - imin + 1)));
    end impureRandomInteger;
  end Utilities;
end Random;
