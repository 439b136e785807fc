/** A single value. */
export type Scalar = string | number | boolean | null;

/** Values by name. */
export type Tree = Readonly<Record<string, unknown>>;

/** Returns a plain object; undefined for anything else. */
export function treeOf(value: unknown): Tree | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

export function isScalars(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value) && value.every(isScalar);
}

/** Whether a value is a list of finite numbers, which can be drawn. */
export function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isFinite(each));
}

/** Whether a value consists of lists of equal length, one per row. */
export function isGrid(value: unknown): value is readonly (readonly Scalar[])[] {
  if (!Array.isArray(value)) return false;
  const [first] = value;
  return isScalars(first) && first.length > 0 && value.every((each) => isScalars(each) && each.length === first.length);
}

/** Returns the displayed form of a single value. */
export function shown(value: unknown): string {
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
