"""The command session of the classic language: `freewheel dymola`."""
