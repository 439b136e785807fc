import type { Program } from "../../kernel/process/child.ts";
import { programOf } from "../places.ts";

/** One command of a setup, and the message that people see while it runs. */
export interface Step {
  readonly says: string;
  readonly program: Program;
}

export interface Order {
  /** The path of uv; if undefined, the interpreter's own venv and pip are used. */
  readonly uv: string | undefined;
  /** The interpreter from which the environment is created. */
  readonly python: string;
  /** The directory that becomes the environment. */
  readonly place: string;
  /** The requirements file. */
  readonly requirements: string;
  /** Additional variables for the commands: proxies, certificates and the package index. */
  readonly environment: NodeJS.ProcessEnv;
}

const making = "making a private Python environment";
const installing = "installing its packages";

/** The commands that create an environment. They accept only wheels with a known hash. */
export function stepsOf(order: Order): Step[] {
  return order.uv === undefined ? stepsOfPip(order) : stepsOfUv(order, order.uv);
}

function stepsOfPip({ python, place, requirements, environment }: Order): Step[] {
  const step = (says: string, command: string, args: string[]) => ({ says, program: { command, args, environment } });
  const quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
  const inside = programOf(place, "python");
  return [
    step(making, python, ["-I", "-m", "venv", place]),
    step(installing, inside, ["-I", "-m", "pip", "install", ...quiet, ...hashedOnly(requirements)]),
    // The installers that venv includes are outdated and no longer needed.
    step(installing, inside, ["-I", "-m", "pip", "uninstall", "--yes", ...quiet.slice(0, 2), "setuptools", "pip"]),
  ];
}

function stepsOfUv({ python, place, requirements, environment }: Order, uv: string): Step[] {
  const settings = { ...environment, UV_PYTHON_DOWNLOADS: "never" };
  const step = (says: string, args: string[]) => ({ says, program: { command: uv, args, environment: settings } });
  const target = ["--python", programOf(place, "python")];
  return [
    step(making, ["venv", "--no-project", "--python", python, place]),
    step(installing, ["pip", "install", ...target, ...hashedOnly(requirements)]),
  ];
}

function hashedOnly(requirements: string): string[] {
  return ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--requirement", requirements];
}
