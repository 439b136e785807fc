import type { Deadline } from "../../kernel/deadline.ts";
import { Fault, toFault } from "../../kernel/fault.ts";
import type { Ending } from "../../kernel/process/child.ts";
import { readCheck, readErrors } from "./read.ts";
import type { Session } from "./session.ts";
import type { SmtSolver } from "./solver.ts";

/** Another engine's answer to questions that should have no solution. */
export type Opinion =
  /** None of the questions has a solution. */
  | { readonly kind: "unsat"; readonly engine: string }
  /** The question with this number has a solution. */
  | { readonly kind: "sat"; readonly engine: string; readonly question: number }
  /** There is no verdict on one of the questions, for the given reason. */
  | { readonly kind: "undecided"; readonly why: string };

/** Asks another engine whether SMT-LIB texts, which consist of declarations and assertions, have a solution. */
export type AskOther = (questions: readonly string[], deadline: Deadline) => Promise<Opinion>;

/**
 * Asks this solver one question after another, in the slot that the call already holds. If the solver is not installed,
 * it is installed in the background, and the questions remain undecided until then. Raises `cancelled`.
 */
export function asking(solver: SmtSolver, progress: (message: string) => void = () => {}): AskOther {
  return async (questions, deadline) => {
    try {
      await solver.prepare(deadline, progress);
      const opinion = await solver.unqueued.run(deadline, (session) => answerTo(questions, solver, session));
      return opinion === "expired"
        ? { kind: "undecided", why: `the time ran out before ${solver.title} started` }
        : opinion;
    } catch (error) {
      if (error instanceof Fault && error.code === "cancelled") throw error;
      return { kind: "undecided", why: toFault(error).message };
    }
  };
}

async function answerTo(questions: readonly string[], solver: SmtSolver, session: Session): Promise<Opinion> {
  const { title, name } = solver;
  for (const [question, text] of questions.entries()) {
    const word = await wordTo(text, question > 0, solver, session);
    if (word === "unsat") continue;
    if (word === "sat") return { kind: "sat", engine: (await session.engine) ?? name, question };
    const which = questions.length > 1 ? `, question ${question + 1} of ${questions.length}` : "";
    return { kind: "undecided", why: `${title} ${word.why}${which}` };
  }
  return { kind: "unsat", engine: (await session.engine) ?? name };
}

async function wordTo(
  text: string,
  is_later: boolean,
  { dialect }: SmtSolver,
  session: Session,
): Promise<"sat" | "unsat" | { readonly why: string }> {
  const prologue = dialect?.prologue({ logic: "ALL", cores: false, incremental: false }) ?? "";
  // Errors in the text are read before the check: after an error, the answer would apply to a different text.
  const stated = await session.ask(`${is_later ? "(reset)" : ""}\n${prologue}\n${text}\n(echo "")`);
  const [error] = stated.kind === "text" ? readErrors(stated.text) : [];
  if (error) return { why: `can't read it: ${error.message}` };
  const checked = await session.ask("(check-sat)");
  if (checked.kind === "gone") return { why: endWords(checked.ending) };
  const word = readCheck(checked.text);
  return word === "sat" || word === "unsat" ? word : { why: "did not decide it" };
}

function endWords(ending: Ending): string {
  if (ending.kind !== "stopped") return "exited without an answer";
  return ending.why === "memory" ? "reached the memory limit" : "did not decide it in the remaining time";
}
