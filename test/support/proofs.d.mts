/** One block: its functions, and the text after the bar in its title. */
export interface Block {
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

export function blocksOf(
  file:
    | "pairs"
    | "exceptions"
    | "lists"
    | "recursion"
    | "texts"
    | "invariants"
    | "congruent"
    | "congruent_wrong"
    | "records"
    | "records_wrong"
    | "mappings"
    | "mappings_wrong",
  mark?: ":" | "!" | "?",
): Block[];
