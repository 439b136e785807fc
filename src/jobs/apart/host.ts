/**
 * The program that runs one large call for `apart.ts`: it reads the call on stdin, and prints the call's events and its
 * end.
 */

import { text } from "node:stream/consumers";
import type { Config } from "../../config.ts";
import { Engines } from "../../engines/index.ts";
import { toFault } from "../../kernel/fault.ts";
import { type CallContext, type Question, quietContext } from "../../kernel/tool.ts";
import { openToolsets } from "../../tools/index.ts";
import { type Ending, storedFault } from "../job.ts";

/** The call, as the server sends it. */
export interface Order {
  readonly config: Config;
  readonly question: Question;
  readonly timeout_ms_max?: number;
  readonly left_ms?: number;
}

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function answer({ config, question, ...times }: Order): Promise<void> {
  const engines = new Engines(config);
  let session_update: unknown;
  const context: CallContext = {
    ...quietContext(),
    ...times,
    progress: (progress) => print({ progress }),
    onEvent: (event) => print({ event }),
    onSessionUpdate: (each) => {
      session_update = each;
    },
  };
  const ending = await endOf(engines, { config, question }, context);
  engines.close();
  print({ ...ending, session_update });
}

async function endOf(engines: Engines, { config, question }: Order, context: CallContext): Promise<Ending> {
  try {
    const tools = openToolsets(engines, { ...config, language: undefined }).flatMap((set) => set.session());
    const tool = tools.find(({ name }) => name === question.tool);
    if (!tool) throw new Error(`there is no tool ${question.tool}`);
    return { answer: await tool.call(question.arguments, context) };
  } catch (thrown) {
    if (toFault(thrown) !== thrown) console.error(thrown);
    return { fault: storedFault(thrown) };
  }
}

const order: Order = JSON.parse(await text(process.stdin));
await answer(order);
