"""A figure that shows itself in a notebook, where matplotlib is installed.

`Figure` made without pyplot has no window and no display hook; a notebook asks for `_repr_png_`.
"""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure

DOTS_PER_INCH = 100


class Picture(Figure):
    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.savefig(stream, format="png", dpi=DOTS_PER_INCH)
        return stream.getvalue()
