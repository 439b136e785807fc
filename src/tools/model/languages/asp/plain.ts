import type { Clingo } from "../../../../engines/clingo/index.ts";
import { versionsIn } from "../../../../engines/engine.ts";
import type { Filed, Plain } from "../../language.ts";
import { withFacts } from "./data.ts";
import { argsOf, askedFor } from "./question.ts";

const facts_file = "data.lp";

/** Explains how to decide a program with clingo's command line. Raises the faults that unusable data causes. */
export async function plainForm(clingo: Clingo, { names, options }: Filed): Promise<Plain> {
  const [facts] = withFacts([], options.data);
  const files = facts === undefined ? {} : { [facts_file]: `${facts}\n` };
  const all = [...names.filter((name) => name !== ""), ...Object.keys(files)];
  return {
    files,
    command: ["clingo", ...argsOf(askedFor(options)), ...all].join(" "),
    needs: "clingo, which negates maximised values",
    versions: versionsIn(await clingo.probe()),
  };
}
