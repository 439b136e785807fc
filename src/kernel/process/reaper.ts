import type { ChildProcess } from "node:child_process";

/** The environment variable that identifies every child process and all its descendants. */
export const mark_variable = "VERDICT_MARK";

/**
 * The shell script of the reaper. A busy native solver does not read its stdin, so it would outlive a server that was
 * killed with SIGKILL. The reaper is a tiny shell process that holds the other end of a pipe. It receives the process
 * groups of all children. When the pipe closes, for whatever reason, it kills these groups. If /proc exists, it then
 * kills every process that carries the server's mark, since a solver's child may have left its group. A single grep
 * without a mark finds these processes, because a shell that reads their environments would need one system call per
 * character. The reaper costs 1 MB; see docs/decisions/reaper.md. The script is fixed: nothing is ever inserted into
 * it.
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
PATH="$PATH:/usr/bin:/bin"
mark="${mark_variable}=$${mark_variable}"
for environ in $(${mark_variable}= grep -lsF -e "$mark" /proc/[0-9]*/environ); do
  pid=\${environ#/proc/}; pid=\${pid%/environ}
  [ "$pid" = $$ ] || kill -s KILL "$pid"
done
`;

/** Informs the reaper which process groups exist. */
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

  /** Whether the shell process is still running. Once it has ended, the owner starts another reaper. */
  get alive(): boolean {
    return !this.#gone;
  }

  guard(pid: number): void {
    this.#tell(`+ ${pid}\n`);
  }

  forget(pid: number): void {
    this.#tell(`- ${pid}\n`);
  }

  /** Lets the reaper kill what is still running, and then end. */
  end(): void {
    this.#gone = true;
    this.#shell.stdin?.end();
  }

  #tell(line: string): void {
    if (!this.#gone) this.#shell.stdin?.write(line);
  }
}
