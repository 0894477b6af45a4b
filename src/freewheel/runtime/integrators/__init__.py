"""One-step methods: tableaux, steps, interpolants, step control."""
