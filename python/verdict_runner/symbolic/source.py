"""The text under test as a syntax tree: one reading for all who look at it."""

import ast
import textwrap

from .. import safety

IS_MAIN = ("__name__ == '__main__'", "'__main__' == __name__")


def parsed(text, name):
    """The tree of a text, without what runs only in a main program; raises what `ast.parse` raises."""
    tree = ast.parse(textwrap.dedent(text), name)
    if not any(_may_rename(node) for node in ast.walk(tree)):
        tree.body = [kept for each in tree.body for kept in (each.orelse if _is_main(each) else [each])]
    return tree


def _is_main(statement):
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in IS_MAIN


def _may_rename(node):
    """Whether it may give the module another name, after which such a block could run."""
    if isinstance(node, ast.Name):
        return node.id == "globals" or (node.id == "__name__" and not isinstance(node.ctx, ast.Load))
    bound = [getattr(node, field) for field in safety.DEFINING.get(type(node), ())]
    return any("__name__" in (each if isinstance(each, list) else [each]) for each in bound)
