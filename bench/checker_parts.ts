/** The parts of Verdict that run checkers, for `data.mjs`. */
import { readConfig } from "../src/config.ts";
import { Engines } from "../src/engines/index.ts";
import { Deadline } from "../src/kernel/deadline.ts";
import { quietContext } from "../src/kernel/tool.ts";
import { openToolsets } from "../src/tools/index.ts";
import { mutantsOf, valuesWith } from "../src/tools/model/checker/mutants.ts";
import { runChecker } from "../src/tools/model/checker/run.ts";
import type { Values } from "../src/tools/model/language.ts";
import { answerSet } from "../src/tools/model/languages/asp/answer_sets.ts";
import { leastOf, planIn, roster_texts, rosters } from "../test/support/rosters.ts";

/** A changed answer: all of its values, and whether the checker says something of it. */
export interface Tested {
  readonly values: unknown;
  readonly is_noticed: boolean;
}

/** Opens the tools with the engines of this machine. */
export function open() {
  const config = readConfig({ tools: "model" });
  const engines = new Engines(config);
  const tools = new Map(openToolsets(engines, config).flatMap((set) => set.session().map((tool) => [tool.name, tool])));
  return {
    solve: async (args: object) => (await tools.get("solve")?.call(args, quietContext()))?.structured,
    /** The mutants of a solution, and what a checker says of each. */
    async tested(checker: string, values: Values, language: string): Promise<Tested[]> {
      const mutants = mutantsOf(values, language === "asp" ? answerSet : undefined);
      const cases = mutants.map(({ changes }) => ({ answer: 0, changes }));
      const item = { text: checker, item: 0, data: {} };
      const deadline = new Deadline(60_000);
      const { said } = await runChecker(engines.python, item, { answers: [values], cases, goes_on: true }, deadline);
      return said.map(({ case: index, texts }) => ({
        values: valuesWith(values, cases[index]?.changes ?? []),
        is_noticed: texts.length > 0,
      }));
    },
    roster: { leastOf, planIn, texts: roster_texts, rosters },
    close: () => engines.close(),
  };
}
