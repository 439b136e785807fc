/**
 * Reads the top-level definitions of a program. A program that computes anything while it is loaded could change the
 * meaning of any name, so it is rejected.
 */

import { type Class, readClass } from "./classes.ts";
import { termOf } from "./construct_names.ts";
import { builtin_exceptions } from "./exceptions.ts";
import { Unsupported } from "./refusal.ts";
import type { Constant, Expression, FunctionDef, Module, Place, Statement, SyntaxTree } from "./tree.ts";
import { listsChangedIn, nodesIn, statementsIn, writtenAttributes } from "./walk.ts";

export interface Program {
  /** All functions, including the methods of classes, whose names contain a dot. */
  readonly functions: ReadonlyMap<string, FunctionDef>;
  readonly classes: ReadonlyMap<string, Class>;
  /** The attributes that some function changes after an object was created. */
  readonly changed: ReadonlySet<string>;
  /** The attributes whose lists some function changes in place. */
  readonly changed_lists: ReadonlySet<string>;
  readonly constants: ReadonlyMap<string, Constant>;
  /** Global lists, dicts and other displays of constants, by name. No function in a proof can change them. */
  readonly tables: ReadonlyMap<string, Expression>;
  /** Displays of the elements of global frozensets of constants, by name. */
  readonly frozensets: ReadonlyMap<string, Display>;
  /** The valid patterns among the literals that are passed to functions of `re`, with the number of their groups. */
  readonly patterns: ReadonlyMap<string, number>;
  /** The literals that global variables get as `re.compile(literal, flags)`, by the variables' names. */
  readonly compiled: ReadonlyMap<string, Pattern>;
  /** Exception classes, including the program's own, each with its base class. */
  readonly exceptions: ReadonlyMap<string, string>;
  /** The names that imports bind, with their full names: "math", "math.sqrt", "icontract.require". */
  readonly imports: ReadonlyMap<string, string>;
  /** The version of the Python interpreter that parsed the text. */
  readonly python: readonly number[];
  /**
   * Whether operations that are not modelled are treated as unknown functions. This suffices only for comparing two
   * functions.
   */
  readonly congruent: boolean;
  /** Whether dicts and sets are modelled. */
  readonly mappings: boolean;
  /** The text to which positions refer. */
  readonly text: string;
}

export type Display = Extract<Expression, { is: "List" | "Set" | "Tuple" }>;

/** A compiled pattern, with its flags in a fixed order. */
export interface Pattern {
  readonly literal: Constant;
  readonly flags: string;
}

/** Flags with which every valid pattern stays valid, and keeps its groups. */
const flags_of_patterns: ReadonlyMap<string, string> = new Map([
  ...["I", "IGNORECASE"].map((name) => [`re.${name}`, "I"] as const),
  ...["M", "MULTILINE"].map((name) => [`re.${name}`, "M"] as const),
  ...["S", "DOTALL"].map((name) => [`re.${name}`, "S"] as const),
]);

/** Modules whose import has no effect other than binding its name. */
const harmless_modules: ReadonlySet<string> = new Set(
  (
    "__future__ abc bisect collections collections.abc copy dataclasses datetime deal decimal enum fractions functools heapq " +
    "html icontract itertools json math operator os os.path random re statistics string textwrap typing typing_extensions " +
    "unicodedata"
  ).split(" "),
);

/** Names that icontract reserves. A call of a function with such a parameter raises TypeError. */
const contract_names: ReadonlySet<string> = new Set(["result", "OLD", "_ARGS", "_KWARGS"]);

/** Reads a program. Raises Unsupported. */
export function readProgram(
  { tree, python, text, patterns }: SyntaxTree,
  { congruent = false, mappings = !congruent }: Partial<Pick<Program, "congruent" | "mappings">> = {},
): Program {
  const reader = new Reader(congruent || mappings, new Map(congruent ? patterns : []));
  reader.read(tree);
  const changed = new Set([...reader.functions.values()].flatMap(writtenAttributes));
  const all = [...reader.functions.values()].flatMap(({ body }) => statementsIn(body));
  return { ...reader, changed, changed_lists: new Set(all.flatMap(listsChangedIn)), python, congruent, mappings, text };
}

