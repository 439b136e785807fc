import * as z from "zod/v4";
import type { Answer } from "../../kernel/tool.ts";
import { type Files, filesOf } from "../../tools/model/bundle/make.ts";
import { type BundleForm, listed_files, path } from "../../tools/model/bundle/record.ts";
import type { Proof } from "../../tools/symbolic/index.ts";
import { version } from "../../version.ts";

/** The contents of a proof's `bundle.json`. */
const ProofRecord = z.strictObject({
  format: z.literal("verdict proof, version 1", { error: "not a proof (`verdict rerun` reads answers of models)" }),
  tool: z.enum(["symbolic_check", "compare_functions"]),
  functions: z.array(z.string()).min(1),
  code: path,
  answer: path,
  method: z.string(),
  engine: z.string(),
  verdict: z.string(),
  assumptions: z.array(z.string()),
  questions: z.array(z.strictObject({ file: path, answer: z.literal("unsat") })),
  files: listed_files,
});
export type ProofRecord = z.output<typeof ProofRecord>;

/** A proof about Python code: the code, and the solver queries. */
export const proof_form: BundleForm<ProofRecord> = {
  schema: ProofRecord,
  own: ({ code, answer, questions }) => [code, answer, ...questions.map(({ file }) => file)],
};

/** A proof, and the question that it answers. */
export interface Proved {
  readonly tool: string;
  readonly functions: readonly string[];
  readonly code: string;
  readonly answer: Answer;
  readonly proof: Proof;
}

/** The texts of a proof's files of questions, each once. */
export function questionTexts({ questions }: Proof): string[] {
  const texts = [...new Set(questions)];
  return texts.map((text) => `(set-info :status unsat)\n(set-logic ALL)\n${text.trimEnd()}\n(check-sat)\n`);
}

export function proofFiles({ tool, functions, code, answer, proof }: Proved): Files {
  const { method, engine, assumptions } = proof;
  const texts = questionTexts(proof);
  const digits = String(texts.length).length;
  const questions = texts.map((text, i) => ({
    file: `questions/${String(i + 1).padStart(digits, "0")}.smt2`,
    answer: "unsat",
    text,
  }));
  const { time_seconds: _, ...structured } = answer.structured;
  const files = {
    "README.md": readme(answer, assumptions, questions.length),
    "code.py": code,
    "answer.json": `${JSON.stringify(structured, null, 2)}\n`,
    ...Object.fromEntries(questions.map(({ file, text }) => [file, text])),
  };
  return filesOf(files, proof_form, {
    format: "verdict proof, version 1",
    ...{ tool, functions, code: "code.py", answer: "answer.json", method, engine, verdict: version, assumptions },
    questions: questions.map(({ file, answer: word }) => ({ file, answer: word })),
  });
}

function readme({ text }: Answer, assumptions: readonly string[], count: number): string {
  const asked =
    count === 0
      ? ["This proof contains no questions to solvers: the method above decided all of it."]
      : [
          `questions/ has the ${count} questions to solvers (SMT-LIB). Each has the answer unsat: no values satisfy it.`,
          "To check that they still do, `verdict recheck` on this folder asks Z3 and cvc5. Without Verdict: `z3 FILE`, `cvc5 FILE`.",
          "It also derives the questions from code.py again. Both steps trust Verdict's prover, which wrote the questions.",
        ];
  return [
    "# A proof, kept by Verdict",
    "",
    ...text,
    "",
    "The code is code.py. Assumptions:",
    "",
    ...assumptions.map((each) => `- ${each}`),
    "",
    ...asked,
    "bundle.json lists versions and the SHA-256 of each file.",
    "",
  ].join("\n");
}
