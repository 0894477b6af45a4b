"""What the house has found, as pictures and pages to read."""
