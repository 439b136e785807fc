import type { Cell, Table } from "./table.ts";

const named_max = 3;

export interface NamedTable {
  readonly name: string;
  readonly table: Table;
}

/**
 * Finds values that refer to another table but do not occur in it. A column with the name of a table or of its first
 * column refers to that first column, provided that the first column's values are all different.
 */
export function strangers(tables: readonly NamedTable[]): string[] {
  return tables.flatMap((one) => tables.filter((other) => other !== one).flatMap((other) => missingIn(one, other)));
}

function missingIn(one: NamedTable, other: NamedTable): string[] {
  const [key] = other.table.summary.columns;
  const keys = other.table.values[0] ?? [];
  if (!key || key.missing > 0 || key.distinct < keys.length) return [];
  const known = new Set(keys);
  return one.table.summary.columns.flatMap(({ name }, at) => {
    if (name !== key.name && !isOf(name, other.name)) return [];
    // In this case, the reference may go the other way, from the other table's first column.
    if (at === 0 && one.table.summary.columns[0]?.distinct === one.table.summary.rows && name === key.name) return [];
    const values = one.table.values[at] ?? [];
    const lost = values.flatMap((value, row) => (value !== null && !known.has(value) ? [{ value, row }] : []));
    return lost.length === 0 ? [] : [sentence(one, name, { other, key: key.name, lost })];
  });
}

/**
 * Whether a column's name refers to a table: `staff_id` and `staff` refer to the table staff, and `employee` refers to
 * employees.
 */
function isOf(column: string, table: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/_?(?:id|name|no|nr)$/, "")
      .replace(/s$/, "");
  return plain(column) === plain(table);
}

function sentence(
  { name }: NamedTable,
  column: string,
  {
    other,
    key,
    lost,
  }: { readonly other: NamedTable; readonly key: string; readonly lost: readonly { value: Cell; row: number }[] },
): string {
  const shown = lost.slice(0, named_max).map(({ value, row }) => `${JSON.stringify(value)} in row ${row + 1}`);
  const more = lost.length > shown.length ? `, and ${lost.length - shown.length} more` : "";
  return `${name}.${column} has values that ${other.name}.${key} lacks: ${shown.join(", ")}${more}.`;
}
