"""What an item must not do, read off its syntax tree: the first of several walls."""

import ast

from . import allowed


class Finding:
    """Something wrong at a place of an item, with what to do about it."""

    def __init__(self, code, message, steps, line, column=0):
        self.code = code
        self.message = message
        self.steps = steps
        self.line = line
        self.column = column


def findings(tree, language):
    """What is forbidden in an item of this language, in the order of its lines."""
    looker = _Looker(language)
    looker.visit(tree)
    return sorted(looker.found, key=lambda each: (each.line, each.column))


class _Looker(ast.NodeVisitor):
    def __init__(self, language):
        self.found = []
        self._modules = frozenset(allowed.modules(language))
        self._standard = ", ".join(sorted(name for name in allowed.STANDARD if not name.startswith("_")))
        self._own = ", ".join(allowed.LANGUAGE[language])

    def _refuse(self, node, message, *steps):
        self.found.append(Finding("forbidden", message, steps, node.lineno, node.col_offset))

    def _import(self, node, name):
        if name in self._modules:
            return
        self._refuse(
            node,
            f"The import of {name} is not allowed: a model may import what computes, not what reaches the machine.",
            f"use one of: {self._own}, {self._standard}",
            "write data into an item instead of reading it from a file, the network or the environment",
        )

    def visit_Import(self, node):
        for each in node.names:
            self._import(node, each.name)

    def visit_ImportFrom(self, node):
        if node.level:
            self._refuse(node, "A relative import is not possible: a model has no package.", "import by the full name")
            return
        for each in node.names:
            whole = f"{node.module}.{each.name}"
            self._import(node, whole if whole in self._modules else node.module)
            if allowed.attribute_refused(each.name) or each.name in allowed.STANDARD.get(node.module, ()):
                self._refuse(node, f"{each.name} of {node.module} is not for a model.", "compute it in the items instead")

    def visit_Name(self, node):
        name = node.id
        if name in allowed.REFUSED:
            self._refuse(node, f"{name} is not for a model.", allowed.REFUSED[name])
        elif name.startswith("__") and name.endswith("__") and name not in ("__name__", "__doc__"):
            self._refuse(node, f"{name} is not for a model.", "leave it out")

    def _attribute(self, node, name):
        if not allowed.attribute_refused(name):
            return
        if name.endswith(("_file", "_fp", "_log")):
            self._refuse(node, f".{name} reads or writes files, which a model can't.", "write the data into an item")
        else:
            self._refuse(node, f"The attribute {name} is not for a model: it leads out of it.", "leave it out")

    def visit_Attribute(self, node):
        self._attribute(node, node.attr)
        self.generic_visit(node)

    def visit_MatchClass(self, node):
        for name in node.kwd_attrs:
            self._attribute(node, name)
        self.generic_visit(node)
