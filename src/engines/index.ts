import type { Config } from "../config.ts";
import type { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import { type Child, Children } from "../kernel/process/child.ts";
import { SolverSlots } from "../kernel/process/solver_slots.ts";
import { bitwuzla } from "./bitwuzla/index.ts";
import { Clingo } from "./clingo/index.ts";
import { cvc5 } from "./cvc5/index.ts";
import { Drat } from "./drat/index.ts";
import type { Engine, EngineReport } from "./engine.ts";
import { LeanRepl } from "./lean_repl/index.ts";
import { MiniZinc } from "./minizinc/index.ts";
import { PythonEnvironment } from "./python/environment.ts";
import { Python } from "./python/index.ts";
import { SmtSolver } from "./smt/solver.ts";
import { Tables } from "./tables/index.ts";
import { Tactics } from "./tactic/index.ts";
import { z3 } from "./z3/index.ts";

/** All engines of one server, and the processes that they run. */
export class Engines {
  readonly z3: SmtSolver;
  readonly cvc5: SmtSolver;
  readonly bitwuzla: SmtSolver;
  readonly python: Python;
  readonly clingo: Clingo;
  readonly minizinc: MiniZinc;
  /** Checks proofs of unsat. It is part of this program, so clients do not see it as an engine. */
  readonly drat: Drat;
  /** Reads data files. It is part of this program, so clients do not see it as an engine. */
  readonly tables: Tables;
  readonly tactics: Tactics;
  readonly repl: LeanRepl;
  readonly #children: Children;
  readonly #slots: SolverSlots;

  constructor(config: Config) {
    this.#children = new Children(config.child_environment, config.child_directory);
    const slots = new SolverSlots(config.solvers_at_once);
    this.#slots = slots;
    this.z3 = new SmtSolver(z3, { config, children: this.#children, slots });
    const wheels = new PythonEnvironment({ config, children: this.#children, group: "smt", in_background: true });
    this.cvc5 = new SmtSolver(cvc5, { config, children: this.#children, slots, wheels });
    this.bitwuzla = new SmtSolver(bitwuzla, { config, children: this.#children, slots, wheels });
    this.python = new Python({ config, children: this.#children, slots });
    this.clingo = new Clingo({ config, children: this.#children, slots });
    this.minizinc = new MiniZinc({ config, children: this.#children, slots });
    this.drat = new Drat({ config, children: this.#children });
    this.tables = new Tables({ config, children: this.#children, slots });
    this.tactics = new Tactics(config);
    this.repl = new LeanRepl({ config, children: this.#children });
  }

  /** The SMT solvers that accept a smaller language than Z3, the fastest one first. */
  get other_smt(): readonly SmtSolver[] {
    return [this.bitwuzla, this.cvc5];
  }

  /** The number of calls and jobs waiting for a solver. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Runs one of Verdict's own programs in a solver slot; returns "expired" if no slot became free in time. */
  runProgram<Result>(file: string, deadline: Deadline, work: (child: Child) => Promise<Result>) {
    return this.#slots.run(deadline, () => work(this.#children.start({ command: process.execPath, args: [file] })));
  }

  /** Reports which engines are available, for `doctor` and `verdict://engines`. */
  async probe(): Promise<EngineReport[]> {
    const reports = await Promise.all(
      this.#all().map((engine) => engine.probe().catch((error) => failed(engine, error))),
    );
    return reports.flat();
  }

  /** Stops everything immediately; can be called in an `exit` handler. */
  close(): void {
    for (const engine of this.#all()) engine.close();
    this.#children.stopAll();
  }

  #all(): Engine[] {
    return [this.z3, ...this.other_smt, this.python, this.minizinc, this.clingo, this.tactics, this.repl];
  }
}

/** The report on an engine that could not be tried on this machine. */
function failed({ name }: Engine, error: unknown): EngineReport[] {
  if (!(error instanceof Fault)) throw error;
  const { message: why, steps } = error;
  return [
    { name, found: false, kind: "none", version: null, why, how_to_get: steps.join("; "), isolation: "not tried" },
  ];
}
