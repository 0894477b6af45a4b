"""Graph algorithms on integers; they know no models."""
