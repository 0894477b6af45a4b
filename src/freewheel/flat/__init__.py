"""Plain variables and equations; connectors are gone."""
