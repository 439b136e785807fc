/**
 * The syntax tree of Python, as `python/verdict_runner/symbolic/code/syntax.py` writes it. Nodes that this file does
 * not list arrive as `Other`, with their name and position.
 */
import * as z from "zod/v4";

/** Where a node begins and ends: lines count from 1, columns from 0 in bytes, as in Python's own trees. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

/**
 * Python's operators, by the names of its syntax tree. Every one is listed: any other is refused when the tree is
 * parsed.
 */
export const bin_ops = [
  ...(["Add", "Sub", "Mult", "MatMult", "Div", "FloorDiv", "Mod", "Pow"] as const),
  ...(["LShift", "RShift", "BitOr", "BitXor", "BitAnd"] as const),
] as const;
export const unary_ops = ["Invert", "Not", "UAdd", "USub"] as const;
export const bool_ops = ["And", "Or"] as const;
export const orders = ["Lt", "LtE", "Gt", "GtE"] as const;
export const compare_ops = [...orders, "Eq", "NotEq", "Is", "IsNot", "In", "NotIn"] as const;
export type BinOp = (typeof bin_ops)[number];
export type UnaryOp = (typeof unary_ops)[number];
export type BoolOp = (typeof bool_ops)[number];
export type Order = (typeof orders)[number];
export type CompareOp = (typeof compare_ops)[number];

export interface Other extends Place {
  readonly is: "Other";
  readonly construct: string;
}

export interface Constant extends Place {
  readonly is: "Constant";
  readonly type: "int" | "bool" | "float" | "str" | "none" | "other";
  readonly value: string;
}

export interface Name extends Place {
  readonly is: "Name";
  readonly id: string;
}

export interface Keyword {
  readonly arg: string | null;
  readonly value: Expression;
}

export interface Call extends Place {
  readonly is: "Call";
  readonly func: Expression;
  readonly args: readonly Expression[];
  readonly keywords: readonly Keyword[];
}

export interface Generator {
  readonly target: Expression;
  readonly iter: Expression;
  readonly ifs: readonly Expression[];
  readonly is_async: number;
}

export interface Comprehension extends Place {
  readonly is: "ListComp" | "GeneratorExp";
  readonly elt: Expression;
  readonly generators: readonly Generator[];
}

export interface Parameter {
  readonly name: string;
  readonly annotation: Expression | null;
  readonly default: Expression | null;
  readonly line: number;
}

export interface Parameters {
  readonly parameters: readonly Parameter[];
  /** Those that can also be passed by name. */
  readonly named: readonly string[];
  /** A starred or keyword-only parameter, when there is one. */
  readonly more: string | null;
}

export interface Lambda extends Place {
  readonly is: "Lambda";
  readonly args: Parameters;
  readonly body: Expression;
}

export interface Compare extends Place {
  readonly is: "Compare";
  readonly left: Expression;
  readonly ops: readonly CompareOp[];
  readonly comparators: readonly Expression[];
}

export interface Subscript extends Place {
  readonly is: "Subscript";
  readonly value: Expression;
  readonly slice: Expression;
}

export interface Slice extends Place {
  readonly is: "Slice";
  readonly lower: Expression | null;
  readonly upper: Expression | null;
  readonly step: Expression | null;
}

export type Expression =
  | Other
  | Constant
  | Name
  | Call
  | Comprehension
  | Lambda
  | Compare
  | Subscript
  | Slice
  | (Place & { readonly is: "BoolOp"; readonly op: BoolOp; readonly values: readonly Expression[] })
  | (Place & { readonly is: "BinOp"; readonly left: Expression; readonly op: BinOp; readonly right: Expression })
  | (Place & { readonly is: "UnaryOp"; readonly op: UnaryOp; readonly operand: Expression })
  | (Place & {
      readonly is: "IfExp";
      readonly test: Expression;
      readonly body: Expression;
      readonly orelse: Expression;
    })
  | (Place & { readonly is: "JoinedStr"; readonly values: readonly Expression[] })
  | (Place & {
      readonly is: "FormattedValue";
      readonly value: Expression;
      readonly conversion: number;
      readonly format_spec: Expression | null;
    })
  | (Place & { readonly is: "Attribute"; readonly value: Expression; readonly attr: string })
  | (Place & { readonly is: "List" | "Set"; readonly elts: readonly Expression[] })
  | (Place & { readonly is: "Tuple"; readonly elts: readonly Expression[] });

export interface FunctionDef extends Place {
  readonly is: "FunctionDef";
  readonly name: string;
  readonly args: Parameters;
  readonly body: readonly Statement[];
  readonly decorator_list: readonly Expression[];
  readonly returns: Expression | null;
  /** The conditions in its docstring, where its contract is in question. */
  readonly documented?: readonly Documented[] | undefined;
}

export interface Documented {
  readonly is: "pre" | "post";
  readonly condition: Expression;
  readonly line: number;
}

export interface For extends Place {
  readonly is: "For";
  readonly target: Expression;
  readonly iter: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}

export interface While extends Place {
  readonly is: "While";
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}

export interface Handler {
  readonly line: number;
  readonly type: Expression | null;
  readonly name: string | null;
  readonly body: readonly Statement[];
}

export interface Try extends Place {
  readonly is: "Try";
  readonly body: readonly Statement[];
  readonly handlers: readonly Handler[];
  readonly orelse: readonly Statement[];
  readonly finalbody: readonly Statement[];
}

export interface Alias {
  readonly name: string;
  readonly asname: string | null;
}

