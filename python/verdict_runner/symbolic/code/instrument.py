"""Finds a function's branches, their positions and the code behind each side, and records the sides that a run takes.

Sites are found in the syntax tree. The rewritten tree records each side that it takes and otherwise does the same as
before: the same values, in the same order, with the same number of truth tests, at the same lines.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias, TypeVar

from verdict_runner.symbolic.code import mentions, targets
from verdict_runner.symbolic.code.flow import ends, ways_on
from verdict_runner.symbolic.code.path import Path
from verdict_runner.symbolic.contracts import asserts
from verdict_runner.symbolic.messages import Branches, BranchSite, Side

# A node with a position.
Placed: TypeAlias = "ast.stmt | ast.expr | ast.pattern | ast.ExceptHandler"
_Node = TypeVar("_Node", bound=ast.AST)
_Conditional = TypeVar("_Conditional", ast.If, ast.While)
# Functions that a rewritten tree calls; no program can use these names.
BRANCH, KEEP, KEPT, MISSED, REACH = "__branch__", "__keep__", "__kept__", "__missed__", "__reach__"
# The maximum number of a path's decisions that are shown with their lines.
PATH_LINES_MAX = 200


class Site:
    """A place in the code at which a run makes a decision."""

    def __init__(self, node: Placed, text: str, kind: str, condition: str | None, is_precondition: bool) -> None:
        self.line = node.lineno
        # The position of the condition, if it is an expression.
        self.place = (
            (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            if isinstance(node, ast.expr)
            else None
        )
        self.text = text
        self.kind = kind
        # The source text for a path condition: empty if other sites cover it, None if no expression describes it.
        self.condition = condition
        # All inputs in question satisfy a precondition, so it is not reported as a decision.
        self.is_precondition = is_precondition
        # Lines that only run after this side was taken.
        self.lines: dict[bool, set[int]] = {True: set(), False: set()}
        # The only side that a constant condition can take.
        self.constant: bool | None = None

    def needs(self, side: bool, block: Sequence[ast.stmt]) -> None:
        """Records that a block runs only after this side was taken; code on the condition's own line runs anyway."""
        self.lines[side] |= _lines(block) - {self.line}

    def reported(self, number: int) -> BranchSite:
        """Returns the site in the form in which answers contain it."""
        true_lines, false_lines = sorted(self.lines[True]), sorted(self.lines[False])
        return BranchSite(number, self.line, self.text, self.kind, self.place, self.constant, true_lines, false_lines)


class Sites:
    """The sites in some of a text's functions, and what the last run recorded; `path` follows the run."""

    def __init__(self, functions: Sequence[str], path: Path | None = None) -> None:
        self._wanted = functions
        self.path = path
        self.sites: list[Site] = []
        self.complexity = 1
        # Lines that no run reaches, whatever the inputs, such as lines after a return.
        self.dead_lines: set[int] = set()
        # The sides that were taken, in the order in which they first occurred.
        self.log: dict[Side, None] = {}
        self._kept: list[object] = []
        self.names: Mapping[str, object] = {
            BRANCH: self._branch,
            KEEP: self._keep,
            KEPT: self._kept.pop,
            MISSED: self._missed,
            **({REACH: path.reach} if path else {}),
        }

    def rewrite(self, tree: ast.Module) -> ast.Module:
        """Finds the functions' sites in a module's tree and inserts the recording calls, in place."""
        nodes = [targets.definition(tree, name) for name in dict.fromkeys(self._wanted)]
        for node in dict.fromkeys(nodes):
            if node is not None:
                reader = _Reader(self, asserts.leading(node))
                node.body = reader.whole(node)
                self.complexity += reader.decisions
        return ast.fix_missing_locations(tree)

    def clear(self) -> None:
        self.log.clear()
        self._kept.clear()
        if self.path:
            self.path.clear()

    def report(self) -> Branches:
        """Returns all sites in the form in which answers contain them."""
        sites = [site.reported(number) for number, site in enumerate(self.sites) if not site.is_precondition]
        return Branches(sites, self.complexity, sorted(self.dead_lines))

    def outcomes(self) -> list[Side]:
        return [*self.log]

    def path_lines(self) -> list[Side]:
        """Returns the decisions' lines with the sides that were taken, in the order in which they first occurred."""
        whole = ((self.sites[number], side) for number, side in self.log)
        lines = dict.fromkeys((site.line, side) for site, side in whole if site.kind != "operand")
        return [*lines][:PATH_LINES_MAX]

    # ---- What the rewritten tree calls.

    def _branch(self, number: int, value: object) -> bool:
        taken = True if value else False
        self._take(number, taken)
        return taken

    def _take(self, number: int, side: bool) -> None:
        self.log[number, side] = None
        if self.path:
            self.path.decide(self.sites[number].condition, side)

    def _keep(self, number: int, value: object, wanted: bool) -> bool:
        """Tests an operand; if it is the value of the whole, keeps it for `__kept__`, which is called next."""
        taken = True if value else False
        self._take(number, taken)
        if taken is wanted:
            self._kept.append(value)
        return taken

    def _missed(self, number: int, taken: bool) -> bool:
        if not taken:
            self._take(number, False)
        return False


