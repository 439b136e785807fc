"""Reads what the names of a module refer to, and which of its variables no call changes."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from verdict_runner.symbolic.code.same.normal import COMPREHENSIONS, names_in

# What a default or an annotation may not contain: it is evaluated when the module is loaded.
LOADED_ODDLY = (ast.NamedExpr, ast.Call, ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, *COMPREHENSIONS)


class Apart(Exception):
    """The two functions are not the same code, or contain something that is not known to do the same in both."""


@dataclass
class Module:
    """What the names of the program refer to."""

    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    exceptions: set[str] = field(default_factory=set)
    variables: dict[str, ast.expr] = field(default_factory=dict)
    # Whether a function can call itself, directly or through others.
    recurses: bool = False

    @staticmethod
    def read(tree: ast.Module) -> Module:
        """Reads a module's statements; raises `Apart` for any that could do more than define something."""
        made = Module()
        for each in tree.body:
            match each:
                case ast.FunctionDef(name, decorator_list=[]):
                    made._bind(name)
                    made.functions[name] = each
                case ast.Import(names):
                    for alias in names:
                        if alias.asname is None and "." in alias.name:
                            raise Apart
                        made._bind(alias.asname or alias.name)
                        made.imports[alias.asname or alias.name] = alias.name
                case ast.ImportFrom(str() as module, names, 0):
                    for alias in names:
                        made._bind(alias.asname or alias.name)
                        made.imports[alias.asname or alias.name] = f"{module}.{alias.name}"
                case ast.Assign([ast.Name(name)], value):
                    made._bind(name)
                    made.variables[name] = value
                case ast.AnnAssign(ast.Name(name), annotation, ast.expr() as value) if not is_odd(annotation):
                    made._bind(name)
                    made.variables[name] = value
                case ast.ClassDef(name, [ast.Name(base)], [], body, []) if made._is_exception(base):
                    if not all(isinstance(one, ast.Pass) or _is_text(one) for one in body):
                        raise Apart
                    made._bind(name)
                    made.exceptions.add(name)
                case ast.Pass() | ast.Expr(ast.Constant()):
                    pass
                case _:
                    raise Apart
        made.recurses = _recurses(tree)
        return made

    def _bind(self, name: str) -> None:
        # Python itself reads names such as `__builtins__`, for each function when it is defined.
        if self.binds(name) or name == "*" or name[:2] == name[-2:] == "__":
            raise Apart

    def binds(self, name: str) -> bool:
        return any(name in each for each in (self.functions, self.imports, self.exceptions, self.variables))

    def _is_exception(self, name: str) -> bool:
        return name in self.exceptions or (not self.binds(name) and is_exception(name))

    def changed_variables(self, tree: ast.Module, has_own_len: bool) -> set[str]:
        """Returns the module's variables that a call could change, or that could be shared with its result."""
        constant = {name for name, value in self.variables.items() if self._is_fixed(value)}
        displays = {
            name
            for name, value in self.variables.items()
            if isinstance(value, (ast.List, ast.Dict, ast.Set))
            and all(is_constant(each) for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr))
        }
        read: set[ast.AST] = set()
        for each in ast.walk(tree):
            if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load):
                read.add(each.value)
            elif isinstance(each, (ast.For, ast.comprehension)):
                read.add(each.iter)
            elif isinstance(each, ast.Compare) and all(isinstance(op, (ast.In, ast.NotIn)) for op in each.ops):
                read.update(each.comparators)
            elif (
                not has_own_len
                and isinstance(each, ast.Call)
                and isinstance(each.func, ast.Name)
                and each.func.id == "len"
            ):
                read.update(each.args)
        loose = {
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each not in read
        }
        return self.variables.keys() - constant - (displays - loose)

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether the value of a module's variable is immutable."""
        match node:
            case ast.BinOp(left, _, right):
                return self._is_fixed(left) and self._is_fixed(right)
            case ast.Call(ast.Attribute(ast.Name(name), attr), args, []):
                return f"{self.imports.get(name)}.{attr}" == "re.compile" and all(map(is_constant, args))
            case ast.Call(ast.Name(name), args, []):
                is_type = name in ("float", "int", "range") and not self.binds(name)
                return (is_type or self.imports.get(name) == "re.compile") and all(map(is_constant, args))
            case _:
                return is_constant(node)

    def is_global(self, name: str) -> bool:
        return name in self.imports or (not self.binds(name) and hasattr(builtins, name))


def _recurses(tree: ast.Module) -> bool:
    """Whether the names in functions lead from one back to itself."""
    nodes = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    used = {each.name: set[str]() for each in nodes}
    for each in nodes:
        used[each.name].update(used.keys() & {*names_in(each.body)})
    waiting = True
    while waiting:
        # Functions that use none of the others that are left end.
        ended = [name for name, others in used.items() if not others & used.keys()]
        for name in ended:
            del used[name]
        waiting = bool(ended)
    return bool(used)


def is_exception(name: str) -> bool:
    made = getattr(builtins, name, None)
    return isinstance(made, type) and issubclass(made, Exception)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_odd(loaded: ast.expr) -> bool:
    """Whether a default or an annotation could do more than create an object."""
    return any(isinstance(each, LOADED_ODDLY) for each in ast.walk(loaded))


def is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(ast.USub(), ast.Constant()):
            return True
        case ast.Tuple(items):
            return all(is_constant(each) for each in items)
        case _:
            return False
