"""Where a command's text goes: stdout, a file, or a field of a JSON object.

deliver_text("der(x) = -x\\n", out=None, as_json=False, about={"model": "Decay"})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from freewheel.base.diagnostics import Diagnostic, to_json
from freewheel.base.files import replacing
from freewheel.tools.report import print_json, report
from freewheel.tools.terminal import echo


def deliver_text(
    text: str,
    out: str | None,
    as_json: bool,
    about: Mapping[str, str],
    warnings: Sequence[Diagnostic] = (),
) -> None:
    """Print or write the text; warnings go to stderr, or into the JSON object."""
    if out is not None:
        with replacing(Path(out)) as stream:
            stream.write(text)
    if as_json:
        body = {"out": out} if out is not None else {"text": text}
        print_json({**about, **body, "diagnostics": [to_json(w) for w in warnings]})
        return
    report(warnings, as_json=False)
    echo(out if out is not None else text.rstrip("\n"))
