import type { ChildProcess } from "node:child_process";

/** The environment variable by which every child process, and all its descendants, can be recognised. */
export const mark_variable = "VERDICT_MARK";

/**
 * A busy native solver does not read its stdin, so it would outlive a server that was killed with SIGKILL. The reaper
 * is a tiny shell process that holds the other end of a pipe. It receives the process groups of all children. When the
 * pipe closes, for whatever reason, it kills them. Where /proc exists, it then kills every process that carries the
 * server's mark, since a solver's child may have left its group. It costs 1 MB; see docs/decisions/reaper.md. The text
 * is fixed: nothing is ever inserted into it.
 */
export const REAPER_SCRIPT = `
live=' '
while read -r sign pid; do
  case $sign in
    +) live="$live$pid " ;;
    -) case $live in *" $pid "*) live="\${live%% $pid *} \${live#* $pid }" ;; esac ;;
  esac
done
for pid in $live; do kill -s KILL -- "-$pid"; done
for environ in /proc/[0-9]*/environ; do
  line=
  read -r line < "$environ" || [ -n "$line" ] || continue
  pid=\${environ#/proc/}; pid=\${pid%/environ}
  case $line in *"${mark_variable}=$${mark_variable}"*) [ "$pid" = $$ ] || kill -s KILL "$pid" ;; esac
done
`;

/** Tells the reaper which process groups exist. */
export class Reaper {
  readonly #shell: ChildProcess;
  #gone = false;

  constructor(shell: ChildProcess) {
    this.#shell = shell;
    const leave = () => {
      this.#gone = true;
    };
    shell.once("exit", leave).once("error", leave);
    shell.stdin?.on("error", leave);
    shell.unref();
  }

  /** False once the shell process has ended, so that its keeper starts another. */
  get alive(): boolean {
    return !this.#gone;
  }

  guard(pid: number): void {
    this.#tell(`+ ${pid}\n`);
  }

  forget(pid: number): void {
    this.#tell(`- ${pid}\n`);
  }

  #tell(line: string): void {
    if (!this.#gone) this.#shell.stdin?.write(line);
  }
}
