import { versionsIn } from "../../../../engines/engine.ts";
import type { MiniZinc } from "../../../../engines/minizinc/index.ts";
import { optimises } from "../../../../evidence/minizinc/asking.ts";
import { model_file } from "../../../../evidence/minizinc/data_files.ts";
import { filesOf } from "../../../../evidence/minizinc/question.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import type { Filed, Plain } from "../../language.ts";
import { dataFor, parametersOf, readModel } from "./model.ts";
import { dataFile } from "./source/data.ts";

/** The directory for MiniZinc's input files: all items as one text, and the data in MiniZinc's format. */
const directory = "plain";

/** Explains how to decide a model with MiniZinc's command line. Raises the faults that unusable data causes. */
export async function plainForm(
  engine: MiniZinc,
  { items, options, engine: answered_by }: Filed,
  deadline: Deadline,
): Promise<Plain> {
  const model = readModel(items);
  const { data } = await dataFor(engine, model, { options, deadline });
  const texts = data ? [dataFile(data, await parametersOf(engine, { model, data }, deadline))] : [];
  const named = Object.entries(filesOf(model.source, texts)).map(([name, text]) => [`${directory}/${name}`, text]);
  const files: Record<string, string> = Object.fromEntries(named);
  const [solver = "gecode"] = /\b(?:gecode|chuffed|highs|coin-bc|cp-sat)\b/i.exec(answered_by) ?? [];
  const many = options.all_solutions ? ["-a"] : options.max_solutions ? ["-n", String(options.max_solutions)] : [];
  const has_goal = optimises(model);
  const names = [`${directory}/${model_file}`, ...Object.keys(files).filter((name) => !name.endsWith(model_file))];
  const arguments_of = ["--solver", solver.toLowerCase(), "--output-mode json", ...(has_goal ? [] : many)];
  return {
    files,
    command: ["minizinc", ...arguments_of, ...(has_goal ? ["--output-objective"] : []), ...names].join(" "),
    needs: "MiniZinc with this solver; another solver should reach the same verdict",
    versions: versionsIn(await engine.probe()),
  };
}
