"""Names Python's constructs for messages, with the terms of Python's language reference as plurals.

The prover uses the same names, in `src/prover/python/construct_names.ts`; a test compares the two lists.
"""

from __future__ import annotations

import ast

SOURCE_CHARACTERS_MAX = 40

TERMS = {
    "FunctionDef": "function definitions",
    "ClassDef": "class definitions",
    "Return": "return statements",
    "Assign": "assignments",
    "AugAssign": "augmented assignments",
    "AnnAssign": "annotated assignments",
    "For": "for statements",
    "While": "while statements",
    "If": "if statements",
    "Raise": "raise statements",
    "Try": "try statements",
    "Assert": "assert statements",
    "Import": "import statements",
    "ImportFrom": "`from … import` statements",
    "Expr": "expression statements",
    "Pass": "pass statements",
    "Break": "break statements",
    "Continue": "continue statements",
    "BoolOp": "boolean operations",
    "BinOp": "binary operations",
    "UnaryOp": "unary operations",
    "Lambda": "lambda expressions",
    "IfExp": "conditional expressions",
    "Set": "set displays",
    "ListComp": "list comprehensions",
    "GeneratorExp": "generator expressions",
    "Compare": "comparisons",
    "Call": "calls",
    "FormattedValue": "replacement fields of f-strings",
    "JoinedStr": "f-strings",
    "Constant": "literals",
    "Attribute": "attribute references",
    "Subscript": "subscriptions",
    "Name": "names",
    "List": "list displays",
    "Tuple": "tuples",
    "Slice": "slices",
    "AsyncFunctionDef": "coroutine functions (`async def`)",
    "Delete": "del statements",
    "TypeAlias": "type statements",
    "AsyncFor": "async for statements",
    "With": "with statements",
    "AsyncWith": "async with statements",
    "Match": "match statements",
    "TryStar": "try statements with `except*`",
    "Global": "global statements",
    "Nonlocal": "nonlocal statements",
    "NamedExpr": "assignment expressions (the walrus operator `:=`)",
    "Dict": "dict displays",
    "SetComp": "set comprehensions",
    "DictComp": "dict comprehensions",
    "Await": "await expressions",
    "Yield": "yield expressions",
    "YieldFrom": "`yield from` expressions",
    "Interpolation": "replacement fields of template strings",
    "TemplateStr": "template strings (t-strings)",
    "Starred": "starred expressions",
}
# The parts of match statements, which the prover never reads.
PATTERNS = {
    "MatchSequence": "sequence patterns",
    "MatchMapping": "mapping patterns",
    "MatchClass": "class patterns",
    "MatchStar": "star patterns",
}


def named(node: ast.AST) -> str:
    """Returns a construct's name with its source text, such as "del statements (`del x`)"."""
    kind = type(node).__name__
    return f"{TERMS.get(kind) or PATTERNS.get(kind) or kind} ({quoted(node)})"


def quoted(node: ast.AST) -> str:
    """Returns the first line of a node's source text, shortened and in backquotes."""
    first, *others = ast.unparse(node).strip().splitlines() or [""]
    short = first[:SOURCE_CHARACTERS_MAX].rstrip()
    return f"`{short}`" if short == first and not others else f"`{short} …`"
