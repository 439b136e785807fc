import type { AspProgram, Statement } from "./program.ts";

const too_large = 2 ** 31;

/**
 * clingo computes in 32 bits and says nothing when a result does not fit. This warns where the numbers of
 * the program make that possible by one product or power; it can't see what recursion builds up.
 */
export function overflowWarnings({ statements }: AspProgram): string[] {
  const largest = Math.max(...statements.map(largestNumber), 0);
  const risky = statements.find((statement) => largestResult(statement, largest) >= too_large);
  if (!risky) return [];
  return [
    `Item ${risky.item}: with numbers up to ${largest}, results can leave the 32 bits that clingo computes in; then they wrap around, and nothing says so. Scale the numbers, or model this in minizinc or z3.`,
  ];
}

function largestNumber({ tokens }: Statement): number {
  return tokens.reduce((most, { kind, text }) => (kind === "number" ? Math.max(most, Number(text)) : most), 0);
}

/** As large as one expression of the statement may get, when each number in it is the largest one. */
function largestResult({ tokens }: Statement, largest: number): number {
  const count = (sign: string) => tokens.filter(({ text }) => text === sign).length;
  const power = tokens.findIndex(({ text }) => text === "**");
  const exponent = tokens[power + 1];
  const raised = power < 0 ? 1 : exponent?.kind === "number" ? Number(exponent.text) : Math.max(2, largest);
  const product = Math.max(2, largest) ** (raised + count("*"));
  return raised + count("*") > 1 ? product : largest * (count("+") + count("-") > 0 ? 2 : 1);
}
