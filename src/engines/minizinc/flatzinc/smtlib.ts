import { type Constraint, type Expression, elementsOf, type FlatZinc, type Range, type Variable } from "./parse.ts";
import { one, Rational } from "./rational.ts";

/** A compiled model in SMT-LIB, whose integers and reals are exact. */
export interface Translation {
  readonly declarations: string;
  /** A term for the objective; undefined without one. */
  readonly objective: string | undefined;
  /** Names of constraints that could not be translated, and were left out. */
  readonly left_out: readonly string[];
  /** Whether constraints were opened for the sake of computed decimals. */
  readonly opened: boolean;
}

/** A decimal with fewer digits was written by a person; longer ones were computed in floating point. */
const digits_exact = 15;

/** How far a constraint with a computed decimal is opened, in relation to its numbers, so that rounding decides nothing. */
const slack_share = new Rational(1n, 1_000_000n);

/**
 * Translates a compiled model to SMT-LIB. All assertions follow from the model: a constraint that can't be translated
 * is left out, and one with a computed decimal is relaxed a little. So `unsat` holds for the model.
 */
export function toSmtlib(model: FlatZinc): Translation {
  const lines: string[] = [];
  for (const variable of model.variables.values()) lines.push(...declared(variable));
  const left_out = new Set<string>();
  for (const constraint of model.constraints) {
    const formula = new Translator(model).constraint(constraint);
    if (formula === undefined) left_out.add(constraint.name);
    else lines.push(`(assert ${formula})`);
  }
  const { objective } = model.goal;
  const term = objective && new Translator(model).term(objective);
  const opened = model.constraints.some(({ args }) => computedIn(model, args).length > 0);
  return { declarations: lines.join("\n"), objective: term, left_out: [...left_out], opened };
}

const sorts = { bool: "Bool", int: "Int", float: "Real" } as const;

/** The name of a variable, distinct from SMT-LIB's own names. */
export function smtName(name: string): string {
  return `v.${name}`;
}

function declared({ name: own, type, domain }: Variable): string[] {
  if (type === "set") return [];
  const name = smtName(own);
  const lines = [`(declare-const ${name} ${sorts[type]})`];
  if (!domain || type === "bool") return lines;
  const say = (value: Rational) => (type === "int" ? whole(value) : value.toSmtlib());
  const ranges = domain.map((range) => {
    const { low, high } = type === "float" ? widened(range) : range;
    return `(<= ${say(low)} ${name} ${say(high)})`;
  });
  return [...lines, `(assert ${ranges.length === 1 ? ranges[0] : `(or false ${ranges.join(" ")})`})`];
}

/** Bounds with many digits were computed in floating point. */
function widened({ low, high }: Range): Range {
  const isLong = (value: Rational) => String(value.toNumber()).replace(/\D/g, "").length >= digits_exact;
  const by = (value: Rational) => (isLong(value) ? slackOf([value.magnitude]) : new Rational(0n));
  return { low: low.minus(by(low)), high: high.plus(by(high)) };
}

function whole(value: Rational): string {
  return value.over < 0n ? `(- ${-value.over})` : String(value.over);
}

const signs: Readonly<Record<string, string>> = { eq: "=", le: "<=", lt: "<", ne: "distinct" };

class Translator {
  readonly #model: FlatZinc;

  constructor(model: FlatZinc) {
    this.#model = model;
  }

  /** The formula of a constraint; undefined if it can't be translated. */
  constraint({ name, args }: Constraint): string | undefined {
    const [, relation = name, mode] = /^(.*?)_(reif|imp)$/.exec(name) ?? [];
    if (mode === undefined) return this.#holds(relation, args);
    const holds = this.#holds(relation, args);
    const fails = this.#holds(relation, args, "fails");
    const truth = this.term(args.at(-1));
    if (holds === undefined || fails === undefined || truth === undefined) return undefined;
    return mode === "imp" ? `(=> ${truth} ${holds})` : `(and (=> ${truth} ${holds}) (=> (not ${truth}) ${fails}))`;
  }

