/**
 * Asks with more and more time until what is to come before the end of that time is there: how much it needs depends
 * on the machine and on what else it does. Gives the last answer, whatever it is.
 */
export async function withEnoughTime<Answer>(
  ask: (timeout_ms: number) => Promise<Answer>,
  isEnough: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await ask(1000);
  for (const timeout_ms of [4000, 16_000, 60_000]) {
    if (isEnough(answer)) return answer;
    answer = await ask(timeout_ms);
  }
  return answer;
}
