/**
 * The names of constructs in refusals: the terms of Python's language reference, in the plural. The symbolic
 * exploration uses the same names (`symbolic/code/construct_names.py`).
 */
import type { BinOp, BoolOp, CompareOp, Expression, Statement, UnaryOp } from "./tree.ts";

type Read = Exclude<(Statement | Expression)["is"], "Other">;

const terms: Readonly<Record<Read, string>> = {
  FunctionDef: "function definitions",
  ClassDef: "class definitions",
  Return: "return statements",
  Assign: "assignments",
  AugAssign: "augmented assignments",
  AnnAssign: "annotated assignments",
  For: "for statements",
  While: "while statements",
  If: "if statements",
  Raise: "raise statements",
  Try: "try statements",
  Assert: "assert statements",
  Import: "import statements",
  ImportFrom: "`from … import` statements",
  Expr: "expression statements",
  Pass: "pass statements",
  Break: "break statements",
  Continue: "continue statements",
  BoolOp: "boolean operations",
  BinOp: "binary operations",
  UnaryOp: "unary operations",
  Lambda: "lambda expressions",
  IfExp: "conditional expressions",
  Set: "set displays",
  Dict: "dict displays",
  SetComp: "set comprehensions",
  DictComp: "dict comprehensions",
  ListComp: "list comprehensions",
  GeneratorExp: "generator expressions",
  Compare: "comparisons",
  Call: "calls",
  FormattedValue: "replacement fields of f-strings",
  JoinedStr: "f-strings",
  Constant: "literals",
  Attribute: "attribute references",
  Subscript: "subscriptions",
  Name: "names",
  List: "list displays",
  Tuple: "tuples",
  Slice: "slices",
};

/** Terms for constructs that the prover can't read. They arrive as `Other`. */
const unread_terms: Readonly<Record<string, string>> = {
  AsyncFunctionDef: "coroutine functions (`async def`)",
  Delete: "del statements",
  TypeAlias: "type statements",
  AsyncFor: "async for statements",
  With: "with statements",
  AsyncWith: "async with statements",
  Match: "match statements",
  TryStar: "try statements with `except*`",
  Global: "global statements",
  Nonlocal: "nonlocal statements",
  NamedExpr: "assignment expressions (the walrus operator `:=`)",
  Await: "await expressions",
  Yield: "yield expressions",
  YieldFrom: "`yield from` expressions",
  Interpolation: "replacement fields of template strings",
  TemplateStr: "template strings (t-strings)",
  Starred: "starred expressions",
};

/** All terms, by the class of the node in Python's `ast`. */
export const construct_terms: Readonly<Record<string, string>> = { ...terms, ...unread_terms };

/** Returns the name of a statement or expression. */
export function termOf(node: Statement | Expression): string {
  if (node.is !== "Other") return terms[node.is];
  // The node's class, possibly with an unsupported field: "FunctionDef with type_params".
  const [kind = "", ...field] = node.construct.split(" with ");
  const term = construct_terms[kind];
  if (term === undefined) return node.construct;
  return field.length === 0 ? term : `${term} with ${field.join(" ").replace("type_params", "type parameters")}`;
}

/** The symbols of operators. */
export const operator_signs: Readonly<Record<BinOp | UnaryOp | BoolOp | CompareOp, string>> = {
  Add: "+",
  Sub: "-",
  Mult: "*",
  MatMult: "@",
  Div: "/",
  FloorDiv: "//",
  Mod: "%",
  Pow: "**",
  LShift: "<<",
  RShift: ">>",
  BitOr: "|",
  BitXor: "^",
  BitAnd: "&",
  Invert: "~",
  Not: "not",
  UAdd: "+",
  USub: "-",
  And: "and",
  Or: "or",
  Lt: "<",
  LtE: "<=",
  Gt: ">",
  GtE: ">=",
  Eq: "==",
  NotEq: "!=",
  Is: "is",
  IsNot: "is not",
  In: "in",
  NotIn: "not in",
};