class _Reader(ast.NodeTransformer):
    """Rewrites one function's body, block by block, and collects its sites."""

    def __init__(self, sites: Sites, preconditions: Collection[ast.Assert]) -> None:
        self._sites = sites
        self._preconditions = preconditions
        self._in_precondition = False
        self.decisions = 0
        # The site of each statement's condition.
        self._site_of: dict[ast.stmt, Site] = {}
        # Follows the function's own statements, but not those of inner functions.
        self._path = sites.path
        # Whether the code read is in a comprehension or an inner function, whose decisions are parts of values.
        self._is_inner = False

    def whole(self, node: mentions.FunctionNode) -> list[ast.stmt]:
        """Rewrites the body of the function in question."""
        entered = self._path and self._path.enter(node)
        return [*self._reached([] if entered is None else [entered], node), *self.block(node.body)]

    def _reached(self, moments: Sequence[int], where: Placed | mentions.FunctionNode) -> list[ast.stmt]:
        return [_placed(ast.Expr(_call(REACH, where, ast.Constant(each))), where) for each in moments]

    # ---- Blocks: the code after a statement may depend on the side taken in that statement.

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        written, needed, ended = [], [], False
        for statement in statements:
            if ended:
                self._sites.dead_lines |= _lines([statement])
            for site, side in needed:
                site.needs(side, [statement])
            ended, sides = ended or ends([statement]), ways_on(statement)
            path = None if self._is_inner else self._path
            before, after = (path.before(statement), path.after(statement)) if path else ([], [])
            rewritten = self.visit(statement)
            needed += [(self._site_of[each], side) for each, side in sides]
            written += self._reached(before, statement)
            written += rewritten if isinstance(rewritten, list) else [rewritten]
            written += self._reached(after, statement)
        return written

    def _function(self, node: mentions.FunctionNode) -> mentions.FunctionNode:
        outer, self._is_inner = self._is_inner, True
        node.body = self.block(node.body)
        self._is_inner = outer
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def _value(self, node: ast.AST) -> ast.AST:
        outer, self._is_inner = self._is_inner, True
        rewritten = self.generic_visit(node)
        self._is_inner = outer
        return rewritten

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _value

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Leaves the branches of a class inside the function unrecorded, since the class's variables are attributes."""
        return node

    def visit_With(self, node: ast.With) -> ast.With:
        node.items = [self.visit(each) for each in node.items]
        node.body = self.block(node.body)
        return node

    # ---- Conditions.

    def visit_If(self, node: ast.If) -> ast.If:
        return self._conditional(node, "if")

    def visit_While(self, node: ast.While) -> ast.While:
        return self._conditional(node, "while")

    def _conditional(self, node: _Conditional, kind: str) -> _Conditional:
        node.test, site = self._test(node.test, kind)
        site.needs(True, node.body)
        site.needs(False, node.orelse)
        self._site_of[node] = site
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        self._in_precondition = node in self._preconditions
        node.test, self._site_of[node] = self._test(node.test, "assert")
        self._in_precondition = False
        node.msg = node.msg and self.visit(node.msg)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test, _ = self._test(node.test, "conditional expression")
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.decisions += 1
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        node.ifs = [self._test(each, "comprehension condition")[0] for each in node.ifs]
        return node

    def _test(self, node: ast.expr, kind: str) -> tuple[ast.expr, Site]:
        """Creates a site for a whole condition, and one for each operand of `and` and `or` in it."""
        self.decisions += 1
        text, whole = ast.unparse(node), _is_junction(node)
        # A path condition contains the operands, which determine the result.
        number, site = self._note(node, text, kind, "" if whole else _as_operand(node, text))
        if isinstance(node, ast.Constant):
            site.constant = bool(node.value)
        tested = self._operands_tested(node) if whole else self.visit(node)
        return _call(BRANCH, node, ast.Constant(number), tested), site

    def _operands_tested(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.UnaryOp):
            node.operand = self._operands_tested(node.operand)
            return node
        if isinstance(node, ast.BoolOp):
            self.decisions -= 1
            node.values = [self._operand_tested(each) for each in node.values]
        return node

    def _operand_tested(self, node: ast.expr) -> ast.expr:
        if _is_junction(node):
            self.decisions += 1
            return self._operands_tested(node)
        return self._test(node, "operand")[0]

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Records `x or d` used as a value: all operands except the last are tested, and one operand is the value."""
        is_or = isinstance(node.op, ast.Or)
        operands = []
        for each in node.values[:-1]:
            self.decisions += 1
            text = ast.unparse(each)
            number, _ = self._note(each, text, "operand", _as_operand(each, text))
            operands.append((number, self.visit(each)))
        value = self.visit(node.values[-1])
        for number, operand in reversed(operands):
            test = _call(KEEP, operand, ast.Constant(number), operand, ast.Constant(is_or))
            noted = _call(KEPT, operand)
            sides = (noted, value) if is_or else (value, noted)
            value = ast.copy_location(ast.IfExp(test, *sides), node)
        return value

    # ---- Loops, handlers and patterns: a flag local to the function says whether they were entered.

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.decisions += 1
        text = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        # The path reports the items that the loop takes.
        number, site = self._note(node, text, "for", "")
        site.needs(True, node.body)
        path = None if self._is_inner else self._path
        begins, takes, ended = ([each] for each in path.loop(node)) if path else ([], [], [])
        node.iter = self.visit(node.iter)
        flag, begin = _flag(number, node)
        body = [_enter(flag, number, node.body[0]), *self._reached(takes, node.body[0])]
        node.body = [*body, *self.block(node.body)]
        node.orelse = [_leave(flag, number, node), *self._reached(ended, node), *self.block(node.orelse)]
        return [begin, *self._reached(begins, node), node]

    def visit_Try(self, node: ast.Try) -> list[ast.stmt]:
        handlers = []
        for handler in node.handlers:
            self.decisions += 1
            kind = ast.unparse(handler.type) if handler.type else ""
            number, site = self._note(handler, f"except {kind}".rstrip(), "except")
            site.needs(True, handler.body)
            handlers.append((handler, number, *_flag(number, handler)))
        node.body = self.block(node.body)
        for handler, number, flag, _ in handlers:
            handler.body = [_enter(flag, number, handler), *self.block(handler.body)]
        node.orelse = self.block(node.orelse)
        node.finalbody = [
            *(_leave(flag, number, each) for each, number, flag, _ in handlers),
            *self.block(node.finalbody),
        ]
        return [*(begin for *_, begin in handlers), node]

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        subject = ast.unparse(node.subject)
        node.subject = self.visit(node.subject)
        begins, cases = [], []
        for case in node.cases:
            if case.guard is None and _matches_all(case.pattern):
                case.body = self.block(case.body)
                cases.append(case)
                continue
            begin, missed = self._case(case, subject)
            begins.append(begin)
            cases += [case, missed]
        node.cases = cases
        return [*begins, node]

    def _case(self, case: ast.match_case, subject: str) -> tuple[ast.stmt, ast.match_case]:
        """In `case P if G`, records a match of P on reaching G, and a mismatch in an added case that never matches."""
        self.decisions += 1
        place = case.pattern
        text = ast.unparse(place)
        says = f"({subject}) == {text}" if isinstance(place, ast.MatchValue) else None
        number, site = self._note(place, f"case {text}", "case", says)
        site.needs(True, case.body)
        flag, begin = _flag(number, place)
        entered = ast.NamedExpr(
            ast.Name(flag, ast.Store()), _call(BRANCH, place, ast.Constant(number), ast.Constant(True))
        )
        guard = ast.copy_location(entered, place)
        if case.guard is not None:
            tested, site = self._test(case.guard, "guard")
            site.needs(True, case.body)
            guard = ast.copy_location(ast.BoolOp(ast.And(), [guard, tested]), place)
        case.guard, case.body = guard, self.block(case.body)
        missed = _call(MISSED, place, ast.Constant(number), ast.Name(flag, ast.Load()))
        wild = ast.copy_location(ast.MatchAs(), place)
        return begin, ast.match_case(wild, missed, [ast.copy_location(ast.Pass(), place)])

    def _note(self, node: Placed, text: str, kind: str, condition: str | None = None) -> tuple[int, Site]:
        said = "" if self._is_inner else condition
        self._sites.sites.append(Site(node, text, kind, said, self._in_precondition))
        return len(self._sites.sites) - 1, self._sites.sites[-1]


def _as_operand(node: ast.expr, text: str) -> str:
    """Returns a condition's text in a form that can be joined with others by `and`."""
    return f"({text})" if isinstance(node, (ast.IfExp, ast.Lambda, ast.NamedExpr)) else text


