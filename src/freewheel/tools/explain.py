"""`freewheel explain CODE|FILE|CLASS`: what a code means, or what is wrong with a model and why.

With `--switches`: which storages fix which ideal switches, singly or together.

The text per code is `errors.md` beside this file: one `## CODE title` each, kept complete by a
test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING

import click

from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    Severity,
    UsageError,
    to_json,
    to_text,
)
from freewheel.tools.options import with_allow, with_json, with_library, with_model
from freewheel.tools.report import MODEL_ERROR, OK, print_json
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api import Model

ASSUMED_START = "E020"
CODE = re.compile(r"[A-Za-z]\d{3}")
HEADING = re.compile(r"^## ([A-Z]\d{3}) (.*)$", re.MULTILINE)


@click.command()
@click.argument("subject", metavar="CODE|FILE|CLASS", required=False)
@with_model
@with_library
@with_allow
@with_json
@click.option(
    "--switches",
    is_flag=True,
    help="Show which states ideal switches remove, and in which position.",
)
@click.option("--all", "is_all", is_flag=True, help="Also switches that remove no state.")
def explain(
    subject: str | None,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    switches: bool,
    is_all: bool,
) -> int:
    """Say what a diagnostic CODE means, or what is wrong with a model.

    Without an argument list all codes.
    """
    if switches or is_all:
        return _print_switches(subject, model, libraries, as_json, is_all)
    if subject is None:
        _print_all(as_json)
    elif CODE.fullmatch(subject):
        _print_one(subject.upper(), as_json)
    else:
        return _print_model(subject, model, libraries, as_json)
    return OK


def read_entries() -> dict[str, tuple[str, str]]:
    """Code -> (title, text), in the order of the page."""
    page = files("freewheel.tools").joinpath("errors.md").read_text(encoding="utf-8")
    headings = list(HEADING.finditer(page))
    ends = [heading.start() for heading in headings[1:]] + [len(page)]
    return {
        heading[1]: (heading[2].strip(), page[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    }


def _print_all(as_json: bool) -> None:
    entries = read_entries()
    if as_json:
        print_json({"codes": {code: title for code, (title, _) in entries.items()}})
        return
    for code, (title, _) in entries.items():
        echo(f"{code}  {title}")


def _print_one(code: str, as_json: bool) -> None:
    entries = read_entries()
    if code not in entries:
        raise UsageError(
            Diagnostic(
                "U007",
                f"there is no diagnostic `{code}`",
                help="`freewheel explain` without a code lists them all",
            )
        )
    title, body = entries[code]
    if as_json:
        print_json({"code": code, "title": title, "text": body})
    else:
        echo(f"{code}: {title}\n\n{body}")


def _print_model(target: str, model: str | None, libraries: Sequence[str], as_json: bool) -> int:
    """Compile the model; show each finding together with the text of its code."""
    from freewheel.api import load
    from freewheel.base.names import show

    loaded = load(target, model=model, library=libraries)
    findings = _findings(loaded)
    is_wrong = any(finding.severity is Severity.ERROR for finding in findings)
    if as_json or findings:
        _print_findings(findings, as_json, show(loaded.name))
    if not as_json and not is_wrong:
        echo(f"{show(loaded.name)}: no errors were found up to simulation")
        _print_conflicts(loaded)
    return MODEL_ERROR if is_wrong else OK


def _print_conflicts(model: Model) -> None:
    """Where switches take states away that is worth telling."""
    from freewheel.listing.switches.show import show_switches

    found = model.switches()
    if found.variables:
        echo(f"\nideal switches take states away:\n{show_switches(found)}", nl=False)


def _print_switches(
    target: str | None, model: str | None, libraries: Sequence[str], as_json: bool, is_all: bool
) -> int:
    from freewheel.api import load
    from freewheel.base.names import show
    from freewheel.listing.switches.show import show_switches

    if target is None:
        raise click.UsageError("--switches needs the name of a file or a class")
    loaded = load(target, model=model, library=libraries)
    found = loaded.switches(every=is_all)
    if as_json:
        print_json({"model": show(loaded.name), **asdict(found)})
    else:
        echo(show_switches(found), nl=False)
    return OK


def _findings(model: Model) -> list[Diagnostic]:
    """What the compiler says, then which equations and variables are behind it."""
    found: list[Diagnostic] = []
    try:
        model.compiled()
        found += [remark for remark in model.remarks() if remark.code == ASSUMED_START]
    except CompileError as failure:
        found += failure.diagnostics
    try:
        found += [d for d in model.explain() if d not in found]
    except CompileError as failure:
        found += [d for d in failure.diagnostics if d not in found]
    return found


def _print_findings(diagnostics: Sequence[Diagnostic], as_json: bool, name: str) -> None:
    entries = read_entries()
    texts = {d.code: entries.get(d.code, ("", ""))[1] for d in diagnostics}
    if as_json:
        findings = [{**to_json(d), "explanation": texts[d.code]} for d in diagnostics]
        print_json({"model": name, "diagnostics": findings})
        return
    told: set[str] = set()
    for diagnostic in diagnostics:
        echo(to_text(diagnostic))
        if diagnostic.code not in told:
            echo(f"\n{texts[diagnostic.code]}")
        told.add(diagnostic.code)
        echo()