export type Statement =
  | Other
  | FunctionDef
  | For
  | While
  | Try
  | (Place & {
      readonly is: "ClassDef";
      readonly name: string;
      readonly bases: readonly Expression[];
      readonly keywords: readonly Keyword[];
      readonly body: readonly Statement[];
      readonly decorator_list: readonly Expression[];
    })
  | (Place & { readonly is: "Return"; readonly value: Expression | null })
  | (Place & { readonly is: "Assign"; readonly targets: readonly Expression[]; readonly value: Expression })
  | (Place & { readonly is: "AugAssign"; readonly target: Expression; readonly op: BinOp; readonly value: Expression })
  | (Place & {
      readonly is: "AnnAssign";
      readonly target: Expression;
      readonly annotation: Expression;
      readonly value: Expression | null;
    })
  | (Place & {
      readonly is: "If";
      readonly test: Expression;
      readonly body: readonly Statement[];
      readonly orelse: readonly Statement[];
    })
  | (Place & { readonly is: "Raise"; readonly exc: Expression | null; readonly cause: Expression | null })
  | (Place & { readonly is: "Assert"; readonly test: Expression; readonly msg: Expression | null })
  | (Place & { readonly is: "Import"; readonly names: readonly Alias[] })
  | (Place & {
      readonly is: "ImportFrom";
      readonly module: string | null;
      readonly names: readonly Alias[];
      readonly level: number;
    })
  | (Place & { readonly is: "Expr"; readonly value: Expression })
  | (Place & { readonly is: "Pass" | "Break" | "Continue" });

export interface Module extends Place {
  readonly is: "Module";
  readonly body: readonly Statement[];
}

const place = { line: z.number(), column: z.number(), end_line: z.number(), end_column: z.number() };
const node = <Is extends string, Shape extends z.ZodRawShape>(is: Is, shape: Shape) =>
  z.object({ is: z.literal(is), ...place, ...shape });
const expression: z.ZodType<Expression> = z.lazy(() => anyExpression);
const expressions = z.array(expression);
const optional = z.nullable(expression);
const statements: z.ZodType<Statement[]> = z.lazy(() => z.array(anyStatement));
const keywords = z.array(z.object({ arg: z.nullable(z.string()), value: expression }));
const names = z.array(z.object({ name: z.string(), asname: z.nullable(z.string()) }));
const generators = z.array(z.object({ target: expression, iter: expression, ifs: expressions, is_async: z.number() }));
const parameters = z.object({
  parameters: z.array(z.object({ name: z.string(), annotation: optional, default: optional, line: z.number() })),
  named: z.array(z.string()),
  more: z.nullable(z.string()),
});
const other = node("Other", { construct: z.string() });

const anyExpression = z.discriminatedUnion("is", [
  other,
  node("Constant", { type: z.enum(["int", "bool", "float", "str", "none", "other"]), value: z.string() }),
  node("Name", { id: z.string() }),
  node("Call", { func: expression, args: expressions, keywords }),
  node("ListComp", { elt: expression, generators }),
  node("GeneratorExp", { elt: expression, generators }),
  node("Lambda", { args: parameters, body: expression }),
  node("Compare", { left: expression, ops: z.array(z.enum(compare_ops)), comparators: expressions }),
  node("Subscript", { value: expression, slice: expression }),
  node("Slice", { lower: optional, upper: optional, step: optional }),
  node("BoolOp", { op: z.enum(bool_ops), values: expressions }),
  node("BinOp", { left: expression, op: z.enum(bin_ops), right: expression }),
  node("UnaryOp", { op: z.enum(unary_ops), operand: expression }),
  node("IfExp", { test: expression, body: expression, orelse: expression }),
  node("JoinedStr", { values: expressions }),
  node("FormattedValue", { value: expression, conversion: z.number(), format_spec: optional }),
  node("Attribute", { value: expression, attr: z.string() }),
  node("List", { elts: expressions }),
  node("Set", { elts: expressions }),
  node("Tuple", { elts: expressions }),
]);

const handlers = z.array(
  z.object({ line: z.number(), type: optional, name: z.nullable(z.string()), body: statements }),
);
const anyStatement = z.discriminatedUnion("is", [
  other,
  node("FunctionDef", {
    name: z.string(),
    args: parameters,
    body: statements,
    decorator_list: expressions,
    returns: optional,
    documented: z.array(z.object({ is: z.enum(["pre", "post"]), condition: expression, line: z.number() })).optional(),
  }),
  node("ClassDef", { name: z.string(), bases: expressions, keywords, body: statements, decorator_list: expressions }),
  node("For", { target: expression, iter: expression, body: statements, orelse: statements }),
  node("While", { test: expression, body: statements, orelse: statements }),
  node("Try", { body: statements, handlers, orelse: statements, finalbody: statements }),
  node("Return", { value: optional }),
  node("Assign", { targets: expressions, value: expression }),
  node("AugAssign", { target: expression, op: z.enum(bin_ops), value: expression }),
  node("AnnAssign", { target: expression, annotation: expression, value: optional }),
  node("If", { test: expression, body: statements, orelse: statements }),
  node("Raise", { exc: optional, cause: optional }),
  node("Assert", { test: expression, msg: optional }),
  node("Import", { names }),
  node("ImportFrom", { module: z.nullable(z.string()), names, level: z.number() }),
  node("Expr", { value: expression }),
  node("Pass", {}),
  node("Break", {}),
  node("Continue", {}),
]);

/** A whole text as a tree, the version of the Python that parsed it, and the text to which the positions refer. */
export const SyntaxTree = z.object({
  tree: node("Module", { body: statements }),
  python: z.array(z.number()),
  text: z.string(),
});
export interface SyntaxTree {
  readonly tree: Module;
  readonly python: readonly number[];
  readonly text: string;
}
