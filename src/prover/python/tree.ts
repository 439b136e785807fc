/**
 * Python's syntax tree, as `python/verdict_runner/symbolic/code/syntax.py` writes it. Nodes that this file does not
 * list arrive as `Other`, with their name and position.
 */
import * as z from "zod/v4";

/** Where a node begins and ends. Lines count from 1; columns count bytes from 0, as in Python's own trees. */
const place = { line: z.number(), column: z.number(), end_line: z.number(), end_column: z.number() };
export type Place = Fields<typeof place>;

/**
 * Python's operators, named as in its syntax tree. All of them are listed; any other operator is rejected when the tree
 * is parsed.
 */
const bin_ops = [
  ...(["Add", "Sub", "Mult", "MatMult", "Div", "FloorDiv", "Mod", "Pow"] as const),
  ...(["LShift", "RShift", "BitOr", "BitXor", "BitAnd"] as const),
] as const;
const unary_ops = ["Invert", "Not", "UAdd", "USub"] as const;
const bool_ops = ["And", "Or"] as const;
const orders = ["Lt", "LtE", "Gt", "GtE"] as const;
const compare_ops = [...orders, "Eq", "NotEq", "Is", "IsNot", "In", "NotIn"] as const;
export type BinOp = (typeof bin_ops)[number];
export type UnaryOp = (typeof unary_ops)[number];
export type BoolOp = (typeof bool_ops)[number];
export type Order = (typeof orders)[number];
export type CompareOp = (typeof compare_ops)[number];

/**
 * The shapes of nodes and of the records in them. A shape consists of schemas, and of words for parts that contain
 * nodes in turn.
 */
const name = z.string();
const maybe_name = z.nullable(name);
const keywords = [{ arg: maybe_name, value: "expression" }] as const;
const names = [{ name, asname: maybe_name }] as const;
const generators = [{ target: "expression", iter: "expression", ifs: "expressions", is_async: z.number() }] as const;
const parameters = {
  parameters: [{ name, annotation: "optional", default: "optional", line: z.number() }],
  /** The parameters that can also be passed by name. */
  named: z.array(name),
  /** A starred or keyword-only parameter, if there is one. */
  more: maybe_name,
} as const;
const handlers = [{ line: z.number(), type: "optional", name: maybe_name, body: "statements" }] as const;
/** The conditions in a docstring. The columns of their nodes refer to the conditions' own texts. */
const documented = [
  { is: z.enum(["pre", "post"]), condition: "expression", text: z.string(), line: z.number() },
  "or nothing",
] as const;

const expression_forms = {
  Other: { construct: z.string() },
  Constant: { type: z.enum(["int", "bool", "float", "str", "none", "other"]), value: z.string() },
  Name: { id: name },
  Call: { func: "expression", args: "expressions", keywords },
  ListComp: { elt: "expression", generators },
  GeneratorExp: { elt: "expression", generators },
  Lambda: { args: parameters, body: "expression" },
  Compare: { left: "expression", ops: z.array(z.enum(compare_ops)), comparators: "expressions" },
  Subscript: { value: "expression", slice: "expression" },
  Slice: { lower: "optional", upper: "optional", step: "optional" },
  BoolOp: { op: z.enum(bool_ops), values: "expressions" },
  BinOp: { left: "expression", op: z.enum(bin_ops), right: "expression" },
  UnaryOp: { op: z.enum(unary_ops), operand: "expression" },
  IfExp: { test: "expression", body: "expression", orelse: "expression" },
  JoinedStr: { values: "expressions" },
  FormattedValue: { value: "expression", conversion: z.number(), format_spec: "optional" },
  Attribute: { value: "expression", attr: name },
  List: { elts: "expressions" },
  Set: { elts: "expressions" },
  Dict: { keys: "expressions", values: "expressions" },
  SetComp: { elt: "expression", generators },
  DictComp: { key: "expression", value: "expression", generators },
  Tuple: { elts: "expressions" },
} as const;

