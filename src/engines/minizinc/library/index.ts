import type { Task } from "../task.ts";
import counting from "./counting.mzn";
import graphs from "./graphs.mzn";
import sequences from "./sequences.mzn";
import tasks from "./tasks.mzn";

/** Where a task has the library; MiniZinc looks here before it looks into its own one. */
const directory = "mended";

/** A file of the library begins with a line that has its name. */
const sections = [counting, graphs, sequences, tasks].flatMap((text) => text.split(/^%%% /m).slice(1));

const files: Task["files"] = Object.fromEntries(
  sections.map((section) => {
    const [name = ""] = section.split("\n", 1);
    return [`${directory}/${name}.mzn`, section.slice(name.length + 1)];
  }),
);

/** The task with definitions of what MiniZinc's library states wrongly. */
export function withLibrary(task: Task): Task {
  return { ...task, files: { ...files, ...task.files }, args: ["-I", directory, ...task.args] };
}
