"""What `delay(..)` and `spatialDistribution(..)` remember."""