const statement_forms = {
  Other: expression_forms.Other,
  FunctionDef: {
    name,
    args: parameters,
    body: "statements",
    decorator_list: "expressions",
    returns: "optional",
    /** Present if the goal is about the function's contract. */
    documented,
  },
  ClassDef: { name, bases: "expressions", keywords, body: "statements", decorator_list: "expressions" },
  For: { target: "expression", iter: "expression", body: "statements", orelse: "statements" },
  While: { test: "expression", body: "statements", orelse: "statements" },
  Try: { body: "statements", handlers, orelse: "statements", finalbody: "statements" },
  Return: { value: "optional" },
  Assign: { targets: "expressions", value: "expression" },
  AugAssign: { target: "expression", op: z.enum(bin_ops), value: "expression" },
  AnnAssign: { target: "expression", annotation: "expression", value: "optional" },
  If: { test: "expression", body: "statements", orelse: "statements" },
  Raise: { exc: "optional", cause: "optional" },
  Assert: { test: "expression", msg: "optional" },
  Import: { names },
  ImportFrom: { module: maybe_name, names, level: z.number() },
  Expr: { value: "expression" },
  Pass: {},
  Break: {},
  Continue: {},
} as const;

/** The type of the values of a part of a shape. Trees are immutable. */
type Read<Part> = Part extends z.ZodType
  ? Frozen<z.output<Part>>
  : Part extends keyof Words
    ? Words[Part]
    : Part extends readonly [infer Shape, ...infer Others]
      ? readonly Fields<Shape>[] | (Others extends [] ? never : undefined)
      : Fields<Part>;
type Frozen<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type Fields<Shape> = { readonly [Field in keyof Shape]: Read<Shape[Field]> };
type Node<Is, Shape> = Place & { readonly is: Is } & Fields<Shape>;
type Nodes<Forms> = { [Is in keyof Forms]: Node<Is, Forms[Is]> }[keyof Forms];

interface Words {
  readonly expression: Expression;
  readonly optional: Expression | null;
  readonly expressions: readonly Expression[];
  readonly statements: readonly Statement[];
}

export type Expression = Nodes<typeof expression_forms>;
export type Statement = Nodes<typeof statement_forms>;

type Part = z.ZodType | keyof Words | readonly [Shape, "or nothing"?] | Shape;
interface Shape {
  readonly [field: string]: Part;
}

const expression = z.lazy(() => oneOf(expression_forms));
const words: Readonly<Record<keyof Words, z.ZodType>> = {
  expression,
  optional: z.nullable(expression),
  expressions: z.array(expression),
  statements: z.array(z.lazy(() => oneOf(statement_forms))),
};

/** Returns the schema of nodes with one of these forms. */
function oneOf(forms: Readonly<Record<string, Shape>>): z.ZodType {
  const [first, ...others] = Object.entries(forms).map(([is, shape]) =>
    z.object({ is: z.literal(is), ...place, ...schemasOf(shape) }),
  );
  if (!first) throw new Error("no forms");
  return z.discriminatedUnion("is", [first, ...others]);
}

function schemasOf(shape: Shape): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).map(([field, part]) => [field, schemaOf(part)]));
}

function schemaOf(part: Part): z.ZodType {
  if (part instanceof z.ZodType) return part;
  if (typeof part === "string") return words[part];
  if (!isList(part)) return z.object(schemasOf(part));
  const list = z.array(z.object(schemasOf(part[0])));
  return part.length === 1 ? list : list.optional();
}

function isList(part: Part): part is Extract<Part, readonly unknown[]> {
  return Array.isArray(part);
}

type ExpressionOf<Is extends Expression["is"]> = Extract<Expression, { is: Is }>;
type StatementOf<Is extends Statement["is"]> = Extract<Statement, { is: Is }>;
export type Constant = ExpressionOf<"Constant">;
export type Call = ExpressionOf<"Call">;
export type Comprehension = ExpressionOf<"ListComp" | "GeneratorExp">;
export type Compare = ExpressionOf<"Compare">;
export type Subscript = ExpressionOf<"Subscript">;
export type Slice = ExpressionOf<"Slice">;
export type FunctionDef = StatementOf<"FunctionDef">;
export type For = StatementOf<"For">;
export type While = StatementOf<"While">;
export type Try = StatementOf<"Try">;

const module_form = { Module: { body: "statements" } } as const;
export type Module = Nodes<typeof module_form>;

const anyModule = oneOf(module_form);

/**
 * The tree of a whole program, the version of the Python interpreter that parsed it, and the text to which positions
 * refer.
 */
export const SyntaxTree = z.object({
  tree: z.custom<Module>((value) => anyModule.safeParse(value).success),
  python: z.array(z.number()),
  text: z.string(),
  /** The literals that are passed to functions of `re` and are valid patterns without flags, with their groups. */
  patterns: z.array(z.tuple([z.string(), z.int()])).default([]),
  /** Whether the two functions in question are the same code, apart from differences that change no result. */
  same: z.boolean().default(false),
});
export type SyntaxTree = Fields<typeof SyntaxTree.shape>;
