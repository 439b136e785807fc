/** The state of a scan through a stream of SMT-LIB. */
export interface ScanState {
  readonly depth: number;
  readonly inside: "text" | "comment" | "string" | "symbol";
}

export function startOfScan(): ScanState {
  return { depth: 0, inside: "text" };
}

const closing = { comment: "\n", string: '"', symbol: "|" } as const;
const opening: Readonly<Record<string, ScanState["inside"]>> = { ";": "comment", '"': "string", "|": "symbol" };

/**
 * Continues a scan: returns the state after this piece, and how much of the piece is complete, that is, ends with a
 * command's closing parenthesis. A doubled quote in a string closes and opens it again, which has the same effect.
 */
export function completeEnd(piece: string, from: ScanState): { end: number; state: ScanState } {
  let { depth, inside } = from;
  let end = 0;
  for (let at = 0; at < piece.length; at++) {
    const character = piece[at] ?? "";
    if (inside !== "text") {
      if (character === closing[inside]) inside = "text";
    } else if (character === "(") depth++;
    else if (character === ")") {
      depth = Math.max(0, depth - 1);
      if (depth === 0) end = at + 1;
    } else inside = opening[character] ?? "text";
  }
  return { end, state: { depth, inside } };
}
