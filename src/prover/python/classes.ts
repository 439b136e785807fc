/**
 * Reads the classes of a program whose objects consist only of their fields: enumerations, named tuples, dataclasses,
 * and classes whose `__init__` sets the fields. Anything that could change the meaning of an attribute is rejected.
 */

import { termOf } from "./construct_names.ts";
import { constantOf, type Field, fieldsSetBy, initialisesBase, otherValueIn } from "./fields.ts";
import { Unsupported } from "./refusal.ts";
import type { Constant, Expression, FunctionDef, Statement } from "./tree.ts";
import { boundIn, expressionsOf, nodesIn, statementsIn } from "./walk.ts";

type ClassDef = Extract<Statement, { is: "ClassDef" }>;
type AttributeNode = Extract<Expression, { is: "Attribute" }>;

export interface Method {
  readonly definition: FunctionDef;
  readonly kind: "object" | "static" | "class" | "property";
  readonly owner: Class;
}

export interface Class {
  readonly name: string;
  readonly line: number;
  readonly kind: "enum" | "tuple" | "dataclass" | "plain";
  readonly base: Class | undefined;
  readonly fields: readonly Field[];
  /** The members of an enumeration, without aliases. `member_numbers` maps each name to its member's number. */
  readonly members: readonly { readonly name: string; readonly value: Constant }[];
  readonly member_numbers: ReadonlyMap<string, number>;
  /** The class attributes. */
  readonly constants: ReadonlyMap<string, Constant>;
  /** The class's own methods and the inherited ones. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly is_frozen: boolean;
  /** Whether `<` compares the fields. */
  readonly is_ordered: boolean;
}

/** What a class definition can refer to. */
export interface Surroundings {
  readonly classes: ReadonlyMap<string, Class>;
  /** Returns the full name of an imported name, or the name of a builtin that the program does not redefine. */
  nameOf(node: Expression): string | undefined;
}

const enum_bases = ["enum.Enum"];
const tuple_bases = ["typing.NamedTuple"];
/** Names that have a special meaning in enumerations. */
const enum_names: ReadonlySet<string> = new Set(["name", "value", "mro"]);
/** Special methods that are called only when an object is created. */
const makers: ReadonlySet<string> = new Set(["__init__", "__post_init__"]);

/** Whether a class is the other class or inherits from it. */
export function isInstanceOf(own: Class | undefined, other: Class): boolean {
  for (let at = own; at; at = at.base) if (at === other) return true;
  return false;
}

/** Reads a class definition. Raises Unsupported. */
export function readClass(node: ClassDef, around: Surroundings): Class {
  const reader = new Reader(node, around);
  return reader.read();
}

class Reader {
  readonly #node: ClassDef;
  readonly #around: Surroundings;
  readonly #constants = new Map<string, Constant>();
  readonly #annotated: { name: string; annotation: Expression; value: Expression | null }[] = [];
  readonly #functions: FunctionDef[] = [];

  constructor(node: ClassDef, around: Surroundings) {
    this.#node = node;
    this.#around = around;
  }