def _is_junction(node: ast.expr) -> bool:
    """Whether a condition combines several others with `and` or `or`."""
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    return isinstance(node, ast.BoolOp)


def _matches_all(pattern: ast.pattern) -> bool:
    """Whether a pattern always matches: `_`, a name, or alternatives that include one of these."""
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or _matches_all(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and _matches_all(pattern.patterns[-1])


def _lines(block: Sequence[ast.stmt]) -> set[int]:
    nodes = (node for statement in block for node in ast.walk(statement))
    return {line for line in (getattr(node, "lineno", None) for node in nodes) if line is not None}


def _placed(node: _Node, where: Placed) -> _Node:
    for each in ast.walk(node):
        if not hasattr(each, "lineno"):
            ast.copy_location(each, where)
    return node


def _call(name: str, where: Placed, *arguments: ast.expr) -> ast.Call:
    return _placed(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), where)


def _flag(number: int, where: Placed) -> tuple[str, ast.Assign]:
    """Returns the name of a site's flag, and the statement that clears the flag."""
    name = f"__entered_{number}__"
    return name, _placed(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(False)), where)


def _enter(flag: str, number: int, where: Placed) -> ast.Assign:
    taken = _call(BRANCH, where, ast.Constant(number), ast.Constant(True))
    return _placed(ast.Assign([ast.Name(flag, ast.Store())], taken), where)


def _leave(flag: str, number: int, where: Placed) -> ast.Expr:
    return _placed(ast.Expr(_call(MISSED, where, ast.Constant(number), ast.Name(flag, ast.Load()))), where)
