import yoctoSpinner from "yocto-spinner";
import { type CallContext, quietContext } from "../kernel/tool.ts";

/**
 * Does some work while a terminal shows a spinner with the current step and the elapsed time. Without a terminal,
 * nothing is shown, since stderr may be a log.
 */
export async function watched<Result>(
  signal: AbortSignal,
  work: (context: CallContext) => Promise<Result>,
): Promise<Result> {
  if (!process.stderr.isTTY) return work(quietContext(signal));
  // Signals are handled elsewhere, since the engines have to be closed.
  const spinner = yoctoSpinner({ stream: process.stderr, handleSignals: false });
  const start = performance.now();
  let doing = "working";
  const show = () => {
    spinner.text = `${doing}, ${Math.round((performance.now() - start) / 1000)} s`;
  };
  const say = (message: string) => {
    doing = message;
    show();
  };
  show();
  spinner.start();
  const ticking = setInterval(show, 1000);
  try {
    return await work({ signal, progress: say, onEvent: say });
  } finally {
    clearInterval(ticking);
    spinner.stop();
  }
}
