"""Which positions of switches take which states away, by structure and by numbers."""
