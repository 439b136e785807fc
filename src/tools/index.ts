import type { Config } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import { asking } from "../engines/smt/second.ts";
import { Fault } from "../kernel/fault.ts";
import { nearest } from "../kernel/text/near_miss.ts";
import type { Toolset } from "../kernel/tool.ts";
import { lean } from "./lean/index.ts";
import { memo } from "./memo/index.ts";
import type { Files } from "./model/data/files.ts";
import { model } from "./model/index.ts";
import { openLanguages } from "./model/languages/index.ts";
import { smtlib } from "./smtlib/index.ts";
import { type Proof, symbolic } from "./symbolic/index.ts";

/** The parts of the configuration that toolsets use. */
type Settings = Pick<
  Config,
  "tools" | "language" | "data_roots" | "save_roots" | "data_directory" | "prover_file" | "prover_check"
> &
  Pick<Files, "client_roots" | "takes_uploads"> & { readonly onProof?: (proof: Proof) => void };

/** All toolsets, one per line. */
const toolsets = {
  smtlib: ({ z3, other_smt }) => smtlib({ z3, others: other_smt }),
  model: (engines, { language, data_roots, save_roots, client_roots, takes_uploads }) =>
    model(openLanguages(engines), {
      locked: language,
      files: { tables: engines.tables, roots: data_roots, save_roots, client_roots, takes_uploads },
    }),
  symbolic: (engines, { prover_file, prover_check, onProof }) =>
    symbolic(engines, { prover_file, other: prover_check ? asking(engines.cvc5) : undefined, onProof }),
  lean: ({ tactics, repl }, { data_directory }) => lean({ tactics, repl }, data_directory),
  memo: (_, { data_directory }) => memo(data_directory),
} satisfies Readonly<Record<string, (engines: Engines, settings: Settings) => Toolset>>;

/** The toolset of jobs. It is in `src/jobs/` and comes before all other toolsets. */
const jobs = "jobs";

export type ToolsetName = keyof typeof toolsets | typeof jobs;

export const toolset_names: readonly string[] = [...Object.keys(toolsets), jobs];

/** The toolsets that a server offers by default. */
export const default_toolsets: readonly string[] = ["smtlib", "model", "symbolic", jobs];

/** Whether the job tools are among the requested tools. */
export function offersJobs({ tools = default_toolsets }: Pick<Settings, "tools">): boolean {
  return tools.includes(jobs);
}

/** Opens the requested toolsets, except the one for jobs. Raises `invalid_argument` for an unknown name. */
export function openToolsets(engines: Engines, settings: Settings): Toolset[] {
  return (settings.tools ?? default_toolsets)
    .filter((name) => name !== jobs)
    .map((name) => {
      if (isOpened(name)) return toolsets[name](engines, settings);
      const near = nearest(name, toolset_names);
      throw new Fault("invalid_argument", `There is no toolset "${name}".`, [
        ...(near.length > 0 ? [`write ${near.join(" or ")} if you meant that`] : []),
        `choose from: ${toolset_names.join(", ")}`,
        "omit --tools for the default set",
      ]);
    });
}

function isOpened(name: string): name is keyof typeof toolsets {
  return Object.hasOwn(toolsets, name);
}