class Reader {
  readonly functions = new Map<string, FunctionDef>();
  readonly classes = new Map<string, Class>();
  readonly constants = new Map<string, Constant>();
  readonly tables = new Map<string, Expression>();
  readonly frozensets = new Map<string, Display>();
  readonly exceptions = new Map(builtin_exceptions);
  readonly imports = new Map<string, string>();
  readonly #bound = new Set<string>();
  readonly #has_tables: boolean;
  readonly compiled = new Map<string, Pattern>();
  readonly patterns: ReadonlyMap<string, number>;

  constructor(has_tables: boolean, patterns: ReadonlyMap<string, number>) {
    this.#has_tables = has_tables;
    this.patterns = patterns;
  }

  read(tree: Module): void {
    for (const statement of tree.body) this.#statement(statement);
    // Names are looked up when functions run, so later definitions apply to all functions.
    for (const each of this.functions.values()) this.#definition(each);
    for (const each of [
      ...(this.classes.size > 0 ? class_builtins : []),
      ...(this.frozensets.size > 0 ? ["frozenset"] : []),
    ])
      if (this.#bound.has(each)) throw new Unsupported(`a redefinition of ${each} in a module that uses it`, 1);
  }

  #bind(name: string, at: Place): void {
    if (this.#bound.has(name)) throw new Unsupported(`a second definition of the name ${name} in the module`, at);
    if (name.startsWith("__")) throw new Unsupported(`a definition of the special name ${name}`, at);
    this.#bound.add(name);
  }

  #statement(statement: Statement): void {
    switch (statement.is) {
      case "FunctionDef":
        this.#bind(statement.name, statement);
        this.functions.set(statement.name, statement);
        return;
      case "Import":
        for (const { name, asname } of statement.names) this.#import(name, asname ?? name, statement);
        return;
      case "ImportFrom":
        if (statement.level > 0) throw new Unsupported("relative imports", statement);
        for (const { name, asname } of statement.names)
          this.#importFrom(statement.module, name, asname ?? name, statement);
        return;
      case "Assign":
        for (const target of statement.targets) this.#constant(target, statement.value, statement);
        return;
      case "AnnAssign":
        plainAnnotation(statement.annotation);
        if (statement.target.is !== "Name")
          throw new Unsupported("annotated assignments to anything but a name, outside of functions", statement);
        if (statement.value) this.#constant(statement.target, statement.value, statement);
        return;
      case "ClassDef":
        if (this.#isException(statement)) this.#exception(statement);
        else this.#class(statement);
        return;
      case "Pass":
        return;
      case "Expr":
        if (statement.value.is === "Constant") return;
        throw new Unsupported(
          "statements outside of functions that compute something while the module is loaded",
          statement,
        );
      case "Return":
      case "AugAssign":
      case "For":
      case "While":
      case "If":
      case "Raise":
      case "Assert":
      case "Try":
      case "Break":
      case "Continue":
      case "Other":
        throw new Unsupported(`${termOf(statement)} outside of functions`, statement);
      default:
        statement satisfies never;
    }
  }

  #import(module: string, name: string, at: Place): void {
    if (!harmless_modules.has(module)) throw new Unsupported(`the import of the module ${module}`, at);
    this.#bind(name, at);
    this.imports.set(name, module);
  }

