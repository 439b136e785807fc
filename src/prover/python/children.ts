/**
 * The parts of the syntax tree's nodes. Every kind of node is listed, without a default. The walkers in `walk.ts` see
 * only what is listed here. A forgotten kind would be skipped, and a proof could be wrong.
 */
import type { Expression, Statement } from "./tree.ts";

/** The parts of a statement, by how the statement uses them. */
export interface StatementParts {
  /**
   * What the statement binds, unbinds or changes. A loop forgets only the values of names that are listed here. A
   * missing name would be treated as unchanged, and a proof could be wrong. The targets of augmented assignments are
   * also read.
   */
  readonly targets: readonly Expression[];
  /** Expressions whose truth decides what runs next. */
  readonly tests: readonly Expression[];
  /** All other expressions that are evaluated. */
  readonly values: readonly Expression[];
  /** Statements that can run as part of this one. */
  readonly bodies: readonly (readonly Statement[])[];
}

const none: StatementParts = { targets: [], tests: [], values: [], bodies: [] };

/**
 * Returns the parts of a statement. A definition has none, because its contents belong to another function or class.
 */
export function partsOfStatement(statement: Statement): StatementParts {
  switch (statement.is) {
    case "Return":
      return { ...none, values: present(statement.value) };
    case "Assign":
      return { ...none, targets: statement.targets, values: [statement.value] };
    case "AugAssign":
      return { ...none, targets: [statement.target], values: [statement.value] };
    case "AnnAssign":
      return { ...none, targets: [statement.target], values: present(statement.value) };
    case "For":
      return {
        ...none,
        targets: [statement.target],
        values: [statement.iter],
        bodies: [statement.body, statement.orelse],
      };
    case "While":
    case "If":
      return { ...none, tests: [statement.test], bodies: [statement.body, statement.orelse] };
    case "Raise":
      return { ...none, values: present(statement.exc, statement.cause) };
    case "Assert":
      return { ...none, tests: [statement.test], values: present(statement.msg) };
    case "Expr":
      return { ...none, values: [statement.value] };
    case "Try": {
      const { body, handlers, orelse, finalbody } = statement;
      return {
        ...none,
        values: present(...handlers.map(({ type }) => type)),
        bodies: [body, ...handlers.map((handler) => handler.body), orelse, finalbody],
      };
    }
    case "Pass":
    case "Break":
    case "Continue":
      return none;
    case "FunctionDef":
    case "ClassDef":
    case "Import":
    case "ImportFrom":
    case "Other":
      return none;
    default:
      return statement satisfies never;
  }
}

/** Returns the expressions that an expression consists of, in their evaluation order if there is one. */
export function partsOfExpression(node: Expression): readonly Expression[] {
  switch (node.is) {
    case "Other":
    case "Constant":
    case "Name":
      return [];
    case "Call":
      return [node.func, ...node.args, ...node.keywords.map((each) => each.value)];
    case "ListComp":
    case "SetComp":
    case "GeneratorExp":
      return [...node.generators.flatMap(({ target, iter, ifs }) => [target, iter, ...ifs]), node.elt];
    case "DictComp":
      return [...node.generators.flatMap(({ target, iter, ifs }) => [target, iter, ...ifs]), node.key, node.value];
    case "Dict":
      return node.keys.flatMap((key, i) => [key, ...present(node.values[i] ?? null)]);
    case "Lambda":
      return [node.body];
    case "Compare":
      return [node.left, ...node.comparators];
    case "Subscript":
      return [node.value, node.slice];
    case "Slice":
      return present(node.lower, node.upper, node.step);
    case "BoolOp":
    case "JoinedStr":
      return node.values;
    case "BinOp":
      return [node.left, node.right];
    case "UnaryOp":
      return [node.operand];
    case "IfExp":
      return [node.test, node.body, node.orelse];
    case "FormattedValue":
      return [node.value, ...present(node.format_spec)];
    case "Attribute":
      return [node.value];
    case "List":
    case "Set":
    case "Tuple":
      return node.elts;
    default:
      return node satisfies never;
  }
}

function present(...nodes: readonly (Expression | null)[]): Expression[] {
  return nodes.filter((each) => each !== null);
}
