import type { Build } from "../../engines/minizinc/index.ts";
import type { Kind } from "../flatzinc/measured.ts";
import { DOUBT_REASONS, type DoubtReason, hasFloats, kindOf } from "../flatzinc/trust.ts";
import { type Decision, doubtOf } from "./decide.ts";
import { cp_sat, type Reply, readable } from "./question.ts";

/** Doubts that apply to other solvers too, since those also compute in floats or receive the same wrong model. */
const shared: ReadonlySet<DoubtReason> = new Set([
  DOUBT_REASONS.float,
  DOUBT_REASONS.compiler,
  DOUBT_REASONS.misstated,
  DOUBT_REASONS.restricted,
]);

/** Returns another solver whose claim may be accepted if the first solver's claim is not. */
export function trustedInstead(
  decision: Decision,
  solver: string,
  build: Build,
  has_cp_sat: boolean,
): string | undefined {
  const doubt = doubtOf(decision);
  if (doubt.length === 0 || doubt.some(({ reason }) => shared.has(reason))) return undefined;
  if (has_cp_sat && kindOf(solver) !== "cp_sat") return cp_sat;
  if (kindOf(solver) !== "gecode") return idOf(build, "gecode")[0];
  return doubt.every(({ reason }) => reason === DOUBT_REASONS.unmeasured) ? idOf(build, "chuffed")[0] : undefined;
}

/** The kinds of solvers, in the order in which they are asked for a second opinion. */
const kinds: readonly Kind[] = ["cp_sat", "chuffed", "gecode", "linear"];

/** Returns the first solver of each kind, except the kind of the solver that answered. */
export function othersOf({ question, compiled }: Reply, { solvers }: Build, has_cp_sat: boolean): string[] {
  // No solver's claim about floats is accepted.
  const model = readable(compiled);
  if (model && hasFloats(model)) return [];
  return kinds
    .filter((kind) => kind !== kindOf(question.solver) && (kind !== "cp_sat" || has_cp_sat))
    .flatMap((kind) => solvers.filter(({ id }) => kindOf(id) === kind && !/gist/i.test(id)).slice(0, 1))
    .map(({ id }) => id);
}

/** The id of the solver with this name, if it is installed. */
export function idOf({ solvers }: Build, name: string): string[] {
  return solvers.flatMap(({ id, names }) => (names.includes(name) ? [id] : [])).slice(0, 1);
}
