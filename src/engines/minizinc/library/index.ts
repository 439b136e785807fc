import type { Task } from "../task.ts";
import counting from "./counting.mzn";
import cp_sat_builtins from "./cp_sat/builtins.mzn";
import cp_sat_globals from "./cp_sat/globals.mzn";
import { globalsFor } from "./globals.ts";
import graphs from "./graphs.mzn";
import sequences from "./sequences.mzn";
import tasks from "./tasks.mzn";

type Files = Task["files"];

/** The directory of Verdict's library in a task; MiniZinc searches it before its own library. */
const mended = "mended";
const mended_files = filesIn(mended, [counting, graphs, sequences, tasks]);

/** The directory of the CP-SAT library in a task; MiniZinc searches it first. */
const cp_sat = "cp_sat";
const cp_sat_files = filesIn(cp_sat, [cp_sat_builtins, cp_sat_globals]);

/** Splits texts into the files of a directory; each file begins with a line that contains its name. */
function filesIn(directory: string, texts: readonly string[]): Files {
  const sections = texts.flatMap((text) => text.split(/^%%% /m).slice(1));
  return Object.fromEntries(
    sections.map((section) => {
      const [name = ""] = section.split("\n", 1);
      return [`${directory}/${name}.mzn`, section.slice(name.length + 1)];
    }),
  );
}

/** Adds corrected definitions to a task for what MiniZinc's library defines incorrectly. */
export function withLibrary(task: Task): Task {
  return { ...task, files: { ...mended_files, ...task.files }, args: ["-I", mended, ...task.args] };
}

/** Like `withLibrary`, for the embedded build: its library is known, so `globals.mzn` is limited to what the models use. */
export function withEmbeddedLibrary(task: Task): Task {
  const models = task.args.filter((name) => name.endsWith(".mzn"));
  const globals = globalsFor(models.flatMap((name) => task.files[name] ?? []));
  if (globals === undefined) return withLibrary(task);
  return withLibrary({ ...task, files: { [`${mended}/globals.mzn`]: globals, ...task.files } });
}

/** Replaces the native constraints of a task's solver with those that CP-SAT supports natively. */
export function withCpSatLibrary(task: Task): Task {
  return { ...task, files: { ...cp_sat_files, ...task.files }, args: [...task.args, "-G", cp_sat] };
}

/**
 * Removes the native constraints of a task's solver, so that MiniZinc replaces them with their standard definitions.
 */
export function withoutGlobals(task: Task): Task {
  return { ...task, files: { "none/none.mzn": "", ...task.files }, args: [...task.args, "-G", "none"] };
}
