"""The cores written by hand are modules of this directory."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
