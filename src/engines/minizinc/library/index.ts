import type { Task } from "../task.ts";
import counting from "./counting.mzn";
import cp_sat_builtins from "./cp_sat/builtins.mzn";
import cp_sat_globals from "./cp_sat/globals.mzn";
import graphs from "./graphs.mzn";
import sequences from "./sequences.mzn";
import tasks from "./tasks.mzn";

type Files = Task["files"];

/** Where a task has the library; MiniZinc looks here before it looks into its own one. */
const mended = "mended";
const mended_files = filesIn(mended, [counting, graphs, sequences, tasks]);

/** Where a task has the library of CP-SAT; MiniZinc looks here first. */
const cp_sat = "cp_sat";
const cp_sat_files = filesIn(cp_sat, [cp_sat_builtins, cp_sat_globals]);

/** The files of a directory: each begins with a line that has its name. */
function filesIn(directory: string, texts: readonly string[]): Files {
  const sections = texts.flatMap((text) => text.split(/^%%% /m).slice(1));
  return Object.fromEntries(
    sections.map((section) => {
      const [name = ""] = section.split("\n", 1);
      return [`${directory}/${name}.mzn`, section.slice(name.length + 1)];
    }),
  );
}

/** The task with definitions of what MiniZinc's library states wrongly. */
export function withLibrary(task: Task): Task {
  return { ...task, files: { ...mended_files, ...task.files }, args: ["-I", mended, ...task.args] };
}

/** The task with the constraints that CP-SAT has itself, in place of those of its solver. */
export function withCpSatLibrary(task: Task): Task {
  return { ...task, files: { ...cp_sat_files, ...task.files }, args: [...task.args, "-G", cp_sat] };
}

/** The task without the constraints that its solver has itself: MiniZinc states them by their definitions. */
export function withoutGlobals(task: Task): Task {
  return { ...task, files: { "none/none.mzn": "", ...task.files }, args: [...task.args, "-G", "none"] };
}
