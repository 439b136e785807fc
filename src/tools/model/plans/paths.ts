import { Fault } from "../../../kernel/fault.ts";
import type { Values } from "../language.ts";

/**
 * Splits a path into its keys, the first of which is a name: `shift[Anna,Fri]`, `x[0][2]`, `roles.ann`, `visit(c,2)`.
 */
export function stepsOf(path: string): string[] {
  return path.split(/[\s"'[\](),.]+/).filter((step) => step !== "");
}

/**
 * Converts a name with brackets, and a value, to nested objects under the path's first name; undefined for any other
 * name.
 */
export function nested(path: string, value: unknown): { readonly name: string; readonly value: unknown } | undefined {
  const [, name = "", brackets = ""] = /^([^[\]]+)((?:\[[^[\]]+\])+)$/.exec(path) ?? [];
  if (name === "") return undefined;
  const keys = brackets
    .slice(1, -1)
    .split(/\]\[|,/)
    .map((key) => key.trim().replace(/^(["'])(.*)\1$/, "$2"));
  return { name, value: keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) };
}

/**
 * The costs of changes. The weight of a place is given by the longest path that is a prefix of it, otherwise by a name
 * among its keys; the default is 1.
 */
export class Weights {
  readonly #by_path: readonly { readonly path: string; readonly key: string; readonly weight: number }[];
  readonly #used = new Set<string>();

  constructor(weights: Readonly<Record<string, number>>) {
    this.#by_path = Object.entries(weights)
      .map(([path, weight]) => ({ path, key: stepsOf(path).join(" "), weight }))
      .toSorted((one, other) => other.key.length - one.key.length);
  }

  /** Returns the weight of a place, by its keys; undefined if no weight is given. */
  at(steps: readonly string[]): number | undefined {
    // A key can have several parts, such as 'Eva M.'.
    const keys = steps.map((step) => stepsOf(step).join(" "));
    const place = `${keys.join(" ")} `;
    const found =
      this.#by_path.find(({ key }) => place.startsWith(`${key} `)) ??
      this.#by_path.find(({ key }) => keys.includes(key));
    if (found) this.#used.add(found.path);
    return found?.weight;
  }

  /**
   * Raises `invalid_argument` for weights that match nothing in the plan, since a misspelt name would silently cost 1.
   * Names that no longer occur in the model are not errors.
   */
  expectUsed(skipped: readonly string[] = []): void {
    const gone = new Set(skipped.flatMap(stepsOf));
    const isUsed = (path: string) => this.#used.has(path) || stepsOf(path).some((step) => gone.has(step));
    const unused = this.#by_path.map(({ path }) => path).filter((path) => !isUsed(path));
    if (unused.length === 0) return;
    throw new Fault("invalid_argument", `weights names values that are not in the plan: ${unused.join(", ")}.`, [
      "use names of the plan, such as shift, shift[Anna] or shift[Anna,Fri], or one of its entities, such as Anna",
      "a weight of 0 means that a change costs nothing",
    ]);
  }
}

/** Returns the weights of a plan's values, in the same form as the plan; null where no weight is given. */
export function weightsIn(values: Values, weights: Weights): Record<string, unknown> {
  const of = (value: unknown, steps: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown, i) => of(each, [...steps, String(i)]));
    if (typeof value !== "object" || value === null) return weights.at(steps) ?? null;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, of(each, [...steps, ...stepsOf(key)])]));
  };
  const all = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value, stepsOf(name))]));
  weights.expectUsed();
  return all;
}

/** Converts arrays to objects keyed by index names, as far as these names are known. */
export function byIndexNames(values: Values, names: Readonly<Record<string, readonly (readonly string[])[]>>): Values {
  const of = (value: unknown, [keys, ...rest]: readonly (readonly string[])[]): unknown =>
    Array.isArray(value) && keys?.length === value.length
      ? Object.fromEntries(value.map((each: unknown, i) => [keys[i] ?? "", of(each, rest)]))
      : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value, names[name] ?? [])]));
}
