import type { ChildProcess } from "node:child_process";

/**
 * A busy native solver does not look at its stdin, so it would outlive a server that was killed
 * with SIGKILL. The reaper is a tiny shell process that holds the other end of a pipe: it is told
 * which process groups live, and when the pipe closes, for whatever reason, it kills them, and
 * then, where /proc exists, every process of their sessions (a solver's child may have made a
 * group of its own). It costs 1 MB; see docs/decisions/reaper.md. The text is fixed: nothing is
 * ever put into it.
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
for stat in /proc/[0-9]*/stat; do
  read -r line < "$stat" || continue
  set -- \${line##*) }
  case $live in *" $4 "*) stat=\${stat#/proc/}; kill -s KILL "\${stat%/stat}" ;; esac
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
