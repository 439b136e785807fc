import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import { limits } from "../kernel/limits.ts";
import { nearest } from "../kernel/text/near_miss.ts";
import { addToken, type Scope, scopes } from "../server/http/tokens.ts";

export interface TokenFlags {
  readonly file: string;
  readonly scopes: string;
  readonly expires?: string;
}

/** Makes a token and prints it; gives the exit code. Raises `invalid_argument`. */
export async function token(name: string, { file, scopes: list, expires }: TokenFlags): Promise<number> {
  const wanted = list.split(",").map((each) => readScope(each.trim()));
  const entry = { name, scopes: wanted, ...(expires !== undefined && { expires }) };
  console.log(await addToken(file, entry, new Deadline(limits.lock_stale_ms)));
  console.error(`This token of ${name} is not shown again. Clients send it as: Authorization: Bearer TOKEN`);
  return 0;
}

function readScope(text: string): Scope {
  const found = scopes.find((each) => each === text);
  if (found) return found;
  const near = nearest(text, scopes);
  throw new Fault("invalid_argument", `There is no scope "${text}".`, [
    ...(near.length > 0 ? [`did you mean ${near.join(" or ")}?`] : []),
    `choose from: ${scopes.join(", ")}`,
  ]);
}
