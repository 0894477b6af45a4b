"""State machines become clocked equations."""
