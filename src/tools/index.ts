import { Fault } from "../kernel/fault.ts";
import type { Toolset } from "../kernel/tool.ts";
import type { Engines } from "../solvers/index.ts";
import { smtlib } from "./smtlib/index.ts";

/** Every toolset, one line each. */
const toolsets: Readonly<Record<string, (engines: Engines) => Toolset>> = {
  smtlib: (engines) => smtlib(engines.z3),
};

/** Those that a server offers unless it is told otherwise. */
const by_default: readonly string[] = ["smtlib"];

/** The toolsets of these names. Raises `invalid_argument` for a name that there is not. */
export function openToolsets(engines: Engines, names: readonly string[] = by_default): Toolset[] {
  return names.map((name) => {
    const make = Object.hasOwn(toolsets, name) ? toolsets[name] : undefined;
    if (make) return make(engines);
    throw new Fault("invalid_argument", `There is no toolset "${name}".`, [
      `choose from: ${Object.keys(toolsets).join(", ")}`,
      "leave --tools out for the default set",
    ]);
  });
}
