import { randomBytes } from "node:crypto";
import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Guide } from "../../kernel/tool.ts";
import { procedure, quoted, review_hints } from "./texts.ts";

const language = z.string().optional().describe("The language to use. If it is omitted, choose one.");

/** Adds the agent's procedure as prompts, so that a host's own model can follow the procedure. */
export function addProcedure(server: McpServer, guides: readonly Guide[]): void {
  const main = guides.find(({ is_main }) => is_main)?.name;
  const known = guides.map(({ name }) => name);
  server.registerPrompt(
    "solve_problem",
    {
      title: "Solve a problem in words",
      description: "From a problem in words to an answer decided by an engine.",
      argsSchema: z.object({ problem: z.string().describe("The problem."), language }),
    },
    ({ problem, language = main }) => message(solveText(problem, language, known)),
  );
  server.registerPrompt(
    "review_solution",
    {
      title: "Review a solution",
      description: "Check a model and its solution against the problem, with tests.",
      argsSchema: z.object({
        problem: z.string().describe("The problem."),
        model: z.string().describe("The formal model."),
        solution: z.string().describe("The verdict and the values."),
        language,
      }),
    },
    (args) => message(reviewText({ language: main, ...args }, known)),
  );
}

function message(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}

function solveText(problem: string, language: string | undefined, known: readonly string[]): string {
  const languages = procedure.languages
    .split("\n")
    .filter((line) => known.some((name) => line.startsWith(`- ${name}:`)));
  const chosen = language
    ? `Use the language "${language}": read the resource verdict://guide/${language} first.`
    : `Choose a language, say why, and read its resource verdict://guide/NAME first:\n${languages.join("\n")}\nIf the first attempt ends with faults or undecided, change the language once.`;
  return [
    procedure.solve,
    chosen,
    "End with the formal model as it was solved, the tool's verdict with its evidence, the values in the words of the problem, and what was not modelled. If no tool call supports a verdict, say: not decided. Then have the answer reviewed, with the prompt review_solution if you can.",
    quoted("problem", problem, secret()),
  ].join("\n\n");
}

function reviewText(
  args: Readonly<Record<"problem" | "model" | "solution", string>> & { readonly language?: string | undefined },
  known: readonly string[],
): string {
  const tag = secret();
  return [
    procedure.review,
    review_hints[args.language ?? ""] ?? known.flatMap((name) => review_hints[name] ?? []).join("\n"),
    quoted("problem", args.problem, tag),
    quoted("model", args.model, tag),
    quoted("solution", args.solution, tag),
  ].join("\n\n");
}

function secret(): string {
  return randomBytes(6).toString("hex");
}