  /** A formula that follows from the relation, or from its opposite. */
  #holds(name: string, args: readonly Expression[], side: "holds" | "fails" = "holds"): string | undefined {
    const [, type = "", lin, sign = ""] = /^(int|float|bool)_(lin_)?(eq|ne|le|lt)$/.exec(name) ?? [];
    if (type !== "" && !(type === "bool" && sign !== "eq" && sign !== "ne" && !lin))
      return this.#comparison(type, lin !== undefined, sign, args, side);
    // Only a comparison can be opened.
    if (computedIn(this.#model, args).length > 0) return undefined;
    const formula = this.#formula(name, args);
    return side === "holds" || formula === undefined ? formula : `(not ${formula})`;
  }

  #comparison(
    type: string,
    is_sum: boolean,
    sign: string,
    args: readonly Expression[],
    side: "holds" | "fails",
  ): string | undefined {
    const [a, b, c] = args;
    const left = is_sum ? this.#sum(a, b, type) : this.term(a);
    const right = this.term(is_sum ? c : b);
    const symbol = signs[sign];
    if (left === undefined || right === undefined || symbol === undefined) return undefined;
    const exact = `(${symbol} ${left} ${right})`;
    const computed = type === "float" ? computedIn(this.#model, args) : [];
    if (computed.length === 0) return side === "holds" ? exact : `(not ${exact})`;
    return openedBy(slackOf(computed).toSmtlib(), sign, left, right, side);
  }

  #sum(a: Expression | undefined, b: Expression | undefined, type: string): string | undefined {
    const coefficients = elementsOf(this.#model, a);
    const variables = elementsOf(this.#model, b);
    if (!coefficients || !variables) return undefined;
    const parts = variables.map((variable, i) => {
      const factor = this.term(coefficients[i]);
      const term = type === "bool" ? this.#as01(variable) : this.term(variable);
      return factor !== undefined && term !== undefined ? `(* ${factor} ${term})` : undefined;
    });
    if (parts.includes(undefined)) return undefined;
    return parts.length === 0
      ? type === "float"
        ? "0.0"
        : "0"
      : `(+ ${parts.join(" ")} ${type === "float" ? "0.0" : "0"})`;
  }

  #as01(expression: Expression): string | undefined {
    const term = this.term(expression);
    return term === undefined ? undefined : `(ite ${term} 1 0)`;
  }

  #formula(name: string, args: readonly Expression[]): string | undefined {
    const [a, b, c] = args.map((arg) => this.term(arg));
    const lists = args.map((arg) => this.#terms(arg));
    const binary = (operator: string) => (a && b && c ? `(= ${c} (${operator} ${a} ${b}))` : undefined);
    switch (name) {
      case "int_plus":
      case "float_plus":
        return binary("+");
      case "int_times":
      case "float_times":
        return binary("*");
      case "int_div":
        return a && b && c ? `(and (distinct ${b} 0) (= ${c} ${quotient(a, b)}))` : undefined;
      case "int_mod":
        return a && b && c ? `(and (distinct ${b} 0) (= ${c} (- ${a} (* ${b} ${quotient(a, b)}))))` : undefined;
      case "float_div":
        return a && b && c ? `(and (distinct ${b} 0.0) (= (* ${c} ${b}) ${a}))` : undefined;
      case "float_sqrt":
        return a && b ? `(and (>= ${b} 0.0) (= (* ${b} ${b}) ${a}))` : undefined;
      case "int_abs":
      case "float_abs":
        return a && b ? `(= ${b} (ite (>= ${a} 0) ${a} (- ${a})))` : undefined;
      case "int_max":
      case "float_max":
        return a && b && c ? `(= ${c} (ite (>= ${a} ${b}) ${a} ${b}))` : undefined;
      case "int_min":
      case "float_min":
        return a && b && c ? `(= ${c} (ite (<= ${a} ${b}) ${a} ${b}))` : undefined;
      case "int2float":
        return a && b ? `(= ${b} (to_real ${a}))` : undefined;
      case "bool2int":
        return a && b ? `(= ${b} (ite ${a} 1 0))` : undefined;
      case "bool_not":
        return a && b ? `(distinct ${a} ${b})` : undefined;
      case "bool_and":
        return binary("and");
      case "bool_or":
        return binary("or");
      case "bool_xor":
        return a && b ? `(= ${c ?? "true"} (xor ${a} ${b}))` : undefined;
      case "bool_le":
        return a && b ? `(=> ${a} ${b})` : undefined;
      case "bool_lt":
        return a && b ? `(and (not ${a}) ${b})` : undefined;
      case "array_bool_and":
        return lists[0] && b ? `(= ${b} (and true ${lists[0].join(" ")}))` : undefined;
      case "array_bool_or":
        return lists[0] && b ? `(= ${b} (or false ${lists[0].join(" ")}))` : undefined;
      case "bool_clause":
        return lists[0] && lists[1]
          ? `(or false ${lists[0].join(" ")} ${lists[1].map((each) => `(not ${each})`).join(" ")})`
          : undefined;
      case "array_int_maximum":
      case "array_float_maximum":
        return extreme(a, lists[1], ">=");
      case "array_int_minimum":
      case "array_float_minimum":
        return extreme(a, lists[1], "<=");
      case "set_in":
        return this.#member(a, args[1]);
      default:
        return /^array_(var_)?(int|bool|float)_element$/.test(name) ? element(a, lists[1], c) : undefined;
    }
  }

  #member(x: string | undefined, set: Expression | undefined): string | undefined {
    if (x === undefined || set?.kind !== "set") return undefined;
    if (!set.ranges.every(({ low, high }) => low.isWhole && high.isWhole)) return undefined;
    return `(or false ${set.ranges.map(({ low, high }) => `(<= ${whole(low)} ${x} ${whole(high)})`).join(" ")})`;
  }

