import type { ChildProcess } from "node:child_process";

/** Environment variable by which every process of ours, and all that it starts, can be known. */
export const mark_variable = "VERDICT_MARK";

/**
 * A busy native solver does not look at its stdin, so it would outlive a server that was killed
 * with SIGKILL. The reaper is a tiny shell process that holds the other end of a pipe: it is told
 * which process groups live, and when the pipe closes, for whatever reason, it kills them, and
 * then, where /proc exists, every process that carries our mark: a solver's child may have left
 * its group. It costs 1 MB; see docs/decisions/reaper.md. The text is fixed: nothing is ever put
 * into it.
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

/** Tells the reaper which process groups live. */
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
