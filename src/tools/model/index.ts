import type { Toolset } from "../../kernel/tool.ts";
import { addItem } from "./add_item.ts";
import { clearModel } from "./clear_model.ts";
import { deleteItem } from "./delete_item.ts";
import { getModel } from "./get_model.ts";
import { getSolution } from "./get_solution.ts";
import { getSolveTime } from "./get_solve_time.ts";
import { Store } from "./items/store.ts";
import type { Language } from "./language.ts";
import { replaceItem } from "./replace_item.ts";
import { solve } from "./solve.ts";
import { solveModel } from "./solve_model.ts";

export interface ModelOptions {
  /** The one language that this server has, or undefined for the choice. */
  readonly locked: string | undefined;
}

/** Models that are built item by item, in any of these languages. */
export function model(languages: readonly Language[], { locked }: ModelOptions): Toolset {
  const tools = [solve, clearModel, addItem, deleteItem, replaceItem, getModel, solveModel, getSolution, getSolveTime];
  return {
    name: "model",
    guides: new Store(languages, locked).choices.map(({ guide }) => guide),
    session: () => {
      const store = new Store(languages, locked);
      return tools.map((make) => make(store));
    },
  };
}