  #terms(expression: Expression): string[] | undefined {
    const terms = elementsOf(this.#model, expression)?.map((each) => this.term(each));
    const known = terms?.filter((each) => each !== undefined);
    return known && known.length === terms?.length ? known : undefined;
  }

  /** A number, a truth value or a variable; undefined for anything else. */
  term(expression: Expression | undefined): string | undefined {
    switch (expression?.kind) {
      case "bool":
        return String(expression.value);
      case "number":
        return expression.substituted || /[.eE]/.test(expression.text)
          ? expression.value.toSmtlib()
          : whole(expression.value);
      case "name": {
        const variable = this.#model.variables.get(expression.name);
        return variable && variable.type !== "set" ? smtName(variable.name) : undefined;
      }
      default:
        return undefined;
    }
  }
}

/** The sizes of the decimals of a constraint that were computed. */
function computedIn(model: FlatZinc, args: readonly Expression[]): Rational[] {
  const all = args.flatMap((arg) => [arg, ...(elementsOf(model, arg) ?? [])]);
  return all.flatMap((each) =>
    each.kind === "number" && !each.substituted && isComputed(each.text) ? [each.value.magnitude] : [],
  );
}

/** How far computed numbers of these sizes can be from their exact values. */
function slackOf(sizes: readonly Rational[]): Rational {
  return sizes.reduce((most, each) => (each.compare(most) > 0 ? each : most), one).times(slack_share);
}

function isComputed(text: string): boolean {
  if (!/[.eE]/.test(text)) return false;
  // From here on doubles can't represent every integer, so a number with few digits may have been rounded.
  if (Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER) return true;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-+.]/g, "")
    .replace(/^0+|0+$/g, "");
  return digits.length >= digits_exact;
}

/** A comparison, or its opposite, with a slack in favour of whatever is to hold. */
function openedBy(slack: string, sign: string, left: string, right: string, side: "holds" | "fails"): string {
  const near = `(<= (- ${slack}) (- ${left} ${right}) ${slack})`;
  const below = `(<= ${left} (+ ${right} ${slack}))`;
  const above = `(>= ${left} (- ${right} ${slack}))`;
  if (sign === "eq") return side === "holds" ? near : "true";
  if (sign === "ne") return side === "holds" ? "true" : near;
  return side === "holds" ? below : above;
}

/** Rounded towards 0; SMT-LIB's own division has a remainder that is never negative. */
function quotient(a: string, b: string): string {
  return `(ite (>= ${a} 0) (div ${a} ${b}) (- (div (- ${a}) ${b})))`;
}

function extreme(result: string | undefined, list: readonly string[] | undefined, sign: string): string | undefined {
  if (result === undefined || !list || list.length === 0) return undefined;
  const bounds = list.map((each) => `(${sign} ${result} ${each})`);
  const one_of = list.map((each) => `(= ${result} ${each})`);
  return `(and ${bounds.join(" ")} (or ${one_of.join(" ")} false))`;
}

function element(
  index: string | undefined,
  list: readonly string[] | undefined,
  value: string | undefined,
): string | undefined {
  if (index === undefined || !list || value === undefined) return undefined;
  const cases = list.map((each, i) => `(and (= ${index} ${i + 1}) (= ${value} ${each}))`);
  return `(or ${cases.join(" ")} false)`;
}
