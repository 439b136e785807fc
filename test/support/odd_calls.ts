import fc from "fast-check";

/** What clients and language models send by mistake: calls with one thing changed, and envelopes with odd fields. */

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    "",
    " ",
    "0",
    "null",
    "\\n",
    "⊢",
    "\u0000",
    [],
    {},
  ),
  fc.constantFrom<unknown>([null], [[]], { toString: 1 }, { __proto__: null, length: -1 }),
  fc.string({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The arguments with one of them changed, left out, renamed or added. */
export function mutated(args: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const name = fc.constantFrom(...Object.keys(args), "timeout", "toString", "__proto__", "x");
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(name, odd).map(([key, value]) => ({ ...args, [key]: value })) },
    { weight: 1, arbitrary: name.map((key) => Object.fromEntries(Object.entries(args).filter(([k]) => k !== key))) },
    { weight: 1, arbitrary: odd },
  );
}

/** A request whose envelope has something odd in it; its id is one that an answer can carry. */
export const envelope = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", 2, null),
    method: fc.constantFrom<unknown>(
      "tools/list",
      "ping",
      "tools/call",
      "prompts/get",
      "resources/read",
      "no/such",
      7,
      null,
      "",
    ),
    params: fc.oneof(odd, fc.record({ name: odd, arguments: odd, uri: odd, _meta: odd }, { requiredKeys: [] })),
    extra: odd,
  },
  { requiredKeys: [] },
);
