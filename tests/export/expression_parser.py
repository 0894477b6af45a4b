"""Formulas of ACSL, DESIRE and Simnon, parsed anew and turned into Python functions.

A parser by binding powers. It knows only what the three languages share and what sets them apart; it has
no code in common with what wrote the text.
"""

import math
import re

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[EeDd][+-]?\d+)?)(?![A-Za-z])|(?P<dotted>\.[A-Za-z]+\.)"
    r"|(?P<name>[A-Za-z]\w*)|(?P<symbol>\*\*|<=|>=|<>|[-+*/^()<>=,\[\]]))"
)
WORDS = {
    ".gt.": ">", ".lt.": "<", ".ge.": ">=", ".le.": "<=", ".eq.": "==", ".ne.": "!=",
    ".and.": "and", ".or.": "or", ".not.": "not", ".neqv.": "!=", ".eqv.": "==",
    ".true.": "True", ".false.": "False",
}  # fmt: skip
BINDING = {
    "or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, ">": 4, "<=": 4, ">=": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "**": 8,
}  # fmt: skip


def sign(x):
    return (x > 0) - (x < 0)


FUNCTIONS = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "arcsin": math.asin, "arccos": math.acos, "atan": math.atan, "atan2": math.atan2,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp, "sqrt": math.sqrt,
    "abs": abs, "min": min, "max": max, "sign": sign, "sgn": sign, "aint": math.trunc,
    "mod": math.fmod, "rsw": lambda c, a, b: a if c else b,
    "swtch": lambda x: 1.0 if x > 0 else 0.0, "lim": lambda x: max(x, 0.0), "ln": math.log,
}  # fmt: skip


class Parser:
    def __init__(self, text, functions, name_code):
        self.tokens, self.at = [], 0
        place = 0
        text = text.rstrip()
        while place < len(text):
            found = TOKEN.match(text, place)
            assert found, f"unknown text in `{text}` at {place}"
            place = found.end()
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
        self.tokens.append(("end", ""))
        self.functions, self.name_code = functions, name_code

    def peek(self):
        kind, text = self.tokens[self.at]
        low = text.lower()
        if kind == "dotted":
            return WORDS[low]
        if kind == "name" and low in ("and", "or", "not", "if", "then", "else"):
            return low
        if kind == "symbol":
            return {"^": "**", "=": "==", "<>": "!="}.get(text, text)
        return ""

    def take(self, word=None):
        if word is not None:
            assert self.peek() == word, f"`{word}` expected, not `{self.tokens[self.at][1]}`"
        self.at += 1
        return self.tokens[self.at - 1]

    def expression(self, least=0):
        left = self.operand()
        while (op := self.peek()) in BINDING and BINDING[op] >= least:
            self.take()
            right = self.expression(BINDING[op] + (op != "**"))
            left = f"({left} {op} {right})"
        return left

    def operand(self):
        word = self.peek()
        if word == "-":
            self.take()
            return f"(-{self.expression(6)})"
        if word == "not":
            self.take()
            return f"(not {self.expression(3)})"
        if word == "if":
            self.take()
            condition = self.expression()
            self.take("then")
            then = self.expression()
            self.take("else")
            return f"({then} if {condition} else {self.expression()})"
        if word == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            return f"({inner})"
        if word in ("True", "False"):
            self.take()
            return word
        kind, text = self.take()
        if kind == "number":
            return repr(float(text.upper().replace("D", "E")))
        assert kind == "name", f"a value expected, not `{text}`"
        return self.named(text)

    def named(self, text):
        if self.peek() != "(":
            return self.name_code(text)
        self.take()
        parts = [self.expression()]
        while self.peek() == ",":
            self.take()
            parts.append(self.expression())
        self.take(")")
        if text.lower() in self.functions:
            return f"f_{text.lower()}({', '.join(parts)})"
        return f"{self.name_code(text)}[{', '.join(f'int({part})' for part in parts)}]"


def code_of(text, extra=None, name_code=None):
    """Python text of a formula; all of it must be read."""
    functions = {**FUNCTIONS, **(extra or {})}
    parser = Parser(text, functions, name_code or (lambda name: f"v[{name.lower()!r}]"))
    code = parser.expression()
    assert parser.tokens[parser.at][0] == "end", f"text left over in `{text}`"
    return code


def function_of(text, extra=None):
    """A function of the dictionary of values."""
    functions = {f"f_{k}": f for k, f in {**FUNCTIONS, **(extra or {})}.items()}
    return eval(f"lambda v: {code_of(text, extra)}", functions)
