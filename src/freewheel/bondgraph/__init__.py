"""Bond graphs: a view of lumped models, and what causality says about them."""
