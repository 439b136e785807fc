/** Converts Python values to truth values, integers and floats. */

import { floatOfBits } from "../../logic/evaluate.ts";
import { BOOL, FLOAT, type Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { bool, float, int, NONE, type Plain, text, type Value } from "../../logic/values.ts";
import { wholeOf } from "../../python/classes.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Constant } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";

/** Returns the value of a literal. Raises `Unsupported`. */
export function constant(m: Machine, node: Constant): Plain {
  const { t } = m;
  switch (node.type) {
    case "int":
      return int(t.int(wholeOf(node)));
    case "bool":
      return bool(t.bool(node.value === "True"));
    case "float":
      return float(t.float(floatOfBits(node.value)));
    case "str":
      return text(t, node.value);
    case "none":
      return NONE;
    default:
      throw new Unsupported(`literals of type ${node.value}`, node);
  }
}

/** Floats represent every integer up to this one. */
const exact_max = 2n ** 53n;

/** Returns `bool(x)`, which never raises a Python exception for these types. Raises `Unsupported` for others. */
export function truthOf(m: Machine, plain: Plain, line: number): Term {
  const { t } = m;
  switch (plain.kind) {
    case "bool":
      return plain.term;
    case "int":
      return t.not(t.eq(plain.term, t.zero));
    case "float":
      return t.not(t.floatOp("fp.isZero", plain.term));
    case "none":
      return t.no;
    case "enum":
    case "record":
    case "object":
    case "class":
      return t.yes;
    case "tuple":
      return t.bool(plain.items.length > 0);
    case "sequence":
      return t.lt(t.zero, plain.sequence.length);
    case "mapping":
      return t.lt(t.zero, plain.mapping.count);
    case "unbound":
      return t.no;
    case "opaque":
      return t.apply("~truth", [plain.term], BOOL);
    default:
      throw new Unsupported(`the truth value of a ${plain.kind} number`, line);
  }
}

/** Returns the truth value of a value that can have several types. */
export function truth(m: Machine, value: Value, line: number): Term {
  const { t } = m;
  return value.reduceRight((rest, { when, plain }) => t.ite(when, truthOf(m, plain, line), rest), t.no);
}

/** Returns an int or bool as an integer. */
export function asInt(t: Terms, plain: Plain): Term | undefined {
  if (plain.kind === "int") return plain.term;
  return plain.kind === "bool" ? t.ite(plain.term, t.one, t.zero) : undefined;
}

/**
 * Returns a number as a float. An integer that is not a constant becomes an unknown float that depends on the integer,
 * because no solver converts integers correctly.
 */
export function asFloat(m: Machine, state: State, plain: Plain, line: number): Term | undefined {
  const { t } = m;
  if (plain.kind === "float") return plain.term;
  if (plain.kind === "bool") return t.ite(plain.term, t.float(1), t.float(0));
  if (plain.kind !== "int") return undefined;
  if (isSmall(plain.term)) return t.float(Number(plain.term.value));
  m.raise(state, m.unknown("too large for a float", [plain.term]), "OverflowError", line);
  return t.apply("float of int", [plain.term], FLOAT);
}

/** Whether a term is a constant that a float represents exactly. */
export function isSmall({ value }: Term): boolean {
  return typeof value === "bigint" && value <= exact_max && value >= -exact_max;
}
