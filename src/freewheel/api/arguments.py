"""Wrong calls from Python: keywords that are not there, values of the wrong type.

@with_named_arguments
def simulate(self, *, stop=None, tol=None): ...

model.simulate(tolerance=1e-6)     # TypeError: simulate() has no argument `tolerance`: use `tol=`
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

# What the same thing is called elsewhere.
OTHER_WORDS = {
    **dict.fromkeys(("tolerance", "rtol", "reltol", "rel_tol", "relative_tolerance"), "tol"),
    **dict.fromkeys(("parameters", "param", "parameter", "modifiers", "overrides"), "params"),
    **dict.fromkeys(("stop_time", "stopTime", "end", "t_end", "final_time", "until"), "stop"),
    **dict.fromkeys(("start_time", "startTime", "t_start", "t0"), "start"),
    **dict.fromkeys(("method", "integrator", "algorithm"), "solver"),
    **dict.fromkeys(("step", "dt", "step_size", "output_interval", "h"), "interval"),
    **dict.fromkeys(("input", "u", "signals"), "inputs"),
    **dict.fromkeys(("variables", "filter", "variable_filter", "outputs"), "store"),
    **dict.fromkeys(("maxSteps", "steps", "max_step_count"), "max_steps"),
    **dict.fromkeys(("name", "class_name", "classname", "model_name"), "model"),
    **dict.fromkeys(("libraries", "libs", "lib", "path", "paths"), "library"),
}
UNSAID = {  # what there is no keyword for
    "intervals": "use `interval=(stop - start)/n`",
    "points": "use `interval=(stop - start)/n`",
    "number_of_intervals": "use `interval=(stop - start)/n`",
    "atol": "it follows from `tol` and the `nominal` attributes of the states",
    "out": "call `to_file(...)` of the result",
}


def with_named_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which tells a wrong call in its own words before anything happens."""
    signature = inspect.signature(function)
    known = [name for name in signature.parameters if name != "self"]
    # A call by names that are known has nothing else wrong: each may be left out.
    by_name = known and all(
        one.kind is one.KEYWORD_ONLY and one.default is not one.empty
        for name, one in signature.parameters.items()
        if name != "self"
    )

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in signature.parameters:
                raise TypeError(_unknown(function.__name__, name, known))
        if by_name and len(args) == 1:
            return function(*args, **kwargs)
        try:
            signature.bind(*args, **kwargs)
        except TypeError as problem:
            raise TypeError(
                f"{function.__name__}(): {problem}; call it with names: {_listed(known)}"
            ) from None
        return function(*args, **kwargs)

    return checked


def require_known(name: str, chosen: Iterable[str], like: Callable[..., Any]) -> None:
    """Of a function that takes the keywords of another."""
    known = [one for one in inspect.signature(like).parameters if one != "self"]
    for word in chosen:
        if word not in known:
            raise TypeError(_unknown(name, word, known))


def _unknown(function: str, name: str, known: Sequence[str]) -> str:
    text = f"{function}() has no argument `{name}`"
    word = OTHER_WORDS.get(name)
    if word in known:
        return f"{text}: use `{word}=`"
    if name in UNSAID:
        return f"{text}: {UNSAID[name]}"
    near = get_close_matches(name, known, n=1)
    return f"{text}: did you mean `{near[0]}=`?" if near else f"{text}; it has {_listed(known)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def number(name: str, value: Any) -> float | None:
    """A number or None; `"1e-3"` and True are neither."""
    if value is None:
        return None
    if not isinstance(value, bool | np.bool_) and isinstance(value, Real):
        return float(value)
    raise TypeError(f"`{name}` must be a number, not {_described(value)}")


def whole_number(name: str, value: Any) -> int | None:
    if value is None:
        return None
    is_whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    if is_whole and not isinstance(value, bool | np.bool_):
        return int(value)
    raise TypeError(f"`{name}` must be a whole number, not {_described(value)}")


def text(name: str, value: Any) -> Any:
    """A text or None."""
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"`{name}` must be a text, not {_described(value)}")


def names(name: str, value: Any) -> tuple[str, ...]:
    """One name or several."""
    if isinstance(value, str):
        return (value,)
    found = tuple(value) if isinstance(value, Iterable) else (value,)
    for one in found:
        if not isinstance(one, str):
            raise TypeError(f"`{name}` must hold names, not {_described(one)}")
    return found


def one_of(name: str, value: Any, words: Sequence[str]) -> str:
    """One of a few words."""
    if value not in words:
        raise TypeError(f"`{name}` must be one of {_listed(words)}, not {_described(value)}")
    return str(value)


def truth(name: str, value: Any) -> bool:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise TypeError(f"`{name}` must be True or False, not {_described(value)}")


def function(name: str, value: Any) -> Any:
    """Something that can be called, or None."""
    if value is None or callable(value):
        return value
    raise TypeError(f"`{name}` must be a function, not {_described(value)}")


def mapping(name: str, value: Any) -> Mapping[str, Any]:
    """By names of variables."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        example = f'{name}={{"R1.R": 50}}' if name == "params" else f'{name}={{"u": "sin(time)"}}'
        raise TypeError(f"`{name}` must be a dict such as {example}, not {_described(value)}")
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"the keys of `{name}` must be names, not {_described(key)}")
    return value


def parameter(name: str, value: Any) -> float | str:
    """A number, or Modelica text; arrays become `{1, 2}`."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray | list | tuple) and len(value):
        return _array_text(name, value)
    raise TypeError(
        f"parameter `{name}` must be a number, a Boolean, a text or an array, not {_described(value)}"
    )


def _array_text(name: str, values: Any) -> str:
    return "{" + ", ".join(_element(parameter(name, value)) for value in values) + "}"


def _element(value: float | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def _described(value: Any) -> str:
    shown = repr(value)
    return f"{type(value).__name__} {shown}" if len(shown) <= 40 else f"a {type(value).__name__}"
