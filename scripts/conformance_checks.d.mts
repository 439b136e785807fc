/** A check of the conformance suite, as it writes it. */
export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export function judged(
  results: ReadonlyMap<string, readonly Check[]>,
  expected: readonly string[],
): { passed: number; faults: string[] };
