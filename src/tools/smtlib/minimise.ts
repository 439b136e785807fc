import { limits } from "../../kernel/limits.ts";
import { readCheck, readCore, readErrors } from "../../solvers/z3/read.ts";
import type { Session } from "../../solvers/z3/session.ts";
import { nameOf, readAll } from "../../solvers/z3/sexpr.ts";
import { definitionInstead, type Plan, type Step } from "./plan.ts";

export interface Core {
  readonly members: readonly string[];
  /** True when leaving out any single assertion was answered `sat`. */
  readonly minimal: boolean;
}

/**
 * Shrinks a core by deletion (Marques-Silva, "Minimal unsatisfiability", ISMVL 2010, section 3):
 * runs the script again without one assertion at a time, and keeps what can't be left out. Ends
 * early, with what it has, when the time is up or the solver is gone. Assumptions of the check are
 * kept as they are.
 */
export async function minimise(session: Session, plan: Plan, core: readonly string[], until: number): Promise<Core> {
  const known = new Set(plan.assertions.map(({ name }) => name));
  const named = (members: readonly string[]) => members.map(plainName).filter((name) => known.has(name));
  const others = core.filter((member) => !known.has(plainName(member)));
  let kept = new Set(named(core));
  let minimal = true;
  for (const name of [...kept]) {
    if (!kept.has(name)) continue;
    const without = new Set(kept);
    without.delete(name);
    const answer = performance.now() < until ? await tryWith(session, plan, without, until) : gone;
    if (answer.word === "gone") return { members: [...kept, ...others], minimal: false };
    if (answer.word === "unsat")
      kept = new Set(named(answer.core ?? [...without]).filter((other) => without.has(other)));
    else if (answer.word !== "sat") minimal = false;
  }
  return { members: [...kept, ...others], minimal };
}

/** The name without bars; other members of a core are left as they are. */
export function plainName(member: string): string {
  return nameOf(readAll(member, "loose")[0]) ?? member;
}

interface Try {
  readonly word: "sat" | "unsat" | "unknown" | "gone";
  readonly core?: readonly string[] | undefined;
}

const gone: Try = { word: "gone" };

/** The last check's answer when only these named assertions are made. */
async function tryWith(session: Session, plan: Plan, names: ReadonlySet<string>, until: number): Promise<Try> {
  const left_ms = Math.max(1, Math.floor(until - performance.now()));
  const limit = `(set-option :timeout ${Math.min(limits.minimise_probe_ms_max, left_ms)})`;
  const dropped = new Map(plan.assertions.filter(({ name }) => !names.has(name)).map((each) => [each.command, each]));
  const texts = plan.before.map(({ command, piece }) => {
    const out = dropped.get(command);
    return out ? definitionInstead(plan.script, out) : piece.text;
  });
  const set_up = await session.ask(["(reset)", plan.prologue, limit, ...texts].join("\n"));
  if (set_up.kind === "gone") return gone;
  if (readErrors(set_up.text).length > 0) return { word: "unknown" };
  const checked = await session.ask(lastCheck(plan).piece.text);
  if (checked.kind === "gone") return gone;
  const word = readCheck(checked.text) ?? "unknown";
  if (word !== "unsat") return { word };
  const core = await session.ask("(get-unsat-core)");
  return core.kind === "gone" ? { word } : { word, core: readCore(core.text) };
}

function lastCheck(plan: Plan): Step {
  const step = plan.steps.find((candidate) => candidate.last);
  if (!step) throw new Error("a plan has a last check");
  return step;
}
