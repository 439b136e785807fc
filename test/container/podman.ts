import { type ChildProcess, execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

const image = process.env["VERDICT_IMAGE"] ?? "";
if (!image) throw new Error("VERDICT_IMAGE names the image to test: .ci/container builds one");

/** What podman needs on a machine without systemd, and with the older of the two layouts of control groups. */
const of_machine = ["--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file"];
const limits_of_machine = ["--ulimit", "nofile=1024:20000", "--ulimit", "nproc=4096:4096"];

/** As docs/container.md says to run it: no capability, no new privileges, nothing of the image can be changed. */
const guarded = ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only", "--no-healthcheck"];

export interface RunOptions {
  readonly name?: string;
  /** Further options of `podman run`, before the image. */
  readonly options?: readonly string[];
  /** Without a network, unless it is named. */
  readonly network?: "none" | "host";
}

/** The command line that runs the image; the words are the arguments of `verdict`. */
export function runLine(words: readonly string[], { name, options = [], network = "none" }: RunOptions = {}): string[] {
  // A client may start its server twice at once: then no name is the same.
  const named = name === undefined ? [] : ["--name", name];
  const place = ["--network", network, ...limits_of_machine, ...guarded];
  return ["podman", ...of_machine, "run", "--rm", "--interactive", ...named, ...place, ...options, image, ...words];
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, whatever its exit code is. */
export async function runToEnd([program = "", ...args]: readonly string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "number")) throw error;
    const { stdout, stderr } = Object.assign({ stdout: "", stderr: "" }, error);
    return { code: error.code, stdout, stderr };
  }
}

/** Runs the image to its end. */
export function runImage(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runToEnd(runLine(words, options));
}

/** A command inside of a running container. */
export function inside(name: string, ...command: string[]): Promise<Ended> {
  return runToEnd(["podman", ...of_machine, "exec", name, ...command]);
}

export function signalTo(name: string, signal: "TERM" | "KILL"): Promise<Ended> {
  return runToEnd(["podman", ...of_machine, "kill", "--signal", signal, name]);
}

/** A container that serves over HTTP. */
export interface Served {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts one, and waits until it names its address. */
export async function serve(words: readonly string[], options: RunOptions): Promise<Served> {
  const [program = "", ...args] = runLine(words, options);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the container ended: ${stderr}`)));
    child.stderr.on("data", (piece: Buffer) => {
      stderr += piece.toString();
      if (/http:\/\/\S+\/mcp/.test(stderr)) resolve();
    });
  });
  return { child, stderr: () => stderr, ended };
}
