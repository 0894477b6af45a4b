"""Events: detect, locate, iterate; the calendar of time events."""
