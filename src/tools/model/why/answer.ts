import * as z from "zod/v4";
import { cut } from "../../../kernel/text/cut.ts";
import { type Room, roomFor } from "../../../kernel/text/fit.ts";
import { ItemLine, lineShown, type Why } from "../language.ts";
import { model_limits } from "../limits.ts";

/** The `why` field in an answer. */
export const why_output = z.strictObject({
  about: z.enum(["unsat", "optimum"]),
  core: z.array(ItemLine).optional().describe("Lines that together exclude a solution, or a better one."),
  core_minimal: z.boolean().optional().describe("Whether none of them can be left out."),
  drop: z
    .array(
      z.strictObject({
        items: z.array(ItemLine),
        proved: z.enum(["smallest", "minimal", "enough"]),
        relaxed: z.array(ItemLine.extend({ by: z.number() })).optional(),
        relaxed_proved: z.boolean().optional(),
      }),
    )
    .describe("Without the places of one set there is a solution, or a better one. Smallest first."),
  drop_complete: z.boolean().describe("Whether every set that helps contains one of these."),
  undecided: z.array(z.string()),
});
export type WhyAnswer = z.output<typeof why_output>;

/** Converts an explanation to the form shown in an answer, with long texts and lists truncated. */
export function whyAnswer(why: Why, room: Room = roomFor({})): WhyAnswer {
  const places_max = room(model_limits.why_places_max);
  const shown = <Place extends ItemLine>(places: readonly Place[]) =>
    distinct(places)
      .slice(0, places_max)
      .map((each) => ({ ...each, text: cut(each.text, room(model_limits.unsat_item_chars_max)) }));
  const is_long = [why.core ?? [], ...why.drop.map(({ items }) => items)].some(({ length }) => length > places_max);
  return {
    about: why.about,
    ...(why.core && { core: shown(why.core), core_minimal: why.core_minimal === true }),
    drop: why.drop.map(({ items, proved, relaxed, relaxed_proved }) => ({
      ...{ items: shown(items), proved },
      ...(relaxed && { relaxed: shown(relaxed), relaxed_proved: relaxed_proved === true }),
    })),
    drop_complete: why.drop_complete,
    undecided: [...why.undecided, ...(is_long ? ["Only the beginning of long lists is shown."] : [])],
  };
}

/** Removes duplicate places, since one line can contain several constraints. */
function distinct<Place extends ItemLine>(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [lineShown(place), place])).values()];
}

/** Formats the explanation as lines of text. */
export function whyLines({ about, core, core_minimal, drop, drop_complete, undecided }: WhyAnswer): string[] {
  const { goal, excluded, hard } = words[about];
  return [
    ...(core === undefined
      ? []
      : core.length === 0
        ? [`why: ${hard}`]
        : [
            `why: together, these exclude ${excluded}${core_minimal ? "; none of them can be left out" : "; perhaps not all of them are needed"}:`,
            ...core.map(lineShown),
          ]),
    ...(drop.length === 0 ? [] : [`${goal}, drop one of these sets (each was checked):`]),
    ...drop.map((set) => `- ${claims[set.proved]}: ${set.items.map(lineShown).join("; ")}${relaxedWords(set)}`),
    ...(drop.length > 0
      ? [drop_complete ? "Every set that helps contains one of these." : "There can be other sets."]
      : []),
    ...undecided.map((each) => `undecided: ${each}`),
  ];
}

/** Describes the alternative of keeping a set but relaxing its comparisons. */
function relaxedWords({ relaxed, relaxed_proved = false }: WhyAnswer["drop"][number]): string {
  if (!relaxed) return "";
  const [first, ...more] = relaxed;
  const amount = relaxed_proved ? "the least amount" : "perhaps less is enough";
  if (first && more.length === 0) return ` (or relax it by ${first.by}: ${amount})`;
  const each = relaxed.map((place) => `item ${place.item}, line ${place.line} by ${place.by}`).join(", ");
  return ` (or relax ${each}: ${relaxed_proved ? "the least sum" : amount})`;
}

const words = {
  unsat: {
    goal: "to get a solution",
    excluded: "every solution",
    hard: "the parts that can't be dropped (declarations, bounds, constraints whose line is unclear) have no solution by themselves.",
  },
  optimum: {
    goal: "to get a better objective value",
    excluded: "a better objective value",
    hard: "the parts that can't be dropped (declarations, bounds, constraints whose line is unclear) prevent a better objective by themselves.",
  },
} as const;

const claims = { smallest: "smallest", minimal: "minimal", enough: "enough, perhaps more than needed" } as const;