  #importFrom(module: string | null, name: string, local: string, at: Place): void {
    if (name === "*") throw new Unsupported("wildcard imports (`from … import *`)", at);
    if (!module || !harmless_modules.has(module))
      throw new Unsupported(`imports from ${module ? `the module ${module}` : "a package"}`, at);
    this.#bind(local, at);
    this.imports.set(local, `${module}.${name}`);
  }

  #constant(target: Expression, value: Expression, at: Place): void {
    if (this.#has_tables && target.is === "Name" && isTable(value)) {
      this.#bind(target.id, at);
      this.tables.set(target.id, value);
      return;
    }
    const elements = frozenElements(value);
    if (target.is === "Name" && elements) {
      this.#bind(target.id, at);
      this.frozensets.set(target.id, elements);
      return;
    }
    const pattern = this.#patternIn(value);
    if (target.is === "Name" && pattern) {
      this.#bind(target.id, at);
      this.compiled.set(target.id, pattern);
      return;
    }
    if (target.is !== "Name" || value.is !== "Constant" || value.type === "other")
      throw new Unsupported("global variables other than names of a number, string, bool or None", at);
    this.#bind(target.id, at);
    this.constants.set(target.id, value);
  }

  /** Returns the valid pattern that an expression compiles. */
  #patternIn(value: Expression): Pattern | undefined {
    if (value.is !== "Call" || importedName(value.func, this.imports) !== "re.compile") return undefined;
    const [literal, ...more] = value.args;
    if (literal?.is !== "Constant" || literal.type !== "str" || !this.patterns.has(literal.value)) return undefined;
    const given = [...more, ...value.keywords.map((each) => (each.arg === "flags" ? each.value : undefined))];
    const flags = given.length > 1 ? undefined : this.#flagsIn(given.length === 0 ? [] : given);
    return flags && { literal, flags: [...new Set(flags)].sort().join("") };
  }

  /** Returns the flags that an expression combines; undefined if it contains anything else. */
  #flagsIn(parts: readonly (Expression | undefined)[]): string[] | undefined {
    const flags = parts.flatMap((each) => {
      if (each?.is === "BinOp" && each.op === "BitOr") return this.#flagsIn([each.left, each.right]) ?? [undefined];
      return [each && flags_of_patterns.get(importedName(each, this.imports) ?? "")];
    });
    return flags.every((each) => each !== undefined) ? flags.flatMap((each) => each ?? []) : undefined;
  }

  #isException({ bases: [base, ...more] }: ClassDef): boolean {
    return base?.is === "Name" && more.length === 0 && this.exceptions.has(base.id);
  }

  #class(statement: ClassDef): void {
    const { classes, imports } = this;
    const nameOf = (node: Expression) =>
      importedName(node, imports) ?? (node.is === "Name" && !this.#bound.has(node.id) ? node.id : undefined);
    if (builtin_exceptions.has(statement.name)) throw new Unsupported(`a class ${statement.name}`, statement);
    const known = readClass(statement, { classes, nameOf });
    this.#bind(statement.name, statement);
    classes.set(statement.name, known);
    for (const { annotation } of known.fields) if (annotation) plainAnnotation(annotation);
    for (const { definition, owner } of known.methods.values())
      if (owner.name === known.name) this.functions.set(definition.name, definition);
  }

  /** Reads an exception class such as `class Refused(ValueError): pass`. Classes with more than a name are rejected. */
  #exception(statement: ClassDef): void {
    const { name, bases, keywords, body, decorator_list } = statement;
    const [base, ...more] = bases;
    const empty = body.every((each) => each.is === "Pass" || (each.is === "Expr" && each.value.is === "Constant"));
    const plain = more.length === 0 && keywords.length === 0 && decorator_list.length === 0 && empty;
    if (!plain || base?.is !== "Name" || !this.exceptions.has(base.id) || builtin_exceptions.has(name))
      throw new Unsupported(`the class ${name} (only exception classes without a body)`, statement);
    this.#bind(name, statement);
    this.exceptions.set(name, base.id);
  }

  /** Checks the expressions that are evaluated when a function is defined: its decorators, defaults and annotations. */
  #definition({ name, args, decorator_list, returns, line }: FunctionDef): void {
    for (const each of decorator_list) {
      if (!contractOf(each, this.imports))
        throw new Unsupported(`this decorator of ${name} (only require and ensure of icontract with a lambda)`, each);
    }
    // The syntax tree omits the defaults and annotations of these parameters, which could do anything.
    if (args.more !== null)
      throw new Unsupported(`starred and keyword-only parameters (${args.more} of ${name})`, line);
    for (const parameter of args.parameters)
      if (decorator_list.length > 0 && contract_names.has(parameter.name))
        throw new Unsupported(`a parameter with the name ${parameter.name}, which icontract reserves`, parameter.line);
    for (const { default: value, annotation } of args.parameters) {
      const table = value?.is === "Name" ? this.tables.get(value.id) : undefined;
      // Defaults are evaluated at the definition. In a class, the name could be one of the class.
      const is_table = table && table.line < line && !name.includes(".");
      if (value && value.is !== "Constant" && !isNegative(value) && !is_table)
        throw new Unsupported(`default values of ${name} that are not constants`, value);
      if (annotation) plainAnnotation(annotation);
    }
    if (returns) plainAnnotation(returns);
    for (const exception of builtin_exceptions.keys())
      if (this.#bound.has(exception)) throw new Unsupported(`a redefinition of the builtin exception ${exception}`, 1);
  }
}

