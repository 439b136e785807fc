import type { ItemLine, Language, Why } from "../language.ts";
import { whyAnswer } from "../why/answer.ts";

/** The lines that forbid a plan, and sentences on how far this is proved. */
export interface Broken {
  readonly broken: readonly (ItemLine & { readonly by?: number | undefined })[];
  readonly proof: string;
  /** Whether declarations alone exclude the values. */
  readonly is_declared?: true;
}

/** Finds the smallest known set of lines whose removal makes the values possible. */
export function brokenLines(why: Why | undefined): Broken {
  if (!why) return { broken: [], proof: "" };
  const { core = [], drop, drop_complete, undecided } = whyAnswer(why);
  const [first] = drop;
  if (!first && core.length > 0)
    return { broken: core, proof: " Together, these lines exclude them; other lines may also be violated." };
  if (!first && undecided.length > 0) return { broken: [], proof: ` ${undecided.join(" ")}` };
  if (!first) return { broken: [], proof: " Declarations and bounds exclude them.", is_declared: true };
  const others = drop.length > 1 || !drop_complete ? " There may be other such sets of lines." : "";
  return {
    broken: first.relaxed ?? first.items,
    proof: first.proved === "smallest" ? others : ` Perhaps fewer are violated.${others}`,
  };
}

/** Returns the first line that declares the name of a value, such as `x[1,2]`. */
export function declarationOf(
  { declares }: Pick<Language, "declares">,
  items: readonly string[],
  name: string,
): ItemLine | undefined {
  const [plain] = /^\w+/.exec(name) ?? [];
  const pattern = plain === undefined ? undefined : declares?.(plain);
  const lines = items.flatMap((text, item) =>
    text.split("\n").map((line, i) => ({ item, line: i + 1, text: line.trim() })),
  );
  return pattern && lines.find(({ text }) => pattern.test(text));
}
