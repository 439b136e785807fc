import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { bundle_limits } from "../../tools/model/bundle/limits.ts";
import { type Bundle, readBundle } from "../../tools/model/bundle/read.ts";
import { version } from "../../version.ts";
import { milliseconds, type RerunFlags, textOf } from "../bundle/rerun.ts";
import { tellAnyFault } from "../solve/index.ts";
import { type Session, withSession } from "../solve/session.ts";
import { withProof } from "../symbolic.ts";
import { type ProofRecord, proof_form, questionTexts } from "./keep.ts";

const solvers = ["z3", "cvc5"] as const;

/** Each solver's answer to one query, by solver name. */
type Words = Readonly<Record<string, string>>;

interface Report {
  readonly holds: boolean | null;
  readonly message: string;
  readonly questions: readonly { readonly file: string; readonly answers: Words }[];
  readonly engines: readonly string[];
  readonly changed_files: Bundle<unknown>["changed"];
  readonly bundle_sha256: string;
}

/** Has Z3 and cvc5 check the queries of a saved proof. Returns the exit code. */
export async function recheck(config: Config, path: string, flags: RerunFlags): Promise<number> {
  try {
    const bundle = await readBundle(path, proof_form);
    const timeout_ms = milliseconds(flags.timeout ?? "30");
    const show = flags.json || flags.quiet ? () => {} : (line: string) => console.log(line);
    const report = await withSession(config, { quiet: true }, async (session) => {
      const report = await asked(session, bundle, timeout_ms, show);
      return report.holds ? { ...report, ...(await derivedAgain(config, session, bundle, flags)) } : report;
    });
    console.log(flags.json ? JSON.stringify(report, null, 2) : shown(report));
    if (report.holds === false) return 1;
    return report.changed_files.length > 0 ? 4 : report.holds ? 0 : 3;
  } catch (thrown) {
    return tellAnyFault(thrown, flags.json ?? false, []);
  }
}

async function asked(
  session: Session,
  bundle: Bundle<ProofRecord>,
  timeout_ms: number,
  show: (line: string) => void,
): Promise<Report> {
  const { record, changed, sha256: bundle_sha256 } = bundle;
  const engines = new Set<string>();
  const questions: { file: string; answers: Words }[] = [];
  for (const { file } of record.questions) {
    if (changed.some((each) => each.file === file)) continue;
    const smtlib = textOf(bundle, file);
    const ask = async (engine: string) => [engine, await wordOf(session, { smtlib, engine, timeout_ms }, engines)];
    const answers: Words = Object.fromEntries(await Promise.all(solvers.map(ask)));
    questions.push({ file, answers });
    show(`${file}: ${solvers.map((each) => `${each} ${answers[each]}`).join(", ")}`);
  }
  const judgement = judged(record, questions, changed.length > 0);
  return { ...judgement, questions, engines: [...engines], changed_files: changed, bundle_sha256 };
}

const Answered = z.looseObject({ status: z.string(), reason: z.string().optional(), engine: z.string() });

/** Returns `sat`, `unsat`, or the reason why there is neither. Raises `cancelled`. */
async function wordOf(session: Session, args: Readonly<Record<string, unknown>>, engines: Set<string>) {
  try {
    const { structured } = await session.ask({ tool: "solve_smtlib", arguments: args });
    const { status, reason, engine } = Answered.parse(structured);
    engines.add(engine);
    return status === "unknown" ? `unknown (${reason ?? "no reason"})` : status;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "cancelled") throw thrown;
    return `not asked (${thrown.message.replace(/\.$/, "")})`;
  }
}

function judged(
  { questions: { length: count }, method }: ProofRecord,
  asked_ones: Report["questions"],
  is_changed: boolean,
): Pick<Report, "holds" | "message"> {
  const refuted = asked_ones.filter(({ answers }) => Object.values(answers).includes("sat"));
  const open = asked_ones.filter(({ answers }) => Object.values(answers).some((word) => word !== "unsat"));
  if (refuted.length > 0)
    return { holds: false, message: `The proof does not hold: ${refuted.map(({ file }) => file).join(", ")} is sat.` };
  if (is_changed) return { holds: null, message: "Undecided: files of the proof were changed." };
  if (count === 0)
    return { holds: null, message: `Undecided: the proof (${method}) has no questions to solvers; ask Verdict again.` };
  if (open.length > 0)
    return { holds: null, message: `Undecided: ${open.length} of ${count} questions are not decided by both solvers.` };
  return { holds: true, message: `The proof holds: both solvers answer unsat to all of its questions (${count}).` };
}

/** What the code shows about questions that all solvers answered with unsat: it must lead to these questions. */
async function derivedAgain(
  config: Config,
  { engines, signal }: Session,
  bundle: Bundle<ProofRecord>,
  { timeout }: RerunFlags,
): Promise<Pick<Report, "holds" | "message">> {
  const { tool, functions, code: file, questions, verdict } = bundle.record;
  const code = textOf(bundle, file);
  const names = tool === "symbolic_check" ? ["function_name"] : ["function_a", "function_b"];
  const named = Object.fromEntries(names.map((name, i) => [name, functions[i]]));
  const timed = timeout !== undefined && { timeout_seconds: Number(timeout) };
  const count = questions.length;
  try {
    const { answer, proof } = await withProof(config, engines, signal, { tool, args: { code, ...named, ...timed } });
    const status = String(answer.structured["status"]);
    if (["counterexample", "different"].includes(status))
      return { holds: false, message: `The proof does not hold: Verdict answers ${status} to ${file}.` };
    const derived = proof ? questionTexts(proof) : [];
    const saved = new Set(questions.map((each) => textOf(bundle, each.file)));
    const same = derived.filter((text) => saved.has(text)).length;
    if (derived.length > 0 && same === derived.length)
      return {
        holds: true,
        message: `The proof holds: ${file} leads to these questions, and both solvers answer unsat to all of them (${count}).`,
      };
    const how = `${same} of ${derived.length} that Verdict derives from ${file} are among them (status ${status}; Verdict ${version}, the proof is by ${verdict})`;
    return { holds: null, message: `Undecided: both solvers answer unsat to all questions (${count}), but ${how}.` };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "cancelled") throw thrown;
    const only = `Only the solvers were asked, and not whether ${file} leads to these questions: ${thrown.message}`;
    const holds = thrown.code === "engine_missing" || null;
    return {
      holds,
      message: `${holds ? "The proof holds" : "Undecided"}: both solvers answer unsat to all questions (${count}). ${only}`,
    };
  }
}

function shown({ message, engines, changed_files, bundle_sha256 }: Report): string {
  return [
    message,
    ...changed_files.slice(0, bundle_limits.shown_max).map(({ file, how }) => `File ${how}: ${file}`),
    ...(engines.length > 0 ? [`Asked: ${engines.join(", ")}`] : []),
    `SHA-256 of bundle.json: ${bundle_sha256}`,
  ].join("\n");
}
