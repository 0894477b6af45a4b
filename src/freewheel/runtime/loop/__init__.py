"""The one time loop: its memory, points and rows, and the recording of results."""