type ClassDef = Extract<Statement, { is: "ClassDef" }>;

/** Builtins that determine the meaning of a class or its methods. */
const class_builtins = ["object", "property", "staticmethod", "classmethod", "super", "list"];

/** Whether a value is a display of constants, which computes nothing. */
function isTable(value: Expression): boolean {
  if (value.is === "Dict") return [...value.keys, ...value.values].every(isPart);
  return (value.is === "List" || value.is === "Tuple" || value.is === "Set") && value.elts.every(isPart);
}

/** Returns a display of the elements that a call of frozenset has. */
function frozenElements(value: Expression): Display | undefined {
  if (value.is !== "Call" || value.func.is !== "Name" || value.func.id !== "frozenset" || value.keywords.length > 0)
    return undefined;
  const [only, more] = value.args;
  const is_display = !more && (only?.is === "List" || only?.is === "Set" || only?.is === "Tuple");
  return is_display && only.elts.every(({ is }) => is === "Constant") ? only : undefined;
}

/** Whether a value is the negative of a number's literal, such as `-1`. */
export function isNegative(value: Expression): value is Extract<Expression, { is: "UnaryOp" }> {
  const operand = value.is === "UnaryOp" && value.op === "USub" ? value.operand : undefined;
  return operand?.is === "Constant" && (operand.type === "int" || operand.type === "float");
}

function isPart(value: Expression): boolean {
  if (value.is === "UnaryOp") return isNegative(value);
  return (value.is === "Constant" && value.type !== "other") || isTable(value);
}

/** An icontract condition: `@require(lambda x: x >= 0)`. */
export interface Contract {
  readonly kind: "require" | "ensure";
  readonly names: readonly string[];
  readonly condition: Expression;
}

/** Reads a decorator as a contract. Returns undefined if it is anything else. */
export function contractOf(decorator: Expression, imports: ReadonlyMap<string, string>): Contract | undefined {
  if (decorator.is !== "Call") return undefined;
  const name = importedName(decorator.func, imports);
  const kind = name === "icontract.require" ? "require" : name === "icontract.ensure" ? "ensure" : undefined;
  const [condition, description, ...more] = decorator.args;
  const plain = decorator.keywords.length === 0 && more.length === 0 && (description?.is ?? "Constant") === "Constant";
  if (!kind || !plain || condition?.is !== "Lambda" || condition.args.more !== null) return undefined;
  const { parameters, named } = condition.args;
  // icontract passes all arguments by name.
  if (parameters.length > named.length || parameters.some((each) => each.default)) return undefined;
  return { kind, names: named, condition: condition.body };
}

/**
 * Returns the full name of an imported name: "math.sqrt" for `math.sqrt`, and for `sqrt` if it was imported from math.
 * Returns undefined for a name that no import binds.
 */
export function importedName(node: Expression, imports: ReadonlyMap<string, string>): string | undefined {
  if (node.is === "Name") return imports.get(node.id);
  if (node.is !== "Attribute" || node.value.is !== "Name") return undefined;
  const module = imports.get(node.value.id);
  return module && `${module}.${node.attr}`;
}

/** Checks an annotation. Annotations are evaluated too, but names, brackets and bars have no effect there. */
function plainAnnotation(annotation: Expression): void {
  for (const node of nodesIn(annotation)) {
    const plain = ["Name", "Attribute", "Subscript", "Tuple", "Constant"].includes(node.is);
    if (!plain && !(node.is === "BinOp" && node.op === "BitOr"))
      throw new Unsupported("annotations other than names, subscriptions and `|`", annotation);
  }
}
