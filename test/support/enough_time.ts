import { Fault } from "../../src/kernel/fault.ts";

const growth = 4;

/**
 * Asks with more and more time until what is to come before the end of that time is there: how much it needs depends
 * on the machine and on what else it does. A call that no process was free for in its time is made again, too.
 */
export async function withEnoughTime<Answer>(
  ask: (timeout_ms: number) => Promise<Answer>,
  isEnough: (answer: Answer) => boolean,
  first_ms = 1000,
  /** The answer to the last one counts, whatever it is. */
  tries_max = 3,
): Promise<Answer> {
  for (let [tries, timeout_ms] = [1, first_ms]; ; tries++, timeout_ms *= growth) {
    try {
      const answer = await ask(timeout_ms);
      if (isEnough(answer) || tries === tries_max) return answer;
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === "busy") || tries === tries_max) throw thrown;
    }
  }
}
