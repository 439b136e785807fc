import { readCheck, readCore, readErrors } from "../../engines/smt/read.ts";
import type { Session } from "../../engines/smt/session.ts";
import { nameOf, readAll } from "../../engines/smt/sexpr.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { smtlib_limits } from "./limits.ts";
import { definitionInstead, type Plan } from "./plan.ts";

export interface Core {
  readonly members: readonly string[];
  /** Whether leaving out any single assertion made the answer `sat`. */
  readonly minimal: boolean;
}

/**
 * Shrinks a core by deletion (Marques-Silva, "Minimal unsatisfiability", ISMVL 2010, section 3): runs the script again
 * without one assertion or assumption at a time, and keeps those that can't be left out. Ends early, with the current
 * core, if the time runs out or the solver has ended.
 */
export async function minimise(
  session: Session,
  plan: Plan,
  core: readonly string[],
  deadline: Deadline,
): Promise<Core> {
  const names = new Set(plan.assertions.map(({ name }) => name));
  // A member of the core is identified by an assertion's name or by an assumption's text.
  const keyOf = (member: string) => (names.has(plainName(member)) ? plainName(member) : member);
  const as_written = new Map(core.map((member) => [keyOf(member), member]));
  let core_keys = new Set(as_written.keys());
  let minimal = true;
  const members = () => [...core_keys].map((key) => as_written.get(key) ?? key);
  for (const key of [...core_keys]) {
    if (!core_keys.has(key)) continue;
    const without = new Set(core_keys);
    without.delete(key);
    const answer = deadline.is_over ? gone : await tryWith(session, plan, without, deadline);
    if (answer.word === "gone") return { members: members(), minimal: false };
    if (answer.word === "unsat") {
      core_keys = answer.core ? new Set(answer.core.map(keyOf).filter((other) => without.has(other))) : without;
    } else if (answer.word !== "sat") minimal = false;
  }
  return { members: members(), minimal };
}

/** Removes the bars from a name; other members of a core stay unchanged. */
export function plainName(member: string): string {
  return nameOf(readAll(member, "loose")[0]) ?? member;
}

/** The answer to one question during minimisation; from an unsat, only the core is needed, if Z3 returned one. */
type Try =
  | { readonly word: "unsat"; readonly core: readonly string[] | undefined }
  | { readonly word: "sat" | "unknown" | "gone" };

const gone: Try = { word: "gone" };

/** Asks the last check again with only these named assertions and only these assumptions. */
async function tryWith(session: Session, plan: Plan, keys: ReadonlySet<string>, deadline: Deadline): Promise<Try> {
  const left_ms = Math.max(1, Math.floor(deadline.left_ms));
  const limit = `(set-option :timeout ${Math.min(smtlib_limits.minimise_probe_ms_max, left_ms)})`;
  const dropped = new Map(plan.assertions.filter(({ name }) => !keys.has(name)).map((each) => [each.command, each]));
  const texts = plan.before.map(({ command, piece }) => {
    const out = dropped.get(command);
    return out ? definitionInstead(plan.script, out) : piece.text;
  });
  const set_up = await session.ask(["(reset)", plan.prologue, limit, ...texts].join("\n"));
  if (set_up.kind === "gone") return gone;
  if (readErrors(set_up.text).length > 0) return { word: "unknown" };
  const checked = await session.ask(checkWith(plan, keys));
  if (checked.kind === "gone") return gone;
  const word = readCheck(checked.text) ?? "unknown";
  if (word !== "unsat") return { word };
  const core = await session.ask("(get-unsat-core)");
  return { word, core: core.kind === "gone" ? undefined : readCore(core.text) };
}

/** Writes the last check with only those of its assumptions that are kept. */
function checkWith({ steps, assumptions }: Plan, keys: ReadonlySet<string>): string {
  const literals = assumptions.filter(({ text }) => keys.has(text)).map(({ piece }) => piece.text);
  if (assumptions.length > 0) return `(check-sat-assuming (${literals.join(" ")}))`;
  return steps.find(({ last }) => last)?.piece.text ?? "(check-sat)";
}
