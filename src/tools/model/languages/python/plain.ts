import run_program from "../../../../../python/verdict_bundle/run.py";
import { versionsIn } from "../../../../engines/engine.ts";
import type { Python } from "../../../../engines/python/index.ts";
import type { Filed, Plain } from "../../language.ts";

/** A language's packages on PyPI, by the names that Verdict uses for their engines. */
const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  z3: { "z3 in python": "z3-solver" },
  pysat: { pysat: "python-sat" },
  cpmpy: { cpmpy: "cpmpy", ortools: "ortools" },
  ortools: { ortools: "ortools" },
};

/** Programs that can read other solvers' formats, by file extension. */
const readers: Readonly<Record<string, string>> = { ".mps": "highs", ".lp": "highs" };

/**
 * Explains how to decide a model with plain Python and the language's packages, or with another program if the model is
 * a file.
 */
export async function plainForm(python: Pick<Python, "probe">, id: string, { names }: Filed): Promise<Plain> {
  const all = versionsIn(await python.probe());
  const own = packages[id] ?? {};
  const wanted = Object.keys(own);
  const versions = Object.fromEntries(
    Object.entries(all).filter(([name]) => name === "python" || wanted.includes(name)),
  );
  const [file = ""] = names;
  const ending = /\.\w+$/.exec(file)?.[0] ?? "";
  const reader = readers[ending];
  if (reader !== undefined)
    return { files: {}, command: `${reader} ${file}`, needs: "HiGHS, which computes with rounded numbers", versions };
  if (ending !== ".py" && ending !== ".cnf")
    return { files: {}, command: null, needs: "there is no standard program for this format", versions };
  const listed = wanted.map((name) => `${own[name]}${all[name] === undefined ? "" : `==${all[name]}`}`);
  return {
    files: { "run.py": run_program },
    command: "python run.py",
    needs: `pip install ${listed.join(" ")}`,
    versions,
  };
}
