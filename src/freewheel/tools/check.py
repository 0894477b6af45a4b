"""`freewheel check FILE|CLASS|DIR`: is it right, and has it as many equations as unknowns?

A directory means every model below it: of a package all its models, else those of each `.mo`
or `.dym` file. With `--syntax-only` files are parsed and nothing else.

    freewheel check circuit.mo
    circuit: 27 unknowns, 27 equations
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from freewheel.base.diagnostics import CompileError, Diagnostic, Severity, to_json
from freewheel.base.names import show
from freewheel.dymola.files import SUFFIX, is_classic
from freewheel.tools.options import with_target
from freewheel.tools.report import MODEL_ERROR, OK, print_json, report
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api import Model

SUFFIXES = (".mo", SUFFIX)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one model or file."""

    name: str
    summary: str
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.diagnostics)


@click.command()
@with_target
@click.option("--syntax-only", is_flag=True, help="Parse the files and stop there.")
def check(
    target: str, model: str | None, libraries: Sequence[str], as_json: bool, syntax_only: bool
) -> int:
    """Check a file, a class or every model of a directory."""
    if syntax_only:
        findings = [_parse(path) for path in _files(target, libraries)]
    else:
        findings = list(_check_models(target, model, libraries))
    _tell(findings, as_json)
    return MODEL_ERROR if any(finding.failed for finding in findings) else OK


def _check_models(target: str, model: str | None, libraries: Sequence[str]) -> Iterator[Finding]:
    """Findings of every model meant; a file that cannot be read is one finding, not the end."""
    from freewheel.api import load, models_in

    for place in _places(target):
        try:
            models = (
                models_in(place, library=libraries)
                if model is None
                else [load(place, model=model, library=libraries)]
            )
        except CompileError as failure:
            yield Finding(place, "wrong", failure.diagnostics)
            continue
        if not models:
            yield Finding(place, "parsed; it holds no complete model")
        yield from map(_check_one, models)


def _check_one(model: Model) -> Finding:
    try:
        balance = model.check()
    except CompileError as failure:
        return Finding(show(model.name), "wrong", failure.diagnostics)
    text = f"{balance.unknowns} unknowns, {balance.equations} equations"
    return Finding(show(model.name), text, balance.warnings)


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

    try:
        source = read_source(path)
        count = len(read(source).models) if is_classic(path) else len(parse(source).classes)
    except CompileError as failure:
        return Finding(str(path), "wrong", failure.diagnostics)
    return Finding(str(path), f"parsed, {_counted(count)}")


def _counted(number: int) -> str:
    return "1 class" if number == 1 else f"{number} classes"


def _tell(findings: Sequence[Finding], as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "checked": [
                    {"name": f.name, "ok": not f.failed, "summary": f.summary} for f in findings
                ],
                "diagnostics": [to_json(d) for f in findings for d in f.diagnostics],
            }
        )
        return
    for finding in findings:
        echo(f"{finding.name}: {finding.summary}")
        report(finding.diagnostics, as_json=False)
    failed = sum(finding.failed for finding in findings)
    if len(findings) != 1:
        echo(f"{len(findings)} checked, {failed} wrong")
