// The exploration of the tools over Python code without its two companions. It is a part of the program that no
// user can ask for by itself, so it is bundled from the sources for the bench.
import { readConfig } from "../src/config.ts";
import { Engines } from "../src/engines/index.ts";
import { Deadline } from "../src/kernel/deadline.ts";
import { Examiner } from "../src/tools/symbolic/examiner.ts";
import { symbolic_limits } from "../src/tools/symbolic/limits.ts";
import { Difference, Raised } from "../src/tools/symbolic/replies.ts";
import { search } from "../src/tools/symbolic/search.ts";

// Alone it need not leave the processors to other sources.
symbolic_limits.explorer_waits_ms = 0;

/** Opens the engines; `decides` says whether a question was decided within the seconds. */
export function openExplorer(env) {
  const engines = new Engines(readConfig({}, { ...process.env, ...env }));
  const decides = async (question, seconds) => {
    const deadline = new Deadline(seconds * 1000);
    const reply = question.task === "compare" ? Difference : Raised;
    const searched = await engines.python.turn(
      deadline,
      () => {},
      async (run) => {
        const examiner = new Examiner(run, question);
        if ((await examiner.inspect(deadline)) === "expired") return "expired";
        const aim = {
          confirm: (candidate, bounded) => examiner.replay(reply, candidate, bounded),
          keyOf: JSON.stringify,
          shows: (_, { keys }) => keys,
          contradicts: () => true,
          questions: () => true,
          enough: (witnesses) => (witnesses.length > 0 ? "yes" : "no"),
        };
        return search([examiner.explorer], aim, deadline);
      },
    );
    return searched !== "expired" && (searched.witnesses.length > 0 || searched.proof !== undefined);
  };
  return { decides, close: () => engines.close() };
}
