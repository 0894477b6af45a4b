"""Memory of the signals of `delay(..)` and `spatialDistribution(..)`."""
