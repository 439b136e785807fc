import * as z from "zod/v4";
import { isObject } from "../../kernel/arguments.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Tool, Toolset } from "../../kernel/tool.ts";
import { addItem } from "./add_item.ts";
import { checkPlan } from "./check_plan.ts";
import { clearModel } from "./clear_model.ts";
import { compareModels } from "./compare_models.ts";
import type { Files } from "./data/files.ts";
import { withFiles } from "./data/with_files.ts";
import { deleteItem } from "./delete_item.ts";
import { getModel } from "./get_model.ts";
import { getSolution } from "./get_solution.ts";
import { getSolveTime } from "./get_solve_time.ts";
import { Store } from "./items/store.ts";
import type { Language } from "./language.ts";
import { solve_options } from "./languages/options.ts";
import { readData } from "./read_data.ts";
import { replaceItem } from "./replace_item.ts";
import { solve } from "./solve.ts";
import { solveModel } from "./solve_model.ts";

export interface ModelOptions {
  /** The only language of this server; undefined if clients can choose. */
  readonly locked: string | undefined;
  /** The resources needed to read data files. */
  readonly files: Files;
}

/** The tools for models built item by item, in any of these languages. */
export function model(languages: readonly Language[], { locked, files }: ModelOptions): Toolset {
  const tools = [
    solve,
    clearModel,
    (store: Store) => addItem(store, files),
    deleteItem,
    replaceItem,
    getModel,
    solveModel,
    checkPlan,
    (store: Store) => getSolution(store, { roots: files.save_roots, client_roots: files.client_roots }),
    getSolveTime,
    compareModels,
  ];
  const { choices } = new Store(languages, locked);
  return {
    name: "model",
    guides: choices.map(({ guide }) => ({ ...guide, is_main: choices.length === 1 })),
    session: () => {
      const store = new Store(languages, locked);
      return [
        ...tools.map((make) => listedFor(choices, withFiles(namingFaulty(store, make(store)), files))),
        readData(files),
      ];
    },
  };
}

/** Returns the tool whose faults name the current model if the call did not and its solve ended with a fault. */
function namingFaulty(store: Store, tool: Tool): Tool {
  if (tool.name === "solve") return tool;
  const call: Tool["call"] = async (args, context) => {
    const step = isObject(args) && "model_id" in args ? undefined : store.stepOnFaulty();
    return tool.call(args, context).catch((thrown: unknown) => {
      throw step !== undefined && thrown instanceof Fault
        ? thrown.with({ steps: [step, ...thrown.all_steps] })
        : thrown;
    });
  };
  return { ...tool, call };
}

/**
 * Arguments that a tool accepts, as `solve` does, but does not list, since listing them costs tokens in every session.
 */
const unlisted: Readonly<Record<string, readonly string[]>> = { compare_models: ["items", "data"] };

/** Returns the tool with only those arguments listed that have a meaning in these languages. */
function listedFor(languages: readonly Language[], tool: Tool): Tool {
  const taken = new Set<string>(languages.flatMap(({ takes }) => takes));
  const isIdle = (name: string) =>
    (Object.hasOwn(solve_options, name) && !taken.has(name)) ||
    (name === "language" && languages.length === 1) ||
    (unlisted[tool.name] ?? []).includes(name);
  const shown = Object.entries(tool.input.shape).filter(([name]) => !isIdle(name));
  return { ...tool, input: z.strictObject(Object.fromEntries(shown)) };
}
