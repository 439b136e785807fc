import { linesOf } from "../../kernel/text/lines.ts";
import type { Place } from "./tree.ts";

/** Raised for a construct that the prover does not support, with its position. No claim is then made about the code. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
  /** A noun phrase, worded to follow "the prover does not support". */
  readonly construct: string;
  readonly line: number;
  #place: Place | undefined;

  /** `at` is the construct's node, or its line if the node is not available: `runningIn` adds the node later. */
  constructor(construct: string, at: Place | number) {
    const line = typeof at === "number" ? at : at.line;
    super(`line ${line}: the prover does not support ${construct}`);
    this.construct = construct;
    this.line = line;
    this.#place = typeof at === "number" ? undefined : at;
  }

  /**
   * Records the node that was running. The first record on the refusal's line counts, because it is the innermost node.
   */
  runningIn(node: Place): void {
    if (node.line === this.line) this.#place ??= node;
  }

  /** Returns the source text of the construct; undefined if its position is not known. */
  sourceIn(text: string): string | undefined {
    return this.#place && sourceAt(text, this.#place);
  }
}

const source_characters_max = 40;

/** Returns the first line of the text at a position, shortened. */
export function sourceAt(
  text: string,
  { line, column, end_line, end_column }: Place,
  characters_max = source_characters_max,
): string | undefined {
  const bytes = Buffer.from(linesOf(text)[line - 1] ?? "");
  const end = end_line === line ? end_column : bytes.length;
  const first = [...bytes.subarray(column, end).toString().trim()];
  if (first.length === 0) return undefined;
  const whole = end_line === line && first.length <= characters_max;
  return `${first.slice(0, characters_max).join("").trimEnd()}${whole ? "" : " …"}`;
}
