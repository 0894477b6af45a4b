"""`freewheel check FILE|CLASS|DIR`: is it right, and has it as many equations as unknowns?

A package means every class in it, a directory those of each package and each `.mo` or `.dym` file below.
A class with connectors is checked with the connectors open. With `--syntax-only` files are parsed and
nothing else.

    freewheel check circuit.mo
    circuit: 27 unknowns, 27 equations
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.diagnostics import CompileError, Diagnostic, Severity, to_json
from freewheel.dymola.files import SUFFIX, is_classic
from freewheel.tools.options import with_target
from freewheel.tools.progress import progress_bar
from freewheel.tools.report import MODEL_ERROR, OK, print_json, report
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.tools.check_classes import Finding

SUFFIXES = (".mo", SUFFIX)
MOST_LINES = 24  # the lines of a small terminal: beyond that the wrong classes would scroll away


@click.command()
@with_target
@click.option("--syntax-only", is_flag=True, help="Parse the files and stop there.")
@click.option("--all", "is_all", is_flag=True, help="List every class, not only the wrong ones.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Check classes in N processes.",
)
def check(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    syntax_only: bool,
    is_all: bool,
    jobs: int,
) -> int:
    """Check a file, a class or every class of a package or directory."""
    began = monotonic()
    if syntax_only:
        findings = [_parse(path) for path in _files(target, libraries)]
    else:
        findings = _check_classes(target, model, libraries, jobs)
    seconds = monotonic() - began
    if as_json:
        _print_json(findings, seconds)
    else:
        _print(findings, is_all, seconds)
    return MODEL_ERROR if any(finding.failed for finding in findings) else OK


def _check_classes(
    target: str, model: str | None, libraries: Sequence[str], jobs: int
) -> list[Finding]:
    """Findings of every class meant; a file that cannot be read is one finding, not the end."""
    from freewheel.tools.check_classes import check_model, check_places

    places = _places(target)
    if model is not None:
        return [check_model(place, model, libraries) for place in places]
    with progress_bar("checking") as tell:
        return list(check_places(places, libraries, jobs, tell))


def _places(target: str) -> list[str]:
    """The target itself, or the files and packages of a directory that is no package."""
    path = Path(target)
    if not os.path.isdir(path) or os.path.exists(path / "package.mo"):
        return [target]
    # Links to directories may lead back: what they show is not looked at.
    inner = [
        child
        for child in path.iterdir()
        if (os.path.isdir(child) and not child.is_symlink()) or child.suffix in SUFFIXES
    ]
    return [place for child in sorted(inner) for place in _places(str(child))]


def _files(target: str, libraries: Sequence[str]) -> list[Path]:
    """The files to parse: the file named, those below a directory, or the file of a class."""
    from freewheel.api.find import find_file

    path = Path(target)
    if path.is_dir():
        return sorted(file for suffix in SUFFIXES for file in path.rglob(f"*{suffix}"))
    return [find_file(target, [Path(place) for place in libraries])]


def _parse(path: Path) -> Finding:
    from freewheel.dymola.parser import read
    from freewheel.syntax.parser import parse, read_source
    from freewheel.tools.check_classes import Finding

    try:
        source = read_source(path)
        count = len(read(source).models) if is_classic(path) else len(parse(source).classes)
    except CompileError as failure:
        return Finding(str(path), "wrong", failure.diagnostics)
    return Finding(str(path), f"parsed, {_counted(count)}")


def _counted(number: int) -> str:
    return "1 class" if number == 1 else f"{number} classes"


def _print(findings: Sequence[Finding], is_all: bool, seconds: float) -> None:
    """A line for each model, or for the wrong ones if there are too many; then the sums."""
    shown: set[Any] = set()
    for finding in _told(findings, is_all):
        new = [d for d in finding.diagnostics if _is_new(d, shown)]
        again = "" if new or not finding.failed else " (see above)"
        echo(f"{finding.name}: {finding.summary}{again}")
        report(new, as_json=False)
    if len(findings) == 1:
        return
    failed = sum(finding.failed for finding in findings)
    codes = _codes(findings, Severity.ERROR)
    by_code = f" ({', '.join(f'{code}: {n}' for code, n in codes.items())})" if codes else ""
    echo(f"{len(findings)} checked, {failed} wrong{by_code}, in {seconds:.1f} s")


def _is_new(diagnostic: Diagnostic, shown: set[Any]) -> bool:
    """A mistake is told once, not again for each class that uses the class with the mistake."""
    place = diagnostic.labels[0].span if diagnostic.labels else diagnostic.message
    key = (diagnostic.code, diagnostic.severity, place)
    is_new = key not in shown
    shown.add(key)
    return is_new


def _told(findings: Sequence[Finding], is_all: bool) -> list[Finding]:
    """Wrong ones; models if there are few. What is no model is told where there is nothing else."""
    if is_all:
        return list(findings)
    models = [f for f in findings if f.is_model] or list(findings)
    is_short = len(models) <= MOST_LINES
    return [f for f in findings if f.failed or (is_short and f in models)]


def _codes(findings: Sequence[Finding], severity: Severity) -> dict[str, int]:
    """How many classes have a diagnostic of each code; the commonest code first."""
    counts = Counter(
        code
        for finding in findings
        for code in sorted({d.code for d in finding.diagnostics if d.severity is severity})
    )
    return dict(counts.most_common())


def _print_json(findings: Sequence[Finding], seconds: float) -> None:
    shown: set[Any] = set()
    print_json(
        {
            "checked": [
                {"name": f.name, "kind": f.kind, "ok": not f.failed, "summary": f.summary}
                for f in findings
            ],
            "diagnostics": [
                {"class": f.name, **to_json(d)}
                for f in findings
                for d in f.diagnostics
                if _is_new(d, shown)
            ],
            "counts": {
                "checked": len(findings),
                "fine": sum(not f.failed for f in findings),
                "wrong": sum(f.failed for f in findings),
                "kinds": dict(Counter(f.kind for f in findings).most_common()),
                "errors": _codes(findings, Severity.ERROR),
                "warnings": _codes(findings, Severity.WARNING),
            },
            "seconds": round(seconds, 3),
        }
    )