  read(): Class {
    const { name, bases, keywords } = this.#node;
    const [first, ...others] = bases.filter((each) => this.#around.nameOf(each) !== "object");
    if (keywords.length > 0 || others.length > 0)
      throw new Unsupported(`the class ${name} with several base classes, or with a metaclass`, this.#node);
    const known = first && this.#around.nameOf(first);
    const base = first?.is === "Name" ? this.#around.classes.get(first.id) : undefined;
    const is_enum = known !== undefined && enum_bases.includes(known);
    const is_tuple = known !== undefined && tuple_bases.includes(known);
    if (first && !base && !is_enum && !is_tuple)
      throw new Unsupported(`the class ${name} (its base class is not a dataclass or plain class of the code)`, first);
    const options = this.#options(is_enum);
    const kind = is_enum ? "enum" : is_tuple ? "tuple" : options ? "dataclass" : "plain";
    if (base && base.kind !== kind)
      throw new Unsupported(
        `the class ${name}, which inherits from a class of another kind (${base.name})`,
        this.#node,
      );
    if (base && options?.has("slots")) throw new Unsupported(`slots of the class ${name}, which inherits`, this.#node);
    for (const each of this.#node.body) this.#statement(each, kind);
    return this.#made(kind, base, options);
  }

  /** Returns the options of the decorator `dataclass`; undefined if the class is not a dataclass. */
  #options(is_enum: boolean): Set<string> | undefined {
    const { decorator_list, name } = this.#node;
    let options: Set<string> | undefined;
    for (const each of decorator_list) {
      const of = this.#around.nameOf(each.is === "Call" ? each.func : each);
      if (is_enum && of === "enum.unique" && each.is !== "Call") continue;
      if (of !== "dataclasses.dataclass" || is_enum || options)
        throw new Unsupported(`this decorator of the class ${name} (only dataclass)`, each);
      options = new Set();
      if (each.is !== "Call") continue;
      for (const { arg, value } of each.args.length > 0 ? [{ arg: null, value: each }] : each.keywords) {
        const on = value.is === "Constant" && value.type === "bool" ? value.value === "True" : undefined;
        const is_usual = on !== undefined && (arg === "repr" || ((arg === "eq" || arg === "init") && on));
        if (!is_usual && (on === undefined || arg === null || !["frozen", "order", "slots"].includes(arg)))
          throw new Unsupported(`this option of dataclass (only frozen, order and slots)`, value);
        if (on && arg !== null) options.add(arg);
      }
    }
    return options;
  }

  #statement(statement: Statement, kind: Class["kind"]): void {
    if (statement.is === "Pass" || (statement.is === "Expr" && statement.value.is === "Constant")) return;
    if (statement.is === "FunctionDef") {
      this.#functions.push(statement);
      return;
    }
    const [target, ...others] =
      statement.is === "AnnAssign" ? [statement.target] : statement.is === "Assign" ? statement.targets : [];
    if (target?.is !== "Name" || others.length > 0 || (statement.is !== "AnnAssign" && statement.is !== "Assign"))
      throw new Unsupported(`${termOf(statement)} in the body of a class`, statement);
    checkName(target.id, statement);
    const { value } = statement;
    const of_class = statement.is === "AnnAssign" && this.#isClassVariable(statement.annotation);
    if (statement.is === "AnnAssign" && !of_class && kind !== "enum") {
      if (this.#annotated.some(({ name }) => name === target.id) || this.#constants.has(target.id))
        throw new Unsupported(`a second definition of the attribute ${target.id}`, statement);
      this.#annotated.push({ name: target.id, annotation: statement.annotation, value });
      return;
    }
    const known = value && (this.#isAuto(value) ? auto(this.#constants.size, statement) : constantOf(value));
    if (!known || this.#constants.has(target.id) || (statement.is === "AnnAssign" && kind === "enum"))
      throw new Unsupported(
        `the class attribute ${target.id} (only names of constants, each assigned once)`,
        statement,
      );
    this.#constants.set(target.id, known);
  }

  #isClassVariable(annotation: Expression): boolean {
    const outer = annotation.is === "Subscript" ? annotation.value : annotation;
    return this.#around.nameOf(outer) === "typing.ClassVar";
  }

  #isAuto(value: Expression): boolean {
    return value.is === "Call" && value.args.length === 0 && this.#around.nameOf(value.func) === "enum.auto";
  }

  #made(kind: Class["kind"], base: Class | undefined, options: Set<string> | undefined): Class {
    const { name, line } = this.#node;
    const is_enum = kind === "enum";
    const { members, numbers } = is_enum ? this.#members() : { members: [], numbers: new Map<string, number>() };
    const methods = new Map<string, Method>(base?.methods);
    const own: { -readonly [Key in keyof Class]: Class[Key] } = {
      name,
      line,
      kind,
      base,
      fields: [],
      members,
      member_numbers: numbers,
      constants: new Map([...(base?.constants ?? []), ...(is_enum ? [] : this.#constants)]),
      methods,
      is_frozen: kind === "tuple" || is_enum || options?.has("frozen") === true,
      is_ordered: options?.has("order") === true,
    };
    if (kind === "dataclass" && base && base.is_frozen !== own.is_frozen)
      throw new Unsupported(`the class ${name}, as only one of it and its base class is frozen`, line);
    // The inherited comparison compares only the base class's fields.
    if (base?.is_ordered && !own.is_ordered)
      throw new Unsupported(`the class ${name}, which inherits its order from ${base.name}`, line);
    for (const each of this.#functions) methods.set(each.name, this.#method(each, own, kind));
    own.fields = kind === "plain" ? this.#fieldsSet(own, base) : this.#fieldsDeclared(kind, base);
    for (const { name: field } of own.fields)
      if (own.constants.has(field) || methods.has(field))
        throw new Unsupported(`the attribute ${field}, which the class ${name} has as well`, line);
    for (const each of this.#constants.keys())
      if (methods.has(each)) throw new Unsupported(`a second definition of the attribute ${each}`, line);
    return own;
  }

  /** Returns the members of an enumeration. Names with equal values are the same member. */
  #members(): { members: Class["members"]; numbers: Map<string, number> } {
    const members: { name: string; value: Constant }[] = [];
    const numbers = new Map<string, number>();
    for (const [name, value] of this.#constants) {
      if (enum_names.has(name) || name.startsWith("_") || (value.type !== "int" && value.type !== "str"))
        throw new Unsupported(
          `the member ${name} of ${this.#node.name} (only members with ints and strings as values)`,
          value,
        );
      const at = members.findIndex((each) => isSame(each.value, value));
      numbers.set(name, at < 0 ? members.length : at);
      if (at < 0) members.push({ name, value });
    }
    const autos = [...this.#constants.values()].filter(({ end_column }) => end_column < 0);
    if (autos.length > 0 && autos.length < this.#constants.size)
      throw new Unsupported("members by auto() beside other members", this.#node);
    if (members.length === 0) throw new Unsupported(`the class ${this.#node.name} without members`, this.#node);
    return { members, numbers };
  }

  #method(node: FunctionDef, owner: Class, kind: Class["kind"]): Method {
    const { name, decorator_list } = node;
    const is_special = /^__.*__$/.test(name);
    if (
      is_special
        ? kind === "enum" || kind === "tuple" || !makers.has(name)
        : name.startsWith("_") && kind !== "plain" && kind !== "dataclass"
    )
      throw new Unsupported(`the method ${name} of a class`, node);
    if (!is_special) checkName(name, node);
    if (name === "__init__" && kind === "dataclass") throw new Unsupported("an `__init__` of a dataclass", node);
    if (this.#functions.filter((each) => each.name === name).length > 1)
      throw new Unsupported(`a second definition of the attribute ${name}`, node);
    for (const each of [...statementsIn(node.body).flatMap(expressionsOf), ...node.body.map(() => undefined)])
      for (const part of each ? nodesIn(each) : [])
        if (part.is === "Name" && part.id.startsWith("__") && !part.id.endsWith("__"))
          throw new Unsupported(`the name ${part.id} in a class, which changes it`, part);
    const [first, ...others] = decorator_list;
    const wrapper = first && this.#around.nameOf(first);
    const known =
      wrapper === "property" || wrapper === "staticmethod" || wrapper === "classmethod" ? wrapper : undefined;
    if (known && (others.length > 0 || is_special))
      throw new Unsupported(`several decorators of ${name}`, others[0] ?? node);
    const definition = {
      ...node,
      name: `${this.#node.name}.${name}`,
      decorator_list: known ? [] : decorator_list,
    };
    const kinds = { property: "property", staticmethod: "static", classmethod: "class" } as const;
    const own = known ? kinds[known] : "object";
    const [self] = node.args.parameters;
    if (own !== "static" && (!self || self.default || boundIn(node.body).has(self.name)))
      throw new Unsupported(`the first parameter of ${name}, which is missing or assigned`, node);
    return { definition, kind: own, owner };
  }

  /** Returns the fields of a dataclass or named tuple. The base class's fields come first. */
  #fieldsDeclared(kind: Class["kind"], base: Class | undefined): Field[] {
    const fields = new Map((base?.fields ?? []).map((each) => [each.name, each]));
    for (const { name, annotation, value } of this.#annotated) {
      if (kind === "tuple" && name.startsWith("_")) throw new Unsupported(`the field ${name}`, annotation);
      const outer = annotation.is === "Subscript" ? annotation.value : annotation;
      const of = this.#around.nameOf(outer);
      if (
        of?.startsWith("dataclasses.") ||
        (annotation.is === "Constant" && annotation.type === "str" && !/^\w+$/.test(annotation.value))
      )
        throw new Unsupported("this annotation of a field", annotation);
      const known = value ? this.#defaultOf(value, kind) : undefined;
      if (!known && [...fields.values()].some((each) => each.default !== undefined))
        throw new Unsupported(`the field ${name} without a default after one with a default`, annotation);
      fields.set(name, { name, annotation, default: known, parameter: name, is_set: true });
    }
    if (kind !== "enum" && fields.size === 0)
      throw new Unsupported(`the class ${this.#node.name} without fields`, this.#node);
    return [...fields.values()];
  }

  #defaultOf(value: Expression, kind: Class["kind"]): NonNullable<Field["default"]> {
    const known = constantOf(value) ?? (this.#isMember(value) ? value : undefined);
    if (known) return known;
    const [option, ...others] = value.is === "Call" && value.args.length === 0 ? value.keywords : [];
    const is_field =
      kind === "dataclass" && value.is === "Call" && this.#around.nameOf(value.func) === "dataclasses.field";
    if (is_field && option && others.length === 0) {
      if (option.arg === "default") return this.#defaultOf(option.value, "tuple");
      if (option.arg === "default_factory" && this.#around.nameOf(option.value) === "list") return "list";
    }
    throw new Unsupported(
      "this default of a field (only constants, members of enumerations, and `field(default_factory=list)`)",
      value,
    );
  }

  #isMember(value: Expression): value is AttributeNode {
    if (value.is !== "Attribute" || value.value.is !== "Name") return false;
    return this.#around.classes.get(value.value.id)?.member_numbers.has(value.attr) === true;
  }

  /** Returns the attributes that the class declares, or that its own or its base class's `__init__` sets. */
  #fieldsSet(own: Class, base: Class | undefined): Field[] {
    const method = this.#functions.find(({ name }) => name === "__init__");
    const fields = new Map(
      (base?.fields ?? []).map((each) => [each.name, method ? inherited(each, initialisesBase(method)) : each]),
    );
    const declared = new Map(this.#annotated.map((each) => [each.name, each]));
    for (const { name, annotation, value } of this.#annotated) {
      if (value)
        throw new Unsupported(
          `the class attribute ${name} (declare it with ClassVar, or set it in \`__init__\`)`,
          annotation,
        );
      if (!fields.has(name))
        fields.set(name, { name, annotation, default: undefined, parameter: undefined, is_set: false });
    }
    if (method)
      for (const each of fieldsSetBy(method)) {
        const of_base = fields.get(each.name);
        const declaration = declared.get(each.name) ?? (of_base?.is_inferred ? undefined : of_base);
        const type = each.is_inferred && declaration ? { ...declaration, is_inferred: false } : each;
        const { annotation, is_inferred } = type;
        fields.set(each.name, { ...each, annotation, is_inferred, is_set: each.is_set || of_base?.is_set === true });
      }
    for (const each of fields.keys()) checkName(each, own.methods.get("__init__")?.definition ?? this.#node);
    const all = [...own.methods.values()].map(({ definition }) => definition);
    return [...fields.values()].map((each) =>
      all.some((one) => otherValueIn(one, each)) ? { ...each, annotation: undefined } : each,
    );
  }
}

/** Adapts a field of the base class to a class that has its own `__init__`. */
function inherited(field: Field, is_initialised: boolean): Field {
  return { ...field, parameter: undefined, is_set: field.is_set && is_initialised };
}

function checkName(name: string, at: { line: number }): void {
  if (name.startsWith("__")) throw new Unsupported(`the attribute ${name}`, at.line);
}

/** Returns the value of `auto()` as a constant. It has no position in the source. */
function auto(before: number, { line }: Statement): Constant {
  return { is: "Constant", type: "int", value: String(before + 1), line, end_line: line, column: -1, end_column: -1 };
}

function isSame(a: Constant, b: Constant): boolean {
  if (a.type !== b.type) return false;
  return a.type === "int" ? wholeOf(a) === wholeOf(b) : a.value === b.value;
}

/** Returns the value of an int constant. */
export function wholeOf({ value }: Constant): bigint {
  return value.startsWith("-") ? -BigInt(value.slice(1)) : BigInt(value);
}
