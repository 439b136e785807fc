import type { MiniZinc } from "../../../../engines/minizinc/index.ts";
import type { SolveContext } from "../../language.ts";
import { type Model, parametersOf } from "./model.ts";
import { openEnums } from "./source/declarations.ts";
import { tablesIn, withColumns, withEnums } from "./source/tables.ts";

/**
 * The data, with parameters derived from its tables: enum members, columns, and numbers of rows. Raises as
 * `parametersOf` does.
 */
export async function dataFor(
  engine: MiniZinc,
  model: Model,
  { options: { data }, deadline }: Pick<SolveContext, "options" | "deadline">,
): Promise<{ readonly data: SolveContext["options"]["data"]; readonly notes: readonly string[] }> {
  const tables = tablesIn(data ?? {});
  if (data === undefined || tables.size === 0) return { data, notes: [] };
  const known = withEnums(data, openEnums(model.statements));
  const { types } = await parametersOf(engine, { model, data: known }, deadline);
  const shaped = withColumns(known, types);
  const is_used = Object.keys(shaped).length > Object.keys(data).length - tables.size;
  const [name = "", rows = []] = [...tables][0] ?? [];
  const [column = ""] = Object.keys(rows[0] ?? {});
  const unused = `No parameter uses the tables: declare, for instance, \`int: n_${name};\` and \`array[1..n_${name}] of int: ${name}_${column};\`.`;
  return { data: shaped, notes: is_used ? [] : [unused] };
}
