"""Relations, when-clauses, delays and discrete equations: what changes at events, and when."""
