import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import { limits } from "../kernel/limits.ts";
import { nearest } from "../kernel/text/near_miss.ts";
import { type Scope, scopes } from "../server/http/auth/principal.ts";
import { addToken } from "../server/http/auth/tokens.ts";
import { readQuota } from "../server/http/usage/quota.ts";

export interface TokenFlags {
  readonly file: string;
  readonly scopes: string;
  readonly expires?: string;
  readonly quota?: string;
}

/** Creates a token and prints it; returns the exit code. Raises `invalid_argument`. */
export async function token(name: string, { file, scopes: list, expires, quota }: TokenFlags): Promise<number> {
  const wanted = list.split(",").map((each) => readScope(each.trim()));
  const entry = {
    name,
    scopes: wanted,
    ...(quota !== undefined && { quota: readQuota(quota) }),
    ...(expires !== undefined && { expires }),
  };
  console.log(await addToken(file, entry, new Deadline(limits.lock_stale_ms)));
  console.error(`The token of ${name} is not shown again. Clients send it as: Authorization: Bearer TOKEN`);
  return 0;
}

function readScope(text: string): Scope {
  const scope = scopes.find((each) => each === text);
  if (scope) return scope;
  const near = nearest(text, scopes);
  throw new Fault("invalid_argument", `There is no scope "${text}".`, [
    ...(near.length > 0 ? [`write ${near.join(" or ")} if you meant that`] : []),
    `choose from: ${scopes.join(", ")}`,
  ]);
}
