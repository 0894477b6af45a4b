"""Numbers only: integration, events, the time loop."""
