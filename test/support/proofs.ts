import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** One block of test/fixtures/proofs/: its functions, and the text after the bar in its title. */
export interface Block {
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

/** The blocks of a file of functions, each headed by a line that begins with `#:`. */
export function blocksOf(
  file:
    | "pairs"
    | "exceptions"
    | "lists"
    | "recursion"
    | "invariants"
    | "invariants_wrong"
    | "invariants_weak"
    | "congruent"
    | "congruent_wrong"
    | "records"
    | "records_wrong"
    | "mappings"
    | "mappings_wrong",
): Block[] {
  const text = readFileSync(resolve(`test/fixtures/proofs/${file}.py`), "utf8");
  const [, ...blocks] = text.split(/^#: /m);
  return blocks.map((block) => {
    const [head = "", ...code] = block.split("\n");
    const [title = "", note = ""] = head.split("|").map((part) => part.trim());
    return { title, note, code: code.join("\n") };
  });
}
